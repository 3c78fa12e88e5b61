"""Ops that mlir-opt does not bufferize: pack, unpack, gather, scatter and bitcast; and
pad. Run, and compared with NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.utils.exceptions import PassFailedException

from tests.execution.harness import check
from xdsl_bufferization import jit

RNG = np.random.default_rng(7)


def test_pack_with_padding() -> None:
    source = RNG.random((5, 6), dtype=np.float32)
    padded = np.pad(source, ((0, 3), (0, 0)), constant_values=9.0)
    expected = padded.reshape(2, 4, 3, 2).transpose(0, 2, 1, 3)
    check(
        """
        func.func @main(%s: tensor<5x6xf32>, %p: f32) -> tensor<2x3x4x2xf32> {
          %d = tensor.empty() : tensor<2x3x4x2xf32>
          %0 = linalg.pack %s padding_value(%p : f32) inner_dims_pos = [0, 1]
            inner_tiles = [4, 2] into %d : tensor<5x6xf32> -> tensor<2x3x4x2xf32>
          return %0 : tensor<2x3x4x2xf32>
        }
        """,
        [source, 9.0],
        expected,
    )


def test_pack_with_permuted_outer_dimensions() -> None:
    source = RNG.random((8, 6), dtype=np.float32)
    expected = source.reshape(2, 4, 3, 2).transpose(2, 0, 3, 1)
    check(
        """
        func.func @main(%s: tensor<8x6xf32>) -> tensor<3x2x2x4xf32> {
          %d = tensor.empty() : tensor<3x2x2x4xf32>
          %0 = linalg.pack %s outer_dims_perm = [1, 0] inner_dims_pos = [1, 0]
            inner_tiles = [2, 4] into %d : tensor<8x6xf32> -> tensor<3x2x2x4xf32>
          return %0 : tensor<3x2x2x4xf32>
        }
        """,
        [source],
        expected,
    )


def test_pack_by_a_dynamic_tile() -> None:
    source = RNG.random((8, 3), dtype=np.float32)
    expected = source.reshape(2, 4, 3).transpose(0, 2, 1)
    check(
        """
        func.func @main(%s: tensor<8x3xf32>, %t: index, %n: index) -> tensor<?x3x?xf32> {
          %d = tensor.empty(%n, %t) : tensor<?x3x?xf32>
          %0 = linalg.pack %s inner_dims_pos = [0] inner_tiles = [%t] into %d
            : tensor<8x3xf32> -> tensor<?x3x?xf32>
          return %0 : tensor<?x3x?xf32>
        }
        """,
        [source, 4, 2],
        expected,
    )


def test_unpack_drops_padding() -> None:
    source = RNG.random((3, 2, 4, 2), dtype=np.float32)
    expected = source.transpose(1, 2, 0, 3).reshape(8, 6)[:5]
    check(
        """
        func.func @main(%s: tensor<3x2x4x2xf32>) -> tensor<5x6xf32> {
          %d = tensor.empty() : tensor<5x6xf32>
          %0 = linalg.unpack %s outer_dims_perm = [1, 0] inner_dims_pos = [0, 1]
            inner_tiles = [4, 2] into %d : tensor<3x2x4x2xf32> -> tensor<5x6xf32>
          return %0 : tensor<5x6xf32>
        }
        """,
        [source],
        expected,
    )


def test_unpack_overwrites_its_destination() -> None:
    """The old contents are not needed, but the destination itself still is."""
    source = RNG.random((2, 4), dtype=np.float32)
    check(
        """
        func.func @main(%s: tensor<2x4xf32>, %d: tensor<8xf32>)
            -> (tensor<8xf32>, tensor<8xf32>) {
          %0 = linalg.unpack %s inner_dims_pos = [0] inner_tiles = [4] into %d
            : tensor<2x4xf32> -> tensor<8xf32>
          return %0, %d : tensor<8xf32>, tensor<8xf32>
        }
        """,
        [source, np.arange(8, dtype=np.float32)],
        source.reshape(8),
        np.arange(8, dtype=np.float32),
    )


def test_gather() -> None:
    source = RNG.random((4, 8, 3), dtype=np.float32)
    indices = np.array([[1, 2], [7, 0], [3, 1]], dtype=np.int32)
    expected = source[:, indices[:, 0], indices[:, 1]].T
    check(
        """
        func.func @main(%t: tensor<4x8x3xf32>, %c: tensor<?x2xi32>)
            -> (tensor<?x4xf32>, tensor<?x4x1x1xf32>) {
          %0 = tensor.gather %t[%c] gather_dims([1, 2]) unique
            : (tensor<4x8x3xf32>, tensor<?x2xi32>) -> tensor<?x4xf32>
          %1 = tensor.gather %t[%c] gather_dims([1, 2]) unique
            : (tensor<4x8x3xf32>, tensor<?x2xi32>) -> tensor<?x4x1x1xf32>
          return %0, %1 : tensor<?x4xf32>, tensor<?x4x1x1xf32>
        }
        """,
        [source, indices],
        expected,
        expected.reshape(3, 4, 1, 1),
    )


def test_gather_is_a_copy() -> None:
    source = RNG.random((4, 2), dtype=np.float32)
    written = source.copy()
    written[2, 0] = 9.0
    check(
        """
        func.func @main(%t: tensor<4x2xf32>, %c: tensor<2x1xindex>, %i: index, %f: f32)
            -> (tensor<2x2xf32>, tensor<4x2xf32>) {
          %z = arith.constant 0 : index
          %0 = tensor.gather %t[%c] gather_dims([0]) unique
            : (tensor<4x2xf32>, tensor<2x1xindex>) -> tensor<2x2xf32>
          %1 = tensor.insert %f into %t[%i, %z] : tensor<4x2xf32>
          return %0, %1 : tensor<2x2xf32>, tensor<4x2xf32>
        }
        """,
        [source.copy(), np.array([[2], [3]]), 2, 9.0],
        source[2:],
        written,
    )


def test_scatter() -> None:
    dest = RNG.random((4, 8), dtype=np.float32)
    source = RNG.random((3, 4), dtype=np.float32)
    indices = np.array([[5], [0], [7]])
    expected = dest.copy()
    expected[:, indices[:, 0]] = source.T
    check(
        """
        func.func @main(%s: tensor<?x4xf32>, %d: tensor<4x8xf32>, %c: tensor<?x1xindex>)
            -> (tensor<4x8xf32>, tensor<4x8xf32>) {
          %0 = tensor.scatter %s into %d[%c] scatter_dims([1]) unique
            : (tensor<?x4xf32>, tensor<4x8xf32>, tensor<?x1xindex>) -> tensor<4x8xf32>
          return %0, %d : tensor<4x8xf32>, tensor<4x8xf32>
        }
        """,
        [source, dest, indices],
        expected,
        dest,
    )


def test_bitcast() -> None:
    source = RNG.random((3, 4), dtype=np.float32)
    check(
        """
        func.func @main(%s: tensor<?x4xf32>) -> tensor<?x4xi32> {
          %0 = tensor.bitcast %s : tensor<?x4xf32> to tensor<?x4xi32>
          return %0 : tensor<?x4xi32>
        }
        """,
        [source],
        source.view(np.int32),
    )


def test_bitcast_to_a_signed_type_is_refused() -> None:
    with pytest.raises(PassFailedException, match=r"tensor\.bitcast.*signless"):
        jit.compile(
            """
            func.func @main(%s: tensor<4xf32>) -> tensor<4xsi32> {
              %0 = tensor.bitcast %s : tensor<4xf32> to tensor<4xsi32>
              return %0 : tensor<4xsi32>
            }
            """
        )


def test_padding_of_a_slice() -> None:
    source = RNG.random((4, 5), dtype=np.float32)
    check(
        """
        func.func @main(%t: tensor<?x5xf32>, %l: index) -> tensor<?x?xf32> {
          %s = tensor.extract_slice %t[1, 0][2, 3][1, 2]
            : tensor<?x5xf32> to tensor<2x3xf32>
          %0 = tensor.pad %s low[%l, 1] high[1, %l] {
          ^bb0(%i: index, %j: index):
            %k = arith.addi %i, %j : index
            %x = arith.index_cast %k : index to i32
            %f = arith.sitofp %x : i32 to f32
            tensor.yield %f : f32
          } : tensor<2x3xf32> to tensor<?x?xf32>
          return %0 : tensor<?x?xf32>
        }
        """,
        [source, 2],
        _padded(source[1:3, ::2]),
    )


def _padded(inner: np.ndarray) -> np.ndarray:
    result = np.add.outer(np.arange(5), np.arange(6)).astype(np.float32)
    result[2:4, 1:4] = inner
    return result
