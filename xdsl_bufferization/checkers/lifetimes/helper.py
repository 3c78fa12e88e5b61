"""Lowered deallocs: conditions that pass through lists in memory and a helper function.

bufferization-lower-deallocations writes pointers and conditions to lists, calls a
helper function, and reads the decisions from further lists:

    memref.store %pointer, %list[%c0] : memref<2xindex>
    memref.store %own, %conditions[%c0] : memref<2xi1>
    ...
    call @helper(%list, %retained, %conditions, %freed, %owned)
    %free = memref.load %freed[%c0] : memref<2xi1>         // is this true?

The helper is recognised by its behaviour (recognition.py). A call of it is then treated
like the original bufferization.dealloc; owners.py evaluates both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.checkers.lifetimes.recognition import is_dealloc_helper
from xdsl_bufferization.dialects import bufferization, memref


@dataclass(eq=False)
class Dealloc:
    """A bufferization.dealloc, or what it was lowered to.

    Attributes:
        memory: the memrefs that may be freed, or pointers to them.
        retained: likewise those that are not.
        conditions: whether the former are owned.
        freed, owned: the lists that a helper fills.
    """

    memory: Sequence[SSAValue]
    retained: Sequence[SSAValue]
    conditions: Sequence[SSAValue]
    freed: SSAValue | None = None
    owned: SSAValue | None = None


@dataclass(frozen=True)
class Element:
    """An element of a list that a helper fills: whether an entry is freed, or whether
    retained memory is owned."""

    dealloc: Dealloc
    index: int
    is_freed: bool


class Deallocs:
    """Finds deallocs.

    Args:
        callee: the function that an op calls, if it is known.
    """

    def __init__(self, callee: Callable[[CallOp], FuncOp | None]) -> None:
        self._callee = callee
        self._of_list: dict[SSAValue, Dealloc | None] = {}
        self._of_op: dict[Operation, Dealloc | None] = {}
        self._elements: dict[Operation, Element | None] = {}

    def of_op(self, op: bufferization.DeallocOp) -> Dealloc:
        known = self._of_op.get(op)
        if known is None:
            known = Dealloc(op.memrefs, op.retained, op.conditions)
            self._of_op[op] = known
        return known

    def of_list(self, list_: SSAValue) -> Dealloc | None:
        """Return the call of a helper that a list is given to, if it is a single one and
        understood."""
        if list_ not in self._of_list:
            calls = calls_with(list_)
            found = self._understand(calls[0]) if len(calls) == 1 else None
            self._of_list[list_] = found
        return self._of_list[list_]

    def element_of(self, load: memref.LoadOp) -> Element | None:
        """Return which element of a list that a helper fills is read, if it is known."""
        if load not in self._elements:
            self._elements[load] = self._find_element(load)
        return self._elements[load]

    def _find_element(self, load: memref.LoadOp) -> Element | None:
        list_, dealloc = load.operands[0], self.of_list(load.operands[0])
        index = constant_of(load.operands[1]) if len(load.operands) == 2 else None
        if dealloc is None or index is None or index < 0:
            return None
        if list_ is dealloc.freed and index < len(dealloc.memory):
            return Element(dealloc, index, is_freed=True)
        if list_ is dealloc.owned and index < len(dealloc.retained):
            return Element(dealloc, index, is_freed=False)
        return None

    def _understand(self, op: CallOp) -> Dealloc | None:
        if op not in self._of_op:
            helper = self._callee(op)
            is_helper = helper is not None and is_dealloc_helper(helper)
            self._of_op[op] = _find_lists(op) if is_helper else None
        return self._of_op[op]


def calls_with(list_: SSAValue) -> list[CallOp]:
    """The calls that a list on the heap or the stack is given to."""
    if not isinstance(list_.owner, memref.AllocOp | memref.AllocaOp):
        return []
    users = [use.operation for use in list_.uses]
    for user in tuple(users):
        if isinstance(user, memref.CastOp):
            users += [use.operation for use in user.results[0].uses]
    return [user for user in users if isinstance(user, CallOp)]


def reads_of_results(list_: SSAValue) -> list[SSAValue]:
    """What is read from the lists that a helper fills from this one."""
    return [
        use.operation.results[0]
        for call in calls_with(list_)
        for operand in call.operands
        for use in _without_cast(operand).uses
        if isinstance(use.operation, memref.LoadOp)
    ]


def _without_cast(value: SSAValue) -> SSAValue:
    return value.owner.operands[0] if isinstance(value.owner, memref.CastOp) else value


def _find_lists(call: CallOp) -> Dealloc | None:
    """The lists of a call, if each element of those that are read has been stored once,
    in front of it, and nothing else is done with any."""
    lists = [_without_cast(operand) for operand in call.operands]
    if len(set(lists)) != len(lists):
        return None
    stored: list[list[SSAValue]] = []
    for list_ in lists[:3]:
        values = _find_stored(call, list_)
        if values is None:
            return None
        stored.append(values)
    pointers, retained, conditions = stored
    lengths = [_length(list_) for list_ in lists[3:]]
    if len(conditions) != len(pointers) or lengths != [len(pointers), len(retained)]:
        return None
    if any(_stores_to(list_) for list_ in lists[3:]):
        return None
    return Dealloc(pointers, retained, conditions, lists[3], lists[4])


def _length(list_: SSAValue) -> int | None:
    """The number of elements of a new list."""
    if not isinstance(list_.owner, memref.AllocOp | memref.AllocaOp):
        return None
    type_ = cast("MemRefType[Attribute]", list_.type)
    if type_.get_num_dims() != 1 or type_.get_shape()[0] < 0:
        return None
    return type_.get_shape()[0]


def _stores_to(list_: SSAValue) -> list[memref.StoreOp] | None:
    """The stores to a list, or nothing if its elements may be changed otherwise."""
    stores: list[memref.StoreOp] = []
    for use in list_.uses:
        op = use.operation
        if isinstance(op, memref.StoreOp) and use.index == 1:
            stores.append(op)
        elif not isinstance(
            op, memref.CastOp | memref.LoadOp | memref.DeallocOp | CallOp
        ):
            return None
    return stores


def _find_stored(call: CallOp, list_: SSAValue) -> list[SSAValue] | None:
    """What has been stored to a new list, each element once, before a call."""
    length, stores = _length(list_), _stores_to(list_)
    if length is None or stores is None or len(stores) != length:
        return None
    values: dict[int | None, SSAValue] = {
        constant_of(op.operands[2]): op.operands[0] for op in stores
    }
    if set(values) != set(range(length)) or not _are_before(stores, call):
        return None
    return [values[index] for index in range(length)]


def _are_before(stores: Sequence[Operation], call: CallOp) -> bool:
    missing = set(stores)
    before = call.prev_op
    while before is not None and missing:
        missing.discard(before)
        before = before.prev_op
    return not missing
