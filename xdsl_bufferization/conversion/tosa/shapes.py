"""tosa ops that rearrange a tensor, most of them by ops of the tensor dialect."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.conversion.tosa.common import (
    Scalars,
    as_type,
    generic,
    number,
    padded,
    scalar_type,
    shape,
)
from xdsl_bufferization.conversion.tosa.properties import axis_of, element
from xdsl_bufferization.dialects import linalg, tensor, tosa
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.transforms.decompose_tensor_concat import join
from xdsl_bufferization.transforms.utils.tensor_builder import (
    Size,
    TensorBuilder,
)


def constant_shape(op: Operation, value: SSAValue) -> tuple[int, ...]:
    """The sizes of a `!tosa.shape`.

    Raises:
        PassFailedException: when it is no constant.
    """
    if not isinstance(value, OpResult) or not isinstance(value.op, tosa.ConstShapeOp):
        raise PassFailedException(
            f"{op.name}: a shape that is not constant is not supported. Make it a "
            f"tosa.const_shape.{describe(op)}"
        )
    values = cast("DenseIntOrFPElementsAttr[IntegerType]", value.op.values)
    return tuple(values.get_values())


def concat(op: Operation) -> SSAValue:
    """Replace a tosa.concat by insertions into a new tensor."""
    return join(op, axis_of(op), TensorBuilder(op))


def slice_(op: Operation) -> SSAValue:
    """Replace a tosa.slice; a size of -1 is the rest of the dimension."""
    builder = TensorBuilder(op)
    source = op.operands[0]
    starts, extents = (constant_shape(op, value) for value in op.operands[1:])
    sizes: list[Size] = []
    for dimension, (start, extent) in enumerate(zip(starts, extents, strict=True)):
        if extent == -1:
            sizes.append(builder.sum([builder.size(source, dimension), -start]))
        else:
            sizes.append(extent)
    result = builder.extract_slice(source, starts, sizes)
    return as_type(result, cast(TensorType, op.results[0].type), builder)


def pad(op: Operation) -> SSAValue:
    """Replace a tosa.pad."""
    builder = TensorBuilder(op)
    source, padding, constant = op.operands
    sizes = constant_shape(op, padding)
    value = element(constant)
    if value is None:
        zero = builder.index(0)
        indices = [zero] * len(shape(constant))
        scalar = builder.insert(
            tensor.ExtractOp(constant, indices, scalar_type(constant))
        )
    else:
        scalar = builder.insert(number(scalar_type(source), value))
    result = padded(source, sizes[::2], sizes[1::2], scalar, builder)
    return as_type(result, cast(TensorType, op.results[0].type), builder)


def identity(op: Operation) -> SSAValue:
    return op.operands[0]


# ---------------------------------------------------------------------------------------
# Reshapes


def reshape(op: Operation) -> SSAValue:
    """Replace a tosa.reshape: the dimensions that are split or joined are first joined.

    Raises:
        PassFailedException: when more than one size of the result is not known.
    """
    builder = TensorBuilder(op)
    return reshaped(op, op.operands[0], shape(op.results[0]), builder)


def reshaped(
    op: Operation, source: SSAValue, sizes: Sequence[int], builder: TensorBuilder
) -> SSAValue:
    old = shape(source)
    if tuple(sizes) == old and DYNAMIC_INDEX not in old:
        return source
    if DYNAMIC_INDEX in (*old, *sizes):
        return _reshaped_dynamic(op, source, sizes, builder)
    pairs = _groups(old, sizes)
    if any(len(group) > 1 for group, _ in pairs) or len(old) > len(pairs):
        middle = [prod(old[n] for n in group) for group, _ in pairs]
        if all(len(group) <= 1 for _, group in pairs):
            middle = [*sizes]
        source = _collapsed(source, [group for group, _ in pairs], middle, builder)
    if shape(source) == tuple(sizes):
        return source
    return _expanded(source, [group for _, group in pairs], sizes, builder)


def _groups(old: Sequence[int], new: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Split two shapes into the most parts of equal numbers of elements, in order."""
    if 0 in old or not old or not new:
        both = (list(range(len(old))), list(range(len(new))))
        return [both] if old and new else []
    pairs: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        left, right = [i], [j]
        elements_left, elements_right = old[i], new[j]
        while elements_left != elements_right:
            if elements_left < elements_right:
                left.append(left[-1] + 1)
                elements_left *= old[left[-1]]
            else:
                right.append(right[-1] + 1)
                elements_right *= new[right[-1]]
        pairs.append((left, right))
        i, j = left[-1] + 1, right[-1] + 1
    # What is left over on one side are sizes of one.
    pairs[-1][0].extend(range(i, len(old)))
    pairs[-1][1].extend(range(j, len(new)))
    return pairs


