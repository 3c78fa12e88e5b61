"""Memory is aligned as LLVM's accesses to its elements need, whatever it states.

LLVM assumes that the address of a vector is a multiple of its size, rounded up to a power
of two, and may access it by instructions that fail at any other address.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.oracle.tools import parse
from xdsl_bufferization import jit
from xdsl_bufferization.pipelines import LowerToLLVMPipeline

ALIGNMENTS = {
    "vector<8xf32>": 32,
    "vector<3xi64>": 32,
    "vector<32xf32>": 128,
    "vector<4xi128>": 64,
    "vector<4xf80>": 64,
    "vector<100xi1>": 16,
    "vector<4x8xf32>": 32,
}
"""The alignment of elements, as LLVM's data layouts have it."""


def lowered(body: str) -> str:
    ctx, module = parse(body)
    LowerToLLVMPipeline().apply(ctx, module)
    return str(module)


@pytest.mark.parametrize("stated", ["", "{alignment = 4}", "{alignment = 16}"])
@pytest.mark.parametrize(("element", "alignment"), ALIGNMENTS.items())
def test_memory_of_vectors(element: str, alignment: int, stated: str) -> None:
    """On the heap, on the stack, and of a global."""
    type_ = f"memref<2x{element}>"
    text = lowered(f"""
        memref.global @table : {type_} = uninitialized {stated}
        func.func @f() -> ({type_}, {type_}) {{
          %0 = memref.alloc() {stated} : {type_}
          %1 = memref.alloca() {stated} : {type_}
          return %0, %1 : {type_}, {type_}
        }}
        """)
    assert f"constant({-alignment}) : i64" in text
    assert re.search(rf"llvm.alloca .* {{alignment = {alignment} : i64}}", text)
    if stated:
        assert re.search(rf"llvm.mlir.global .*alignment = {alignment} : i64", text)


@pytest.mark.parametrize("place", ["alloc", "alloca"])
def test_memory_that_is_cast_to_vectors(place: str) -> None:
    text = lowered(f"""
        func.func @f() -> memref<vector<4x8xf32>> {{
          %0 = memref.{place}() : memref<4x8xf32>
          %1 = vector.type_cast %0 : memref<4x8xf32> to memref<vector<4x8xf32>>
          return %1 : memref<vector<4x8xf32>>
        }}
        """)
    assert ("constant(-32)" if place == "alloc" else "alignment = 32 : i64") in text


def test_a_small_alignment_of_numbers() -> None:
    text = lowered("""
        func.func @f() -> memref<3xf64> {
          %0 = memref.alloca() {alignment = 2} : memref<3xf64>
          return %0 : memref<3xf64>
        }
        """)
    assert "alignment = 8 : i64" in text


@pytest.mark.parametrize("place", ["alloc", "alloca"])
def test_accesses(place: str) -> None:
    """Of eight buffers at any multiple of 16, one at least was not aligned."""
    module = jit.compile(
        f"""
        func.func private @fill(%m: memref<2xvector<16xf32>>, %x: f32) -> f32
            attributes {{llvm.noinline}} {{
          %c1 = arith.constant 1 : index
          %v = vector.broadcast %x : f32 to vector<16xf32>
          memref.store %v, %m[%c1] : memref<2xvector<16xf32>>
          %w = memref.load %m[%c1] : memref<2xvector<16xf32>>
          %r = vector.reduction <add>, %w : vector<16xf32> into f32
          return %r : f32
        }}
        func.func @main(%x: f32, %b: memref<8xf32>) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c8 = arith.constant 8 : index
          scf.for %i = %c0 to %c8 step %c1 {{
            %bytes = memref.{place}(%i) : memref<?xi8>
            %m = memref.{place}() {{alignment = 16}} : memref<2xvector<16xf32>>
            %r = func.call @fill(%m, %x) : (memref<2xvector<16xf32>>, f32) -> f32
            memref.store %r, %b[%i] : memref<8xf32>
          }}
          return
        }}
        """,
        "lower-to-llvm-pipeline",
    )
    found = np.zeros(8, "f4")
    module.main(2.0, found)
    np.testing.assert_array_equal(found, np.full(8, 32, "f4"))
