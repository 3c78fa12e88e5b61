"""Buffer deallocation of arith.select: the ownership is selected like the buffer."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.booleans import build_select
from xdsl_bufferization.interfaces.buffer_deallocation import (
    DeallocationOptions,
    DeallocationState,
)
from xdsl_bufferization.interfaces.table import attach


class _Select:
    def process(
        self, op: Operation, state: DeallocationState, options: DeallocationOptions
    ) -> None:
        pass

    def materialize_unique_ownership(
        self, op: Operation, memref: SSAValue, place: Operation, state: DeallocationState
    ) -> tuple[SSAValue, SSAValue]:
        block = op.parent
        assert block is not None
        condition, true, false = op.operands
        own_true = state.get_ownership(true, block)
        own_false = state.get_ownership(false, block)
        if isinstance(own_true, SSAValue) and isinstance(own_false, SSAValue):
            return memref, build_select(place, condition, own_true, own_false)
        return state.get_memref_with_unique_ownership(memref, place)


def register() -> None:
    attach(arith.SelectOp, _Select())
