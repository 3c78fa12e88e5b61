"""Names, signatures and stubs: compiled functions as Python functions."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from tests.jit.programs import lower
from xdsl_bufferization import jit
from xdsl_bufferization.universe import new_context

SUBTRACT = """
// func.func @f(%wrong: i32) is only a comment
func.func @f(%x: i32, %x_0: i32 {test.note = "a"}, %lambda: i32) -> i32 {
  %0 = arith.subi %x, %x_0 : i32
  %1 = arith.subi %0, %lambda : i32
  return %1 : i32
}
func.func @unnamed(%0: f32, %arg0: f64) { return }
func.func @none() { return }
"""


@pytest.fixture(scope="module")
def module() -> jit.Module:
    return lower(SUBTRACT)


def test_names_of_the_program_are_keywords(module: jit.Module) -> None:
    assert module.f(1, 2, 3) == -4
    assert module.f(x_0=2, x=1, **{"lambda": 3}) == -4
    assert module.f(1, **{"lambda": 3}, x_0=2) == -4


@pytest.mark.parametrize(
    "arguments, keywords, message",
    [
        ((1, 2), {"y": 3}, "Its arguments are named: x, x_0, lambda."),
        ((1, 2, 3), {"y": 3, "z": 4}, "Its arguments are named: x, x_0, lambda."),
        ((1, 2), {"x": 3}, "f(%x: i32, "),
        ((1, 2, 3), {"x": 3}, "f(%x: i32, "),
        ((1, 2, 3, 4), {"x": 3}, "f(%x: i32, "),
        ((1, 2, 3), {"lambda_": 3}, "f(%x: i32, "),
        ((1,), {"x_0": 3}, "f(%x: i32, "),
        ((1, 2), {}, "f(%x: i32, "),
        ((1,), {}, "f(%x: i32, "),
        ((), {}, "f(%x: i32, "),
        ((1, 2, 3, 4), {}, "f(%x: i32, "),
    ],
)
def test_wrong_arguments_are_what_python_says(
    module: jit.Module, arguments: tuple[int, ...], keywords: dict[str, int], message: str
) -> None:
    def f(x: int, x_0: int, lambda_: int) -> None: ...

    f.__qualname__ = "f"
    with pytest.raises(TypeError) as python:
        f(*arguments, **keywords)
    with pytest.raises(DiagnosticException) as error:
        module.f(*arguments, **keywords)
    assert str(error.value).startswith(str(python.value))
    assert message in str(error.value)


def test_one_argument_too_many(module: jit.Module) -> None:
    with pytest.raises(
        DiagnosticException,
        match=r"takes 0 positional arguments but 1 was given",
    ):
        module.none(1)


def test_names_of_a_parsed_module() -> None:
    """Without the text, two parameters may have kept one name."""
    parsed = Parser(new_context(), SUBTRACT).parse_module()
    function = lower(parsed).f  # type: ignore[arg-type]
    assert function(1, 2, **{"lambda": 3}) == -4
    with pytest.raises(DiagnosticException, match="has several arguments named 'x'"):
        function(x=1)


def test_signature(module: jit.Module) -> None:
    parameters = inspect.signature(module.f).parameters
    # Python can have no parameter named lambda.
    assert list(parameters) == ["x", "x_0", "lambda_"]
    kinds = {parameter.kind for parameter in parameters.values()}
    assert kinds == {inspect.Parameter.POSITIONAL_OR_KEYWORD}
    assert list(inspect.signature(module.unnamed).parameters) == ["arg0_", "arg0"]


def test_stub(module: jit.Module) -> None:
    """It is Python, and says of each function what it takes and returns."""
    other = lower(
        """
        func.func @g(%0: complex<f32>, %m: memref<?xi32>, %by: f16)
            -> (memref<?xi32>, bf16) {
          %c = arith.constant 1.0 : bf16
          return %m, %c : memref<?xi32>, bf16
        }
        func.func @"odd name"() { return }
        """
    )
    text = module.stub() + other.stub()
    compile(text, "stub", "exec")
    array = "numpy.typing.NDArray[numpy.int32]"
    assert "def f(x: int, x_0: int, lambda_: int) -> int:" in text
    assert (
        f"def g(arg0: complex, /, m: {array} | {array.replace('int32', 'uint32')}, "
        f"by: float) -> tuple[{array}, float]:"
    ) in text
    assert "# Not a name in Python: odd name() -> ()" in text


FUNCTIONAL = """
func.func @set(%t: tensor<?xf32>, %u: tensor<?xf32>, %x: f32)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%c0] : tensor<?xf32>
  %e = tensor.extract %u[%c0] : tensor<?xf32>
  %1 = tensor.insert %e into %0[%c0] : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
func.func @twice(%t: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %0, %1 = call @set(%t, %t, %x)
      : (tensor<?xf32>, tensor<?xf32>, f32) -> (tensor<?xf32>, tensor<?xf32>)
  return %0 : tensor<?xf32>
}
"""


def test_functional_leaves_arguments_alone() -> None:
    """So they may be read-only, overlap each other or themselves."""
    module = jit.compile(FUNCTIONAL, functional=True)
    assert module.set.written == (False, False, False)
    array = np.arange(4, dtype="f")
    array.flags.writeable = False
    first, second = module.set(array, array[1:], 9)
    np.testing.assert_array_equal(array, [0, 1, 2, 3])
    np.testing.assert_array_equal(first, [9, 1, 2, 3])
    np.testing.assert_array_equal(second, [1, 1, 2, 3])
    np.testing.assert_array_equal(module.twice(array, 5), [5, 1, 2, 3])
    repeated = np.broadcast_to(np.float32(7), 3)
    np.testing.assert_array_equal(module.set(repeated, repeated, 9)[0], [9, 7, 7])
    first[0] = 1  # results are the caller's own


def test_functional_copies_only_what_is_written() -> None:
    text = """
    func.func @add(%x: tensor<100xf32>, %y: tensor<100xf32>) -> tensor<100xf32> {
      %sum = linalg.add ins(%x, %y : tensor<100xf32>, tensor<100xf32>)
          outs(%x : tensor<100xf32>) -> tensor<100xf32>
      return %sum : tensor<100xf32>
    }
    """
    module = jit.compile(text, functional=True, count=True)
    x, y = np.ones(100, "f"), np.ones(100, "f")
    result = module.add(x, y)
    assert result[0] == 2 and x[0] == 1
    stats = module.stats()
    assert (stats.allocations, stats.copies) == (1, 0)


def test_functional_memrefs_are_written() -> None:
    module = lower(
        """
        func.func @set(%m: memref<2xi32>, %x: i32) {
          %c0 = arith.constant 0 : index
          memref.store %x, %m[%c0] : memref<2xi32>
          return
        }
        """,
        functional=True,
    )
    array = np.zeros(2, "i4")
    module.set(array, 3)
    assert array[0] == 3
