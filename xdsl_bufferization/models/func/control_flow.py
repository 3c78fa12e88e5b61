"""Control flow of func: calls and returns. Indirect calls are in values.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.region_branch import ReturnLike
from xdsl_bufferization.interfaces.table import attach


class _Call:
    def get_callable_for_callee(self, op: Operation) -> SymbolRefAttr | SSAValue:
        return cast(SymbolRefAttr, op.properties["callee"])

    def get_arg_operands(self, op: Operation) -> Sequence[SSAValue]:
        return op.operands


def register() -> None:
    attach(func.CallOp, _Call())
    attach(func.ReturnOp, ReturnLike())
