"""Requirements of affine: accesses at affine subscripts are in bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation
from xdsl.ir.affine import AffineExpr

from xdsl_bufferization.dialects import affine
from xdsl_bufferization.interfaces.runtime_verifiable import (
    Affine,
    Requirement,
    Term,
)
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.memref.runtime_verification import in_bounds
from xdsl_bufferization.models.vector.runtime_verification import vector_in_bounds


@dataclass(frozen=True)
class _Access:
    """An access whose map is applied to the operands after the buffer."""

    buffer: int

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        map_ = cast(AffineMapAttr, op.properties["map"]).data
        operands = tuple(op.operands[self.buffer + 1 :])
        dims = [AffineExpr.dimension(i) for i in range(len(operands))]
        indices: list[Term] = [
            Affine(
                expression.replace_dims_and_symbols(
                    dims[: map_.num_dims], dims[map_.num_dims :]
                ),
                operands,
            )
            for expression in map_.results
        ]
        buffer = op.operands[self.buffer]
        if isinstance(op, affine.VectorLoadOp | affine.VectorStoreOp):
            value = op.operands[0] if self.buffer else op.results[0]
            return vector_in_bounds(buffer, indices, value)
        return in_bounds(buffer, indices)


def register() -> None:
    attach(affine.LoadOp, _Access(0))
    attach(affine.StoreOp, _Access(1))
    attach(affine.VectorLoadOp, _Access(0))
    attach(affine.VectorStoreOp, _Access(1))
