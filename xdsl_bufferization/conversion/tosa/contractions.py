"""tosa.matmul, conv2d and depthwise_conv2d: named ops of linalg.

A nonzero zero point turns a product of integers into a product of differences: the
quantized variant of the op, which takes the zero points as scalars.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    IntegerAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xdsl_bufferization.conversion.tosa.common import (
    Scalars,
    as_type,
    converted,
    generic,
    number,
    padded,
    scalar_type,
    shape,
)
from xdsl_bufferization.conversion.tosa.properties import (
    numbers,
    require_static,
    zero_point,
)
from xdsl_bufferization.dialects import linalg, tensor
from xdsl_bufferization.transforms.utils.tensor_builder import TensorBuilder

_CHANNELS = AffineMap(4, 0, (AffineDimExpr(3),))


def matmul(op: Operation) -> SSAValue:
    """Replace a tosa.matmul.

    Raises:
        PassFailedException: when a zero point is not constant.
    """
    builder = TensorBuilder(op)
    a, b = op.operands[:2]
    sizes = [builder.size(a, 0), builder.size(a, 1), builder.size(b, 2)]
    result_type = cast(TensorType, op.results[0].type)
    zero = builder.insert(number(result_type.element_type, 0))
    dest = builder.fill(zero, builder.empty(sizes, result_type))
    zero_points = _zero_points(op, op.operands[2:], builder)
    kind = linalg.QuantizedBatchMatmulOp if zero_points else linalg.BatchMatmulOp
    return builder.insert(kind([a, b, *zero_points], [dest], [dest.type]))


def _zero_points(
    op: Operation, operands: Sequence[SSAValue], builder: TensorBuilder
) -> list[SSAValue]:
    """The zero points as scalars; none if they are all zero."""
    values = [zero_point(op, value) for value in operands]
    if not any(values):
        return []
    return [builder.insert(number(i32, value)) for value in values]


def conv2d(op: Operation, *, kernel_layout_hwcf: bool = False) -> SSAValue:
    """Replace a tosa.conv2d, with weights as they are (fhwc) or as hwcf.

    Raises:
        PassFailedException: for dynamic sizes, and zero points that are not constant.
    """
    builder, source, zero_points = _inputs(op)
    weight, bias = op.operands[1:3]
    result_type = cast(TensorType, op.results[0].type)
    acc_type = _accumulator(op)
    dest = builder.empty(result_type.get_shape(), TensorType(acc_type, [1]))
    dest = generic(
        builder,
        [bias],
        dest,
        lambda scalars, args: converted(args[0], acc_type, scalars),
        [_bias_map(bias)],
    )
    if kernel_layout_hwcf:
        weight = _transposed(weight, (1, 2, 3, 0), builder)
        plain, quantized = linalg.Conv2DNhwcHwcfOp, linalg.Conv2DNhwcHwcfQOp
    else:
        plain, quantized = linalg.Conv2DNhwcFhwcOp, linalg.Conv2DNhwcFhwcQOp
    result = _convolution(
        op, plain, quantized, [source, weight], zero_points, dest, builder
    )
    return _truncated(result, result_type.element_type, builder)


def depthwise_conv2d(op: Operation) -> SSAValue:
    """Replace a tosa.depthwise_conv2d: the bias is added afterwards.

    Raises:
        PassFailedException: for dynamic sizes, and zero points that are not constant.
    """
    builder, source, zero_points = _inputs(op)
    weight, bias = op.operands[1:3]
    result_type = cast(TensorType, op.results[0].type)
    element_type = result_type.element_type
    acc_type = _accumulator(op)
    sizes = [*result_type.get_shape()[:3], *shape(weight)[2:]]
    zero = builder.insert(number(acc_type, 0))
    dest = builder.fill(zero, builder.empty(sizes, TensorType(acc_type, [1])))
    result = _convolution(
        op,
        linalg.DepthwiseConv2DNhwcHwcmOp,
        linalg.DepthwiseConv2DNhwcHwcmQOp,
        [source, weight],
        zero_points,
        dest,
        builder,
    )
    result = _truncated(result, element_type, builder)
    groups = ArrayAttr(
        ArrayAttr(IntegerAttr(n, i64) for n in group) for group in ([0], [1], [2], [3, 4])
    )
    result = builder.insert(tensor.CollapseShapeOp(result, groups, result_type))
    add = arith.AddfOp if isinstance(element_type, AnyFloat) else arith.AddiOp

    def biased(scalars: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        return scalars.add(add(converted(args[0], element_type, scalars), args[1]))

    empty = builder.empty(result_type.get_shape(), result_type)
    maps = [_bias_map(bias), AffineMap.identity(4)]
    return generic(builder, [bias, result], empty, biased, maps)


def _accumulator(op: Operation) -> Attribute:
    """The type in which products are added up: for floats the op's, for integers that of
    the result."""
    result_type = scalar_type(op.results[0])
    if isinstance(result_type, AnyFloat):
        return op.properties["acc_type"]
    return result_type


def _inputs(op: Operation) -> tuple[TensorBuilder, SSAValue, list[SSAValue]]:
    """Return a builder for a convolution, its padded input, and the zero points."""
    require_static(op)
    builder = TensorBuilder(op)
    source = _padded_input(op, op.operands[0], builder)
    return builder, source, _zero_points(op, op.operands[3:], builder)


def _padded_input(op: Operation, source: SSAValue, builder: TensorBuilder) -> SSAValue:
    top, bottom, left, right = numbers(op, "pad")
    element = number(scalar_type(source), zero_point(op, op.operands[3]))
    if not any((top, bottom, left, right)):
        return source
    scalar = builder.insert(element)
    return padded(source, [0, top, left, 0], [0, bottom, right, 0], scalar, builder)


def _bias_map(bias: SSAValue) -> AffineMap:
    """One bias for each channel, or one for all."""
    if shape(bias) == (1,):
        return AffineMap(4, 0, (AffineConstantExpr(0),))
    return _CHANNELS


def _convolution(
    op: Operation,
    plain: type[linalg.NamedOp],
    quantized: type[linalg.NamedOp],
    inputs: list[SSAValue],
    zero_points: list[SSAValue],
    dest: SSAValue,
    builder: TensorBuilder,
) -> SSAValue:
    kind = quantized if zero_points else plain
    return builder.insert(
        kind(
            [*inputs, *zero_points],
            [dest],
            dilations=numbers(op, "dilation"),
            strides=numbers(op, "stride"),
        )
    )


def _truncated(
    value: SSAValue, element_type: Attribute, builder: TensorBuilder
) -> SSAValue:
    if scalar_type(value) == element_type:
        return value
    dest = builder.empty(shape(value), TensorType(element_type, [1]))
    return generic(
        builder,
        [value],
        dest,
        lambda scalars, args: converted(args[0], element_type, scalars),
    )


def _transposed(
    value: SSAValue, permutation: Sequence[int], builder: TensorBuilder
) -> SSAValue:
    sizes = [builder.size(value, number) for number in permutation]
    dest = builder.empty(sizes, cast(TensorType, value.type))
    return builder.insert(linalg.TransposeOp(value, dest, permutation))


def transpose(op: Operation) -> SSAValue:
    """Replace a tosa.transpose."""
    builder = TensorBuilder(op)
    result = _transposed(op.operands[0], numbers(op, "perms"), builder)
    return as_type(result, cast(TensorType, op.results[0].type), builder)
