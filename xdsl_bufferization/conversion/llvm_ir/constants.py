"""Types and constants in LLVM IR: bf16 and the wide floats, nested and large arrays."""

from __future__ import annotations

import math
import struct
import sys
from functools import partial
from typing import Any, cast

import llvmlite.ir as _ir  # pyright: ignore[reportMissingTypeStubs]
from xdsl.backend.llvm import convert_type as xdsl_types
from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    FloatAttr,
    IntegerAttr,
    StringAttr,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import LLVMTranslationException

from xdsl_bufferization.conversion.to_llvm.types import is_integer, is_vector
from xdsl_bufferization.dialects.dense_elements import repeated_element, repetition_of

ir: Any = _ir

POINTER: Any = ir.PointerType()

_LARGE = 64
"""From this many elements on, an array in memory is written as a string of bytes, which
LLVM reads some twenty times faster than a list of constants."""


VERY_LARGE = 1 << 20
"""From this number of bytes on, an array of equal elements is not written at all, but
filled when the program is loaded."""


class _NamedFloat(ir.types.Type):
    """A float type that llvmlite does not know."""

    null = "0.0"

    def __init__(self, name: str, intrinsic_name: str) -> None:
        self._name = name
        self.intrinsic_name = intrinsic_name

    def _to_string(self) -> str:
        return self._name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _NamedFloat) and other._name == self._name

    def __hash__(self) -> int:
        return hash(self._name)

    def format_constant(self, value: float) -> str:
        if self._name == "bfloat":
            return f"0xR{bfloat_bits(value):04X}"
        raise LLVMTranslationException(
            f"constants of type {self._name} are not supported"
        )


def bfloat_bits(value: float) -> int:
    """The bits of the bfloat16 nearest to a number, ties to even."""
    if math.isnan(value):
        return 0x7FC0
    try:
        (bits,) = struct.unpack("<I", struct.pack("<f", value))
    except OverflowError:
        return 0xFF80 if value < 0 else 0x7F80
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) & 0xFFFF


_ADDED_TYPES: dict[type[Attribute], Any] = {
    BFloat16Type: _NamedFloat("bfloat", "bf16"),
    Float80Type: _NamedFloat("x86_fp80", "f80"),
    Float128Type: _NamedFloat("fp128", "f128"),
}


def add_types() -> None:
    """Teaches xDSL's translation of types, also of those nested in others, ours."""
    table = cast("dict[Any, Any]", vars(xdsl_types)["_TYPE_CONVERTERS"])
    for type_, converted in _ADDED_TYPES.items():
        table.setdefault(type_, partial(_always, converted))


def _always(converted: Any, type_: Attribute) -> Any:
    return converted


def convert_type(type_: Attribute) -> Any:
    return xdsl_types.convert_type(type_)


def text_constant(type_: Any, text: str) -> Any:
    """A constant as it is written: undef, poison, @name."""
    constant = ir.FormattedConstant(ir.IntType(1), text)
    # The constructor would take the text for the elements of a vector.
    constant.type = type_
    return constant


def constant(type_: Attribute, value: Attribute) -> Any:
    """A constant of a type from an attribute, as a value that has this type.

    Raises:
        LLVMTranslationException: when the attribute is no constant of the type.
    """
    if isinstance(value, IntegerAttr):
        return ir.Constant(convert_type(type_), _integer(value.value.data, type_))
    if isinstance(value, FloatAttr):
        number = value.value.data
        return ir.Constant(convert_type(type_), number)
    if isinstance(value, StringAttr):
        data = value.data.encode("utf-8", "surrogateescape")
        return _bytes(data)
    if isinstance(value, DenseIntOrFPElementsAttr):
        return _dense(type_, cast("DenseIntOrFPElementsAttr[Any]", value))
    if isinstance(value, ArrayAttr) and isinstance(type_, llvm.LLVMStructType):
        members = zip(type_.types.data, cast("ArrayAttr[Attribute]", value), strict=True)
        return ir.Constant(
            convert_type(type_), [constant(type_, each) for type_, each in members]
        )
    raise LLVMTranslationException(f"{value} cannot be a constant of type {type_}")


