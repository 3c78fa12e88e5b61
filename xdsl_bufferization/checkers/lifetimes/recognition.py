"""Recognition of the helper function that bufferization-lower-deallocations calls.

    func.func private @helper(%list, %retained, %conditions, %freed, %owned)

The helper is recognised by its behaviour: it is *executed* on all small lists, and must
fill the last two as follows. Since it may only compare elements of the lists, and no
other numbers than counters from 0 by 1, it behaves the same on longer lists.

    freed[k]: conditions[k], and list[k] is neither retained nor in list before k
    owned[j]: the disjunction of conditions[i], of all i for which list[i] is retained[j]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

_SMALL_SIZES = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 1))
"""Lengths of the lists of pointers and of retained ones with which helpers are tried."""


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
    block = function.helper.body.block
    for count, retained_count in _SMALL_SIZES:
        for addresses in _patterns(count + retained_count):
            pointers, retained = addresses[:count], addresses[count:]
            for conditions in product((False, True), repeat=count):
                freed: list[Any] = [None] * count
                owned: list[Any] = [None] * retained_count
                lists = [list(pointers), list(retained), list(conditions), freed, owned]
                try:
                    _execute(block, dict(zip(block.args, lists, strict=True)))
                except _NotUnderstood:
                    return False
                if (freed, owned) != _expected(pointers, retained, conditions):
                    return False
    return True


def _patterns(length: int) -> Iterator[tuple[int, ...]]:
    """Return all lists of addresses, up to which of them are equal."""
    if not length:
        yield ()
        return
    for pattern in _patterns(length - 1):
        for last in range(max(pattern, default=-1) + 2):
            yield (*pattern, last)


def _expected(
    pointers: Sequence[int], retained: Sequence[int], conditions: Sequence[bool]
) -> tuple[list[bool], list[bool]]:
    pairs = list(zip(pointers, conditions, strict=True))
    freed = [
        condition and pointer not in retained and pointer not in pointers[:index]
        for index, (pointer, condition) in enumerate(pairs)
    ]
    return freed, [any(c for p, c in pairs if p == kept) for kept in retained]


class _NotUnderstood(Exception):
    """The helper does something that may differ on other lists."""


def _execute(block: Block, values: dict[SSAValue, Any]) -> Sequence[Any]:
    """Run a block, and return the operands of its terminator."""
    for op in block.ops:
        operands = [values[operand] for operand in op.operands]
        if op is block.last_op:
            return operands
        results = _run(op, operands, values)
        values.update(zip(op.results, results, strict=True))
    return ()


def _run(
    op: Operation, operands: list[Any], values: dict[SSAValue, Any]
) -> Sequence[Any]:
    if op.name == "scf.if":
        region = op.regions[0 if operands[0] else 1]
        return _execute(region.block, values) if region.blocks.first else ()
    if op.name == "scf.for":
        low, high, step, *carried = operands
        if "unsignedCmp" in op.properties or low != 0 or step != 1:
            raise _NotUnderstood
        body = op.regions[0].block
        for counter in range(high):
            values.update(zip(body.args, [counter, *carried], strict=True))
            carried = list(_execute(body, values))
        return carried
    if op.name not in _OPS:
        raise _NotUnderstood
    found = _OPS[op.name](op, operands)
    return () if not op.results else (found,)


def _load(_: Operation, operands: list[Any]) -> Any:
    elements, index = operands
    found = elements[_place(elements, index)]
    if found is None:
        raise _NotUnderstood
    return found


def _store(_: Operation, operands: list[Any]) -> None:
    value, elements, index = operands
    elements[_place(elements, index)] = value


def _place(elements: list[Any], index: Any) -> int:
    if type(index) is not int or not 0 <= index < len(elements):
        raise _NotUnderstood
    return index


def _compare(op: Operation, operands: list[Any]) -> bool:
    predicate = op.properties["predicate"]
    if not isinstance(predicate, IntegerAttr) or predicate.value.data not in (0, 1):
        raise _NotUnderstood
    return (operands[0] == operands[1]) == (predicate.value.data == 0)


def _constant(op: Operation, _: list[Any]) -> Any:
    number = op.properties["value"]
    if not isinstance(number, IntegerAttr) or number.value.data not in (-1, 0, 1):
        raise _NotUnderstood
    is_index = isinstance(op.results[0].type, IndexType)
    return number.value.data if is_index else bool(number.value.data)


_OPS: Mapping[str, Callable[[Operation, list[Any]], Any]] = {
    "arith.andi": lambda _, values: values[0] and values[1],
    "arith.cmpi": _compare,
    "arith.constant": _constant,
    "arith.ori": lambda _, values: values[0] or values[1],
    "arith.select": lambda _, values: values[1 if values[0] else 2],
    "arith.xori": lambda _, values: values[0] != values[1],
    "memref.dim": lambda _, values: len(values[0]),
    "memref.load": _load,
    "memref.store": _store,
}
