"""Programs that once went wrong when they were run, found at random and made small."""

from __future__ import annotations

import numpy as np

from tests.execution.harness import check


def test_rank_reducing_slice_whose_dynamic_size_is_a_constant() -> None:
    """convert-to-llvm took the constant for a static size, which the type is not."""
    whole = np.zeros((2, 3, 2), "i4")
    expected = whole.copy()
    expected[1, 0:2, 0:2] = 7
    check(
        """
        func.func @main(%t: tensor<2x?x?xi32>, %s: tensor<2x?xi32>, %i: index)
            -> tensor<2x?x?xi32> {
          %c2 = arith.constant 2 : index
          %1 = tensor.insert_slice %s into %t[1, %i, 0] [1, 2, %c2] [1, 1, 1]
              : tensor<2x?xi32> into tensor<2x?x?xi32>
          return %1 : tensor<2x?x?xi32>
        }
        """,
        [whole, np.full((2, 2), 7, "i4"), 0],
        expected,
    )
