"""arith.truncf with a rounding mode.

LLVM has an intrinsic for it that only states the processor's current mode: nothing sets
the mode, so compiled code always rounds to nearest. Here, the number is rounded to
nearest, extended again, and compared with the original; the result is then one of the
two neighbours, which differ by one as integers. A bf16 is the upper half of an f32, and
is computed by integer arithmetic.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float32Type,
    IntegerAttr,
    IntegerType,
    f32,
    i1,
    i16,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.elementwise import for_each_element
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering
from xdsl_bufferization.dialects import llvm as llvm_ops

_FLAGS = {"fastmathFlags": llvm.FastMathAttr(None)}
_INFINITY, _NAN = 0x7F800000, 0x7FC00000
"""The bits of f32."""


def truncate_rounded(op: Operation, to: FunctionLowering, mode: str) -> None:
    """Lower an arith.truncf to a type that LLVM has."""
    choose = _CHOICES[mode]

    def make(operands: Sequence[SSAValue], target: Attribute) -> SSAValue:
        assert isinstance(target, AnyFloat)
        if isinstance(target, BFloat16Type):
            rounding = _ToBFloat(to, operands[0])
        else:
            rounding = _ToNeighbour(to, operands[0], target)
        return rounding.result(choose(rounding))

    for_each_element(op, to, make)


class _Rounding(ABC):
    """What one number may become: the bits of a magnitude, to be given its sign."""

    def __init__(self, to: FunctionLowering, number: SSAValue, target: AnyFloat) -> None:
        assert isinstance(number.type, AnyFloat)
        self._to, self._target = to, target
        self._wide = number.type
        self._type = IntegerType(target.bitwidth)
        bits_type = IntegerType(self._wide.bitwidth)
        bits = to.value(llvm.BitcastOp, (number,), bits_type)
        self._is_negative = to.compare("slt", bits, to.integer(0, bits_type))
        self._magnitude = to.value(llvm.FAbsOp, (number,), self._wide, _FLAGS)

    @abstractmethod
    def inwards(self) -> SSAValue:
        """The one towards zero."""

    @abstractmethod
    def outwards(self) -> SSAValue:
        """The one away from zero."""

    @abstractmethod
    def nearest(self) -> SSAValue:
        """The nearest one; of two that are as near, the one away from zero."""

    def for_sign(self, negative: SSAValue, positive: SSAValue) -> SSAValue:
        return self._select(self._is_negative, negative, positive)

    def result(self, code: SSAValue) -> SSAValue:
        sign = self._to.integer(1 << (self._type.width.data - 1), self._type)
        negative = self._to.binary(llvm.OrOp, code, sign)
        code = self._select(self._is_negative, negative, code)
        return self._to.value(llvm.BitcastOp, (code,), self._target)

    def _select(self, condition: SSAValue, then: SSAValue, other: SSAValue) -> SSAValue:
        operands = (condition, then, other)
        return self._to.value(llvm_ops.SelectOp, operands, then.type, _FLAGS)


class _ToNeighbour(_Rounding):
    """To a type that a processor rounds to."""

    def __init__(self, to: FunctionLowering, number: SSAValue, target: AnyFloat) -> None:
        super().__init__(to, number, target)
        nearest = to.value(llvm.FPTruncOp, (self._magnitude,), target)
        self._code = to.value(llvm.BitcastOp, (nearest,), self._type)
        self._nearest = self._extended(nearest)

    def inwards(self) -> SSAValue:
        too_large = self._compare("ogt", self._nearest, self._magnitude)
        return self._select(too_large, self._neighbour(-1), self._code)

    def outwards(self) -> SSAValue:
        too_small = self._compare("olt", self._nearest, self._magnitude)
        return self._select(too_small, self._neighbour(1), self._code)

    def nearest(self) -> SSAValue:
        to, beyond = self._to, self._neighbour(1)
        larger = self._extended(to.value(llvm.BitcastOp, (beyond,), self._target))
        # Both differences are exact. That of a rounded up number is negative, or NaN.
        missing = self._difference(self._magnitude, self._nearest)
        excess = self._difference(larger, self._magnitude)
        return self._select(self._compare("oeq", missing, excess), beyond, self._code)

    def _difference(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self._to.value(llvm.FSubOp, (lhs, rhs), self._wide, _FLAGS)

    def _extended(self, number: SSAValue) -> SSAValue:
        return self._to.value(llvm.FPExtOp, (number,), self._wide)

    def _neighbour(self, distance: int) -> SSAValue:
        step = self._to.integer(distance, self._type)
        return self._to.binary(llvm.AddOp, self._code, step)

    def _compare(self, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return _compare(self._to, predicate, lhs, rhs)


class _ToBFloat(_Rounding):
    """To bf16. What is wider than f32 is first rounded to odd, as an f32: that it lay
    between two numbers is then still seen (Boldo and Melquiond, 2008)."""

    def __init__(self, to: FunctionLowering, number: SSAValue) -> None:
        super().__init__(to, number, BFloat16Type())
        magnitude = self._magnitude
        if isinstance(self._wide, Float32Type):
            self._bits = to.value(llvm.BitcastOp, (magnitude,), i32)
            return
        inner = _ToNeighbour(to, magnitude, f32).inwards()
        back = to.value(llvm.BitcastOp, (inner,), f32)
        back = to.value(llvm.FPExtOp, (back,), self._wide)
        is_inexact = _compare(to, "one", back, magnitude)
        sticky = to.value(llvm.ZExtOp, (is_inexact,), i32)
        self._bits = to.binary(llvm.OrOp, inner, sticky)

    def inwards(self) -> SSAValue:
        return self._upper_half(0)

    def outwards(self) -> SSAValue:
        return self._upper_half(0xFFFF)

    def nearest(self) -> SSAValue:
        return self._upper_half(0x8000)

    def _upper_half(self, added: int) -> SSAValue:
        """Of the bits with a number added, or of NaN."""
        to = self._to
        bits = to.binary(llvm.AddOp, self._bits, to.integer(added, i32))
        is_nan = to.compare("sgt", self._bits, to.integer(_INFINITY, i32))
        bits = self._select(is_nan, to.integer(_NAN, i32), bits)
        bits = to.binary(llvm.LShrOp, bits, to.integer(16, i32))
        return to.value(llvm.TruncOp, (bits,), i16)


def _compare(
    to: FunctionLowering, predicate: str, lhs: SSAValue, rhs: SSAValue
) -> SSAValue:
    number = llvm.FCmpPredicateFlag(predicate).to_int()
    properties = {"predicate": IntegerAttr(number, 64), **_FLAGS}
    return to.value(llvm_ops.FCmpOp, (lhs, rhs), i1, properties)


_CHOICES: dict[str, Callable[[_Rounding], SSAValue]] = {
    "downward": lambda r: r.for_sign(r.outwards(), r.inwards()),
    "upward": lambda r: r.for_sign(r.inwards(), r.outwards()),
    "toward_zero": lambda r: r.inwards(),
    "to_nearest_away": lambda r: r.nearest(),
}
