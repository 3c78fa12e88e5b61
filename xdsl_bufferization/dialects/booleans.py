"""Logic on i1 values, folded while it is built.

Passes that guard ops by conditions build most of them from constants. Each function here
inserts the op it needs before `place` and returns its result, or returns an operand or a
constant when the result is known. A constant result is one of the operands.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1
from xdsl.ir import Block, Operation, OpResult, SSAValue


def get_constant_bool(value: SSAValue) -> bool | None:
    """The constant that an i1 value is, or None."""
    if not isinstance(value, OpResult) or value.op.name not in _CONSTANTS:
        return None
    attribute = value.op.properties.get("value")
    if value.type == i1 and isinstance(attribute, IntegerAttr):
        return cast("IntegerAttr[IntegerType]", attribute).value.data != 0
    return None


_CONSTANTS = ("arith.constant", "index.bool.constant")


def insert_before(place: Operation, op: Operation) -> OpResult:
    """Insert `op`, which has a result, and return its first."""
    block = place.parent
    assert block is not None
    block.insert_op_before(op, place)
    return op.results[0]


def build_constant(place: Operation, value: bool) -> SSAValue:
    return insert_before(place, arith.ConstantOp(IntegerAttr(int(value), i1)))


def fold_and(lhs: SSAValue, rhs: SSAValue) -> SSAValue | None:
    """The operand that `lhs and rhs` is, if it is one."""
    if lhs is rhs:
        return lhs
    for value, other in ((lhs, rhs), (rhs, lhs)):
        constant = get_constant_bool(value)
        if constant is not None:
            return other if constant else value
    return None


def fold_or(lhs: SSAValue, rhs: SSAValue) -> SSAValue | None:
    """The operand that `lhs or rhs` is, if it is one."""
    if lhs is rhs:
        return lhs
    for value, other in ((lhs, rhs), (rhs, lhs)):
        constant = get_constant_bool(value)
        if constant is not None:
            return value if constant else other
    return None


def fold_select(condition: SSAValue, true: SSAValue, false: SSAValue) -> SSAValue | None:
    """The operand that a select is, if it is one."""
    if true is false:
        return true
    constant = get_constant_bool(condition)
    if constant is not None:
        return true if constant else false
    if get_constant_bool(true) is True and get_constant_bool(false) is False:
        return condition
    return None


def get_negated(value: SSAValue) -> SSAValue | None:
    """What `value` is the negation of."""
    if isinstance(value, OpResult) and isinstance(value.op, arith.XOrIOp):
        lhs, rhs = value.op.operands
        if get_constant_bool(rhs) is True:
            return lhs
        if get_constant_bool(lhs) is True:
            return rhs
    return None


def build_and(place: Operation, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    folded = fold_and(lhs, rhs)
    if folded is not None:
        return folded
    return insert_before(place, _build_logic(arith.AndIOp, lhs, rhs))


def build_or(place: Operation, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    folded = fold_or(lhs, rhs)
    if folded is not None:
        return folded
    return insert_before(place, _build_logic(arith.OrIOp, lhs, rhs))


def build_select(
    place: Operation, condition: SSAValue, true: SSAValue, false: SSAValue
) -> SSAValue:
    folded = fold_select(condition, true, false)
    if folded is not None:
        return folded
    return insert_before(place, arith.SelectOp(condition, true, false))


def build_not(place: Operation, value: SSAValue, constants: BoolConstants) -> SSAValue:
    constant = get_constant_bool(value)
    if constant is not None:
        return constants.get(not constant)
    true = constants.get(True)
    return insert_before(place, _build_logic(arith.XOrIOp, value, true))


def _build_logic(op_class: type[Operation], lhs: SSAValue, rhs: SSAValue) -> Operation:
    # There are several of them per buffer: `create` does not look at the op's definition.
    return op_class.create(operands=[lhs, rhs], result_types=[i1])


class BoolConstants:
    """The constants true and false at the start of a block, built when asked for.

    Clean-up may erase them again between two questions.
    """

    def __init__(self, block: Block):
        self.block = block
        self._constants: dict[bool, OpResult] = {}

    def get(self, value: bool) -> SSAValue:
        constant = self._constants.get(value)
        if constant is None or constant.op.parent is None:
            op = arith.ConstantOp(IntegerAttr(int(value), i1))
            first = self.block.first_op
            if first is None:
                self.block.add_op(op)
            else:
                self.block.insert_op_before(op, first)
            constant = self._constants[value] = op.results[0]
        return constant
