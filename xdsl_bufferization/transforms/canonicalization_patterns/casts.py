"""Which casts of tensors and buffers only discard static sizes, strides or offsets: a
user can take the source of such a cast instead."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from xdsl_bufferization.dialects import memref, tensor
from xdsl_bufferization.dialects.memref import strides_and_offset_of
from xdsl_bufferization.dialects.shapes import is_memref, is_tensor


def tensor_before_cast(value: SSAValue) -> SSAValue | None:
    """Return the ranked tensor that a tensor.cast makes less precise, if one does."""
    cast = value.owner
    if isinstance(cast, tensor.CastOp) and is_more_precise_tensor(
        cast.operands[0], value
    ):
        return cast.operands[0]
    return None


def buffer_before_cast(value: SSAValue) -> SSAValue | None:
    """Return the ranked buffer that a memref.cast makes less precise, if one does."""
    cast = value.owner
    if isinstance(cast, memref.CastOp) and is_more_precise_buffer(
        cast.operands[0], value
    ):
        return cast.operands[0]
    return None


def is_more_precise_tensor(source: SSAValue, cast: SSAValue) -> bool:
    """Whether a cast only forgets sizes of a ranked tensor."""
    before, after = source.type, cast.type
    if not is_tensor(before):
        return False
    return not is_tensor(after) or (
        before.encoding == after.encoding
        and all(
            b != DYNAMIC_INDEX or a == DYNAMIC_INDEX
            for b, a in zip(before.get_shape(), after.get_shape(), strict=True)
        )
    )


def is_more_precise_buffer(source: SSAValue, cast: SSAValue) -> bool:
    """Whether a cast only forgets things about a ranked buffer."""
    before, after = source.type, cast.type
    if not is_memref(before):
        return False
    if not is_memref(after):
        return True
    if any(
        b == DYNAMIC_INDEX != a
        for b, a in zip(before.get_shape(), after.get_shape(), strict=True)
    ):
        return False
    layout, other = strides_and_offset_of(before), strides_and_offset_of(after)
    if layout is None or other is None:
        return before.layout == after.layout
    pairs = zip((*layout[0], layout[1]), (*other[0], other[1]), strict=True)
    return all(a is None or a == b for b, a in pairs)
