"""tosa.max_pool2d and avg_pool2d: a padded input, and a linalg op that pools windows.

Padding elements do not count in a window of avg_pool2d. For each element of the result,
the sum is therefore divided by the number of elements inside of the input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    TensorType,
    VectorType,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.conversion.tosa.common import (
    Scalars,
    as_type,
    converted,
    generic,
    lowest,
    number,
    padded,
)
from xdsl_bufferization.conversion.tosa.properties import (
    ignores_nan,
    numbers,
    require_static,
    zero_point,
)
from xdsl_bufferization.conversion.tosa.scaling import apply_scale, clamp_to
from xdsl_bufferization.dialects import linalg
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.transforms.utils.tensor_builder import TensorBuilder

_HEIGHT, _WIDTH = 1, 2


def max_pool(op: Operation) -> SSAValue:
    """The greatest element of each window.

    Raises:
        PassFailedException: for dynamic sizes, or NaNs that are to be ignored.
    """
    if ignores_nan(op):
        raise PassFailedException(
            f"{op.name}: nan_mode IGNORE is not supported. Replace the NaNs before."
            f"{describe(op)}"
        )
    input_type, result_type = _static_types(op)
    builder = TensorBuilder(op)
    element_type = input_type.element_type
    start = builder.insert(number(element_type, lowest(element_type)))
    padded = _padded(op, start, builder)
    dest = builder.fill(start, builder.empty(result_type.get_shape(), result_type))
    return _pool(linalg.PoolingNhwcMaxOp, op, padded, dest, element_type, builder)


def average_pool(op: Operation) -> SSAValue:
    """The mean of each window, without what is outside of the input.

    Raises:
        PassFailedException: for dynamic sizes, or zero points that are not constant.
    """
    input_type, result_type = _static_types(op)
    builder = TensorBuilder(op)
    acc_type = op.properties["acc_type"]
    sum_type = TensorType(acc_type, result_type.get_shape())
    padded = _padded(op, builder.insert(number(input_type.element_type, 0)), builder)
    zero = builder.insert(number(acc_type, 0))
    sums = builder.fill(zero, builder.empty(sum_type.get_shape(), sum_type))
    sums = _pool(linalg.PoolingNhwcSumOp, op, padded, sums, acc_type, builder)
    return as_type(_divided(op, sums, result_type, builder), result_type, builder)


def _static_types(op: Operation) -> tuple[TensorType, TensorType]:
    require_static(op)
    return (
        cast(TensorType, op.operands[0].type),
        cast(TensorType, op.results[0].type),
    )


def _padded(op: Operation, element: SSAValue, builder: TensorBuilder) -> SSAValue:
    top, bottom, left, right = numbers(op, "pad")
    source = op.operands[0]
    return padded(source, [0, top, left, 0], [0, bottom, right, 0], element, builder)


def _pool(
    kind: type[linalg.NamedOp],
    op: Operation,
    source: SSAValue,
    dest: SSAValue,
    element_type: Attribute,
    builder: TensorBuilder,
) -> SSAValue:
    kernel_type = TensorType(element_type, numbers(op, "kernel"))
    kernel = builder.empty(kernel_type.get_shape(), kernel_type)
    pair = VectorType(i64, [2])
    return builder.insert(
        kind(
            [source, kernel],
            [dest],
            dilations=DenseIntOrFPElementsAttr.from_list(pair, [1, 1]),
            strides=DenseIntOrFPElementsAttr.from_list(pair, list(numbers(op, "stride"))),
        )
    )


def _divided(
    op: Operation, sums: SSAValue, result_type: TensorType, builder: TensorBuilder
) -> SSAValue:
    """The sums, each divided by the number of elements of its window."""
    element_type = result_type.element_type
    pad = numbers(op, "pad")
    input_zp, output_zp = (zero_point(op, value) for value in op.operands[1:])

    def mean(scalars: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        (total,) = args
        height = _window_size(op, _HEIGHT, pad[0], pad[1], scalars)
        width = _window_size(op, _WIDTH, pad[2], pad[3], scalars)
        count = scalars.add(arith.MuliOp(height, width))
        count = scalars.add(arith.IndexCastOp(count, i32))
        acc_type = total.type
        if isinstance(acc_type, AnyFloat):
            divisor = scalars.add(arith.SIToFPOp(count, acc_type))
            quotient = scalars.add(arith.DivfOp(total, divisor))
            return converted(quotient, element_type, scalars)
        if input_zp:
            zeros = scalars.add(arith.MuliOp(count, scalars.number(input_zp, i32)))
            total = scalars.add(arith.SubiOp(total, zeros))
        quotient = _integer_quotient(total, count, scalars)
        if output_zp:
            zero = scalars.number(output_zp, i32)
            quotient = scalars.add(arith.AddiOp(quotient, zero))
        return clamp_to(quotient, element_type, scalars)

    dest = builder.empty(result_type.get_shape(), result_type)
    return generic(builder, [sums], dest, mean)


def _window_size(
    op: Operation, along: int, before: int, after: int, scalars: Scalars
) -> SSAValue:
    """How many positions of a window are inside of the input, along one dimension; at
    least 1. The windows fit exactly into the padded input: the verifier sees to it."""
    kernel = numbers(op, "kernel")[along - 1]
    stride = numbers(op, "stride")[along - 1]
    last = cast(TensorType, op.results[0].type).get_shape()[along] - 1

    def times_stride(value: SSAValue) -> SSAValue:
        return (
            scalars.add(arith.MuliOp(value, scalars.index(stride)))
            if stride > 1
            else value
        )

    def reduced(size: SSAValue, distance: SSAValue, pad: int) -> SSAValue:
        """The size of a window at this distance from the edge of the padded input."""
        inside = scalars.add(arith.SubiOp(distance, scalars.index(pad)))
        missing = scalars.add(arith.MinSIOp(inside, scalars.index(0)))
        return scalars.add(arith.AddiOp(size, missing))

    position = scalars.add(linalg.IndexOp(along))
    size = scalars.index(kernel)
    if before:
        size = reduced(size, times_stride(position), before)
    if after:
        remaining = scalars.add(arith.SubiOp(scalars.index(last), position))
        size = reduced(size, times_stride(remaining), after)
    return scalars.add(arith.MaxSIOp(size, scalars.index(1)))


def _integer_quotient(total: SSAValue, count: SSAValue, scalars: Scalars) -> SSAValue:
    """A sum divided by a count, by multiplication with a scaled reciprocal, as tosa
    defines it: 2^(30 + k) / count, where 2^k is the next power of two from count on."""
    one = scalars.number(1, i32)
    zeros = scalars.add(math.CountLeadingZerosOp(scalars.add(arith.SubiOp(count, one))))
    power = scalars.add(arith.SubiOp(scalars.number(32, i32), zeros))
    power_64 = scalars.add(arith.ExtUIOp(power, i64))
    numerator = scalars.add(arith.ShLIOp(scalars.number((1 << 30) + 1, i64), power_64))
    reciprocal = scalars.add(
        arith.DivUIOp(numerator, scalars.add(arith.ExtUIOp(count, i64)))
    )
    multiplier = scalars.add(arith.TruncIOp(reciprocal, i32))
    shift = scalars.add(arith.TruncIOp(power, i8))
    shift = scalars.add(arith.AddiOp(shift, scalars.number(30, i8)))
    return apply_scale(total, multiplier, shift, scalars)
