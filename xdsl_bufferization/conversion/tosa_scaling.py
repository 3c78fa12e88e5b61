"""tosa.rescale: integers multiplied by a fraction, given as a multiplier and a shift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import arith, tosa
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.conversion.tosa_common import Scalars, elements
from xdsl_bufferization.dialects import linalg
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.transforms.tensor_builder import TensorBuilder

_SHIFTS = range(2, 63)
"""The shifts that tosa defines."""


def rescale(op: tosa.RescaleOp) -> SSAValue:
    """(input - input_zp) * multiplier / 2^shift + output_zp, rounded, in range.

    Raises:
        PassFailedException: when a multiplier, shift or zero point is not constant, or
            has no meaning in tosa; for dynamic sizes, and elements of over 32 bits.
    """
    multipliers, shifts = elements(op.multiplier), elements(op.shift)
    input_zp, output_zp = elements(op.input_zp), elements(op.output_zp)
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
    if op.rounding_mode.data == tosa.RoundingMode.INEXACT_ROUND:
        raise PassFailedException(
            f"{op.name}: INEXACT_ROUND is not supported. Round once (SINGLE_ROUND)."
            f"{describe(op)}"
        )
    types = (source_type, result_type)
    if any(DYNAMIC_INDEX in type_.get_shape() for type_ in types) or any(
        cast(IntegerType, type_.element_type).bitwidth > 32 for type_ in types
    ):
        raise PassFailedException(
            f"{op.name}: dynamic sizes and elements of more than 32 bits are not "
            f"supported.{describe(op)}"
        )
    double = op.rounding_mode.data == tosa.RoundingMode.DOUBLE_ROUND
    builder = TensorBuilder(op)
    rank = result_type.get_num_dims()
    identity = AffineMap.identity(rank)
    inputs, maps = [op.input], [identity]
    if len(multipliers) > 1:
        last = AffineMap(rank, 0, (AffineDimExpr(rank - 1),))
        inputs += (_constant(multipliers, i32, builder), _constant(shifts, i8, builder))
        maps += (last, last)
    dest = builder.empty(result_type.get_shape(), result_type)
    block = Block(
        arg_types=[cast(TensorType, v.type).element_type for v in (*inputs, dest)]
    )
    scalars = Scalars(block)
    value = _widened(block.args[0], bool(op.input_unsigned.value.data), scalars)
    value = scalars.add(arith.SubiOp(value, _number(input_zp[0], i32, scalars)))
    if len(multipliers) > 1:
        multiplier, shift = block.args[1], block.args[2]
        # Where one rounds twice and another does not, both are computed the same way.
        double = double and min(shifts) > 31
    else:
        multiplier = _number(multipliers[0], i32, scalars)
        shift = _number(shifts[0], i8, scalars)
        double = double and shifts[0] > 31
    value = apply_scale(value, multiplier, shift, scalars, double=double)
    value = scalars.add(arith.AddiOp(value, _number(output_zp[0], i32, scalars)))
    unsigned = bool(op.output_unsigned.value.data)
    block.add_op(
        linalg.YieldOp(clamp_to(value, result_type.element_type, scalars, unsigned))
    )
    return builder.insert(
        linalg.GenericOp(
            inputs,
            [dest],
            Region(block),
            [AffineMapAttr(map_) for map_ in (*maps, identity)],
            [linalg.IteratorTypeAttr.parallel()] * rank,
            [result_type],
        )
    )


def apply_scale(
    value: SSAValue,
    multiplier: SSAValue,
    shift: SSAValue,
    scalars: Scalars,
    *,
    double: bool = False,
) -> SSAValue:
    """An i32 times a multiplier, shifted right and rounded: tosa.apply_scale."""
    wide = scalars.add(arith.ExtSIOp(value, i64))
    wide_multiplier = scalars.add(arith.ExtSIOp(multiplier, i64))
    product = scalars.add(arith.MuliOp(wide, wide_multiplier))
    wide_shift = scalars.add(arith.ExtUIOp(shift, i64))
    one = _number(1, i64, scalars)
    twice_half = scalars.add(arith.ShLIOp(one, wide_shift))
    half = scalars.add(arith.ShRUIOp(twice_half, one))
    rounded = scalars.add(arith.AddiOp(product, half))
    if double:
        is_positive = scalars.add(arith.CmpiOp(value, _number(0, i32, scalars), "sge"))
        up, down = _number(1 << 30, i64, scalars), _number(-(1 << 30), i64, scalars)
        correction = scalars.add(arith.SelectOp(is_positive, up, down))
        rounded = scalars.add(arith.AddiOp(correction, rounded))
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
    at_least = scalars.add(arith.MaxSIOp(value, _number(low, i32, scalars)))
    clamped = scalars.add(arith.MinSIOp(at_least, _number(high, i32, scalars)))
    return scalars.add(arith.TruncIOp(clamped, cast(IntegerType, type_)))


def _widened(value: SSAValue, unsigned: bool, scalars: Scalars) -> SSAValue:
    if value.type == i32:
        return value
    return scalars.add((arith.ExtUIOp if unsigned else arith.ExtSIOp)(value, i32))


def _number(value: int, type_: IntegerType, scalars: Scalars) -> SSAValue:
    return scalars.add(arith.ConstantOp(IntegerAttr(value, type_)))


def _constant(
    values: Sequence[int], type_: IntegerType, builder: TensorBuilder
) -> SSAValue:
    tensor_type = TensorType(type_, [len(values)])
    return builder.insert(
        arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(tensor_type, list(values)))
    )
