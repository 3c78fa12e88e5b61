"""The plan of a set of buffers: every method in turn, until one meets the lower bound.

    1. All buffers on top of each other; first and best fit, by size, area, start, length,
       conflicts and alignment, which supports holes in live ranges; unless too many
       buffers meet.
    2. Placement along a skyline, from the first section on and from the last, in several
       styles.
    3. Beam searches, in the order of time (`sweep`) and from the ground up (`beam`), of
       increasing width.
    4. Exact search, for few buffers.

Few buffers that would fill all of the memory all the time if they were a little larger
are planned with such sizes first (`flattening`). If they do fill almost all of it, a plan
without slack is searched before the second step (`tilings`).

Before the second step, buffers that fit together exactly are joined, with and without
gaps between them (`joining_ways`). If that leaves fewer, these are placed along a skyline
and by beam searches first; among many buffers, after repair of what is placed. Many
buffers with different alignments are also planned as if they had none.

From the second step on, a live range is treated as one interval, from the first time to
the last; groups of buffers without common live times are planned separately. If there
are holes or different alignments, the intervals are also planned one by one, without
alignments, and the buffers that cannot stay at these offsets are inserted again. All
methods are deterministic, and limited by steps, not by time: a plan is the same on
every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import cast

from xdsl_bufferization.planner.attempts import (
    MOST_CONFLICTS,
    MOST_FOR_BEAMS,
    MOST_IN_SWEEPS,
)
from xdsl_bufferization.planner.beam import Budget
from xdsl_bufferization.planner.bundles import buffer_of, bundle
from xdsl_bufferization.planner.first_fit import (
    count_conflicts,
    fit_in_order,
)
from xdsl_bufferization.planner.fits import Fits
from xdsl_bufferization.planner.flattening import flatten_in_ways
from xdsl_bufferization.planner.parts import Best, Parts, improve_parts
from xdsl_bufferization.planner.problem import (
    Buffer,
    Plan,
    as_integer,
    cut_into_sections,
    lower_bound,
    round_up,
)
from xdsl_bufferization.planner.skyline import Box, live_size_by_section

DEFAULT_STEPS = 7_000_000
"""The default budget: some 8 seconds, on the machine that it was measured on."""

_FEW_CONFLICTS = 400_000
"""With at most that many pairs that meet, first fit in all orders is fast."""

_MOST_IN_FITS = 4_000_000
"""If many buffers meet, the pairs that meet, times the orders of first fit, are at most
as many."""

_SHARES_OF_BEAMS = (0.5, 0.15)
"""The share of the budget for beam searches before repair, for few buffers and many."""

_SHARE_OF_REPAIR = 0.6
"""The share of the remaining budget for repair; all of it for many buffers."""

_MOST_OF_SPACED_IN_FITS = 20_000_000
"""If as many pairs meet, buffers of different alignments, or with holes in their live
ranges, are still fitted in one order: along a skyline, what these leave free is lost."""

_LEAST_OF_BUNDLES = 0.95
"""Very many buffers with holes are bundled if at most this share is live then of what is
live without holes."""

_MOST_IN_ALL_ORDERS = 6
"""As few buffers are fitted in all orders."""

_SHARE_OF_RELAXED = 0.5
"""Plans of relaxed buffers have an additional budget, this share of the given one, or
half of it for many buffers."""

_SHARE_OF_SMALL_PARTS = 0.1
"""Small parts that are higher than the large ones have an additional budget, this share
of the given one."""

_SHARE_OF_FLATTENED = 0.5
"""The share of the budget for buffers that have grown until they fit exactly."""

_MOST_OF_MIXED_FOR_BEAMS = 600
"""Parts of more boxes of different alignments are too large for beam searches: the boxes
are then planned as if they had none."""

_SHARE_OF_MANY = 0.55
_SHARE_OF_MIXED = 0.7
"""The shares of the budget for more buffers than `MOST_FOR_BEAMS`, which take longer to
prepare, and for different alignments, with which a step takes longer."""


def plan(buffers: Sequence[Buffer], steps: int = DEFAULT_STEPS) -> Plan:
    """Find offsets for buffers such that those that meet do not overlap, and the height
    is low. `steps` limits the search; without any, the fast methods run alone.

    Raises:
        ValueError: if `steps` is negative.
        TypeError: if `steps` is not a number, or a buffer is not a `Buffer`.
    """
    for number, buffer in enumerate(buffers):
        if not isinstance(cast(object, buffer), Buffer):
            raise TypeError(
                f"buffer {number} is {buffer!r}, but must be a Buffer, such as "
                "Buffer(4, ((0, 3),))"
            )
    steps = as_integer("steps", steps)
    if steps < 0:
        raise ValueError(f"steps is {steps}, but must not be negative")
    sections = cut_into_sections(buffers)
    bound = lower_bound(buffers, sections)
    budget = Budget(steps)
    sized = [number for number, buffer in enumerate(buffers) if buffer.size]
    best = Best(
        [buffers[number] for number in sized],
        [sections.ranges[number] for number in sized],
        bound,
    )
    _run_portfolio(best, budget)
    offsets = [0] * len(buffers)
    for number, offset in zip(sized, best.offsets, strict=True):
        offsets[number] = offset
    return Plan(tuple(offsets), best.height, bound, budget.used)


def plan_conflicts(
    sizes: Sequence[int],
    conflicts: Sequence[set[int]],
    alignments: Sequence[int] | None = None,
) -> Plan:
    """Find offsets for buffers. `conflicts` lists for each buffer those that it must not
    overlap. The lower bound is the greatest clique that a greedy search finds."""
    numbers = range(len(sizes))
    aligned = alignments or [1] * len(sizes)
    both_ways = [set(found) for found in conflicts]
    for number in numbers:
        for other in conflicts[number]:
            both_ways[other].add(number)
    bound = 0
    for number in sorted(numbers, key=lambda i: -sizes[i]):
        clique = sizes[number]
        common = both_ways[number] - {number}
        while common:
            other = max(common, key=lambda i: (sizes[i], -i))
            clique += sizes[other]
            common &= both_ways[other]
        bound = max(bound, clique)
    best: tuple[int, list[int]] | None = None
    weights = [sum(sizes[i] for i in both_ways[number]) for number in numbers]
    orders: list[Callable[[int], tuple[int, ...]]] = [
        lambda i: (-sizes[i], -weights[i]),
        lambda i: (-weights[i], -sizes[i]),
        lambda i: (-sizes[i] * (len(both_ways[i]) + 1),),
        lambda i: (-len(both_ways[i]), -sizes[i]),
    ]
    for key, smallest_gap in product(orders, (False, True)):
        offsets = fit_in_order(
            sorted(numbers, key=key), sizes, aligned, both_ways, smallest_gap=smallest_gap
        )
        height = max(map(int.__add__, offsets, sizes), default=0)
        if best is None or height < best[0]:
            best = height, offsets
        if height == bound:
            break
    assert best is not None
    return Plan(tuple(best[1]), best[0], bound, 0)


def _plan_flattened(best: Best, budget: Budget) -> bool:
    """Plan few buffers of one alignment with slightly larger sizes, with which they fit
    together exactly. Return whether the plan has no slack then."""
    alignments = {buffer.alignment for buffer in best.buffers}
    if (
        len(best.buffers) > MOST_IN_SWEEPS
        or len(alignments) > 1
        or any(len(ranges) > 1 for ranges in best.ranges)
    ):
        return False
    (alignment,) = alignments
    boxes = [
        Box(*ranges[0], -(-buffer.size // alignment), 1)
        for buffer, ranges in zip(best.buffers, best.ranges, strict=True)
    ]
    count = max(box.last for box in boxes)
    bound = max(live_size_by_section(boxes, count))
    sizes = flatten_in_ways(boxes, count, bound)
    if sizes is None:
        return False
    grown = [
        Buffer(alignment * size, buffer.lifetime, alignment)
        for buffer, size in zip(best.buffers, sizes, strict=True)
    ]
    limit = sum(size for size, box in zip(sizes, boxes, strict=True) if box.first == 0)
    flat = Best(grown, best.ranges, alignment * limit)
    own = Budget(int(_SHARE_OF_FLATTENED * budget.steps))
    _run_portfolio(flat, own)
    best.consider(flat.offsets)
    budget.steps -= own.used // 2
    return flat.is_optimal


def _plan_bundled(best: Best, budget: Budget) -> bool:
    """Plan very many buffers in bundles. Return False, and plan nothing, if hardly less
    is live then than without holes."""
    bundles = bundle(best.buffers, best.ranges)
    if len(bundles) == len(best.buffers):
        return False
    buffers = [buffer_of(members, best.buffers) for members in bundles]
    sections = cut_into_sections(buffers)
    bundled = Best(buffers, sections.ranges, lower_bound(buffers, sections))
    boxes = [
        Box(ranges[0][0], ranges[-1][1], buffer.size, buffer.alignment)
        for buffer, ranges in zip(best.buffers, best.ranges, strict=True)
    ]
    live = live_size_by_section(boxes, max(box.last for box in boxes))
    if bundled.bound > _LEAST_OF_BUNDLES * max(live):
        return False
    _run_portfolio(bundled, budget)
    offsets = [0] * len(best.buffers)
    for members, offset in zip(bundles, bundled.offsets, strict=True):
        for number in members:
            offsets[number] = offset
    best.consider(offsets)
    return True


def _stack(best: Best) -> None:
    """Put the buffers on top of each other, the greatest alignments first."""
    buffers = best.buffers
    offsets = [0] * len(buffers)
    top = 0
    for number in sorted(range(len(buffers)), key=lambda i: -buffers[i].alignment):
        offsets[number] = round_up(top, buffers[number].alignment)
        top = offsets[number] + buffers[number].size
    best.consider(offsets)


def _run_portfolio(best: Best, budget: Budget) -> None:
    _stack(best)
    if best.is_optimal:
        return
    pairs = count_conflicts(best.ranges)
    fits = None
    if pairs <= _FEW_CONFLICTS:
        fits = Fits(best)
        fits.run()
    if best.is_optimal:
        return
    if fits is not None and len(best.buffers) <= _MOST_IN_ALL_ORDERS:
        fits.run_all_orders()
        return
    if _plan_flattened(best, budget):
        return
    are_mixed = len({buffer.alignment for buffer in best.buffers}) > 1
    most = _MOST_OF_MIXED_FOR_BEAMS if are_mixed else MOST_FOR_BEAMS
    can_repair = pairs <= MOST_CONFLICTS
    if len(best.buffers) > MOST_FOR_BEAMS:
        budget.steps = int(_SHARE_OF_MANY * budget.steps)
    elif are_mixed:
        budget.steps = int(_SHARE_OF_MIXED * budget.steps)
    have_holes = any(len(ranges) > 1 for ranges in best.ranges)
    parts = None
    if can_repair or not have_holes or not _plan_bundled(best, budget):
        parts = Parts(best, budget, can_repair=can_repair, most_for_beams=most)
        parts.improve_small(Budget(int(_SHARE_OF_SMALL_PARTS * budget.steps)))
        best.consider(parts.offsets())
    if (are_mixed or have_holes) and MOST_CONFLICTS < pairs <= _MOST_OF_SPACED_IN_FITS:
        Fits(best).run(1)
        budget.spend(pairs // 2)
    if parts is None:
        return
    if can_repair and best.height > parts.enough:
        if fits is None:
            fits = Fits(best)
            fits.run(max(1, _MOST_IN_FITS // pairs))
            budget.spend(pairs // 2)
        if parts.are_large and are_mixed:
            fits.align(budget, most)
        if have_holes or (are_mixed and not parts.are_large):
            share = _SHARE_OF_RELAXED / 2 if parts.are_large else _SHARE_OF_RELAXED
            fits.relax(parts.enough, Budget(int(share * budget.steps)), most)
        if not parts.are_large:
            share = _SHARES_OF_BEAMS[parts.are_many]
            improve_parts(best, parts, budget, int(share * budget.steps))
        share = 1.0 if parts.are_many or parts.are_large else _SHARE_OF_REPAIR
        own = Budget(int(share * (budget.steps - budget.used)))
        fits.repair(parts.enough, own)
        budget.spend(own.used)
    improve_parts(best, parts, budget, budget.steps)
    budget.spend(parts.joined_budget.used)
