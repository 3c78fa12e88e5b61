"""Which memrefs are live after an op: a use may follow before they are redefined.

A memref is live in a block from its definition, or from the start of the block, up to
its last use in the block, or to the end. An op in a region may be followed by any use
inside of the op around it, because the region may be executed again.

The live range in each block is kept in a segment tree, so that an answer costs as much
as it is long.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from xdsl_bufferization.analysis.deallocation.liveness import compute_live_in
from xdsl_bufferization.analysis.facts.block_graph import block_of, successors
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import list_ops
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.interfaces.view_like import pointer_uses


class LiveMemrefs:
    """The memrefs live after each op of a function, as long as it does not change.

    Args:
        with_pointers: whether the use of a pointer, or of what is computed of it, is one
            of the memref, in the region that it comes from.
    """

    def __init__(self, function: FuncOp, *, with_pointers: bool = False):
        self._positions: dict[Operation, int] = {}
        last_uses: dict[Block, dict[SSAValue, int]] = {}
        ops = list_ops(function)
        memrefs: list[SSAValue] = []
        for region in (r for op in (function, *ops) for r in op.regions):
            for block in region.blocks:
                last_uses[block] = {}
                memrefs += filter(is_memref, block.args)
                for position, op in enumerate(block.ops, 1):
                    self._positions[op] = position
                    memrefs += filter(is_memref, op.results)
        for value in memrefs:
            users = [use.operation for use in value.uses]
            if with_pointers:
                users += [
                    use.operation
                    for op in users
                    if isinstance(op, memref.ExtractAlignedPointerAsIndexOp)
                    for use in pointer_uses(op.results)
                ]
            for op in users:
                user = _ancestor_beside(value, op)
                if user is not None:
                    assert user.parent is not None
                    last = last_uses[user.parent]
                    last[value] = max(last.get(value, 0), self._positions[user])

        live_in = compute_live_in(function, ops)
        self._ranges: dict[Block, _Ranges] = {}
        for block, last in last_uses.items():
            end = len(block.ops) + 1
            for successor in successors(block):
                for value in live_in.get(successor, ()):
                    if block_of(value).parent is block.parent:
                        last[value] = end
            ranges = self._ranges[block] = _Ranges(end)
            for value, position in last.items():
                ranges.add(self._start(value, block), position, value)

    def after(self, op: Operation) -> Iterator[SSAValue]:
        """The memrefs defined before `op`, in its block or one around it, and live after
        it, in an order that depends on the program alone. What the last op of a block
        forwards is live after it."""
        gap = self._positions[op]
        if op.next_op is None:
            gap -= 1
        around: Operation | None = op
        while around is not None and around in self._positions:
            assert around.parent is not None
            yield from self._ranges[around.parent].at(gap)
            around = around.parent_op()
            if around is not None:
                # Uses inside of the op around it may follow: count from before it.
                gap = self._positions.get(around, 0) - 1

    def _start(self, value: SSAValue, block: Block) -> int:
        if isinstance(value, OpResult) and value.op.parent is block:
            return self._positions[value.op]
        return 0


class _Ranges:
    """A segment tree of half-open ranges between 0 and `size`."""

    def __init__(self, size: int):
        self._size = size
        self._nodes: dict[int, list[SSAValue]] = {}

    def add(self, start: int, end: int, value: SSAValue) -> None:
        start, end = start + self._size, end + self._size
        while start < end:
            if start & 1:
                self._nodes.setdefault(start, []).append(value)
                start += 1
            if end & 1:
                end -= 1
                self._nodes.setdefault(end, []).append(value)
            start, end = start >> 1, end >> 1

    def at(self, place: int) -> Iterator[SSAValue]:
        """The values whose range includes a place."""
        node = place + self._size
        while node:
            yield from self._nodes.get(node, ())
            node >>= 1


def _ancestor_beside(value: SSAValue, op: Operation) -> Operation | None:
    """Return `op`, or the op around it that is in the region that defines `value`."""
    region = block_of(value).parent
    around: Operation | None = op
    while around is not None and around.parent_region() is not region:
        around = around.parent_op()
    return around
