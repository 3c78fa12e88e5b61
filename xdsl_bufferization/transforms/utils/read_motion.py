"""Move reads of tensors before the ops that update them.

For an out-of-place update, all reads of the contents that it overwrites are looked up,
also through slices, casts and branches. Each read after the update in a common block
moves before the update, and with it, transitively,

- the ops between the two that define the values it uses, also in its regions;
- if it writes a tensor in place itself, the reads of the contents that it overwrites;
- if it has side effects, or must not be executed speculatively, the ops with side
  effects between the two.

The update must not be among them. The moved ops keep their order, so all edges of the
dependence graph keep their direction, and no edge is ever added that closes a cycle.

The search for one update visits at most `SEARCH_LIMIT` uses and ops, so that all
searches together are linear in the size of the program.

P. Hudak, A. Bloss: The Aggregate Update Problem in Functional Programming Systems (1985);
A. V. S. Sastry, W. Clinger, Z. Ariola: Order-of-evaluation Analysis for Destructive
Updates in Strict Functional Languages with Flat Aggregates (1993).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.traits import IsTerminator

from xdsl_bufferization.analysis.facts.movable import Freedom, Movability
from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.copy_costs import byte_size
from xdsl_bufferization.analysis.one_shot.program_order import ProgramOrder
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.transforms.utils.moving_program import (
    MovingProgram,
    values_from_outside,
)

SEARCH_LIMIT = 512
"""Uses and ops that are visited for one update."""
VISITS_PER_OP = 16
"""How many more are visited for all updates of a function, for each op in it: the most
important updates come first."""

_CONNECTED = frozenset(
    f"bufferization.{name}"
    for name in ("materialize_in_destination", "to_buffer", "to_tensor")
)
"""Ops through which tensors share memory that other ops access."""


class _LimitReachedError(Exception):
    """A search has visited `SEARCH_LIMIT` uses and ops."""


class ReadMotion:
    """The motion of reads in one function.

    Args:
        func: the function.
        analysis: the decisions for it, in the order that it has now.
    """

    def __init__(self, func: FuncOp, analysis: OneShotAnalysis):
        self._func = func
        self._analysis = analysis
        self._order = ProgramOrder(func, analysis.model)
        self._program = MovingProgram(self._order)
        self._movability = Movability(analysis.functions)
        self._last_with_effects: dict[Block, dict[Operation, Operation | None]] = {}
        self._visits = 0

    def move(self, updates: Iterable[Use]) -> bool:
        """Move reads after out-of-place updates before these.

        Args:
            updates: operands out of place, the most important first.

        Returns:
            Whether anything was moved.
        """
        if any(
            op.name in _CONNECTED or op.name.startswith("ml_program.")
            for op in walk(self._func)
        ):
            return False
        moved = False
        left = SEARCH_LIMIT + VISITS_PER_OP * len(self._order.nodes)
        for update in updates:
            if left <= 0:
                break
            self._visits = 0
            try:
                moved |= self._move_for(update)
            except _LimitReachedError:
                continue
            finally:
                left -= self._visits
        return moved

    def _move_for(self, update: Use) -> bool:
        moved = False
        reads = self._reads_of(get(update))
        for write in self._writes_of(update):
            plans = self._plan(write, reads)
            if self._may_need_more_memory(plans, byte_size(get(update).type)):
                continue
            for ops, anchor in plans:
                # What was planned for another read may have been moved by now.
                ops = [op for op in ops if self._program.is_before(anchor, op)]
                self._program.place_before(
                    sorted(ops, key=self._program.position), anchor
                )
                moved |= bool(ops)
        return moved

    def _plan(
        self, write: Operation, reads: Sequence[Use]
    ) -> list[tuple[set[Operation], Operation]]:
        """What has to move before which op for all reads to come before a write; nothing
        if some read cannot, although it does not need what is written."""
        plans: list[tuple[set[Operation], Operation]] = []
        for read in reads:
            level = self._level(write, read.operation)
            if level is None:
                continue
            anchor, reader = level
            if reader is anchor or self._program.is_before(reader, anchor):
                continue
            ops = self._needed_before(reader, anchor)
            if ops is None:
                continue
            if reader.has_trait(IsTerminator, value_if_unregistered=False):
                return []
            plans.append((ops, anchor))
        return plans

    def _may_need_more_memory(
        self, plans: Sequence[tuple[set[Operation], Operation]], spared: int
    ) -> bool:
        """Whether what moves makes more tensors than a copy that is spared, and they are
        alive together with others that are made in between now."""
        moved = {op for ops, _ in plans for op in ops}
        made = sum(
            byte_size(result.type)
            for op in moved
            for result in op.results
            if isinstance(result.type, TENSOR_TYPES)
            and any(use.operation not in moved for use in result.uses)
        )
        if made <= spared:
            return False
        for ops, anchor in plans:
            op = anchor.next_op
            last = max(ops, key=self._program.position)
            while op is not None and op is not last:
                self._visit()
                if op not in moved and any(
                    isinstance(result.type, TENSOR_TYPES) for result in op.results
                ):
                    return True
                op = op.next_op
        return False

    def _level(
        self, write: Operation, read: Operation
    ) -> tuple[Operation, Operation] | None:
        """The ops around a write and a read that are in one block."""
        nodes = self._order.nodes
        first, second = self._order.common_level(nodes[write], nodes[read])
        if first.block is not second.block:
            return None
        return first.op, second.op

    # What an update destroys.

    def _writes_of(self, update: Use) -> list[Operation]:
        """The ops that write the buffer of an operand, were it in place: the op itself,
        or those that write what it makes of the operand (tensor.extract_slice)."""
        analysis = self._analysis
        if analysis.bufferizes_to_memory_write(update):
            return [update.operation]
        found: dict[Operation, None] = {}
        for use in self._uses_of(
            alias.value for alias in analysis.aliasing_values(update)
        ):
            if analysis.bufferizes_to_memory_write(use):
                found[use.operation] = None
        return list(found)

    def _reads_of(self, value: SSAValue) -> list[Use]:
        """The reads of the contents of a value, under any name."""
        analysis = self._analysis
        return [
            use
            for use in self._uses_of(analysis.find_definitions(value))
            if analysis.bufferizes_to_memory_read(use)
        ]

    def _uses_of(self, values: Iterable[SSAValue]) -> Iterator[Use]:
        """The uses of values, and of what only renames them."""
        analysis = self._analysis
        seen = dict.fromkeys(values)
        worklist = list(seen)
        while worklist:
            for use in worklist.pop().uses:
                self._visit()
                if use.operation not in self._order.nodes:
                    continue
                yield use
                if analysis.bufferizes_to_memory_write(use):
                    continue
                for alias in analysis.aliasing_values(use):
                    if alias.value not in seen:
                        seen[alias.value] = None
                        worklist.append(alias.value)

    # What has to move.

    def _needed_before(
        self, reader: Operation, anchor: Operation
    ) -> set[Operation] | None:
        """The ops after `anchor` that have to move with `reader`; None where `anchor` is
        one of them."""
        needed = {reader}
        worklist = [reader]
        while worklist:
            for op in self._predecessors(worklist.pop(), anchor):
                self._visit()
                if op is anchor:
                    return None
                if op not in needed and self._program.is_before(anchor, op):
                    needed.add(op)
                    worklist.append(op)
        return needed

    def _predecessors(self, op: Operation, anchor: Operation) -> Iterator[Operation]:
        """Return the ops of a block that must stay before an op of it."""
        block = op.parent
        assert block is not None
        for value in values_from_outside(op):
            owner = value.owner
            if isinstance(owner, Operation) and owner.parent is block:
                yield owner
        freedom = self._movability.freedom(op)
        if freedom is not Freedom.FREE:
            last = self._effects_before(op)
            if last is not None:
                yield last
            if freedom is Freedom.EFFECTS and (
                self._movability.freedom(anchor) is Freedom.NOT_SPECULATABLE
                and anchor.regions
            ):
                # A loop that may not end: what comes after it may not be seen before.
                yield anchor
        yield from self._reads_before(op)

    def _reads_before(self, op: Operation) -> Iterator[Operation]:
        """The ops of the same block that read what an op writes in place, before it."""
        analysis = self._analysis
        for inner in walk(op):
            self._visit()
            for operand in operands_of(inner):
                value = get(operand)
                if (
                    not isinstance(value.type, TENSOR_TYPES)
                    or not analysis.is_in_place(operand)
                    or not analysis.bufferizes_to_memory_write(operand)
                ):
                    continue
                for read in self._reads_of(value):
                    level = self._level(op, read.operation)
                    if level is None:
                        continue
                    _, reader = level
                    if (
                        reader.parent is op.parent
                        and reader is not op
                        and self._program.is_before(reader, op)
                    ):
                        yield reader

    def _effects_before(self, op: Operation) -> Operation | None:
        """The last op of the block before an op that has side effects."""
        block = op.parent
        assert block is not None
        known = self._last_with_effects.get(block)
        if known is None:
            known = self._last_with_effects[block] = {}
            last: Operation | None = None
            for each in block.ops:
                known[each] = last
                if self._movability.freedom(each) is Freedom.EFFECTS:
                    last = each
        return known[op]

    def _visit(self) -> None:
        self._visits += 1
        if self._visits > SEARCH_LIMIT:
            raise _LimitReachedError
