"""Simplification of i1 logic, and of comparisons of constants."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i1
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Operation, SSAValue
from xdsl.traits import ConstantLike

from xdsl_bufferization.dialects.booleans import (
    fold_and,
    fold_or,
    fold_select,
    get_constant_bool,
    get_negated,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def simplify_and(op: Operation, worklist: Worklist) -> bool:
    lhs, rhs = op.operands
    if op.results[0].type != i1:
        return fold_integers(op, worklist)
    value = fold_and(lhs, rhs)
    if value is None and (get_negated(lhs) is rhs or get_negated(rhs) is lhs):
        value = worklist.constants.get(False)
    return _replace(op, value, worklist)


def simplify_or(op: Operation, worklist: Worklist) -> bool:
    if op.results[0].type != i1:
        return fold_integers(op, worklist)
    return _replace(op, fold_or(*op.operands), worklist)


def simplify_xor(op: Operation, worklist: Worklist) -> bool:
    if op.results[0].type != i1:
        return fold_integers(op, worklist)
    lhs, rhs = op.operands
    if lhs is rhs:
        return _replace(op, worklist.constants.get(False), worklist)
    for value, other in ((lhs, rhs), (rhs, lhs)):
        constant = get_constant_bool(value)
        if constant is None:
            continue
        if constant is False:
            return _replace(op, other, worklist)
        known = get_constant_bool(other)
        if known is not None:
            return _replace(op, worklist.constants.get(not known), worklist)
        return _replace(op, get_negated(other), worklist)
    return False


def simplify_select(op: Operation, worklist: Worklist) -> bool:
    condition, true, false = op.operands
    negated = get_negated(condition)
    if negated is not None:
        worklist.set_operands(op, [negated, false, true])
        return True
    return _replace(op, fold_select(condition, true, false), worklist)


def fold_comparison(op: Operation, worklist: Worklist) -> bool:
    """arith.cmpi of two constants, or of a value with itself."""
    if not isinstance(op, arith.CmpiOp) or op.results[0].type != i1:
        return False
    lhs, rhs = op.operands
    predicate = op.predicate.value.data
    if lhs is rhs:
        equal = predicate in _TRUE_WHEN_EQUAL
        return _replace(op, worklist.constants.get(equal), worklist)
    a, b = (ConstantLike.get_constant_value(value) for value in op.operands)
    if not isinstance(a, IntegerAttr) or not isinstance(b, IntegerAttr):
        return False
    result = _compare(predicate, a.value.data, b.value.data, _get_width(lhs))
    return _replace(op, worklist.constants.get(result), worklist)


_TRUE_WHEN_EQUAL = frozenset((0, 3, 5, 7, 9))


def _get_width(value: SSAValue) -> int:
    if isinstance(value.type, IntegerType):
        return cast("IntegerType", value.type).width.data
    return 64


def _compare(predicate: int, a: int, b: int, width: int) -> bool:
    if predicate >= 6:
        a, b = a % (1 << width), b % (1 << width)
        predicate -= 4
    else:
        half = 1 << (width - 1)
        a, b = (a + half) % (2 * half) - half, (b + half) % (2 * half) - half
    return (a == b, a != b, a < b, a <= b, a > b, a >= b)[predicate]


def fold_integers(op: Operation, worklist: Worklist) -> bool:
    """Integer arithmetic of constants."""
    if not isinstance(op, HasFolderInterface):
        return False
    if not isinstance(op.results[0].type, IndexType | IntegerType):
        return False
    folded = op.fold()
    if folded is None or len(folded) != 1:
        return False
    (value,) = folded
    if isinstance(value, IntegerAttr):
        constant = arith.ConstantOp(cast("IntegerAttr", value))
        worklist.insert_before(op, constant)
        value = constant.results[0]
    return _replace(op, value if isinstance(value, SSAValue) else None, worklist)


def _replace(op: Operation, value: SSAValue | None, worklist: Worklist) -> bool:
    if value is None:
        return False
    worklist.replace(op, [value])
    return True
