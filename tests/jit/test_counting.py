"""compile(count=True) and stats(): every number counted, every misuse seen."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from tests.jit.programs import MAKE, lower


def test_stats_of_nested_lifetimes() -> None:
    module = lower(
        """
        func.func @f(%n: index) {
          %a = memref.alloc(%n) : memref<?xf64>
          %b = memref.alloc() : memref<10xi8>
          memref.dealloc %b : memref<10xi8>
          %c = memref.alloc() : memref<3xi8>
          memref.dealloc %a : memref<?xf64>
          memref.dealloc %c : memref<3xi8>
          return
        }
        """,
        count=True,
    )
    module.f(100)
    stats = module.stats()
    assert stats.allocations == stats.frees == 3
    assert stats.bytes_allocated == 813
    assert stats.peak_bytes == 810
    assert stats.live_bytes == stats.leaked_bytes == stats.invalid_frees == 0
    module.f(1)
    assert module.stats().allocations == 6
    assert module.stats().peak_bytes == 810
    module.reset_stats()
    module.f(1)
    assert module.stats().allocations == 3
    assert module.stats().peak_bytes == 18


def test_leak() -> None:
    module = lower(
        """
        func.func @f() {
          %a = memref.alloc() : memref<10xi8>
          return
        }
        """,
        count=True,
        opt_level=3,
    )
    module.f()
    module.f()
    assert module.stats().leaked_bytes == 20


@pytest.mark.parametrize("between", ["", "%b = memref.alloc() : memref<10xi8>"])
def test_double_free_is_seen_and_not_done(between: str) -> None:
    module = lower(
        f"""
        func.func @f() {{
          %a = memref.alloc() : memref<10xi8>
          memref.dealloc %a : memref<10xi8>
          {between}
          memref.dealloc %a : memref<10xi8>
          return
        }}
        """,
        count=True,
    )
    module.f()
    stats = module.stats()
    assert (stats.frees, stats.invalid_frees) == (1, 1)
    assert stats.live_bytes == (10 if between else 0)


def test_freeing_an_argument_is_seen_and_not_done() -> None:
    module = lower(
        """
        func.func @f(%x: memref<4xi8>) {
          memref.dealloc %x : memref<4xi8>
          return
        }
        """,
        count=True,
    )
    array = np.arange(4, dtype="i1")
    module.f(array)
    assert module.stats().invalid_frees == 1
    np.testing.assert_array_equal(array, [0, 1, 2, 3])


def test_memory_read_too_early_or_too_late_is_not_a_number() -> None:
    module = lower(
        """
        func.func @f() -> (f32, f32) {
          %c0 = arith.constant 0 : index
          %one = arith.constant 1.0 : f32
          %a = memref.alloc() : memref<4xf32>
          %early = memref.load %a[%c0] : memref<4xf32>
          memref.store %one, %a[%c0] : memref<4xf32>
          memref.dealloc %a : memref<4xf32>
          %late = memref.load %a[%c0] : memref<4xf32>
          return %early, %late : f32, f32
        }
        """,
        count=True,
    )
    assert np.isnan(module.f()).all()


COPIES = """
func.func @f(%x: memref<4x?xf64, strided<[?, ?], offset: ?>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %columns = memref.dim %x, %c1 : memref<4x?xf64, strided<[?, ?], offset: ?>>
  %a = memref.alloc(%columns) : memref<4x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %a : memref<4x?xf64, strided<[?, ?], offset: ?>> to memref<4x?xf64>
    memref.copy %a, %x : memref<4x?xf64> to memref<4x?xf64, strided<[?, ?], offset: ?>>
  }
  memref.dealloc %a : memref<4x?xf64>
  return
}
"""


@pytest.mark.parametrize("columns", [0, 1, 7])
def test_copies_count_when_they_run_and_by_their_shape(columns: int) -> None:
    module = lower(COPIES, count=True)
    array = np.arange(4.0 * columns).reshape(columns, 4).T
    module.f(array, 3)
    assert module.stats().copies == 6
    assert module.stats().bytes_copied == 6 * 4 * columns * 8
    np.testing.assert_array_equal(array, np.arange(4.0 * columns).reshape(columns, 4).T)


def test_copies_of_every_element_type() -> None:
    sizes = {
        "i1": 1,
        "i7": 1,
        "index": 8,
        "f16": 2,
        "complex<f32>": 8,
        "vector<4xf32>": 16,
    }
    functions = "".join(
        f"""
        func.func @on_{number}() {{
          %a = memref.alloc() : memref<10x{element}>
          %b = memref.alloc() : memref<10x{element}>
          memref.copy %a, %b : memref<10x{element}> to memref<10x{element}>
          memref.dealloc %a : memref<10x{element}>
          memref.dealloc %b : memref<10x{element}>
          return
        }}
        """
        for number, element in enumerate(sizes)
    )
    module = lower(functions, count=True)
    for number, size in enumerate(sizes.values()):
        module.reset_stats()
        module[f"on_{number}"]()
        assert module.stats().bytes_copied == 10 * size


def test_nothing_is_counted_unless_asked() -> None:
    module = lower(COPIES)
    module.f(np.zeros((4, 2)), 1)
    assert "count" not in module.llvm_ir
    with pytest.raises(DiagnosticException, match="compile the module with count=True"):
        module.stats()


def test_aligned_and_generic_allocation_functions() -> None:
    text = """
    func.func @f() -> memref<3xf32> {
      %a = memref.alloc() {alignment = 64} : memref<3xf32>
      %b = memref.alloc() : memref<5xi8>
      memref.dealloc %b : memref<5xi8>
      return %a : memref<3xf32>
    }
    """
    for options in ("use-aligned-alloc", "use-generic-functions"):
        for count in (False, True):
            pipeline = f"convert-to-llvm{{{options}=true}}"
            module = lower(text, pipeline=pipeline, count=count)
            array = module.f()
            array[:] = 1
            if count:
                assert module.stats().allocations == 2
                assert module.stats().frees == 1
                assert module.stats().returned_bytes > 0
            del array
            if count:
                assert module.stats().live_bytes == 0
                assert module.stats().invalid_frees == 0


def test_garbage_may_be_collected_while_counting() -> None:
    """A result that is part of a cycle is freed when the collector finds it, be it in the
    middle of an allocation."""
    module = lower(MAKE, count=True)
    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(200):
            cycle: list[object] = [module.make(1, 1.0)]
            cycle.append(cycle)
            del cycle
    finally:
        gc.set_threshold(*threshold)
    gc.collect()
    assert module.stats().live_bytes == 0
    assert module.stats().frees == 400