def _reassociation(groups: Sequence[Sequence[int]]) -> ArrayAttr[Attribute]:
    return ArrayAttr(ArrayAttr(IntegerAttr(n, i64) for n in group) for group in groups)


def _collapsed(
    source: SSAValue,
    groups: Sequence[Sequence[int]],
    sizes: Sequence[int],
    builder: TensorBuilder,
) -> SSAValue:
    type_ = TensorType(scalar_type(source), sizes)
    collapse = tensor.CollapseShapeOp(source, _reassociation(groups), type_)
    return builder.insert(collapse)


def _expanded(
    source: SSAValue,
    groups: Sequence[Sequence[int]],
    sizes: Sequence[Size],
    builder: TensorBuilder,
) -> SSAValue:
    return builder.expand_shape(source, _reassociation(groups), sizes)


def _reshaped_dynamic(
    op: Operation, source: SSAValue, sizes: Sequence[int], builder: TensorBuilder
) -> SSAValue:
    """By way of a tensor of one dimension."""
    if list(sizes).count(DYNAMIC_INDEX) > 1:
        raise PassFailedException(
            f"{op.name}: more than one size that is not known is not supported. Give "
            f"the result static sizes, but for one at most.{describe(op)}"
        )
    old = shape(source)
    if len(old) != 1:
        count = DYNAMIC_INDEX if DYNAMIC_INDEX in old else prod(old)
        groups = [range(len(old))] if old else []
        if old:
            source = _collapsed(source, groups, [count], builder)
        else:
            source = _expanded(source, groups, [1], builder)
    known = prod(size for size in sizes if size != DYNAMIC_INDEX)
    if DYNAMIC_INDEX not in sizes:
        flat = TensorType(scalar_type(source), [known])
        source = as_type(source, flat, builder)
        if len(sizes) == 1:
            return source
        if not sizes:
            return _collapsed(source, [], [], builder)
        return _expanded(source, [range(len(sizes))], sizes, builder)
    if len(sizes) == 1:
        flat = TensorType(scalar_type(source), [DYNAMIC_INDEX])
        return as_type(source, flat, builder)
    total = builder.size(source, 0)
    if isinstance(total, int):
        rest: Size = total // max(known, 1)
    else:
        rest = builder.insert(arith.DivUIOp(total, builder.index(max(known, 1))))
    new = [rest if size == DYNAMIC_INDEX else size for size in sizes]
    expanded = _expanded(source, [range(len(sizes))], new, builder)
    return as_type(expanded, TensorType(scalar_type(source), sizes), builder)


# ---------------------------------------------------------------------------------------
# Elements from elsewhere


def tile(op: Operation) -> SSAValue:
    """Replace a tosa.tile: each dimension becomes two, copies and elements, then one.

    Raises:
        PassFailedException: for dynamic sizes.
    """
    source = op.operands[0]
    sizes = shape(source)
    multiples = constant_shape(op, op.operands[1])
    if DYNAMIC_INDEX in sizes:
        raise PassFailedException(
            f"{op.name}: dynamic sizes are not supported. Give the operand static sizes."
            f"{describe(op)}"
        )
    if not sizes:
        return source
    builder = TensorBuilder(op)
    rank = len(sizes)
    pairs = [size for pair in zip(multiples, sizes, strict=True) for size in pair]
    dest = builder.empty(pairs, cast(TensorType, source.type))
    elements_of = AffineMap(
        2 * rank, 0, tuple(AffineDimExpr(2 * n + 1) for n in range(rank))
    )
    tiled = generic(builder, [source], dest, lambda _, args: args[0], [elements_of])
    new = [n * size for n, size in zip(multiples, sizes, strict=True)]
    result = reshaped(op, tiled, new, builder)
    return as_type(result, cast(TensorType, op.results[0].type), builder)


def reverse(op: Operation) -> SSAValue:
    """Replace a tosa.reverse."""
    builder = TensorBuilder(op)
    source = op.operands[0]
    axis = axis_of(op)
    sizes = builder.sizes(source)
    size = sizes[axis]
    whole = builder.index(size) if isinstance(size, int) else size
    last = builder.insert(arith.SubiOp(whole, builder.index(1)))

    def mirrored(scalars: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        indices = [scalars.add(linalg.IndexOp(n)) for n in range(len(sizes))]
        indices[axis] = scalars.add(arith.SubiOp(last, indices[axis]))
        return scalars.add(tensor.ExtractOp(source, indices, scalar_type(source)))

    dest = builder.empty(sizes, cast(TensorType, source.type))
    result = generic(builder, [], dest, mirrored)
    return as_type(result, cast(TensorType, op.results[0].type), builder)
