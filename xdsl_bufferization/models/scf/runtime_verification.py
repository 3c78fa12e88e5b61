"""Requirements of scf: steps of loops are positive.

Bounds of an induction variable tell that accesses are in bounds only if its loop goes up,
and a loop whose step is zero does not end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects import scf
from xdsl_bufferization.interfaces.runtime_verifiable import (
    AtLeast,
    AtMost,
    Requirement,
)
from xdsl_bufferization.interfaces.table import attach

_NOT_POSITIVE = "the step of a loop is not positive"


def _positive(step: SSAValue) -> Requirement:
    return AtLeast(step, 1, _NOT_POSITIVE)


class _For:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        loop = cast("scf.ForOp", op)
        if "unsignedCmp" in loop.properties:
            return (AtMost(1, loop.step, _NOT_POSITIVE),)
        return (_positive(loop.step),)


class _Parallel:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        return [_positive(step) for step in cast("scf.ParallelOp", op).step]


class _Forall:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        return [_positive(step) for step in cast("scf.ForallOp", op).dynamic_step]


def register() -> None:
    attach(scf.ForallOp, _Forall())
    attach(scf.ForOp, _For())
    attach(scf.ParallelOp, _Parallel())
