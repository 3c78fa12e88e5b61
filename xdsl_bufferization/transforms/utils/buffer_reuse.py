"""Allocations that reuse a buffer which has just been freed.

    memref.dealloc %0 : memref<?xf32>
    %1 = memref.alloc(%n) : memref<?xf32>    // %0 has %n elements as well

can be replaced by %0, even if the size is dynamic. There is no op that may allocate
between the two, so the peak stays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.analysis.facts.value_bounds import linear
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import list_ops


def reuse_freed_buffers(
    function: FuncOp, allocates_unknown: Callable[[Operation], bool]
) -> int:
    """Let allocations of a function reuse buffers that are freed before them, in
    near-linear time. Return their number.

    Args:
        allocates_unknown: whether an op other than memref.alloc may allocate.
    """
    ops = list_ops(function)
    if not any(isinstance(op, memref.DeallocOp) for op in ops):
        return 0
    allocating: set[Operation] = set()
    blocks: dict[Block, None] = {}
    for op in ops:
        if op.parent is not None:
            blocks[op.parent] = None
        if isinstance(op, memref.AllocOp) or allocates_unknown(op):
            around: Operation | None = op
            while around is not None and around not in allocating:
                allocating.add(around)
                around = around.parent_op()
    return sum(_reuse_in_block(block, allocating) for block in blocks)


def _reuse_in_block(block: Block, allocating: set[Operation]) -> int:
    freed: dict[Hashable, list[memref.DeallocOp]] = {}
    found = 0
    for op in tuple(block.ops):
        if isinstance(op, memref.DeallocOp):
            alloc = op.memref.owner
            if isinstance(alloc, memref.AllocOp) and alloc.parent is block:
                freed.setdefault(_sort(alloc), []).append(op)
        elif freed and op in allocating:
            waiting = freed.get(_sort(op)) if isinstance(op, memref.AllocOp) else None
            if not waiting:
                freed = {}
                continue
            free = waiting.pop()
            Rewriter.replace_op(op, [], [free.memref])
            Rewriter.erase_op(free)
            found += 1
    return found


def _sort(op: memref.AllocOp) -> Hashable:
    """Return what allocations that may take each other's place have in common: the type,
    the sizes and the alignment."""
    alignment = op.properties.get("alignment")
    stated = alignment.value.data if isinstance(alignment, IntegerAttr) else 0
    return op.memref.type, stated, _numbers(op.operands)


def _numbers(values: Sequence[SSAValue]) -> Hashable:
    """Return what index values that are surely equal have in common."""
    numbers = map(linear, values)
    return tuple((each.constant, frozenset(each.factors.items())) for each in numbers)
