"""Numbers and conditions: computations with equal results (numbering.py)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.checkers.lifetimes.intervals import (
    Intervals,
    all_integers,
    contains,
    satisfying,
    signed,
    width_of,
)

_ARITHMETIC: Mapping[str, Callable[..., int]] = {
    "arith.addi": operator.add,
    "arith.subi": operator.sub,
    "arith.muli": operator.mul,
    "arith.maxsi": max,
    "arith.minsi": min,
    "arith.trunci": int,
    "arith.index_cast": int,
}
Source: TypeAlias = SSAValue | SymbolRefAttr
"""A value, or what all calls of a function depend on."""


@dataclass(eq=False, slots=True)
class Number:
    """A computation.

    Attributes:
        order: the order in which numbers were made.
        type: of the values.
        name: what computes it from the operands: an op, or a predicate of arith.cmpi.
        operands: for an operand that is an i1, with the truth it has there.
        sources: on what it depends, or some of that if it `is_complex`.
        homes: the blocks of the values it depends on. Each time control comes to one of
            them, it is another condition.
        constant: the signed integer that it always is.
        leaf: the value, of a number that is not computed.
        extended: how it is extended from an integer with fewer bits.
        subject, inside: of a condition, that `subject` is in `inside`.
        compared: the conditions of which this one is the subject.
        members: the values that have this number, up to negation.
        users: ops that depend on the condition without an operand for it.
    """

    order: int
    type: Attribute
    name: str | int = ""
    operands: Sequence[Condition] = ()
    sources: frozenset[Source] = frozenset()
    homes: frozenset[Block] = frozenset()
    is_complex: bool = False
    constant: int | None = None
    leaf: SSAValue | None = None
    extended: Extension | None = None
    subject: Number | None = None
    inside: Intervals = ()
    compared: list[Number] = field(default_factory=list["Number"])
    members: list[SSAValue] = field(default_factory=list[SSAValue])
    users: list[Operation] = field(default_factory=list[Operation])

    @property
    def domain(self) -> Intervals:
        """The values it can have, as far as its type says."""
        if self.extended is None:
            return all_integers(width_of(self.type))
        source = self.extended.source
        if self.extended.is_signed:
            return source.domain
        return ((0, (1 << width_of(source.type)) - 1),)

    def compute(self, operands: Sequence[int]) -> int | None:
        """Return the integer that results from some operands, if that is known."""
        if self.subject is not None:
            return int(contains(self.inside, operands[0]))
        if self.extended is not None:
            width = width_of(self.extended.source.type)
            if width == 1 and self.extended.is_signed:
                return -operands[0]
            is_kept = self.extended.is_signed or width == 1
            return operands[0] if is_kept else operands[0] % (1 << width)
        if isinstance(self.name, int):
            width = width_of(self.operands[0].number.type)
            return int(contains(satisfying(self.name, operands[1], width), operands[0]))
        found = _ARITHMETIC.get(self.name)
        return None if found is None else signed(found(*operands), width_of(self.type))


class Extension(NamedTuple):
    """That an integer is `source`, or its negation unless `truth`, with more bits."""

    source: Number
    truth: bool
    is_signed: bool


class Condition(NamedTuple):
    """That a number is `truth`."""

    number: Number
    truth: bool

    def negated(self) -> Condition:
        return Condition(self.number, not self.truth)


def evaluate(
    number: Number, integers: Mapping[Number, int], seen: dict[Number, int | None]
) -> int | None:
    """Return the integer that a number is where some are known.

    Args:
        seen: what was found before with the same integers.
    """
    if number.constant is not None:
        return number.constant
    if number in integers:
        return integers[number]
    if number.leaf is not None:
        return None
    if number not in seen:
        seen[number] = None
        values: list[int] = []
        for operand, truth in number.operands:
            value = evaluate(operand, integers, seen)
            if value is None:
                return None
            values.append(value if truth else 1 - value)
        seen[number] = number.compute(values)
    return seen[number]
