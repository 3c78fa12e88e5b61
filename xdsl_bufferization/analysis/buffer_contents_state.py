"""What is in memory at a point of the program, as the checker of bufferizations knows it.

`Contents` is changed as the program is followed, and copied where ways part. A copy
shares everything until one of the two changes it, memory by memory; what is destroyed or
not needed any more is forgotten. So the cost of a step does not grow with the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analysis.buffer_contents_regions import (
    Names,
    Part,
    Region,
    Step,
    are_apart,
    are_in_different,
    common_steps,
    disjoint_parts,
    is_same,
)

Damage: TypeAlias = dict[Step | None, Operation]
"""What is damaged of a tensor in memory, and by which op; None stands for all of it.
Never changed in place."""
Root: TypeAlias = object
"""Where memory comes from: the memref an allocation gave, an argument, a global."""

Loop: TypeAlias = Operation | Callable[[SSAValue], bool]
"""A loop: its op, or what tells whether a value is made inside."""


def earlier_roots(root: Root) -> tuple[Root, Root]:
    """The roots of memory that was made where that of a root is made: in an earlier
    iteration, and before the loop began."""
    return ("old", root), ("before", root)


_Regions: TypeAlias = dict[Region, dict[int, Damage]]

_FEW = 8
"""Bases with more roots than this are not found by their roots."""


class _Index:
    """Which bases may be in some memory, or have been: shared by all states."""

    def __init__(self) -> None:
        self._bases: dict[Root, dict[SSAValue, None]] = {}
        self._with_many_roots: dict[SSAValue, None] = {}
        self._roots: set[Root] = set()
        self._added: set[frozenset[Root]] = set()

    def add(self, base: SSAValue, roots: frozenset[Root]) -> None:
        if roots not in self._added:
            self._added.add(roots)
            self._roots |= roots
        if len(roots) > _FEW:
            self._with_many_roots[base] = None
            return
        for root in roots:
            self._bases.setdefault(root, {})[base] = None

    def find(self, roots: Iterable[Root]) -> dict[SSAValue, None]:
        """The bases that may be in this memory, and may be more."""
        if self._roots.isdisjoint(roots):
            return {}
        found = dict(self._with_many_roots)
        for root in roots:
            found.update(self._bases.get(root, {}))
        return found


class Contents:
    """What is in memory.

    Attributes:
        tensors: by base and region, the tensors in it and what is damaged of each. A
            tensor all of which is damaged is left out.
        roots: by base, the memory it may be.
        destroyed: by tensor, the op that last damaged all of it somewhere: for messages
            only, and the same on all ways.
    """

    def __init__(self, index: _Index | None = None) -> None:
        self._index = _Index() if index is None else index
        self.tensors: dict[SSAValue, _Regions] = {}
        self.roots: dict[SSAValue, frozenset[Root]] = {}
        self.destroyed: dict[int, Operation] = {}
        self._own: set[SSAValue] = set()
        """The bases of which the regions are not shared with a copy."""
        self._places: dict[int, frozenset[SSAValue]] = {}
        """By tensor, the bases that may hold it."""

    def copy(self) -> Contents:
        other = Contents(self._index)
        other._assign(self)
        self._own = set()
        return other

    def become(self, other: Contents) -> None:
        self._assign(other)
        other._own = set()

    def _assign(self, other: Contents) -> None:
        self.tensors, self.roots = dict(other.tensors), dict(other.roots)
        self._places = dict(other._places)
        self.destroyed = other.destroyed
        self._own = set()

    def _regions_to_change(self, base: SSAValue) -> _Regions:
        regions = self.tensors.get(base)
        if regions is None:
            regions = self.tensors[base] = {}
            if base not in self.roots:
                self.set_roots(base, frozenset((base,)))
        elif base not in self._own:
            regions = self.tensors[base] = {
                region: dict(inside) for region, inside in regions.items()
            }
        self._own.add(base)
        return regions

    # Memory.

    def roots_of(self, base: SSAValue) -> frozenset[Root]:
        return self.roots.get(base) or frozenset((base,))

    def set_roots(self, base: SSAValue, roots: frozenset[Root]) -> None:
        """Say what memory a base may be."""
        if self.roots.get(base) is not roots:
            self._index.add(base, roots)
            self.roots[base] = roots

    def add_roots(self, other: Contents) -> None:
        """Take over what memory other bases may be."""
        # Sets of what dicts have are made without asking for a hash again.
        for base in set(other.roots) - set(self.roots):
            self.set_roots(base, other.roots[base])

    def extend_roots(self, given: frozenset[Root], new: frozenset[Root]) -> None:
        """What may be some given memory may now also be other memory."""
        bases = self._index.find(given)
        for root in given:
            if isinstance(root, SSAValue):
                bases[root] = None
        for base in bases:
            roots = self.roots_of(base)
            if roots & given:
                self.set_roots(base, roots | new)

    def allocate(self, base: SSAValue) -> None:
        """New memory: what the same op allocated before is something else."""
        self.retire(base)
        self.set_roots(base, frozenset((base,)))

    def retire(self, base: SSAValue) -> None:
        """An iteration ends: what an op inside has allocated is not what it will."""
        self.renew(base)
        self.tensors.pop(base, None)

    def renew(self, root: Root) -> Root:
        """Memory of this root is made anew. Gives the root of what was made before."""
        earlier, _ = earlier_roots(root)
        self._rename(root, earlier)
        return earlier

    def age(self, base: SSAValue) -> None:
        """A loop begins: what an op inside has allocated so far is neither what it will
        allocate, nor what it has allocated in an iteration before."""
        old, before = earlier_roots(base)
        self._rename(old, before)
        self._rename(base, before)
        self.tensors.pop(base, None)

    def _rename(self, root: Root, new: Root) -> None:
        # Many memrefs share the same sets.
        renamed: dict[frozenset[Root], frozenset[Root]] = {}
        for other in self._index.find((root,)):
            roots = self.roots_of(other)
            if root in roots:
                found = renamed.get(roots)
                if found is None:
                    found = renamed[roots] = roots - {root} | {new}
                self.set_roots(other, found)

    def overlap(self, first: Region, second: Region) -> bool:
        if first.base is second.base:
            return not are_apart(first, second)
        return not self.roots_of(first.base).isdisjoint(self.roots_of(second.base))

    # Tensors.

    def inside(self, region: Region) -> dict[int, Damage]:
        """The tensors in just this region."""
        regions = self.tensors.get(region.base)
        if not regions:
            return {}
        found = regions.get(region)
        if found is not None:
            return found
        for other, inside in regions.items():
            if is_same(other, region):
                return inside
        return {}

    def put(self, region: Region, value: int, damage: Damage) -> None:
        if None in damage:
            self.destroyed[value] = damage[None]
        regions = self._regions_to_change(region.base)
        found = regions.get(region)
        if found is None:
            for other, inside in regions.items():
                if is_same(other, region):
                    found = inside
                    break
            else:
                found = regions[region] = {}
        if None in damage:
            found.pop(value, None)
            return
        found[value] = damage
        self._places[value] = self._places.get(value, frozenset()) | {region.base}

    def forget(self, values: Iterable[int]) -> None:
        """Drop tensors that are not used any more."""
        for value in values:
            for base in self._places.pop(value, ()):
                if base not in self.tensors:
                    continue
                regions = self._regions_to_change(base)
                for region in [r for r, inside in regions.items() if value in inside]:
                    del regions[region][value]
                    if not regions[region]:
                        del regions[region]
                if not regions:
                    del self.tensors[base]

    def damage(self, value: int, region: Region) -> Damage | None:
        """What is damaged of a tensor in a region, or of the part of a tensor that the
        region is; None when the tensor is not there."""
        if region.base not in self._places.get(value, ()):
            return None
        best: Damage | None = None
        for other, inside in self.tensors.get(region.base, {}).items():
            if value not in inside:
                continue
            count = common_steps(other, region)
            if count < len(other.steps):
                continue
            found = inside[value]
            if count < len(region.steps):
                found = _touching(found, region.steps[count])
            if best is None or len(found) < len(best):
                best = found
        return best

    def write(
        self, region: Region, op: Operation, names: Names, slices: Sequence[Region] = ()
    ) -> None:
        """Damage what overlaps a region that is written.

        Args:
            slices: slices that are assumed to be disjoint, unless they surely overlap.
        """
        roots = self.roots_of(region.base)
        candidates = (
            list(self.tensors)
            if len(self.tensors) <= len(roots)
            else [base for base in self._index.find(roots) if base in self.tensors]
        )
        for base in candidates:
            if base is region.base or not roots.isdisjoint(self.roots_of(base)):
                self._write(base, region, op, names, slices)

    def _write(
        self,
        base: SSAValue,
        region: Region,
        op: Operation,
        names: Names,
        slices: Sequence[Region],
    ) -> None:
        regions = self.tensors.get(base)
        if not regions:
            return
        hit: list[tuple[Region, Step | None]] = []
        for other in regions:
            part: Step | None = None
            if base is region.base:
                count = common_steps(region, other)
                if count == len(other.steps) < len(region.steps):
                    part = region.steps[count]
                elif are_apart(region, other) or are_in_different(region, other, slices):
                    continue
            elif self._are_apart(names.selected(region), names.selected(other), slices):
                continue
            hit.append((other, part if isinstance(part, Part) else None))
        if not hit:
            return
        regions = self._regions_to_change(base)
        for other, part in hit:
            inside = regions[other]
            if part is None:
                for value in inside:
                    self.destroyed[value] = op
                del regions[other]
                continue
            for value, damage in inside.items():
                if part not in damage:
                    inside[value] = {**damage, part: op}
        if not regions:
            del self.tensors[base]

    def _are_apart(
        self, first: list[Region], second: list[Region], slices: Sequence[Region]
    ) -> bool:
        """Whether two regions share nothing, whichever of these each is."""
        return all(
            not self.overlap(one, other) or are_in_different(one, other, slices)
            for one in first
            for other in second
        )

    def join(self, other: Contents, loop: Loop | None = None) -> bool:
        """Keep what holds in both: the tensors that are in both, with the damage of
        either; and memrefs may be what they may be in either. Returns whether anything
        has changed.

        Args:
            loop: at the head of a loop, a slice that depends on values made inside is
                another one the next time.
        """
        changed = self.join_tensors(other, loop)
        return self.join_roots(other) or changed

    def join_tensors(self, other: Contents, loop: Loop | None = None) -> bool:
        """`join`, as to what is in memory."""
        changed = False
        for base in list(self.tensors):
            if self.tensors[base] is other.tensors.get(base):
                continue
            for region, inside in list(self.tensors[base].items()):
                others = other.inside(region)
                for value, damage in list(inside.items()):
                    joined = _joined(damage, others.get(value), loop)
                    if joined is damage:
                        continue
                    changed = True
                    found = self._regions_to_change(base)[region]
                    if joined is None or None in joined:
                        del found[value]
                    else:
                        found[value] = joined
                if not self.tensors[base][region]:
                    del self._regions_to_change(base)[region]
        return changed

    def join_roots(self, other: Contents) -> bool:
        """`join`, as to what memory memrefs may be."""
        # Many memrefs share the same sets.
        joined: dict[tuple[frozenset[Root], frozenset[Root]], frozenset[Root]] = {}
        changed = False
        for base, roots in other.roots.items():
            known = self.roots.get(base)
            if known is None or known is roots:
                continue
            union = joined.get((known, roots))
            if union is None:
                union = joined[known, roots] = known if roots <= known else known | roots
            if union is not known:
                self.set_roots(base, union)
                changed = True
        return changed


def _joined(damage: Damage, other: Damage | None, loop: Loop | None) -> Damage | None:
    """The damage on either way; the very same object if there is no more of it."""
    if other is None:
        return None
    more: Damage = {}
    for part, op in other.items():
        kept = None if isinstance(part, Part) and _varies(part, loop) else part
        if kept not in damage:
            more[kept] = op
    return {**damage, **more} if more else damage


def _touching(damage: Damage, step: Step) -> Damage:
    """What damage there is to a part of a tensor."""
    for part, op in damage.items():
        apart = (
            isinstance(part, Part)
            and isinstance(step, Part)
            and disjoint_parts(part, step)
        )
        if not apart:
            return {None: op}
    return {}


def _varies(part: Part, loop: Loop | None) -> bool:
    if loop is None:
        return False
    if not isinstance(loop, Operation):
        return any(map(loop, part.values()))
    for value in part.values():
        owner = value.owner
        op = owner.parent_op() if isinstance(owner, Block) else owner
        if op is not None and loop.is_ancestor(op):
            return True
    return False
