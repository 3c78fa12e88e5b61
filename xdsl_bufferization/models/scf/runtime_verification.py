"""Requirements of scf: loops count up, and end before their induction variables wrap
around.

Only for such loops do the bounds of an induction variable prove that accesses are in
bounds; other loops need not terminate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation

from xdsl_bufferization.analysis.facts.value_bounds import Index, mixed_list
from xdsl_bufferization.dialects import scf
from xdsl_bufferization.interfaces.runtime_verifiable import (
    AtLeast,
    AtMost,
    EndsInType,
    Requirement,
)
from xdsl_bufferization.interfaces.table import attach

_NOT_POSITIVE = "the step of a loop is not positive"
_NO_END = "the induction variable of a loop exceeds its type"


def _go_up(bounds: Iterable[tuple[Index, Index, Index]]) -> Sequence[Requirement]:
    """What loops over signed indices require, each of which is in the one before: it is
    not reached where that has no iteration."""
    requirements: list[Requirement] = []
    around: list[tuple[Index, Index]] = []
    for lower, upper, step in bounds:
        requirements += (
            AtLeast(step, 1, _NOT_POSITIVE),
            EndsInType(
                lower, upper, step, True, IndexType(), _NO_END, unless_none=tuple(around)
            ),
        )
        around.append((lower, upper))
    return requirements


class _For:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        loop = cast("scf.ForOp", op)
        step, signed = loop.step, "unsignedCmp" not in loop.properties
        type_ = cast("IntegerType | IndexType", step.type)
        return (
            AtLeast(step, 1, _NOT_POSITIVE) if signed else AtMost(1, step, _NOT_POSITIVE),
            EndsInType(loop.lb, loop.ub, step, signed, type_, _NO_END),
        )


class _Parallel:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        loop = cast("scf.ParallelOp", op)
        return _go_up(zip(loop.lowerBound, loop.upperBound, loop.step, strict=True))


class _Forall:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        loop = cast("scf.ForallOp", op)
        bounds = zip(
            mixed_list(loop.dynamic_lower_bound, loop.static_lower_bound.get_values()),
            mixed_list(loop.dynamic_upper_bound, loop.static_upper_bound.get_values()),
            mixed_list(loop.dynamic_step, loop.static_step.get_values()),
            strict=True,
        )
        return _go_up(bounds)


def register() -> None:
    attach(scf.ForallOp, _Forall())
    attach(scf.ForOp, _For())
    attach(scf.ParallelOp, _Parallel())
