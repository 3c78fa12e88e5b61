"""arith and math on tensors, element by element, against NumPy.

Many ops share a module: each is a function of its own, and its parameters are vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests.execution.harness import call, check, compare, random
from xdsl_bufferization import jit

DTYPES = {"i1": "?", "index": "i8", "f16": "f2", "f32": "f4", "f64": "f8"} | {
    f"i{8 * width}": f"i{width}" for width in (1, 2, 4, 8)
}


@dataclass(frozen=True)
class Case:
    """An op with {0}, {1} ... for its operands, the element types of operands and result,
    what it is applied to, and what NumPy makes of that."""

    op: str
    elements: tuple[str, ...]
    inputs: Sequence[np.ndarray]
    expected: np.ndarray

    def function(self, name: str) -> str:
        size = len(self.expected)
        *given, result = self.elements
        numbered = list(enumerate(given))
        parameters = ", ".join(f"%t{i}: tensor<{size}x{e}>" for i, e in numbered)
        values = ", ".join(f"%t{i}" for i, _ in numbered)
        types = ", ".join(f"tensor<{size}x{e}>" for e in given)
        arguments = ", ".join(f"%x{i}: {e}" for i, e in numbered)
        op = self.op.format(*(f"%x{i}" for i, _ in numbered))
        return f"""
        func.func @{name}({parameters}) -> tensor<{size}x{result}> {{
          %e = tensor.empty() : tensor<{size}x{result}>
          %0 = linalg.map ins({values} : {types}) outs(%e : tensor<{size}x{result}>)
            ({arguments}, %out: {result}) {{
              %r = {op}
              linalg.yield %r : {result}
            }}
          return %0 : tensor<{size}x{result}>
        }}
        """


def check_all(cases: Mapping[str, Case], rtol: float = 1e-5) -> None:
    program = "\n".join(case.function(f"on_{name}") for name, case in cases.items())
    module = jit.compile(program, count=True)
    for name, case in cases.items():
        done = call(module, f"on_{name}", [np.ascontiguousarray(a) for a in case.inputs])
        try:
            compare(done.results, [case.expected], rtol)
        except AssertionError as error:
            raise AssertionError(f"{case.op}: {error}") from error


def pairs(numbers: Sequence[float], dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of some numbers."""
    a, b = np.meshgrid(np.array(numbers, dtype), np.array(numbers, dtype))
    return a.ravel(), b.ravel()


def integers(type: str) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of some integers, the extreme ones among them."""
    dtype = DTYPES[type]
    info = np.iinfo(dtype)
    return pairs([info.min, info.min + 1, -7, -1, 0, 1, 2, 5, info.max], dtype)


def unsigned(a: np.ndarray) -> np.ndarray:
    return a.view(f"u{a.dtype.itemsize}")


def exactly(a: np.ndarray, b: np.ndarray, function: Callable[..., Any]) -> np.ndarray:
    """What the function makes of Python's integers."""
    results = (function(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True))
    return np.array(list(results), a.dtype)


def sign(x: int) -> int:
    return (x > 0) - (x < 0)


# Integers

INTEGER: dict[str, Callable[..., Any]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "maxsi": np.maximum,
    "minsi": np.minimum,
    "maxui": lambda a, b: np.maximum(unsigned(a), unsigned(b)).view(a.dtype),
    "minui": lambda a, b: np.minimum(unsigned(a), unsigned(b)).view(a.dtype),
}


@pytest.mark.parametrize("type", ["i8", "i16", "i32", "i64", "index"])
def test_integers(type: str) -> None:
    a, b = integers(type)
    check_all(
        {
            op: Case(f"arith.{op} {{0}}, {{1}} : {type}", (type,) * 3, [a, b], f(a, b))
            for op, f in INTEGER.items()
        }
    )


