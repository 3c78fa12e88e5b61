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

from xdsl.dialects import arith
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.analysis.buffer_lifetimes_lists import reads_of_results
from xdsl_bufferization.dialects import bufferization, memref, scf
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.loop_like import static_trip_count
from xdsl_bufferization.interfaces.memory_effects import (
    get_allocations_and_frees,
    is_memref,
)
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE


class Concern(Enum):
    """What an op is to a memref it uses."""

    NONE = auto()
    """It looks at what is beside the memory: sizes, pointers."""
    ACCESS = auto()
    """It reads or writes the memory."""
    CONTROL = auto()
    """It frees, renames, hands on or compares the memref."""


def concern(op: Operation) -> Concern:
    if isinstance(op, memref.DimOp | memref.ExtractAlignedPointerAsIndexOp):
        return Concern.NONE
    if isinstance(op, memref.LoadOp | memref.StoreOp) and not _stores_buffer(op):
        return Concern.ACCESS
    if (
        (op.regions and has_known_flow(op))
        or isinstance(op, CallOp | bufferization.DeallocOp)
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
    return isinstance(
        op,
        scf.IfOp
        | scf.ForOp
        | scf.WhileOp
        | scf.IndexSwitchOp
        | scf.ExecuteRegionOp
        | scf.ForallOp
        | scf.ParallelOp
        | memref.AllocaScopeOp,
    )


@dataclass
class Edge:
    """A way control may go.

    Attributes:
        block: where to; None for behind the op around the region.
        targets, sources: values that take over from others.
        condition: an i1, and what it must be.
    """

    block: Block | None
    targets: Sequence[SSAValue] = ()
    sources: Sequence[SSAValue] = ()
    condition: tuple[SSAValue, bool] | None = None
    note: str = ""


def edges_into(op: Operation) -> list[Edge]:
    """The ways from an op into its regions, or past them."""
    match op:
        case scf.IfOp():
            edges: list[Edge] = []
            for number, region in enumerate(op.regions):
                condition = (op.operands[0], number == 0)
                edges.append(Edge(region.blocks.first, condition=condition))
            return edges
        case scf.IndexSwitchOp() | scf.ExecuteRegionOp() | memref.AllocaScopeOp():
            return [
                Edge(region.blocks.first, note=f"region {number}")
                for number, region in enumerate(op.regions)
            ]
        case scf.ForOp():
            inits, trips = op.operands[3:], static_trip_count(op)
            edges = []
            if trips != 0:
                body = op.regions[0].block
                edges.append(Edge(body, body.args[1:], inits))
            if trips in (None, 0):
                edges.append(Edge(None, op.results, inits, note="no iteration"))
            return edges
        case scf.WhileOp():
            before = op.regions[0].block
            return [Edge(before, before.args, op.operands)]
        case _:
            return [Edge(op.regions[0].block), Edge(None, note="no iteration")]


def edges_from(end: Operation, around: Operation) -> list[Edge]:
    """The ways from the end of a region of `around`."""
    match around:
        case scf.ForOp():
            body, trips = around.regions[0].block, static_trip_count(around)
            edges = [Edge(None, around.results, end.operands)]
            if trips is None or trips > 1:
                edges.append(
                    Edge(body, body.args[1:], end.operands, note="next iteration")
                )
            return edges
        case scf.WhileOp():
            before, after = (region.block for region in around.regions)
            if end.parent is after:
                return [Edge(before, before.args, end.operands, note="next iteration")]
            condition, passed = end.operands[0], end.operands[1:]
            return [
                Edge(None, around.results, passed, (condition, False)),
                Edge(after, after.args, passed, (condition, True)),
            ]
        case scf.ForallOp() | scf.ParallelOp():
            body = around.regions[0].block
            return [Edge(None), Edge(body, note="next iteration")]
        case _:
            return [Edge(None, around.results, end.operands)]


def edges_between_blocks(end: Operation) -> list[Edge]:
    """The ways of a branch; nothing when it is not known which operands it forwards."""
    model = BRANCH.lookup(end)
    if model is None:
        return []
    edges: list[Edge] = []
    for number, block in enumerate(end.successors):
        positions = model.get_successor_operand_range(end, number)
        condition = None
        if end.name == "cf.cond_br":
            condition = (end.operands[0], number == 0)
        sources = [end.operands[position] for position in positions]
        note = f"way {number}" if end.name == "cf.switch" else ""
        edges.append(Edge(block, block.args, sources, condition, note))
    return edges


@dataclass
class _InBlock:
    """The uses of a value in one block and what is nested there, as positions of ops of
    the block, in order."""

    all: list[int] = field(default_factory=list[int])
    control: list[int] = field(default_factory=list[int])
    last: int = -1
    """The last op that depends on the value, directly or by way of conditions."""


class Uses:
    """Which ops use a value, by block and position. An op that contains a use counts as a
    use, up to the block that defines the value."""

    def __init__(self) -> None:
        self._positions: dict[Block, dict[Operation, int]] = {}
        self._ops: dict[Block, list[Operation]] = {}
        self._by_block: dict[SSAValue, dict[Block, _InBlock]] = {}
        self._live_blocks: dict[SSAValue, set[Block]] = {}

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

    def is_used_after(self, value: SSAValue, block: Block, after: int) -> bool:
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

    def is_live_into(self, value: SSAValue, block: Block) -> bool:
        assert block.parent is not None
        return block in self._live(value, block.parent)

    def _live(self, value: SSAValue, region: Region) -> set[Block]:
        """The blocks of a region at whose start a value of the region may be needed."""
        known = self._live_blocks.get(value)
        if known is None:
            home = block_of(value)
            waiting = [b for b in self._of(value) if b.parent is region and b is not home]
            known = set[Block]()
            while waiting:
                block = waiting.pop()
                if block in known or block is home:
                    continue
                known.add(block)
                waiting += [
                    use.operation.parent for use in block.uses if use.operation.parent
                ]
            self._live_blocks[value] = known
        return known

    def _of(self, value: SSAValue) -> dict[Block, _InBlock]:
        known = self._by_block.get(value)
        if known is None:
            known = self._by_block[value] = self._find(value)
        return known

    def _find(self, value: SSAValue) -> dict[Block, _InBlock]:
        region = block_of(value).parent
        found: dict[Block, _InBlock] = {}
        seen: set[tuple[Operation, str]] = set()
        direct = {use.operation for use in value.uses}
        for user in _users(value):
            kind = "last"
            if user in direct:
                kind = "control" if concern(user) is Concern.CONTROL else "all"
            op: Operation | None = user
            while op is not None and (op, kind) not in seen:
                seen.add((op, kind))
                block = op.parent
                if block is None:
                    break
                inside = found.setdefault(block, _InBlock())
                position = self.position(op)
                inside.last = max(inside.last, position)
                if kind != "last":
                    inside.all.append(position)
                if kind == "control":
                    inside.control.append(position)
                if block.parent is region:
                    break
                op = block.parent_op()
        for inside in found.values():
            inside.all = sorted(set(inside.all))
            inside.control = sorted(set(inside.control))
        return found


def _users(value: SSAValue) -> list[Operation]:
    """The ops that use a value, also by way of what is computed from it for a condition:
    pointers, comparisons, boolean ops, elements of lists."""
    found: dict[Operation, None] = {}
    waiting = [value]
    seen = {value}
    while waiting:
        for use in waiting.pop().uses:
            op = use.operation
            found[op] = None
            derived = list(op.results) if _derives_condition(op) else []
            if isinstance(op, memref.StoreOp) and use.index == 0:
                derived = reads_of_results(op.operands[1])
            for result in derived:
                if result not in seen:
                    seen.add(result)
                    waiting.append(result)
    return list(found)


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


def conditions_around(block: Block) -> frozenset[tuple[SSAValue, bool]]:
    """The conditions under which control has come to a block."""
    known: set[tuple[SSAValue, bool]] = set()
    inner: Block | None = block
    while inner is not None and (op := inner.parent_op()) is not None:
        if isinstance(op, scf.IfOp):
            known.add((op.operands[0], inner.parent is op.regions[0]))
        inner = op.parent
    return frozenset(known)


def function_of(op: Operation) -> FuncOp | None:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    return parent
