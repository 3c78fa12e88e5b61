"""Random tensor programs: valid, terminating, in bounds, by construction.

    >>> program = random_program(7)
    >>> print(program.text)
    func.func @main(...) -> ... {

A program is a module with a public function @main, and arguments to call it with. The
same seed gives the same program. `generate` takes any source of randomness, so that
Hypothesis can shrink (see `strategy`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from tests.random_programs.choices import Profile
from tests.random_programs.control_flow import ControlFlow
from tests.random_programs.scope import (
    SCALAR,
    Helper,
    Parameter,
    Scope,
    Shape,
    Tensor,
    result_types,
)

SMALL = Profile()
LARGE = Profile(ops=(40, 120), helpers=4, depth=4)
OBSERVED = Profile(ops=(8, 40), observe=True)
FOREIGN = replace(OBSERVED, foreign=True)
RESHAPED = replace(OBSERVED, reshape=True)
MOST_OBSERVED = 6
"""Tensors that the main function returns in addition, in a program that is observed."""
LIKE_MLIR = Profile(like_mlir=True, blocks=False)
"""Programs that mlir-opt 22 analyses soundly, and rewrites as we do. Left out are

- blocks with arguments, cf.switch, early returns, scf.index_switch, scf.parallel;
- the shared output of scf.forall outside of the slice that is inserted, and calls in its
  threads, which mlir-opt lets fill one buffer;
- functions that return two tensors (they may be the same new one), recursion, and
  func.call_indirect, which it refuses;
- scf.while, and scf.for of several tensors, that hand on what is visible elsewhere;
- slices of tensors from outside of a loop that move: mlir-opt overlooks that it is
  another slice the next time;
- scf.for with no iteration: from the contradiction in its bounds mlir-opt concludes that
  no index is equal to itself, so that slices do not match; unsigned scf.for of narrow
  types too, whose bounds mlir-opt compares as signed numbers;
- functions that return a tensor.cast: mlir-opt drops the cast, and so changes the type
  of the result.
