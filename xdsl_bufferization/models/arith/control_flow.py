"""How buffers flow through arith.select."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.buffer_view_flow import BufferViewFlowOpInterface
from xdsl_bufferization.interfaces.table import attach


class _Select(BufferViewFlowOpInterface):
    def get_dependencies(self, op: Operation) -> Sequence[tuple[SSAValue, SSAValue]]:
        result = op.results[0]
        return ((op.operands[1], result), (op.operands[2], result))

    def may_be_terminal_buffer(self, op: Operation, value: SSAValue) -> bool:
        return False


def register() -> None:
    attach(arith.SelectOp, _Select())
