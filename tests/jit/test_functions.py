"""compile(functions=...): Python and C functions that compiled code calls."""

from __future__ import annotations

import ctypes
import gc
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from tests.jit.programs import lower
from tests.jit.random_callbacks import Program
from xdsl_bufferization import jit

STRIDED = "memref<?xf32, strided<[?], offset: ?>>"

SCALARS = """
func.func private @combine(i32, f64, i1, complex<f32>, index) -> (f64, i1, i8)
func.func @main(%a: i32, %b: f64, %c: i1, %d: complex<f32>, %e: index)
    -> (f64, i1, i8) {
  %r:3 = call @combine(%a, %b, %c, %d, %e)
      : (i32, f64, i1, complex<f32>, index) -> (f64, i1, i8)
  return %r#0, %r#1, %r#2 : f64, i1, i8
}
"""


def test_scalars_both_ways() -> None:
    seen: list[Any] = []

    def combine(*arguments: Any) -> tuple[float, bool, int]:
        seen.extend(arguments)
        return 2.5, True, -7

    module = lower(SCALARS, functions={"combine": combine})
    assert module.main(-3, 0.5, True, 1 + 2j, 2**40) == (2.5, True, -7)
    assert seen == [-3, 0.5, True, 1 + 2j, 2**40]


ARRAYS = f"""
func.func private @double({STRIDED}) -> memref<?xf32>
func.func @main(%x: {STRIDED}) -> memref<?xf32> {{
  %c0 = arith.constant 0 : index
  %r = call @double(%x) : ({STRIDED}) -> memref<?xf32>
  %one = arith.constant 1.0 : f32
  memref.store %one, %r[%c0] : memref<?xf32>
  return %r : memref<?xf32>
}}
"""


def test_arrays_are_views_and_results_belong_to_the_caller() -> None:
    kept: list[np.ndarray] = []

    def double(x: np.ndarray) -> np.ndarray:
        x[1] = 10
        kept.append(2 * x)
        return kept[0]

    module = lower(ARRAYS, functions={"double": double}, count=True)
    array = np.arange(8, dtype="f")[::2]
    result = module.main(array)
    np.testing.assert_array_equal(array, [0, 10, 4, 6])
    np.testing.assert_array_equal(kept[0], [0, 20, 8, 12])
    np.testing.assert_array_equal(result, np.array([1, 20, 8, 12], "f"))
    assert module.stats().leaked_bytes == 0
    del result
    gc.collect()
    assert module.stats().live_bytes == 0


@pytest.mark.parametrize(
    "returned, message",
    [
        (np.zeros(3), "double: result 0: expected an array of float32"),
        (np.zeros((3, 1), "f"), r"double: result 0: expected .* shape \(any,\)"),
        (None, "returned 0 results, its declaration has 1"),
        (1.0, "double: result 0: expected a NumPy array"),
    ],
)
def test_wrong_result_of_a_python_function(returned: Any, message: str) -> None:
    text = ARRAYS.replace("memref.store %one, %r[%c0] : memref<?xf32>", "")
    module = lower(text, functions={"double": lambda x: returned}, count=True)
    with pytest.raises(DiagnosticException, match=message):
        module.main(np.zeros(2, "f"))
    gc.collect()
    assert module.stats().live_bytes == 0


def test_exception_comes_out_of_the_call() -> None:
    def fail(*arguments: Any) -> None:
        raise ZeroDivisionError("from Python")

    module = lower(SCALARS, functions={"combine": fail})
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="from Python"):
            module.main(0, 0.0, False, 0j, 0)


def test_no_result() -> None:
    lines: list[int] = []
    module = lower(
        """
        func.func private @note(index)
        func.func @main(%n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.for %i = %c0 to %n step %c1 {
            func.call @note(%i) : (index) -> ()
          }
          return
        }
        """,
        functions={"note": lines.append},
    )
    module.main(4)
    assert lines == [0, 1, 2, 3]


BINARY = """
func.func private @combine(f64, f64) -> f64
func.func @main(%x: f64, %y: f64) -> f64 {
  %r = call @combine(%x, %y) : (f64, f64) -> f64
  return %r : f64
}
"""


def test_ctypes_function_and_address() -> None:
    prototype = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)
    function = prototype(lambda x, y: x - y)
    assert lower(BINARY, functions={"combine": function}).main(5, 2) == 3
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert lower(BINARY, functions={"combine": address}).main(5, 2) == 3


INTERFACE = BINARY.replace("-> f64\n", "-> f64 attributes {llvm.emit_c_interface}\n", 1)


def test_declaration_with_a_c_interface() -> None:
    prototype = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)
    function = prototype(lambda x, y: x - y)
    for combine in (function, lambda x, y: x - y):
        assert lower(INTERFACE, functions={"combine": combine}).main(5, 2) == 3
    with pytest.raises(DiagnosticException, match="'_mlir_ciface_combine', which is not"):
        lower(INTERFACE)


def test_functions_of_the_process_need_not_be_given() -> None:
    assert lower(BINARY.replace("@combine", "@atan2")).main(1, 1) == np.arctan2(1, 1)


