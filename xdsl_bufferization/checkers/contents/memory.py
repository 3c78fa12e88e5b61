"""The components of the states of the contents checker (state.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, cast

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.slices import (
    Slice,
    are_disjoint,
    is_contained,
)
from xdsl_bufferization.analysis.facts.value_bounds import Index
from xdsl_bufferization.checkers.contents.views import Step, View, values_of


class AllBut(NamedTuple):
    """All of a tensor but some slices of it: what other iterations may write is all but
    what an iteration inserts itself.

    Attributes:
        extents: the sizes of the tensor.
    """

    slices: tuple[Slice, ...]
    extents: tuple[Index, ...]


Damage: TypeAlias = dict[Step | AllBut | None, Operation]
"""What is damaged of a tensor in memory, and by which op; None stands for all of it.
Never changed in place."""
Root: TypeAlias = object
"""Where memory comes from: the memref of an allocation, an argument, a global."""
Base: TypeAlias = object
"""What is in memory: a base of views, or something that stands for several."""
Forwarded: TypeAlias = Mapping[int, bool] | None
"""By number, whether block arguments or results hold the tensors they stand for; those
that are not mentioned do. None if that is to be seen from what has been written."""
Varies: TypeAlias = Callable[[SSAValue], bool] | None
"""Along an edge back to the head of a loop, whether a value is made in the loop."""


@dataclass(frozen=True)
class Returned:
    """The result of an unknown function. Whatever may be the memory that the function was
    given may be this as well."""

    op: Operation
    index: int


_FEW = 8
"""Bases with more roots than this are not found by their roots."""


class Written(NamedTuple):
    """The views that a segment has written, the last one first."""

    view: View
    right: bool
    earlier: Written | None

    @staticmethod
    def each(written: Written | None) -> Iterator[tuple[View, bool]]:
        while written is not None:
            yield written.view, written.right
            written = written.earlier


_MOST_LOOPS = 3
"""So many nested loops are told apart; what is further inside counts as the last one."""


def earlier_root(root: Root) -> Root:
    """Return the root of the allocations that the op of a root made in an earlier
    iteration of the innermost loop around it."""
    return ("earlier", root)


def root_before(root: Root, depth: int) -> Root:
    """Return the root of the allocations that the op of a root made before the last time
    that a loop around it was entered, but after the loop outside of that one was.

    Args:
        depth: the number of loops around it, and that loop itself.
    """
    return ("before", root, min(depth, _MOST_LOOPS))


def roots_since(root: Root, depth: int) -> list[Root]:
    """Return the roots of all allocations that the op of a root may have made since the
    loop around such a loop was entered."""
    inside = range(min(depth, _MOST_LOOPS), _MOST_LOOPS + 1)
    return [root, earlier_root(root), *(root_before(root, number) for number in inside)]


def of_any_iteration(roots: Iterable[Root]) -> frozenset[Root]:
    """Return what some roots, and those of the allocations by the same ops in other
    iterations, have in common: the memref or whatever an op returns."""
    return frozenset(map(without_iteration, roots))


def without_iteration(root: Root) -> Root:
    """Return the root of the allocations that the op of a root makes now."""
    parts = _parts(root)
    if parts and parts[0] in ("earlier", "before"):
        return without_iteration(parts[1])
    return root


def _parts(root: Root) -> Sequence[Root]:
    return cast("tuple[Root, ...]", root) if isinstance(root, tuple) else ()


class Race(NamedTuple):
    """Why a copy may read what another iteration writes.

    Attributes:
        write: such a write.
        part: what other iterations may write of what is copied; None stands for all.
    """

    write: Operation
    part: AllBut | None


class History:
    """What all states of a function share: an index of bases, and what messages say.

    Attributes:
        fixed: the memory of bases that are always in the same: places in arenas.
        destroyed: by tensor, the op that last damaged all of it somewhere.
    """

    def __init__(self, fixed: Mapping[Base, frozenset[Root]] | None = None) -> None:
        self.fixed = fixed or {}
        self.destroyed: dict[int, Operation] = {}
        self._bases: dict[Root, dict[Base, None]] = {}
        self._with_many_roots: dict[Base, None] = {}
        self._roots: set[Root] = set()
        self._added: set[frozenset[Root]] = set()
        for base, roots in self.fixed.items():
            self._roots |= roots
            for root in roots:
                self._bases.setdefault(root, {})[base] = None

    def add(self, base: Base, roots: frozenset[Root]) -> None:
        """Note that a base may be in some memory, at some point."""
        if roots not in self._added:
            self._added.add(roots)
            self._roots |= roots
        if self.fixed.get(base) is roots:
            return
        if len(roots) > _FEW:
            self._with_many_roots[base] = None
            return
        for root in roots:
            self._bases.setdefault(root, {})[base] = None

    def count(self, roots: Iterable[Root]) -> int:
        """Return how many bases `find` looks at."""
        return len(self._with_many_roots) + sum(
            len(self._bases.get(root, ())) for root in roots
        )

    def find(self, roots: Iterable[Root]) -> dict[Base, None]:
        """Return the bases that may be in this memory, and possibly others."""
        if self._roots.isdisjoint(roots):
            return {}
        found = dict(self._with_many_roots)
        for root in roots:
            found.update(self._bases.get(root, {}))
        return found


def written_in_both(first: Written, second: Written | None) -> Written | None:
    """Return the parts written in both; the first one if these are all of it."""
    if first is second:
        return first
    others = set(Written.each(second))
    writes = list(Written.each(first))
    kept = [write for write in writes if write in others]
    if len(kept) == len(writes):
        return first
    found: Written | None = None
    for view, right in reversed(kept):
        found = Written(view, right, found)
    return found


def all_of(first: Forwarded, second: Forwarded) -> Forwarded:
    if first is None or second is None or first == second:
        return first
    return {
        number: first.get(number, True) and second.get(number, True)
        for number in first.keys() | second.keys()
    }


def join_damage(damage: Damage, other: Damage | None, varies: Varies) -> Damage | None:
    """Return the damage of both; the very same object if there is no more of it."""
    if other is None:
        return None
    more: Damage = {}
    for part, op in other.items():
        slices = part.slices if isinstance(part, AllBut) else (part,)
        is_other = varies is not None and any(
            isinstance(slice_, Slice) and any(map(varies, values_of(slice_)))
            for slice_ in slices
        )
        kept = None if is_other else part
        if kept not in damage:
            more[kept] = op
    return {**damage, **more} if more else damage


def damage_of_part(damage: Damage, step: Step) -> Damage:
    """Return the damage of the part of a tensor that a step leads to."""
    for part, op in damage.items():
        if not isinstance(step, Slice) or not _is_outside(step, part):
            return {None: op}
    return {}


def _is_outside(slice_: Slice, damaged: Step | AllBut | None) -> bool:
    """Return whether a slice definitely is outside of what is damaged."""
    if isinstance(damaged, AllBut):
        return any(is_contained(slice_, kept, damaged.extents) for kept in damaged.slices)
    return isinstance(damaged, Slice) and are_disjoint(damaged, slice_)
