"""Tensors of buffers with other aliases: bufferization.to_tensor without restrict.

One-Shot Analysis does not analyse memrefs: which of them share memory, and which ops
write them. A tensor, however, is a value: the contents of the buffer at the to_tensor.
A tensor of a buffer that may be written later, by any op on memrefs or through another
tensor, is therefore copied at its definition:

    %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>

becomes

    %0 = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
    %t = bufferization.alloc_tensor() copy(%0) : tensor<4xf32>

The copy is the only use of %0, so `restrict` holds. No copy is needed if the buffer is
not written after the to_tensor: it is an allocation in the same block, and every use of
it or of a view of it is a read or an earlier write. Tensors of such a buffer are
read-only, and there may be several of them.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType, UnitAttr
from xdsl.ir import Block, Operation
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.dialects.op_lists import list_ops
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.view_like import get_view_base
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.remarks.active import active_log, note_made_for
from xdsl_bufferization.transforms.utils.direct_accesses import (
    reads,
    uses_of_views,
    writes,
)


def take_snapshots(root: Operation, options: BufferizationOptions) -> None:
    """Copy the tensors of buffers that may be written later, and let `restrict` hold for
    every bufferization.to_tensor; but those of unknown rank, which cannot be copied."""
    positions: dict[Block, dict[Operation, int]] = {}
    last_writes: dict[Operation, int | None] = {}
    for op in visiting(list_ops(root)):
        if (
            isinstance(op, bufferization.ToTensorOp)
            and op.restrict is None
            and op.results[0].first_use is not None
            and isinstance(op.results[0].type, TensorType)
            and options.is_op_allowed(op)
        ):
            op.properties["restrict"] = UnitAttr()
            if _is_settled(op, positions, last_writes):
                op.properties.pop("writable", None)
            else:
                _copy(op, options)


def _copy(op: bufferization.ToTensorOp, options: BufferizationOptions) -> None:
    result = op.results[0]
    uses = tuple(result.uses)
    copy = bufferization.AllocTensorOp.build(
        operands=[[], [result], []], result_types=[result.type]
    )
    if (log := active_log()) is not None:
        from xdsl_bufferization.remarks.model import place_of

        log.hints[op, op.operands[0]] = (
            "if no other op writes the memory from there on, and the memory may be "
            f"written, add `restrict writable` to {place_of(op)}"
        )
        note_made_for(copy, "snapshot", op, op.operands[0])
    Rewriter.insert_op(copy, InsertPoint.after(op))
    for use in uses:
        use.operation.operands[use.index] = copy.results[0]
    for listener in options.listeners:
        listener.value_replaced(result, copy.results[0])


def _is_settled(
    op: bufferization.ToTensorOp,
    positions: dict[Block, dict[Operation, int]],
    last_writes: dict[Operation, int | None],
) -> bool:
    """Whether nothing writes the buffer once it is a tensor."""
    allocation = get_view_base(op.operands[0]).owner
    if not isinstance(allocation, memref.AllocOp):
        return False
    if op.parent is None or allocation.parent is not op.parent:
        return False
    order = positions.get(op.parent)
    if order is None:
        order = {inner: number for number, inner in enumerate(op.parent.ops)}
        positions[op.parent] = order
    if allocation not in last_writes:
        last_writes[allocation] = _last_write(allocation, order)
    last = last_writes[allocation]
    return last is not None and last < order[op]


def _last_write(allocation: Operation, order: dict[Operation, int]) -> int | None:
    """The position of the last op of the block in which the allocation is written; None
    if not all writes are known."""
    last = order[allocation]
    for use in uses_of_views(allocation.results[0]):
        user: Operation | None = use.operation
        if reads(use):
            continue
        if not writes(use):
            return None
        while user is not None and user not in order:
            user = user.parent_op()
        if user is None:
            return None
        last = max(last, order[user])
    return last
