"""What buffer deallocation refuses, and that it says what to do."""

from __future__ import annotations

import pytest
from xdsl.utils.exceptions import PassFailedException

from tests.oracle.tools import parse, run_passes
from xdsl_bufferization.pipelines import BufferDeallocationPipeline

CASES = {
    "unknown effects": (
        """func.func @f(%m: memref<4xf32>) {
          "other.op"(%m) : (memref<4xf32>) -> ()
          return
        }""",
        ("'other.op'", "in @f", "get_allocations_and_frees", 'attach("other.op"'),
    ),
    "unknown regions": (
        """func.func @f(%m: memref<4xf32>) {
          %r = "other.op"(%m) ({
            "other.end"() : () -> ()
          }) : (memref<4xf32>) -> memref<4xf32>
          return
        }""",
        ("'other.op'", "RegionBranchOpInterface", "get_successor_regions"),
    ),
    "dealloc": (
        """func.func @f(%m: memref<4xf32>, %c: i1) {
          bufferization.dealloc (%m : memref<4xf32>) if (%c)
          return
        }""",
        ("'bufferization.dealloc' is there already", "only once"),
    ),
    "freed argument": (
        """func.func @f(%m: memref<4xf32>) {
          memref.dealloc %m : memref<4xf32>
          return
        }""",
        ("argument of its function", "manual_deallocation"),
    ),
    "freed global": (
        """memref.global "private" @g : memref<4xf32> = dense<1.0>
        func.func @f() {
          %g = memref.get_global @g : memref<4xf32>
          memref.dealloc %g : memref<4xf32>
          return
        }""",
        ("unknown who allocated it",),
    ),
    "freed stack": (
        """func.func @f() {
          %a = memref.alloca() : memref<4xf32>
          memref.dealloc %a : memref<4xf32>
          return
        }""",
        ("frees a buffer on the stack",),
    ),
    "realloc": (
        """func.func @f(%c: i1) -> memref<8xf32> {
          %a = memref.alloc() : memref<4xf32>
          %b = memref.alloc() : memref<4xf32>
          %x = arith.select %c, %a, %b : memref<4xf32>
          %r = memref.realloc %x : memref<4xf32> to memref<8xf32>
          return %r : memref<8xf32>
        }""",
        ("'memref.realloc'", "Run expand-realloc before"),
    ),
    "stored buffer": (
        """func.func @f(%box: memref<memref<4xf32>>) {
          %a = memref.alloc() : memref<4xf32>
          memref.store %a, %box[] : memref<memref<4xf32>>
          return
        }""",
        ("'memref.store'", "its function frees", "manual_deallocation"),
    ),
    "half manual": (
        """func.func @f() {
          %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
          memref.dealloc %a : memref<4xf32>
          return
        }""",
        ("mark the op that frees it, too",),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_refused(case: str) -> None:
    program, words = CASES[case]
    context, module = parse(program, allow_unregistered=True)
    with pytest.raises(PassFailedException) as error:
        run_passes(context, module, "ownership-based-buffer-deallocation")
    for word in words:
        assert word in str(error.value)


def test_tensors_left() -> None:
    context, module = parse(
        """func.func @f(%t: tensor<4xf32>) -> memref<4xf32> {
          %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
          return %m : memref<4xf32>
        }"""
    )
    with pytest.raises(PassFailedException, match="Run one-shot-bufferize before"):
        run_passes(context, module, "convert-bufferization-to-memref")


def test_stored_argument_is_fine() -> None:
    """What the caller owns outlives the function."""
    context, module = parse(
        """func.func @f(%box: memref<memref<4xf32>>, %m: memref<4xf32>) -> memref<4xf32> {
          memref.store %m, %box[] : memref<memref<4xf32>>
          %r = memref.load %box[] : memref<memref<4xf32>>
          return %r : memref<4xf32>
        }"""
    )
    run_passes(context, module, "ownership-based-buffer-deallocation")
    assert "bufferization.clone" in str(module)


def test_static_ownership_of_one_kind_of_allocation() -> None:
    context, module = parse("func.func @f() { return }")
    passes = BufferDeallocationPipeline(
        static_ownership=True, alloc_ops=("memref.alloc",)
    )
    with pytest.raises(PassFailedException, match=r"static-ownership .* or alloc-ops"):
        passes.apply(context, module)
