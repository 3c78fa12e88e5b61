"""The bounds of scf.for: signed or unsigned, of any integer type, with few iterations.

Unsigned numbers are chosen near zero, near the greatest one, and around the number from
which on they are negative if they are taken for signed ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.random_programs.regions import Regions
from tests.random_programs.scope import ELEMENT, Scope

MAX_TRIPS = 3
WIDTHS = (8, 16, 32)


@dataclass(frozen=True)
class CountedLoop:
    """An scf.for.

    Attributes:
        counter: its induction variable.
        type: the type of that.
        head: the text up to the bounds.
        low: the first number, unsigned if the loop is.
        step: from one number to the next.
        first: the value of the lower bound.
    """

    counter: str
    type: str
    head: str
    low: int
    step: int
    trips: int
    first: str
    unsigned: bool

    @property
    def last(self) -> int:
        return self.low + max(0, self.trips - 1) * self.step

    @property
    def type_suffix(self) -> str:
        """How the type is written, after the values that are carried."""
        return "" if self.type == "index" else f" : {self.type}"


class CountedLoops(Regions):
    """Loops with bounds."""

    def counted_loop(self, scope: Scope) -> CountedLoop:
        """Choose and write the bounds of a loop."""
        never = 0 if self.profile.like_mlir else 1
        trips = self.weighted([(never, 0), (3, 1), (6, 2), (4, MAX_TRIPS)])
        unsigned = self.chance(30)
        if self.chance(70):
            low, step = self.random.randint(0, 1), self.random.randint(1, 2)
            bounds = [
                self.index_value(scope, n, n) for n in (low, low + trips * step, step)
            ]
            return self._loop_of("index", bounds, low, step, trips, unsigned)
        width = self.one_of(WIDTHS)
        unsigned = unsigned and not self.profile.like_mlir
        low, high, step = self._narrow_bounds(width, trips, unsigned)
        bounds = [self._integer(number, width) for number in (low, high, step)]
        return self._loop_of(f"i{width}", bounds, low, step, trips, unsigned)

    def _loop_of(
        self,
        type: str,
        bounds: list[str],
        low: int,
        step: int,
        trips: int,
        unsigned: bool,
    ) -> CountedLoop:
        counter = self.writer.fresh("i")
        first, last, by = bounds
        head = (
            f"scf.for {'unsigned ' if unsigned else ''}{counter} = {first} to {last} "
            f"step {by}"
        )
        return CountedLoop(counter, type, head, low, step, trips, first, unsigned)

    def _narrow_bounds(
        self, width: int, trips: int, unsigned: bool
    ) -> tuple[int, int, int]:
        """Lower bound, upper bound and step of a loop that repeats so often. None of the
        numbers that the counter reaches, nor the one after it, is too large."""
        middle, end = 1 << (width - 1), 1 << width
        least, most = (0, end - 1) if unsigned else (-middle, middle - 1)
        steps = [1, 2, 3]
        if trips > 0:
            # Few steps through nearly all numbers, some of them negative when signed.
            steps.append((most - least) // (trips + 1))
        step = self.one_of(steps)
        span = (trips + 1) * step
        near = [least, -step, middle - step, most - span]
        low = self.one_of([n for n in near if least <= n <= most - span] or [least])
        if trips == 0:
            return low, self.random.randint(least, low), step
        return low, low + trips * step - self.random.randint(0, step - 1), step

    def _integer(self, number: int, width: int) -> str:
        """A constant with the bits of a number, written as a signed one."""
        name = self.writer.fresh("c")
        if number >> (width - 1) == 1:
            number -= 1 << width
        self.writer.line(f"{name} = arith.constant {number} : i{width}")
        return name

    def use_counter(self, inner: Scope, loop: CountedLoop) -> None:
        """Write what the body of a loop needs to work with its counter."""
        if loop.type == "index":
            inner.add_index(loop.counter, loop.low, loop.last)
            return
        writer = self.writer
        if loop.type == ELEMENT:
            inner.scalars.append(loop.counter)
        else:
            wide = writer.fresh("s")
            extend = "extui" if loop.unsigned else "extsi"
            writer.line(
                f"{wide} = arith.{extend} {loop.counter} : {loop.type} to {ELEMENT}"
            )
            inner.scalars.append(wide)
        index = writer.fresh("i")
        if loop.unsigned and self.chance(50):
            writer.line(
                f"{index} = arith.index_castui {loop.counter} : {loop.type} to index"
            )
            inner.add_index(index, loop.low, loop.last)
            return
        distance = writer.fresh("i")
        writer.line(f"{distance} = arith.subi {loop.counter}, {loop.first} : {loop.type}")
        writer.line(f"{index} = arith.index_castui {distance} : {loop.type} to index")
        inner.add_index(index, 0, loop.last - loop.low)
