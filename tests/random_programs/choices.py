"""Choosing operands: what every kind of generated op needs.

Most choices are biased towards what makes bufferization hard: tensors that were
overwritten before are read again, slices alias their source, results meet in branches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from tests.random_programs.scope import (
    ELEMENT,
    Comparison,
    Scope,
    Shape,
    Tensor,
    Writer,
)

T = TypeVar("T")

PREDICATES = {
    "eq": ("ne", "eq"),
    "ne": ("eq", "ne"),
    "slt": ("sge", "sgt"),
    "sle": ("sgt", "sge"),
    "sgt": ("sle", "slt"),
    "sge": ("slt", "sle"),
    "ult": ("uge", "ugt"),
    "uge": ("ult", "ule"),
    "ule": ("ugt", "uge"),
    "ugt": ("ule", "ult"),
}
"""Predicates of comparisons: the negation, and the predicate for swapped operands."""
BINARY = ("arith.addi", "arith.subi", "arith.muli", "arith.xori", "arith.maxsi")


@dataclass(frozen=True)
class Profile:
    """What programs are made of.

    Attributes:
        ops: how many ops, about, the main function has.
        helpers: how many functions there may be beside it.
        depth: how deep regions nest.
        blocks: whether functions may have several blocks.
        like_mlir: leave out what mlir-opt 22 is known to get wrong.
        foreign: with regions of affine, and of an op that is not registered.
        observe: let tensors reach the results of the program as often as can be, above
            all those that were overwritten: so that a wrong bufferization is seen.
        reshape: with tensor.reshape, whose shape is a tensor.
    """

    ops: tuple[int, int] = (5, 30)
    helpers: int = 2
    depth: int = 3
    blocks: bool = True
    like_mlir: bool = False
    foreign: bool = False
    observe: bool = False
    reshape: bool = False


class Choices:
    """A source of randomness with the questions a generator asks of it."""

    def __init__(self, random: Random, profile: Profile) -> None:
        self.random = random
        self.profile = profile
        self.writer = Writer()
        self.extents = [random.randint(2, 5) for _ in range(2)]
        """Few different sizes, so that tensors fit together."""

    # Dice.

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def one_of(self, items: Sequence[T]) -> T:
        return items[self.random.randrange(len(items))]

    def weighted(self, items: Sequence[tuple[int, T]]) -> T:
        position = self.random.randrange(sum(weight for weight, _ in items))
        for weight, item in items:
            position -= weight
            if position < 0:
                return item
        raise AssertionError

    def order(self, items: Sequence[T]) -> list[T]:
        rest, ordered = list(items), list[T]()
        while rest:
            ordered.append(rest.pop(self.random.randrange(len(rest))))
        return ordered

    # Shapes.

    def shape(self, rank: int | None = None) -> Shape:
        if rank is None:
            rank = self.weighted([(6, 1), (6, 2), (1, 3)])
        sizes = tuple(self.one_of(self.extents) for _ in range(rank))
        return Shape(sizes, tuple(self.chance(70) for _ in sizes))

    # Values at hand.

    def tensor(
        self,
        scope: Scope,
        accept: Callable[[Tensor], bool] = lambda _: True,
        *,
        defined: bool = True,
    ) -> Tensor | None:
        """A tensor that will do, rather one that was overwritten, or a new one."""
        found = [t for t in scope.tensors if (t.defined or not defined) and accept(t)]
        if not found:
            return None
        overwritten = [t for t in found if t.overwritten]
        if overwritten and self.chance(35):
            return self.one_of(overwritten)
        if self.chance(40):
            return self.one_of(found[-3:])
        return self.one_of(found)

    def tensor_like(self, scope: Scope, shape: Shape) -> Tensor:
        """A defined tensor of just this type: one at hand, cast at need, or a new one."""
        same = self.tensor(scope, lambda t: t.shape.sizes == shape.sizes)
        if same is None or self.chance(5):
            same = self.new_tensor(scope, shape)
        return self.cast_to(scope, same, shape)

    def destination(self, scope: Scope, sizes: tuple[int, ...]) -> Tensor:
        """A tensor to be overwritten: perhaps one without contents."""
        found = self.tensor(scope, lambda t: t.shape.sizes == sizes, defined=False)
        if found is None or self.chance(15):
            shape = Shape(sizes, tuple(self.chance(70) for _ in sizes))
            found = self.empty_tensor(scope, shape)
        return found

    def cast_to(self, scope: Scope, tensor: Tensor, shape: Shape) -> Tensor:
        if tensor.shape == shape:
            return tensor
        result = self.result(scope, shape, tensor.defined)
        self.writer.line(
            f"{result.name} = tensor.cast {tensor.name} : {tensor.type} to {shape.type}"
        )
        return result

    def result(self, scope: Scope, shape: Shape, defined: bool = True) -> Tensor:
        """A new tensor value, visible from here on."""
        tensor = Tensor(self.writer.fresh(), shape, defined)
        scope.tensors.append(tensor)
        return tensor

    def index_value(self, scope: Scope, low: int, high: int) -> str:
        """An index value from low to high."""
        found = [i for i in scope.indices if low <= i.low and i.high <= high]
        if found and self.chance(80):
            return self.one_of(found).name
        if low == 0 and scope.indices and self.chance(20):
            return self._remainder(scope, high)
        return self.constant(scope, self.random.randint(low, high))

    def _remainder(self, scope: Scope, high: int) -> str:
        divisor = self.constant(scope, high + 1)
        name = self.writer.fresh("i")
        dividend = self.one_of(scope.indices)
        self.writer.line(f"{name} = arith.remui {dividend.name}, {divisor} : index")
        scope.add_index(name, 0, high)
        return name

    def constant(self, scope: Scope, number: int) -> str:
        name = self.writer.fresh("c")
        self.writer.line(f"{name} = arith.constant {number} : index")
        scope.add_index(name, number, number)
        return name

    def size_values(self, scope: Scope, shape: Shape) -> list[str]:
        """Values for the sizes that the type does not tell."""
        return [
            self.index_value(scope, size, size)
            for size, known in zip(shape.sizes, shape.known, strict=True)
            if not known
        ]

    def scalar(self, scope: Scope) -> str:
        if scope.scalars and self.chance(85):
            return self.one_of(scope.scalars)
        name = self.writer.fresh("s")
        if scope.indices and self.chance(40):
            index = self.one_of(scope.indices)
            self.writer.line(
                f"{name} = arith.index_cast {index.name} : index to {ELEMENT}"
            )
        else:
            number = self.random.randint(-9, 9)
            self.writer.line(f"{name} = arith.constant {number} : {ELEMENT}")
        scope.scalars.append(name)
        return name

    def condition(self, scope: Scope) -> str:
        if scope.bools and self.chance(40):
            return self.one_of(scope.bools)
        if scope.comparisons and self.chance(40):
            return self._related(scope, self.one_of(scope.comparisons))
        predicate = self.one_of(list(PREDICATES))
        left, right = self.scalar(scope), self.scalar(scope)
        return self._compared(scope, Comparison(predicate, left, right))

    def _compared(self, scope: Scope, comparison: Comparison) -> str:
        name, (predicate, left, right) = self.writer.fresh("b"), comparison
        self.writer.line(f"{name} = arith.cmpi {predicate}, {left}, {right} : {ELEMENT}")
        scope.bools.append(name)
        scope.comparisons.append(comparison)
        return name

    def _related(self, scope: Scope, comparison: Comparison) -> str:
        """A condition that is computed again, the same or its negation."""
        predicate, left, right = comparison
        negated, swapped = PREDICATES[predicate]
        return self._compared(
            scope,
            self.one_of(
                [
                    comparison,
                    Comparison(negated, left, right),
                    Comparison(swapped, right, left),
                    Comparison(PREDICATES[negated][1], right, left),
                ]
            ),
        )

    # New tensors.

    def empty_tensor(self, scope: Scope, shape: Shape) -> Tensor:
        sizes = ", ".join(self.size_values(scope, shape))
        result = self.result(scope, shape, defined=False)
        op = "bufferization.alloc_tensor" if self.chance(30) else "tensor.empty"
        self.writer.line(f"{result.name} = {op}({sizes}) : {shape.type}")
        return result

    def new_tensor(self, scope: Scope, shape: Shape) -> Tensor:
        """A new tensor with contents."""
        ways = [self._fill_new, self._splat, self._generate]
        if all(shape.known):
            ways.append(self._dense)
            if shape.rank == 1:
                ways.append(self._from_elements)
        return self.one_of(ways)(scope, shape)

    def _dense(self, scope: Scope, shape: Shape) -> Tensor:
        result = self.result(scope, shape)

        def elements(sizes: tuple[int, ...]) -> str:
            if not sizes:
                return str(self.random.randint(-9, 9))
            return f"[{', '.join(elements(sizes[1:]) for _ in range(sizes[0]))}]"

        value = elements(()) if self.chance(40) else elements(shape.sizes)
        self.writer.line(f"{result.name} = arith.constant dense<{value}> : {shape.type}")
        return result

    def _from_elements(self, scope: Scope, shape: Shape) -> Tensor:
        elements = ", ".join(self.scalar(scope) for _ in range(shape.sizes[0]))
        result = self.result(scope, shape)
        self.writer.line(
            f"{result.name} = tensor.from_elements {elements} : {shape.type}"
        )
        return result

    def _splat(self, scope: Scope, shape: Shape) -> Tensor:
        scalar, sizes = self.scalar(scope), ", ".join(self.size_values(scope, shape))
        listed = f"[{sizes}]" if sizes else ""
        result = self.result(scope, shape)
        self.writer.line(f"{result.name} = tensor.splat {scalar}{listed} : {shape.type}")
        return result

    def _fill_new(self, scope: Scope, shape: Shape) -> Tensor:
        empty = self.empty_tensor(scope, shape)
        scalar = self.scalar(scope)
        empty.overwritten += 1
        result = self.result(scope, shape)
        self.writer.line(
            f"{result.name} = linalg.fill ins({scalar} : {ELEMENT}) "
            f"outs({empty.name} : {shape.type}) -> {shape.type}"
        )
        return result

    def _generate(self, scope: Scope, shape: Shape) -> Tensor:
        sizes = ", ".join(self.size_values(scope, shape))
        read = self.tensor(scope, lambda t: t.shape.sizes == shape.sizes)
        result = self.result(scope, shape)
        writer = self.writer
        indices = [writer.fresh("i") for _ in shape.sizes]
        writer.line(f"{result.name} = tensor.generate {sizes} {{")
        with writer.indented():
            writer.block("^bb0", [f"{index}: index" for index in indices])
            element = writer.fresh("s")
            if read is not None and self.chance(50):
                writer.line(
                    f"{element} = tensor.extract {read.name}[{', '.join(indices)}] : "
                    f"{read.type}"
                )
            else:
                index = self.one_of(indices)
                writer.line(f"{element} = arith.index_cast {index} : index to {ELEMENT}")
            writer.line(f"tensor.yield {element} : {ELEMENT}")
        writer.line(f"}} : {shape.type}")
        return result

    # Bodies of ops that compute scalars.

    def combine(self, first: str, second: str) -> str:
        """A scalar computed of two."""
        name = self.writer.fresh("s")
        self.writer.line(f"{name} = {self.one_of(BINARY)} {first}, {second} : {ELEMENT}")
        return name
