"""Alias sets, with the reads and in-place writes of each set sorted by position.

An alias set holds the tensor values whose buffers may overlap, given the decisions made
so far. When a decision merges two sets, the only new pairs of a read and a write are
those across the two, so only they are checked (by induction, there is no conflict
within a set). To find the pairs that may conflict without visiting all of them:

- a read is one or two *windows* of positions, from its definition to itself; a write is a
  *point*. A write outside the windows of a read cannot conflict with it.
- `WriteIndex` keeps the points sorted: those in a window are found by bisection.
- `ReadIndex` keeps the windows sorted by their upper end, with a running minimum of the
  lower ends: the windows around a point are found by bisection and a walk that stops
  when the minimum shows that no further window reaches down to the point.

Both are sorted in descending order, because the usual bottom-up order of analysis adds
ever smaller positions, which are then appended. The smaller set is merged into the
larger one, so that a value moves O(log n) times.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from xdsl.ir import SSAValue, Use

from xdsl_bufferization.analysis.one_shot.program_order import OpNode


class OperandInfo:
    """The state of the analysis for one tensor operand.

    Attributes:
        node: the op it belongs to.
        read_node: the op that reads the buffer: the same, except for entries that
            represent a reader of the memref that bufferization.to_buffer returns.
        reads: what stands for the operand in alias sets: one for every block in which
            such a memref is read. None for all others, which stand for themselves.
        is_read: whether it counts as a read of its alias set: the op reads the buffer, or
            passes it on to an op that does.
        writes: whether the op writes the buffer when in place.
        in_place: the decision; None while undecided.
        windows: for a read, the inclusive ranges of positions at which a write may
            conflict with it; None until computed.
    """

    __slots__ = (
        "in_place",
        "is_read",
        "node",
        "parallel",
        "read_node",
        "reads",
        "use",
        "windows",
        "writes",
    )

    def __init__(self, use: Use, node: OpNode):
        self.use = use
        self.node = node
        self.read_node = node
        self.reads: tuple[OperandInfo, ...] = ()
        self.is_read = False
        self.writes = False
        self.in_place: bool | None = None
        self.windows: tuple[tuple[int, int], ...] | None = None
        self.parallel: bool | None = None


class WriteIndex:
    """In-place writes, sorted by position downwards."""

    __slots__ = ("items", "keys", "on_regions")

    def __init__(self) -> None:
        self.keys: list[int] = []
        self.items: list[OperandInfo] = []
        self.on_regions: dict[OpNode, list[OperandInfo]] = {}
        """The writes by ops that have regions: unordered with what is inside."""

    def __len__(self) -> int:
        return len(self.items)

    def add(self, write: OperandInfo) -> None:
        key = -write.node.enter
        keys = self.keys
        if not keys or key >= keys[-1]:
            keys.append(key)
            self.items.append(write)
        else:
            index = bisect_right(keys, key)
            keys.insert(index, key)
            self.items.insert(index, write)
        if write.node.op.regions:
            self.on_regions.setdefault(write.node, []).append(write)

    def within(self, low: int, high: int) -> Iterator[OperandInfo]:
        """The writes at positions low to high."""
        start = bisect_left(self.keys, -high)
        end = bisect_right(self.keys, -low, start)
        for index in range(start, end):
            yield self.items[index]


class ReadIndex:
    """Windows of reads, sorted by upper end downwards."""

    __slots__ = ("items", "keys", "lows", "min_lows")

    def __init__(self) -> None:
        self.keys: list[int] = []
        self.lows: list[int] = []
        self.min_lows: list[int] = []
        self.items: list[OperandInfo] = []

    def __len__(self) -> int:
        return len(self.items)

    def add(self, low: int, high: int, read: OperandInfo) -> None:
        key = -high
        keys, min_lows = self.keys, self.min_lows
        if not keys or key >= keys[-1]:
            keys.append(key)
            self.lows.append(low)
            self.items.append(read)
            min_lows.append(min(low, min_lows[-1]) if min_lows else low)
            return
        index = bisect_right(keys, key)
        keys.insert(index, key)
        self.lows.insert(index, low)
        self.items.insert(index, read)
        min_lows.insert(index, min(low, min_lows[index - 1]) if index else low)
        for later in range(index + 1, len(min_lows)):
            if min_lows[later] <= low:
                break
            min_lows[later] = low

    def around(self, position: int) -> Iterator[OperandInfo]:
        """Return the reads with a window that contains the position."""
        lows, min_lows = self.lows, self.min_lows
        index = bisect_right(self.keys, -position) - 1
        while index >= 0 and min_lows[index] <= position:
            if lows[index] <= position:
                yield self.items[index]
            index -= 1

    def ending_within(self, low: int, high: int) -> Iterator[OperandInfo]:
        """Return the reads with a window that ends at a position from low to high."""
        start = bisect_left(self.keys, -high)
        end = bisect_right(self.keys, -low, start)
        for index in range(start, end):
            yield self.items[index]


class AliasSet:
    """Values whose buffers may overlap.

    Attributes:
        members: the values.
        reads, writes: the windows of the reads and the in-place writes of the members.
        has_reads: whether any member is read, also where what is read has no definition.
        read_only: a member whose buffer must not be written, or None.
        parallel_write: an in-place write of a buffer that parallel iterations share, or
            None.
    """

    __slots__ = (
        "has_reads",
        "members",
        "parallel_write",
        "read_only",
        "reads",
        "writes",
    )

    def __init__(self, value: SSAValue):
        self.members = [value]
        self.reads = ReadIndex()
        self.writes = WriteIndex()
        self.has_reads = False
        self.read_only: SSAValue | None = None
        self.parallel_write: OperandInfo | None = None

    def weight(self) -> int:
        return len(self.members) + len(self.reads) + len(self.writes)

    def absorb(self, other: AliasSet) -> None:
        """Take over everything of another set, the smaller one."""
        self.members.extend(other.members)
        reads = other.reads
        for key, low, read in zip(reads.keys, reads.lows, reads.items, strict=True):
            self.reads.add(low, -key, read)
        for write in other.writes.items:
            self.writes.add(write)
        self.has_reads = self.has_reads or other.has_reads
        if self.read_only is None:
            self.read_only = other.read_only
        if self.parallel_write is None:
            self.parallel_write = other.parallel_write
