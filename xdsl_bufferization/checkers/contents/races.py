"""Parallel loops: no iteration may read memory that another one writes.

Two accesses of different iterations are disjoint if, for each induction variable, there
is a dimension in which their offsets depend on it, and the distance between two
iterations is larger than the extent of the accesses: elements `2 * %i` and `2 * %i + 1`
of a buffer are in the window `[0, 1]` of an iteration, and the next one begins at 2.
All accesses to a buffer are therefore first compared together, by their windows; only
if that is inconclusive are writes compared with reads.

Memory spaces other than the default one are excluded: each thread may have its own.

By the semantics of scf.forall, slices that threads insert are disjoint. The checker
assumes this, since their offsets may not be known well enough to prove it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.builtin import MemRefType, NoneAttr, UnrankedMemRefType
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analysis.facts.slices import Slice, has_elements
from xdsl_bufferization.analysis.facts.value_bounds import (
    Atom,
    Dimension,
    Index,
    Linear,
    bounds_of_atom,
    is_negative,
    linear,
)
from xdsl_bufferization.checkers.contents.memory import AllBut, Root
from xdsl_bufferization.checkers.contents.state import State
from xdsl_bufferization.checkers.contents.views import (
    Step,
    View,
    are_in_different,
    extents_of,
    is_contained,
    is_inside,
    same_step,
    values_of,
)
from xdsl_bufferization.checkers.contents.windows import (
    Access,
    AccessGroup,
    Window,
    Windows,
)
from xdsl_bufferization.dialects import scf
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.interfaces.loop_like import COUNTED_LOOP

NOT_SHARED = "a buffer that no other iteration writes"
"""What is expected in a parallel loop."""

_MAX_BOUNDS = 16
"""How many bounds of an offset are tried before giving up."""


class ParallelLoop:
    """A loop whose iterations run at the same time.

    Args:
        op: the loop.
        inserted: the slices that threads insert, which are disjoint.
    """

    def __init__(self, op: Operation, inserted: Sequence[View]) -> None:
        self._op = op
        self._inserted = inserted
        self._steps = _induction_variables(op)
        self._windows: dict[Slice, list[Windows]] = {}
        self._varying: dict[SSAValue, bool] = {}

    def find_races(
        self, accesses: Sequence[Access], state: State
    ) -> Iterator[tuple[Access, Access]]:
        """Iterate over the reads that may meet a write of another iteration, each with
        one such write."""
        if self._runs_once():
            return
        groups: dict[tuple[object, ...], AccessGroup] = {}
        for access in dict.fromkeys(accesses):
            base = access.view.base
            if self._varies(base) or _may_be_of_each_thread(base):
                continue
            before, windows = self._place(access.view)
            key = (access.view.base, *map(_key, before))
            group = groups.setdefault(key, AccessGroup())
            if access.is_write:
                group.write(access, windows)
            else:
                group.reads.setdefault(access.view, []).append(access)
        writing: dict[Root, dict[int, AccessGroup]] = {}
        for group in groups.values():
            for write in list(group.writes.values())[:1]:
                for root in state.roots_of(write.view.base):
                    writing.setdefault(root, {})[id(group)] = group
        for group in groups.values():
            for view, reads in group.reads.items():
                others = {
                    number: other
                    for root in state.roots_of(view.base)
                    for number, other in writing.get(root, {}).items()
                }
                if self._is_of_one_thread(view, reads):
                    continue
                write = self._write_that_meets(view, group, others)
                if write is not None:
                    for read in reads:
                        yield write, read

    def _runs_once(self) -> bool:
        """Return whether there is one iteration at most: because of the bounds, or since
        all iterations would insert the same elements."""
        if not self._steps and COUNTED_LOOP.lookup(self._op) is not None:
            return True
        return any(
            not any(map(self._step_varies, slice_.steps)) and _has_elements(slice_)
            for slice_ in self._inserted
        )

    def part_of_others(self, view: View) -> AllBut | None:
        """Return what other iterations may write of a view: all but the slices that an
        iteration inserts, if they depend on it, so that others insert different ones."""
        count = len(view.steps)
        own = tuple(
            step
            for slice_ in self._inserted
            if is_inside(slice_, view) and any(map(self._step_varies, slice_.steps))
            for step in slice_.steps[count : count + 1]
            if isinstance(step, Slice)
        )
        return AllBut(own, tuple(extents_of(view.base, view.steps))) if own else None

    def _is_of_one_thread(self, view: View, reads: Sequence[Access]) -> bool:
        """Return whether a slice is only inserted, and is the same in all iterations.
        There is one iteration then, as inserted slices are disjoint."""
        return not any(map(self._step_varies, view.steps)) and all(
            isinstance(read.op, scf.InParallelOp) for read in reads
        )

    def _write_that_meets(
        self,
        view: View,
        group: AccessGroup,
        others: dict[int, AccessGroup],
    ) -> Access | None:
        _, windows = self._place(view)
        for other in others.values():
            writes: Iterable[Access] = other.writes.values()
            if other is group:
                if other.windows and self._are_apart(windows, other.windows):
                    continue
                writes = other.candidates(view, windows)
            for write in writes:
                if not self._never_meet(write.view, view):
                    return write
        return None

    def _never_meet(self, first: View, second: View) -> bool:
        """Return whether accesses of different iterations to one buffer never meet."""
        if first.base is not second.base:
            return False
        for one, other in zip(first.steps, second.steps, strict=False):
            same = same_step(one, other)
            if same and not self._step_varies(one) and not self._step_varies(other):
                continue
            if not isinstance(one, Slice) or not isinstance(other, Slice):
                return False
            if self._are_apart(self._windows_of(one), self._windows_of(other)):
                return True
            return self._are_inserted(first, second)
        return False

    def _are_inserted(self, first: View, second: View) -> bool:
        """Return whether both are in slices that an iteration inserts: in two of them,
        or in some that depend on the iteration, so that they are different ones."""
        return are_in_different(first, second, self._inserted) or all(
            any(
                is_contained(view, slice_) and any(map(self._step_varies, slice_.steps))
                for slice_ in self._inserted
            )
            for view in (first, second)
        )

    def _are_apart(self, first: list[Windows], second: list[Windows]) -> bool:
        """Return whether accesses of different iterations never meet: because they are at
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
            none = (Linear(0),)
            return window.ends_before(other_window, none) or other_window.ends_before(
                window, none
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
        if isinstance(step, Slice):
            return any(map(self._index_varies, values_of(step)))
        return any(map(self._varies, step.op.operands[1:]))

    def _place(self, view: View) -> tuple[Sequence[Step], list[Windows]]:
        """Return the steps of a view before the first slice that depends on the
        iteration, or before the last one, and the windows of that slice, if any."""
        number = 0
        while number < len(view.steps) - 1 and not self._step_varies(view.steps[number]):
            number += 1
        step = view.steps[number] if view.steps else None
        windows = self._windows_of(step) if isinstance(step, Slice) else []
        return view.steps[:number], windows

    def _windows_of(self, slice_: Slice) -> list[Windows]:
        """Return, for each dimension, the induction variables that the offset depends
        on, and the extent that is accessed from there."""
        found = self._windows.get(slice_)
        if found is None:
            found = self._windows[slice_] = [
                self._window(slice_, number) for number in range(len(slice_.offsets))
            ]
        return found

    def _window(self, slice_: Slice, number: int) -> Windows:
        offset, stride = linear(slice_.offsets[number]), linear(slice_.strides[number])
        extent = (linear(slice_.sizes[number]) - Linear(1)).times(stride)
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
                    window = Window(
                        {frozenset(low.factors.items()): low.constant},
                        {frozenset(high.factors.items()): high.constant},
                    )
                    found[variable] = factor, window
        return found

    def _bound(self, expression: Linear, upper: bool) -> Linear | None:
        """Return an upper or lower bound of an expression in all iterations."""
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


def _has_elements(view: View) -> bool:
    """Return whether a view definitely has elements."""
    if not view.steps:
        sizes = shape_of(view.base.type)
        return sizes is not None and all(size > 0 for size in sizes)
    return all(isinstance(step, Slice) and has_elements(step) for step in view.steps)


def _key(step: Step) -> object:
    """Return a key that equal steps share, and almost only these."""
    if not isinstance(step, Slice):
        return step.op
    numbers = map(linear, (*step.offsets, *step.sizes, *step.strides))
    return tuple((n.constant, frozenset(n.factors.items())) for n in numbers)


def _may_be_of_each_thread(base: SSAValue) -> bool:
    """Return whether a buffer is in a memory space that may be separate for each
    thread."""
    type_ = base.type
    return isinstance(type_, MemRefType | UnrankedMemRefType) and not isinstance(
        type_.memory_space, NoneAttr
    )


def _induction_variables(op: Operation) -> dict[SSAValue, Linear]:
    """Return what each induction variable grows by from one iteration to the next one;
    without those that have only one value."""
    model = COUNTED_LOOP.lookup(op)
    if model is None:
        return {}
    found: dict[SSAValue, Linear] = {}
    variables = op.regions[0].block.args
    for variable, loop in zip(variables, model.get_ranges(op), strict=False):
        assert loop.step is not None
        step = linear(loop.step)
        if loop.lower is not None and loop.upper is not None:
            extent = linear(loop.upper) - linear(loop.lower)
            if is_negative(extent - step - Linear(1)):
                continue
        found[variable] = step
    return found
