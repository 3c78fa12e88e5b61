"""Folding of float arithmetic: constants and neutral operands.

Results are those of IEEE 754, to the last bit: `x + 0.0` is not x, because -0.0 + 0.0 is
0.0, but `x + -0.0` is. No rule creates a NaN, since its bits depend on the machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.transforms.canonicalization_patterns.elements import (
    Evaluate,
    Number,
    build_elements,
    constant_elements,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def constant_float(value: SSAValue) -> float | None:
    """Return the float that a constant holds, in every element if it has several."""
    numbers = constant_elements(value)
    if numbers is None or len(numbers) != 1 or isinstance(numbers[0], int):
        return None
    return numbers[0]


def _is_positive_zero(number: float) -> bool:
    return number == 0 and math.copysign(1, number) > 0


def _is_negative_zero(number: float) -> bool:
    return number == 0 and math.copysign(1, number) < 0


def _is_one(number: float) -> bool:
    return number == 1


_NEUTRAL: Mapping[str, Callable[[float], bool]] = {
    "arith.addf": _is_negative_zero,
    "arith.subf": _is_positive_zero,
    "arith.mulf": _is_one,
    "arith.divf": _is_one,
    "arith.maximumf": lambda number: number == -math.inf,
    "arith.minimumf": lambda number: number == math.inf,
    "arith.maxnumf": math.isnan,
    "arith.minnumf": math.isnan,
}
"""The second operands with which the result is the first."""

COMMUTATIVE = frozenset(
    f"arith.{name}"
    for name in ("addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf")
)

_IDEMPOTENT = frozenset(
    f"arith.{name}" for name in ("maximumf", "minimumf", "maxnumf", "minnumf")
)


def drop_neutral_operand(op: Operation, worklist: Worklist) -> bool:
    """Float arithmetic whose result is one of its operands."""
    lhs, rhs = op.operands
    number = constant_float(rhs)
    neutral = _NEUTRAL.get(op.name)
    if number is not None and neutral is not None and neutral(number):
        worklist.replace(op, [lhs])
        return True
    if lhs is rhs and op.name in _IDEMPOTENT:
        worklist.replace(op, [lhs])
        return True
    if (
        op.name in COMMUTATIVE
        and constant_elements(lhs) is not None
        and constant_elements(rhs) is None
    ):
        worklist.set_operands(op, [rhs, lhs])
        return True
    return False


def multiply_by_zero(op: Operation, worklist: Worklist) -> bool:
    """x * 0 is 0 if NaNs and the signs of zeros are of no interest."""
    assert isinstance(op, arith.MulfOp)
    if not {FastMathFlag.NO_NANS, FastMathFlag.NO_SIGNED_ZEROS} <= set(op.fastmath.data):
        return False
    if constant_float(op.rhs) != 0:
        return False
    worklist.replace(op, [op.rhs])
    return True


def cancel_negations(op: Operation, worklist: Worklist) -> bool:
    """-x * -y is x * y; likewise for quotients."""
    owners = [operand.owner for operand in op.operands]
    if not all(isinstance(owner, arith.NegfOp) for owner in owners):
        return False
    worklist.set_operands(
        op, [owner.operands[0] for owner in owners if isinstance(owner, Operation)]
    )
    return True


def negate_twice(op: Operation, worklist: Worklist) -> bool:
    inner = op.operands[0].owner
    if not isinstance(inner, arith.NegfOp):
        return False
    worklist.replace(op, [inner.operands[0]])
    return True


_Binary = Callable[[float, float], float]


def _finite_or_infinite(function: _Binary) -> Evaluate:
    def evaluate(op: Operation, row: Sequence[float]) -> Sequence[Number] | None:
        a, b = row
        number = function(a, b)
        return None if math.isnan(number) else (number,)

    return evaluate


def _quotient(a: float, b: float) -> float:
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


def _remainder(a: float, b: float) -> float:
    return math.nan if b == 0 or math.isinf(a) else math.fmod(a, b)


def _extremum(sign: int, *, propagates_nan: bool) -> _Binary:
    def extremum(a: float, b: float) -> float:
        if math.isnan(a) or math.isnan(b):
            if propagates_nan:
                return math.nan
            return b if math.isnan(a) else a
        # Of two zeros, the positive one is the greater.
        keys = [(number * sign, math.copysign(1, number) * sign) for number in (a, b)]
        return a if keys[0] >= keys[1] else b

    return extremum


def _negation(op: Operation, row: Sequence[float]) -> Sequence[Number] | None:
    return None if math.isnan(row[0]) else (-row[0],)


_FUNCTIONS: Mapping[str, _Binary] = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.divf": _quotient,
    "arith.remf": _remainder,
    "arith.maximumf": _extremum(1, propagates_nan=True),
    "arith.minimumf": _extremum(-1, propagates_nan=True),
    "arith.maxnumf": _extremum(1, propagates_nan=False),
    "arith.minnumf": _extremum(-1, propagates_nan=False),
}

EVALUATE: Mapping[str, Evaluate] = {
    **{name: _finite_or_infinite(f) for name, f in _FUNCTIONS.items()},
    "arith.negf": _negation,
}
"""Results in 64 bits. To round them again is harmless: 64 bits are more than twice as
precise as 32, for which a second rounding never changes sums, products or quotients."""


_ORDERED_EQUAL = 1
_FIRST_UNORDERED = 8
ALWAYS_FALSE, ORDERED, UNORDERED, ALWAYS_TRUE = 0, 7, 14, 15


def compares(predicate: int, a: float, b: float) -> bool:
    """Whether a predicate of arith.cmpf holds."""
    if math.isnan(a) or math.isnan(b):
        return predicate >= _FIRST_UNORDERED
    if predicate in (ALWAYS_FALSE, UNORDERED):
        return False
    if predicate in (ALWAYS_TRUE, ORDERED):
        return True
    relation = (predicate - _ORDERED_EQUAL) % 7
    return (a == b, a > b, a >= b, a < b, a <= b, a != b)[relation]


def fold_comparison(op: Operation, worklist: Worklist) -> bool:
    """arith.cmpf of constants, with NaN, or that always or never holds."""
    assert isinstance(op, arith.CmpfOp)
    predicate = op.predicate.value.data
    holds: int | None = None
    if predicate in (ALWAYS_FALSE, ALWAYS_TRUE):
        holds = int(predicate == ALWAYS_TRUE)
    for operand in op.operands:
        number = constant_float(operand)
        if number is not None and math.isnan(number):
            holds = int(compares(predicate, number, number))
    if holds is None:
        return False
    value = build_elements([holds], op.results[0].type, worklist)
    if value is None:
        return False
    worklist.replace(op, [value])
    return True


def evaluate_comparison(op: Operation, row: Sequence[float]) -> Sequence[Number]:
    assert isinstance(op, arith.CmpfOp)
    return (int(compares(op.predicate.value.data, *row)),)
