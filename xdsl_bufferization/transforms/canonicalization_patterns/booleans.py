"""Simplification of i1 logic, integer comparisons, and selects."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.arith import CmpiOp, ExtUIOp, element_or_self
from xdsl_bufferization.dialects.booleans import (
    fold_select,
    get_constant_bool,
    get_negated,
)
from xdsl_bufferization.transforms.canonicalization_patterns.elements import Number
from xdsl_bufferization.transforms.canonicalization_patterns.integers import (
    build_integer,
    constant_number,
    width_of,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

EQUAL, NOT_EQUAL = 0, 1
_TRUE_WHEN_EQUAL = frozenset((EQUAL, 3, 5, 7, 9))
_FIRST_UNSIGNED = 6
_SWAPPED = (0, 1, 4, 5, 2, 3, 8, 9, 6, 7)
"""The predicate to use when the operands are exchanged, by predicate."""
_INVERTED = (1, 0, 5, 4, 3, 2, 9, 8, 7, 6)
"""The predicate that holds when the other does not, by predicate."""


def combine_with_negation(op: Operation, worklist: Worklist) -> bool:
    """`c and not c` is false, `c or not c` is true."""
    lhs, rhs = op.operands
    if lhs.type != i1 or (get_negated(lhs) is not rhs and get_negated(rhs) is not lhs):
        return False
    return _replace(op, worklist.constants.get(op.name == "arith.ori"), worklist)


def absorb_operand(op: Operation, worklist: Worklist) -> bool:
    """`a and (a and b)` is `a and b`; likewise for or."""
    lhs, rhs = op.operands
    for value, other in ((lhs, rhs), (rhs, lhs)):
        inner = other.owner
        if (
            isinstance(inner, Operation)
            and inner.name == op.name
            and any(operand is value for operand in inner.operands)
        ):
            return _replace(op, other, worklist)
    return False


def fold_negation(op: Operation, worklist: Worklist) -> bool:
    """`not not c` is c, and `not (a < b)` is `a >= b`."""
    value, true = op.operands
    if get_constant_bool(true) is not True:
        return False
    negated = get_negated(value)
    if negated is not None:
        return _replace(op, negated, worklist)
    compared = value.owner
    if not isinstance(compared, arith.CmpiOp):
        return False
    inverted = _INVERTED[compared.predicate.value.data]
    new = CmpiOp(compared.lhs, compared.rhs, inverted)
    worklist.insert_before(op, new)
    return _replace(op, new.results[0], worklist)


def simplify_select(op: Operation, worklist: Worklist) -> bool:
    condition, true, false = op.operands
    value = fold_select(condition, true, false)
    if value is not None:
        return _replace(op, value, worklist)
    negated = get_negated(condition)
    if negated is not None:
        worklist.set_operands(op, [negated, false, true])
        return True
    if (
        condition.type == i1
        and get_constant_bool(true) is False
        and get_constant_bool(false) is True
    ):
        new = arith.XOrIOp(condition, false)
        worklist.insert_before(op, new)
        return _replace(op, new.results[0], worklist)
    return _replace(op, _select_of_equal(condition, true, false), worklist)


def _select_of_equal(
    condition: SSAValue, true: SSAValue, false: SSAValue
) -> SSAValue | None:
    """What `a == b ? a : b` and `a != b ? a : b` are."""
    compared = condition.owner
    if not isinstance(compared, arith.CmpiOp) or condition.type != i1:
        return None
    if {true, false} != set(compared.operands):
        return None
    predicate = compared.predicate.value.data
    if predicate == EQUAL:
        return false
    return true if predicate == NOT_EQUAL else None


def skip_decided_select(op: Operation, worklist: Worklist) -> bool:
    """A select on the condition of a select that it chooses from knows its choice."""
    condition, true, false = op.operands
    first, second = true.owner, false.owner
    if isinstance(first, arith.SelectOp) and first.operands[0] is condition:
        worklist.set_operands(op, [condition, first.operands[1], false])
        return True
    if isinstance(second, arith.SelectOp) and second.operands[0] is condition:
        worklist.set_operands(op, [condition, true, second.operands[2]])
        return True
    return False


def fold_comparison(op: Operation, worklist: Worklist) -> bool:
    """arith.cmpi of constants, of a value with itself, or of an i1 with a constant."""
    if not isinstance(op, arith.CmpiOp):
        return False
    lhs, rhs = op.operands
    predicate = op.predicate.value.data
    result = op.results[0].type
    unsigned = predicate >= _FIRST_UNSIGNED
    a = constant_number(lhs, unsigned=unsigned)
    b = constant_number(rhs, unsigned=unsigned)
    if lhs is rhs:
        known = int(predicate in _TRUE_WHEN_EQUAL)
        return _replace(op, build_integer(known, result, worklist), worklist)
    if a is not None and b is not None:
        known = _compare(predicate - 4 if unsigned else predicate, a, b)
        return _replace(op, build_integer(known, result, worklist), worklist)
    if a is not None:
        new = CmpiOp(rhs, lhs, _SWAPPED[predicate])
        worklist.insert_before(op, new)
        return _replace(op, new.results[0], worklist)
    if b is not None and element_or_self(lhs.type) == i1:
        is_same = (predicate == EQUAL and b != 0) or (predicate == NOT_EQUAL and b == 0)
        return is_same and _replace(op, lhs, worklist)
    return False


def evaluate_comparison(op: Operation, row: Sequence[int]) -> Sequence[int]:
    assert isinstance(op, arith.CmpiOp)
    predicate = op.predicate.value.data
    a, b = row
    if predicate >= _FIRST_UNSIGNED:
        mask = (1 << width_of(op.operands[0].type)) - 1
        return (_compare(predicate - 4, a & mask, b & mask),)
    return (_compare(predicate, a, b),)


def compare_extended_boolean(op: Operation, worklist: Worklist) -> bool:
    """An extended i1 is not 0 if it was not."""
    assert isinstance(op, arith.CmpiOp)
    inner = op.operands[0].owner
    if (
        not isinstance(inner, arith.ExtSIOp | arith.ExtUIOp)
        or op.predicate.value.data != NOT_EQUAL
        or constant_number(op.operands[1]) != 0
        or element_or_self(inner.operands[0].type) != i1
    ):
        return False
    return _replace(op, inner.operands[0], worklist)


def evaluate_select(op: Operation, row: Sequence[Number]) -> Sequence[Number] | None:
    condition, true, false = row
    number = true if condition else false
    # Python may change the bits of a NaN.
    return None if number != number else (number,)


def extend_condition(op: Operation, worklist: Worklist) -> bool:
    """A choice between 1 and 0 is the condition, extended."""
    condition, true, false = op.operands
    if constant_number(true) != 1 or constant_number(false) != 0:
        return False
    type = op.results[0].type
    if element_or_self(type) == i1 or isinstance(element_or_self(type), IndexType):
        return False
    if condition.type == i1 and type != element_or_self(type):
        return False
    new = ExtUIOp.create(operands=[condition], result_types=[type])
    worklist.insert_before(op, new)
    return _replace(op, new.results[0], worklist)


def _compare(predicate: int, a: int, b: int) -> int:
    return int((a == b, a != b, a < b, a <= b, a > b, a >= b)[predicate])


def compare_before_extension(op: Operation, worklist: Worklist) -> bool:
    """Two values that are extended alike are equal if they were before."""
    if not isinstance(op, arith.CmpiOp):
        return False
    predicate = op.predicate.value.data
    first, second = (value.owner for value in op.operands)
    if not (isinstance(first, Operation) and isinstance(second, Operation)):
        return False
    if first.name != second.name or first.operand_types != second.operand_types:
        return False
    is_equality = predicate in (EQUAL, NOT_EQUAL)
    is_signed = first.name == "arith.extsi" and predicate < _FIRST_UNSIGNED
    is_unsigned = first.name == "arith.extui" and predicate >= _FIRST_UNSIGNED
    if first.name not in ("arith.extsi", "arith.extui") or not (
        is_equality or is_signed or is_unsigned
    ):
        return False
    new = CmpiOp(first.operands[0], second.operands[0], predicate)
    worklist.insert_before(op, new)
    return _replace(op, new.results[0], worklist)


def _replace(op: Operation, value: SSAValue | None, worklist: Worklist) -> bool:
    if value is None:
        return False
    worklist.replace(op, [value])
    return True
