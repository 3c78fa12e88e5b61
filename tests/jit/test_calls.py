"""Calling compiled functions: what goes in, what comes out, what is refused."""

from __future__ import annotations

import gc
import inspect
import sys
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException, JITException

from tests.execution.harness import aligned_bytes
from tests.jit.programs import MAKE, SUM, lower
from xdsl_bufferization import jit
from xdsl_bufferization.jit.elements import _element_of
from xdsl_bufferization.jit.signature import Array
from xdsl_bufferization.jit.signature_json import signature_from_json, signature_to_json

# Scalars


@pytest.mark.parametrize(
    "type, value",
    [
        ("i1", True),
        ("i8", -128),
        ("i16", 32767),
        ("i32", -(2**31)),
        ("i64", 2**63 - 1),
        ("index", 12345678901),
        ("f16", 0.5),
        ("f32", -1.25),
        ("f64", 0.1),
        ("complex<f32>", 1.5 - 2j),
        ("complex<f64>", 0.1 + 0.2j),
    ],
)
def test_scalar_comes_back_as_it_went_in(type: str, value: Any) -> None:
    module = lower(f"func.func @same(%x: {type}) -> {type} {{ return %x : {type} }}")
    result = module.same(value)
    assert result == value
    assert isinstance(result, value.__class__)


def test_signless_integer_takes_both_readings_of_its_bits() -> None:
    module = lower("func.func @same(%x: i8) -> i8 { return %x : i8 }")
    assert module.same(255) == -1
    assert module.same(-1) == -1
    with pytest.raises(DiagnosticException, match="256 does not fit: -128 to 255"):
        module.same(256)


def test_numpy_scalars_are_numbers() -> None:
    module = lower(
        "func.func @f(%x: f32, %i: i32, %b: i1) -> (f32, i32, i1) "
        "{ return %x, %i, %b : f32, i32, i1 }"
    )
    assert module.f(np.float64(0.5), np.int8(3), np.bool_(True)) == (0.5, 3, True)


@pytest.mark.parametrize(
    "type, value, message",
    [
        ("i32", 1.5, "expected a number for i32"),
        ("f32", "1", "no number"),
        ("f32", 1j, "is complex"),
        ("i1", 2, "neither 0 nor 1"),
        ("f32", np.zeros(1, "f"), r"got an array of float32 of shape \(1,\)"),
    ],
)
def test_wrong_scalar_is_named(type: str, value: Any, message: str) -> None:
    module = lower(f"func.func @f(%x: {type}) {{ return }}")
    with pytest.raises(DiagnosticException, match=rf"f: argument 0 \(%x\): .*{message}"):
        module.f(value)


# Arrays

VIEWS = {
    "contiguous": lambda x: x,
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1, ::-1],
    "sliced": lambda x: x[1:5, 2:9:3],
    "broadcast": lambda x: np.broadcast_to(x[0], (7, x.shape[1])),
    "empty": lambda x: x[:0],
    "one": lambda x: x[2:3, 3:4],
}


@pytest.fixture(scope="module")
def sum_module() -> jit.Module:
    return lower(SUM)


@pytest.mark.parametrize("view", VIEWS)
def test_any_strides_without_a_copy(sum_module: jit.Module, view: str) -> None:
    array = VIEWS[view](np.arange(60, dtype="f").reshape(6, 10))
    assert sum_module.sum(array) == array.sum()


def test_what_offers_its_memory_is_an_array(sum_module: jit.Module) -> None:
    memory = memoryview(np.ones((2, 3), "f"))
    assert sum_module.sum(memory) == 6


