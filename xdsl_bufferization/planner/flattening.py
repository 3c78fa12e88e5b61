"""Enlarge buffers slightly, so that those of a tight plan fit together exactly.

In a plan without slack, as many bytes start at each time as end there. If the sizes are a
little smaller than in such a plan, nothing fits exactly, and joining (joining.py) finds
nothing. Sizes that are balanced again are a flow: a buffer is an arc from its start to
its end that carries its size, at most a small share more, and all times between carry
the same. Dinic's algorithm (E. A. Dinic, 1970) finds such a flow if there is one. What
fits together after a balanced enlargement often is what was cut apart:

    time   0 1 2 3          0 1 2 3
           A A A B    ->    A A A B     99 and 100 become 100 and 100

How much higher than the lower bound the plan was, how much smaller the sizes are, and
which boxes followed each other where several start and end, is not known. Several guesses
are made, and the sizes are kept with which the fewest boxes are left after joining.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from xdsl_bufferization.planner.joining import Joining
from xdsl_bufferization.planner.skyline import Box, live_size_by_section

_LIMITS = (1.001, 1.002, 1.004, 1.008, 1.015)
_GROWTHS = (0.01, 0.03)
_LIKENESSES = (0.0, 0.01, 0.02, 0.03)
"""The guesses: the height in units of the lower bound, and see `flatten`."""


def flatten_in_ways(boxes: Sequence[Box], count: int, bound: int) -> list[int] | None:
    """Return sizes, slightly larger ones, of which equally many bytes are live all the
    time. None if there are none, or if the sizes are like that.

    Args:
        count: the number of sections.
        bound: the most bytes that are live in a section.
    """
    live = live_size_by_section(boxes, count)
    if bound == min(live):
        return None
    area = sum(live)
    for likeness in _LIKENESSES:
        best: tuple[int, list[int]] | None = None
        for ratio in _LIMITS:
            limit = int(ratio * bound)
            for growth in _GROWTHS:
                if (1 + growth) * area < limit * count:
                    continue
                sizes = flatten(boxes, count, limit, growth, likeness)
                grown = [
                    Box(box.first, box.last, size, box.alignment)
                    for box, size in zip(boxes, sizes, strict=True)
                ]
                if set(live_size_by_section(grown, count)) != {limit}:
                    continue
                left = len(Joining(grown, count, by_chance=False).join_given().boxes)
                if best is None or left < best[0]:
                    best = left, sizes
        if best is not None:
            return best[1]
    return None


def flatten(
    boxes: Sequence[Box], count: int, limit: int, growth: float, likeness: float = 0.0
) -> list[int]:
    """Return sizes with which `limit` bytes are live in each section, or as close to it
    as boxes that grow by at most a share of their size allow.

    Args:
        count: the number of sections.
        limit: at least the number of bytes that are live in any section.
        likeness: where several boxes start and end, two whose sizes differ by at most
            this share get the same size.
    """
    starts, ends, nodes = _ends_of(boxes, count, likeness)
    missing = [0] * nodes
    for number, box in enumerate(boxes):
        missing[starts[number]] += box.size
        missing[ends[number]] -= box.size
    missing[0] -= limit
    missing[count] += limit
    source, sink = nodes, nodes + 1
    flow = _Flow(nodes + 2)
    for number, box in enumerate(boxes):
        flow.add(starts[number], ends[number], int(growth * box.size))
    for node, size in enumerate(missing):
        if size < 0:
            flow.add(source, node, -size)
        elif size > 0:
            flow.add(node, sink, size)
    flow.maximize(source, sink)
    return [box.size + flow.carried(arc) for arc, box in enumerate(boxes)]


def _ends_of(
    boxes: Sequence[Box], count: int, likeness: float
) -> tuple[list[int], list[int], int]:
    """Return the nodes at which the boxes start and end, and the number of nodes: one for
    each time, and one for each two boxes of which one follows the other, and whose sizes
    are alike."""
    starts, ends = [box.first for box in boxes], [box.last for box in boxes]
    nodes = count + 1
    if not likeness:
        return starts, ends, nodes
    starting: list[list[int]] = [[] for _ in range(count + 1)]
    ending: list[list[int]] = [[] for _ in range(count + 1)]
    for number, box in enumerate(boxes):
        starting[box.first].append(number)
        ending[box.last].append(number)
    for time in range(1, count):
        if len(starting[time]) + len(ending[time]) < 3:
            continue
        pairs: list[tuple[float, int, int]] = []
        for one in ending[time]:
            for other in starting[time]:
                sizes = boxes[one].size, boxes[other].size
                difference = abs(sizes[0] - sizes[1]) / max(sizes)
                if difference <= likeness:
                    pairs.append((difference, one, other))
        for _, one, other in sorted(pairs):
            if ends[one] == starts[other] == time:
                ends[one] = starts[other] = nodes
                nodes += 1
    return starts, ends, nodes


class _Flow:
    """A network in which a flow is maximized. Each arc has a residual arc back."""

    def __init__(self, nodes: int) -> None:
        self._arcs: list[list[int]] = [[] for _ in range(nodes)]
        self._ends: list[int] = []
        self._left: list[int] = []

    def add(self, start: int, end: int, capacity: int) -> None:
        for one, other, left in ((start, end, capacity), (end, start, 0)):
            self._arcs[one].append(len(self._ends))
            self._ends.append(other)
            self._left.append(left)

    def carried(self, number: int) -> int:
        """Return what an arc carries, by its number in the order of `add`."""
        return self._left[2 * number + 1]

    def maximize(self, source: int, sink: int) -> None:
        while True:
            levels = self._levels(source)
            if levels[sink] < 0:
                return
            self._saturate(source, sink, levels)

    def _levels(self, source: int) -> list[int]:
        """The distance of each node from the source; -1 if there is no way to it."""
        levels = [-1] * len(self._arcs)
        levels[source] = 0
        queue = deque([source])
        while queue:
            node = queue.popleft()
            for arc in self._arcs[node]:
                end = self._ends[arc]
                if self._left[arc] and levels[end] < 0:
                    levels[end] = levels[node] + 1
                    queue.append(end)
        return levels

    def _saturate(self, source: int, sink: int, levels: list[int]) -> None:
        """Send as much as possible along arcs that lead one level up."""
        arcs, ends, left = self._arcs, self._ends, self._left
        next_arc = [0] * len(arcs)
        path: list[int] = []
        node = source
        while True:
            if node == sink:
                size = min(left[arc] for arc in path)
                for arc in path:
                    left[arc] -= size
                    left[arc ^ 1] += size
                # Go on from where the path is interrupted first.
                kept = next(i for i, arc in enumerate(path) if not left[arc])
                node = ends[path[kept] ^ 1]
                del path[kept:]
                continue
            while next_arc[node] < len(arcs[node]):
                arc = arcs[node][next_arc[node]]
                if left[arc] and levels[ends[arc]] == levels[node] + 1:
                    path.append(arc)
                    node = ends[arc]
                    break
                next_arc[node] += 1
            else:
                if node == source:
                    return
                arc = path.pop()
                node = ends[arc ^ 1]
                next_arc[node] += 1