def initial_value(type_: Attribute, value: Attribute) -> Any:
    """The initial value of a global: a constant of its type, or of another type of its
    size, since a large array of numbers of whole bytes becomes its bytes."""
    if not isinstance(value, DenseIntOrFPElementsAttr):
        return constant(type_, value)
    dense = cast("DenseIntOrFPElementsAttr[Any]", value)
    is_image = len(dense) >= _LARGE and _is_memory_image(type_, dense)
    if is_image and not _is_zero(dense):
        return _bytes(dense.data.data)
    return _dense(type_, dense)


def _integer(value: int, type_: Attribute) -> int:
    """A number as LLVM prints it; i1 is 0 or 1."""
    if is_integer(type_) and type_.width.data == 1:
        return value & 1
    return value


def _bytes(data: bytes) -> Any:
    return ir.Constant(ir.ArrayType(ir.IntType(8), len(data)), bytearray(data))


_MEMORY_IMAGE = (Float16Type, Float32Type, Float64Type, BFloat16Type)


def _is_memory_image(type_: Attribute, value: DenseIntOrFPElementsAttr[Any]) -> bool:
    """Whether the bytes of a constant are those of an array in memory, which has no space
    between its elements."""
    inner = _innermost(type_)
    if inner is type_ or is_vector(inner) or sys.byteorder != "little":
        return False
    element = value.get_element_type()
    return isinstance(element, _MEMORY_IMAGE) or (
        is_integer(element) and element.width.data in (8, 16, 32, 64)
    )


def _innermost(type_: Attribute) -> Attribute:
    """The type of what nested arrays are arrays of."""
    while isinstance(type_, llvm.LLVMArrayType):
        type_ = type_.type
    return type_


def _is_zero(value: DenseIntOrFPElementsAttr[Any]) -> bool:
    repetition = repetition_of(value)
    return not any(value.data.data if repetition is None else repetition.element)


def _dense(type_: Attribute, value: DenseIntOrFPElementsAttr[Any]) -> Any:
    """An array or vector."""
    if _is_zero(value):
        return text_constant(convert_type(type_), "zeroinitializer")
    return _nested(type_, list(cast("Any", value.get_values())))


def repeated_constant(
    type_: Attribute, value: Attribute | None
) -> tuple[Any, int] | None:
    """Return the constant that a very large array repeats and how often, or None. An
    array of zeros does not count: LLVM IR has a short form for it."""
    if not isinstance(value, DenseIntOrFPElementsAttr):
        return None
    dense = cast("DenseIntOrFPElementsAttr[Any]", value)
    repetition, one = repetition_of(dense), repeated_element(dense)
    if repetition is None or one is None or not any(repetition.element):
        return None
    if len(repetition.element) * repetition.times < VERY_LARGE:
        return None
    element = _innermost(type_)
    count = math.prod(element.get_shape()) if is_vector(element) else 1
    return _nested(element, [*one.get_values()] * count), repetition.times // count


def _nested(type_: Attribute, values: list[Any]) -> Any:
    if isinstance(type_, llvm.LLVMArrayType):
        size = type_.size.data
        step = len(values) // size if size else 0
        rows = [
            _nested(type_.type, values[at * step : (at + 1) * step]) for at in range(size)
        ]
        return ir.Constant(convert_type(type_), rows)
    if isinstance(type_, llvm.LLVMStructType):
        parts = zip(type_.types, values[0], strict=True)
        fields = [ir.Constant(convert_type(t), v) for t, v in parts]
        return ir.Constant(convert_type(type_), fields)
    converted = convert_type(type_)
    if isinstance(converted, ir.VectorType):
        element = cast(Any, type_).element_type
        numbers = [_number(v, element) for v in values]
        return ir.Constant(
            converted, [ir.Constant(converted.element, n) for n in numbers]
        )
    return ir.Constant(converted, _number(values[0], type_))


def _number(value: Any, type_: Attribute) -> Any:
    return _integer(value, type_) if isinstance(value, int) else value
