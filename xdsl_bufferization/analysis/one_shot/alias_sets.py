"""Alias sets, with the reads and in-place writes of each set sorted by position.

An alias set holds the tensor values whose buffers may overlap, given the decisions made
so far. When a decision merges two sets, the only new pairs of a read and a write are
those across the two, so only they are checked (by induction, there is no conflict
within a set). To find the pairs that may conflict without visiting all of them:

- a read is a few *windows* of positions, from a definition to itself; a write is a
  *point*. A write outside the windows of a read cannot conflict with it.
- `WriteIndex` keeps the points sorted: those in a window are found by bisection.
- where the read and the write are in mutually exclusive regions of one op, as are two
  cases of scf.index_switch, they do not conflict. The positions of such regions are
  ranges, which a search skips (`ProgramOrder.from_op_on`, `before_end`).
- `WindowIndex` keeps the windows sorted by their upper end, with a running minimum of the
  lower ends: the windows around a point are found by bisection and a walk that stops
  when the minimum shows that no further window reaches down to the point.

If the reads and writes of a tensor are of disjoint slices, a quadratic number of pairs
may have the write in the window of the read, although none conflicts. If there are many
slices, a set also keeps its accesses by the part of that tensor (disjoint_slices.py), and
those of other parts are not visited.

Both are sorted in descending order, because the usual bottom-up order of analysis adds
ever smaller positions, which are then appended. The smaller set is merged into the
larger one, so that a value moves O(log n) times.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from typing import Generic, TypeAlias, TypeVar

from xdsl.ir import SSAValue, Use

from xdsl_bufferization.analysis.one_shot.program_order import OpNode, ProgramOrder

T = TypeVar("T")

Parts: TypeAlias = Mapping[tuple[SSAValue, int], tuple[int, int]]
"""The parts of tensors with many slices that an op accesses: for a tensor and one of its
dimensions, the first and the last index. It shares no element with an access to another
part of the same tensor."""


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
        inner_read: what stands in alias sets for reads by a loop or a callee of what it
            has written to the buffer itself; None if no other operand of the op is
            written. It is in place when the operand is.
        is_inner_read: whether it is one that stands for such reads.
        writes: whether the op writes the buffer when in place.
        in_place: the decision; None while undecided.
        windows: for a read, the inclusive ranges of positions at which a write may
            conflict with it; None until computed.
        scope: for a read with windows, the op itself, or the outermost one around it with
            writes that may come after the read and before it once more.
        read_parts, write_parts: what it reads, or writes, of tensors that have many
            slices; None until computed.
    """

    __slots__ = (
        "in_place",
        "inner_read",
        "is_inner_read",
        "is_read",
        "node",
        "parallel",
        "read_node",
        "read_parts",
        "reads",
        "scope",
        "use",
        "windows",
        "write_parts",
        "writes",
    )

    def __init__(self, use: Use, node: OpNode):
        self.use = use
        self.node = node
        self.read_node = node
        self.scope = node
        self.reads: tuple[OperandInfo, ...] = ()
        self.is_read = False
        self.inner_read: OperandInfo | None = None
        self.is_inner_read = False
        self.writes = False
        self.in_place: bool | None = None
        self.windows: tuple[tuple[int, int], ...] | None = None
        self.parallel: bool | None = None
        self.read_parts: Parts | None = None
        self.write_parts: Parts | None = None


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


class WindowIndex(Generic[T]):
    """Items with windows, sorted by upper end downwards."""

    __slots__ = ("items", "keys", "lows", "min_lows")

    def __init__(self) -> None:
        self.keys: list[int] = []
        self.lows: list[int] = []
        self.min_lows: list[int] = []
        self.items: list[T] = []

    def __len__(self) -> int:
        return len(self.items)

    def add(self, low: int, high: int, item: T) -> None:
        key = -high
        keys, min_lows = self.keys, self.min_lows
        if not keys or key >= keys[-1]:
            keys.append(key)
            self.lows.append(low)
            self.items.append(item)
            min_lows.append(min(low, min_lows[-1]) if min_lows else low)
            return
        index = bisect_right(keys, key)
        keys.insert(index, key)
        self.lows.insert(index, low)
        self.items.insert(index, item)
        min_lows.insert(index, min(low, min_lows[index - 1]) if index else low)
        for later in range(index + 1, len(min_lows)):
            if min_lows[later] <= low:
                break
            min_lows[later] = low

    def overlapping(self, low: int, high: int) -> Iterator[T]:
        """Return the items with a window that contains a position from low to high."""
        lows, min_lows = self.lows, self.min_lows
        index = bisect_right(self.keys, -low) - 1
        while index >= 0 and min_lows[index] <= high:
            if lows[index] <= high:
                yield self.items[index]
            index -= 1

    def around(self, position: int, low: int, high: int) -> Iterator[T]:
        """Return the items with a window that contains a position, and ends at a later
        one from low to high."""
        keys, lows, min_lows = self.keys, self.lows, self.min_lows
        index = bisect_right(keys, -low) - 1
        while index >= 0 and min_lows[index] <= position and -keys[index] <= high:
            if lows[index] <= position:
                yield self.items[index]
            index -= 1

    def reaches(self, position: int, low: int) -> bool:
        """Return whether a window contains a position, and ends at `low` or later."""
        index = bisect_right(self.keys, -low) - 1
        return index >= 0 and self.min_lows[index] <= position

    def ending_within(self, low: int, high: int) -> Iterator[T]:
        """Return the items with a window that ends at a position from low to high."""
        start = bisect_left(self.keys, -high)
        end = bisect_right(self.keys, -low, start)
        for index in range(start, end):
            yield self.items[index]


