"""Calls of functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.table import InterfaceTable


@runtime_checkable
class CallOpInterface(Protocol):
    """An op that calls a function."""

    def get_callable_for_callee(self, op: Operation) -> SymbolRefAttr | SSAValue:
        """The function: a symbol, or the value that holds it in an indirect call."""
        ...

    def get_arg_operands(self, op: Operation) -> Sequence[SSAValue]: ...


CALL = InterfaceTable(CallOpInterface)
