"""Masks of vectors whose sizes are known, and slices and parts of them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.dialects.arith import SelectOp
from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.dialects.index_constants import index_constant
from xdsl_bufferization.dialects.shapes import dimensions, is_vector
from xdsl_bufferization.dialects.vector import (
    ConstantMaskOp,
    CreateMaskOp,
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
    MaskOp,
    ShapeCastOp,
    VectorScaleOp,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    dense_constant,
    splat_value,
)
from xdsl_bufferization.transforms.canonicalization_patterns.elements import (
    build_elements,
)
from xdsl_bufferization.transforms.canonicalization_patterns.vector_views import (
    UNIT,
    integers,
    shape_of,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def _replace_by_mask(op: Operation, sizes: Sequence[int], worklist: Worklist) -> bool:
    """Replace an op by the mask of the first `sizes` elements of each dimension."""
    type_ = op.results[0].type
    shape = type_.get_shape() if is_vector(type_) else ()
    if 0 in sizes or list(sizes) == list(shape):
        value = build_elements([0 if 0 in sizes else 1], type_, worklist)
        if value is None:
            return False
        worklist.replace(op, [value])
        return True
    new = _constant_mask(sizes, type_)
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def _constant_mask(sizes: Sequence[int], type_: Attribute) -> Operation:
    return ConstantMaskOp.create(
        result_types=[type_],
        properties={"mask_dim_sizes": DenseArrayBase.from_list(i64, list(sizes))},
    )


def fold_constant_mask(op: Operation, worklist: Worklist) -> bool:
    """A mask of all elements, or of none."""
    assert isinstance(op, ConstantMaskOp)
    sizes = _mask_sizes(op)
    assert is_vector(op.result.type)
    if 0 not in sizes and list(sizes) != list(op.result.type.get_shape()):
        return False
    return _replace_by_mask(op, sizes, worklist)


def _sizes_of(mask: Operation | Block) -> Sequence[SSAValue | int] | None:
    """Return how many elements of each dimension a mask enables; None if the op does not
    say."""
    if isinstance(mask, CreateMaskOp):
        return list(mask.operands)
    return _mask_sizes(mask) if isinstance(mask, ConstantMaskOp) else None


def _mask_sizes(op: ConstantMaskOp) -> tuple[int, ...]:
    return op.mask_dim_sizes.get_values()


def know_mask(op: Operation, worklist: Worklist) -> bool:
    """A mask of constant sizes."""
    assert isinstance(op, CreateMaskOp)
    type_ = op.results[0].type
    assert is_vector(type_)
    sizes: list[int] = []
    # A vector of rank 0 has a mask of one size.
    if len(op.operands) != len(type_.get_shape()):
        return False
    flags = [flag.value.data for flag in type_.scalable_dims]
    for operand, size, scalable in zip(
        op.operands, type_.get_shape(), flags, strict=True
    ):
        number = _scalable_size(operand) if scalable else constant_integer(operand)
        if number is None or (scalable and 0 < number < size):
            return False
        sizes.append(max(0, min(number, size)))
    return _replace_by_mask(op, [0] * len(sizes) if 0 in sizes else sizes, worklist)


def _scalable_size(value: SSAValue) -> int | None:
    """A number of elements in multiples of vector.vscale; 0 is less than one, too."""
    number = constant_integer(value)
    if number is not None:
        return None if number > 0 else 0
    product = value.owner
    if isinstance(value.owner, VectorScaleOp):
        return 1
    if not isinstance(product, arith.MuliOp):
        return None
    for factor, other in (product.operands, reversed(product.operands)):
        if isinstance(factor.owner, VectorScaleOp):
            return constant_integer(other)
    return None


def extract_of_mask(op: Operation, worklist: Worklist) -> bool:
    """A part of a mask is a smaller mask, or none of it."""
    assert isinstance(op, vector.ExtractOp)
    mask = op.vector.owner
    sizes = _sizes_of(mask)
    if sizes is None:
        return False
    shape = shape_of(op.vector.type)
    positions = list(op.get_mixed_position())
    for number, position in enumerate(positions):
        size = sizes[number]
        bound = size if isinstance(size, int) else constant_integer(size)
        if bound is None:
            return False
        if bound <= 0 or (isinstance(position, int) and position >= bound):
            return _replace_by_mask(op, [0], worklist)
        is_all = shape is not None and bound >= shape[number]
        if not isinstance(position, int) and not is_all:
            return False
    rest = sizes[len(positions) :]
    if all(isinstance(size, int) for size in rest):
        return _replace_by_mask(op, [s for s in rest if isinstance(s, int)], worklist)
    new = CreateMaskOp.create(
        operands=[size for size in rest if isinstance(size, SSAValue)],
        result_types=[op.result.type],
    )
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def slice_mask(op: Operation, worklist: Worklist) -> bool:
    """A slice of a constant mask is a constant mask."""
    assert isinstance(op, ExtractStridedSliceOp)
    mask, shape = op.source.owner, shape_of(op.result.type)
    if not isinstance(mask, ConstantMaskOp) or shape is None:
        return False
    offsets = integers(op.offsets)
    offsets += [0] * (len(shape) - len(offsets))
    sizes = [
        max(0, min(size - offset, length))
        for size, offset, length in zip(_mask_sizes(mask), offsets, shape, strict=True)
    ]
    return _replace_by_mask(op, [0] * len(sizes) if 0 in sizes else sizes, worklist)


def slice_inserted(op: Operation, worklist: Worklist) -> bool:
    """Fold a slice of an inserted slice, or of the part outside of it."""
    assert isinstance(op, ExtractStridedSliceOp)
    insert = op.source.owner
    if not isinstance(insert, InsertStridedSliceOp):
        return False
    value, wanted = shape_of(insert.value_to_store.type), shape_of(op.result.type)
    if not value or not wanted or len(value) != len(wanted):
        return False
    offsets = integers(op.offsets)
    offsets += [0] * (len(wanted) - len(offsets))
    places = list(zip(offsets, wanted, integers(insert.offsets), value, strict=True))
    if any(a + n <= b or b + m <= a for a, n, b, m in places):
        worklist.set_operands(op, [insert.dest])
        return True
    if any(a < b or a + n > b + m for a, n, b, m in places):
        return False
    if insert.value_to_store.type == op.result.type:
        worklist.replace(op, [insert.value_to_store])
        return True
    op.properties |= {
        "offsets": ArrayAttr(IntegerAttr(a - b, 64) for a, _, b, _ in places),
        "sizes": ArrayAttr(IntegerAttr(size, 64) for size in wanted),
        "strides": ArrayAttr(IntegerAttr(1, 64) for _ in wanted),
    }
    worklist.set_operands(op, [insert.value_to_store])
    return True


def cast_mask(op: Operation, worklist: Worklist) -> bool:
    """A mask whose vector gets or loses unit dimensions gets or loses their sizes."""
    assert isinstance(op, ShapeCastOp)
    mask = op.source.owner
    sizes = _sizes_of(mask)
    if sizes is None:
        return False
    before, after = dimensions(op.source.type), dimensions(op.result.type)
    if len(before) != len(sizes) or not after:
        return False
    kept = [
        (dimension, size)
        for dimension, size in zip(before, sizes, strict=True)
        if dimension != UNIT or not _is_positive(size)
    ]
    if [dimension for dimension, _ in kept] != [
        dimension for dimension in after if dimension != UNIT
    ]:
        return False
    values = iter([size for _, size in kept])
    cast_sizes = [1 if dimension == UNIT else next(values) for dimension in after]
    if isinstance(mask, ConstantMaskOp):
        numbers = [size for size in cast_sizes if isinstance(size, int)]
        return _replace_by_mask(op, numbers, worklist)
    new = CreateMaskOp.create(
        operands=[_as_value(size, worklist) for size in cast_sizes],
        result_types=[op.result.type],
    )
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def _is_positive(size: SSAValue | int) -> bool:
    number = size if isinstance(size, int) else constant_integer(size)
    return number is not None and number > 0


def _as_value(size: SSAValue | int, worklist: Worklist) -> SSAValue:
    if isinstance(size, SSAValue):
        return size
    return worklist.constants.build(index_constant(size))


def drop_mask(op: Operation, worklist: Worklist) -> bool:
    """Remove a mask of all elements around an op; without an op, replace the mask by a
    select on the yielded value."""
    assert isinstance(op, MaskOp)
    body = op.mask_region.block
    if mask_value(op.mask) is True:
        worklist.replace(op, worklist.inline_block(body, op))
        return True
    terminator = body.last_op
    if terminator is None or body.first_op is not terminator:
        return False
    if op.passthru is None or not op.results:
        worklist.replace(op, list(terminator.operands))
        return True
    [value] = terminator.operands
    if dimensions(value.type) != dimensions(op.mask.type):
        return False
    selected = SelectOp(op.mask, value, op.passthru)
    worklist.insert_before(op, selected)
    worklist.replace(op, selected.results)
    return True


def mask_value(mask: SSAValue) -> bool | None:
    """Return whether all elements of a mask are set, or none; None if that is unknown."""
    elements = dense_constant(mask)
    value = None if elements is None else splat_value(elements)
    if not isinstance(value, IntegerAttr):
        return None
    return value.value.data != 0
