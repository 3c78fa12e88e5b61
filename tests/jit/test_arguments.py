"""What arguments are made of: how long their memory lives, and when it may be written."""

from __future__ import annotations

import array
import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from tests.jit.programs import lower
from xdsl_bufferization import jit

WITHOUT_DEALLOCATION = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},"
    "lower-to-llvm-pipeline"
)

LAST = """
func.func @last(%t: tensor<?xi8>, %u: tensor<?xi8>) -> (i8, i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<?xi8>
  %i = arith.subi %n, %c1 : index
  %a = tensor.extract %t[%i] : tensor<?xi8>
  %b = tensor.extract %u[%i] : tensor<?xi8>
  return %a, %b : i8, i8
}
"""

SAME = "func.func @same(%t: tensor<?xi8>) -> tensor<?xi8> { return %t : tensor<?xi8> }"
SAME_UNWRITTEN = SAME.replace("xi8>) ->", "xi8> {bufferization.writable = false}) ->")


class Image:
    """Makes its memory when it is asked for it, as Pillow's images do."""

    def __init__(self, size: int, value: int) -> None:
        self._size = size
        self._value = value

    @property
    def __array_interface__(self) -> dict[str, Any]:
        data = np.full(self._size, self._value, "i1").tobytes()
        return {"version": 3, "shape": (self._size,), "typestr": "|i1", "data": data}


class Lender:
    """Offers an array by DLPack alone."""

    def __init__(self, lent: np.ndarray, device: tuple[int, int] = (1, 0)) -> None:
        self._lent = lent
        self._device = device

    def __dlpack__(self, **options: Any) -> Any:
        return self._lent.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


@pytest.fixture(scope="module")
def last() -> jit.Function:
    return jit.compile(LAST).last


@pytest.mark.parametrize("size", [64, 4096, 1 << 20, 1 << 23])
@pytest.mark.parametrize(
    "make",
    [
        Image,
        lambda size, value: memoryview(bytes([value]) * size).cast("b"),
        lambda size, value: array.array("b", [value]) * size,
        lambda size, value: Lender(np.full(size, value, "i1")),
        lambda size, value: np.full(size, value, "i1"),
    ],
    ids=["interface", "memoryview", "array.array", "dlpack", "numpy"],
)
def test_temporary_memory_lives_during_the_call(
    last: jit.Function, make: Callable[[int, int], Any], size: int
) -> None:
    assert last(make(size, 2), make(size, 5)) == (2, 5)


def test_memory_stays_where_it_is_during_the_call() -> None:
    """A callback may try to move what the compiled function works on."""
    numbers = array.array("b", range(8))
    refused: list[str] = []

    def grow() -> None:
        try:
            numbers.extend(range(100))
        except BufferError as error:
            refused.append(str(error))  # the error itself would keep the call's frame

    module = lower(
        """
        func.func private @grow()
        func.func @main(%m: memref<?xi8>) -> i8 {
          %c7 = arith.constant 7 : index
          call @grow() : () -> ()
          %e = memref.load %m[%c7] : memref<?xi8>
          return %e : i8
        }
        """,
        functions={"grow": grow},
    )
    assert module.main(numbers) == 7
    assert refused == ["cannot resize an array that is exporting buffers"]
    numbers.extend(range(100))


def test_result_keeps_what_it_is_a_view_of() -> None:
    module = jit.compile(SAME, WITHOUT_DEALLOCATION)
    numbers = array.array("b", range(100))
    result = module.same(numbers)
    with pytest.raises(BufferError):
        numbers.extend(range(100))
    result[0] = 9
    assert numbers[0] == 9
    del result
    gc.collect()
    numbers.extend(range(100))
    module = jit.compile(SAME_UNWRITTEN, WITHOUT_DEALLOCATION)
    assert module.same(Image(1 << 20, 3)).sum(dtype="i8") == 3 << 20


def test_device_memory_is_refused(last: jit.Function) -> None:
    lender = Lender(np.zeros(4, "i1"), device=(2, 0))
    with pytest.raises(DiagnosticException, match=r"argument 1 \(%u\): .*Lender offers"):
        last(np.zeros(4, "i1"), lender)


