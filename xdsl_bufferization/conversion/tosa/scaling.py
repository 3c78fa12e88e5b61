"""tosa.rescale: integers multiplied by a fraction, given as a multiplier and a shift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    TensorType,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.conversion.tosa.common import Scalars, as_type, generic
from xdsl_bufferization.conversion.tosa.properties import elements
from xdsl_bufferization.dialects import tosa
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.transforms.utils.tensor_builder import TensorBuilder

_SHIFTS = range(2, 63)
"""The shifts that tosa defines."""


def rescale(op: Operation) -> SSAValue:
    """(input - input_zp) * multiplier / 2^shift + output_zp, rounded, in range.

    Raises:
        PassFailedException: when a multiplier, shift or zero point is not constant, or
            has no meaning in tosa; for a result of more than 32 bits.
    """
    multipliers, shifts = elements(op.operands[1]), elements(op.operands[2])
    input_zp, output_zp = elements(op.operands[3]), elements(op.operands[4])
    source_type = cast(TensorType, op.operands[0].type)
    result_type = cast(TensorType, op.results[0].type)
    if multipliers is None or shifts is None or not input_zp or not output_zp:
        raise PassFailedException(
            f"{op.name}: a multiplier, shift or zero point that is not constant is not "
            f"supported. Make them tosa.const.{describe(op)}"
        )
    if any(shift not in _SHIFTS for shift in shifts):
        raise PassFailedException(
            f"{op.name}: a shift is from {_SHIFTS[0]} to {_SHIFTS[-1]}{describe(op)}"
        )
    narrow = cast(IntegerType, result_type.element_type).bitwidth <= 32
    if not narrow or cast(IntegerType, source_type.element_type).bitwidth > 48:
        raise PassFailedException(
            f"{op.name}: a result of more than 32 bits, or an operand of more than "
            f"48, is not supported.{describe(op)}"
        )
    builder = TensorBuilder(op)
    rank = source_type.get_num_dims()
    inputs, maps = [op.operands[0]], [AffineMap.identity(rank)]
    if len(multipliers) > 1:
        last = AffineMap(rank, 0, (AffineDimExpr(rank - 1),))
        inputs += (_constant(multipliers, i32, builder), _constant(shifts, i8, builder))
        maps += (last, last)
    source_unsigned, unsigned = _flag(op, "input_unsigned"), _flag(op, "output_unsigned")

    def scaled(scalars: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        value = _widened(args[0], source_unsigned, scalars)
        zero = _in_range(input_zp[0], source_type, source_unsigned)
        value = scalars.add(arith.SubiOp(value, scalars.number(zero, value.type)))
        if len(multipliers) > 1:
            multiplier, shift = args[1:]
        else:
            multiplier = scalars.number(multipliers[0], i32)
            shift = scalars.number(shifts[0], i8)
        double = rounds_twice(op) and max(shifts) > 31
        value = apply_scale(value, multiplier, shift, scalars, double=double)
        zero = _in_range(output_zp[0], result_type, unsigned)
        value = scalars.add(arith.AddiOp(value, scalars.number(zero, i32)))
        return clamp_to(value, result_type.element_type, scalars, unsigned)

    dest = builder.empty(builder.sizes(op.operands[0]), result_type)
    return as_type(generic(builder, inputs, dest, scaled, maps), result_type, builder)


def rounds_twice(op: Operation) -> bool:
    """Whether an op has the rounding mode DOUBLE_ROUND.

    INEXACT_ROUND leaves the choice of the last bit open: here it is that of SINGLE_ROUND.
    """
    mode = op.properties.get("rounding_mode")
    return (
        isinstance(mode, tosa.RoundingModeAttr)
        and mode.data == tosa.RoundingMode.DOUBLE_ROUND
    )


def _flag(op: Operation, name: str) -> bool:
    return bool(cast(BoolAttr, op.properties[name]).value.data)


def _in_range(zero_point: int, type_: TensorType, unsigned: bool) -> int:
    """A zero point as a signed or unsigned number."""
    width = cast(IntegerType, type_.element_type).bitwidth
    return zero_point % (1 << width) if unsigned and width < 32 else zero_point


def apply_scale(
    value: SSAValue,
    multiplier: SSAValue,
    shift: SSAValue,
    scalars: Scalars,
    *,
    double: bool = False,
) -> SSAValue:
    """An i32 or i48 times a multiplier, shifted right and rounded: tosa.apply_scale.

    With `double`, a shift of more than 31 rounds twice.
    """
    wide = scalars.add(arith.ExtSIOp(value, i64))
    wide_multiplier = scalars.add(arith.ExtSIOp(multiplier, i64))
    product = scalars.add(arith.MuliOp(wide, wide_multiplier))
    wide_shift = scalars.add(arith.ExtUIOp(shift, i64))
    one = scalars.number(1, i64)
    twice_half = scalars.add(arith.ShLIOp(one, wide_shift))
    half = scalars.add(arith.ShRUIOp(twice_half, one))
    rounded = scalars.add(arith.AddiOp(product, half))
    if double:
        zero = scalars.number(0, value.type)
        is_positive = scalars.add(arith.CmpiOp(value, zero, "sge"))
        up, down = scalars.number(1 << 30, i64), scalars.number(-(1 << 30), i64)
        correction = scalars.add(arith.SelectOp(is_positive, up, down))
        twice = scalars.add(arith.AddiOp(correction, rounded))
        distance = scalars.add(arith.ExtUIOp(shift, i32))
        is_far = scalars.add(arith.CmpiOp(distance, scalars.number(31, i32), "sgt"))
        rounded = scalars.add(arith.SelectOp(is_far, twice, rounded))
    shifted = scalars.add(arith.ShRSIOp(rounded, wide_shift))
    return scalars.add(arith.TruncIOp(shifted, i32))


def clamp_to(
    value: SSAValue, type_: Attribute, scalars: Scalars, unsigned: bool = False
) -> SSAValue:
    """An i32 in the range of a type, as a number of that type."""
    width = cast(IntegerType, type_).bitwidth
    if width == 32:
        return value
    low, high = (
        (0, (1 << width) - 1)
        if unsigned
        else (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    )
    at_least = scalars.add(arith.MaxSIOp(value, scalars.number(low, i32)))
    clamped = scalars.add(arith.MinSIOp(at_least, scalars.number(high, i32)))
    return scalars.add(arith.TruncIOp(clamped, cast(IntegerType, type_)))


def _widened(value: SSAValue, unsigned: bool, scalars: Scalars) -> SSAValue:
    if cast(IntegerType, value.type).bitwidth >= 32:
        return value
    return scalars.add((arith.ExtUIOp if unsigned else arith.ExtSIOp)(value, i32))


def _constant(
    values: Sequence[int], type_: IntegerType, builder: TensorBuilder
) -> SSAValue:
    tensor_type = TensorType(type_, [len(values)])
    return builder.insert(
        arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(tensor_type, list(values)))
    )
