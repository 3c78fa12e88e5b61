"""The positions of a function at which its memory may change.

Between two such positions, all that a profile of the memory says is the same. Most ops
neither allocate nor free, and most regions, such as the bodies of linalg ops, hold none
that do: a profile does not visit these.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.ir import Block, Operation

from xdsl_bufferization.analysis.live_ranges import Positions


@dataclass
class ChangePoints:
    """Positions, ascending: those of changes, and where control enters or leaves an op in
    which there is one.

    Attributes:
        positions: the positions.
        block_at: the number of the block that each is in.
        blocks: the blocks that hold them, outside in.
        around: for each of these the number of one that a run which reaches it has
            reached before: the first one of its region, or the block of the op around
            it. -1 for none.
        numbers: the numbers of the blocks.
    """

    positions: list[int] = field(default_factory=list[int])
    block_at: list[int] = field(default_factory=list[int])
    blocks: list[Block] = field(default_factory=list[Block])
    around: list[int] = field(default_factory=list[int])
    numbers: dict[Block, int] = field(default_factory=dict[Block, int])

    @staticmethod
    def of(
        function: func.FuncOp, positions: Positions, changes: Iterable[int]
    ) -> ChangePoints:
        """Find the points of a function whose memory changes at some positions."""
        self = ChangePoints()
        changed = sorted(set(changes))
        points: list[tuple[int, int]] = []
        work: list[tuple[Operation, int]] = [(function, -1)]
        for op, outer in work:
            for region in op.regions:
                first = len(self.blocks)
                for block in region.blocks:
                    number = len(self.blocks)
                    self.blocks.append(block)
                    self.around.append(outer if number == first else first)
                    inside = _mark_points(block, number, positions, changed, points)
                    work += [(inner, number) for inner in inside]
        self.numbers = {block: number for number, block in enumerate(self.blocks)}
        points.sort()
        self.positions = [at for at, _ in points]
        self.block_at = [number for _, number in points]
        return self

    def before(self, position: int) -> int:
        """Return how many of the points are before a position."""
        return bisect_left(self.positions, position)


def _mark_points(
    block: Block,
    number: int,
    positions: Positions,
    changed: list[int],
    points: list[tuple[int, int]],
) -> list[Operation]:
    """Note the points of a block itself, and return the ops in which there are others.
    The ops in between are not visited.

    Args:
        changed: the positions of changes, ascending.
        points: receives the points of the block, with its number.
    """
    if block.first_op is None:
        return []
    exit = positions.exit
    ops, starts = positions.ops_of(block)
    _, end = positions.bounds(block)
    inside: list[Operation] = []
    index = 0
    # How many changes there are up to an op.
    now = bisect_right(changed, starts[0])
    while index < len(ops):
        op, at = ops[index], starts[index]
        points.append((at, number))
        if op.regions and now < len(changed) and changed[now] <= exit[op]:
            inside.append(op)
            points.append((exit[op], number))
            # What follows is a point as well: an arena may end there.
            index += 1
        elif now == len(changed) or changed[now] >= end:
            break
        else:
            index = bisect_right(starts, changed[now], index) - 1
        if index < len(ops):
            now = bisect_right(changed, starts[index], now)
    return inside
