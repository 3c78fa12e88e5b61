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


def test_diagonal_leaves_the_rest_of_the_output() -> None:
    old = np.arange(16, dtype=np.float32).reshape(4, 4)
    expected = old.copy()
    np.fill_diagonal(expected, 9.0)
    check(
        """
        func.func @main(%a: tensor<4xf32>, %o: tensor<4x4xf32>)
            -> (tensor<4x4xf32>, tensor<4x4xf32>) {
          %0 = linalg.generic {
            indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>],
            iterator_types = ["parallel"]
          } ins(%a : tensor<4xf32>) outs(%o : tensor<4x4xf32>) {
          ^bb0(%x: f32, %y: f32):
            linalg.yield %x : f32
          } -> tensor<4x4xf32>
          return %0, %o : tensor<4x4xf32>, tensor<4x4xf32>
        }
        """,
        [ROW[:4], old],
        expected,
        old,
    )


def test_elements_are_computed_independently() -> None:
    check(
        """
        func.func @main(%t: tensor<3xf32>, %f: f32) -> tensor<3xf32> {
          %c0 = arith.constant 0 : index
          %0 = tensor.generate {
          ^bb0(%i: index):
            %x = tensor.insert %f into %t[%i] : tensor<3xf32>
            %e = tensor.extract %x[%c0] : tensor<3xf32>
            tensor.yield %e : f32
          } : tensor<3xf32>
          return %0 : tensor<3xf32>
        }
        """,
        [np.array([1, 2, 3], dtype=np.float32), 9.0],
        np.array([9, 1, 1], dtype=np.float32),
    )
