"""Random programs that call Python functions, and what they must do.

A program's main function passes numbers and arrays on to declared functions, and those
results on to the next. Each declared function is a Python function that computes its
results from everything it gets, may change the arrays, may call another compiled
function, and may raise. The same Python functions, called on copies without anything
compiled in between, tell what must come out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from tests.jit.programs import lower
from xdsl_bufferization import jit

SCALARS = ["i1", "i8", "i16", "i32", "i64", "index", "f16", "f32", "f64"]
SCALARS += ["complex<f32>", "complex<f64>"]
DTYPES = ["?", "i1", "i2", "i4", "i8", "i8", "e", "f", "d", "F", "D"]


class Failure(Exception):
    """What a Python function of a random program raises."""


@dataclass(frozen=True)
class Type:
    """A number, if `shape` is None; otherwise a memref, of static sizes or strided."""

    element: str
    shape: tuple[int, ...] | None
    strided: bool = False

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(DTYPES[SCALARS.index(self.element)])

    def __str__(self) -> str:
        if self.shape is None:
            return self.element
        if self.strided:
            unknown = ", ".join("?" * len(self.shape))
            sizes = "?x" * len(self.shape)
            return f"memref<{sizes}{self.element}, strided<[{unknown}], offset: ?>>"
        return f"memref<{''.join(f'{size}x' for size in self.shape)}{self.element}>"

    def value(self, seed: int) -> Any:
        """A value of this type that depends on a number."""
        if self.shape is None:
            return self._cast(np.array(seed % 97)).item()
        count = int(np.prod(self.shape))
        return self._cast((np.arange(count) * 7 + seed) % 97).reshape(self.shape)

    def _cast(self, numbers: np.ndarray) -> np.ndarray:
        return numbers % 2 == 1 if self.element == "i1" else numbers.astype(self.dtype)


def digest(values: Sequence[Any]) -> int:
    """A number that depends on all of some values."""
    total = 17
    for value in values:
        array = np.asarray(value)
        parts = np.stack([array.real, array.imag]).astype("d")
        weights = np.arange(1, parts.size + 1).reshape(parts.shape)
        total = (total * 31 + int(abs(np.nan_to_num(parts) * weights).sum())) % 100003
    return total


@dataclass
class Program:
    """A random program; `seed` decides everything."""

    seed: int
    declarations: list[tuple[list[Type], list[Type]]] = field(default_factory=list[Any])
    parameters: list[Type] = field(default_factory=list[Type])
    text: str = ""
    results: list[int] = field(default_factory=list[int])
    """Which of the calls' values main returns, by number."""
    calls: list[tuple[int, list[int]]] = field(default_factory=list[Any])
    """The function of each call, and the numbers of the values it gets."""
    _inner: jit.Module | None = None

    def __post_init__(self) -> None:
        random = Random(self.seed)
        self.parameters = [_any_type(random) for _ in range(random.randint(1, 4))]
        types = list(self.parameters)
        names = [f"%a{i}" for i in range(len(types))]
        lines: list[str] = []
        for number in range(random.randint(1, 4)):
            given = [random.randrange(len(types)) for _ in range(random.randint(0, 4))]
            results = [_result_type(random) for _ in range(random.randint(0, 3))]
            self.declarations.append(([types[i] for i in given], results))
            self.calls.append((number, given))
            signature = (
                f"({', '.join(str(types[i]) for i in given)}) -> "
                f"({', '.join(map(str, results))})"
            )
            bound = [f"%r{number}_{i}" for i in range(len(results))]
            equals = f"{', '.join(bound)} = " if bound else ""
            passed = ", ".join(names[i] for i in given)
            lines.append(f"  {equals}call @f{number}({passed}) : {signature}")
            types += results
            names += bound
        made = range(len(self.parameters), len(types))
        self.results = list(made)
        header = ", ".join(
            f"{name}: {type}" for name, type in zip(names, self.parameters, strict=False)
        )
        returned = ", ".join(names[i] for i in made)
        returned_types = ", ".join(str(types[i]) for i in made)
        self.text = "\n".join(
            [
                *(
                    f"func.func private @f{i}({', '.join(map(str, given))}) -> "
                    f"({', '.join(map(str, results))})"
                    for i, (given, results) in enumerate(self.declarations)
                ),
                f"func.func @main({header}) -> ({returned_types}) {{",
                *lines,
                f"  return {returned} : {returned_types}" if made else "  return",
                "}",
            ]
        )

    def function(self, number: int) -> Callable[..., Any]:
        """The Python function of a declaration."""
        random = Random(f"{self.seed} {number}")
        behaviour = random.choice(["plain", "plain", "write", "nested", "fail"])
        _, results = self.declarations[number]

        def run(*arguments: Any) -> Any:
            total = digest(arguments)
            if behaviour == "fail" and total % 2:
                raise Failure(number, total)
            if behaviour == "nested":
                total += self._call_inside(total)
            if behaviour == "write":
                for argument in arguments:
                    if isinstance(argument, np.ndarray):
                        argument[...] = argument[::-1].copy() if argument.ndim else 1
            values = tuple(type.value(total + i) for i, type in enumerate(results))
            if not values:
                return None
            return values if len(values) > 1 else values[0]

        return run

    def _call_inside(self, total: int) -> int:
        """Call another compiled function, which calls Python and may fail there."""
        if self._inner is None:

            def check(number: int) -> int:
                if number % 3 == 0:
                    raise Failure("inside")
                return number + 1

            self._inner = lower(
                "func.func private @check(i64) -> i64\n"
                "func.func @main(%n: i64) -> i64 {\n"
                "  %r = call @check(%n) : (i64) -> i64\n"
                "  return %r : i64\n}",
                functions={"check": check},
            )
        try:
            return self._inner.main(total)
        except Failure:
            return 5

    def arguments(self, random: Random) -> list[Any]:
        """Values for main: arrays of strange strides where the layout allows them."""
        values: list[Any] = []
        for type in self.parameters:
            value = type.value(random.randrange(1000))
            if type.strided and type.shape:
                spread = np.zeros((2 * type.shape[0], *type.shape[1:]), type.dtype)
                view = spread[::2] if random.random() < 0.5 else spread[::-2]
                view[...] = value
                value = view
            values.append(value)
        return values

    def expected(self, arguments: Sequence[Any]) -> list[Any]:
        """What main returns; the arrays are changed as it changes them."""
        values = list(arguments)
        for number, given in self.calls:
            passed = [values[i] for i in given]
            returned = self.function(number)(*passed)
            results = self.declarations[number][1]
            values += [returned] if len(results) == 1 else list(returned or ())
        return [values[i] for i in self.results]

    def check(self) -> None:
        """Compile the program and compare a few calls with what they must do."""
        functions = {f"f{i}": self.function(i) for i in range(len(self.declarations))}
        module = lower(self.text, functions=functions, count=True)
        random = Random(self.seed)
        for _ in range(3):
            arguments = self.arguments(random)
            mirror = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
            failure: Failure | None = None
            wanted: list[Any] = []
            try:
                wanted = self.expected(mirror)
            except Failure as raised:
                failure = raised
            try:
                returned = module.main(*arguments)
            except Failure as raised:
                assert failure is not None and raised.args == failure.args
            else:
                assert failure is None
                got = [returned] if len(wanted) == 1 else list(returned or ())
                for a, b in zip(got, wanted, strict=True):
                    np.testing.assert_array_equal(a, b)
                del got, returned
            for a, b in zip(arguments, mirror, strict=True):
                np.testing.assert_array_equal(a, b)
        # What a call made and did not return, because of an exception, it leaves behind
        # as results of the compiled function, which are freed here.
        assert module.stats().invalid_frees == 0
        assert module.stats().live_bytes == 0


def _any_type(random: Random) -> Type:
    element = random.choice(SCALARS)
    if random.random() < 0.4:
        return Type(element, None)
    shape = tuple(random.randint(0, 4) for _ in range(random.randint(0, 3)))
    return Type(element, shape, strided=random.random() < 0.5)


def _result_type(random: Random) -> Type:
    type = _any_type(random)
    return Type(type.element, type.shape)