class Accesses:
    """Reads, with their windows, and writes.

    Attributes:
        elsewhere: of the windows of the reads, those that end elsewhere than the scope of
            the read does.
    """

    __slots__ = ("elsewhere", "reads", "writes")

    def __init__(self) -> None:
        self.reads: WindowIndex[OperandInfo] = WindowIndex()
        self.elsewhere: WindowIndex[OperandInfo] = WindowIndex()
        self.writes = WriteIndex()

    def index_read(self, low: int, high: int, read: OperandInfo) -> None:
        """Add a window of a read."""
        self.reads.add(low, high, read)
        if high != read.scope.exit:
            self.elsewhere.add(low, high, read)

    def reads_around(
        self, write: OperandInfo, order: ProgramOrder
    ) -> Iterator[OperandInfo]:
        """The reads that a write may conflict with."""
        node = write.node
        for low, high, is_excluded in order.from_op_on(node):
            if not self.reads.reaches(node.enter, low):
                break
            windows = self.elsewhere if is_excluded else self.reads
            yield from windows.around(node.enter, low, high)
        if node.op.regions:
            yield from self.reads.ending_within(node.enter + 1, node.exit)


class _Partition:
    """The accesses to slices of one tensor, by their first and last index in one of its
    dimensions."""

    __slots__ = ("_by_span", "_spans", "all")

    def __init__(self) -> None:
        self.all = Accesses()
        self._by_span: dict[tuple[int, int], Accesses] = {}
        self._spans: WindowIndex[Accesses] = WindowIndex()

    def at(self, span: tuple[int, int]) -> Accesses:
        """The accesses with this first and last index."""
        found = self._by_span.get(span)
        if found is None:
            found = self._by_span[span] = Accesses()
            self._spans.add(*span, found)
        return found

    def overlapping(self, span: tuple[int, int]) -> Iterator[Accesses]:
        """The accesses between a first and a last index."""
        return self._spans.overlapping(*span)


class AliasSet(Accesses):
    """Values whose buffers may overlap.

    Attributes:
        members: the values.
        reads, writes: the windows of the reads and the in-place writes of the members.
        has_reads: whether any member is read, also where what is read has no definition.
        partitions: those of the accesses that are to slices of tensors with many slices.
        whole: all others, if there are partitions.
        read_only: a member whose buffer must not be written, or None.
        parallel_write: an in-place write of a buffer that parallel iterations share, or
            None.
    """

    __slots__ = (
        "has_reads",
        "members",
        "parallel_write",
        "partitions",
        "read_only",
        "whole",
    )

    def __init__(self, value: SSAValue):
        super().__init__()
        self.members = [value]
        self.partitions: dict[tuple[SSAValue, int], _Partition] = {}
        self.whole = Accesses()
        self.has_reads = False
        self.read_only: SSAValue | None = None
        self.parallel_write: OperandInfo | None = None

    def weight(self) -> int:
        return len(self.members) + len(self.reads) + len(self.writes)

    def add_read(self, low: int, high: int, read: OperandInfo) -> None:
        """Add a window of a read."""
        for accesses in self._containing(read.read_parts):
            accesses.index_read(low, high, read)

    def add_write(self, write: OperandInfo) -> None:
        """Add a write."""
        for accesses in self._containing(write.write_parts):
            accesses.writes.add(write)

    def may_touch(self, parts: Parts) -> Iterator[Accesses]:
        """All accesses, except for those that definitely share no element with an access
        to `parts`."""
        if not any(tensor in self.partitions for tensor in parts):
            yield self
            return
        yield self.whole
        for tensor, partition in self.partitions.items():
            span = parts.get(tensor)
            if span is None:
                yield partition.all
            else:
                yield from partition.overlapping(span)

    def _containing(self, parts: Parts | None) -> tuple[Accesses, ...]:
        """Where an access to parts of tensors is kept: by the first of them."""
        if not parts:
            return (self, self.whole) if self.partitions else (self,)
        if not self.partitions:
            _add_all(self.whole, self)
        tensor, span = next(iter(parts.items()))
        partition = self.partitions.get(tensor)
        if partition is None:
            partition = self.partitions[tensor] = _Partition()
        return self, partition.all, partition.at(span)

    def absorb(self, other: AliasSet) -> None:
        """Take over everything of another set, the smaller one."""
        self.members.extend(other.members)
        reads = other.reads
        for key, low, read in zip(reads.keys, reads.lows, reads.items, strict=True):
            self.add_read(low, -key, read)
        for write in other.writes.items:
            self.add_write(write)
        self.has_reads = self.has_reads or other.has_reads
        if self.read_only is None:
            self.read_only = other.read_only
        if self.parallel_write is None:
            self.parallel_write = other.parallel_write


def _add_all(accesses: Accesses, others: Accesses) -> None:
    reads = others.reads
    for key, low, read in zip(reads.keys, reads.lows, reads.items, strict=True):
        accesses.index_read(low, -key, read)
    for write in others.writes.items:
        accesses.writes.add(write)