"""
PROFILES = {
    "small": SMALL,
    "large": LARGE,
    "like-mlir": LIKE_MLIR,
    "observed": OBSERVED,
    "foreign": FOREIGN,
    "reshaped": RESHAPED,
}


@dataclass(frozen=True)
class Program:
    """A program and what to call its function @main with: for a tensor its sizes."""

    text: str
    arguments: Sequence[int | bool | tuple[int, ...]]


class _Generator(ControlFlow):
    current: Helper
    """The function that is being written."""

    def module(self) -> Program:
        self.helpers = []
        for number in range(self.random.randint(0, self.profile.helpers)):
            self._helper(f"@helper_{number}")
        parameters = self._parameters(most_tensors=3)
        ops = self.random.randint(*self.profile.ops)
        self._function(Helper("@main", parameters, self._results()), "", ops)
        arguments = [self._argument_for(parameter) for parameter in parameters]
        return Program(self.writer.text(), arguments)

    def _argument_for(self, parameter: Parameter) -> int | bool | tuple[int, ...]:
        if parameter.shape is not None:
            return parameter.shape.sizes
        if parameter.type == "i1":
            return self.chance(50)
        if parameter.type == "index":
            return self.random.randint(parameter.low, parameter.high)
        return self.random.randint(-9, 9)

    def _parameters(self, most_tensors: int) -> list[Parameter]:
        parameters = [
            Parameter(shape.type, shape, writable=self.chance(85))
            for shape in (
                self.shape() for _ in range(self.random.randint(1, most_tensors))
            )
        ]
        if self.chance(60):
            size = self.one_of(self.extents)
            parameters.append(Parameter("index", low=size, high=size))
        if self.chance(50):
            parameters.append(Parameter("index", low=0, high=min(self.extents) - 1))
        if self.chance(50):
            parameters.append(SCALAR)
        if self.chance(50):
            parameters.append(Parameter("i1"))
        return parameters

    def _results(self) -> list[Shape | None]:
        results: list[Shape | None] = [
            self.shape() for _ in range(self.weighted([(1, 0), (5, 1), (3, 2)]))
        ]
        if not results or self.chance(60):
            results.append(None)
        return results

    def _helper(self, name: str) -> None:
        parameters = self._parameters(most_tensors=2)
        recursive = self.chance(15) and not self.profile.like_mlir
        if recursive:
            parameters.insert(0, Parameter("index", low=0, high=2))
        results = self._results()
        if self.profile.like_mlir:
            results = results[-1:]
        like = [h for h in self.helpers if h.parameters[0].shape is not None]
        if like and not recursive and self.chance(30):
            # One function may be called in place of the other.
            parameters, results = like[-1].parameters, like[-1].results
        helper = Helper(name, parameters, results)
        visibility = "private " if self.chance(70) else ""
        ops = self.random.randint(1, max(2, self.profile.ops[0]))
        self._function(helper, visibility, ops, recursive)
        self.helpers.append(helper)

    def _function(
        self, helper: Helper, visibility: str, ops: int, recursive: bool = False
    ) -> None:
        writer = self.writer
        scope = Scope(in_blocks=True)
        arguments: list[str] = []
        names: list[str] = []
        for parameter in helper.parameters:
            name = writer.fresh("a")
            names.append(name)
            attribute = "" if parameter.writable else " {bufferization.writable = false}"
            arguments.append(f"{name}: {parameter.type}{attribute}")
            if parameter.shape is not None:
                scope.tensors.append(Tensor(name, parameter.shape))
            elif parameter.type == "index":
                scope.add_index(name, parameter.low, parameter.high)
            elif parameter.type == "i1":
                scope.bools.append(name)
            else:
                scope.scalars.append(name)
        head = f"func.func {visibility}{helper.name}({', '.join(arguments)}) -> "
        at = len(writer.lines)
        writer.line(f"{head}{result_types(helper.results)} {{")
        self.current = helper
        with writer.indented():
            self.budget = ops
            self.body(scope, ops if not recursive else 1 + ops // 2)
            if recursive:
                self._recur(scope, helper, names[0])
                self.body(scope, ops // 2)
            returned = any("func.return" in line for line in writer.lines[at:])
            if self.profile.observe and helper.name == "@main" and not returned:
                seen = self._most_telling(scope)
                helper = replace(helper, results=[*(t.shape for t in seen), None])
                writer.lines[at] = f"{head}{result_types(helper.results)} {{"
                self._end(helper, [*(t.name for t in seen), self._sum(scope)])
            else:
                self._return(scope, helper)
        writer.line("}")

    def _most_telling(self, scope: Scope) -> list[Tensor]:
        """Tensors in scope, those that were overwritten before others."""
        found = self.order([t for t in scope.tensors if t.defined])
        found.sort(key=lambda t: -t.overwritten)
        return found[:MOST_OBSERVED]

    def _sum(self, scope: Scope) -> str:
        total = self.scalar(scope)
        for other in scope.scalars[-3:]:
            total = self.combine(total, other)
        return total

    def _recur(self, scope: Scope, helper: Helper, counter: str) -> None:
        """Call the function itself with a lower counter, while that is not zero."""
        writer = self.writer
        shapes = [shape for shape in helper.results if shape is not None]
        zero = self.constant(scope, 0)
        again = writer.fresh("b")
        writer.line(f"{again} = arith.cmpi ugt, {counter}, {zero} : index")
        results = [Tensor(writer.fresh(), shape) for shape in shapes]
        assigned = f"{', '.join(r.name for r in results)} = " if results else ""
        types = f" -> ({', '.join(s.type for s in shapes)})" if shapes else ""
        writer.line(f"{assigned}scf.if {again}{types} {{")
        with writer.indented():
            inner = scope.inner()
            one = self.constant(inner, 1)
            lower = writer.fresh("i")
            writer.line(f"{lower} = arith.subi {counter}, {one} : index")
            arguments = [lower, *self.arguments(inner, helper.parameters[1:])]
            self._call(inner, helper, arguments, helper.name)
            newest = inner.tensors[len(inner.tensors) - len(shapes) :]
            self._yield(newest)
        if shapes:
            writer.line("} else {")
            self._alternative(scope, shapes)
        writer.line("}")
        scope.tensors += results

    def early_return(self, scope: Scope) -> None:
        self._return(scope, self.current)

    def _return(self, scope: Scope, helper: Helper) -> None:
        values: list[str] = []
        for shape in helper.results:
            if self.profile.like_mlir and shape is not None:
                before = len(scope.tensors)
                tensor = self.yielded(scope, shape, None)
                if len(scope.tensors) > before or self._is_cast(tensor):
                    tensor = self._copied(scope, tensor)
                values.append(tensor.name)
            elif shape is None:
                values.append(scope.scalars[-1] if scope.scalars else self.scalar(scope))
            else:
                values.append(self.yielded(scope, shape, None).name)
        self._end(helper, values)

    def _end(self, helper: Helper, values: Sequence[str]) -> None:
        types = result_types(helper.results)[1:-1]
        self.writer.line(f"func.return {', '.join(values)} : {types}")

    def _is_cast(self, tensor: Tensor) -> bool:
        start = f"{tensor.name} = tensor.cast "
        return any(line.lstrip().startswith(start) for line in self.writer.lines)

    def _copied(self, scope: Scope, tensor: Tensor) -> Tensor:
        result = self.result(scope, tensor.shape)
        self.writer.line(
            f"{result.name} = bufferization.alloc_tensor() copy({tensor.name}) : "
            f"{tensor.type}"
        )
        return result


def generate(random: Random, profile: Profile = SMALL) -> Program:
    """A program made by the choices of `random`."""
    return _Generator(random, profile).module()


def random_program(seed: int, profile: Profile = SMALL) -> Program:
    """The program of a seed."""
    return generate(Random(seed), profile)