def test_interface_that_fails_is_named(last: jit.Function) -> None:
    class Broken:
        @property
        def __array_interface__(self) -> dict[str, Any]:
            return {"version": 3, "shape": (4,), "typestr": "?!", "data": b""}

    with pytest.raises(DiagnosticException, match=r"argument 0 \(%t\): .*Broken offers"):
        last(Broken(), np.zeros(4, "i1"))


# Memory that may not be written


def test_view_of_a_read_only_argument_is_read_only() -> None:
    module = jit.compile(SAME_UNWRITTEN, WITHOUT_DEALLOCATION)
    text = b"hello"
    result = module.same(np.frombuffer(text, "i1"))
    with pytest.raises(ValueError, match="read-only"):
        result[0] = 0
    assert not module.same(np.zeros(3, "i1")).flags.writeable


def test_constant_result_is_read_only() -> None:
    module = jit.compile(
        """
        func.func @main() -> tensor<2xf32> {
          %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
          return %x : tensor<2xf32>
        }
        """,
        WITHOUT_DEALLOCATION,
    )
    result = module.main()
    np.testing.assert_array_equal(result, [1, 2])
    assert not result.flags.writeable


@pytest.mark.parametrize("level", [0, 2])
def test_variable_result_is_writable(level: int) -> None:
    """Of a global that is not constant, any part may be written, and no more."""
    module = lower(
        """
        memref.global "private" @v : memref<4xi16> = dense<[1, 2, 3, 4]>
        memref.global "private" constant @c : memref<4xi16> = dense<5>
        memref.global @u : memref<2x3xf64> = uninitialized
        func.func @get() -> (memref<2xi16, strided<[1], offset: 2>>, memref<4xi16>,
                             memref<2x3xf64>) {
          %v = memref.get_global @v : memref<4xi16>
          %c = memref.get_global @c : memref<4xi16>
          %u = memref.get_global @u : memref<2x3xf64>
          %s = memref.subview %v[2] [2] [1]
              : memref<4xi16> to memref<2xi16, strided<[1], offset: 2>>
          return %s, %c, %u
              : memref<2xi16, strided<[1], offset: 2>>, memref<4xi16>, memref<2x3xf64>
        }
        func.func @sum() -> i16 {
          %c2 = arith.constant 2 : index
          %v = memref.get_global @v : memref<4xi16>
          %e = memref.load %v[%c2] : memref<4xi16>
          return %e : i16
        }
        """,
        opt_level=level,
    )
    part, constant, uninitialized = module.get()
    assert not constant.flags.writeable
    part[0] = 7
    uninitialized[:] = 1
    assert module.sum() == 7
    np.testing.assert_array_equal(module.get()[1], [5, 5, 5, 5])


@pytest.mark.parametrize(
    "access, writable", [("read", False), ("none", False), ("write", True)]
)
def test_callback_may_write_what_its_declaration_says(
    access: str, writable: bool
) -> None:
    seen: list[bool] = []
    module = jit.compile(
        f"""
        func.func private @f(tensor<?xi8> {{bufferization.access = "{access}"}})
        func.func @main(%t: tensor<?xi8>) {{
          call @f(%t) : (tensor<?xi8>) -> ()
          return
        }}
        """,
        functions={"f": lambda t: seen.append(t.flags.writeable)},
    )
    module.main(np.zeros(4, "i1"))
    assert seen == [writable]


def test_callback_sees_constants_read_only() -> None:
    seen: list[bool] = []
    module = lower(
        """
        memref.global "private" constant @c : memref<4xi16> = dense<5>
        memref.global "private" @v : memref<4xi16> = dense<5>
        func.func private @f(memref<4xi16>, memref<*xi16>)
        func.func @main() {
          %c = memref.get_global @c : memref<4xi16>
          %v = memref.get_global @v : memref<4xi16>
          %cu = memref.cast %c : memref<4xi16> to memref<*xi16>
          %vu = memref.cast %v : memref<4xi16> to memref<*xi16>
          call @f(%c, %vu) : (memref<4xi16>, memref<*xi16>) -> ()
          call @f(%v, %cu) : (memref<4xi16>, memref<*xi16>) -> ()
          return
        }
        """,
        functions={"f": lambda *arrays: seen.extend(a.flags.writeable for a in arrays)},
    )
    module.main()
    assert seen == [False, True, True, False]


