"""The bits of f80 and f128.

xDSL holds the value of every float constant in a double, and does not know the bits of
these two types. MLIR reads decimal literals of them as doubles too, so only hexadecimal
literals can state more than a double holds; those are diagnosed.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from xdsl.dialects.builtin import Float80Type, Float128Type

WideFloat: TypeAlias = Float80Type | Float128Type

_BIAS = 16383
_SPECIAL = 0x7FFF
"""The exponent of infinities and NaNs."""


def _significand_bits(type: WideFloat) -> int:
    """The bits below the exponent, of which f80 states the leading one."""
    return 64 if isinstance(type, Float80Type) else 112


def _fraction_bits(type: WideFloat) -> int:
    return 63 if isinstance(type, Float80Type) else 112


def wide_bits(value: float, type: WideFloat) -> int:
    """Return the bits of a double in a wider type, in which it is always normal."""
    sign = math.copysign(1, value) < 0
    fraction = _fraction_bits(type)
    if value == 0:
        exponent = significand = 0
    elif math.isfinite(value):
        mantissa, power = math.frexp(abs(value))
        exponent = power - 1 + _BIAS
        significand = int(math.ldexp(mantissa, 53)) << (fraction - 52)
    else:
        exponent = _SPECIAL
        significand = (2 if math.isinf(value) else 3) << (fraction - 1)
    if isinstance(type, Float128Type):
        significand &= (1 << fraction) - 1
    width = _significand_bits(type)
    return (sign << (15 + width)) | (exponent << width) | significand


def wide_value(bits: int, type: WideFloat) -> float:
    """Return the number with given bits.

    Raises:
        ValueError: no double has this value, or the bits are too many.
    """
    width = _significand_bits(type)
    if bits >> (16 + width):
        raise ValueError(f"0x{bits:X} is too wide for {type}")
    exponent = (bits >> width) & _SPECIAL
    significand = bits & ((1 << width) - 1)
    fraction = _fraction_bits(type)
    if exponent == _SPECIAL:
        is_infinite = significand & ((1 << fraction) - 1) == 0
        value = math.inf if is_infinite else math.nan
    else:
        if isinstance(type, Float128Type) and exponent:
            significand |= 1 << fraction
        try:
            value = math.ldexp(significand, max(exponent, 1) - _BIAS - fraction)
        except OverflowError:
            value = math.inf
    value = math.copysign(value, -1 if bits >> (15 + width) else 1)
    if not math.isnan(value) and wide_bits(value, type) != bits:
        raise ValueError(f"constants of {type} that no f64 holds are not supported")
    return value
