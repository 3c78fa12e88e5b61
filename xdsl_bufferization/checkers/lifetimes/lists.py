"""Conditions that go through memory: what a helper function computes from lists.

bufferization-lower-deallocations writes pointers and conditions to lists, calls a helper
function, and reads from further lists what to free:

    memref.store %pointer, %list[%c0] : memref<2xindex>
    memref.store %own, %conditions[%c0] : memref<2xi1>
    ...
    call @helper(%list, %retained, %conditions, %freed, %owned)
    %free = memref.load %freed[%c0] : memref<2xi1>         // is this true?

The helper is recognised by what it does: it is *executed* on all small lists, and must
have filled the other two as follows. Since it may only compare the elements of the lists,
and no numbers but counters from 0 by 1, it does the same with longer ones.

    freed[k]: conditions[k], and list[k] is neither retained nor in list before k
    owned[j]: the disjunction of conditions[i], of all i for which list[i] is retained[j]

What the helper has found is then evaluated with what is known of the elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.dialects import memref

_SMALL_SIZES = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 1))
"""Lengths of the lists of pointers and of retained ones with which helpers are tried."""


@dataclass(frozen=True)
class Pointer:
    """The address of the allocation that is followed, or that of another memref."""

    other: SSAValue | None


Truth: TypeAlias = bool | None
Evaluate: TypeAlias = Callable[[SSAValue], Any]


@dataclass(eq=False)
class _Call:
    """A call of a helper: what has been stored to lists before, and those it fills."""

    pointers: Sequence[SSAValue]
    retained: Sequence[SSAValue]
    conditions: Sequence[SSAValue]
    freed: SSAValue
    owned: SSAValue


class _Pointers:
    """The elements of a list of pointers, by what they are in a situation."""

    def __init__(self, values: Sequence[SSAValue], pointer: Evaluate) -> None:
        self.pointers: list[Pointer | None] = [pointer(value) for value in values]
        self.positions: dict[Pointer | None, list[int]] = {}
        for position, found in enumerate(self.pointers):
            self.positions.setdefault(found, []).append(position)

    def equal_to(self, pointer: Pointer | None) -> Sequence[int]:
        """The positions that surely have this address."""
        return () if pointer is None else self.positions.get(pointer, ())

    def maybe_equal_to(self, pointer: Pointer | None) -> Iterator[int]:
        """The positions that may have this address, the sure ones excluded."""
        for other, positions in self.positions.items():
            if (other is None or pointer is None) or (
                other != pointer and None not in (other.other, pointer.other)
            ):
                yield from positions


@dataclass(eq=False)
class _Resolved:
    """A call in one situation."""

    call: _Call
    pointers: _Pointers
    retained: _Pointers
    truth: Evaluate

    def freed(self, index: int) -> Truth:
        condition = self.truth(self.call.conditions[index])
        pointer = self.pointers.pointers[index]
        if condition is False or self.retained.equal_to(pointer):
            return False
        equal = self.pointers.equal_to(pointer)
        if equal and equal[0] < index:
            return False
        unsure = any(True for _ in self.retained.maybe_equal_to(pointer)) or any(
            position < index for position in self.pointers.maybe_equal_to(pointer)
        )
        return None if unsure else condition

    def owned(self, index: int) -> Truth:
        pointer = self.retained.pointers[index]
        conditions = self.call.conditions
        found = [self.truth(conditions[i]) for i in self.pointers.equal_to(pointer)]
        if True in found:
            return True
        if None in found:
            return None
        others = self.pointers.maybe_equal_to(pointer)
        return False if all(self.truth(conditions[i]) is False for i in others) else None


class Lists:
    """Evaluates what is read from lists.

    Args:
        callee: the function that an op calls, if it is known.
    """

    def __init__(self, callee: Callable[[CallOp], FuncOp | None]) -> None:
        self._callee = callee
        self._call_with: dict[SSAValue, _Call | None] = {}
        self._calls: dict[CallOp, _Call | None] = {}
        self._situation: object = None
        self._resolved: dict[_Call, _Resolved] = {}

    def element(
        self, load: memref.LoadOp, situation: object, truth: Evaluate, pointer: Evaluate
    ) -> Truth:
        """The i1 that is read, None when it is not known. What is found out about a call
        is kept as long as `situation` stays the same object."""
        call = self._call(load.operands[0])
        index = constant_of(load.operands[1]) if len(load.operands) == 2 else None
        if call is None or index is None:
            return None
        resolved = self._resolve(call, situation, truth, pointer)
        if load.operands[0] is call.freed and 0 <= index < len(call.pointers):
            return resolved.freed(index)
        if load.operands[0] is call.owned and 0 <= index < len(call.retained):
            return resolved.owned(index)
        return None

    def conditions_behind(
        self, load: memref.LoadOp, situation: object, truth: Evaluate, pointer: Evaluate
    ) -> list[SSAValue]:
        """The conditions stored beside the address of the allocation that is followed:
        what is read from the list that a helper fills depends on them."""
        call = self._call(load.operands[0])
        if call is None:
            return []
        resolved = self._resolve(call, situation, truth, pointer)
        inside = resolved.pointers.equal_to(Pointer(None))
        return [call.conditions[position] for position in inside]

    def _resolve(
        self, call: _Call, situation: object, truth: Evaluate, pointer: Evaluate
    ) -> _Resolved:
        if self._situation is not situation:
            self._situation, self._resolved = situation, {}
        if call not in self._resolved:
            self._resolved[call] = _Resolved(
                call,
                _Pointers(call.pointers, pointer),
                _Pointers(call.retained, pointer),
                truth,
            )
        return self._resolved[call]

    def _call(self, list_: SSAValue) -> _Call | None:
        if list_ not in self._call_with:
            calls = calls_with(list_)
            self._call_with[list_] = (
                self._recognised(calls[0]) if len(calls) == 1 else None
            )
        return self._call_with[list_]

    def _recognised(self, op: CallOp) -> _Call | None:
        if op not in self._calls:
            helper = self._callee(op)
            self._calls[op] = (
                _find_call(op)
                if helper is not None and is_dealloc_helper(helper)
                else None
            )
        return self._calls[op]


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


def _find_call(call: CallOp) -> _Call | None:
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
    return _Call(pointers, retained, conditions, lists[3], lists[4])


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


# Recognising helpers.


def is_dealloc_helper(helper: FuncOp) -> bool:
    """Return whether a function fills lists as the helper of a lowered dealloc does."""
    arguments = helper.function_type.inputs.data
    if len(arguments) != 5 or len(helper.body.blocks) != 1:
        return False
    return _behaves_as_helper(_Text(str(helper), helper))


class _Text:
    """A function, equal to all that have the same text."""

    def __init__(self, text: str, helper: FuncOp) -> None:
        self.text = text
        self.helper = helper

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Text) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)


@lru_cache(maxsize=16)
def _behaves_as_helper(function: _Text) -> bool:
    for count, retained_count in _SMALL_SIZES:
        for addresses in _patterns(count + retained_count):
            pointers, retained = addresses[:count], addresses[count:]
            for conditions in product((False, True), repeat=count):
                freed: list[Any] = [None] * count
                owned: list[Any] = [None] * retained_count
                lists = [list(pointers), list(retained), list(conditions), freed, owned]
                try:
                    _Execution(function.helper, lists)
                except _NotUnderstood:
                    return False
                if (freed, owned) != _expected(pointers, retained, conditions):
                    return False
    return True


def _patterns(length: int) -> Iterator[tuple[int, ...]]:
    """All lists of addresses, of which only matters which are equal."""
    if not length:
        yield ()
        return
    for pattern in _patterns(length - 1):
        for last in range(max(pattern, default=-1) + 2):
            yield (*pattern, last)


def _expected(
    pointers: Sequence[int], retained: Sequence[int], conditions: Sequence[bool]
) -> tuple[list[bool], list[bool]]:
    freed = [
        condition and pointer not in retained and pointer not in pointers[:index]
        for index, (pointer, condition) in enumerate(
            zip(pointers, conditions, strict=True)
        )
    ]
    pairs = list(zip(pointers, conditions, strict=True))
    owned = [any(c for p, c in pairs if p == kept) for kept in retained]
    return freed, owned


class _NotUnderstood(Exception):
    """The helper does what it is not known to do on all lists alike."""


class _Execution:
    """A run of a helper function, which fills lists."""

    def __init__(self, helper: FuncOp, lists: Sequence[list[Any]]) -> None:
        self._values: dict[SSAValue, Any] = {}
        block = helper.body.block
        self._values.update(zip(block.args, lists, strict=True))
        self._block(block)

    def _block(self, block: Block) -> list[Any]:
        for op in block.ops:
            values = [self._values[operand] for operand in op.operands]
            if op is block.last_op:
                return values
            results = self._op(op, values)
            self._values.update(zip(op.results, results, strict=True))
        return []

    def _op(self, op: Operation, values: list[Any]) -> Sequence[Any]:
        match op.name:
            case "memref.load":
                found = values[0][self._place(values[0], values[1])]
                if found is None:
                    raise _NotUnderstood
                return [found]
            case "memref.store":
                values[1][self._place(values[1], values[2])] = values[0]
                return []
            case "arith.cmpi":
                predicate = op.properties["predicate"]
                assert isinstance(predicate, IntegerAttr)
                if predicate.value.data not in (0, 1):
                    raise _NotUnderstood
                return [(values[0] == values[1]) == (predicate.value.data == 0)]
            case "arith.andi":
                return [values[0] and values[1]]
            case "arith.ori":
                return [values[0] or values[1]]
            case "arith.xori":
                return [values[0] != values[1]]
            case "arith.select":
                return [values[1] if values[0] else values[2]]
            case "scf.if":
                region = op.regions[0 if values[0] else 1]
                return self._block(region.block) if region.blocks.first else []
            case "scf.for":
                return self._loop(op, values)
            case "memref.dim":
                return [len(values[0])]
            case "arith.constant":
                return [self._constant(op)]
            case _:
                raise _NotUnderstood

    def _loop(self, op: Operation, values: list[Any]) -> list[Any]:
        low, high, step, *carried = values
        if "unsignedCmp" in op.properties or low != 0 or step != 1:
            raise _NotUnderstood
        body = op.regions[0].block
        for counter in range(high):
            self._values.update(zip(body.args, [counter, *carried], strict=True))
            carried = self._block(body)
        return carried

    def _constant(self, op: Operation) -> Any:
        number = op.properties["value"]
        if not isinstance(number, IntegerAttr) or number.value.data not in (-1, 0, 1):
            raise _NotUnderstood
        is_index = isinstance(op.results[0].type, IndexType)
        return number.value.data if is_index else bool(number.value.data)

    def _place(self, elements: list[Any], index: Any) -> int:
        if type(index) is not int or not 0 <= index < len(elements):
            raise _NotUnderstood
        return index
