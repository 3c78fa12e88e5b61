"""Uses of buffers besides accesses through a memref: buffers are freed after them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.oracle.tools import parse, run_passes
from xdsl_bufferization import jit

PIPELINES = (
    "bufferization-pipeline{verify-result}",
    "bufferization-pipeline{plan-memory reorder-for-peak-memory verify-result}",
)


def run(text: str, pipeline: str, *arguments: Any) -> Any:
    return jit.compile(text, f"{pipeline},lower-to-llvm-pipeline").main(*arguments)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_shape_of_a_reshape_is_read(pipeline: str) -> None:
    """The buffer of the shape was freed before, and got other contents."""
    result, _ = run(
        """
        func.func @main(%a: tensor<2x6xf32>, %n: index)
            -> (tensor<?x?xf32>, tensor<2xindex>) {
          %c3 = arith.constant 3 : index
          %c2 = arith.constant 2 : index
          %s = tensor.from_elements %n, %c3 : tensor<2xindex>
          %w = tensor.from_elements %c2, %c2 : tensor<2xindex>
          %q = tensor.reshape %a(%s)
            : (tensor<2x6xf32>, tensor<2xindex>) -> tensor<?x?xf32>
          return %q, %w : tensor<?x?xf32>, tensor<2xindex>
        }
        """,
        pipeline,
        np.arange(12, dtype="f4").reshape(2, 6),
        4,
    )
    assert np.array_equal(result, np.arange(12).reshape(4, 3))


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_cast_to_a_vector_is_a_view(pipeline: str) -> None:
    total, _ = run(
        """
        func.func @main(%a: tensor<8xf32>, %x: f32) -> (f32, tensor<8xf32>) {
          %s = tensor.splat %x : tensor<8xf32>
          %m = bufferization.to_buffer %s : tensor<8xf32> to memref<8xf32>
          %t = vector.type_cast %m : memref<8xf32> to memref<vector<8xf32>>
          %e = tensor.empty() : tensor<8xf32>
          %q = linalg.add ins(%a, %a : tensor<8xf32>, tensor<8xf32>)
                          outs(%e : tensor<8xf32>) -> tensor<8xf32>
          %v = memref.load %t[] : memref<vector<8xf32>>
          %r = vector.reduction <add>, %v : vector<8xf32> into f32
          return %r, %q : f32, tensor<8xf32>
        }
        """,
        pipeline,
        np.ones(8, "f4"),
        2.0,
    )
    assert total == 16.0


USES = {
    "pointer": """
        %p = memref.extract_aligned_pointer_as_index %m : memref<8xf32> -> index
        %i = arith.index_cast %p : index to i64
        %q = llvm.inttoptr %i : i64 to !llvm.ptr
        AFTER
        %v = llvm.load %q : !llvm.ptr -> f32
    """,
    "cast to a pointer": """
        %q = builtin.unrealized_conversion_cast %m : memref<8xf32> to !llvm.ptr
        AFTER
        %v = llvm.load %q : !llvm.ptr -> f32
    """,
    "another name": """
        %q, %o = memref.distinct_objects %m, %n : memref<8xf32>, memref<8xf32>
        AFTER
        %v = memref.load %q[%c0] : memref<8xf32>
    """,
    "transfer": """
        %tag = memref.alloca() : memref<1xi32>
        memref.dma_start %m[%c0], %n[%c0], %c8, %tag[%c0]
          : memref<8xf32>, memref<8xf32>, memref<1xi32>
        AFTER
        memref.dma_wait %tag[%c0], %c8 : memref<1xi32>
        %v = memref.load %n[%c0] : memref<8xf32>
    """,
}


@pytest.mark.parametrize(
    "pipeline",
    ["optimize-allocation-liveness{any-buffer}", "optimize-allocation-liveness"],
)
@pytest.mark.parametrize("use", USES)
def test_buffers_in_hidden_use_are_not_freed_early(use: str, pipeline: str) -> None:
    after = "%k = memref.alloc() : memref<8xf32>\nmemref.dealloc %k : memref<8xf32>"
    context, module = parse(
        f"""
        func.func @main(%n: memref<8xf32>) -> f32 {{
          %c0 = arith.constant 0 : index
          %c8 = arith.constant 8 : index
          %m = memref.alloc() : memref<8xf32>
          memref.copy %n, %m : memref<8xf32> to memref<8xf32>
          {USES[use].replace("AFTER", after)}
          memref.dealloc %m : memref<8xf32>
          return %v : f32
        }}
        """
    )
    run_passes(context, module, pipeline)
    ops = [op.name for op in module.walk()]
    assert ops[-2:] == ["memref.dealloc", "func.return"]


def test_a_buffer_whose_pointer_is_used_does_not_become_its_copy() -> None:
    context, module = parse(
        """
        func.func @main(%n: memref<8xf32>, %x: f32) -> (f32, memref<8xf32>) {
          %m = memref.alloc() : memref<8xf32>
          memref.copy %n, %m : memref<8xf32> to memref<8xf32>
          %p = memref.extract_aligned_pointer_as_index %m : memref<8xf32> -> index
          %i = arith.index_cast %p : index to i64
          %q = llvm.inttoptr %i : i64 to !llvm.ptr
          %k = memref.alloc() : memref<8xf32>
          memref.copy %m, %k : memref<8xf32> to memref<8xf32>
          linalg.fill ins(%x : f32) outs(%k : memref<8xf32>)
          %v = llvm.load %q : !llvm.ptr -> f32
          return %v, %k : f32, memref<8xf32>
        }
        """
    )
    run_passes(context, module, "coalesce-copies")
    assert [op.name for op in module.walk()].count("memref.alloc") == 2


def test_complex_number_of_rank_zero() -> None:
    text = """
    func.func @main() -> tensor<complex<f32>> {
      %0 = arith.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
      return %0 : tensor<complex<f32>>
    }
    """
    assert run(text, PIPELINES[0]) == 1 + 2j