@pytest.mark.parametrize(
    "argument, message",
    [
        (np.zeros((2, 2)), "expected an array of float32 .*got float64 of shape"),
        (np.zeros((2, 2), ">f4"), "expected an array of float32"),
        (np.zeros(3, "f"), r"expected an array of shape \(any, any\).*got float32"),
        (np.float32(1), "expected a NumPy array .*got float32"),
        ([[1.0]], r"expected a NumPy array .*got list.*numpy.array"),
        (np.zeros((2, 8), "u1")[:, 1:5].copy().view("f4"), None),
        (np.zeros(33, "u1")[1:].view("f4").reshape(2, 4), "not aligned"),
        (np.zeros((3, 2), "f4,u1")["f0"], "not aligned|no multiples"),
    ],
)
def test_wrong_array_is_named(
    sum_module: jit.Module, argument: Any, message: str | None
) -> None:
    if message is None:
        assert sum_module.sum(argument) == 0
        return
    with pytest.raises(DiagnosticException, match=message) as error:
        sum_module.sum(argument)
    assert str(error.value).startswith("sum: argument 0 (%x): ")


@pytest.mark.parametrize("shift", [0, 1, 4, 16, 32, 64])
@pytest.mark.parametrize("checked", [True, False])
def test_an_arena_must_be_aligned(shift: int, checked: bool) -> None:
    module = jit.compile(
        """
        func.func @main(%x: memref<i8>, %arena: memref<96xi8>)
            attributes {arena_bytes = [96 : i64], arena_alignments = [64 : i64]} {
          %c95 = arith.constant 95 : index
          %y = memref.load %x[] : memref<i8>
          memref.store %y, %arena[%c95] : memref<96xi8>
          return
        }
        """,
        "lower-to-llvm-pipeline",
        check=checked,
    )
    x, arena = np.array(5, "i1"), aligned_bytes(96, 64, shift)
    if not shift % 64:
        module.main(x, arena)
        assert arena[95] == 5
        return
    message = (
        r"main: argument 1 \(%arena\): expected an arena, an array of 96 bytes that may "
        r"be written, whose address is a multiple of 64; the address of this one, 0x\w+, "
        r"is not\. Pass what arenas\[0\]\.allocate\(\) of the function returns\."
    )
    with pytest.raises(JITException, match=message):
        module.main(x, arena)
    assert not arena.any()


def test_a_planned_arena_must_be_aligned() -> None:
    """A signature in the cache has the alignment as well."""
    module = jit.compile(
        """
        func.func @main(%x: memref<f32>) {
          %0 = memref.alloc() {alignment = 128} : memref<f32>
          memref.copy %x, %0 : memref<f32> to memref<f32>
          memref.copy %0, %x : memref<f32> to memref<f32>
          memref.dealloc %0 : memref<f32>
          return
        }
        """,
        "plan-memory{arena=argument},lower-to-llvm-pipeline",
    )
    x = np.array(5, "f4")
    module.main(x, aligned_bytes(4, 128))
    with pytest.raises(
        JITException, match=r"argument 1 \(%arena\): .* a multiple of 128;"
    ):
        module.main(x, aligned_bytes(4, 128, 64))
    signature = module.main.signature
    assert signature_from_json(signature_to_json(signature)) == signature


def test_a_function_tells_its_arenas() -> None:
    module = jit.compile(
        """
        func.func @main(%x: memref<f32>) {
          %0 = memref.alloc() {alignment = 128} : memref<f32>
          memref.copy %x, %0 : memref<f32> to memref<f32>
          memref.copy %0, %x : memref<f32> to memref<f32>
          memref.dealloc %0 : memref<f32>
          return
        }
        func.func @none(%x: memref<f32>) {
          return
        }
        """,
        "plan-memory{arena=argument},lower-to-llvm-pipeline",
    )
    (arena,) = module.main.arenas
    assert arena == jit.Arena(bytes=4, alignment=128)
    memory = arena.allocate()
    assert memory.shape == (4,) and memory.ctypes.data % 128 == 0
    module.main(np.array(5, "f4"), memory)
    assert module.none.arenas == ()


