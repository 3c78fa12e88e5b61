"""Values that may have been made in many places: a chain of choices between tensors."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from tests.analysis.one_shot.comparison import differences
from tests.oracle.tools import parse
from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.interfaces.bufferization_options import (
    AnalysisHeuristic,
    BufferizationOptions,
)
from xdsl_bufferization.models import announce_models

OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
)

START = """
func.func private @choose(%c: i1, %x: T, %y: T) -> T {
  %r = arith.select %c, %x, %y : T
  return %r : T
}
func.func @main(%a: T {bufferization.writable = false}, %c: i1, %n: index, %f: f64)
    -> (T, T) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %s0 = tensor.insert %f into %a[%n] : T
  %b0 = tensor.insert %f into %a[%n] : T
"""
UPDATE = "  %new = tensor.insert %f into %state[%n] : T\n"
READ = "  %x@ = tensor.extract %best[%n] : T\n"
CHOICES = {
    "select": "  %chosen = arith.select %c, %new, %best : T\n",
    "if": """
  %chosen = scf.if %c -> T {
    scf.yield %new : T
  } else {
    scf.yield %best : T
  }
""",
    "call": "  %chosen = func.call @choose(%c, %new, %best) : (i1, T, T) -> T\n",
    "switch": """
  %chosen = scf.index_switch %n -> T
  case 2 {
    scf.yield %new : T
  }
  case 5 {
    scf.yield %s0 : T
  }
  default {
    scf.yield %best : T
  }
""",
    "made inside": """
  %chosen = scf.if %c -> T {
    %in@ = tensor.insert %f into %best[%n] : T
    scf.yield %in@ : T
  } else {
    %r@ = linalg.fill ins(%f : f64) outs(%best : T) -> T
    %q@ = arith.select %c, %r@, %new : T
    scf.yield %q@ : T
  }
""",
    "made inside a region of blocks": """
  %chosen = scf.execute_region -> T {
    cf.cond_br %c, ^one@, ^two@
  ^one@:
    %in@ = tensor.insert %f into %new[%n] : T
    scf.yield %in@ : T
  ^two@:
    scf.yield %best : T
  }
""",
    "made by a loop": """
  %l@ = scf.for %i@ = %c0 to %n step %c1 iter_args(%p@ = %new) -> (T) {
    %u@ = tensor.insert %f into %p@[%i@] : T
    scf.yield %u@ : T
  }
  %chosen = arith.select %c, %l@, %best : T
""",
    "made by a loop inside": """
  %chosen = scf.if %c -> T {
    %l@ = scf.for %i@ = %c0 to %n step %c1 iter_args(%p@ = %new) -> (T) {
      %u@ = tensor.insert %f into %p@[%i@] : T
      scf.yield %u@ : T
    }
    scf.yield %l@ : T
  } else {
    scf.yield %best : T
  }
""",
}


def chain(choice: str, length: int, in_loop: bool) -> str:
    """Choose `length` times between a tensor that was updated and the one chosen before.

    Args:
        in_loop: whether all of it is in a loop, which carries both tensors.
    """
    lines: list[str] = []
    state, best = ("%s", "%b") if in_loop else ("%s0", "%b0")
    for number in range(length):
        step = UPDATE + CHOICES[choice] + (READ if number % 3 == 2 else "")
        for name, value in (
            ("%new", f"%s{number + 1}"),
            ("%chosen", f"%b{number + 1}"),
            ("%state", state),
            ("%best", best),
            ("@choose", "$choose"),
            ("@", str(number)),
            ("$", "@"),
        ):
            step = step.replace(name, value)
        lines.append(step)
        state, best = f"%s{number + 1}", f"%b{number + 1}"
    body = "".join(lines)
    if in_loop:
        body = f"""
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %s0, %b = %b0) -> (T, T) {{
  {body}
    scf.yield {state}, {best} : T, T
  }}
"""
        state, best = "%r#0", "%r#1"
    program = f"{START}{body}  return {state}, {best} : T, T\n}}\n"
    return (
        program.replace(": T", ": tensor<64xf64>")
        .replace("> T", "> tensor<64xf64>")
        .replace(", T", ", tensor<64xf64>")
        .replace("(T", "(tensor<64xf64>")
    )


def calls_made_by(function: Callable[[], object]) -> int:
    """How many calls of Python functions of the analysis a function makes."""
    count = 0

    def on_event(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        if event == "call" and "one_shot" in frame.f_code.co_filename:
            count += 1

    sys.setprofile(on_event)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("in_loop", (False, True))
@pytest.mark.parametrize("choice", CHOICES)
def test_the_cost_of_a_choice_does_not_depend_on_how_many_came_before(
    choice: str, in_loop: bool
) -> None:
    announce_models()
    counts: list[int] = []
    for length in (20, 80):
        _, module = parse(chain(choice, length, in_loop))
        counts.append(calls_made_by(lambda m=module: analyze(m, OPTIONS)))
    assert counts[1] < 4.5 * counts[0]


@pytest.mark.parametrize("in_loop", (False, True))
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("heuristic", ("bottom-up", "top-down"))
def test_definitions_in_one_place_decide_as_each_of_them(
    choice: str, in_loop: bool, heuristic: AnalysisHeuristic
) -> None:
    announce_models()
    for length in (1, 2, 5):
        _, module = parse(chain(choice, length, in_loop))
        options = BufferizationOptions(
            analysis_heuristic=heuristic,
            bufferize_function_boundaries=True,
            allow_return_allocs_from_loops=True,
        )
        assert differences(module, options) == []
