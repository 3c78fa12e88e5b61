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