def test_mark_on_a_memref_is_no_promise() -> None:
    module = lower(
        """
        func.func @main(%m: memref<?xi8> {bufferization.writable = false}, %x: i8) {
          %c0 = arith.constant 0 : index
          memref.store %x, %m[%c0] : memref<?xi8>
          return
        }
        """
    )
    with pytest.raises(DiagnosticException, match="read-only"):
        module.main(np.frombuffer(b"text", "i1"), 1)


# Elements that share memory

INSERT = """
func.func @main(%a: tensor<?x?xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.insert %x into %a[%c0, %c1] : tensor<?x?xf32>
  %1 = tensor.extract %0[%c1, %c0] : tensor<?x?xf32>
  return %1 : f32
}
"""


def strided(shape: tuple[int, ...], strides: tuple[int, ...]) -> np.ndarray:
    """An array of these strides, in elements, in the middle of enough memory."""
    base = np.arange(2000, dtype="f")[1000:]
    in_bytes = tuple(4 * stride for stride in strides)
    return np.lib.stride_tricks.as_strided(base, shape, in_bytes)


@pytest.fixture(scope="module")
def insert() -> tuple[jit.Function, jit.Function]:
    text = INSERT.replace("xf32>, %x", "xf32> {bufferization.writable = false}, %x")
    return jit.compile(INSERT).main, jit.compile(text).main


@pytest.mark.parametrize(
    "shape, strides",
    [
        ((4, 3), (1, 1)),
        ((2, 2), (0, 1)),
        ((2, 2), (1, 0)),
        ((4, 3), (2, 1)),
        ((4, 3), (3, -1)),
        ((4, 3), (-2, 1)),
        ((4, 3), (1, 4)),
        ((4, 3), (1, 3)),
        ((3, 3), (2, 3)),
        ((2, 3), (3, 2)),
        ((3, 4), (4, 3)),
        ((4, 5), (4, 3)),
        ((2, 2), (-5, 0)),
        ((3, 2), (-7, 5)),
    ],
)
def test_written_elements_must_not_share_memory(
    insert: tuple[jit.Function, jit.Function],
    shape: tuple[int, ...],
    strides: tuple[int, ...],
) -> None:
    """Whether they do does not depend on how strides are sorted, only on addresses."""
    array = strided(shape, strides)
    addresses = {
        i * strides[0] + j * strides[1] for i in range(shape[0]) for j in range(shape[1])
    }
    overlaps = len(addresses) < array.size
    before = array[1, 0]
    in_place, functional = insert
    assert functional(array, 99.0) == before
    if overlaps:
        with pytest.raises(DiagnosticException, match="several elements share memory"):
            in_place(array, 99.0)
    else:
        assert in_place(array, 99.0) == before
        assert array[0, 1] == 99


# Numbers that are too large


@pytest.mark.parametrize("type", ["f16", "f32", "bf16", "complex<f32>"])
@pytest.mark.parametrize("sign", [1, -1])
def test_overflow_is_infinite(type: str, sign: int) -> None:
    """As with NumPy, in both directions."""
    same = lower(f"func.func @same(%x: {type}) -> {type} {{ return %x : {type} }}").same
    assert same(sign * 1e300) == sign * np.inf
    declared = lower(
        f"func.func private @f() -> {type} func.func @main() -> {type} {{ "
        f"%r = call @f() : () -> {type} return %r : {type} }}",
        functions={"f": lambda: sign * 1e300},
    )
    assert declared.main() == sign * np.inf


@pytest.mark.parametrize("type, dtype", [("f16", np.float16), ("f32", np.float32)])
def test_overflow_begins_where_it_does_in_numpy(type: str, dtype: Any) -> None:
    same = lower(f"func.func @same(%x: {type}) -> {type} {{ return %x : {type} }}").same
    largest = float(np.finfo(dtype).max)
    step = largest - float(np.nextafter(np.finfo(dtype).max, dtype(0)))
    limit = largest + step / 2
    for number in (largest, limit, np.nextafter(limit, 0), -limit, np.inf):
        with np.errstate(over="ignore"):
            assert same(number) == float(dtype(number))


def test_integer_that_no_float_holds_is_named() -> None:
    same = lower("func.func @same(%x: f64) -> f64 { return %x : f64 }").same
    with pytest.raises(DiagnosticException, match=r"argument 0 \(%x\): .*too large"):
        same(10**400)
