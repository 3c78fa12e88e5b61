"""math: LLVM intrinsics where there is one that every target has, libm for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.arith import (
    choose,
    constant_float,
    fast_math,
    one_to_one,
)
from xdsl_bufferization.conversion.to_llvm.elementwise import (
    elementwise,
    for_each_element,
    set_elementwise,
)
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.conversion.to_llvm.small_floats import on_llvm_floats
from xdsl_bufferization.dialects import llvm as llvm_ops

_F32, _F64 = Float32Type(), Float64Type()


def _with_flag(op_class: type[Operation], name: str) -> Lowering:
    """The lowering to an intrinsic with an i1 attribute, which is false."""
    properties = {name: IntegerAttr(0, i1)}
    return one_to_one(op_class, lambda op: properties)


def call_libm(
    op: Operation,
    to: FunctionLowering,
    name: str,
    operands: Sequence[SSAValue],
    type_: Attribute,
) -> SSAValue:
    """A call of libm's function for double, or with `f` for float; smaller floats are
    computed as float.
    """
    if type_ not in (_F32, _F64):
        if (bits := getattr(type_, "bitwidth", 128)) > 32:
            to.refuse(op, f"there is no {name} for a float of {bits} bits")
        wide = [to.value(llvm.FPExtOp, (v,), _F32) for v in operands]
        result = call_libm(op, to, name, wide, _F32)
        return to.value(llvm.FPTruncOp, (result,), type_)
    symbol = name if type_ == _F64 else name + "f"
    to.module.check_not_defined(op, symbol)
    function = to.module.declare(op, symbol, [v.type for v in operands], type_)
    return to.call(function, operands, type_).results[0]


def _libm(name: str) -> Lowering:
    """The lowering to calls of a function of libm."""

    def lower(op: Operation, to: FunctionLowering) -> None:
        def call(operands: Sequence[SSAValue], type_: Attribute) -> SSAValue:
            return call_libm(op, to, name, operands, type_)

        for_each_element(op, to, call)

    return lower


def _rsqrt(op: Operation, to: FunctionLowering) -> None:
    flags = fast_math(op)

    def make(v: Sequence[SSAValue], t: Attribute) -> SSAValue:
        root = to.value(llvm.FSqrtOp, v, t, flags)
        return to.value(llvm.FDivOp, (constant_float(to, 1.0, t), root), t, flags)

    set_elementwise(op, to, make)


def _clampf(op: Operation, to: FunctionLowering) -> None:
    flags = fast_math(op)

    def make(v: Sequence[SSAValue], t: Attribute) -> SSAValue:
        low = to.value(llvm_ops.MaximumOp, (v[0], v[1]), t, flags)
        return to.value(llvm_ops.MinimumOp, (low, v[2]), t, flags)

    set_elementwise(op, to, make)


def _sincos(op: Operation, to: FunctionLowering) -> None:
    flags = fast_math(op)
    value = to.get(op.operands[0])
    for result, op_class in zip(op.results, (llvm.FSinOp, llvm.FCosOp), strict=True):
        to.set(
            result,
            elementwise(
                to,
                (value,),
                to.types(result.type),
                lambda v, t, c=op_class: to.value(c, v, t, flags),
            ),
        )


def _fpclass(classes: int) -> Lowering:
    """Whether a float is of one of the classes, a bit mask of LLVM's FPClassTest."""
    properties = {"bit": IntegerAttr(classes, i32)}
    return one_to_one(llvm_ops.IsFPClassOp, lambda op: properties)


_NAN, _INFINITE, _NORMAL, _FINITE = 0x003, 0x204, 0x108, 0x1F8


def _fpowi(op: Operation, to: FunctionLowering) -> None:
    """The intrinsic takes an i32: a narrower power is extended, and a wider one makes it
    a power of floats.
    """
    flags = fast_math(op)

    def scalar(v: Sequence[SSAValue], t: Attribute) -> SSAValue:
        exponent = v[1]
        width = cast(IntegerType, exponent.type).width.data
        if width > 32:
            number = to.value(llvm.SIToFPOp, (exponent,), t)
            return to.value(llvm.FPowOp, (v[0], number), t, flags)
        if width < 32:
            exponent = to.value(llvm.SExtOp, (exponent,), i32)
        return to.value(llvm_ops.PowIOp, (v[0], exponent), t, flags)

    for_each_element(op, to, scalar)