@pytest.mark.parametrize(
    ("wrong", "given"),
    [
        (lambda memory: memory[:100], r"got int8 .*\(100,\)"),
        (lambda memory: memory.view("f4"), "got float32"),
        (lambda memory: memory.reshape(2, -1), "got int8"),
        (lambda memory: np.zeros(2 * memory.size, "i1")[::2], "this one have gaps"),
        (lambda memory: np.frombuffer(bytes(memory), "i1"), "this one is read-only"),
        (lambda memory: None, "got NoneType"),
    ],
)
def test_what_is_no_arena_is_refused(
    wrong: Callable[[Array], object], given: str
) -> None:
    """What to pass instead is said; it is right, by position and by name."""
    module = jit.compile(
        """
        func.func @main(%x: tensor<64xf32>, %n: i32) -> tensor<64xf32> {
          %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%x : tensor<64xf32>)
              -> tensor<64xf32>
          %1 = linalg.add ins(%0, %x : tensor<64xf32>, tensor<64xf32>)
              outs(%x : tensor<64xf32>) -> tensor<64xf32>
          %2 = linalg.mul ins(%0, %1 : tensor<64xf32>, tensor<64xf32>)
              outs(%1 : tensor<64xf32>) -> tensor<64xf32>
          return %2 : tensor<64xf32>
        }
        """,
        "bufferization-pipeline{plan-memory arena=argument},lower-to-llvm-pipeline",
    )
    x = np.zeros(64, "f4")
    (arena,) = module.main.arenas
    memory = arena.allocate()
    message = rf"argument 2 \(%arena\): .* of {arena.bytes} bytes .*{given}.* Pass what "
    with pytest.raises(JITException, match=message + r"arenas\[0\]\.allocate\(\) of"):
        module.main(x, 1, wrong(memory))
    expected = module.main(x.copy(), 1, memory).copy()
    assert np.array_equal(module.main(x.copy(), n=1, arena=memory), expected)


TWO_RESULTS = """
func.func @main(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %i = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.exp ins(%0 : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  %2 = linalg.exp ins(%1 : tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %3 = linalg.add ins(%1, %2 : tensor<64xf32>, tensor<64xf32>)
      outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %x_1 = tensor.empty() : tensor<64xf32>
  %4 = linalg.mul ins(%0, %3 : tensor<64xf32>, tensor<64xf32>)
      outs(%x_1 : tensor<64xf32>) -> tensor<64xf32>
  return %3, %4 : tensor<64xf32>, tensor<64xf32>
}
"""


def test_added_arguments_have_their_names() -> None:
    """Results that are arguments, and arenas: in calls, stubs, headers and errors."""
    options = "results-to-out-params plan-memory arena=argument"
    module = jit.compile(
        TWO_RESULTS, f"bufferization-pipeline{{{options}}},lower-to-llvm-pipeline"
    )
    assert list(inspect.signature(module.main).parameters) == ["x", "e", "x_1", "arena"]
    x, e, x_1 = np.zeros(64, "f4"), np.empty(64, "f4"), np.empty(64, "f4")
    arena = module.main.arenas[0].allocate()
    module.main(x_1=x_1, arena=arena, x=x, e=e)
    np.testing.assert_allclose(x_1, e, rtol=1e-5)
    assert "def main(x: " in module.stub() and "/" not in module.stub()
    assert "// arena: at a multiple of 64 bytes" in module.header()
    with pytest.raises(
        JITException, match=r"argument 1 \(%e\): .* memory with argument 2 \(%x_1\)\."
    ):
        module.main(x, e, e, arena)


def test_an_added_argument_without_a_name_leaves_the_others_theirs() -> None:
    module = jit.compile(
        """
        func.func @main(%x: memref<4xf32>) -> memref<4xf32> {
          return %x : memref<4xf32>
        }
        """,
        "buffer-results-to-out-params{modify-public-functions},lower-to-llvm-pipeline",
    )
    assert "main(memref_1d_f32 *x, memref_1d_f32 *arg1)" in module.header()
    result = np.empty(4, "f4")
    module.main(np.ones(4, "f4"), result)
    assert result.all()


