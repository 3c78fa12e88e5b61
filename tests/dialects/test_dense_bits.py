"""Large constants of i1 are printed as mlir-opt prints them, and read."""

from __future__ import annotations

import random
from math import prod

import pytest

from tests.oracle.harness import requires_mlir_opt
from tests.oracle.tools import mlir_opt, xdsl_opt

SHAPES = [(101,), (200,), (8, 13), (2, 64), (16, 16, 5)]


def program(shape: tuple[int, ...]) -> str:
    elements = random.Random(prod(shape)).choices(("true", "false"), k=prod(shape))
    for size in reversed(shape):
        elements = [
            f"[{', '.join(elements[at : at + size])}]"
            for at in range(0, len(elements), size)
        ]
    type_ = f"tensor<{'x'.join(map(str, shape))}xi1>"
    return f"""
        func.func @f() -> {type_} {{
          %0 = arith.constant dense<{elements[0]}> : {type_}
          return %0 : {type_}
        }}
        """


def value(text: str) -> str:
    return text.partition("dense")[2].partition(" :")[0]


@pytest.mark.parametrize("shape", SHAPES)
def test_printed_bits_are_read(shape: tuple[int, ...]) -> None:
    once = xdsl_opt(program(shape))
    again = xdsl_opt(once.text)
    assert 'dense<"0x' in once.text
    assert again.text == once.text
    assert xdsl_opt(program(shape), "canonicalize").text == once.text


@requires_mlir_opt
@pytest.mark.parametrize("shape", SHAPES)
def test_bits_are_those_of_mlir_opt(shape: tuple[int, ...]) -> None:
    (theirs,) = mlir_opt([program(shape)])
    ours = xdsl_opt(program(shape))
    (accepted,) = mlir_opt([ours.text])
    assert value(ours.text) == value(theirs.text) == value(accepted.text)
    assert value(xdsl_opt(theirs.text).text) == value(ours.text)


@pytest.mark.parametrize(
    ("digits", "first"), [("FF", "true"), ("00", "false"), ("FF00FF00FF00FF00FF00", "")]
)
def test_elements_in_a_byte_each_and_splats(digits: str, first: str) -> None:
    """xDSL prints these, and reads one byte as all elements."""
    text = f'"test.op"() {{v = dense<"0x{digits}"> : tensor<10xi1>}} : () -> ()'
    elements = (
        first or "[true, false, true, false, true, false, true, false, true, false]"
    )
    printed = xdsl_opt(text, allow_unregistered=True).text
    assert f"dense<{elements}>" in printed


@pytest.mark.parametrize("digits", ["FFFFFF", "0G", "F"])
def test_wrong_digits(digits: str) -> None:
    text = f'"test.op"() {{v = dense<"0x{digits}"> : tensor<10xi1>}} : () -> ()'
    assert "ParseError" in (xdsl_opt(text, allow_unregistered=True).error or "")
