"""tosa.max_pool2d and avg_pool2d: a padded input, and a linalg op that pools windows.

What a window of avg_pool2d takes from the padding does not count. So the sum is divided
by the number of elements that are inside of the input, for each element of the result.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith, math, tosa
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    VectorType,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.conversion.tosa_common import (
    Scalars,
    as_type,
    ignores_nan,
    is_zero,
    lowest,
    number,
)
from xdsl_bufferization.conversion.tosa_scaling import apply_scale, clamp_to
from xdsl_bufferization.dialects import linalg, tensor
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.transforms.tensor_builder import TensorBuilder

_HEIGHT, _WIDTH = 1, 2


def max_pool(op: tosa.MaxPool2DOp) -> SSAValue:
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


def average_pool(op: tosa.AvgPool2DOp) -> SSAValue:
    """The mean of each window, without what is outside of the input.

    Raises:
        PassFailedException: for dynamic sizes, or zero points that are not zero.
    """
    input_type, result_type = _static_types(op)
    for zero_point in (op.input_zp, op.output_zp):
        if not is_zero(zero_point):
            raise PassFailedException(
                f"{op.name}: a zero point that is not a constant zero is not supported. "
                f"Subtract it before, and add it afterwards.{describe(op)}"
            )
    builder = TensorBuilder(op)
    acc_type = cast(Attribute, op.acc_type)
    sum_type = TensorType(acc_type, result_type.get_shape())
    padded = _padded(op, builder.insert(number(input_type.element_type, 0)), builder)
    zero = builder.insert(number(acc_type, 0))
    sums = builder.fill(zero, builder.empty(sum_type.get_shape(), sum_type))
    sums = _pool(linalg.PoolingNhwcSumOp, op, padded, sums, acc_type, builder)
    return as_type(_divided(op, sums, result_type, builder), result_type, builder)


def _static_types(op: Operation) -> tuple[TensorType, TensorType]:
    types = (
        cast(TensorType, op.operands[0].type),
        cast(TensorType, op.results[0].type),
    )
    if any(DYNAMIC_INDEX in type_.get_shape() for type_ in types):
        raise PassFailedException(
            f"{op.name}: dynamic sizes are not supported. Give input and result static "
            f"sizes.{describe(op)}"
        )
    return types


def _numbers(op: Operation, name: str) -> tuple[int, ...]:
    return tuple(cast("DenseArrayBase[IntegerType]", op.properties[name]).get_values())


def _padded(op: Operation, element: SSAValue, builder: TensorBuilder) -> SSAValue:
    source = op.operands[0]
    pad = _numbers(op, "pad")
    if not any(pad):
        return source
    type_ = cast(TensorType, source.type)
    top, bottom, left, right = pad
    shape = list(type_.get_shape())
    shape[_HEIGHT] += top + bottom
    shape[_WIDTH] += left + right
    body = Block(arg_types=[IndexType()] * 4)
    body.add_op(tensor.YieldOp(element))
    return builder.insert(
        tensor.PadOp(
            source,
            [],
            [],
            Region(body),
            [0, top, left, 0],
            [0, bottom, right, 0],
            TensorType(type_.element_type, shape),
        )
    )


def _pool(
    kind: type[linalg.NamedOp],
    op: Operation,
    source: SSAValue,
    dest: SSAValue,
    element_type: Attribute,
    builder: TensorBuilder,
) -> SSAValue:
    kernel_type = TensorType(element_type, _numbers(op, "kernel"))
    kernel = builder.empty(kernel_type.get_shape(), kernel_type)
    pair = VectorType(i64, [2])
    return builder.insert(
        kind(
            [source, kernel],
            [dest],
            dilations=DenseIntOrFPElementsAttr.from_list(pair, [1, 1]),
            strides=DenseIntOrFPElementsAttr.from_list(
                pair, list(_numbers(op, "stride"))
            ),
        )
    )


def _divided(
    op: tosa.AvgPool2DOp, sums: SSAValue, result_type: TensorType, builder: TensorBuilder
) -> SSAValue:
    """The sums, each divided by the number of elements of its window."""
    dest = builder.empty(result_type.get_shape(), result_type)
    acc_type = cast(TensorType, sums.type).element_type
    block = Block(arg_types=[acc_type, result_type.element_type])
    scalars = Scalars(block)
    pad = _numbers(op, "pad")
    height = _window_size(op, _HEIGHT, pad[0], pad[1], scalars)
    width = _window_size(op, _WIDTH, pad[2], pad[3], scalars)
    count = scalars.add(arith.MuliOp(height, width))
    count = scalars.add(arith.IndexCastOp(count, i32))
    total = block.args[0]
    if isinstance(acc_type, AnyFloat):
        divisor = scalars.add(arith.SIToFPOp(count, acc_type))
        result = scalars.add(arith.DivfOp(total, divisor))
        if acc_type != result_type.element_type:
            result = scalars.add(arith.TruncFOp(result, result_type.element_type))
    else:
        result = clamp_to(
            _integer_quotient(total, count, scalars), result_type.element_type, scalars
        )
    block.add_op(linalg.YieldOp(result))
    identity = AffineMapAttr(AffineMap.identity(4))
    return builder.insert(
        linalg.GenericOp(
            [sums],
            [dest],
            Region(block),
            [identity, identity],
            [linalg.IteratorTypeAttr.parallel()] * 4,
            [result_type],
        )
    )


def _window_size(
    op: tosa.AvgPool2DOp, along: int, before: int, after: int, scalars: Scalars
) -> SSAValue:
    """How many positions of a window are inside of the input, along one dimension; at
    least 1. The windows fit exactly into the padded input: the verifier sees to it."""
    kernel = _numbers(op, "kernel")[along - 1]
    stride = _numbers(op, "stride")[along - 1]
    last = cast(TensorType, op.results[0].type).get_shape()[along] - 1

    def index(value: int) -> SSAValue:
        return scalars.add(arith.ConstantOp(IntegerAttr.from_index_int_value(value)))

    def times_stride(value: SSAValue) -> SSAValue:
        return scalars.add(arith.MuliOp(value, index(stride))) if stride > 1 else value

    def reduced(size: SSAValue, distance: SSAValue, pad: int) -> SSAValue:
        """The size of a window at this distance from the edge of the padded input."""
        inside = scalars.add(arith.SubiOp(distance, index(pad)))
        missing = scalars.add(arith.MinSIOp(inside, index(0)))
        return scalars.add(arith.AddiOp(size, missing))

    position = scalars.add(linalg.IndexOp(along))
    size = index(kernel)
    if before:
        size = reduced(size, times_stride(position), before)
    if after:
        behind = scalars.add(arith.SubiOp(index(last), position))
        size = reduced(size, times_stride(behind), after)
    return scalars.add(arith.MaxSIOp(size, index(1)))


def _integer_quotient(total: SSAValue, count: SSAValue, scalars: Scalars) -> SSAValue:
    """A sum divided by a count, by multiplication with a scaled reciprocal, as tosa
    defines it: 2^(30 + k) / count, where 2^k is the next power of two from count on."""

    def constant(value: int, type_: IntegerType) -> SSAValue:
        return scalars.add(arith.ConstantOp(IntegerAttr(value, type_)))

    one = constant(1, i32)
    zeros = scalars.add(math.CountLeadingZerosOp(scalars.add(arith.SubiOp(count, one))))
    power = scalars.add(arith.SubiOp(constant(32, i32), zeros))
    power_64 = scalars.add(arith.ExtUIOp(power, i64))
    numerator = scalars.add(arith.ShLIOp(constant((1 << 30) + 1, i64), power_64))
    reciprocal = scalars.add(
        arith.DivUIOp(numerator, scalars.add(arith.ExtUIOp(count, i64)))
    )
    multiplier = scalars.add(arith.TruncIOp(reciprocal, i32))
    shift = scalars.add(arith.TruncIOp(power, i8))
    shift = scalars.add(arith.AddiOp(shift, constant(30, i8)))
    return apply_scale(total, multiplier, shift, scalars)
