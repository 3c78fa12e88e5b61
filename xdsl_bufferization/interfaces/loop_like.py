"""Ops that repeat their regions, and their static trip counts.

A counted loop steps through a *range* in each of its dimensions: from `lower`, by `step`,
as long as the induction variable is less than `upper`. The loop decides whether "less"
is signed or unsigned (`scf.for unsigned`), so every fact about a range comes from this
module:

    scf.for %i = %c0 to %c-56 step %c100 : i8             no iteration: 0 to -56
    scf.for unsigned %i = %c0 to %c-56 step %c100 : i8    two iterations: 0 to 200

The addition that advances an induction variable wraps around. A trip count is known
only if the last addition does not wrap: 0 to 127 by 100 has no trip count for i8,
because 200 is -56, which is less than 127.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Protocol, TypeAlias, cast, runtime_checkable

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation, Region, SSAValue

from xdsl_bufferization.dialects.constants import (
    constant_integer,
    read_integer,
)
from xdsl_bufferization.interfaces.table import InterfaceTable
from xdsl_bufferization.records import record

Bound: TypeAlias = int | SSAValue | None
"""A bound or step: an integer of the type index, a value, or nothing that is known."""


@runtime_checkable
class LoopLikeOpInterface(Protocol):
    """A loop: regions that are executed any number of times."""

    def get_loop_regions(self, op: Operation) -> Sequence[Region]: ...

    def get_inits(self, op: Operation) -> Sequence[SSAValue]:
        """The values that the first iteration starts with."""
        ...

    def get_region_iter_args(self, op: Operation) -> Sequence[SSAValue]:
        """The block arguments that hold the values carried between iterations."""
        ...


@record
class LoopRange:
    """The values of one induction variable. Values among the bounds have its type."""

    lower: Bound
    upper: Bound
    step: Bound
    unsigned: bool = False
    """Whether bounds and induction variable are compared as unsigned integers."""

    @property
    def static_lower(self) -> int | None:
        return self._static(self.lower)

    @property
    def static_upper(self) -> int | None:
        return self._static(self.upper)

    @property
    def static_step(self) -> int | None:
        """The step. It is read like the bounds, so that -56 : i8 is 200 if unsigned."""
        return self._static(self.step)

    @property
    def surely_runs(self) -> bool:
        """Whether there is an iteration."""
        lower, upper = self.static_lower, self.static_upper
        return lower is not None and upper is not None and lower < upper

    @property
    def trip_count(self) -> int | None:
        """The number of iterations, or None if it is not known.

        It is not known for steps that are not positive, nor if the induction variable
        would wrap around before it reaches the upper bound.
        """
        if isinstance(self.lower, SSAValue) and self.lower is self.upper:
            return 0
        lower, upper, step = self.static_lower, self.static_upper, self.static_step
        if lower is None or upper is None:
            return None
        if upper <= lower:
            return 0
        if step is None or step <= 0:
            return None
        trips = -((lower - upper) // step)
        end = lower + trips * step
        return trips if self._read(end) == end else None

    def _static(self, bound: Bound) -> int | None:
        if isinstance(bound, SSAValue):
            return constant_integer(bound, unsigned=self.unsigned)
        return None if bound is None else self._read(bound)

    def _read(self, number: int) -> int:
        for bound in (self.lower, self.upper, self.step):
            if isinstance(bound, SSAValue):
                type = cast("IntegerType | IndexType", bound.type)
                return read_integer(number, type, unsigned=self.unsigned)
        return read_integer(number, IndexType(), unsigned=self.unsigned)


@runtime_checkable
class CountedLoopOpInterface(Protocol):
    """A loop over ranges: its iterations are all combinations of their values."""

    def get_ranges(self, op: Operation) -> Sequence[LoopRange]:
        """The ranges, the outermost first."""
        ...


LOOP_LIKE = InterfaceTable(LoopLikeOpInterface)
COUNTED_LOOP = InterfaceTable(CountedLoopOpInterface)


def static_trip_count(op: Operation) -> int | None:
    """Return the number of iterations of a counted loop, or None if it is not known."""
    model = COUNTED_LOOP.lookup(op)
    if model is None:
        return None
    counts = [range.trip_count for range in model.get_ranges(op)]
    if 0 in counts:
        return 0
    known = [count for count in counts if count is not None]
    return prod(known) if len(known) == len(counts) else None


def surely_runs(op: Operation) -> bool:
    """Return whether a counted loop runs at least one iteration."""
    model = COUNTED_LOOP.lookup(op)
    return model is not None and all(range.surely_runs for range in model.get_ranges(op))
