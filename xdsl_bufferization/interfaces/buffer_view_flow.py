"""How buffers flow through an op that is neither a view nor control flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.table import InterfaceTable


@runtime_checkable
class BufferViewFlowOpInterface(Protocol):
    """An op whose memref results may be some of its operands."""

    def get_dependencies(self, op: Operation) -> Sequence[tuple[SSAValue, SSAValue]]:
        """Pairs of an operand and a result (or block argument) that it may become."""
        ...

    def may_be_terminal_buffer(self, op: Operation, value: SSAValue) -> bool:
        """Whether `value` may also be something else than what the op is given."""
        ...


BUFFER_VIEW_FLOW = InterfaceTable(BufferViewFlowOpInterface)
