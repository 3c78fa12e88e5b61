"""Ops whose result is a view of the buffer they take."""

from __future__ import annotations

from enum import Enum
from typing import Protocol, runtime_checkable

from xdsl.ir import Operation, OpResult, SSAValue, Use

from xdsl_bufferization.interfaces.table import InterfaceTable
from xdsl_bufferization.interfaces.types import MEMREF_TYPES


@runtime_checkable
class ViewLikeOpInterface(Protocol):
    """An op whose first result always lives in the allocation of its source."""

    def get_view_source(self, op: Operation) -> SSAValue: ...

    def may_move_pointer(self, op: Operation) -> bool:
        """Whether the aligned pointer of the result may differ from the source's.

        Such a view cannot be recognised as one of its allocation at run time.
        """
        ...


VIEW_LIKE = InterfaceTable(ViewLikeOpInterface)

_CASTS_OF_ELEMENTS = ("arith.index_cast", "arith.index_castui")


class FirstOperandView:
    """Model of a view of the first operand, with the same aligned pointer."""

    def get_view_source(self, op: Operation) -> SSAValue:
        return op.operands[0]

    def may_move_pointer(self, op: Operation) -> bool:
        return False


def get_renamed(op: Operation) -> SSAValue | None:
    """The memref whose allocation the first result of an op is in: of a view, and of a
    cast of all elements, which MLIR does not count among the views."""
    model = VIEW_LIKE.lookup(op)
    if model is not None:
        return model.get_view_source(op)
    if op.name in _CASTS_OF_ELEMENTS and isinstance(op.results[0].type, MEMREF_TYPES):
        return op.operands[0]
    return None


def is_only_renamed(op: Operation, value: SSAValue) -> bool:
    """Whether all that an op does with a buffer is to give it another name. The shape of
    a memref.reshape is read."""
    return get_renamed(op) is value and sum(each is value for each in op.operands) == 1


def only_renames(op: Operation) -> bool:
    """Whether an op gives a buffer another name, and reads no other one for that."""
    return VIEW_LIKE.lookup(op) is not None and all(
        is_only_renamed(op, value)
        for value in op.operands
        if isinstance(value.type, MEMREF_TYPES)
    )


class PointerUse(Enum):
    """The most that is done with a pointer, and with what is computed of it.

    Members:
        COMPARED: arith.cmpi compares it.
        KEPT: it is stored, as in a list that deallocation compares, or returned, or
            computed with: who compares it later is not known.
        ACCESSED: memory may be accessed through it.
    """

    COMPARED = "compared"
    KEPT = "kept"
    ACCESSED = "accessed"


def pointer_use(op: Operation) -> PointerUse:
    """Return what is done with a pointer.

    Args:
        op: a memref.extract_aligned_pointer_as_index.
    """
    found = PointerUse.COMPARED
    worklist = list(op.results)
    for value in worklist:
        for use in value.uses:
            user = use.operation
            if user.name == "arith.cmpi":
                continue
            if user.name.startswith("arith."):
                found = PointerUse.KEPT
                worklist += (result for result in user.results if result not in worklist)
            elif _only_keeps(use):
                found = PointerUse.KEPT
            else:
                return PointerUse.ACCESSED
    return found


def _only_keeps(use: Use) -> bool:
    return use.operation.name == "func.return" or (
        use.operation.name == "memref.store" and use.index == 0
    )


def get_view_base(value: SSAValue) -> SSAValue:
    """The buffer that `value` is a view of, through any number of views."""
    while isinstance(value, OpResult):
        op = value.op
        model = VIEW_LIKE.lookup(op)
        if model is None or value.index != 0:
            return value
        value = model.get_view_source(op)
    return value


def get_comparable(value: SSAValue) -> SSAValue:
    """A memref of the same allocation whose aligned pointer has not been moved.

    That is `value`, or the source of the first view on the way to it that may move it.
    """
    comparable = value
    while isinstance(value, OpResult):
        op = value.op
        model = VIEW_LIKE.lookup(op)
        if model is None or value.index != 0:
            break
        value = model.get_view_source(op)
        if model.may_move_pointer(op):
            comparable = value
    return comparable
