"""Requirements of bufferization: sizes of new tensors are not negative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.ir import Operation

from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.interfaces.runtime_verifiable import Requirement
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.memref.runtime_verification import allocatable


class _AllocTensor:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("bufferization.AllocTensorOp", op)
        shape = shape_of(op.results[0].type) or ()
        return allocatable(shape, tuple(op.dynamic_sizes))


def register() -> None:
    attach(bufferization.AllocTensorOp, _AllocTensor())
