"""The order of a program while ops are inserted and moved within their blocks.

`ProgramOrder` numbers a program once. An op that is later placed before another one
gets a key between the keys of its new neighbours, so that a dominance query stays a
comparison:

    op of the program            (2n + 1,)            n is its number
    k-th op placed before it     (2n, 2k + 1)
    j-th op placed before that   (2n, 2k, 2j + 1)

Every key ends in an odd number; the even number below it is reserved for ops before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free, is_speculatable

from xdsl_bufferization.analysis.one_shot.program_order import ProgramOrder
from xdsl_bufferization.dialects.op_lists import walk


class MovingProgram:
    """Dominance in a program whose ops move within their blocks.

    Args:
        order: the order of the program before anything was moved.
    """

    def __init__(self, order: ProgramOrder):
        self._order = order
        self._keys: dict[Operation, tuple[int, ...]] = {}
        self._placed = 0

    def properly_dominates(self, value: SSAValue | Operation, op: Operation) -> bool:
        """Return whether a value, or the results of an op, are available at `op`."""
        owner = value.owner if isinstance(value, SSAValue) else value
        block = owner if isinstance(owner, Block) else owner.parent
        if block is None:
            return False
        level: Operation | None = op
        while level is not None and level.parent_region() is not block.parent:
            level = level.parent_op()
        if level is None or level.parent is None:
            return False
        if level.parent is block:
            return isinstance(owner, Block) or self.position(owner) < self.position(level)
        blocks = self._order.blocks
        return self._order.dominates(blocks[block], blocks[level.parent])

    def note_new_ops(self, first: Operation, anchor: Operation) -> None:
        """Give keys to the new ops from `first` up to `anchor`, which follows them."""
        op: Operation | None = first
        while op is not None and op is not anchor:
            self._place(op, anchor)
            op = op.next_op

    def move_definitions(self, values: Iterable[SSAValue], anchor: Operation) -> bool:
        """Move the definitions of values, and all that these need, before `anchor`.

        Nothing is moved when that is impossible: where a definition has side effects or
        may not be executed earlier, depends on `anchor`, or is in another block.

        Returns:
            Whether the values are available at `anchor` now.
        """
        needed: dict[Operation, None] = {}
        """In the order of the move: whatever an op needs comes before it."""
        worklist = [iter(values)]
        opened: list[Operation] = []
        while worklist:
            value = next(worklist[-1], None)
            if value is None:
                worklist.pop()
                if opened:
                    needed[opened.pop()] = None
                continue
            op = value.owner
            if op in needed or self.properly_dominates(value, anchor):
                continue
            if (
                isinstance(op, Block)
                or op is anchor
                or op.parent is not anchor.parent
                or not (is_side_effect_free(op) and is_speculatable(op))
            ):
                return False
            opened.append(op)
            worklist.append(values_from_outside(op))
        self.place_before(needed, anchor)
        return True

    def place_before(self, ops: Iterable[Operation], anchor: Operation) -> None:
        """Move ops of a block, in the order given, before another op of it."""
        block = anchor.parent
        assert block is not None
        for op in ops:
            op.detach()
            block.insert_op_before(op, anchor)
            self._place(op, anchor)

    def is_before(self, first: Operation, second: Operation) -> bool:
        """Whether an op comes before another of the same block."""
        return self.position(first) < self.position(second)

    def position(self, op: Operation) -> tuple[int, ...]:
        """The place of an op in the order of the program, to be compared."""
        key = self._keys.get(op)
        return (2 * self._order.nodes[op].enter + 1,) if key is None else key

    def _place(self, op: Operation, anchor: Operation) -> None:
        *outer, last = self.position(anchor)
        self._placed += 1
        self._keys[op] = (*outer, last - 1, 2 * self._placed + 1)


def values_from_outside(op: Operation) -> Iterator[SSAValue]:
    """The values that an op uses, in its regions too, but does not define itself."""
    if op.regions:
        for inner in walk(op):
            for value in inner.operands:
                owner = value.owner
                of = owner.parent_op() if isinstance(owner, Block) else owner
                if inner is not op and of is not None and not op.is_ancestor(of):
                    yield value
    yield from op.operands
