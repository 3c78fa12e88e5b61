"""Attaching models to interfaces."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition

from xdsl_bufferization.interfaces.table import InterfaceTable, attach


@runtime_checkable
class FirstInterface(Protocol):
    def first(self, op: Operation) -> int: ...


class Model:
    """Answers two interfaces, one of which is defined after it is attached."""

    def first(self, op: Operation) -> int:
        return 1

    def second(self, op: Operation) -> int:
        return 2


@irdl_op_definition
class MarkedOp(IRDLOperation):
    name = "test.marked"


def test_a_model_attached_before_an_interface_is_imported_is_found() -> None:
    first = InterfaceTable(FirstInterface)
    model = Model()
    attach(MarkedOp, model)

    @runtime_checkable
    class SecondInterface(Protocol):
        def second(self, op: Operation) -> int: ...

    second = InterfaceTable(SecondInterface)
    op = MarkedOp()
    found_first, found_second = first.lookup(op), second.lookup(op)
    assert found_first is not None
    assert found_second is not None
    assert (found_first.first(op), found_second.second(op)) == (1, 2)