def test_the_arena_of_any_size_is_up_to_the_caller() -> None:
    module = jit.compile(
        """
        func.func @main(%arena: memref<?xi8>) attributes {arena_alignments = [64 : i64]} {
          return
        }
        """,
        "lower-to-llvm-pipeline",
    )
    (arena,) = module.main.arenas
    assert arena == jit.Arena(None, 64)
    with pytest.raises(ValueError, match="of any size"):
        arena.allocate()


def test_identity_layout_needs_rows_without_gaps() -> None:
    module = lower(
        """
        func.func @first(%x: memref<2x3xi32>) -> i32 {
          %c0 = arith.constant 0 : index
          %e = memref.load %x[%c0, %c0] : memref<2x3xi32>
          return %e : i32
        }
        """
    )
    array = np.arange(6, dtype="i4").reshape(2, 3) + 7
    assert module.first(array) == 7
    with pytest.raises(DiagnosticException, match=r"must lie in memory row by row.*asc"):
        module.first(array.reshape(3, 2).T)
    with pytest.raises(DiagnosticException, match=r"expected an array of shape \(2, 3\)"):
        module.first(array.T)


def test_fixed_strides_and_offset_are_checked_and_met() -> None:
    module = lower(
        """
        func.func @get(%x: memref<2x3xf32, strided<[8, 1], offset: 2>>, %i: index,
                       %j: index) -> f32 {
          %e = memref.load %x[%i, %j] : memref<2x3xf32, strided<[8, 1], offset: 2>>
          return %e : f32
        }
        """
    )
    array = np.arange(16, dtype="f").reshape(2, 8)[:, 2:5]
    assert module.get(array, 1, 2) == array[1, 2]
    with pytest.raises(
        DiagnosticException, match=r"fixes the strides .*\[8, 1\].*\[3, 1\]"
    ):
        module.get(array.copy(), 1, 2)


def test_number_of_arguments(sum_module: jit.Module) -> None:
    with pytest.raises(
        DiagnosticException,
        match=r"^sum\(\) takes 1 positional argument but 2 .*: sum\(%x",
    ):
        sum_module.sum(1, 2)


# Writing

STORE = """
func.func @store(%to: memref<?xf64, strided<[?], offset: ?>>,
                 %from: memref<?xf64, strided<[?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %e = memref.load %from[%c0] : memref<?xf64, strided<[?], offset: ?>>
  memref.store %e, %to[%c0] : memref<?xf64, strided<[?], offset: ?>>
  return
}
"""


@pytest.fixture(scope="module", params=[0, 2])
def store_module(request: pytest.FixtureRequest) -> jit.Module:
    return lower(STORE, opt_level=request.param)


def test_arguments_are_written_where_they_are(store_module: jit.Module) -> None:
    to, source = np.zeros(4), np.ones(3)
    assert store_module.store(to[2:], source) is None
    np.testing.assert_array_equal(to, [0, 0, 1, 0])


def test_only_what_is_written_must_be_writable(store_module: jit.Module) -> None:
    frozen = np.ones(3)
    frozen.flags.writeable = False
    assert store_module.store.written == (True, False)
    store_module.store(np.zeros(3), frozen)
    with pytest.raises(DiagnosticException, match=r"argument 0 \(%to\).*read-only"):
        store_module.store(frozen, np.zeros(3))


def test_what_is_written_must_not_overlap_another_argument(
    store_module: jit.Module,
) -> None:
    array = np.zeros(6)
    store_module.store(array[::2], array[1::2])
    with pytest.raises(DiagnosticException, match="shares memory with argument 1"):
        store_module.store(array[:4], array[2:])


# Results


