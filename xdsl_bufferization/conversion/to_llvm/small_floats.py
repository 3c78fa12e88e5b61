"""arith.extf and arith.truncf of the 8-bit floats, which LLVM has no types for.

They are stored as i8. A number is extended by a table lookup of its bits. It is
truncated, to nearest with ties to even, by arithmetic on the bits:

- A number that is normal in the small format loses bits of its mantissa, whose rounding
  carry may propagate into the exponent; then the exponent's bias is changed.
- A subnormal number is rounded by adding a number whose last bit has the weight of the
  small format's last bit; the mantissa of the sum then contains the result.
- A number that is too large becomes infinity or, if the format has none, NaN.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    FloatNanEncoding,
    IntegerAttr,
    IntegerType,
    ReducedPrecisionFloatType,
    SymbolRefAttr,
    TensorType,
    VectorType,
    f32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.elementwise import (
    element_type,
    for_each_element,
)
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.conversion.to_llvm.types import POINTER, is_vector
from xdsl_bufferization.dialects import llvm as llvm_ops

Small: TypeAlias = ReducedPrecisionFloatType
Wide: TypeAlias = Float32Type | Float64Type

_BYTE = IntegerType(8)


def small_float(type_: Attribute) -> Small | None:
    """The small format of a type's elements, if they have one; tf32 is none."""
    element = element_type(type_)
    if isinstance(element, ReducedPrecisionFloatType) and element.bitwidth <= 8:
        return element
    return None


def codes_of(value: Attribute) -> Attribute:
    """A constant, with small floats as the integers that stand for them."""
    if isinstance(value, FloatAttr):
        number = cast("FloatAttr[AnyFloat]", value)
        small = small_float(number.type)
        if small is not None:
            (code,) = small.pack([number.value.data])
            return IntegerAttr(code, _BYTE, truncate_bits=True)
        return number
    if isinstance(value, DenseIntOrFPElementsAttr):
        dense = cast("DenseIntOrFPElementsAttr[Any]", value)
        small = dense.get_element_type()
        if isinstance(small, ReducedPrecisionFloatType) and small.bitwidth == 8:
            shape = dense.get_shape()
            if is_vector(dense.type):
                return DenseIntOrFPElementsAttr(VectorType(_BYTE, shape), dense.data)
            return DenseIntOrFPElementsAttr(TensorType(_BYTE, shape), dense.data)
        return dense
    return value


def on_llvm_floats(lowering: Lowering) -> Lowering:
    """A lowering that refuses small floats, of which it would use the bits."""

    def lower(op: Operation, to: FunctionLowering) -> None:
        small = small_float(op.operands[0].type) or small_float(op.results[0].type)
        if small is not None:
            to.refuse(
                op,
                f"LLVM does not compute with {small}; extend to f32 with arith.extf and "
                "truncate the result with arith.truncf",
            )
        lowering(op, to)

    return lower


def extend(op: Operation, to: FunctionLowering, source: Small) -> None:
    if source.bitwidth != 8:
        to.refuse(op, f"elements of type {source} are not supported")
    table = _table(to, source)
    index = to.index_type

    def make(operands: Sequence[SSAValue], target: Attribute) -> SSAValue:
        place = operands[0]
        if index.width.data > 8:
            place = to.value(llvm.ZExtOp, (place,), index)
        symbol = {"global_name": SymbolRefAttr(table)}
        pointer = to.value(llvm.AddressOfOp, (), POINTER, symbol)
        number = to.load(to.gep(pointer, f32, (place,), inbounds=True), f32)
        return _converted(to, number, target)

    for_each_element(op, to, make)


def _table(to: FunctionLowering, source: Small) -> str:
    """The global with the numbers that the 256 codes of a format stand for."""
    name = f"__{source.name}_numbers"
    if name not in to.module.symbols:
        numbers = [source.unpack(bytes((code,)), 1)[0] for code in range(256)]
        value = DenseIntOrFPElementsAttr.from_list(TensorType(f32, (256,)), numbers)
        type_ = llvm.LLVMArrayType(256, f32)
        to.module.add(
            llvm.GlobalOp(type_, name, "private", constant=True, value=value), name
        )
    return name


def _converted(to: FunctionLowering, number: SSAValue, target: Attribute) -> SSAValue:
    """An f32 as another type that LLVM has."""
    if target == f32:
        return number
    wider = isinstance(target, Float64Type)
    return to.value(llvm.FPExtOp if wider else llvm.FPTruncOp, (number,), target)


def truncate(op: Operation, to: FunctionLowering, target: Small) -> None:
    if target.bitwidth != 8 or not target.SEMANTICS.has_sign:
        to.refuse(op, f"numbers cannot be truncated to {target}")

    def make(operands: Sequence[SSAValue], _: Attribute) -> SSAValue:
        number = operands[0]
        if not isinstance(number.type, Float32Type | Float64Type):
            number = to.value(llvm.FPExtOp, (number,), f32)
        return _Truncation(to, number, target).result()

    for_each_element(op, to, make)


