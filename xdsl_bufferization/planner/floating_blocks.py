"""Blocks of boxes at fixed distances, whose own offsets are not decided yet."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl_bufferization.planner.skyline import Box


class Live(NamedTuple):
    """A box in a block, from one offset to another, up to a time."""

    offset: int
    top: int
    last: int


class Placed(NamedTuple):
    """A box at an offset of a block, after what was placed before."""

    box: int
    offset: int
    before: History


class Turned(NamedTuple):
    """A block of this extent, upside down."""

    extent: int
    before: History


class Stacked(NamedTuple):
    """A block, and another one above it that starts at `offset`."""

    lower: History
    upper: History
    offset: int


History = Placed | Turned | Stacked | None
"""How a block was made."""


class Block(NamedTuple):
    """A range of memory of `extent` bytes with live boxes, in the order of offsets."""

    extent: int
    live: tuple[Live, ...]
    history: History

    def gap_at(self, end: int) -> int:
        """Return the free memory at the lower end (0) or at the upper end (1)."""
        if not self.live:
            return self.extent
        return self.extent - self.live[-1].top if end else self.live[0].offset

    def with_free_end(self, end: int, wanted: int) -> Block:
        """Return the block, turned if `end` is not `wanted`."""
        if end == wanted:
            return self
        return Block(self.extent, self.turned(), Turned(self.extent, self.history))

    def turned(self) -> tuple[Live, ...]:
        extent = self.extent
        return tuple(
            [Live(extent - top, extent - offset, e) for offset, top, e in self.live[::-1]]
        )

    def put(self, box: Box, number: int, offset: int) -> Block:
        live, entry = self.live, Live(offset, offset + box.size, box.last)
        at = bisect_left(live, entry)
        history = Placed(number, offset, self.history)
        return Block(self.extent, (*live[:at], entry, *live[at:]), history)

    def stack(self, upper: Block, space: int) -> Block:
        """Return this block and one above it, with memory of the pool between them."""
        up = self.extent + space
        live = (*self.live, *(Live(o + up, t + up, last) for o, t, last in upper.live))
        return Block(up + upper.extent, live, Stacked(self.history, upper.history, up))


def offsets_of(blocks: Iterable[Block], sizes: Sequence[int]) -> list[int]:
    """Return the offset of each box, given the sizes of all, if the blocks are stacked in
    this order."""
    result = [0] * len(sizes)
    base = 0
    for block in blocks:
        # The lower end of a block is at `bottom`, and offsets count down from there
        # if the sign is negative.
        waiting: list[tuple[History, int, int]] = [(block.history, base, 1)]
        while waiting:
            history, bottom, sign = waiting.pop()
            while history is not None:
                if isinstance(history, Placed):
                    offset = bottom + sign * history.offset
                    size = sizes[history.box]
                    result[history.box] = offset if sign > 0 else offset - size
                    history = history.before
                elif isinstance(history, Turned):
                    bottom, sign = bottom + sign * history.extent, -sign
                    history = history.before
                else:
                    above = bottom + sign * history.offset
                    waiting.append((history.upper, above, sign))
                    history = history.lower
        base += block.extent
    return result