def test_results_own_their_memory() -> None:
    module = lower(MAKE, count=True)
    matrix, zero_d = module.make(3, 1.5)
    np.testing.assert_array_equal(matrix, np.full((3, 2), 1.5, "f"))
    assert zero_d.shape == () and zero_d[()] == 1.5
    assert zero_d.ctypes.data % 128 == 0
    assert module.stats().live_bytes == module.stats().returned_bytes > 0
    view = matrix[1:].T
    del matrix, zero_d
    gc.collect()
    assert module.stats().live_bytes == 24
    np.testing.assert_array_equal(view, np.full((2, 2), 1.5, "f"))
    del view
    gc.collect()
    assert module.stats().live_bytes == 0
    assert module.stats().frees == 2
    assert module.stats().invalid_frees == 0


def test_results_outlive_their_module() -> None:
    module = lower(MAKE)
    matrix, _ = module.make(1000, 1.5)
    del module
    gc.collect()
    matrix += 1
    np.testing.assert_array_equal(matrix, np.full((1000, 2), 2.5, "f"))


def test_empty_result() -> None:
    matrix, _ = lower(MAKE).make(0, 1.0)
    assert matrix.shape == (0, 2)


def test_result_in_an_argument_is_a_view_of_it() -> None:
    """Without deallocation a function may return what it was given."""
    module = lower(
        """
        func.func @column(%x: memref<4x4xi32>) -> memref<4xi32, strided<[4], offset: 1>> {
          %v = memref.subview %x[0, 1] [4, 1] [1, 1]
              : memref<4x4xi32> to memref<4xi32, strided<[4], offset: 1>>
          return %v : memref<4xi32, strided<[4], offset: 1>>
        }
        """,
        count=True,
    )
    array = np.arange(16, dtype="i4").reshape(4, 4)
    column = module.column(array)
    np.testing.assert_array_equal(column, array[:, 1])
    assert np.shares_memory(column, array)
    del array
    gc.collect()
    np.testing.assert_array_equal(column, [1, 5, 9, 13])
    assert module.stats().invalid_frees == 0


def test_one_buffer_returned_twice_is_freed_once() -> None:
    module = lower(
        """
        func.func @twice() -> (memref<2xi8>, memref<2xi8>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %x = arith.constant 7 : i8
          %m = memref.alloc() : memref<2xi8>
          memref.store %x, %m[%c0] : memref<2xi8>
          memref.store %x, %m[%c1] : memref<2xi8>
          return %m, %m : memref<2xi8>, memref<2xi8>
        }
        """,
        count=True,
    )
    first, second = module.twice()
    assert np.shares_memory(first, second)
    del first
    gc.collect()
    np.testing.assert_array_equal(second, [7, 7])
    del second
    gc.collect()
    assert (module.stats().frees, module.stats().invalid_frees) == (1, 0)


def test_global_memory_is_not_freed() -> None:
    module = lower(
        """
        memref.global "private" constant @g : memref<3xi16> = dense<[1, -2, 3]>
        func.func @get() -> memref<3xi16> {
          %m = memref.get_global @g : memref<3xi16>
          return %m : memref<3xi16>
        }
        """,
        count=True,
    )
    array = module.get()
    stats = module.stats
    del module
    gc.collect()
    np.testing.assert_array_equal(array, np.array([1, -2, 3], "i2"))
    del array
    assert stats().invalid_frees == 0


ELEMENTS = ["i1", "i8", "i16", "i32", "i64", "index", "f16", "f32", "f64"]
ELEMENTS += ["complex<f32>", "complex<f64>"]


@pytest.mark.parametrize("element", ELEMENTS)
def test_array_of_every_element_type(element: str) -> None:
    layout = "strided<[?], offset: ?>"
    module = lower(
        f"""
        func.func @reverse(%x: memref<3x{element}, {layout}>) -> memref<3x{element}> {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %a = memref.load %x[%c0] : memref<3x{element}, {layout}>
          %b = memref.load %x[%c1] : memref<3x{element}, {layout}>
          %c = memref.load %x[%c2] : memref<3x{element}, {layout}>
          %m = memref.alloc() : memref<3x{element}>
          memref.store %c, %m[%c0] : memref<3x{element}>
          memref.store %b, %m[%c1] : memref<3x{element}>
          memref.store %a, %m[%c2] : memref<3x{element}>
          return %m : memref<3x{element}>
        }}
        """
    )
    dtype = module.reverse.signature.results[0].element.dtype
    array = np.array([0, 1, 1] if element == "i1" else [-1, 0, 100]).astype(dtype)
    result = module.reverse(array)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, array[::-1])
    if dtype.kind == "i":
        unsigned = array.view(f"u{dtype.itemsize}")
        np.testing.assert_array_equal(module.reverse(unsigned), array[::-1])