@pytest.mark.parametrize(
    "functions, message",
    [
        ({"other": print}, "declares no function 'other'. It declares: combine"),
        ({"combine": "text"}, "'combine' is given as 'text', which is neither"),
    ],
)
def test_wrong_functions(functions: dict[str, Any], message: str) -> None:
    with pytest.raises(DiagnosticException, match=message):
        lower(BINARY, functions=functions)


def test_types_that_cannot_cross_are_named() -> None:
    with pytest.raises(DiagnosticException, match=r"f: argument 0: .*vector<4xf32>"):
        lower("func.func private @f(vector<4xf32>)", functions={"f": print})


# Exceptions

TWO = """
func.func private @a() -> i32
func.func private @b() -> i32
func.func @main() -> (i32, i32) {
  %r = call @a() : () -> i32
  %s = call @b() : () -> i32
  return %r, %s : i32, i32
}
"""


def test_exception_survives_calls_inside_later_functions() -> None:
    """Also with compiled functions that call Python functions which fail themselves."""
    inner = lower(BINARY, functions={"combine": lambda x, y: x / y})

    def divide() -> int:
        try:
            return inner.main(1, 0)
        except ZeroDivisionError:
            return -1

    def fail() -> int:
        divide()
        raise ValueError("first")

    later: list[int] = []
    module = lower(TWO, functions={"a": fail, "b": lambda: later.append(1) or 1})
    with pytest.raises(ValueError, match="first"):
        module.main()
    assert not later  # as in Python, nothing runs after an exception
    module = lower(TWO, functions={"a": divide, "b": lambda: int(inner.main(6, 3))})
    assert module.main() == (-1, 2)


def test_exception_of_a_function_that_calls_its_own_module() -> None:
    modules: list[jit.Module] = []

    def countdown(x: float, y: float) -> float:
        if y == 0:
            raise KeyError("bottom")
        return modules[0].main(x, y - 1)

    modules.append(lower(BINARY, functions={"combine": countdown}))
    with pytest.raises(KeyError, match="bottom"):
        modules[0].main(1, 5)


@pytest.mark.parametrize("type", ["tensor<4xf32>", "tensor<?xf32>"])
def test_recursion_without_end_through_python_is_an_exception(type: str) -> None:
    module = jit.compile(
        f"""
        func.func private @again({type}) -> {type}
        func.func @main(%t: {type}) -> {type} {{
          %0 = call @again(%t) : ({type}) -> {type}
          return %0 : {type}
        }}
        """,
        functions={"again": lambda array: module.main(array)},
        count=True,
    )
    with pytest.raises(RecursionError):
        module.main(np.zeros(4, "f"))
    gc.collect()
    assert module.stats().live_bytes == 0


INTERRUPTED = """
import signal
import numpy as np
from xdsl_bufferization import jit

module = jit.compile(
    '''
    func.func private @same(tensor<4xf32>) -> tensor<4xf32>
    func.func @main(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> tensor<4xf32> {
        %b = func.call @same(%a) : (tensor<4xf32>) -> tensor<4xf32>
        scf.yield %b : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    }
    ''',
    functions={"same": lambda array: array},
)
signal.signal(signal.SIGALRM, signal.default_int_handler)
interrupted = 0
for attempt in range(100):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0005 + 0.00003 * attempt)
        module.main(np.zeros(4, "f"), 5000)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        interrupted += 1
assert interrupted > 0
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_signals_interrupt_python_functions_anywhere() -> None:
    """Also between compiled code and the first line of Python, or after the last one."""
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("type, value", [("i8", 1000), ("i32", "text"), ("f32", 1j)])
def test_number_that_does_not_fit_the_result_is_named(type: str, value: Any) -> None:
    module = lower(
        f"func.func private @f() -> {type} func.func @main() -> {type} {{ "
        f"%r = call @f() : () -> {type} return %r : {type} }}",
        functions={"f": lambda: value},
    )
    with pytest.raises(DiagnosticException, match=f"f: result 0: .*number for {type}"):
        module.main()


def test_threads_have_exceptions_of_their_own() -> None:
    def check(x: float, y: float) -> float:
        if x > y:
            raise ValueError(x)
        return x

    module = lower(BINARY, functions={"combine": check})

    def call(number: int) -> float:
        try:
            return module.main(number, 50)
        except ValueError as error:
            return -error.args[0]

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(call, range(100)))
    assert results == [n if n <= 50 else -n for n in range(100)]


def test_failing_result_leaks_no_other() -> None:
    module = lower(
        """
        func.func private @f() -> (memref<100xf32>, i8)
        func.func @main() -> memref<100xf32> {
          %r, %x = call @f() : () -> (memref<100xf32>, i8)
          return %r : memref<100xf32>
        }
        """,
        functions={"f": lambda: (np.zeros(100, "f"), 1000)},
        count=True,
    )
    with pytest.raises(DiagnosticException, match="1000 does not fit"):
        module.main()
    gc.collect()
    assert module.stats().live_bytes == 0


@pytest.mark.parametrize("seed", range(60))
def test_random_calls_of_python(seed: int) -> None:
    Program(seed).check()
