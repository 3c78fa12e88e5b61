"""Programs that mlir-opt 22 bufferizes wrongly: run, they give what they say.

The comparison with mlir-opt's output is in tests/oracle/models_rewrite.
"""

from __future__ import annotations

import numpy as np

from tests.execution.harness import check
from xdsl_bufferization import jit

T = np.arange(32, dtype=np.float32).reshape(4, 8)
ROW = np.full(8, 9.0, dtype=np.float32)


def test_vector_of_lower_rank_leaves_the_other_rows() -> None:
    expected = T.copy()
    expected[0] = ROW
    check(
        """
        func.func @main(%t: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
          %c0 = arith.constant 0 : index
          %v = arith.constant dense<9.0> : vector<8xf32>
          %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true]}
            : vector<8xf32>, tensor<4x8xf32>
          return %0, %t : tensor<4x8xf32>, tensor<4x8xf32>
        }
        """,
        [T],
        expected,
        T,
    )


def test_loaded_global_keeps_its_contents_when_stored_to() -> None:
    module = jit.compile(
        """
        ml_program.global private mutable @g(dense<1.0> : tensor<8xf32>) : tensor<8xf32>

        func.func @exchange(%t: tensor<8xf32>) -> tensor<8xf32> {
          %0 = ml_program.global_load @g : tensor<8xf32>
          ml_program.global_store @g = %t : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """
    )
    first = module["exchange"](ROW)
    second = module["exchange"](T[0])
    np.testing.assert_array_equal(first, np.ones(8, dtype=np.float32))
    np.testing.assert_array_equal(second, ROW)


def test_store_to_a_global_reads_the_tensor() -> None:
    module = jit.compile(
        """
        ml_program.global private mutable @g(dense<1.0> : tensor<8xf32>) : tensor<8xf32>

        func.func @set(%t: tensor<8xf32>, %i: index, %f: f32) -> f32 {
          %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
          %1 = tensor.extract %0[%i] : tensor<8xf32>
          ml_program.global_store @g = %t : tensor<8xf32>
          return %1 : f32
        }

        func.func @set_constant() {
          %t = arith.constant dense<3.0> : tensor<8xf32>
          ml_program.global_store @g = %t : tensor<8xf32>
          return
        }

        func.func @get() -> tensor<8xf32> {
          %0 = ml_program.global_load @g : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """
    )
    assert module["set"](ROW.copy(), 3, 5.0) == 5.0
    np.testing.assert_array_equal(module["get"](), ROW)
    module["set_constant"]()
    np.testing.assert_array_equal(module["get"](), np.full(8, 3.0, dtype=np.float32))


def test_constant_is_not_a_variable_of_equal_contents() -> None:
    check(
        """
        memref.global "private" @g : memref<2xf32> = dense<[1.0, 2.0]>
          {alignment = 64 : i64}

        func.func @main(%i: index, %f: f32) -> f32 {
          %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
          %m = memref.get_global @g : memref<2xf32>
          memref.store %f, %m[%i] : memref<2xf32>
          %0 = tensor.extract %t[%i] : tensor<2xf32>
          return %0 : f32
        }
        """,
        [1, 9.0],
        2.0,
    )
