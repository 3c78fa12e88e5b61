"""Where control goes in bufferized IR, and which ops concern a memref.

For following one allocation only few ops are of interest. `Uses` finds them by block, so
that everything in between is skipped.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.checkers.lifetimes.lists import reads_of_results
from xdsl_bufferization.checkers.lifetimes.numbers import (
    EQ,
    SLT,
    ULT,
    Condition,
    Number,
    Numbering,
    Source,
    blocks_of,
)
from xdsl_bufferization.dialects import bufferization, cf, memref, scf
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.loop_like import COUNTED_LOOP, static_trip_count
from xdsl_bufferization.interfaces.memory_effects import (
    get_allocations_and_frees,
    is_memref,
)
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
)
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE


class Concern(Enum):
    """What an op is to a memref it uses."""

    NONE = auto()
    """It looks at what is beside the memory: sizes, pointers."""
    ACCESS = auto()
    """It reads or writes the memory."""
    CONTROL = auto()
    """It frees, renames, forwards or compares the memref."""


def concern(op: Operation) -> Concern:
    if isinstance(op, memref.DimOp | memref.ExtractAlignedPointerAsIndexOp):
        return Concern.NONE
    if isinstance(op, memref.LoadOp | memref.StoreOp) and not _stores_buffer(op):
        return Concern.ACCESS
    if (
        bool(op.regions)
        or isinstance(op, bufferization.DeallocOp)
        or CALL.lookup(op) is not None
        or op.successors
        or op.has_trait(IsTerminator, value_if_unregistered=False)
        or any(is_opaque(result.type) for result in op.results)
        or _stores_buffer(op)
        or get_allocations_and_frees(op)
    ):
        return Concern.CONTROL
    return Concern.NONE if isinstance(op, memref.RankOp) else Concern.ACCESS


def _stores_buffer(op: Operation) -> bool:
    return isinstance(op, memref.StoreOp) and is_memref(op.operands[0])


def is_opaque(type_: Attribute) -> bool:
    """Whether a value of the type may be, or hide, a buffer."""
    return not _is_plain(type(type_).name)


@cache
def _is_plain(name: str) -> bool:
    return name in (
        *("index", "integer_type", "vector", "complex", "none_type", "bf16"),
        *("f16", "f32", "f64", "f80", "f128"),
    )


def has_known_flow(op: Operation) -> bool:
    return bool(op.regions) and REGION_BRANCH.lookup(op) is not None


@dataclass
class Edge:
    """A path that control may take.

    Attributes:
        block: where to; None for after the op around the region.
        targets, sources: values that take over from others.
        conditions: when it is taken: when all of these hold,
        excluded: and not all of these.
        choice: whether it is not known what else it depends on.
        loop: the loop whose number of iterations decides whether it is taken.
    """

    block: Block | None
    targets: Sequence[SSAValue] = ()
    sources: Sequence[SSAValue] = ()
    conditions: Sequence[Condition] = ()
    excluded: Sequence[Condition] = ()
    note: str = ""
    choice: bool = False
    loop: Operation | None = None


class Flow:
    """The edges of control flow: from the interfaces of the ops, and for the ops of scf
    and cf the conditions under which each is taken."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering

    def add(self, op: Operation) -> None:
        """Take the conditions into account that an op depends on without computing them
        as values."""
        if isinstance(op, scf.IndexSwitchOp):
            conditions = self._cases(op, op.cases.get_values())
        elif isinstance(op, cf.SwitchOp):
            conditions = self._cases(op, _case_values(op))
        else:
            conditions = self._runs(op)
            if conditions is not None:
                self.again(op).users.append(op)
        for condition in conditions or ():
            condition.number.users.append(op)

    def edges_into(self, op: Operation) -> list[Edge]:
        """The edges from an op into its regions, or past them."""
        model = REGION_BRANCH.lookup(op)
        if model is None:
            return []
        edges: list[Edge] = []
        successors = model.get_successor_regions(op, None)
        for region, inputs in ((s.region, s.inputs) for s in successors):
            block = None if region is None else region.blocks.first
            operands = model.get_entry_successor_operands(op, region)
            edge = Edge(block, inputs, operands, choice=len(successors) > 1)
            self._restrict_entry(edge, op, region)
            edges.append(edge)
        return edges

    def edges_from(self, end: Operation, around: Operation) -> list[Edge]:
        """The edges from the end of a region of `around`."""
        model, returns = (
            REGION_BRANCH.lookup(around),
            REGION_BRANCH_TERMINATOR.lookup(end),
        )
        region = None if end.parent is None else end.parent.parent
        if model is None or region is None:
            return []
        edges: list[Edge] = []
        successors = list(model.get_successor_regions(around, region))
        if returns is None and any(successor.inputs for successor in successors):
            return []
        trips = static_trip_count(around)
        if trips == 1:
            successors = [s for s in successors if s.region is None]
        for target, inputs in ((s.region, s.inputs) for s in successors):
            operands = end.operands
            positions: Sequence[int] = ()
            if returns is not None:
                positions = returns.get_returned_operand_range(end, target)
            block = None if target is None else target.blocks.first
            edge = Edge(block, inputs, [operands[i] for i in positions])
            edge.choice = len(successors) > 1
            if isinstance(end, scf.ConditionOp):
                holds = self._numbering.condition(operands[0])
                edge.conditions = [holds if target is not None else holds.negated()]
                edge.choice = False
            elif trips != 1 and COUNTED_LOOP.lookup(around) is not None:
                edge.choice, edge.loop = False, around
            if block is not None and not edge.conditions:
                edge.note = "next iteration"
            edges.append(edge)
        return edges

    def edges_between_blocks(self, end: Operation) -> list[Edge]:
        """The edges of a branch; nothing when it is not known which operands it
        forwards."""
        model = BRANCH.lookup(end)
        if model is None:
            return []
        edges: list[Edge] = []
        for number, block in enumerate(end.successors):
            positions = model.get_successor_operand_range(end, number)
            sources = [end.operands[position] for position in positions]
            edge = Edge(block, block.args, sources)
            if isinstance(end, cf.ConditionalBranchOp):
                holds = self._numbering.condition(end.operands[0])
                edge.conditions = [holds if number == 0 else holds.negated()]
            elif isinstance(end, cf.SwitchOp):
                edge.note = f"path {number}"
                # The default comes first.
                self._select(edge, end, _case_values(end), number - 1)
            else:
                edge.choice = len(end.successors) > 1
            edges.append(edge)
        return edges

    def runs(self, loop: Operation) -> list[Number]:
        """The conditions under which a counted loop has any iteration."""
        return [condition.number for condition in self._runs(loop) or ()]

    def again(self, loop: Operation) -> Number:
        """What decides how often a counted loop is repeated."""
        model = COUNTED_LOOP.lookup(loop)
        bounds = [
            bound
            for range_ in (() if model is None else model.get_ranges(loop))
            for bound in (range_.lower, range_.upper, range_.step)
            if isinstance(bound, SSAValue)
        ]
        return self._numbering.depending_on(loop, bounds)

    def conditions_around(self, block: Block) -> dict[Number, bool] | None:
        """The conditions under which control has come to a block; None if they exclude
        each other, so that it never comes there."""
        known: dict[Number, bool] = {}
        inner: Block | None = block
        while inner is not None and (op := inner.parent_op()) is not None:
            edge = Edge(inner)
            if inner.parent is not None and inner.parent.blocks.first is inner:
                self._restrict_entry(edge, op, inner.parent)
            for number, truth in (*edge.conditions, *self._branches_before(inner)):
                always = known.get(number, truth)
                if number.constant is not None:
                    always = bool(number.constant)
                else:
                    known[number] = truth
                if always != truth:
                    return None
            inner = op.parent
        return known

    def _branches_before(self, block: Block) -> Sequence[Condition]:
        """The conditions of branches through which each path leads to a block."""
        found: list[Condition] = []
        seen = {block}
        while block.prev_block is not None:
            before = block.predecessors()
            if len(before) != 1:
                break
            end = before[0].last_op
            if end is None or before[0] in seen:
                break
            edges = [e for e in self.edges_between_blocks(end) if e.block is block]
            if len(edges) == 1:
                found += edges[0].conditions
            block = before[0]
            seen.add(block)
        return found

    # Conditions.

    def _restrict_entry(self, edge: Edge, op: Operation, region: Region | None) -> None:
        """Set when an op of scf goes to a region of its, or to none."""
        if isinstance(op, scf.IfOp):
            holds = self._numbering.condition(op.operands[0])
            edge.conditions = [holds if region is op.regions[0] else holds.negated()]
        elif isinstance(op, scf.IndexSwitchOp):
            cases = op.cases.get_values()
            number = next(n for n, r in enumerate(op.regions) if r is region) - 1
            edge.note = f"region {number + 1}"
            self._select(edge, op, cases, number)
        elif (runs := self._runs(op)) is None:
            return
        elif region is None:
            edge.excluded, edge.note = runs, "no iteration"
        else:
            edge.conditions = runs
        edge.choice = False

    def _select(
        self, edge: Edge, op: Operation, cases: Sequence[int], number: int
    ) -> None:
        """Set that the flag of a switch is in one case, or in none if that is -1."""
        conditions = self._cases(op, cases)
        if number >= 0:
            edge.conditions = [conditions[number]]
        else:
            edge.conditions = [condition.negated() for condition in conditions]

    def _cases(self, op: Operation, cases: Sequence[int]) -> list[Condition]:
        flag = op.operands[0]
        return [self._numbering.compare(EQ, flag, case) for case in cases]

    def _runs(self, op: Operation) -> list[Condition] | None:
        """When a loop has any iteration, if that is known."""
        model = COUNTED_LOOP.lookup(op)
        if model is None:
            return None
        found: list[Condition] = []
        for range_ in model.get_ranges(op):
            if range_.lower is None or range_.upper is None:
                return None
            less = ULT if range_.unsigned else SLT
            found.append(self._numbering.compare(less, range_.lower, range_.upper))
        return found


