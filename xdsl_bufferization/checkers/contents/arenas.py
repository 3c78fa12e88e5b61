"""Arenas, and the memory that their places share.

A memory plan makes views of one block of bytes, its arena, at constant offsets:
*places* (checkers/places.py). Each place is the base of its views. The ends of all
places cut an arena into *segments*, which are the roots of its contents: two places
overlap if they have a segment in common, also through names that control flow forwards
them to.

A view that is not a place, of an arena that is neither an allocation nor a function
argument, is a slice of the arena's bytes, reinterpreted (names.py).
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple, TypeAlias

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from xdsl_bufferization.checkers.contents.memory import Base, Root
from xdsl_bufferization.checkers.places import places_in
from xdsl_bufferization.dialects import memref

_MOST_SEGMENTS = 64
"""An arena whose places have more segments, on average, is taken for one piece."""


class Segment(NamedTuple):
    """Part of an arena between two ends of places."""

    arena: SSAValue
    number: int


Memory: TypeAlias = "dict[Base, frozenset[Root]]"
"""The memory of each place, and of each arena that has places."""


def find_memory(func: FuncOp) -> Memory:
    """Return the memory of all places in a function, and of their arenas. Near-linear."""
    known: dict[SSAValue, tuple[SSAValue, int, int]] = {}
    by_arena: dict[SSAValue, list[SSAValue]] = {}
    for place in places_in(func):
        arena, offset, _ = known.get(place.arena, (place.arena, 0, 0))
        is_known = arena is not place.arena or _is_arena(arena)
        if is_known and place.start < place.end:
            known[place.value] = arena, offset + place.start, offset + place.end
            by_arena.setdefault(arena, []).append(place.value)
    roots: dict[Base, frozenset[Root]] = {}
    for arena, places in by_arena.items():
        ends = sorted({end for place in places for end in known[place][1:]})
        spans = {
            place: range(bisect_left(ends, start), bisect_left(ends, end))
            for place in places
            for _, start, end in (known[place],)
        }
        if sum(map(len, spans.values())) > _MOST_SEGMENTS * len(places):
            continue
        segments = [Segment(arena, number) for number in range(len(ends) - 1)]
        shared: dict[range, frozenset[Root]] = {}
        for place, span in spans.items():
            if span not in shared:
                shared[span] = frozenset(segments[span.start : span.stop])
            roots[place] = shared[span]
        roots[arena] = frozenset((arena, *segments))
    return roots


def _is_arena(value: SSAValue) -> bool:
    """Return whether a value is an allocation, or an argument of a function."""
    if isinstance(value, BlockArgument):
        block = value.owner
        return isinstance(block.parent_op(), FuncOp) and block.prev_block is None
    return isinstance(value.owner, memref.AllocOp | memref.AllocaOp)
