"""Functions whose address is taken are called with the type that they have."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.harness import check

BUFFERIZE = "one-shot-bufferize{bufferize-function-boundaries}"


@pytest.mark.parametrize(
    "passes",
    [
        "buffer-results-to-out-params,buffer-deallocation-pipeline",
        "drop-equivalent-buffer-results,buffer-deallocation-pipeline",
        "buffer-deallocation-pipeline{private-function-dynamic-ownership}",
    ],
)
def test_passes_that_change_function_types(passes: str) -> None:
    t = np.zeros(4, "f")
    check(
        """
        func.func private @new(%t: tensor<4xf32>) -> tensor<4xf32> {
          %five = arith.constant 5.0 : f32
          %e = tensor.empty() : tensor<4xf32>
          %r = linalg.fill ins(%five : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
          return %r : tensor<4xf32>
        }
        func.func private @same(%t: tensor<4xf32>) -> tensor<4xf32> {
          return %t : tensor<4xf32>
        }
        func.func @main(%t: tensor<4xf32>) -> (f32, f32) {
          %c0 = arith.constant 0 : index
          %f = func.constant @new : (tensor<4xf32>) -> tensor<4xf32>
          %g = func.constant @same : (tensor<4xf32>) -> tensor<4xf32>
          %r = func.call_indirect %f(%t) : (tensor<4xf32>) -> tensor<4xf32>
          %s = func.call_indirect %g(%r) : (tensor<4xf32>) -> tensor<4xf32>
          %x = tensor.extract %r[%c0] : tensor<4xf32>
          %y = tensor.extract %s[%c0] : tensor<4xf32>
          return %x, %y : f32, f32
        }
        """,
        [t],
        5.0,
        5.0,
        pipeline=f"{BUFFERIZE},{passes},lower-to-llvm-pipeline",
        checkers=False,
    )


FUNCTIONS = """
    func.func private @twice(%t: tensor<4xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %r = linalg.add ins(%t, %t : tensor<4xf32>, tensor<4xf32>)
          outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    func.func private @negated(%t: tensor<4xf32>) -> tensor<4xf32> {
      %r = linalg.negf ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
"""
CONSTANTS = """
      %f = func.constant @twice : (tensor<4xf32>) -> tensor<4xf32>
      %g = func.constant @negated : (tensor<4xf32>) -> tensor<4xf32>
"""
CHOICES = {
    "arith.select": """
      %s = arith.select %c, %f, %g : (tensor<4xf32>) -> tensor<4xf32>
    """,
    "scf.if": """
      %s = scf.if %c -> ((tensor<4xf32>) -> tensor<4xf32>) {
        scf.yield %f : (tensor<4xf32>) -> tensor<4xf32>
      } else {
        scf.yield %g : (tensor<4xf32>) -> tensor<4xf32>
      }
    """,
    "cf.cond_br": """
      cf.cond_br %c, ^bb1(%f : (tensor<4xf32>) -> tensor<4xf32>),
          ^bb1(%g : (tensor<4xf32>) -> tensor<4xf32>)
    ^bb1(%s: (tensor<4xf32>) -> tensor<4xf32>):
    """,
}


@pytest.mark.parametrize("condition", [True, False])
@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES.keys())
def test_a_function_is_chosen(choice: str, condition: bool) -> None:
    t = np.arange(4, dtype="f")
    check(
        f"""
        {FUNCTIONS}
        func.func @main(%c: i1, %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {{
          {CONSTANTS}
          {choice}
          %r = func.call_indirect %s(%t) : (tensor<4xf32>) -> tensor<4xf32>
          return %r, %t : tensor<4xf32>, tensor<4xf32>
        }}
        """,
        [condition, t],
        2 * t if condition else -t,
        t.copy(),
    )


def test_functions_take_turns_in_a_loop() -> None:
    t = np.arange(4, dtype="f")
    check(
        f"""
        {FUNCTIONS}
        func.func @main(%n: index, %t: tensor<4xf32>) -> tensor<4xf32> {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          {CONSTANTS}
          %r:3 = scf.for %i = %c0 to %n step %c1
              iter_args(%a = %f, %b = %g, %u = %t)
              -> ((tensor<4xf32>) -> tensor<4xf32>, (tensor<4xf32>) -> tensor<4xf32>,
                  tensor<4xf32>) {{
            %v = func.call_indirect %a(%u) : (tensor<4xf32>) -> tensor<4xf32>
            scf.yield %b, %a, %v : (tensor<4xf32>) -> tensor<4xf32>,
                (tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>
          }}
          return %r#2 : tensor<4xf32>
        }}
        """,
        [3, t],
        -4 * t,
    )
