"""Choices of a place that some names are not in.

    %distance = arith.subi "address of %name", "address of %one"
    %inside = arith.cmpi ult, %distance, 32
    %new = arith.select %inside, %other, %one     // of two places of 32 bytes

%new is in other memory than %name. With two names, a third place is chosen if each of the
first two has one of the names in it; and so on. plan-memory builds this for a buffer that
is allocated again while earlier ones are needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.checkers.places import Place, place_of
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.constants import constant_integer

_LESS = arith.CMPI_COMPARISON_OPERATIONS.index("ult")


@dataclass(frozen=True)
class Rotation:
    """A choice of one of several places.

    Attributes:
        places: what may be chosen.
        others: memrefs that are surely not in the chosen one.
        comparisons: the ops that compare addresses for this, and access nothing.
    """

    places: tuple[Place, ...]
    others: tuple[SSAValue, ...] = ()
    comparisons: tuple[Operation, ...] = ()

    @staticmethod
    def of(op: arith.SelectOp) -> Rotation | None:
        """Return what a select chooses; None if not all of its operands are places."""
        values: list[SSAValue] = []
        conditions: list[SSAValue] = []
        chosen: SSAValue = op.result
        while isinstance(chosen.owner, arith.SelectOp):
            condition, chosen, otherwise = chosen.owner.operands
            conditions.append(condition)
            values.append(otherwise)
        found = [
            place_of(value.owner) if isinstance(value.owner, memref.ViewOp) else None
            for value in (*values, chosen)
        ]
        places = tuple(place for place in found if place is not None)
        if len(places) < len(found):
            return None
        tests = [
            _names_inside(condition, place)
            for condition, place in zip(conditions, places, strict=False)
        ]
        names = {name for name, _ in tests[0] or ()}
        # If each place but the last has a name in it, there is none left for that.
        if (
            len(names) > len(tests)
            or any(test is None or {n for n, _ in test} != names for test in tests)
            or _overlap(places)
        ):
            return Rotation(places)
        comparisons = (each for test in tests for _, each in test or ())
        return Rotation(places, tuple(dict(tests[0] or ())), tuple(comparisons))


def _names_inside(
    condition: SSAValue, place: Place
) -> list[tuple[SSAValue, Operation]] | None:
    """Return the memrefs of which a condition says that one of them is in a place, with
    the comparisons of the addresses; None if it says something else."""
    found: list[tuple[SSAValue, Operation]] = []
    for test in _alternatives(condition):
        if not isinstance(test, arith.CmpiOp) or test.predicate.value.data != _LESS:
            return None
        distance = test.lhs.owner
        if (
            not isinstance(distance, arith.SubiOp)
            or constant_integer(test.rhs) != place.end - place.start
        ):
            return None
        name, start = map(_addressed, distance.operands)
        if name is None or start is not place.value:
            return None
        found.append((name, test))
    return found


def _alternatives(condition: SSAValue) -> Iterator[Operation | None]:
    """Yield the ops of which one is true if a condition is; None for another value."""
    work = [condition]
    while work:
        op = work.pop().owner
        if isinstance(op, arith.OrIOp):
            work += reversed(op.operands)
        else:
            yield op if isinstance(op, Operation) else None


def _addressed(pointer: SSAValue) -> SSAValue | None:
    op = pointer.owner
    return (
        op.operands[0] if isinstance(op, memref.ExtractAlignedPointerAsIndexOp) else None
    )


def _overlap(places: tuple[Place, ...]) -> bool:
    """Whether places of one arena overlap, or are not all of one."""
    ordered = sorted(places, key=lambda place: place.start)
    return len({place.arena for place in places}) > 1 or any(
        before.end > after.start for before, after in pairwise(ordered)
    )
