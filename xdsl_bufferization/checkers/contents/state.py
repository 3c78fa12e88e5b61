"""The state of the contents checker at a program point.

A `State` is a value with `copy`, `join` and an order (`is_implied_by`). Transfer
functions modify it in place; a copy shares the contents of each base until either
changes them (copy on write), and tensors that are no longer needed are dropped. The
cost of a step therefore does not grow with the program.

An unknown function may return the memory that it is given: all that may be in it may be
what is returned (`Returned`) as well. In a chain of such calls each base would get a root
for each later call. Instead, `renamed` leads from a root to the last of these, which is
found when the roots of a base are asked for. Whatever has one of those between has the
last one, too, so that these need not be told apart. They are stored with the bases where
control from different names meets, or a name begins to stand for other memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.analysis.facts.slices import Slice
from xdsl_bufferization.checkers.contents.marks import Notes
from xdsl_bufferization.checkers.contents.memory import (
    Base,
    Damage,
    Forwarded,
    History,
    Returned,
    Root,
    Varies,
    Written,
    all_of,
    damage_of_part,
    earlier_root,
    join_damage,
    of_any_iteration,
    root_before,
    roots_since,
    written_in_both,
)
from xdsl_bufferization.checkers.contents.names import Views, is_of_earlier
from xdsl_bufferization.checkers.contents.placed import Placed
from xdsl_bufferization.checkers.contents.views import (
    Step,
    View,
    are_apart,
    are_in_different,
    common_steps,
    is_same,
)


class Change(NamedTuple):
    """Whether a join has changed anything, and whether roots have grown."""

    anything: bool
    roots: bool


class State:
    """What is known at a point of the program.

    Attributes:
        tensors: by base and view, the tensors in it and what is damaged of each. A tensor
            all of which is damaged is left out.
        roots: by base, the memory it may be. What is not mentioned is its own root.
        renamed: by root, the one of what an unknown function returned that was given it:
            whatever may be the one may be the other. Of such a root that was given to
            none, the root itself.
        written: by open segment, the views written so far.
        forwarded: whether what control has last set holds its tensors.
    """

    def __init__(self, history: History | None = None) -> None:
        self.history = History() if history is None else history
        self.tensors: dict[Base, Placed] = {}
        self.roots: dict[Base, frozenset[Root]] = {}
        self.renamed: dict[Root, Root] = {}
        self.written: dict[Notes, Written] = {}
        self.forwarded: Forwarded = None
        self._own: set[Base] = set()
        """The bases whose views are not shared with a copy."""
        self._places: dict[int, frozenset[SSAValue]] = {}
        """By tensor, the bases that may hold it."""

    def copy(self) -> State:
        other = State(self.history)
        other.tensors, other.roots = dict(self.tensors), dict(self.roots)
        other.written, other.forwarded = dict(self.written), self.forwarded
        other.renamed = dict(self.renamed)
        other._places = dict(self._places)
        self._own = set()
        return other

    def _views_to_change(self, base: Base) -> Placed:
        views = self.tensors.get(base)
        if views is None:
            views = self.tensors[base] = Placed()
            self.history.add(base, self.roots_of(base))
        elif base not in self._own:
            views = self.tensors[base] = Placed(
                {view: dict(inside) for view, inside in views.items()}
            )
        self._own.add(base)
        return views

    # Memory.

    def roots_of(self, base: Base) -> frozenset[Root]:
        """Return the memory that a base may be. What unknown functions returned one after
        the other, each given what the one before returned, is all in the last of these
        roots: it stands for those between."""
        roots = self._own_roots(base)
        if self.renamed:
            last = [self._last_name(root) for root in roots if root in self.renamed]
            return roots.union(last) if last else roots
        return roots

    def _own_roots(self, base: Base) -> frozenset[Root]:
        """Return the memory that a base may be, without its later names."""
        known = self.roots.get(base) or self.history.fixed.get(base)
        return known or frozenset((base,))

    def _last_name(self, root: Root) -> Root:
        renamed = self.renamed
        while (name := renamed[root]) != root:
            # Paths are halved, so that they stay short.
            renamed[root] = renamed[name]
            root = name
        return root

    def _settle_names(self) -> None:
        """Store the last names of all roots with the bases, and forget them."""
        if not self.renamed:
            return
        bases = self.history.find(self.renamed)
        bases |= {root: None for root in self.renamed if isinstance(root, SSAValue)}
        for base in bases:
            own, roots = self._own_roots(base), self.roots_of(base)
            if len(own) != len(roots):
                self.set_roots(base, roots)
        self.renamed.clear()

    def _has_same_names(self, other: State) -> bool:
        return self.renamed == other.renamed or (
            self.renamed.keys() == other.renamed.keys()
            and all(
                self._last_name(root) == other._last_name(root) for root in self.renamed
            )
        )

    def set_roots(self, base: Base, roots: frozenset[Root]) -> None:
        """Say what memory a base may be."""
        if self.roots.get(base) is not roots:
            self.history.add(base, roots)
            self.roots[base] = roots

    def extend_roots(self, given: frozenset[Root], new: frozenset[Root]) -> None:
        """Let whatever may be some given memory possibly be other memory too, which is
        new."""
        if len(new) == 1:
            (name,) = new
            self.renamed[name] = name
            for root in given:
                known = root in self.renamed
                self.renamed[self._last_name(root) if known else root] = name
            return
        # Two names of one memory are not in the same memory.
        self._settle_names()
        bases = self.history.find(given)
        for root in given:
            if isinstance(root, SSAValue):
                bases[root] = None
        for base in bases:
            roots = self.roots_of(base)
            if roots & given:
                self.set_roots(base, roots | new)

    def allocate(self, base: SSAValue) -> None:
        """Make new memory, distinct from earlier allocations by the same op."""
        self.renew(base)
        self.forget_bases((base,), True)
        self.history.add(base, frozenset((base,)))

    def renew(self, root: Root) -> Root:
        """Let memory of this root be made again. Return the root of what was before."""
        earlier = earlier_root(root)
        self._rename((root,), earlier)
        return earlier

    def enter_loop(self, bases: Sequence[SSAValue], depth: int) -> None:
        """Enter a loop: earlier allocations by ops inside are distinct from those in
        the current and in earlier iterations, and from those of before loops around it.
        So is what unknown functions returned to them.

        Args:
            depth: how many loops there are around it, and the loop itself.
        """
        for base in bases:
            self._rename(roots_since(base, depth), root_before(base, depth))
            if isinstance(base, OpResult):
                self._return_before(Returned(base.op, base.index), depth)
        self.forget_bases(bases, True)

    def _return_before(self, returned: Returned, depth: int) -> None:
        since, before = roots_since(returned, depth), root_before(returned, depth)
        self._rename(since, before)
        given = [roots for root in since if (roots := self.roots.pop(root, None))]
        if given:
            known = self.roots_of(before)
            self.set_roots(before, known.union(*given))

    def forget_bases(self, bases: Iterable[SSAValue], with_roots: bool) -> None:
        """Drop the contents of bases that are no longer visible.

        Args:
            with_roots: also drop their roots, as they may change later.
        """
        for base in bases:
            self.tensors.pop(base, None)
            if with_roots:
                self.roots.pop(base, None)

    def _rename(self, old: Sequence[Root], new: Root) -> None:
        if new in self.renamed or not self.renamed.keys().isdisjoint(old):
            self._settle_names()
        # Many memrefs share the same sets.
        renamed: dict[frozenset[Root], frozenset[Root]] = {}
        for base in self.history.find(old):
            roots = self.roots.get(base)
            if roots is None:
                if base not in old:
                    continue
                roots = frozenset((base,))
            if not roots.isdisjoint(old):
                found = renamed.get(roots)
                if found is None:
                    found = renamed[roots] = roots.difference(old) | {new}
                self.set_roots(base, found)

    def overlap(
        self, first: View, second: View, *, in_any_iteration: bool = False
    ) -> bool:
        """Return whether two views may share an element.

        Args:
            in_any_iteration: memory that is allocated in a loop may be that of an earlier
                iteration.
        """
        if first.base is second.base:
            return not are_apart(first, second)
        roots, others = self.roots_of(first.base), self.roots_of(second.base)
        if in_any_iteration:
            roots, others = of_any_iteration(roots), of_any_iteration(others)
        return not roots.isdisjoint(others)

    # Tensors.

    def inside(self, view: View) -> dict[int, Damage]:
        """Return the tensors in just this view."""
        views = self.tensors.get(view.base)
        if not views:
            return {}
        found = views.get(view)
        if found is not None:
            return found
        for other in views.near(view):
            if is_same(other, view):
                return views[other]
        return {}

    def put(self, view: View, tensor: int, damage: Damage) -> None:
        """Put a tensor into a view."""
        views = self._views_to_change(view.base)
        found = views.get(view)
        if found is None:
            for other in views.near(view):
                if is_same(other, view):
                    found = views[other]
                    break
            else:
                found = views[view] = {}
        if None in damage:
            self.history.destroyed[tensor] = damage[None]
            found.pop(tensor, None)
            return
        found[tensor] = damage
        self._places[tensor] = self._places.get(tensor, frozenset()) | {view.base}

    def forget(self, tensors: Iterable[int]) -> None:
        """Drop tensors that are not used any more."""
        forgotten: dict[Base, set[int]] = {}
        for tensor in tensors:
            for base in self._places.pop(tensor, ()):
                forgotten.setdefault(base, set()).add(tensor)
        for base, inside_base in forgotten.items():
            if base not in self.tensors:
                continue
            views = self._views_to_change(base)
            for view in [v for v, i in views.items() if not inside_base.isdisjoint(i)]:
                inside = views[view]
                for tensor in inside_base & inside.keys():
                    del inside[tensor]
                if not inside:
                    del views[view]
            if not views:
                del self.tensors[base]

    def damage(self, tensor: int, view: View) -> Damage | None:
        """Return the damage of a tensor in a view, or of the part of a tensor that the
        view holds; None if the tensor is not there."""
        if view.base not in self._places.get(tensor, ()):
            return None
        best: Damage | None = None
        views = self.tensors.get(view.base, Placed())
        for other in views.near(view):
            inside = views[other]
            if tensor not in inside:
                continue
            count = common_steps(other, view)
            if count < len(other.steps):
                continue
            found = inside[tensor]
            if count < len(view.steps):
                found = damage_of_part(found, view.steps[count])
            if best is None or len(found) < len(best):
                best = found
        return best

    def intact(self, view: View) -> set[int]:
        """Return the tensors that a view holds, or a part of them, without damage."""
        found: set[int] = set()
        views = self.tensors.get(view.base, Placed())
        for other in views.near(view):
            count = common_steps(other, view)
            if count < len(other.steps):
                continue
            for tensor, damage in views[other].items():
                if not damage or (
                    count < len(view.steps)
                    and not damage_of_part(damage, view.steps[count])
                ):
                    found.add(tensor)
        return found

    def write(
        self, view: View, op: Operation, views: Views, slices: Sequence[View] = ()
    ) -> None:
        """Damage tensors that overlap a written view.

        Args:
            slices: slices that are assumed to be disjoint, unless they definitely
                overlap.
        """
        roots = self.roots_of(view.base)
        candidates = (
            list(self.tensors)
            if len(self.tensors) <= max(len(roots), self.history.count(roots))
            or not self.renamed.keys().isdisjoint(roots)
            else [base for base in self.history.find(roots) if base in self.tensors]
        )
        for base in candidates:
            if base is view.base or not roots.isdisjoint(self.roots_of(base)):
                self._write(base, view, op, views, slices)

    def _write(
        self,
        base: Base,
        view: View,
        op: Operation,
        views: Views,
        slices: Sequence[View],
    ) -> None:
        hit: list[tuple[View, Sequence[Step] | None]] = []
        placed = self.tensors[base]
        for other in placed.near(view) if base is view.base else placed:
            if base is view.base:
                parts = _written_part(view, other, slices)
            else:
                parts = self._written_parts(view, other, views, slices)
            if parts is None or parts:
                hit.append((other, parts))
        if not hit:
            return
        found = self._views_to_change(base)
        for other, parts in hit:
            inside = found[other]
            if parts is None:
                self.history.destroyed.update(dict.fromkeys(inside, op))
                del found[other]
                continue
            written: Damage = dict.fromkeys(parts, op)
            for tensor, damage in inside.items():
                if not written.keys() <= damage.keys():
                    inside[tensor] = {**written, **damage}
        if not found:
            del self.tensors[base]

    def _written_parts(
        self, view: View, other: View, views: Views, slices: Sequence[View]
    ) -> Sequence[Step] | None:
        """Return the slices of another view that a write to a view may change, whatever
        each turns out to be; None if it may change all of it."""
        ones, elsewhere = self._possible(view, views, slices)
        others, elsewhere_too = self._possible(other, views, slices)
        if not (
            elsewhere.isdisjoint(self.roots_of(other.base))
            and elsewhere_too.isdisjoint(self.roots_of(view.base))
        ):
            return None
        written: list[Step] = []
        for one in ones:
            for second in others:
                if one.base is second.base:
                    parts = _written_part(one, second, slices)
                elif are_in_different(one, second, slices):
                    continue
                else:
                    parts = None if self.overlap(one, second) else ()
                if parts is None or any(map(is_of_earlier, parts)):
                    return None
                written += parts
        return written

    def _possible(
        self, view: View, views: Views, slices: Sequence[View]
    ) -> tuple[Sequence[View], frozenset[Root]]:
        """Return the possible views for a view, and the memory that it is in if it is
        none of them. To determine the slices that contain it, sources are followed
        through control flow and calls, not only through arith.select."""
        found = views.alternatives(view, through_calls=bool(slices))
        if found is None:
            return views.selected(view), frozenset()
        return found, self.roots_of(view.base) - self._roots_of_all(found)

    def alternatives(self, view: View, views: Views) -> Sequence[View] | None:
        """Return all views that a view may turn out to be, through control flow; None if
        they are not known."""
        found = views.alternatives(view)
        if found is None:
            return None
        # Memory of an earlier iteration has the same name, but is not the same.
        return found if self.roots_of(view.base) <= self._roots_of_all(found) else None

    def _roots_of_all(self, views: Sequence[View]) -> frozenset[Root]:
        return frozenset[Root]().union(*(self.roots_of(view.base) for view in views))

    # The lattice.

    def join(self, other: State, varies: Varies = None) -> Change:
        """Keep what holds in both states.

        Args:
            varies: a slice that depends on such values is another one in the next
                iteration.
        """
        tensors = self._join_tensors(other, varies)
        forwarded = all_of(self.forwarded, other.forwarded)
        is_same = forwarded == self.forwarded
        self.forwarded = forwarded
        written = self._join_written(other)
        roots = self._join_roots(other)
        return Change(tensors or written or roots or not is_same, roots)

    def is_implied_by(self, other: State) -> bool:
        """Return whether all that this state says holds in the other one as well."""
        return not self.copy().join(other).anything

    def _join_tensors(self, other: State, varies: Varies) -> bool:
        changed = False
        for base in list(self.tensors):
            if self.tensors[base] is other.tensors.get(base):
                continue
            for view, inside in list(self.tensors[base].items()):
                others = other.inside(view)
                for tensor, damage in list(inside.items()):
                    joined = join_damage(damage, others.get(tensor), varies)
                    if joined is damage:
                        continue
                    changed = True
                    found = self._views_to_change(base)[view]
                    if joined is None or None in joined:
                        del found[tensor]
                    else:
                        found[tensor] = joined
                if not self.tensors[base][view]:
                    del self._views_to_change(base)[view]
            if not self.tensors[base]:
                del self.tensors[base]
        return changed

    def _join_written(self, other: State) -> bool:
        changed = False
        for notes, written in list(self.written.items()):
            both = written_in_both(written, other.written.get(notes))
            if both is not written:
                changed = True
                del self.written[notes]
                if both is not None:
                    self.written[notes] = both
        return changed

    def _join_roots(self, other: State) -> bool:
        if not self._has_same_names(other):
            self._settle_names()
            other = other.copy()
            other._settle_names()
        # Many memrefs share the same sets.
        joined: dict[tuple[frozenset[Root], frozenset[Root]], frozenset[Root]] = {}
        changed = False
        size, common = len(self.roots), 0
        for base, roots in other.roots.items():
            known = self._own_roots(base)
            common += base in self.roots
            if known is roots:
                continue
            union = joined.get((known, roots))
            if union is None:
                union = joined[known, roots] = known if roots <= known else known | roots
            # An equal set that another memref has is no change.
            if len(union) != len(known):
                self.set_roots(base, union)
                changed = True
        if common < size:
            for base, roots in list(self.roots.items()):
                if base not in other.roots and base not in roots:
                    # There, it is its own root.
                    self.set_roots(base, roots | {base})
                    changed = True
        return changed


def _written_part(
    view: View, other: View, slices: Sequence[View]
) -> Sequence[Step] | None:
    """Return the slice of another view of the same base that a write to a view changes,
    if it changes no more than that; None if it may change all of it."""
    count = common_steps(view, other)
    if count == len(other.steps) < len(view.steps):
        part = view.steps[count]
        return (part,) if isinstance(part, Slice) else None
    if are_apart(view, other) or are_in_different(view, other, slices):
        return ()
    return None