def _integer_power(
    to: FunctionLowering, base: SSAValue, exponent: SSAValue, type_: IntegerType
) -> SSAValue:
    """A power by repeated squaring. To a negative exponent only 1 and -1 are not 0."""
    zero, one = to.integer(0, type_), to.integer(1, type_)
    minus_one = to.integer(-1, type_)
    head = to.new_block((type_, type_, type_))
    result, square, rest = head.args
    # For a negative exponent, -1 decides by its parity as for a positive one.
    is_unit = to.binary(
        llvm.OrOp,
        to.compare("eq", base, one),
        to.compare("eq", base, minus_one),
    )
    negative = to.compare("slt", exponent, zero)
    parity = to.binary(llvm.AndOp, exponent, one)
    start = choose(to, negative, choose(to, is_unit, one, zero), one)
    steps = choose(to, negative, parity, exponent)
    to.branch(head, (start, base, steps))
    to.block = head
    inside, after = to.new_block(), to.new_block()
    to.branch_if(to.compare("ne", rest, zero), (inside, ()), (after, ()))
    to.block = inside
    odd = to.compare("ne", to.binary(llvm.AndOp, rest, one), zero)
    product = choose(to, odd, to.binary(llvm.MulOp, result, square), result)
    next_square = to.binary(llvm.MulOp, square, square)
    to.branch(head, (product, next_square, to.binary(llvm.LShrOp, rest, one)))
    to.block = after
    return result


def _ipowi(op: Operation, to: FunctionLowering) -> None:
    def scalar(v: Sequence[SSAValue], t: Attribute) -> SSAValue:
        return _integer_power(to, v[0], v[1], cast(IntegerType, t))

    for_each_element(op, to, scalar)


MATH_LOWERINGS: dict[str, Lowering] = {
    "math.absf": one_to_one(llvm.FAbsOp, fast_math),
    "math.absi": _with_flag(llvm_ops.AbsOp, "is_int_min_poison"),
    "math.acos": _libm("acos"),
    "math.acosh": _libm("acosh"),
    "math.asin": _libm("asin"),
    "math.asinh": _libm("asinh"),
    "math.atan": _libm("atan"),
    "math.atan2": _libm("atan2"),
    "math.atanh": _libm("atanh"),
    "math.cbrt": _libm("cbrt"),
    "math.ceil": one_to_one(llvm.FCeilOp, fast_math),
    "math.clampf": _clampf,
    "math.copysign": one_to_one(llvm.FCopySignOp, fast_math),
    "math.cos": one_to_one(llvm.FCosOp, fast_math),
    "math.cosh": _libm("cosh"),
    "math.ctlz": _with_flag(llvm_ops.CountLeadingZerosOp, "is_zero_poison"),
    "math.ctpop": one_to_one(llvm_ops.CtPopOp),
    "math.cttz": _with_flag(llvm_ops.CountTrailingZerosOp, "is_zero_poison"),
    "math.erf": _libm("erf"),
    "math.erfc": _libm("erfc"),
    "math.exp": one_to_one(llvm.FExpOp, fast_math),
    "math.exp2": one_to_one(llvm.FExp2Op, fast_math),
    "math.expm1": _libm("expm1"),
    "math.floor": one_to_one(llvm.FFloorOp, fast_math),
    "math.fma": one_to_one(llvm.FMAOp, fast_math),
    "math.fpowi": _fpowi,
    "math.ipowi": _ipowi,
    "math.isfinite": _fpclass(_FINITE),
    "math.isinf": _fpclass(_INFINITE),
    "math.isnan": _fpclass(_NAN),
    "math.isnormal": _fpclass(_NORMAL),
    "math.log": one_to_one(llvm.FLogOp, fast_math),
    "math.log10": one_to_one(llvm_ops.Log10Op, fast_math),
    "math.log1p": _libm("log1p"),
    "math.log2": one_to_one(llvm.FLog2Op, fast_math),
    "math.powf": one_to_one(llvm.FPowOp, fast_math),
    "math.round": one_to_one(llvm_ops.RoundOp, fast_math),
    "math.roundeven": one_to_one(llvm_ops.RoundEvenOp, fast_math),
    "math.rsqrt": _rsqrt,
    "math.sin": one_to_one(llvm.FSinOp, fast_math),
    "math.sincos": _sincos,
    "math.sinh": _libm("sinh"),
    "math.sqrt": one_to_one(llvm.FSqrtOp, fast_math),
    "math.tan": _libm("tan"),
    "math.tanh": _libm("tanh"),
    "math.trunc": one_to_one(llvm_ops.FTruncOp, fast_math),
}

MATH_LOWERINGS.update(
    (name, on_llvm_floats(lowering)) for name, lowering in MATH_LOWERINGS.items()
)
