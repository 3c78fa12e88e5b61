"""What a generated program has at hand: its values, and the text written so far.

Every tensor has sizes that the generator knows, also where its type does not (`?`). So
all indices are in bounds and all shapes fit by construction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

ELEMENT = "i32"
"""Integers: exact, and they wrap around in the same way everywhere."""


@dataclass(frozen=True)
class Shape:
    """Sizes, and which of them the tensor type tells."""

    sizes: tuple[int, ...]
    known: tuple[bool, ...]

    @property
    def rank(self) -> int:
        return len(self.sizes)

    @property
    def type(self) -> str:
        sizes = "".join(
            f"{size if known else '?'}x"
            for size, known in zip(self.sizes, self.known, strict=True)
        )
        return f"tensor<{sizes}{ELEMENT}>"

    def without(self, dropped: Sequence[int]) -> Shape:
        kept = [d for d in range(self.rank) if d not in dropped]
        return Shape(
            tuple(self.sizes[d] for d in kept), tuple(self.known[d] for d in kept)
        )


def static(*sizes: int) -> Shape:
    return Shape(sizes, (True,) * len(sizes))


@dataclass
class Tensor:
    """A tensor value.

    Attributes:
        defined: whether all its elements have been given a value; otherwise they must
            not be read.
        uses: how often it has been written, or passed on to an op that may write it.
            Reading it afterwards is what makes a copy necessary.
    """

    name: str
    shape: Shape
    defined: bool = True
    overwritten: int = 0

    @property
    def type(self) -> str:
        return self.shape.type


@dataclass(frozen=True)
class Index:
    """An index value, from `low` to `high` whenever it is used."""

    name: str
    low: int
    high: int


class Comparison(NamedTuple):
    """A comparison of two scalars, as it is written."""

    predicate: str
    left: str
    right: str


@dataclass(frozen=True)
class Parameter:
    """A function parameter: a tensor, an index within bounds, a scalar or an i1."""

    type: str
    shape: Shape | None = None
    low: int = 0
    high: int = 0
    writable: bool = True


SCALAR = Parameter(ELEMENT)


@dataclass(frozen=True)
class Helper:
    """A function that may be called."""

    name: str
    parameters: Sequence[Parameter]
    results: Sequence[Shape | None]
    """None for a scalar."""

    @property
    def signature(self) -> str:
        parameters = ", ".join(parameter.type for parameter in self.parameters)
        return f"({parameters}) -> {result_types(self.results)}"


@dataclass
class Scope:
    """The values that may be used at a place. The innermost come last."""

    tensors: list[Tensor] = field(default_factory=list[Tensor])
    buffers: list[Tensor] = field(default_factory=list[Tensor])
    """The tensors that memrefs may be read for, under the names of the memrefs."""
    indices: list[Index] = field(default_factory=list[Index])
    scalars: list[str] = field(default_factory=list[str])
    bools: list[str] = field(default_factory=list[str])
    comparisons: list[Comparison] = field(default_factory=list[Comparison])
    """How some of them were computed."""
    depth: int = 0
    outer: int = 0
    """How many of the tensors are from outside of the region."""
    in_blocks: bool = False
    """The scope is that of a region in which branches may be made."""
    in_threads: bool = False
    """Threads of scf.forall run what is made here."""

    def add_index(self, name: str, low: int, high: int) -> None:
        self.indices.append(Index(name, low, high))

    def inner(self, *, in_blocks: bool = False) -> Scope:
        """The scope of a region inside, or of a block that is dominated."""
        return Scope(
            list(self.tensors),
            list(self.buffers),
            list(self.indices),
            list(self.scalars),
            list(self.bools),
            list(self.comparisons),
            self.depth + (not in_blocks),
            self.outer if in_blocks else len(self.tensors),
            in_blocks,
            self.in_threads,
        )

    def is_local(self, tensor: Tensor) -> bool:
        """Whether the tensor was made in the innermost region."""
        return any(tensor is other for other in self.tensors[self.outer :])


class Writer:
    """Program text, one op a line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._indent = 0
        self._counter = 0

    def fresh(self, prefix: str = "") -> str:
        self._counter += 1
        return f"%{prefix}{self._counter}" if prefix else f"%v{self._counter}"

    def label(self) -> str:
        self._counter += 1
        return f"^bb{self._counter}"

    def line(self, text: str) -> None:
        self.lines.append("  " * self._indent + text)

    @contextmanager
    def indented(self) -> Iterator[None]:
        self._indent += 1
        yield
        self._indent -= 1

    def block(self, label: str, arguments: Sequence[str] = ()) -> None:
        listed = f"({', '.join(arguments)})" if arguments else ""
        self._indent -= 1
        self.line(f"{label}{listed}:")
        self._indent += 1

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def result_types(results: Sequence[Shape | None]) -> str:
    types = [ELEMENT if shape is None else shape.type for shape in results]
    return f"({', '.join(types)})"
