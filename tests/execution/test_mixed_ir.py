"""Programs that are partly on memrefs: a tensor is what its buffer holds when it is made,
whatever is written to the buffer afterwards, and under whichever name."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.harness import check
from xdsl_bufferization import jit

PARTIAL_RUNS = (
    "",
    "one-shot-bufferize{allow-return-allocs-from-loops},",
    "one-shot-bufferize{allow-return-allocs-from-loops copy-before-write},",
    "one-shot-bufferize{dialect-filter=tensor,bufferization copy-before-write},",
    "one-shot-bufferize{dialect-filter=tensor,bufferization},",
    "one-shot-bufferize{dialect-filter=linalg,bufferization},",
    "one-shot-bufferize{dialect-filter=tensor,linalg,bufferization},",
)


@pytest.mark.parametrize("before", PARTIAL_RUNS)
def test_buffer_is_written_after_it_is_a_tensor(before: str) -> None:
    m, t = np.arange(1, 5, dtype="f"), np.zeros(4, "f")
    check(
        """
        func.func @main(%m: memref<4xf32>, %t: tensor<4xf32>) -> (f32, tensor<4xf32>) {
          %c0 = arith.constant 0 : index
          %f = arith.constant 7.0 : f32
          %a = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
          memref.store %f, %m[%c0] : memref<4xf32>
          %b = bufferization.to_tensor %m writable : memref<4xf32> to tensor<4xf32>
          %w = tensor.insert %f into %t[%c0] : tensor<4xf32>
          %x = tensor.extract %a[%c0] : tensor<4xf32>
          %s = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>)
              outs(%w : tensor<4xf32>) -> tensor<4xf32>
          return %x, %s : f32, tensor<4xf32>
        }
        """,
        [m, t],
        1.0,
        np.array([8, 4, 6, 8], "f"),
        pipeline=before + jit.DEFAULT_PIPELINE,
    )


@pytest.mark.parametrize("before", PARTIAL_RUNS)
def test_loop_on_a_buffer_makes_tensors_of_it(before: str) -> None:
    check(
        """
        func.func @main(%n: index) -> (tensor<2xf32>, tensor<2xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %one = arith.constant 1.0 : f32
          %zero = arith.constant 0.0 : f32
          %m = memref.alloc() : memref<2xf32>
          linalg.fill ins(%zero : f32) outs(%m : memref<2xf32>)
          %first = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> tensor<2xf32> {
            %x = memref.load %m[%c0] : memref<2xf32>
            %y = arith.addf %x, %one : f32
            memref.store %y, %m[%c0] : memref<2xf32>
            %now = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>
            %e = tensor.empty() : tensor<2xf32>
            %s = linalg.add ins(%a, %now : tensor<2xf32>, tensor<2xf32>)
                outs(%e : tensor<2xf32>) -> tensor<2xf32>
            scf.yield %s : tensor<2xf32>
          }
          return %first, %r : tensor<2xf32>, tensor<2xf32>
        }
        """,
        [3],
        np.zeros(2, "f"),
        np.array([6, 0], "f"),
        pipeline=before + jit.DEFAULT_PIPELINE,
    )


def test_buffer_that_is_not_written_again_is_not_copied() -> None:
    stats = check(
        """
        func.func @main(%x: f32) -> f32 {
          %c0 = arith.constant 0 : index
          %m = memref.alloc() : memref<8xf32>
          linalg.fill ins(%x : f32) outs(%m : memref<8xf32>)
          %a = bufferization.to_tensor %m : memref<8xf32> to tensor<8xf32>
          %b = bufferization.to_tensor %m : memref<8xf32> to tensor<8xf32>
          %y = tensor.extract %a[%c0] : tensor<8xf32>
          %z = tensor.extract %b[%c0] : tensor<8xf32>
          %s = arith.addf %y, %z : f32
          return %s : f32
        }
        """,
        [2.0],
        4.0,
    )
    assert stats.bytes_copied == 0