def test_unranked_memrefs() -> None:
    module = lower(
        """
        func.func @widen(%x: memref<*xf32>, %r: memref<2x3xf32>)
            -> (index, memref<*xf32>) {
          %rank = memref.rank %x : memref<*xf32>
          %m = memref.alloc() : memref<2x3xf32>
          memref.copy %r, %m : memref<2x3xf32> to memref<2x3xf32>
          %u = memref.cast %m : memref<2x3xf32> to memref<*xf32>
          return %rank, %u : index, memref<*xf32>
        }
        """,
        count=True,
    )
    array = np.arange(6, dtype="f").reshape(2, 3)
    rank, result = module.widen(np.zeros((1, 2, 3, 4), "f"), array)
    assert rank == 4
    np.testing.assert_array_equal(result, array)
    assert module.stats().leaked_bytes == 0
    del result
    gc.collect()
    assert module.stats().live_bytes == 0


@pytest.mark.parametrize("opt_level", [0, 2])
def test_unranked_arrays_that_are_only_read_may_be_read_only(opt_level: int) -> None:
    module = jit.compile(
        """
        func.func @rank(%x: tensor<*xf32>) -> index {
          %0 = tensor.rank %x : tensor<*xf32>
          return %0 : index
        }
        func.func @size(%x: memref<*xf32>, %i: index) -> index {
          %0 = memref.dim %x, %i : memref<*xf32>
          return %0 : index
        }
        func.func @element(%x: tensor<*xf32>, %i: index) -> f32 {
          %0 = tensor.cast %x : tensor<*xf32> to tensor<?x?xf32>
          %1 = tensor.extract %0[%i, %i] : tensor<?x?xf32>
          return %1 : f32
        }
        func.func @store(%x: memref<*xf32>, %i: index, %y: f32) {
          %0 = memref.cast %x : memref<*xf32> to memref<?x?xf32>
          memref.store %y, %0[%i, %i] : memref<?x?xf32>
          return
        }
        func.func @copy(%x: memref<*xf32>, %y: memref<*xf32>) {
          memref.copy %x, %y : memref<*xf32> to memref<*xf32>
          return
        }
        func.func private @elsewhere(memref<*xf32>)
        func.func @pass(%x: memref<*xf32>) {
          call @elsewhere(%x) : (memref<*xf32>) -> ()
          return
        }
        func.func private @inner(%x: memref<*xf32>, %n: index, %y: f32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %is = arith.cmpi eq, %n, %c0 : index
          scf.if %is {
            %0 = memref.cast %x : memref<*xf32> to memref<?x?xf32>
            memref.store %y, %0[%c0, %c0] : memref<?x?xf32>
          } else {
            %m = arith.subi %n, %c1 : index
            func.call @inner(%x, %m, %y) : (memref<*xf32>, index, f32) -> ()
            func.call @inner(%x, %m, %y) : (memref<*xf32>, index, f32) -> ()
          }
          return
        }
        func.func @deep(%x: memref<*xf32>, %n: index, %y: f32) {
          call @inner(%x, %n, %y) : (memref<*xf32>, index, f32) -> ()
          return
        }
        func.func @address(%x: memref<*xf32>) -> index {
          %0 = memref.cast %x : memref<*xf32> to memref<?x?xf32>
          %1 = memref.extract_aligned_pointer_as_index %0 : memref<?x?xf32> -> index
          return %1 : index
        }
        """,
        opt_level=opt_level,
        functions={"elsewhere": lambda x: None},
    )
    array = np.arange(6, dtype="f").reshape(2, 3)
    array.flags.writeable = False
    assert module.rank(array) == 2
    assert module.size(array, 1) == 3
    assert module.element(array, 1) == 4
    for name in ("store", "copy", "pass", "deep", "address"):
        assert any(module[name].written), name
    with pytest.raises(DiagnosticException, match="read-only"):
        module.store(array, 0, 1)


