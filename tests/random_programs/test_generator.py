"""What random programs contain, what it means, and that it can be made smaller."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.oracle.tools import parse
from tests.random_programs.choices import PREDICATES, Profile
from tests.random_programs.control_flow import ControlFlow
from tests.random_programs.interpreter import Interpreter
from tests.random_programs.program import LIKE_MLIR, OBSERVED, random_program
from tests.random_programs.reduction import reduce_program
from tests.random_programs.scope import Scope

SEEDS = range(150)
MANY = "\n".join(random_program(seed, OBSERVED).text for seed in SEEDS)


class _Loops(ControlFlow):
    """Writes loops only."""


def interpreted(text: str, *arguments: object) -> list[object]:
    return Interpreter(parse(text)[1]).call("main", arguments)


@pytest.mark.parametrize(
    "pattern",
    [
        r"scf\.for unsigned .* : i8 \{",
        r"scf\.for unsigned .* : i16 \{",
        r"scf\.for unsigned .* : i32 \{",
        r"scf\.for %.* : i8 \{",
        r"scf\.for unsigned [^:]*\{\n",
        r"= scf\.for .* iter_args\((%\w+ = %\w+, ){5}%",
        r"func\.call_indirect %",
        r"arith\.select .* : \(.*\) -> \(",
        r"= arith\.cmpi (\w+, %\w+, %\w+) : i32\n(?:.*\n)*?.*= arith\.cmpi \1 ",
    ],
)
def test_programs_contain(pattern: str) -> None:
    assert re.search(pattern, MANY)


def test_what_mlir_opt_refuses_is_left_out() -> None:
    for seed in SEEDS:
        text = random_program(seed, LIKE_MLIR).text
        assert "call_indirect" not in text
        assert not re.search(r"scf\.for unsigned .* : i\d+ \{", text)


@pytest.mark.parametrize("seed", range(60))
def test_loops_repeat_as_often_as_they_are_meant_to(seed: int) -> None:
    maker = _Loops(Random(seed), Profile())
    maker.writer.line("func.func @main(%start: i32, %one: i32) -> i32 {")
    loop = maker.counted_loop(Scope())
    carried = f"iter_args(%n = %start) -> (i32){loop.type_suffix}"
    maker.writer.line(f"%0 = {loop.head} {carried} {{")
    inner = Scope()
    maker.use_counter(inner, loop)
    maker.writer.line("%1 = arith.addi %n, %one : i32")
    maker.writer.line("scf.yield %1 : i32\n}\nfunc.return %0 : i32\n}")
    assert interpreted(maker.writer.text(), 5, 1) == [5 + loop.trips]
    assert all(0 <= index.low <= index.high for index in inner.indices)


@pytest.mark.parametrize("predicate", PREDICATES)
def test_predicates_and_their_relatives(predicate: str) -> None:
    negated, swapped = PREDICATES[predicate]
    text = f"""
        func.func @main(%a: i32, %b: i32) -> (i1, i1, i1) {{
          %0 = arith.cmpi {predicate}, %a, %b : i32
          %1 = arith.cmpi {negated}, %a, %b : i32
          %2 = arith.cmpi {swapped}, %b, %a : i32
          func.return %0, %1, %2 : i1, i1, i1
        }}
        """
    for numbers in ((1, 2), (2, 1), (1, 1), (-1, 2), (2, -1)):
        same, opposite, turned = interpreted(text, *numbers)
        assert same == turned != opposite, numbers


@pytest.mark.parametrize(
    ("predicate", "expected"), [("slt", True), ("ult", False), ("uge", True)]
)
def test_comparison_of_a_negative_number(predicate: str, expected: bool) -> None:
    text = f"""
        func.func @main(%a: i32, %b: i32) -> i1 {{
          %0 = arith.cmpi {predicate}, %a, %b : i32
          func.return %0 : i1
        }}
        """
    assert interpreted(text, -1, 1) == [expected]


def test_function_values_are_called() -> None:
    text = """
        func.func @double(%a: i32) -> i32 {
          %0 = arith.addi %a, %a : i32
          func.return %0 : i32
        }
        func.func @square(%a: i32) -> i32 {
          %0 = arith.muli %a, %a : i32
          func.return %0 : i32
        }
        func.func @main(%c: i1, %a: i32) -> i32 {
          %f = func.constant @double : (i32) -> i32
          %g = func.constant @square : (i32) -> i32
          %h = arith.select %c, %f, %g : (i32) -> i32
          %0 = func.call_indirect %h(%a) : (i32) -> i32
          func.return %0 : i32
        }
        """
    assert interpreted(text, True, 5) == [10]
    assert interpreted(text, False, 5) == [25]


def test_loops_are_reduced_to_what_they_must_carry() -> None:
    text = """
        func.func @main(%a: i32, %b: i32, %c: i32) -> i32 {
          %l = arith.constant -2 : i8
          %u = arith.constant -1 : i8
          %s = arith.constant 1 : i8
          %0:3 = scf.for unsigned %i = %l to %u step %s
              iter_args(%x = %a, %y = %b, %z = %c) -> (i32, i32, i32) : i8 {
            %1 = arith.addi %y, %y : i32
            scf.yield %z, %1, %x : i32, i32, i32
          }
          func.return %0#1 : i32
        }
        """
    small = reduce_program(
        text, lambda t: "scf.for unsigned" in t and interpreted(t, 1, 2, 3) == [4]
    )
    assert "iter_args(%y = %b) -> (i32) : i8 {" in small
