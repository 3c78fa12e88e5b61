"""Through which blocks of a region each of many values is live.

A value is live at the start of a block if the block uses it, or one that may follow
before the value is defined again. A walk from the uses of each value back to its
definition takes as many steps as there are blocks in between, so the square of their
number if many values are live throughout a function.

Here, a set of values is the bits of an integer, and all of them are followed together: a
block is visited once if there is no cycle. The result names the first and the last block
of each run of consecutive blocks, not every block of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from xdsl.ir import Block, Region

from xdsl_bufferization.analysis.facts.bits import numbers_of

AT_A_TIME = 4096
"""How many values are followed together. Memory is the product of this and the number of
blocks."""


@dataclass(frozen=True)
class Defined:
    """A value: the number of the block that defines it, and of those that use it."""

    block: int
    used: Collection[int]


@dataclass(frozen=True)
class LiveBlocks:
    """Where a value is live, in numbers of blocks.

    Attributes:
        through: the first and the last block of each run of consecutive blocks with the
            value live both at the start and at the end, ascending.
        leaves: whether it is live at the end of the block that defines it.
    """

    through: Sequence[tuple[int, int]]
    leaves: bool


NOWHERE = LiveBlocks((), leaves=False)
"""Of a value that is used in the block that defines it alone."""


class BlockFlow:
    """The blocks of a region, numbered in the order of the text, and the edges between
    them."""

    def __init__(self, region: Region):
        self.numbers = {block: number for number, block in enumerate(region.blocks)}
        successors: list[list[int]] = []
        self._predecessors: list[list[int]] = [[] for _ in self.numbers]
        for block, number in self.numbers.items():
            last = block.last_op
            after: Sequence[Block] = () if last is None else last.successors
            successors.append([self.numbers[each] for each in dict.fromkeys(after)])
            for each in successors[-1]:
                self._predecessors[each].append(number)
        self._ranks = _last_first(successors)

    def find_live(self, values: Sequence[Defined]) -> list[LiveBlocks]:
        """Return where each of some values is live."""
        result: list[LiveBlocks] = [NOWHERE] * len(values)
        followed = [
            (number, value)
            for number, value in enumerate(values)
            if any(block != value.block for block in value.used)
        ]
        for first in range(0, len(followed), AT_A_TIME):
            some = followed[first : first + AT_A_TIME]
            found = self._find([value for _, value in some])
            for (number, _), live in zip(some, found, strict=True):
                result[number] = live
        return result

    def _find(self, values: Sequence[Defined]) -> Iterator[LiveBlocks]:
        defined: dict[int, int] = {}
        new: dict[int, int] = {}
        for number, value in enumerate(values):
            bit = 1 << number
            defined[value.block] = defined.get(value.block, 0) | bit
            for block in value.used:
                if block != value.block:
                    new[block] = new.get(block, 0) | bit
        live_in, live_out = self._follow(defined, new)
        runs: list[list[tuple[int, int]]] = [[] for _ in values]
        starts = [0] * len(values)
        before, live = -1, 0
        for block in sorted(live_in.keys() & live_out.keys()):
            through = live_in[block] & live_out[block]
            staying = live & through if block == before + 1 else 0
            for number in numbers_of(live & ~staying):
                runs[number].append((starts[number], before))
            for number in numbers_of(through & ~staying):
                starts[number] = block
            before, live = block, through
        for number in numbers_of(live):
            runs[number].append((starts[number], before))
        for number, value in enumerate(values):
            leaves = bool(live_out.get(value.block, 0) >> number & 1)
            yield LiveBlocks(runs[number], leaves)

    def _follow(
        self, defined: dict[int, int], new: dict[int, int]
    ) -> tuple[dict[int, int], dict[int, int]]:
        """Return the values that are live at the start and at the end of each block.

        Args:
            defined: the values that each block defines.
            new: those that each block uses and does not define; empty in the end.
        """
        live_in, live_out = dict(new), dict[int, int]()
        ranks = self._ranks
        # Blocks that follow come first: what they need is then known, but for cycles.
        work = sorted((ranks[block], block) for block in new)
        while work:
            _, block = heappop(work)
            values = new.pop(block, 0)
            if not values:
                continue
            for each in self._predecessors[block]:
                live_out[each] = live_out.get(each, 0) | values
                known = live_in.get(each, 0)
                more = values & ~(known | defined.get(each, 0))
                if more:
                    live_in[each] = known | more
                    if each not in new:
                        heappush(work, (ranks[each], each))
                    new[each] = new.get(each, 0) | more
        return live_in, live_out


def _last_first(successors: Sequence[Sequence[int]]) -> list[int]:
    """Return for each block its place in an order in which a block comes after those that
    it leads to, but for cycles."""
    ranks = [-1] * len(successors)
    seen = [False] * len(successors)
    rank = 0
    for root in range(len(successors)):
        if seen[root]:
            continue
        seen[root] = True
        work = [(root, iter(successors[root]))]
        while work:
            block, after = work[-1]
            following = next((each for each in after if not seen[each]), None)
            if following is None:
                ranks[block] = rank
                rank += 1
                work.pop()
            else:
                seen[following] = True
                work.append((following, iter(successors[following])))
    return ranks
