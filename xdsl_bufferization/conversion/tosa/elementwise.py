"""tosa ops that compute element by element: a linalg.generic with a body of scalars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    BFloat16Type,
    BoolAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.conversion.tosa.common import (
    BinaryOp,
    Scalars,
    as_type,
    converted,
    generic,
    scalar_type,
    shape,
)
from xdsl_bufferization.conversion.tosa.properties import (
    elements,
    ignores_nan,
    is_zero,
    zero_point,
)
from xdsl_bufferization.conversion.tosa.scaling import apply_scale
from xdsl_bufferization.dialects.shapes import is_integer
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.transforms.utils.tensor_builder import (
    Size,
    TensorBuilder,
    static_sizes,
)

_Number: TypeAlias = "IntegerAttr[IntegerType] | FloatAttr"

Body: TypeAlias = Callable[[Scalars, Operation, Sequence[SSAValue]], SSAValue]


def elementwise(op: Operation) -> SSAValue:
    """Replace an op of the table.

    Raises:
        PassFailedException: when it is not known which operand is broadcast; for a shift
            or zero point that is not constant, and element types that tosa excludes.
    """
    count, body = ELEMENTWISE[op.name]
    inputs = op.operands[:count]
    _require_element_type(op)
    result_type = cast(TensorType, op.results[0].type)
    builder = TensorBuilder(op)
    rank = len(shape(inputs[0]))
    sizes = [_common_size(op, inputs, number, builder) for number in range(rank)]
    dest = builder.empty(sizes, result_type)
    known = static_sizes(sizes)
    maps = [AffineMap(rank, 0, _broadcast(shape(value), known)) for value in inputs]
    result = generic(
        builder, inputs, dest, lambda scalars, args: body(scalars, op, args), maps
    )
    return as_type(result, result_type, builder)


def _require_element_type(op: Operation) -> None:
    name = op.name.removeprefix("tosa.")
    type_ = scalar_type(op.operands[0])
    if name in _OF_FLOATS:
        fits, kind = isinstance(type_, AnyFloat), "floats"
    elif name in _OF_INTEGERS:
        fits, kind = isinstance(type_, IntegerType), "integers"
    else:
        fits, kind = isinstance(type_, AnyFloat | IntegerType), "floats and integers"
    if not fits:
        raise PassFailedException(
            f"{op.name}: is for {kind}, got elements of {type_}. Cast them before."
            f"{describe(op)}"
        )


def _common_size(
    op: Operation, inputs: Sequence[SSAValue], number: int, builder: TensorBuilder
) -> Size:
    """The size of the result along a dimension: that of all operands that are not 1."""
    sizes = {shape(value)[number] for value in inputs}
    if DYNAMIC_INDEX not in sizes:
        return next(iter(sizes - {1}), 1)
    dynamic = [value for value in inputs if shape(value)[number] == DYNAMIC_INDEX]
    if len(dynamic) > 1 or sizes - {1, DYNAMIC_INDEX}:
        raise PassFailedException(
            f"{op.name}: operands of dynamic sizes are not supported, since it is not "
            f"known which of them are broadcast. Give them static sizes.{describe(op)}"
        )
    return builder.size(dynamic[0], number)


def _broadcast(sizes: Sequence[int], all_sizes: Sequence[int]) -> tuple[AffineExpr, ...]:
    """The element of an operand that belongs to an element of the result."""
    return tuple(
        AffineConstantExpr(0) if size == 1 and common != 1 else AffineDimExpr(number)
        for number, (size, common) in enumerate(zip(sizes, all_sizes, strict=True))
    )


# ---------------------------------------------------------------------------------------
# Bodies


def _unary(of_floats: Callable[[SSAValue], Operation]) -> Body:
    def body(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
        return scalars.add(of_floats(args[0]))

    return body


def _binary(of_floats: BinaryOp, of_integers: BinaryOp) -> Body:
    def body(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
        return scalars.binary(of_floats, of_integers)(args[0], args[1])

    return body


def _of_integers(kind: BinaryOp) -> Body:
    return _binary(kind, kind)


def _comparison(of_floats: str, of_integers: str) -> Body:
    return _binary(
        lambda a, b: arith.CmpfOp(a, b, of_floats),
        lambda a, b: arith.CmpiOp(a, b, of_integers),
    )


def _extremum(of_floats: BinaryOp, of_integers: BinaryOp) -> Body:
    def body(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
        lhs, rhs = args
        result = scalars.binary(of_floats, of_integers)(lhs, rhs)
        if not ignores_nan(op) or not isinstance(lhs.type, AnyFloat):
            return result
        lhs_is_nan = scalars.add(arith.CmpfOp(lhs, lhs, "uno"))
        rhs_is_nan = scalars.add(arith.CmpfOp(rhs, rhs, "uno"))
        result = scalars.add(arith.SelectOp(lhs_is_nan, rhs, result))
        return scalars.add(arith.SelectOp(rhs_is_nan, lhs, result))

    return body


def _abs(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    (value,) = args
    if isinstance(value.type, AnyFloat):
        return scalars.add(math.AbsFOp(value))
    negative = scalars.add(arith.SubiOp(scalars.number(0, value.type), value))
    return scalars.add(arith.MaxSIOp(value, negative))


def _not(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    return scalars.add(arith.XOrIOp(args[0], scalars.number(-1, args[0].type)))


def _reciprocal(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    return scalars.add(arith.DivfOp(scalars.number(1, args[0].type), args[0]))


def _sigmoid(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    one = scalars.number(1, args[0].type)
    power = scalars.add(math.ExpOp(scalars.add(arith.NegfOp(args[0]))))
    return scalars.add(arith.DivfOp(one, scalars.add(arith.AddfOp(power, one))))


def _select(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    return scalars.add(arith.SelectOp(args[0], args[1], args[2]))


def _clamp(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    low = scalars.add(arith.ConstantOp(cast(_Number, op.properties["min_val"])))
    high = scalars.add(arith.ConstantOp(cast(_Number, op.properties["max_val"])))
    if not isinstance(args[0].type, AnyFloat):
        at_least = scalars.add(arith.MaxSIOp(low, args[0]))
        return scalars.add(arith.MinSIOp(high, at_least))
    at_most = scalars.add(arith.MinimumfOp(args[0], high))
    clamped = scalars.add(arith.MaximumfOp(at_most, low))
    if not ignores_nan(op):
        return clamped
    is_nan = scalars.add(arith.CmpfOp(args[0], args[0], "uno"))
    return scalars.add(arith.SelectOp(is_nan, low, clamped))


def _negate(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    """The zero points minus the element, in twice its width, clamped to its range."""
    (value,) = args
    if isinstance(value.type, AnyFloat):
        return scalars.add(arith.NegfOp(value))
    zero_points = zero_point(op, op.operands[1]) + zero_point(op, op.operands[2])
    width = cast(IntegerType, value.type).bitwidth
    wide = IntegerType(min(2 * width, 64))
    minuend = scalars.number(zero_points, wide)
    difference = scalars.add(arith.SubiOp(minuend, converted(value, wide, scalars)))
    low = scalars.number(-(1 << (width - 1)), wide)
    high = scalars.number((1 << (width - 1)) - 1, wide)
    at_least = scalars.add(arith.MaxSIOp(difference, low))
    clamped = scalars.add(arith.MinSIOp(at_least, high))
    return converted(clamped, value.type, scalars)


def _mul(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    result_type = scalar_type(op.results[0])
    if isinstance(result_type, AnyFloat):
        if not is_zero(op.operands[2]):
            raise PassFailedException(
                f"{op.name}: floats are not shifted. Make the shift a constant zero."
                f"{describe(op)}"
            )
        return scalars.add(arith.MulfOp(args[0], args[1]))
    shift = elements(op.operands[2])
    if not shift or (shift[0] and result_type != i32):
        raise PassFailedException(
            f"{op.name}: a shift that is not constant, or not of a product in i32, is "
            f"not supported. Shift the product with another op.{describe(op)}"
        )
    lhs, rhs = (converted(value, result_type, scalars) for value in args)
    if shift[0]:
        return apply_scale(lhs, rhs, scalars.number(shift[0], IntegerType(8)), scalars)
    return scalars.add(arith.MuliOp(lhs, rhs))


def _shift_right(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    """A signed shift to the right, which may add the last bit that is shifted out."""
    value, distance = args
    shifted = scalars.add(arith.ShRSIOp(value, distance))
    if not cast(BoolAttr, op.properties["round"]).value.data:
        return shifted
    type_ = value.type
    shifts = scalars.add(arith.CmpiOp(distance, scalars.number(0, type_), "sgt"))
    less = scalars.add(arith.SubiOp(distance, scalars.number(1, type_)))
    last = scalars.add(arith.TruncIOp(scalars.add(arith.ShRSIOp(value, less)), i1))
    last = scalars.add(arith.SelectOp(shifts, last, scalars.number(0, i1)))
    last = scalars.add(arith.ExtUIOp(last, cast(IntegerType, type_)))
    return scalars.add(arith.AddiOp(shifted, last))


# ---------------------------------------------------------------------------------------
# Casts


def _cast(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    (value,) = args
    source, target = value.type, scalar_type(op.results[0])
    if source == target:
        return value
    if is_integer(source) and isinstance(target, AnyFloat):
        kind = arith.UIToFPOp if source == i1 else arith.SIToFPOp
        return scalars.add(kind(value, target))
    if target == i1:
        zero = scalars.number(0, source)
        if isinstance(source, AnyFloat):
            return scalars.add(arith.CmpfOp(value, zero, "une"))
        return scalars.add(arith.CmpiOp(value, zero, "ne"))
    if source == i1:
        return scalars.add(arith.ExtUIOp(value, cast(IntegerType, target)))
    if isinstance(source, AnyFloat) and is_integer(target):
        return _to_integer(scalars, op, value, target)
    return converted(value, target, scalars)


_FLOATS: dict[type[Attribute], tuple[int, int]] = {
    # digits of the fraction with the leading one, greatest exponent
    BFloat16Type: (8, 127),
    Float16Type: (11, 15),
    Float32Type: (24, 127),
    Float64Type: (53, 1023),
}


def _to_integer(
    scalars: Scalars, op: Operation, value: SSAValue, target: IntegerType
) -> SSAValue:
    """The nearest integer in range, the even one of two that are as near."""
    if type(value.type) not in _FLOATS:
        raise PassFailedException(
            f"{op.name}: a cast from {value.type} is not supported. Cast to f32 before."
            f"{describe(op)}"
        )
    digits, exponent = _FLOATS[type(value.type)]
    low, high = -(1 << (target.bitwidth - 1)), (1 << (target.bitwidth - 1)) - 1
    rounded = scalars.add(math.RoundEvenOp(value))
    if exponent < target.bitwidth - 1:
        # Only infinities are out of range.
        result = scalars.add(arith.FPToSIOp(rounded, target))
        for bound, limit in ((float("inf"), high), (float("-inf"), low)):
            infinite = scalars.number(bound, value.type)
            is_infinite = scalars.add(arith.CmpfOp(rounded, infinite, "ueq"))
            limited = scalars.number(limit, target)
            result = scalars.add(arith.SelectOp(is_infinite, limited, result))
        return result
    if digits >= target.bitwidth - 1:
        # Both bounds are floats.
        least = scalars.number(low, value.type)
        greatest = scalars.number(high, value.type)
        at_most = scalars.add(arith.MinimumfOp(rounded, greatest))
        clamped = scalars.add(arith.MaximumfOp(at_most, least))
        return scalars.add(arith.FPToSIOp(clamped, target))
    at_least = scalars.add(arith.MaximumfOp(rounded, scalars.number(low, value.type)))
    converted_value = scalars.add(arith.FPToSIOp(at_least, target))
    beyond = scalars.number(high + 1, value.type)
    overflows = scalars.add(arith.CmpfOp(rounded, beyond, "uge"))
    greatest = scalars.number(high, target)
    return scalars.add(arith.SelectOp(overflows, greatest, converted_value))


_OF_FLOATS = {
    *("ceil", "cos", "erf", "exp", "floor", "log", "pow", "reciprocal", "rsqrt"),
    *("sigmoid", "sin", "tanh"),
}
_OF_INTEGERS = {
    *("arithmetic_right_shift", "bitwise_and", "bitwise_not", "bitwise_or"),
    *("bitwise_xor", "clz", "intdiv", "logical_and", "logical_left_shift"),
    *("logical_not", "logical_or", "logical_right_shift", "logical_xor"),
}

ELEMENTWISE: dict[str, tuple[int, Body]] = {
    # op: number of its tensor operands, body
    "tosa.abs": (1, _abs),
    "tosa.bitwise_not": (1, _not),
    "tosa.ceil": (1, _unary(math.CeilOp)),
    "tosa.clz": (1, _unary(math.CountLeadingZerosOp)),
    "tosa.cos": (1, _unary(math.CosOp)),
    "tosa.erf": (1, _unary(math.ErfOp)),
    "tosa.exp": (1, _unary(math.ExpOp)),
    "tosa.floor": (1, _unary(math.FloorOp)),
    "tosa.log": (1, _unary(math.LogOp)),
    "tosa.logical_not": (1, _not),
    "tosa.reciprocal": (1, _reciprocal),
    "tosa.rsqrt": (1, _unary(math.RsqrtOp)),
    "tosa.sigmoid": (1, _sigmoid),
    "tosa.sin": (1, _unary(math.SinOp)),
    "tosa.tanh": (1, _unary(math.TanhOp)),
    "tosa.negate": (1, _negate),
    "tosa.clamp": (1, _clamp),
    "tosa.cast": (1, _cast),
    "tosa.add": (2, _binary(arith.AddfOp, arith.AddiOp)),
    "tosa.sub": (2, _binary(arith.SubfOp, arith.SubiOp)),
    "tosa.mul": (2, _mul),
    "tosa.pow": (2, _binary(math.PowFOp, math.PowFOp)),
    "tosa.intdiv": (2, _of_integers(arith.DivSIOp)),
    "tosa.maximum": (2, _extremum(arith.MaximumfOp, arith.MaxSIOp)),
    "tosa.minimum": (2, _extremum(arith.MinimumfOp, arith.MinSIOp)),
    "tosa.bitwise_and": (2, _of_integers(arith.AndIOp)),
    "tosa.bitwise_or": (2, _of_integers(arith.OrIOp)),
    "tosa.bitwise_xor": (2, _of_integers(arith.XOrIOp)),
    "tosa.logical_and": (2, _of_integers(arith.AndIOp)),
    "tosa.logical_or": (2, _of_integers(arith.OrIOp)),
    "tosa.logical_xor": (2, _of_integers(arith.XOrIOp)),
    "tosa.logical_left_shift": (2, _of_integers(arith.ShLIOp)),
    "tosa.logical_right_shift": (2, _of_integers(arith.ShRUIOp)),
    "tosa.arithmetic_right_shift": (2, _shift_right),
    "tosa.equal": (2, _comparison("oeq", "eq")),
    "tosa.greater": (2, _comparison("ogt", "sgt")),
    "tosa.greater_equal": (2, _comparison("oge", "sge")),
    "tosa.select": (3, _select),
}
