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


def test_loop_that_hands_on_a_constant_and_writes_it() -> None:
    """The constant that one iteration yields was overwritten by the next one; other users
    of the constant, in this call or the next, then saw that."""
    expected = np.array([1, 2, 3], "i4")
    written = expected.copy()
    written[0] = 9
    check(
        """
        func.func @main(%t: tensor<3xi32>, %x: i32) -> (tensor<3xi32>, tensor<3xi32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %1:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t, %b = %t)
              -> (tensor<3xi32>, tensor<3xi32>) {
            %2 = tensor.insert %x into %a[%c0] : tensor<3xi32>
            %3 = bufferization.alloc_tensor() copy(%2) : tensor<3xi32>
            %4 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
            scf.yield %4, %3 : tensor<3xi32>, tensor<3xi32>
          }
          return %1#0, %1#1 : tensor<3xi32>, tensor<3xi32>
        }
        """,
        [np.zeros(3, "i4"), 9],
        expected,
        written,
    )