DIVISION: dict[str, Callable[..., Any]] = {
    "divsi": lambda a, b: exactly(a, b, lambda x, y: abs(x) // abs(y) * sign(x * y)),
    "remsi": lambda a, b: exactly(a, b, lambda x, y: abs(x) % abs(y) * sign(x)),
    "floordivsi": lambda a, b: exactly(a, b, lambda x, y: x // y),
    "ceildivsi": lambda a, b: exactly(a, b, lambda x, y: -(-x // y)),
    "divui": lambda a, b: exactly(unsigned(a), unsigned(b), lambda x, y: x // y),
    "remui": lambda a, b: exactly(unsigned(a), unsigned(b), lambda x, y: x % y),
    "ceildivui": lambda a, b: exactly(unsigned(a), unsigned(b), lambda x, y: -(-x // y)),
}


@pytest.mark.parametrize("type", ["i8", "i32", "i64"])
def test_divisions(type: str) -> None:
    a, b = integers(type)
    defined = (b != 0) & ~((a == a.min()) & (b == -1))
    a, b = a[defined], b[defined]
    check_all(
        {
            op: Case(
                f"arith.{op} {{0}}, {{1}} : {type}",
                (type,) * 3,
                [a, b],
                f(a, b).view(a.dtype),
            )
            for op, f in DIVISION.items()
        }
    )


def test_shifts() -> None:
    a, _ = integers("i32")
    b = (np.arange(len(a)) % 32).astype("i4")
    expected = {
        "shli": a << b,
        "shrsi": a >> b,
        "shrui": (unsigned(a) >> unsigned(b)).view("i4"),
    }
    check_all(
        {
            op: Case(f"arith.{op} {{0}}, {{1}} : i32", ("i32",) * 3, [a, b], result)
            for op, result in expected.items()
        }
    )


COMPARISON: dict[str, Callable[..., Any]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


def test_integer_comparisons() -> None:
    a, b = integers("i16")
    expected = {"eq": a == b, "ne": a != b}
    for name in ("lt", "le", "gt", "ge"):
        expected["s" + name] = COMPARISON[name](a, b)
        expected["u" + name] = COMPARISON[name](unsigned(a), unsigned(b))
    types = ("i16", "i16", "i1")
    check_all(
        {
            name: Case(f"arith.cmpi {name}, {{0}}, {{1}} : i16", types, [a, b], result)
            for name, result in expected.items()
        }
    )


def test_wide_and_carrying() -> None:
    check(
        """
        func.func @main(%a: i32, %b: i32) -> (i32, i1, i32, i32, i32, i32) {
          %sum, %carry = arith.addui_extended %a, %b : i32, i1
          %low, %high = arith.mului_extended %a, %b : i32
          %slow, %shigh = arith.mulsi_extended %a, %b : i32
          return %sum, %carry, %low, %high, %slow, %shigh : i32, i1, i32, i32, i32, i32
        }
        """,
        [-3, 7],
        4,
        True,
        -21,
        6,
        -21,
        -1,
    )


# Floats


def floats(type: str) -> tuple[np.ndarray, np.ndarray]:
    numbers = [-np.inf, -2.5, -1, -0.0, 0.0, 0.5, 1, 3, np.inf, np.nan]
    return pairs(numbers, DTYPES[type])


FLOAT: dict[str, Callable[..., Any]] = {
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "divf": np.divide,
    "maximumf": np.maximum,
    "minimumf": np.minimum,
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
}


@pytest.mark.parametrize("type", ["f16", "f32", "f64"])
def test_floats(type: str) -> None:
    a, b = floats(type)
    with np.errstate(all="ignore"):
        expected = {op: function(a, b) for op, function in FLOAT.items()}
    check_all(
        {
            op: Case(f"arith.{op} {{0}}, {{1}} : {type}", (type,) * 3, [a, b], result)
            for op, result in expected.items()
        }
        | {"negf": Case(f"arith.negf {{0}} : {type}", (type,) * 2, [a], -a)}
    )


def test_float_comparisons() -> None:
    a, b = floats("f32")
    nan = np.isnan(a) | np.isnan(b)
    expected = {"ord": ~nan, "uno": nan}
    for name, function in COMPARISON.items():
        expected["o" + name] = function(a, b) & ~nan
        expected["u" + name] = function(a, b) | nan
    types = ("f32", "f32", "i1")
    check_all(
        {
            name: Case(f"arith.cmpf {name}, {{0}}, {{1}} : f32", types, [a, b], result)
            for name, result in expected.items()
        }
    )


# Casts

CASTS: list[tuple[str, str, str, Callable[..., Any]]] = [
    ("extsi", "i8", "i32", lambda a: a),
    ("extui", "i8", "i32", unsigned),
    ("trunci", "i32", "i8", lambda a: a),
    ("index_cast", "i32", "index", lambda a: a),
    ("index_cast", "index", "i8", lambda a: a),
    ("sitofp", "i32", "f64", lambda a: a),
    ("sitofp", "i16", "f32", lambda a: a),
    ("uitofp", "i16", "f32", unsigned),
    ("bitcast", "i32", "f32", lambda a: a.view("f4")),
    ("extf", "f16", "f32", lambda a: a),
    ("extf", "f32", "f64", lambda a: a),
    ("truncf", "f64", "f32", lambda a: a),
    ("truncf", "f32", "f16", lambda a: a),
    ("fptosi", "f32", "i16", lambda a: a),
    ("fptoui", "f64", "i32", lambda a: a),
    ("bitcast", "f64", "i64", lambda a: a.view("i8")),
]


def test_casts() -> None:
    cases: dict[str, Case] = {}
    for op, source, target, convert in CASTS:
        if source.startswith("f"):
            a = (random(20, dtype="f8") * 100).astype(DTYPES[source])
        else:
            a, _ = integers(source)
        a = abs(a) if op == "fptoui" else a
        cases[f"{op}_{source}_{target}"] = Case(
            f"arith.{op} {{0}} : {source} to {target}",
            (source, target),
            [a],
            convert(a).astype(DTYPES[target]),
        )
    check_all(cases)


# Functions

MATH: dict[str, tuple[Callable[..., Any], float, float]] = {
    # op: the same in NumPy, the range of arguments
    "absf": (np.abs, -3, 3),
    "ceil": (np.ceil, -3, 3),
    "floor": (np.floor, -3, 3),
    "trunc": (np.trunc, -3, 3),
    "roundeven": (np.rint, -3, 3),
    "sqrt": (np.sqrt, 0, 9),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 0.1, 9),
    "cbrt": (np.cbrt, -8, 8),
    "exp": (np.exp, -5, 5),
    "exp2": (np.exp2, -5, 5),
    "expm1": (np.expm1, -2, 2),
    "log": (np.log, 0.1, 9),
    "log2": (np.log2, 0.1, 9),
    "log10": (np.log10, 0.1, 9),
    "log1p": (np.log1p, -0.9, 3),
    "sin": (np.sin, -4, 4),
    "cos": (np.cos, -4, 4),
    "tan": (np.tan, -1.4, 1.4),
    "asin": (np.arcsin, -1, 1),
    "acos": (np.arccos, -1, 1),
    "atan": (np.arctan, -4, 4),
    "sinh": (np.sinh, -3, 3),
    "cosh": (np.cosh, -3, 3),
    "tanh": (np.tanh, -3, 3),
}


@pytest.mark.parametrize("type, rtol", [("f32", 1e-5), ("f64", 1e-12)])
def test_math(type: str, rtol: float) -> None:
    cases: dict[str, Case] = {}
    for op, (function, low, high) in MATH.items():
        a = np.linspace(low, high, 23).astype(DTYPES[type])
        cases[op] = Case(f"math.{op} {{0}} : {type}", (type,) * 2, [a], function(a))
    a, b, c = (random(15, dtype=DTYPES[type], seed=i) for i in range(3))
    for op, result in {
        "powf": np.power(abs(a), b),
        "atan2": np.arctan2(abs(a), b),
        "copysign": np.copysign(abs(a), b),
    }.items():
        op_text = f"math.{op} {{0}}, {{1}} : {type}"
        cases[op] = Case(op_text, (type,) * 3, [abs(a), b], result)
    fma = f"math.fma {{0}}, {{1}}, {{2}} : {type}"
    cases["fma"] = Case(fma, (type,) * 4, [a, b, c], a * b + c)
    check_all(cases, rtol)


def test_math_of_integers() -> None:
    a = np.array([0, 1, -1, 5, -128, 127, 64], "i1")
    bits = [f"{x:08b}" for x in unsigned(a)]
    expected = {
        "absi": np.abs(a),
        "ctpop": [text.count("1") for text in bits],
        "ctlz": [len(text) - len(text.lstrip("0")) for text in bits],
        "cttz": [len(text) - len(text.rstrip("0")) for text in bits],
    }
    check_all(
        {
            op: Case(f"math.{op} {{0}} : i8", ("i8", "i8"), [a], np.array(result, "i1"))
            for op, result in expected.items()
        }
    )


# Constants

CONSTANTS = [
    ("i1", "dense<[true, false, true]>", np.array([1, 0, 1], "?")),
    ("i8", "dense<[1, -2, 127]>", np.array([1, -2, 127], "i1")),
    ("i16", "dense<-3>", np.full(3, -3, "i2")),
    ("i64", "dense<[4000000000, -1, 0]>", np.array([4000000000, -1, 0])),
    ("index", "dense<[0, 1, 2]>", np.arange(3)),
    ("f16", "dense<[0.5, -1.5, 2.0]>", np.array([0.5, -1.5, 2], "f2")),
    ("f32", "dense<[0.1, -3.0e38, 2.0]>", np.array([0.1, -3e38, 2], "f4")),
    ("f64", "dense<[0.1, 1.0e300, 2.0]>", np.array([0.1, 1e300, 2])),
]


@pytest.mark.parametrize("element, value, expected", CONSTANTS)
def test_dense_constant(element: str, value: str, expected: np.ndarray) -> None:
    check(
        f"""
        func.func @main(%i: index) -> ({element}, tensor<3x{element}>) {{
          %0 = arith.constant {value} : tensor<3x{element}>
          %x = tensor.extract %0[%i] : tensor<3x{element}>
          return %x, %0 : {element}, tensor<3x{element}>
        }}
        """,
        [1],
        expected[1].item(),
        expected,
    )


def test_constant_is_copied_before_it_is_written() -> None:
    program = """
    func.func @main(%x: i32) -> tensor<2x2xi32> {
      %c0 = arith.constant 0 : index
      %0 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
      %1 = tensor.insert %x into %0[%c0, %c0] : tensor<2x2xi32>
      return %1 : tensor<2x2xi32>
    }
    """
    module = jit.compile(program, count=True)
    for x in (9, 8):
        done = call(module, "main", [x])
        compare(done.results, [np.array([[x, 2], [3, 4]], "i4")])


def test_complex_elements() -> None:
    z = random(4) + 1j * random(4, seed=1)
    check(
        """
        func.func @main(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
          %0 = tensor.extract_slice %z[1] [2] [1]
              : tensor<4xcomplex<f32>> to tensor<2xcomplex<f32>>
          %1 = tensor.insert_slice %0 into %z[2] [2] [1]
              : tensor<2xcomplex<f32>> into tensor<4xcomplex<f32>>
          return %1 : tensor<4xcomplex<f32>>
        }
        """,
        [z.copy()],
        np.array([z[0], z[1], z[1], z[2]]),
    )
