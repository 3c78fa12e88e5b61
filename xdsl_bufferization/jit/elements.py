"""Element types: the representation of one value in NumPy, Python and LLVM.

A scalar crosses the boundary in eight-byte slots of a frame (see `calling`). An integer
of any width is sign- or zero-extended to fill its slot; a float occupies the first bytes
of its slot; a complex number is its two parts.

    MLIR                  NumPy array                          Python scalar
    i1                    bool                                 bool
    i8 i16 i32 i64        int8 ... or uint8 ... (results int)  int
    si8 ...  ui8 ...      int8 ...  uint8 ...                  int
    index                 int64 or uint64 (results int64)      int
    f16 f32 f64           float16 float32 float64              float
    bf16 and f8 types     those of ml_dtypes, if installed     float
    complex<f32 or f64>   complex64 complex128                 complex

A signless integer accepts arrays of either signedness. A float that is out of range is
converted as by NumPy: 1e300 is inf as an f32.
"""

from __future__ import annotations

import math
import numbers
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, cast

import numpy as np
from xdsl.utils.exceptions import JITException

INDEX_BITS = 64


@dataclass(frozen=True)
class Element:
    """One element type.

    `to_slots` takes a Python number and gives the values `slot_format` packs, or raises
    TypeError, ValueError or OverflowError with the reason; `from_slots` is its inverse.
    """

    name: str
    dtypes: tuple[np.dtype[Any], ...]
    """The array types accepted. Arrays that are results have the first."""
    llvm: str
    """Its type in LLVM IR."""
    slot: str
    """The LLVM type stored in its frame slots."""
    slot_format: str
    """The same for the struct module; a multiple of eight bytes."""
    to_slots: Callable[[Any], tuple[Any, ...]]
    from_slots: Callable[..., Any]
    c_type: str
    signed: bool = True

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.dtypes[0]

    @property
    def slots(self) -> int:
        return 2 if self.slot_format == "dd" else 1


def element_of(type: str, where: str) -> Element:
    """Return the element for an MLIR type.

    `where` says whose type it is, for the error.

    Raises:
        JITException: when values of the type cannot cross.
    """
    element = _element_of(type)
    if element is None:
        raise JITException(
            f"{where}: values of type {type} cannot cross between NumPy and compiled "
            f"code. Possible are {_POSSIBLE}."
        )
    return element


_POSSIBLE = (
    "i1, i8, i16, i32, i64, index, f16, f32, f64, complex<f32>, complex<f64>, "
    "with the package ml_dtypes bf16 and the f8 types, and tensors or memrefs of these"
)


@cache
def _element_of(type: str) -> Element | None:
    integer = re.fullmatch(r"(si|ui|i)(\d+)", type)
    if integer is not None:
        return _integer(type, int(integer[2]), integer[1])
    match type:
        case "index":
            return _integer(type, INDEX_BITS, "i")
        case "f16":
            return _float(type, np.dtype(np.float16), "half", "e6x", "_Float16")
        case "f32":
            return _float(type, np.dtype(np.float32), "float", "f4x", "float")
        case "f64":
            return _float(type, np.dtype(np.float64), "double", "d", "double")
        case "complex<f32>":
            return _complex(type, np.dtype("F"), np.dtype("f"), "float", "ff")
        case "complex<f64>":
            return _complex(type, np.dtype("D"), np.dtype("d"), "double", "dd")
        case "bf16":
            return _small_float(type, "bfloat16", "bfloat")
        case _:
            return _small_float(type, *_F8_TYPES.get(type, ("", "")))


def _integer(name: str, width: int, kind: str) -> Element | None:
    if width == 1:
        return Element(
            name, (np.dtype(np.bool_),), "i1", "i64", "q", _bool_slot, bool, "bool", False
        )
    if width not in (8, 16, 32, 64):
        return None
    signed = np.dtype(f"i{width // 8}")
    unsigned = np.dtype(f"u{width // 8}")
    low, high = -(1 << (width - 1)), (1 << width) - 1
    dtypes = (signed, unsigned)
    if kind == "si":
        high, dtypes = (1 << (width - 1)) - 1, (signed,)
    elif kind == "ui":
        low, dtypes = 0, (unsigned,)

    def to_slots(value: Any) -> tuple[int]:
        number = operator.index(value)
        if not low <= number <= high:
            raise OverflowError(f"{number} does not fit: {low} to {high}")
        return (number if number < 1 << 63 else number - (1 << 64),)

    def from_slots(slot: int) -> int:
        return slot & high if low == 0 else slot

    c_type = f"{'u' if low == 0 else ''}int{width}_t"
    return Element(
        name, dtypes, f"i{width}", "i64", "q", to_slots, from_slots, c_type, low != 0
    )


