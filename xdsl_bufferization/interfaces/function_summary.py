"""The queries that models may make about called functions."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Protocol

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation


@dataclass
class FunctionSummary:
    """What a caller needs to know of a function. Arguments and results by number.

    Attributes:
        read, written: arguments whose buffer the function reads, or writes in place.
        aliasing: for an argument, the results that may share its buffer.
        equivalent: for a result, the argument whose very buffer it is.
        shared_results: pairs of results that may be the same new buffer.
        read_only: results whose buffer must not be written, whatever the arguments are.
        defined: results that may be something else than the contents of arguments.
    """

    read: set[int] = field(default_factory=set[int])
    written: set[int] = field(default_factory=set[int])
    aliasing: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    equivalent: dict[int, int] = field(default_factory=dict[int, int])
    shared_results: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    read_only: set[int] = field(default_factory=set[int])
    defined: set[int] = field(default_factory=set[int])
    _sources: dict[int, list[int]] | None = field(default=None, compare=False)

    def sources_of(self, result: int) -> list[int]:
        """The arguments whose buffer a result may share; the inverse of `aliasing`."""
        if self._sources is None:
            self._sources = {}
            for argument, results in self.aliasing.items():
                for number in results:
                    self._sources.setdefault(number, []).append(argument)
        return self._sources.get(result, [])


class CalledFunctions(Protocol):
    """The functions that calls refer to."""

    def callee(self, call: Operation) -> FuncOp | None:
        """The function a func.call calls, when it is known."""
        ...

    def summary(self, call: Operation) -> FunctionSummary | None:
        """The summary of what a call calls; None when it is not analysed (yet)."""
        ...

    def read_only_results(self, call: Operation) -> Set[int]:
        """The results of a call, direct or not, that must not be written."""
        ...
