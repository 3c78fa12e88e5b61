"""Ops whose result is a view of the buffer they take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Protocol, runtime_checkable

from xdsl.dialects.builtin import i1
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
_LOADS = ("llvm.load", "memref.load")


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
    for use in pointer_uses(op.results):
        user = use.operation
        if user.name == "arith.cmpi":
            continue
        if not user.name.startswith("arith.") and not _only_keeps(use):
            return PointerUse.ACCESSED
        found = PointerUse.KEPT
    return found


def pointer_uses(pointers: Iterable[SSAValue]) -> Iterator[Use]:
    """Iterate over the uses of pointers, and of all that is computed of them.

    A pointer is followed through any op without regions in its block. What is loaded
    through it, and the result of a comparison, are not computed of it. Nor are values
    that it is forwarded to, and memrefs: see `keeps_pointer`.
    """
    work = [*pointers]
    seen = set(work)
    for value in work:
        for use in value.uses:
            yield use
            user = use.operation
            if user.name not in _LOADS and not is_forwarded_by(user):
                found = [each for each in user.results if may_be_address(each)]
                work += (each for each in found if each not in seen)
                seen.update(found)


def is_forwarded_by(op: Operation) -> bool:
    """Whether an op may forward its operands: to a block, to its regions or from them."""
    return op.next_op is None or bool(op.regions)


def may_be_address(value: SSAValue) -> bool:
    """Whether a value that is computed of a pointer is followed: not a truth value, nor a
    memref."""
    return not isinstance(value.type, MEMREF_TYPES) and value.type != i1


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
