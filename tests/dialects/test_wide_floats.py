"""The bits of f80 and f128 are those of the double that states a constant's value."""

from __future__ import annotations

import math
import sys
from typing import cast

import pytest
from xdsl.dialects.builtin import Float80Type, Float128Type, FloatAttr
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from xdsl_bufferization.dialects.wide_floats import WideFloat, wide_bits, wide_value
from xdsl_bufferization.universe import new_context

TYPES = (Float80Type(), Float128Type())
SMALLEST = math.ulp(0.0)
VALUES = (
    0.0,
    -0.0,
    1.0,
    -2.5,
    math.pi,
    sys.float_info.max,
    sys.float_info.min,
    SMALLEST,
    -3 * SMALLEST,
    sys.float_info.min - SMALLEST,
    math.inf,
    -math.inf,
)
BITS = {
    Float80Type(): {
        1.0: 0x3FFF_8000_0000_0000_0000,
        -2.5: 0xC000_A000_0000_0000_0000,
        -0.0: 0x8000_0000_0000_0000_0000,
        SMALLEST: 0x3BCD_8000_0000_0000_0000,
        math.inf: 0x7FFF_8000_0000_0000_0000,
    },
    Float128Type(): {
        1.0: 0x3FFF << 112,
        -2.5: 0xC0004 << 108,
        -0.0: 1 << 127,
        SMALLEST: 0x3BCD << 112,
        math.inf: 0x7FFF << 112,
    },
}


def constant(text: str) -> FloatAttr:
    return cast(FloatAttr, Parser(new_context(), text).parse_attribute())


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("value", VALUES)
def test_bits_of_a_double_are_read_as_this_double(type: WideFloat, value: float) -> None:
    again = wide_value(wide_bits(value, type), type)
    assert (again, math.copysign(1, again)) == (value, math.copysign(1, value))


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_nan_is_read_as_nan(type: WideFloat) -> None:
    assert math.isnan(wide_value(wide_bits(math.nan, type), type))


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_bits(type: WideFloat) -> None:
    assert {value: wide_bits(value, type) for value in BITS[type]} == BITS[type]


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("value", VALUES)
def test_a_printed_constant_is_read_back(type: WideFloat, value: float) -> None:
    again = constant(str(FloatAttr(value, type))).value.data
    assert (again, math.copysign(1, again)) == (value, math.copysign(1, value))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0x3FFF8000000000000001 : f80", "no f64 holds"),  # 1 + 2^-63
        ("0x00008000000000000000 : f80", "no f64 holds"),  # 2^-16382
        ("0x3FFF0000000000000000 : f80", "no f64 holds"),  # without its leading one
        ("0x7FFE0000000000000000000000000000 : f128", "no f64 holds"),  # 2^16383
        ("0x13FFF8000000000000000 : f80", "too wide"),
        ("0x10000000000000000000000000000000000 : f128", "too wide"),
        ("dense<1.0> : tensor<2xf80>", "arith.extf"),
        ("array<f128: 1.0>", "arith.extf"),
    ],
)
def test_what_no_double_holds_is_diagnosed(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        constant(text)
