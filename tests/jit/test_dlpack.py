"""Arrays to and from other libraries by DLPack."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization import jit

SET = """
func.func @set(%t: tensor<?x?xTYPE>, %x: TYPE) -> tensor<?x?xTYPE> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%c0, %c0] : tensor<?x?xTYPE>
  return %0 : tensor<?x?xTYPE>
}
"""


class Versioned:
    """Lends an array as libraries do that know DLPack's version 1."""

    def __init__(self, lent: np.ndarray) -> None:
        self.lent = lent

    def __dlpack__(self, **options: Any) -> Any:
        return self.lent.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


class Legacy(Versioned):
    """Lends an array as libraries do that know no versions."""

    def __dlpack__(self, stream: None = None) -> Any:
        return self.lent.__dlpack__()


class BFloat16(Versioned):
    """Lends int16 as if it were bfloat16, which NumPy itself cannot lend."""

    def __dlpack__(self, **options: Any) -> Any:
        capsule = self.lent.__dlpack__()
        get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
        address = get(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, b"dltensor")
        ctypes.c_uint8.from_address(address + 20).value = 4
        return capsule


@pytest.mark.parametrize("lend", [Versioned, Legacy])
@pytest.mark.parametrize("view", [lambda a: a, lambda a: a.T, lambda a: a[::-2, 1:]])
def test_lent_memory_is_read_and_written(
    lend: Callable[[np.ndarray], Any], view: Callable[[np.ndarray], np.ndarray]
) -> None:
    function = jit.compile(SET.replace("TYPE", "f32")).set
    array = np.arange(12, dtype="f").reshape(3, 4)
    expected = array.copy()
    view(expected)[0, 0] = 9
    np.testing.assert_array_equal(function(lend(view(array)), 9), view(expected))
    np.testing.assert_array_equal(array, expected)


def test_memory_lent_for_reading_is_not_written() -> None:
    array = np.zeros((2, 2), "f")
    array.flags.writeable = False
    with pytest.raises(DiagnosticException, match=r"argument 0 \(%t\): .*read-only"):
        jit.compile(SET.replace("TYPE", "f32")).set(Versioned(array), 9)
    function = jit.compile(SET.replace("TYPE", "f32"), functional=True).set
    assert function(Versioned(array), 9)[0, 0] == 9


def test_type_that_numpy_does_not_lend() -> None:
    function = jit.compile(SET.replace("TYPE", "bf16")).set
    array = np.array([[1, 2], [3, 4]], ml_dtypes.bfloat16)
    result = function(BFloat16(array.view("i2")), 0.5)
    np.testing.assert_array_equal(result.astype("f"), np.array([[0.5, 2], [3, 4]], "f"))
    assert array[0, 0] == 0.5


def test_lent_memory_is_given_back() -> None:
    function = jit.compile(SET.replace("TYPE", "f32"), functional=True).set
    array = np.zeros((2, 2), "f")
    before = sys.getrefcount(array)
    for _ in range(10):
        function(Versioned(array), 1)
        function(Legacy(array), 1)
    gc.collect()
    assert sys.getrefcount(array) == before


def test_wrong_type_is_named() -> None:
    function = jit.compile(SET.replace("TYPE", "f32")).set
    with pytest.raises(
        DiagnosticException, match=r"expected an array of float32.*float64"
    ):
        function(Versioned(np.zeros((2, 2))), 1)


def test_results_are_lent() -> None:
    result = jit.compile(SET.replace("TYPE", "f32")).set(np.zeros((2, 2), "f"), 3)
    other = np.from_dlpack(result)
    del result
    gc.collect()
    np.testing.assert_array_equal(other, [[3, 0], [0, 0]])
