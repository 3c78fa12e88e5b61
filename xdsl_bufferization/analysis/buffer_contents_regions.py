"""Parts of memory, as the checker of bufferizations names them.

A *region* is a base, a memref that is not a view, and the views that lead from there to
a part of it. Of two regions with one base it may be known that they are the same, that
one is in the other, or that they share nothing; different bases overlap when they may
be the same allocation, which the checker keeps track of.

`Names` finds the region of a memref. It sees through what hands a buffer on unchanged:
the result of scf.for is the very initial buffer if each iteration yields the buffer it
was given, that of a call is an argument if the function returns it, or the result that
the function returns as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.value_bounds import (
    Index,
    Slice,
    are_disjoint,
    are_equal,
    are_overlapping,
    constant_of,
    static_list,
)
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.interfaces.bufferizable import MEMREF_CLASSES
from xdsl_bufferization.interfaces.view_like import get_renamed

MOST_SELECTED = 8
"""Regions that a chain of arith.select is followed to: so many take constant time."""


@dataclass(frozen=True)
class Part:
    """A slice, or an element, of a buffer: offsets, sizes, strides."""

    offsets: tuple[Index, ...]
    sizes: tuple[Index, ...]
    strides: tuple[Index, ...]

    def as_slice(self) -> Slice:
        return Slice(self.offsets, self.sizes, self.strides)

    def values(self) -> list[SSAValue]:
        """What the slice depends on."""
        numbers = (*self.offsets, *self.sizes, *self.strides)
        return [number for number in numbers if isinstance(number, SSAValue)]


@dataclass(frozen=True)
class OtherView:
    """A view that is not a slice: all of it is known by the op that makes it."""

    op: Operation


Step: TypeAlias = Part | OtherView


@dataclass(frozen=True)
class Region:
    """Part of a buffer: what is left of `base` after the views `steps`."""

    base: SSAValue
    steps: tuple[Step, ...] = ()


def same_part(first: Part, second: Part) -> bool:
    return first == second or are_equal(first.as_slice(), second.as_slice())


def disjoint_parts(first: Part, second: Part) -> bool:
    return are_disjoint(first.as_slice(), second.as_slice())


def same_step(first: Step, second: Step) -> bool:
    if isinstance(first, Part) and isinstance(second, Part):
        return same_part(first, second)
    return first == second


def common_steps(first: Region, second: Region) -> int:
    """How many views of two regions with one base are the same."""
    count = 0
    for one, other in zip(first.steps, second.steps, strict=False):
        if not same_step(one, other):
            break
        count += 1
    return count


def is_same(first: Region, second: Region) -> bool:
    return (
        first.base is second.base
        and len(first.steps) == len(second.steps)
        and common_steps(first, second) == len(first.steps)
    )


def is_same_if_as_large(first: Region, second: Region) -> bool:
    """Whether two regions that have one shape, as those of a copy have, are the same: one
    is a slice of the other and so all of it; or one is what comes first in the other, in
    all dimensions."""
    if first.base is not second.base:
        return False
    count = common_steps(first, second)
    rest = (*first.steps[count:], *second.steps[count:])
    return all(isinstance(step, Part) for step in rest) and (
        count == min(len(first.steps), len(second.steps))
        or all(
            all(constant_of(offset) == 0 for offset in step.offsets)
            and all(constant_of(stride) == 1 for stride in step.strides)
            for step in rest
            if isinstance(step, Part)
        )
    )


def are_apart(first: Region, second: Region) -> bool:
    """Whether two regions with one base surely share nothing."""
    count = common_steps(first, second)
    if count == len(first.steps) or count == len(second.steps):
        return False
    one, other = first.steps[count], second.steps[count]
    return (
        isinstance(one, Part) and isinstance(other, Part) and disjoint_parts(one, other)
    )


def is_inside(region: Region, slice_: Region) -> bool:
    """Whether a region surely is in another one."""
    return region.base is slice_.base and common_steps(region, slice_) == len(
        slice_.steps
    )


def are_in_different(first: Region, second: Region, slices: Sequence[Region]) -> bool:
    """Whether two regions are in two of these slices, which do not surely overlap."""
    return any(
        is_inside(first, one) and is_inside(second, other) and not _overlap(one, other)
        for one in slices
        for other in slices
        if one is not other
    )


def _overlap(first: Region, second: Region) -> bool:
    """Whether two regions surely share something."""
    count = common_steps(first, second)
    if count == len(first.steps) or count == len(second.steps):
        return True
    one, other = first.steps[count], second.steps[count]
    is_last = count == len(first.steps) - 1 == len(second.steps) - 1
    return (
        is_last
        and isinstance(one, Part)
        and isinstance(other, Part)
        and are_overlapping(one.as_slice(), other.as_slice())
    )


_CASTS = (bufferization.ToBufferOp, bufferization.ToTensorOp)
"""Between a buffer and a tensor that is left."""
_SAME_ELEMENTS = ("arith.index_cast", "arith.index_castui")
"""Views of all elements, cast one by one."""


class Names:
    """The regions of memrefs.

    Args:
        functions: the functions that calls may refer to.
    """

    def __init__(self, functions: FunctionTable) -> None:
        self._functions = functions
        self.forwarded = ForwardedValues()
        self._known: dict[SSAValue, Region] = {}
        self._named_after: dict[SSAValue, list[SSAValue]] = {}
        """By base, the other memrefs that are named by it."""
        self._known_results_of: dict[FuncOp, dict[int, int]] = {}

    def region(self, value: SSAValue) -> Region:
        """The region of a memref. That of a tensor that is left is its own base."""
        views: list[Step] = []
        start = value
        while start not in self._known and isinstance(start, OpResult):
            op = start.op
            source = _source(op)
            if source is None or start.index != 0:
                break
            step = _step(op)
            if step is not None:
                views.append(step)
            start = source
        known = self._known.get(start)
        if known is None:
            # It is its own base while what it may be is looked into.
            self._known[start] = Region(start)
            known = self._handed_on(start)
            self._name(start, known)
        region = Region(known.base, (*known.steps, *reversed(views)))
        if value not in self._known:
            self._name(value, region)
        return region

    def alternatives(self, region: Region) -> list[Region] | None:
        """What a region may turn out to be, where its base is a choice of buffers; None
        if that is not known."""
        found: list[Region] = []
        seen: set[SSAValue] = set()
        waiting = [region]
        while waiting:
            current = waiting.pop()
            base = current.base
            if base in seen:
                continue
            seen.add(base)
            sources = [self.region(source) for source in self.choices(base)]
            if sources:
                waiting += [
                    Region(source.base, (*source.steps, *current.steps))
                    for source in sources
                ]
            elif base is region.base or self._is_known_outside(base, region.base):
                found.append(current)
            else:
                return None
        return found

    def selected(self, region: Region) -> list[Region]:
        """What a region may be, where its base is the result of arith.select; if that is
        one of too many, or its base is something else, the region itself."""
        found: list[Region] = []
        waiting = [region]
        while waiting:
            current = waiting.pop()
            op = current.base.owner
            if not isinstance(op, arith.SelectOp):
                found.append(current)
                continue
            waiting += [
                Region(source.base, (*source.steps, *current.steps))
                for source in map(self.region, op.operands[1:])
            ]
            if len(found) + len(waiting) > MOST_SELECTED:
                return [region]
        return found

    def choices(self, base: SSAValue) -> Sequence[SSAValue]:
        """The memrefs that a base is one of; none if that is not known."""
        if isinstance(base, OpResult) and isinstance(base.op, arith.SelectOp):
            return base.op.operands[1:]
        return self.forwarded.sources(base)

    def forwarded_bases(self, base: SSAValue) -> Sequence[SSAValue]:
        """The bases of the memrefs that a base is one of; none if that is not known."""
        return [self.region(source).base for source in self.choices(base)]

    def _is_known_outside(self, base: SSAValue, place: SSAValue) -> bool:
        """Whether it is known, where `place` is defined, what memory a base is."""
        if isinstance(base.owner, memref.AllocOp | memref.GetGlobalOp):
            return True
        block = _block_of(base)
        # What is known at the end of a region that runs once is known after its op.
        while (
            block is not None
            and (around := block.parent_op()) is not None
            and (graph := self.forwarded.graph(around)).is_known
            and block.parent not in graph.repetitive
            and block.prev_block is block.next_block is None
        ):
            block = around.parent
        return _dominates(block, _block_of(place))

    def _handed_on(self, value: SSAValue) -> Region:
        """The region of what is always the same buffer under a new name."""
        itself = Region(value)
        found: Region | None = None
        circle, origins = self._origins(value)
        for source in origins:
            region = self.region(source)
            if region == itself:
                continue
            if found is not None and not is_same(found, region):
                return itself
            found = region
        if found is None or not _is_defined_before(found, value):
            return itself
        # What was named after `value` meanwhile is renamed.
        for other in self._named_after.pop(value, ()):
            known = self._known[other]
            if known.base is value:
                self._name(other, Region(found.base, (*found.steps, *known.steps)))
        # Whatever leads to the value by way of others, these can be nothing else.
        for other in circle:
            if other not in self._known and _is_defined_before(found, other):
                self._name(other, found)
        return found

    def _origins(self, value: SSAValue) -> tuple[set[SSAValue], list[SSAValue]]:
        """What a value is, if not another name in a circle of names: of a loop that hands
        on what it gets. Before it the circle, and all else on the ways back."""
        circle = {value}
        waiting = [value]
        origins: list[SSAValue] = []
        while waiting:
            for source in self._sources(waiting.pop()):
                if source in circle:
                    continue
                if source in self._known or not self._sources(source):
                    origins.append(source)
                else:
                    circle.add(source)
                    waiting.append(source)
        return circle, origins

    def _sources(self, value: SSAValue) -> Sequence[SSAValue]:
        if not isinstance(value, OpResult) or not isinstance(value.op, CallOp):
            return self.forwarded.sources(value)
        callee = self._functions.callee(value.op)
        known = {} if callee is None else self._known_results(callee)
        source = known.get(value.index)
        if source is None:
            return []
        return [value.op.results[~source] if source < 0 else value.op.operands[source]]

    def _known_results(self, callee: FuncOp) -> dict[int, int]:
        """Which results of a function are always the same buffer as something else that
        a caller has: an argument `n`, as n, or an earlier result `n`, as ~n."""
        found = self._known_results_of.get(callee)
        if found is None:
            # While it is looked into, nothing is known: it may call itself.
            self._known_results_of[callee] = {}
            found = self._known_results_of[callee] = self._find_results(callee)
        return found

    def _find_results(self, callee: FuncOp) -> dict[int, int]:
        ends = [
            block.last_op
            for block in callee.body.blocks
            if isinstance(block.last_op, ReturnOp)
        ]
        known: dict[int, int] = {}
        earlier: dict[tuple[Region, ...], int] = {}
        for number, result in enumerate(callee.function_type.outputs if ends else ()):
            if result.__class__ not in MEMREF_CLASSES:
                continue
            regions = tuple(self.region(end.operands[number]) for end in ends)
            first = regions[0]
            if earlier.setdefault(regions, number) != number:
                known[number] = ~earlier[regions]
            elif (
                all(region == first for region in regions)
                and not first.steps
                and isinstance(first.base, BlockArgument)
                and _is_argument(first.base, callee)
            ):
                known[number] = first.base.index
        return known

    def _name(self, value: SSAValue, region: Region) -> None:
        self._known[value] = region
        if region.base is not value:
            self._named_after.setdefault(region.base, []).append(value)


def _is_defined_before(region: Region, value: SSAValue) -> bool:
    """Whether all that a region is named by is visible where `value` is defined."""
    named = [region.base]
    for step in region.steps:
        named += step.values() if isinstance(step, Part) else [step.op.results[0]]
    return all(_dominates(_block_of(name), _block_of(value)) for name in named)


def _block_of(value: SSAValue) -> Block | None:
    return value.owner if isinstance(value.owner, Block) else value.owner.parent


def _dominates(first: Block | None, second: Block | None) -> bool:
    """Whether control comes to `second` only through `first`, or an op inside it."""
    while second is not None and first is not None:
        if first is second:
            return True
        if first.parent is second.parent:
            break
        op = second.parent_op()
        second = None if op is None else op.parent
    if first is None or second is None or first.parent is None:
        return False
    entry = first.parent.blocks.first
    seen = {first}
    ways = [entry]
    while ways:
        block = ways.pop()
        if block is None or block in seen:
            continue
        if block is second:
            return False
        seen.add(block)
        if block.last_op is not None:
            ways.extend(block.last_op.successors)
    return True


def _source(op: Operation) -> SSAValue | None:
    """The memref, or tensor that was left, whose elements the first result names."""
    return op.operands[0] if isinstance(op, _CASTS) else get_renamed(op)


def _step(op: Operation) -> Step | None:
    """What a view does; None when it only changes the type."""
    if isinstance(op, (memref.CastOp, *_CASTS)) or op.name in _SAME_ELEMENTS:
        return None
    if isinstance(op, memref.SubviewOp):
        part = _part(op)
        return None if _is_all(part, op.operands[0].type) else part
    return OtherView(op)


def _part(op: Operation) -> Part:
    lists: list[tuple[Index, ...]] = []
    position = 1
    for name in ("static_offsets", "static_sizes", "static_strides"):
        mixed: list[Index] = []
        for number in static_list(op, name):
            if number == DYNAMIC_INDEX:
                value = op.operands[position]
                constant = constant_of(value)
                mixed.append(value if constant is None else constant)
                position += 1
            else:
                mixed.append(number)
        lists.append(tuple(mixed))
    return Part(*lists)


def _is_all(part: Part, type_: Attribute) -> bool:
    """Whether a slice is all of a buffer of static shape."""
    return (
        isinstance(type_, MemRefType)
        and set(part.offsets) <= {0}
        and set(part.strides) <= {1}
        and part.sizes == type_.get_shape()
    )


def _is_argument(value: SSAValue, func: FuncOp | None) -> bool:
    return func is not None and value.owner is func.body.blocks.first
