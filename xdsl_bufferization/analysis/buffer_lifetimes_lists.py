"""Conditions that go through memory: what a helper function computes from lists.

bufferization-lower-deallocations writes pointers and conditions to lists, calls a helper
function, and reads from further lists what to free. Here the helper is *executed*, with
what is known of the elements of the lists:

    memref.store %pointer, %list[%c0] : memref<2xindex>
    memref.store %own, %conditions[%c0] : memref<2xi1>
    ...
    call @helper(%list, ..., %result)
    %free = memref.load %result[%c0] : memref<2xi1>         // is this true?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, i1
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.analysis.value_bounds import constant_of
from xdsl_bufferization.dialects import memref

_MOST_STEPS = 20_000


@dataclass(frozen=True)
class Pointer:
    """The address of the allocation that is followed, or that of another memref (or, in
    the lists that helpers are executed with, its number)."""

    other: SSAValue | int | None


Element: TypeAlias = Pointer | bool | int | None
Evaluate: TypeAlias = Callable[[SSAValue], Any]


class _GivenUp(Exception):
    """The helper does what is not understood."""


@dataclass
class _Stored:
    """What is stored to the elements of a new list before a call."""

    values: list[SSAValue | None]
    is_condition: bool


class Lists:
    """Evaluates what is read from lists.

    Args:
        callee: the function that an op calls, if it is known.
    """

    def __init__(self, callee: Callable[[CallOp], FuncOp | None]) -> None:
        self._callee = callee
        self._calls: dict[SSAValue, CallOp | None] = {}
        self._stored: dict[CallOp, list[_Stored] | None] = {}
        self._done: dict[Any, list[list[Element]] | None] = {}

    def element(
        self, load: memref.LoadOp, truth: Evaluate, pointer: Evaluate
    ) -> bool | None:
        """The i1 that is read, None when it is not known."""
        index = constant_of(load.operands[1]) if len(load.operands) == 2 else None
        call = None if index is None else self._call(load.operands[0])
        stored = None if call is None else self._stored_before(call)
        if call is None or stored is None or index is None:
            return None
        helper = self._callee(call)
        if helper is None or helper.body.blocks.first is None:
            return None
        # With numbers instead of names, calls that are alike are executed once.
        numbers: dict[Pointer | None, Pointer | None] = {
            None: None,
            Pointer(None): Pointer(None),
        }
        lists = tuple(
            tuple(
                None
                if value is None
                else truth(value)
                if elements.is_condition
                else numbers.setdefault(pointer(value), Pointer(len(numbers)))
                for value in elements.values
            )
            for elements in stored
        )
        key = (helper, lists)
        if key not in self._done:
            try:
                self._done[key] = _Execution(helper, lists).lists
            except _GivenUp:
                self._done[key] = None
        done = self._done[key]
        if done is None:
            return None
        for operand, elements in zip(call.operands, done, strict=True):
            if _without_cast(operand) is load.operands[0] and 0 <= index < len(elements):
                found = elements[index]
                return found if isinstance(found, bool) else None
        return None

    def conditions_behind(self, load: memref.LoadOp, pointer: Evaluate) -> list[SSAValue]:
        """The conditions stored beside the address of the allocation that is followed:
        what is read from the list that a helper fills depends on them."""
        call = self._call(load.operands[0])
        stored = None if call is None else self._stored_before(call)
        here = {
            (len(pointers.values), index)
            for pointers in stored or ()
            if not pointers.is_condition
            for index, value in enumerate(pointers.values)
            if value is not None and pointer(value) == Pointer(None)
        }
        return [
            value
            for conditions in stored or ()
            if conditions.is_condition
            for index, value in enumerate(conditions.values)
            if value is not None and (len(conditions.values), index) in here
        ]

    def _call(self, list_: SSAValue) -> CallOp | None:
        if list_ not in self._calls:
            calls = calls_with(list_)
            self._calls[list_] = calls[0] if len(calls) == 1 else None
        return self._calls[list_]

    def _stored_before(self, call: CallOp) -> list[_Stored] | None:
        if call not in self._stored:
            found = [
                _find_stored(call, _without_cast(operand)) for operand in call.operands
            ]
            known = [stored for stored in found if stored is not None]
            self._stored[call] = known if len(known) == len(found) else None
        return self._stored[call]


def _without_cast(value: SSAValue) -> SSAValue:
    return value.owner.operands[0] if isinstance(value.owner, memref.CastOp) else value


def calls_with(list_: SSAValue) -> list[CallOp]:
    """The calls that a list on the heap or the stack is handed to."""
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


def _find_stored(call: CallOp, list_: SSAValue) -> _Stored | None:
    """What has been stored to a new list, each element once, before a call."""
    if not isinstance(list_.owner, memref.AllocOp | memref.AllocaOp):
        return None
    type_ = cast("MemRefType[Attribute]", list_.type)
    if type_.get_num_dims() != 1 or type_.get_shape()[0] < 0:
        return None
    values: list[SSAValue | None] = [None] * type_.get_shape()[0]
    for use in list_.uses:
        op = use.operation
        if not isinstance(op, memref.StoreOp) or use.index != 1:
            if isinstance(op, memref.CastOp | memref.LoadOp | memref.DeallocOp | CallOp):
                continue
            return None
        index = constant_of(op.operands[2])
        if op.parent is not call.parent or index is None:
            return None
        if not 0 <= index < len(values) or values[index] is not None:
            return None
        if not op.is_before_in_block(call):
            return None
        values[index] = op.operands[0]
    return _Stored(values, type_.element_type == i1)


class _Execution:
    """A run of a helper function on lists of which some elements are not known."""

    def __init__(self, helper: FuncOp, lists: Sequence[Sequence[Element]]) -> None:
        self.lists = [list(elements) for elements in lists]
        self._steps = 0
        self._values: dict[SSAValue, Any] = {}
        self._undecided = 0
        block = helper.body.block
        for argument, elements in zip(block.args, self.lists, strict=True):
            self._values[argument] = elements
        self._block(block)

    def _block(self, block: Block) -> list[Any]:
        for op in block.ops:
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise _GivenUp
            if op is block.last_op:
                return [self._values[operand] for operand in op.operands]
            values = [self._values[operand] for operand in op.operands]
            results = self._op(op, values)
            self._values.update(zip(op.results, results, strict=True))
        return []

    def _op(self, op: Operation, values: list[Any]) -> Sequence[Any]:
        match op.name:
            case "memref.load":
                return [values[0][self._place(values[0], values[1])]]
            case "arith.cmpi":
                predicate = op.properties["predicate"]
                assert isinstance(predicate, IntegerAttr)
                return [self._compare(predicate.value.data, *values)]
            case "arith.andi" | "arith.ori":
                decisive = op.name == "arith.ori"
                if decisive in values:
                    return [decisive]
                return [None if None in values else not decisive]
            case "arith.xori":
                return [None if None in values else values[0] != values[1]]
            case "memref.store":
                elements, place = values[1], self._place(values[1], values[2])
                if not self._undecided or elements[place] == values[0]:
                    elements[place] = values[0]
                else:
                    elements[place] = None
                return []
            case "scf.if" if not op.results:
                self._if(op, values[0])
                return []
            case "scf.for":
                carried = values[3:]
                body = op.regions[0].block
                for counter in range(*self._numbers(values[:3])):
                    self._values.update(zip(body.args, [counter, *carried], strict=True))
                    carried = self._block(body)
                return carried
            case "memref.dim":
                return [len(values[0])]
            case "arith.constant":
                number = op.properties["value"]
                if not isinstance(number, IntegerAttr):
                    raise _GivenUp
                is_index = isinstance(op.results[0].type, IndexType)
                data = number.value.data
                return [data if is_index else bool(data)]
            case _:
                raise _GivenUp

    def _if(self, op: Operation, condition: bool | None) -> None:
        """Where it is not known whether a branch is taken, what it writes is unknown,
        unless that was there already."""
        self._undecided += condition is None
        for number, region in enumerate(op.regions):
            if region.blocks.first is not None and condition in (None, number == 0):
                self._block(region.block)
        self._undecided -= condition is None

    def _compare(self, predicate: int, first: Any, second: Any) -> bool | None:
        if predicate not in (0, 1):
            raise _GivenUp
        if first is None or second is None:
            return None
        if (
            isinstance(first, Pointer)
            and isinstance(second, Pointer)
            and first != second
            and None not in (first.other, second.other)
        ):
            return None
        return (first == second) == (predicate == 0)

    def _place(self, elements: list[Element], index: Any) -> int:
        (place,) = self._numbers([index])
        if not 0 <= place < len(elements):
            raise _GivenUp
        return place

    def _numbers(self, values: Sequence[Any]) -> list[int]:
        if not all(type(value) is int for value in values):
            raise _GivenUp
        return list(values)
