"""Parallel loops: what one iteration writes, no other may read at the same time.

Two accesses of different iterations never meet if, for each induction variable, there is
a dimension in which their offsets follow it, and the distance between two iterations is
more than what is accessed from there on: elements `2 * %i` and `2 * %i + 1` of a buffer
are in the window `[0, 1]` of an iteration, and the next one begins at 2. So all accesses
to a buffer are first looked at together, by their windows; only where that does not help
are writes compared with reads.

Memory spaces other than the default one are left out: each thread may have its own.

Slices that threads of scf.forall insert are disjoint, says the program. That is assumed,
as their offsets may not be understood.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from xdsl.dialects.builtin import MemRefType, NoneAttr, UnrankedMemRefType
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analysis.buffer_contents_regions import (
    Part,
    Region,
    Step,
    are_in_different,
    is_inside,
    same_step,
)
from xdsl_bufferization.analysis.buffer_contents_state import Contents, Root
from xdsl_bufferization.analysis.facts.value_bounds import (
    Atom,
    Dimension,
    Index,
    Linear,
    bounds_of_atom,
    is_negative,
    linear,
    mixed_list,
    static_list,
)
from xdsl_bufferization.dialects import scf

NOT_SHARED = "a buffer that no other iteration writes"
"""What is expected in a parallel loop."""

_MAX_BOUNDS = 16
"""How many bounds of an offset are tried before giving up."""

Windows: TypeAlias = "dict[SSAValue | None, tuple[int, _Window]]"
"""By induction variable, its factor in an offset, and what is accessed from there on; for
None, what may be accessed in any iteration."""


@dataclass(frozen=True)
class Access:
    """An op that writes or reads a region."""

    is_write: bool
    region: Region
    op: Operation


@dataclass
class _Window:
    """From where to where accesses go, each bound by what it depends on: `%n + 3` is
    3 at `{%n: 1}`."""

    low: dict[frozenset[tuple[Atom, int]], int]
    high: dict[frozenset[tuple[Atom, int]], int]

    def include(self, other: _Window) -> None:
        for key, number in other.low.items():
            self.low[key] = min(number, self.low.get(key, number))
        for key, number in other.high.items():
            self.high[key] = max(number, self.high.get(key, number))

    def constant_bounds(self) -> tuple[int, int] | None:
        none = frozenset[tuple[Atom, int]]()
        if self.low.keys() == self.high.keys() == {none}:
            return self.low[none], self.high[none]
        return None

    def ends_before(self, other: _Window, distances: Sequence[Linear]) -> bool:
        """Whether it ends before the other one begins, as far away as any of these."""
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
class _Group:
    """Accesses to one buffer, after the same views.

    Attributes:
        windows: of all writes, by dimension; None if one of them has another form.
        placed: for each dimension and variable, the writes at constant places, each with
            the bounds of its window.
    """

    writes: dict[Region, Access] = field(default_factory=dict[Region, Access])
    reads: dict[Region, list[Access]] = field(default_factory=dict[Region, list[Access]])
    windows: list[Windows] | None = None
    placed: dict[tuple[int, SSAValue | None], list[tuple[int, int, Region]]] = field(
        default_factory=dict[tuple[int, SSAValue | None], list[tuple[int, int, Region]]]
    )
    is_sorted: bool = True

    def write(self, access: Access, windows: list[Windows]) -> None:
        if access.region in self.writes:
            return
        is_first = not self.writes
        self.writes[access.region] = access
        self.is_sorted = False
        for dimension, found in enumerate(windows):
            for variable, (_, window) in found.items():
                bounds = window.constant_bounds()
                if bounds is not None:
                    places = self.placed.setdefault((dimension, variable), [])
                    places.append((*bounds, access.region))
        if is_first:
            self.windows = [
                {
                    variable: (factor, _Window(dict(w.low), dict(w.high)))
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

    def candidates(self, region: Region, windows: list[Windows]) -> Iterator[Access]:
        """The writes that a read may meet, the most likely ones first."""
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
        if region in self.writes:
            yield self.writes[region]
        # Those at the ends are the nearest ones to the next iteration.
        for places in self.placed.values():
            yield self.writes[places[0][2]]
            yield self.writes[places[-1][2]]
        yield from self.writes.values()


class ParallelLoop:
    """A loop whose iterations run at the same time.

    Args:
        op: the loop.
        inserted: the slices that threads insert, which are disjoint.
    """

    def __init__(self, op: Operation, inserted: Sequence[Region]) -> None:
        self._op = op
        self._inserted = inserted
        self._steps = _induction_variables(op)
        self._windows: dict[Part, list[Windows]] = {}
        self._varying: dict[SSAValue, bool] = {}

    def find_races(
        self, accesses: Sequence[Access], contents: Contents
    ) -> Iterator[tuple[Access, Access]]:
        """The reads that may meet a write of another iteration, each with one."""
        groups: dict[tuple[object, ...], _Group] = {}
        for access in dict.fromkeys(accesses):
            base = access.region.base
            if self._varies(base) or _may_be_of_each_thread(base):
                continue
            before, windows = self._place(access.region)
            key = (access.region.base, *map(_key, before))
            group = groups.setdefault(key, _Group())
            if access.is_write:
                group.write(access, windows)
            else:
                group.reads.setdefault(access.region, []).append(access)
        writing: dict[Root, dict[int, _Group]] = {}
        for group in groups.values():
            for write in list(group.writes.values())[:1]:
                for root in contents.roots_of(write.region.base):
                    writing.setdefault(root, {})[id(group)] = group
        for group in groups.values():
            for region, reads in group.reads.items():
                others = {
                    number: other
                    for root in contents.roots_of(region.base)
                    for number, other in writing.get(root, {}).items()
                }
                if self._is_of_one_thread(region, reads):
                    continue
                write = self._write_that_meets(region, group, others)
                if write is not None:
                    for read in reads:
                        yield write, read

    def _is_of_one_thread(self, region: Region, reads: Sequence[Access]) -> bool:
        """Whether a slice is only inserted, and is the same in all iterations: there is
        but one then, as inserted slices are disjoint."""
        return not any(map(self._step_varies, region.steps)) and all(
            isinstance(read.op, scf.InParallelOp) for read in reads
        )

    def _write_that_meets(
        self,
        region: Region,
        group: _Group,
        others: dict[int, _Group],
    ) -> Access | None:
        _, windows = self._place(region)
        for other in others.values():
            writes: Iterable[Access] = other.writes.values()
            if other is group:
                if other.windows and self._are_apart(windows, other.windows):
                    continue
                writes = other.candidates(region, windows)
            for write in writes:
                if not self._never_meet(write.region, region):
                    return write
        return None

    def _never_meet(self, first: Region, second: Region) -> bool:
        """Whether two accesses to one buffer, in different iterations, never meet."""
        if first.base is not second.base:
            return False
        for one, other in zip(first.steps, second.steps, strict=False):
            same = same_step(one, other)
            if same and not self._step_varies(one) and not self._step_varies(other):
                continue
            if not isinstance(one, Part) or not isinstance(other, Part):
                return False
            if self._are_apart(self._windows_of(one), self._windows_of(other)):
                return True
            return self._are_inserted(first, second)
        return False

    def _are_inserted(self, first: Region, second: Region) -> bool:
        """Whether both are in slices that an iteration inserts: in two of them, or in one
        that depends on the iteration."""
        return are_in_different(first, second, self._inserted) or any(
            is_inside(first, slice_)
            and is_inside(second, slice_)
            and any(map(self._step_varies, slice_.steps))
            for slice_ in self._inserted
        )

    def _are_apart(self, first: list[Windows], second: list[Windows]) -> bool:
        """Whether accesses of different iterations never meet: because they are at
        different places in all iterations, or since iterations that differ in any
        induction variable are apart."""
        if len(first) != len(second):
            return False
        if any(
            self._is_separated(None, one, other)
            for one, other in zip(first, second, strict=True)
        ):
            return True
        return bool(self._steps) and all(
            any(
                self._is_separated(variable, one, other)
                for one, other in zip(first, second, strict=True)
            )
            for variable in self._steps
        )

    def _is_separated(
        self, variable: SSAValue | None, one: Windows, other: Windows
    ) -> bool:
        if variable not in one or variable not in other:
            return False
        factor, window = one[variable]
        if other[variable][0] != factor:
            return False
        other_window = other[variable][1]
        if variable is None:
            here = (Linear(0),)
            return window.ends_before(other_window, here) or other_window.ends_before(
                window, here
            )
        # A step is at least one.
        distances = [
            step.scaled(abs(factor)) for step in (self._steps[variable], Linear(1))
        ]
        return window.ends_before(other_window, distances) and other_window.ends_before(
            window, distances
        )

    # What depends on the iteration.

    def _varies(self, value: SSAValue) -> bool:
        known = self._varying.get(value)
        if known is None:
            owner = value.owner
            inner = owner.parent_op() if isinstance(owner, Block) else owner
            known = inner is not None and self._op.is_ancestor(inner)
            self._varying[value] = known
        return known

    def _atom_varies(self, atom: Atom) -> bool:
        if isinstance(atom, Dimension):
            return self._varies(atom.value)
        if isinstance(atom, SSAValue):
            return self._varies(atom)
        return any(self._atom_varies(inner) for inner, _ in atom.factors)

    def _index_varies(self, index: Index) -> bool:
        return any(map(self._atom_varies, linear(index).factors))

    def _step_varies(self, step: Step) -> bool:
        if isinstance(step, Part):
            return any(map(self._index_varies, step.values()))
        return any(map(self._varies, step.op.operands[1:]))

    def _place(self, region: Region) -> tuple[Sequence[Step], list[Windows]]:
        """The views of a region up to the first slice that depends on the iteration, or
        the last one, and the windows of that; none if it is not understood."""
        number = 0
        while number < len(region.steps) - 1 and not self._step_varies(
            region.steps[number]
        ):
            number += 1
        step = region.steps[number] if region.steps else None
        windows = self._windows_of(step) if isinstance(step, Part) else []
        return region.steps[:number], windows

    def _windows_of(self, part: Part) -> list[Windows]:
        """For each dimension, the induction variable that the offset follows, if it
        follows one, and what is accessed from there on."""
        found = self._windows.get(part)
        if found is None:
            found = self._windows[part] = [
                self._window(part, number) for number in range(len(part.offsets))
            ]
        return found

    def _window(self, part: Part, number: int) -> Windows:
        offset, stride = linear(part.offsets[number]), linear(part.strides[number])
        extent = (linear(part.sizes[number]) - Linear(1)).times(stride)
        if extent is None or (stride.constant_value() or 1) < 0:
            return {}
        found: Windows = {}
        for variable in (None, *self._steps):
            factor = 0 if variable is None else offset.factors.get(variable, 0)
            if factor or variable is None:
                rest = offset
                if variable is not None:
                    rest -= Linear(0, {variable: factor})
                low, high = self._bound(rest, False), self._bound(rest + extent, True)
                if low is not None and high is not None:
                    window = _Window(
                        {frozenset(low.factors.items()): low.constant},
                        {frozenset(high.factors.items()): high.constant},
                    )
                    found[variable] = factor, window
        return found

    def _bound(self, expression: Linear, upper: bool) -> Linear | None:
        """What an expression does not exceed (upper) or fall below in any iteration."""
        pending = [expression]
        for _ in range(_MAX_BOUNDS):
            if not pending:
                return None
            current = pending.pop(0)
            varying = [atom for atom in current.factors if self._atom_varies(atom)]
            if not varying:
                return current
            atom, factor = varying[0], current.factors[varying[0]]
            rest = current - Linear(0, {atom: factor})
            pending += [
                rest + bound.scaled(factor)
                for bound in bounds_of_atom(atom, (factor > 0) == upper)
            ]
        return None


def _key(step: Step) -> object:
    """The same for steps that surely are the same; nearly always the other way too."""
    if not isinstance(step, Part):
        return step.op
    numbers = map(linear, (*step.offsets, *step.sizes, *step.strides))
    return tuple((n.constant, frozenset(n.factors.items())) for n in numbers)


def _may_be_of_each_thread(base: SSAValue) -> bool:
    """Whether a buffer is in a memory space of which nothing is known."""
    type_ = base.type
    return isinstance(type_, MemRefType | UnrankedMemRefType) and not isinstance(
        type_.memory_space, NoneAttr
    )


def _induction_variables(op: Operation) -> dict[SSAValue, Linear]:
    """By induction variable, what it grows by from one iteration to the next one; without
    those that have only one value."""
    bounds: Sequence[Sequence[Index]]
    match op:
        case scf.ForallOp():
            bounds = (
                mixed_list(op.dynamic_lower_bound, static_list(op, "staticLowerBound")),
                mixed_list(op.dynamic_upper_bound, static_list(op, "staticUpperBound")),
                mixed_list(op.dynamic_step, static_list(op, "staticStep")),
            )
        case scf.ParallelOp():
            bounds = op.lowerBound, op.upperBound, op.step
        case _:
            return {}
    found: dict[SSAValue, Linear] = {}
    variables = op.regions[0].block.args
    for variable, *numbers in zip(variables, *bounds, strict=False):
        low, high, step = map(linear, numbers)
        if not is_negative(high - low - step - Linear(1)):
            found[variable] = step
    return found