def _bool_slot(value: Any) -> tuple[int]:
    number = int(value) if value.__class__ is np.bool_ else operator.index(value)
    if number not in (0, 1):
        raise OverflowError(f"{number} is neither 0 nor 1")
    return (number,)


def _float(
    name: str, dtype: np.dtype[Any], llvm: str, slot_format: str, c_type: str
) -> Element:
    limit = _overflow_limit(dtype)

    def to_slots(value: Any) -> tuple[float]:
        return (_limited(_to_float(value), limit),)

    return Element(name, (dtype,), llvm, llvm, slot_format, to_slots, float, c_type)


def _overflow_limit(dtype: np.dtype[Any]) -> float:
    """Return the least magnitude that the type rounds to infinity: its largest number
    and half of a last place, which ties to even."""
    if dtype.itemsize == 8:
        return math.inf
    largest = float(np.finfo(dtype).max)
    before = float(np.nextafter(np.finfo(dtype).max, dtype.type(0)))
    return largest + (largest - before) / 2


def _limited(number: float, limit: float) -> float:
    """Return the number, or the infinity that it becomes from the limit on."""
    return math.copysign(math.inf, number) if abs(number) >= limit else number


def _to_float(value: Any) -> float:
    if value.__class__ is float or value.__class__ is int:
        return float(value)
    if isinstance(value, numbers.Complex) and not isinstance(value, numbers.Real):
        raise TypeError(f"{value!r} is complex")
    if not hasattr(value, "__float__") and not hasattr(value, "__index__"):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _complex(
    name: str, dtype: np.dtype[Any], real: np.dtype[Any], part: str, slot_format: str
) -> Element:
    limit = _overflow_limit(real)

    def to_slots(value: Any) -> tuple[float, float]:
        if not isinstance(value, numbers.Number):
            raise TypeError(f"{value!r} is no number")
        number = complex(cast(complex, value))
        return _limited(number.real, limit), _limited(number.imag, limit)

    llvm = f"{{ {part}, {part} }}"
    return Element(
        name,
        (dtype,),
        llvm,
        llvm,
        slot_format,
        to_slots,
        complex,
        f"{part} _Complex",
    )


_F8_TYPES = {
    # MLIR's name: the name in ml_dtypes, LLVM's type
    "f8E3M4": ("float8_e3m4", "i8"),
    "f8E4M3": ("float8_e4m3", "i8"),
    "f8E4M3FN": ("float8_e4m3fn", "i8"),
    "f8E4M3FNUZ": ("float8_e4m3fnuz", "i8"),
    "f8E4M3B11FNUZ": ("float8_e4m3b11fnuz", "i8"),
    "f8E5M2": ("float8_e5m2", "i8"),
    "f8E5M2FNUZ": ("float8_e5m2fnuz", "i8"),
    "f8E8M0FNU": ("float8_e8m0fnu", "i8"),
}


def _small_float(name: str, ml_name: str, llvm: str) -> Element | None:
    """A float type that NumPy lacks and ml_dtypes has. It crosses as its bits."""
    if not ml_name:
        return None
    try:
        ml_type = getattr(import_module("ml_dtypes"), ml_name)
    except (ImportError, AttributeError):
        return None
    dtype = np.dtype(ml_type)
    bits = np.dtype(f"u{dtype.itemsize}")

    def to_slots(value: Any) -> tuple[int]:
        with np.errstate(over="ignore", invalid="ignore"):
            return (int(np.array(_to_float(value)).astype(dtype).view(bits)),)

    def from_slots(slot: int) -> float:
        return float(np.array(slot & ((1 << 8 * bits.itemsize) - 1), bits).view(dtype))

    return Element(
        name,
        (dtype,),
        llvm,
        llvm,
        "q",
        to_slots,
        from_slots,
        f"uint{8 * bits.itemsize}_t",
    )