def _case_values(op: cf.SwitchOp) -> list[int]:
    return [] if op.case_values is None else list(op.case_values.get_values())


@dataclass
class _InBlock:
    """The uses of a value in one block and what is nested there, as positions of ops of
    the block, in order."""

    all: list[int] = field(default_factory=list[int])
    control: list[int] = field(default_factory=list[int])
    last: int = -1
    """The last op that depends on the value, directly or by way of conditions."""


Key: TypeAlias = SSAValue | Number | Source
"""A memref; a condition; or all conditions that depend on a source."""


class Uses:
    """Which ops use a memref or condition, by block and position. An op that contains a
    use counts as a use, up to the block that defines the value."""

    def __init__(self) -> None:
        self._homes: dict[Number, frozenset[Block]] = {}
        self._last: dict[SSAValue, dict[Block, int]] = {}
        self._positions: dict[Block, dict[Operation, int]] = {}
        self._ops: dict[Block, list[Operation]] = {}
        self._by_block: dict[Key, dict[Block, _InBlock]] = {}
        self._live_blocks: dict[Key, set[Block]] = {}

    def homes(self, key: Key) -> frozenset[Block]:
        """The blocks in which a memref, or what a condition depends on, is defined. Each
        time control comes to one of them it is another."""
        if isinstance(key, SSAValue):
            return frozenset((block_of(key),))
        if isinstance(key, Source):
            return frozenset(() if key.value is None else (block_of(key.value),))
        known = self._homes.get(key)
        if known is None:
            known = self._homes[key] = frozenset(blocks_of(key))
        return known

    def position(self, op: Operation) -> int:
        block = op.parent
        assert block is not None
        return self._numbered(block)[op]

    def op_at(self, block: Block, position: int) -> Operation:
        self._numbered(block)
        return self._ops[block][position]

    def _numbered(self, block: Block) -> dict[Operation, int]:
        known = self._positions.get(block)
        if known is None:
            ops = self._ops[block] = list(block.ops)
            known = self._positions[block] = {op: n for n, op in enumerate(ops)}
        return known

    def next_use(
        self, value: SSAValue, block: Block, after: int, *, only_control: bool
    ) -> int | None:
        """The position of the next op in a block that concerns a memref."""
        inside = self._of(value).get(block)
        if inside is None:
            return None
        positions = inside.control if only_control else inside.all
        index = bisect_right(positions, after)
        return positions[index] if index < len(positions) else None

    def is_used_after(self, value: Key, block: Block, after: int) -> bool:
        """Whether a value of this block, or a memref, is still needed."""
        inside = self._of(value).get(block)
        if inside is not None and inside.last > after:
            return True
        region = block.parent
        if region is None or (block.next_block is None and block.prev_block is None):
            return False
        end = block.last_op
        live = self._live(value, region)
        return end is not None and any(successor in live for successor in end.successors)

    def is_live_into(self, value: Key, block: Block) -> bool:
        assert block.parent is not None
        return block in self._live(value, block.parent)

    def _live(self, value: Key, region: Region) -> set[Block]:
        """The blocks of a region at whose start a value of the region may be needed."""
        known = self._live_blocks.get(value)
        if known is None:
            homes = self.homes(value)
            waiting = [
                b for b in self._of(value) if b.parent is region and b not in homes
            ]
            known = set[Block]()
            while waiting:
                block = waiting.pop()
                if block in known or block in homes:
                    continue
                known.add(block)
                waiting += [
                    use.operation.parent for use in block.uses if use.operation.parent
                ]
            self._live_blocks[value] = known
        return known

    def _of(self, value: Key) -> dict[Block, _InBlock]:
        known = self._by_block.get(value)
        if known is None:
            known = self._by_block[value] = self._find(value)
        return known

    def _find(self, value: Key) -> dict[Block, _InBlock]:
        regions = {block.parent for block in self.homes(value)}
        found: dict[Block, _InBlock] = {}
        seen: set[tuple[Operation, str]] = set()

        def add(op: Operation, kind: str) -> None:
            inner: Operation | None = op
            while inner is not None and (inner, kind) not in seen:
                seen.add((inner, kind))
                block = inner.parent
                if block is None:
                    break
                inside = found.setdefault(block, _InBlock())
                position = self.position(inner)
                inside.last = max(inside.last, position)
                if kind != "last":
                    inside.all.append(position)
                if kind == "control":
                    inside.control.append(position)
                if block.parent in regions:
                    break
                inner = block.parent_op()

        if isinstance(value, SSAValue):
            values, others = [value], []
            for use in value.uses:
                is_control = concern(use.operation) is Concern.CONTROL
                add(use.operation, "control" if is_control else "all")
        else:
            numbers = _related(value)
            values = [member for number in numbers for member in number.members]
            others = [op for number in numbers for op in number.users]
        for member in values:
            for block, position in self._last_uses(member).items():
                add(self.op_at(block, position), "last")
        for op in others:
            add(op, "last")
        for inside in found.values():
            inside.all = sorted(set(inside.all))
            inside.control = sorted(set(inside.control))
        return found

    def _last_uses(self, value: SSAValue) -> dict[Block, int]:
        """The position of the last op in each block that uses a value, also by way of
        what is computed from it for a condition: pointers, comparisons, boolean ops,
        elements of lists."""
        known = self._last.get(value)
        if known is None:
            known = self._last[value] = dict[Block, int]()
            for use in value.uses:
                op = use.operation
                if op.parent is not None:
                    known[op.parent] = max(known.get(op.parent, -1), self.position(op))
                for derived in _derived(op, use.index):
                    for block, position in self._last_uses(derived).items():
                        known[block] = max(known.get(block, -1), position)
        return known


def _related(key: Number | Source) -> Sequence[Number]:
    """The conditions of the same integer: what is known of one decides the others; or
    all that depend on a source."""
    if isinstance(key, Source):
        return key.atoms
    return [key] if key.subject is None else key.subject.compared


def _derived(op: Operation, index: int) -> Sequence[SSAValue]:
    """What an op computes from an operand for a condition."""
    if isinstance(op, memref.StoreOp) and index == 0:
        return reads_of_results(op.operands[1])
    return op.results if _derives_condition(op) else ()


def _derives_condition(op: Operation) -> bool:
    if isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
        return True
    if VIEW_LIKE.lookup(op) is not None:
        return False
    return isinstance(
        op,
        arith.AndIOp | arith.OrIOp | arith.XOrIOp | arith.CmpiOp | arith.SelectOp,
    ) and not is_memref(op.results[0])


def block_of(value: SSAValue) -> Block:
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    assert block is not None
    return block


def function_of(op: Operation) -> FuncOp | None:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    return parent
