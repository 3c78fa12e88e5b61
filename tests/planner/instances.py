"""Generators of instances for the planner, and a slow, obvious planner to compare."""

from __future__ import annotations

import random
from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise, permutations

from xdsl_bufferization.planner import Buffer


def cut_rectangle(
    number: int,
    seed: int,
    *,
    slack: float = 0.0,
    side: int = 1 << 20,
    times: int | None = None,
    pinwheels: float = 0.0,
    holes: bool = False,
) -> list[Buffer]:
    """Cut a rectangle into boxes at random: their optimum is its side. `times` is its
    length, the side if not given. `slack` is the share of boxes that are left out,
    `pinwheels` the share of cuts into five. With `holes`, some boxes at the same offset
    become one buffer."""
    rng = random.Random(seed)
    least_size = max(1, side // 4096)
    least_time = least_size if times is None else 1
    boxes: list[tuple[float, int, int, int, int]] = [(-1.0, 0, 0, times or side, side)]
    while len(boxes) < number:
        _, x0, y0, x1, y1 = heappop(boxes)
        if pinwheels and min(x1 - x0, y1 - y0) >= 9 and rng.random() < pinwheels:
            a, b = sorted(rng.sample(range(x0 + 1, x1), 2))
            c, d = sorted(rng.sample(range(y0 + 1, y1), 2))
            pieces = [(x0, y0, b, c), (b, y0, x1, d), (a, c, b, d)]
            pieces += [(a, d, x1, y1), (x0, c, a, y1)]
            if rng.random() < 0.5:
                pieces = [(x0 + x1 - r, y, x0 + x1 - x, s) for x, y, r, s in pieces]
            _push(boxes, pieces, side, rng)
            continue
        along_time = rng.random() < 0.5
        low, high = (x0, x1) if along_time else (y0, y1)
        least = least_time if along_time else least_size
        if high - low < 2 * least:
            pieces = [(x0, y0, x1, y1)]
        else:
            cut = rng.randint(low + least, high - least)
            if along_time:
                pieces = [(x0, y0, cut, y1), (cut, y0, x1, y1)]
            else:
                pieces = [(x0, y0, x1, cut), (x0, cut, x1, y1)]
        _push(boxes, pieces, side, rng)
    rng.shuffle(boxes)
    kept = [box for box in boxes if rng.random() >= slack]
    if holes:
        return _merge_rows(kept)
    return [Buffer(y1 - y0, ((x0, x1),)) for _, x0, y0, x1, y1 in kept]


def _merge_rows(boxes: list[tuple[float, int, int, int, int]]) -> list[Buffer]:
    """Make one buffer of each two boxes that are in the same row with others between."""
    rows: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for _, x0, y0, x1, y1 in boxes:
        rows.setdefault((y0, y1), []).append((x0, x1))
    result: list[Buffer] = []
    for (y0, y1), row in rows.items():
        waiting: tuple[int, int] | None = None
        for interval in sorted(row):
            if waiting is None or waiting[1] == interval[0]:
                if waiting is not None:
                    result.append(Buffer(y1 - y0, (waiting,)))
                waiting = interval
            else:
                result.append(Buffer(y1 - y0, (waiting, interval)))
                waiting = None
        if waiting is not None:
            result.append(Buffer(y1 - y0, (waiting,)))
    return result


def _push(
    boxes: list[tuple[float, int, int, int, int]],
    pieces: list[tuple[int, int, int, int]],
    side: int,
    rng: random.Random,
) -> None:
    for a, b, c, d in pieces:
        area = (c - a) / side * ((d - b) / side)
        heappush(boxes, (-area * rng.random() ** 2, a, b, c, d))


def random_intervals(number: int, live: int, seed: int) -> list[Buffer]:
    """Make buffers of sizes of all magnitudes, of which about `live` live at a time."""
    rng = random.Random(seed)
    result: list[Buffer] = []
    for _ in range(number):
        lower = rng.randrange(4 * number)
        length = 1 + int(rng.expovariate(1 / (4 * live)))
        size = int(2 ** rng.uniform(0, 20))
        result.append(Buffer(size, ((lower, lower + length),)))
    return result


def small_instance(rng: random.Random, most: int = 7) -> list[Buffer]:
    """Make a few buffers, with holes in lifetimes, alignments and empty ones."""
    result: list[Buffer] = []
    for _ in range(rng.randint(0, most)):
        times = sorted(rng.sample(range(10), 2 * rng.choice((1, 1, 1, 2))))
        lifetime = tuple(zip(times[::2], times[1::2], strict=True))
        alignment = rng.choice((1, 1, 2, 4))
        result.append(Buffer(rng.randint(0, 6), lifetime, alignment))
    return result


def meet(one: Buffer, other: Buffer) -> bool:
    return any(a < d and c < b for a, b in one.lifetime for c, d in other.lifetime)


def lowest_height(buffers: Sequence[Buffer]) -> int:
    """Return the optimum over all orders in which each buffer goes on top of those before
    it that it meets. The buffers of any plan, sorted by offset, are such an order."""
    best = sum(buffer.size + buffer.alignment for buffer in buffers)
    for order in permutations(buffers):
        placed: list[tuple[Buffer, int]] = []
        for buffer in order:
            tops = (top for other, top in placed if meet(other, buffer))
            offset = -(-max(tops, default=0) // buffer.alignment) * buffer.alignment
            placed.append((buffer, offset + buffer.size))
        best = min(best, max((top for _, top in placed), default=0))
    return best


# Families of large instances, each with a known or nearly known optimum.


def tile_rectangle(
    number: int,
    seed: int,
    *,
    slack: float = 0.0,
    width: int = 1 << 20,
    side: int = 1 << 20,
) -> list[Buffer]:
    """Tile a rectangle from the bottom up: a piece of random size goes on the lowest run
    of the skyline, against one of its walls. Most cuts go through no whole rectangle, so
    the tiling is not guillotine. `slack` is the share of boxes that are left out."""
    rng = random.Random(seed)
    wide = max(2, int(2 * width / number**0.5))
    high = max(2, int(2 * side / number**0.5))
    skyline = {0: (0, width)}
    """The height and the end of each run, by its start."""
    lowest = [(0, 0)]
    boxes: list[tuple[int, int, int, int]] = []
    while lowest:
        ground, start = heappop(lowest)
        if skyline.get(start, (-1, 0))[0] != ground or ground >= side:
            continue
        end = skyline[start][1]
        while end in skyline and skyline[end][0] == ground:
            end = skyline.pop(end)[1]
        skyline[start] = ground, end
        span = rng.randint(max(1, wide // 16), wide) if rng.random() < 0.9 else 4 * wide
        rise = rng.randint(max(1, high // 16), high) if rng.random() < 0.9 else 4 * high
        last = min(end, start + span)
        top = min(side, ground + rise)
        if end - last < wide // 16:
            last = end
        if side - top < high // 16:
            top = side
        boxes.append((start, last, ground, top))
        skyline[start] = top, last
        heappush(lowest, (top, start))
        if last < end:
            skyline[last] = ground, end
            heappush(lowest, (ground, last))
    rng.shuffle(boxes)
    return [
        Buffer(top - ground, ((start, last),))
        for start, last, ground, top in boxes
        if rng.random() >= slack
    ]


def coarse_intervals(number: int, live: int, seed: int, kinds: int = 6) -> list[Buffer]:
    """Make buffers of few different sizes, at few different times."""
    rng = random.Random(seed)
    sizes = [1024 * rng.randint(1, 40) for _ in range(kinds)]
    times = max(4, number // live)
    result: list[Buffer] = []
    for _ in range(number):
        lower = rng.randrange(times)
        length = 1 + int(rng.expovariate(1.0))
        result.append(Buffer(rng.choice(sizes), ((lower, lower + length),)))
    return result


def align(
    buffers: Sequence[Buffer], seed: int, alignments: Sequence[int]
) -> list[Buffer]:
    """Give the buffers random alignments."""
    rng = random.Random(seed)
    return [Buffer(b.size, b.lifetime, rng.choice(alignments)) for b in buffers]


def activations(number: int, seed: int) -> list[Buffer]:
    """Make buffers like those of a network: most die soon, some are used much later, few
    live almost throughout. Sizes are multiples of 64 with many equal ones."""
    rng = random.Random(seed)
    base = [64 * 2**k for k in range(6)]
    result: list[Buffer] = []
    for time in range(number):
        kind = rng.random()
        if kind < 0.75:
            length = rng.randint(1, 12)
        elif kind < 0.97:
            length = rng.randint(12, 2 + number // 8 + 12)
        else:
            length = number
        size = rng.choice(base) * rng.randint(1, 9)
        result.append(Buffer(size, ((time, min(number + 12, time + length)),)))
    return result


def recut_stack(
    number: int, seed: int, *, slack: float = 0.0, live: int = 12, side: int = 1 << 18
) -> list[Buffer]:
    """Keep a stack of `live` boxes: at each time, two neighbours end, and their memory is
    cut again, elsewhere, into two that start. `slack` is the share of boxes that are left
    out."""
    rng = random.Random(seed)
    edges = [0, *sorted(rng.sample(range(1, side), live - 1)), side]
    stack = [(high - low, 0) for low, high in pairwise(edges)]
    boxes: list[Buffer] = []
    time = 0
    while len(boxes) + live < number:
        time += 1
        place = rng.randrange(live - 1)
        ended = stack[place : place + 2]
        boxes += [Buffer(size, ((start, time),)) for size, start in ended]
        both = sum(size for size, _ in ended)
        size = rng.randint(1, both - 1)
        stack[place : place + 2] = [(size, time), (both - size, time)]
    boxes += [Buffer(size, ((start, time + 1),)) for size, start in stack]
    rng.shuffle(boxes)
    return [box for box in boxes if rng.random() >= slack]
