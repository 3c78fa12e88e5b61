"""Methods that know which buffers meet: first and best fit in several orders, repair, and
plans of buffers without alignments and holes that are then mended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations, product
from math import gcd

from xdsl_bufferization.planner.beam import Budget
from xdsl_bufferization.planner.first_fit import (
    find_conflicts,
    fit_in_order,
)
from xdsl_bufferization.planner.parts import Best, Parts, improve_parts
from xdsl_bufferization.planner.problem import (
    GREATEST,
    Buffer,
    Interval,
    cut_into_sections,
    lower_bound,
    round_up,
)
from xdsl_bufferization.planner.repair import ConflictingBuffers, lower_plan, mend_plan

_SHARE_OF_MENDING = 0.4
"""The share of what is left of the budget for a plan without slack that alignments, or
live ranges with holes, do not allow as it is."""


class Fits:
    """What works with conflicts: first and best fit in several orders, and repair."""

    def __init__(self, best: Best):
        self.best = best
        self.conflicts = find_conflicts(best.ranges)
        self.sizes = [buffer.size for buffer in best.buffers]
        self.alignments = [buffer.alignment for buffer in best.buffers]
        self.lengths = [
            sum(last - first for first, last in ranges) for ranges in best.ranges
        ]
        areas = [
            float(size * length)
            for size, length in zip(self.sizes, self.lengths, strict=True)
        ]
        self.conflicting = ConflictingBuffers(
            self.sizes, self.alignments, areas, self.conflicts
        )

    def run(self, most: int | None = None) -> None:
        """Fit the buffers in all orders, or in a few that are good for many buffers."""
        best, sizes, lengths, conflicts = (
            self.best,
            self.sizes,
            self.lengths,
            self.conflicts,
        )
        first = [ranges[0][0] for ranges in best.ranges]
        last = [ranges[-1][1] for ranges in best.ranges]
        # Sizes of as many bits are about equal. First fit by start is optimal for equal
        # ones.
        by_bits: list[Callable[[int], tuple[int, ...]]] = [
            lambda i: (-sizes[i].bit_length(), first[i], -lengths[i]),
            lambda i: (-sizes[i].bit_length(), -last[i], -lengths[i]),
        ]
        keys: list[Callable[[int], tuple[int, ...]]] = [
            lambda i: (-sizes[i], first[i]),
            lambda i: (-sizes[i] * lengths[i], first[i]),
            lambda i: (first[i], -sizes[i]),
            lambda i: (-len(conflicts[i]), -sizes[i]),
            lambda i: (-lengths[i], -sizes[i]),
        ]
        by_alignment: list[Callable[[int], tuple[int, ...]]] = []
        if len({*self.alignments}) > 1:
            # What lies between those that need the most takes others later.
            by_alignment.append(lambda i: (-self.alignments[i], -sizes[i], first[i]))
        orders = product((*by_alignment, *keys, *by_bits), (False, True))
        if most is not None:
            few = (*by_alignment, *by_bits, *keys)[:most]
            orders = ((key, False) for key in few)
        for key, smallest_gap in orders:
            order = sorted(range(len(sizes)), key=key)
            offsets = fit_in_order(
                order, sizes, self.alignments, conflicts, smallest_gap=smallest_gap
            )
            best.consider(offsets)
            if best.is_optimal:
                return

    def run_all_orders(self) -> None:
        """Fit the buffers in all orders. First fit in the order of the offsets of a plan
        does not raise any of them, so one of the plans is optimal."""
        for order in permutations(range(len(self.sizes))):
            self.best.consider(
                fit_in_order(
                    order, self.sizes, self.alignments, self.conflicts, smallest_gap=False
                )
            )

    def align(self, budget: Budget, most_for_beams: int) -> None:
        """Plan the buffers as if they needed no alignment, so that more of them fit
        together exactly. Then fit them in the order of these offsets."""
        best = self.best
        buffers = [Buffer(buffer.size, buffer.lifetime) for buffer in best.buffers]
        free = Best(buffers, best.ranges, best.bound)
        parts = Parts(free, budget, can_repair=True, most_for_beams=most_for_beams)
        offsets = parts.offsets()
        order = sorted(range(len(offsets)), key=offsets.__getitem__)
        best.consider(
            fit_in_order(
                order, self.sizes, self.alignments, self.conflicts, smallest_gap=False
            )
        )

    def relax(self, enough: int, budget: Budget, most_for_beams: int) -> None:
        """Plan each interval of a live range as a buffer of its own, and without
        alignment, so that more of them fit together exactly. Then mend that plan."""
        best = self.best
        owners = [
            (number, interval)
            for number, ranges in enumerate(best.ranges)
            for interval in ranges
        ]
        ranges = [[interval] for _, interval in owners]
        # Rounded up to what divides all alignments, a size takes no more memory.
        common = gcd(*self.alignments)
        sizes = [min(round_up(size, common), GREATEST) for size in self.sizes]
        buffers = [Buffer(sizes[number], (each,)) for number, each in owners]
        bound = lower_bound(buffers, cut_into_sections(buffers))
        for without_slack in (True, False):
            free = Best(buffers, ranges, bound)
            parts = Parts(
                free,
                budget,
                can_repair=True,
                most_for_beams=most_for_beams,
                without_slack=without_slack,
            )
            free.consider(parts.offsets())
            improve_parts(free, parts, budget, budget.steps // 2)
            # A plan without slack may be far from what alignments need.
            is_last = not (without_slack and free.is_optimal)
            left = budget.steps - budget.used
            own = Budget(left if is_last else int(_SHARE_OF_MENDING * left))
            self._mend(owners, free.offsets, enough, own)
            budget.spend(own.used)
            if is_last or best.height <= enough:
                break

    def _mend(
        self,
        owners: Sequence[tuple[int, Interval]],
        found: Sequence[int],
        enough: int,
        budget: Budget,
    ) -> None:
        """Consider a plan made of offsets of intervals: each buffer is at that of its
        longest one, if it can be."""
        longest = [0] * len(self.sizes)
        offsets = [0] * len(self.sizes)
        for (number, (first, last)), offset in zip(owners, found, strict=True):
            if last - first > longest[number]:
                longest[number] = last - first
                offsets[number] = round_up(offset, self.alignments[number])
        height = self.best.height
        mended = mend_plan(offsets, height, enough, self.conflicting, budget)
        if mended is not None:
            self.best.consider(mended)

    def repair(self, enough: int, budget: Budget) -> None:
        """Lower the best plan."""
        self.best.consider(
            lower_plan(self.best.offsets, enough, self.conflicting, budget)
        )
