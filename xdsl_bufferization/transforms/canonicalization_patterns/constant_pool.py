"""Constants of a function: each is defined once, at the start of the entry block.

There it dominates every use, can be looked up by its value, and does not interfere with
rules that match adjacent ops or empty regions.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import ConstantLike

_Key: TypeAlias = tuple[str, frozenset[tuple[str, Attribute]], tuple[Attribute, ...]]


class Constants:
    """The constants at the start of a block, built when asked for.

    Args:
        block: the first block of an isolated region.
    """

    def __init__(self, block: Block):
        self._block = block
        self._placed: dict[_Key, Operation] = {}
        self._last: Operation | None = None
        """The op after which the next constant goes."""
        self._asked_for: list[Operation] = []
        """The constants built for the rule that is being tried."""

    def get(self, value: bool) -> SSAValue:
        return self.build(arith.ConstantOp(IntegerAttr(int(value), i1)))

    def build(self, op: Operation) -> SSAValue:
        """Return the result of `op`, a new constant, or of an equal one."""
        equal = self._get_placed(_key(op))
        if equal is None:
            self._place(op)
            self._asked_for.append(op)
            equal = op
        return equal.results[0]

    def keep_built(self) -> None:
        """The rule that the last constants were built for applies."""
        self._asked_for.clear()

    def erase_built(self) -> None:
        """The rule that the last constants were built for does not apply: erase them, so
        that the program is the same as before."""
        for op in self._asked_for:
            if op.parent is not None and op.results[0].first_use is None:
                if op is self._last:
                    self._last = op.prev_op
                op.parent.erase_op(op)
        self._asked_for.clear()

    def find_equal(self, op: Operation) -> Operation | None:
        """Return another constant that `op` can be replaced by."""
        equal = self._get_placed(_key(op))
        return None if equal is op else equal

    def move_to_start(self, op: Operation) -> bool:
        """Move a constant to the others; whether it was elsewhere."""
        key = _key(op)
        if self._get_placed(key) is op:
            return False
        if op.parent is self._block and op.prev_op is self._get_last():
            self._placed[key] = self._last = op
            return False
        op.detach()
        self._place(op)
        return True

    def _get_placed(self, key: _Key) -> Operation | None:
        op = self._placed.get(key)
        return None if op is None or op.parent is None else op

    def _get_last(self) -> Operation | None:
        if self._last is not None and self._last.parent is None:
            self._last = None
        return self._last

    def _place(self, op: Operation) -> None:
        last, first = self._get_last(), self._block.first_op
        if last is not None:
            self._block.insert_op_after(op, last)
        elif first is not None:
            self._block.insert_op_before(op, first)
        else:
            self._block.add_op(op)
        self._placed[_key(op)] = self._last = op


def _key(op: Operation) -> _Key:
    return op.name, frozenset(op.properties.items()), tuple(op.result_types)


@cache
def defines_constant(op_class: type[Operation]) -> bool:
    """Whether the ops of a class are constants."""
    return op_class.has_trait(ConstantLike, value_if_unregistered=False)


def value_of_constant(value: SSAValue) -> Attribute | None:
    """Return the attribute `value` of the constant, of any dialect, that defines it."""
    owner = value.owner
    if isinstance(owner, Block) or not defines_constant(type(owner)):
        return None
    return owner.properties.get("value")