def test_a_parameter_may_have_the_name_of_one_of_python() -> None:
    module = lower(
        """
        func.func @f(%self: i32, %arguments: i32) -> i32 {
          %0 = arith.subi %self, %arguments : i32
          return %0 : i32
        }
        """
    )
    assert module.f(self=5, arguments=2) == 3
    assert module.f(arguments=2, self=5) == 3


# Modules


def test_functions_are_attributes_and_items() -> None:
    module = lower(
        """
        func.func @f() { return }
        func.func @"odd name"() -> i32 { %c = arith.constant 3 : i32  return %c : i32 }
        func.func private @helper() { return }
        """
    )
    assert list(module) == ["f", "odd name"]
    assert "f" in module and "helper" not in module
    assert module.f() is None
    assert module["odd name"]() == 3
    assert repr(module.f) == "<compiled function f() -> ()>"


@pytest.mark.parametrize(
    "name, reason", [("g", ""), ("helper", ": it is private; write func.func without")]
)
def test_unknown_function(name: str, reason: str) -> None:
    module = lower("func.func @f() { return } func.func private @helper() { return }")
    with pytest.raises(
        DiagnosticException,
        match=f"no public function '{name}'{reason}.*has: f",
    ):
        getattr(module, name)
    assert not hasattr(module, name)
    with pytest.raises(DiagnosticException):
        module[name]


def test_function_that_cannot_cross_is_refused_when_asked_for() -> None:
    module = lower(
        """
        func.func @f() { return }
        func.func @g(%x: vector<4xf32>) { return }
        """
    )
    module.f()
    with pytest.raises(
        DiagnosticException, match=r"g: argument 0: .*vector<4xf32> cannot"
    ):
        module["g"]


def test_llvm_function_is_refused_when_asked_for() -> None:
    module = lower(
        """
        llvm.func @f(%x: i32) -> i32 { llvm.return %x : i32 }
        func.func @g() { return }
        """
    )
    with pytest.raises(DiagnosticException, match=r"'f' was given as an llvm\.func"):
        module.f(1)


@pytest.mark.parametrize("name", ["bfloat16", "float8_e5m2", "float8_e4m3fn"])
def test_small_floats_of_ml_dtypes(name: str) -> None:
    element = {"bfloat16": "bf16", "float8_e5m2": "f8E5M2"}.get(name, "f8E4M3FN")
    dtype = np.dtype(getattr(ml_dtypes, name))
    module = lower(
        f"""
        func.func @f(%m: memref<3x{element}>, %x: {element})
            -> ({element}, memref<3x{element}>) {{
          %c0 = arith.constant 0 : index
          %n = memref.alloc() : memref<3x{element}>
          memref.copy %m, %n : memref<3x{element}> to memref<3x{element}>
          %y = memref.load %m[%c0] : memref<3x{element}>
          memref.store %x, %n[%c0] : memref<3x{element}>
          return %y, %n : {element}, memref<3x{element}>
        }}
        """
    )
    array = np.array([1.5, -2, 0.25]).astype(dtype)
    first, result = module.f(array, 3)
    assert first == 1.5
    assert result.dtype == dtype
    np.testing.assert_array_equal(result.astype("f"), np.array([3, -2, 0.25], "f"))


def test_small_floats_without_ml_dtypes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    _element_of.cache_clear()
    module = lower("func.func @f(%x: bf16) { return }")
    with pytest.raises(DiagnosticException, match=r"bf16 cannot cross.*ml_dtypes bf16"):
        module.f(1)
    _element_of.cache_clear()
