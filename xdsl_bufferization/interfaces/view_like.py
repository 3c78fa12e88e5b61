"""Ops whose result is a view of the buffer they take."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.interfaces.table import InterfaceTable


@runtime_checkable
class ViewLikeOpInterface(Protocol):
    """An op whose first result always lives in the allocation of its source."""

    def get_view_source(self, op: Operation) -> SSAValue: ...


VIEW_LIKE = InterfaceTable(ViewLikeOpInterface)


class FirstOperandView:
    """Model of a view of the first operand."""

    def get_view_source(self, op: Operation) -> SSAValue:
        return op.operands[0]


def get_view_base(value: SSAValue) -> SSAValue:
    """The buffer that `value` is a view of, through any number of views."""
    while isinstance(value, OpResult):
        op = value.op
        model = VIEW_LIKE.lookup(op)
        if model is None or value.index != 0:
            return value
        value = model.get_view_source(op)
    return value
