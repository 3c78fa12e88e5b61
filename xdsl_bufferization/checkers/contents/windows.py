"""Accesses of a parallel loop, grouped to reduce the number of comparisons
(races.py)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.value_bounds import Atom, Linear, is_negative
from xdsl_bufferization.checkers.contents.views import View

Windows: TypeAlias = "dict[SSAValue | None, tuple[int, Window]]"
"""By induction variable, its factor in an offset, and what is accessed from there on; for
None, what may be accessed in any iteration."""


@dataclass(frozen=True)
class Access:
    """An op that writes or reads a view."""

    is_write: bool
    view: View
    op: Operation


@dataclass
class Window:
    """A range of indices that are accessed. Bounds are stored by what they depend on:
    `%n + 3` is 3 at `{%n: 1}`."""

    low: dict[frozenset[tuple[Atom, int]], int]
    high: dict[frozenset[tuple[Atom, int]], int]

    def include(self, other: Window) -> None:
        for key, number in other.low.items():
            self.low[key] = min(number, self.low.get(key, number))
        for key, number in other.high.items():
            self.high[key] = max(number, self.high.get(key, number))

    def constant_bounds(self) -> tuple[int, int] | None:
        none = frozenset[tuple[Atom, int]]()
        if self.low.keys() == self.high.keys() == {none}:
            return self.low[none], self.high[none]
        return None

    def ends_before(self, other: Window, distances: Sequence[Linear]) -> bool:
        """Return whether it ends before the other one, at one of these distances."""
        return all(
            any(
                is_negative(_linear(*end) - _linear(*begin) - distance)
                for distance in distances
            )
            for end, begin in product(self.high.items(), other.low.items())
        )


def _linear(key: frozenset[tuple[Atom, int]], constant: int) -> Linear:
    return Linear(constant, dict(key))


@dataclass
class AccessGroup:
    """Accesses to one buffer, after the same views.

    Attributes:
        windows: of all writes, by dimension; None if one of them has another form.
        placed: for each dimension and variable, the writes at constant places, each with
            the bounds of its window.
    """

    writes: dict[View, Access] = field(default_factory=dict[View, Access])
    reads: dict[View, list[Access]] = field(default_factory=dict[View, list[Access]])
    windows: list[Windows] | None = None
    placed: dict[tuple[int, SSAValue | None], list[tuple[int, int, View]]] = field(
        default_factory=dict[tuple[int, SSAValue | None], list[tuple[int, int, View]]]
    )
    is_sorted: bool = True

    def write(self, access: Access, windows: list[Windows]) -> None:
        if access.view in self.writes:
            return
        is_first = not self.writes
        self.writes[access.view] = access
        self.is_sorted = False
        for dimension, found in enumerate(windows):
            for variable, (_, window) in found.items():
                bounds = window.constant_bounds()
                if bounds is not None:
                    places = self.placed.setdefault((dimension, variable), [])
                    places.append((*bounds, access.view))
        if is_first:
            self.windows = [
                {
                    variable: (factor, Window(dict(w.low), dict(w.high)))
                    for variable, (factor, w) in dimension.items()
                }
                for dimension in windows
            ]
            return
        if self.windows is None or len(self.windows) != len(windows):
            self.windows = None
            return
        for known, other in zip(self.windows, windows, strict=True):
            for variable in list(known):
                factor, window = known[variable]
                if variable in other and other[variable][0] == factor:
                    window.include(other[variable][1])
                else:
                    del known[variable]

    def candidates(self, view: View, windows: list[Windows]) -> Iterator[Access]:
        """Iterate over the writes that a read may meet, the most likely ones first."""
        if not self.is_sorted:
            for places in self.placed.values():
                places.sort(key=lambda place: place[0])
            self.is_sorted = True
        for dimension, found in enumerate(windows):
            bounds = found[None][1].constant_bounds() if None in found else None
            places = self.placed.get((dimension, None), ())
            if bounds is not None and len(places) == len(self.writes):
                # Whatever the iteration, they meet only where both are.
                longest = max(high - low for low, high, _ in places)
                first = bisect_left(places, bounds[0] - longest, key=lambda p: p[0])
                last = bisect_right(places, bounds[1], key=lambda p: p[0])
                yield from (self.writes[place] for _, _, place in places[first:last])
                return
        if view in self.writes:
            yield self.writes[view]
        # Those at the ends are the nearest ones to the next iteration.
        for places in self.placed.values():
            yield self.writes[places[0][2]]
            yield self.writes[places[-1][2]]
        yield from self.writes.values()
