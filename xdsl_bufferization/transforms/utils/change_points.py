"""The positions of a function at which its memory may change.

Between two such positions, all that a profile of the memory says is the same. Most ops
neither allocate nor free, and most regions, such as the bodies of linalg ops, hold none
that do: a profile does not visit these.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate

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
        before: for each position of the function, how many of `positions` are before it.
    """

    positions: list[int] = field(default_factory=list[int])
    block_at: list[int] = field(default_factory=list[int])
    blocks: list[Block] = field(default_factory=list[Block])
    around: list[int] = field(default_factory=list[int])
    numbers: dict[Block, int] = field(default_factory=dict[Block, int])
    before: list[int] = field(default_factory=list[int])

    @staticmethod
    def of(
        function: func.FuncOp, positions: Positions, changes: Iterable[int]
    ) -> ChangePoints:
        """Find the points of a function whose memory changes at some positions."""
        self = ChangePoints()
        length = positions.exit[function] + 1
        marks = [0] * length
        for at in changes:
            if at < length:
                marks[at] = 1
        changed = list(accumulate(marks))
        block_at = [-1] * length
        work: list[tuple[Operation, int]] = [(function, -1)]
        for op, outer in work:
            for region in op.regions:
                first = len(self.blocks)
                for block in region.blocks:
                    number = len(self.blocks)
                    self.blocks.append(block)
                    self.around.append(outer if number == first else first)
                    inside = _mark_points(block, number, positions, changed, block_at)
                    work += [(inner, number) for inner in inside]
        self.numbers = {block: number for number, block in enumerate(self.blocks)}
        self.positions = [at for at, number in enumerate(block_at) if number >= 0]
        self.block_at = [number for number in block_at if number >= 0]
        self.before = [0, *accumulate(number >= 0 for number in block_at)]
        return self


def _mark_points(
    block: Block,
    number: int,
    positions: Positions,
    changed: list[int],
    block_at: list[int],
) -> list[Operation]:
    """Note the points of a block itself, and return the ops in which there are others.

    Args:
        changed: for each position, how many changes there are up to it.
        block_at: receives the number of the block at each of its points.
    """
    enter, exit = positions.enter, positions.exit
    inside: list[Operation] = []
    before = -1
    for op in block.ops:
        at = enter[op]
        now = changed[at]
        if op.regions and changed[exit[op]] != now:
            inside.append(op)
            block_at[at] = block_at[exit[op]] = number
            # What follows is a point as well: an arena may end there.
            before = -1
        elif now != before:
            block_at[at] = number
            before = now
    return inside