class _Truncation:
    """Truncates an f32 or f64, with all arithmetic on integers of its width."""

    def __init__(self, to: FunctionLowering, number: SSAValue, target: Small) -> None:
        self._to = to
        self._number = number
        self._target = target
        self._wide = cast(Wide, number.type)
        self._type = IntegerType(self._wide.bitwidth)
        self._mantissa = 23 if isinstance(self._wide, Float32Type) else 52
        self._bias = 127 if isinstance(self._wide, Float32Type) else 1023

    def result(self) -> SSAValue:
        to, semantics = self._to, self._target.SEMANTICS
        width = self._type.width.data
        bits = to.value(llvm.BitcastOp, (self._number,), self._type)
        magnitude = to.binary(llvm.AndOp, bits, self._constant((1 << (width - 1)) - 1))
        is_subnormal = self._less(magnitude, self._bits_of(2.0 ** (1 - self._small_bias)))
        code = self._select(
            is_subnormal, self._subnormal(magnitude), self._normal(magnitude)
        )
        largest, beyond, nan = self._ends()
        code = self._select(
            self._less(self._constant(largest), code), self._constant(beyond), code
        )
        is_nan = self._less(self._bits_of(float("inf")), magnitude)
        code = self._select(is_nan, self._constant(nan), code)
        sign = to.binary(llvm.LShrOp, bits, self._constant(width - 8))
        sign = to.binary(llvm.AndOp, sign, self._constant(0x80))
        if semantics.nan_encoding is FloatNanEncoding.NEGATIVE_ZERO:
            # Zero and NaN have no sign.
            is_zero = to.compare("eq", code, self._constant(0))
            sign = self._select(is_zero, self._constant(0), sign)
        signed = to.binary(llvm.OrOp, code, sign)
        return to.value(llvm.TruncOp, (signed,), _BYTE)

    @property
    def _small_bias(self) -> int:
        return self._target.SEMANTICS.exponent_bias

    def _ends(self) -> tuple[int, int, int]:
        """The code of the largest finite number, of what lies beyond, and of NaN."""
        semantics = self._target.SEMANTICS
        if semantics.nan_encoding is FloatNanEncoding.NEGATIVE_ZERO:
            return 0x7F, 0x80, 0x80
        if semantics.nan_encoding is FloatNanEncoding.ALL_ONES:
            return 0x7E, 0x7F, 0x7F
        mantissa = semantics.mantissa_bits
        infinity = ((1 << semantics.exponent_bits) - 1) << mantissa
        return infinity - 1, infinity, infinity | 1 << (mantissa - 1)

    def _normal(self, magnitude: SSAValue) -> SSAValue:
        to, mantissa = self._to, self._target.SEMANTICS.mantissa_bits
        shift = self._mantissa - mantissa
        places = self._constant(shift)
        last = to.binary(llvm.LShrOp, magnitude, places)
        last = to.binary(llvm.AndOp, last, self._constant(1))
        below_half = self._constant((1 << (shift - 1)) - 1)
        rounded = to.binary(llvm.AddOp, magnitude, below_half)
        rounded = to.binary(llvm.AddOp, rounded, last)
        rounded = to.binary(llvm.LShrOp, rounded, places)
        rebias = self._constant((self._bias - self._small_bias) << mantissa)
        return to.binary(llvm.SubOp, rounded, rebias)

    def _subnormal(self, magnitude: SSAValue) -> SSAValue:
        to, mantissa = self._to, self._target.SEMANTICS.mantissa_bits
        absolute = to.value(llvm.BitcastOp, (magnitude,), self._wide)
        start = self._bits_of(2.0 ** (1 - self._small_bias - mantissa + self._mantissa))
        start_number = to.value(llvm.BitcastOp, (start,), self._wide)
        total = to.binary(llvm.FAddOp, absolute, start_number)
        total = to.value(llvm.BitcastOp, (total,), self._type)
        return to.binary(llvm.SubOp, total, start)

    def _constant(self, value: int) -> SSAValue:
        return self._to.integer(value, self._type)

    def _bits_of(self, number: float) -> SSAValue:
        codes = "<f", "<I"
        if isinstance(self._wide, Float64Type):
            codes = "<d", "<Q"
        (bits,) = struct.unpack(codes[1], struct.pack(codes[0], number))
        return self._constant(bits)

    def _less(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self._to.compare("slt", lhs, rhs)

    def _select(self, condition: SSAValue, then: SSAValue, other: SSAValue) -> SSAValue:
        operands = (condition, then, other)
        flags = {"fastmathFlags": llvm.FastMathAttr(None)}
        return self._to.value(llvm_ops.SelectOp, operands, self._type, flags)
