"""Buffer deallocation of the scf terminators that forward no buffers."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects import scf
from xdsl_bufferization.interfaces.buffer_deallocation import (
    BufferDeallocationModel,
    DeallocationOptions,
    DeallocationState,
)
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.interfaces.table import attach


class _Reduce(BufferDeallocationModel):
    """scf.reduce and scf.reduce.return combine scalars."""

    def process(
        self, op: Operation, state: DeallocationState, options: DeallocationOptions
    ) -> None:
        if any(map(is_memref, op.operands)):
            raise PassFailedException(
                f"'{op.name}' reduces memrefs, which is not supported: reduce their "
                "elements instead"
            )
        state.insert_dealloc_for_return_like(op, ())


class _InParallel(BufferDeallocationModel):
    """scf.forall.in_parallel is empty once everything is bufferized."""

    def process(
        self, op: Operation, state: DeallocationState, options: DeallocationOptions
    ) -> None:
        if any(block.first_op is not None for block in op.regions[0].blocks):
            raise PassFailedException(
                f"'{op.name}' still has tensor ops inside: bufferize it first"
            )
        state.insert_dealloc_for_return_like(op, ())


def register() -> None:
    attach(scf.ReduceOp, _Reduce())
    attach(scf.ReduceReturnOp, _Reduce())
    attach(scf.InParallelOp, _InParallel())
