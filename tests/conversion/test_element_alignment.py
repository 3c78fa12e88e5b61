"""Memory is aligned as LLVM's accesses to its elements need, whatever it states.

LLVM assumes that the address of a vector is a multiple of its size, rounded up to a power
of two, and may access it by instructions that fail at any other address.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from xdsl.utils.exceptions import PassFailedException

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


@pytest.mark.parametrize(
    ("casts", "type_"),
    [
        ("", "64"),
        ("%e = memref.expand_shape %x [[0, 1]] output_shape [4, 16] : "
         "memref<64xf32> into memref<4x16xf32>", "4x16"),
        ("%s = memref.subview %x[1] [32] [1] : memref<64xf32> to "
         "memref<32xf32, strided<[1], offset: 1>>\n"
         "%e = memref.reinterpret_cast %s to offset: [0], sizes: [32], strides: [1] : "
         "memref<32xf32, strided<[1], offset: 1>> to memref<32xf32>", "32"),
    ],
)  # fmt: skip
def test_numbers_that_are_accessed_as_vectors(casts: str, type_: str) -> None:
    """They are aligned as numbers: wherever the array begins, and in a callee."""
    vector = f"vector<{type_}xf32>"
    source = "%e" if casts else "%x"
    module = jit.compile(
        f"""
        func.func private @add(%m: memref<{vector}>, %n: memref<{vector}>)
            attributes {{llvm.noinline}} {{
          %v = memref.load %m[] : memref<{vector}>
          %w = arith.addf %v, %v : {vector}
          memref.store %w, %n[] : memref<{vector}>
          return
        }}
        func.func @main(%x: memref<64xf32>, %y: memref<{type_}xf32>) {{
          {casts}
          %m = vector.type_cast {source} : memref<{type_}xf32> to
              memref<{vector}>
          %n = vector.type_cast %y : memref<{type_}xf32> to memref<{vector}>
          %v = memref.load %m[] : memref<{vector}>
          memref.store %v, %n[] : memref<{vector}>
          func.call @add(%n, %n) : (memref<{vector}>, memref<{vector}>) -> ()
          return
        }}
        """,
        "lower-to-llvm-pipeline",
    )
    shape = tuple(map(int, type_.split("x")))
    size = int(np.prod(shape))
    for offset in range(0, 64, 4):
        x = np.empty(64 * 4 + offset, "u1")[offset:].view("f4")
        y = np.empty(size * 4 + offset, "u1")[offset:].view("f4").reshape(shape)
        x[:] = range(64)
        module.main(x, y)
        np.testing.assert_array_equal(y.ravel(), 2 * np.arange(size))


@pytest.mark.parametrize(
    ("source", "vector"),
    [
        ("2x3xf64", "vector<2x3xf64>"),
        ("2x3xf64", "2xvector<3xf64>"),
        ("8xi1", "vector<8xi1>"),
        ("4xi24", "vector<4xi24>"),
        ("2xvector<3xf64>", "2x3xf64"),
    ],
)
def test_vectors_with_padding_are_no_numbers_side_by_side(
    source: str, vector: str
) -> None:
    with pytest.raises(PassFailedException, match="LLVM stores such"):
        lowered(f"""
            func.func @f(%x: memref<{source}>) {{
              %0 = vector.type_cast %x : memref<{source}> to memref<{vector}>
              return
            }}
            """)


def test_vectors_where_they_are_allocated_are_aligned() -> None:
    text = lowered("""
        func.func @f(%m: memref<2xvector<8xf32>>, %i: index) {
          %0 = memref.alloc() : memref<2xvector<8xf32>>
          %v = memref.load %m[%i] : memref<2xvector<8xf32>>
          memref.store %v, %0[%i] : memref<2xvector<8xf32>>
          memref.dealloc %0 : memref<2xvector<8xf32>>
          return
        }
        """)
    assert re.search(r"llvm.load .* {alignment = 4 : i64}", text)
    assert not re.search(r"llvm.store .*alignment", text)


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
