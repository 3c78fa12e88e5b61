"""Parts of memory, as the contents checker represents them.

A *view* is a base, which is a memref that is not the result of a view-like op, and the
steps that lead from there to a part of it. Two views of one base may be known to be
equal, nested, or disjoint. Different bases overlap if they may be in the same
allocation, which the state tracks (state.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.slices import (
    Slice,
    are_disjoint,
    are_equal,
    are_equal_or_disjoint,
    are_overlapping as slices_overlap,
    is_contained as slice_is_contained,
)
from xdsl_bufferization.analysis.facts.value_bounds import Index, constant_of
from xdsl_bufferization.dialects.shapes import shape_of


@dataclass(frozen=True)
class OtherView:
    """A step that is not a slice: the op that makes it says all of it."""

    op: Operation


Step: TypeAlias = Slice | OtherView


@dataclass(frozen=True)
class View:
    """Part of a buffer: the part of `base` after `steps`."""

    base: SSAValue
    steps: tuple[Step, ...] = ()

    def element(self, indices: Sequence[SSAValue]) -> View:
        """Return the view of one element."""
        ones = (1,) * len(indices)
        return View(self.base, (*self.steps, Slice(tuple(indices), ones, ones)))


def values_of(slice_: Slice) -> list[SSAValue]:
    """Return the values that a slice depends on."""
    numbers = (*slice_.offsets, *slice_.sizes, *slice_.strides)
    return [number for number in numbers if not isinstance(number, int)]


# Relations between views.


def same_slice(first: Slice, second: Slice) -> bool:
    return first == second or are_equal(first, second)


def same_step(first: Step, second: Step) -> bool:
    if isinstance(first, Slice) and isinstance(second, Slice):
        return same_slice(first, second)
    return first == second


def common_steps(first: View, second: View) -> int:
    """Return how many steps of two views of one base are the same."""
    count = 0
    for one, other in zip(first.steps, second.steps, strict=False):
        if not same_step(one, other):
            break
        count += 1
    return count


def is_same(first: View, second: View) -> bool:
    return (
        first.base is second.base
        and len(first.steps) == len(second.steps)
        and common_steps(first, second) == len(first.steps)
    )


def is_inside(view: View, outer: View) -> bool:
    """Return whether a view definitely is inside another one."""
    return view.base is outer.base and common_steps(view, outer) == len(outer.steps)


def is_contained(view: View, outer: View) -> bool:
    """Return whether a view definitely is inside another one, or inside one of equal
    steps but for the last, a slice that all of its elements are in."""
    if is_inside(view, outer):
        return True
    last = len(outer.steps) - 1
    if not 0 <= common_steps(view, outer) == last < len(view.steps):
        return False
    one, other = view.steps[last], outer.steps[last]
    return (
        view.base is outer.base
        and isinstance(one, Slice)
        and isinstance(other, Slice)
        and slice_is_contained(one, other, extents_of(outer.base, outer.steps[:last]))
    )


def extents_of(base: SSAValue, steps: Sequence[Step]) -> Sequence[Index]:
    """Return the sizes of a view, those that are known."""
    if not steps:
        # A dynamic size is no size of a slice: it compares unequal.
        return shape_of(base.type) or ()
    return steps[-1].sizes if isinstance(steps[-1], Slice) else ()


def is_same_if_as_large(first: View, second: View) -> bool:
    """Return whether two views of one shape, as those of a copy are, are the same: one is
    a slice of the other and so all of it, or both begin with the same element."""
    if first.base is not second.base:
        return False
    count = common_steps(first, second)
    rest = (*first.steps[count:], *second.steps[count:])
    return all(isinstance(step, Slice) for step in rest) and (
        count == min(len(first.steps), len(second.steps))
        or all(
            all(constant_of(offset) == 0 for offset in step.offsets)
            and all(constant_of(stride) == 1 for stride in step.strides)
            for step in rest
            if isinstance(step, Slice)
        )
    )


def are_equal_or_apart(first: View, second: View) -> bool:
    """Return whether two views of one base definitely are the same or disjoint: each two
    slices on their way are."""
    return (
        first.base is second.base
        and len(first.steps) == len(second.steps)
        and all(
            one == other
            or (
                isinstance(one, Slice)
                and isinstance(other, Slice)
                and are_equal_or_disjoint(one, other)
            )
            for one, other in zip(first.steps, second.steps, strict=True)
        )
    )


def are_apart(first: View, second: View) -> bool:
    """Return whether two views of one base definitely are disjoint."""
    count = common_steps(first, second)
    if count == len(first.steps) or count == len(second.steps):
        return False
    one, other = first.steps[count], second.steps[count]
    return (
        isinstance(one, Slice) and isinstance(other, Slice) and are_disjoint(one, other)
    )


def are_in_different(first: View, second: View, slices: Sequence[View]) -> bool:
    """Return whether two views are in two of these slices that do not definitely
    overlap."""
    return any(
        is_contained(first, one)
        and is_contained(second, other)
        and not are_overlapping(one, other)
        for one in slices
        for other in slices
        if one is not other
    )


def are_overlapping(first: View, second: View) -> bool:
    """Return whether two views definitely share an element."""
    count = common_steps(first, second)
    if count == len(first.steps) or count == len(second.steps):
        return True
    one, other = first.steps[count], second.steps[count]
    is_last = count == len(first.steps) - 1 == len(second.steps) - 1
    return (
        is_last
        and isinstance(one, Slice)
        and isinstance(other, Slice)
        and slices_overlap(one, other)
    )
