"""Integer arithmetic that can be simplified or removed: products by -1, quotients of
products, logic of extended values, sums and products of two parts, and poison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith, ub
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.arith import CmpiOp, element_or_self
from xdsl_bufferization.dialects.shapes import is_integer
from xdsl_bufferization.transforms.canonicalization_patterns.elements import (
    Evaluate,
    build_elements,
    fold_elements,
)
from xdsl_bufferization.transforms.canonicalization_patterns.integers import (
    EVALUATE as OF_INTEGERS,
    build_integer,
    constant_number,
    width_of,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import (
    Rule,
    Worklist,
)


def fold_different_elements(name: str) -> Rule:
    """Return the rule for an op on constants whose elements differ."""
    evaluate = OF_INTEGERS[name]

    def evaluate_row(op: Operation, row: Sequence[int]) -> Sequence[int] | None:
        number = evaluate(row[0], row[1], width_of(op.results[0].type))
        return None if number is None else (number,)

    return fold_elements(evaluate_row)


def subtract_negated(op: Operation, worklist: Worklist) -> bool:
    """x + y * -1 is x - y."""
    lhs, rhs = op.operands
    for value, other in ((lhs, rhs), (rhs, lhs)):
        product = other.owner
        if isinstance(product, arith.MuliOp) and constant_number(product.rhs) == -1:
            new = arith.SubiOp(value, product.lhs, op.results[0].type)
            worklist.insert_before(op, new)
            worklist.replace(op, new.results)
            return True
    return False


_EXACT_FLAGS: Mapping[str, arith.IntegerOverflowFlag] = {
    "arith.divsi": arith.IntegerOverflowFlag.NSW,
    "arith.divui": arith.IntegerOverflowFlag.NUW,
}


def divide_product(op: Operation, worklist: Worklist) -> bool:
    """(x * y) / y is x if the product does not overflow."""
    product = op.operands[0].owner
    if not isinstance(product, arith.MuliOp):
        return False
    if _EXACT_FLAGS[op.name] not in product.overflow_flags.data:
        return False
    divisor = op.operands[1]
    if product.rhs is divisor:
        value = product.lhs
    elif product.lhs is divisor:
        value = product.rhs
    else:
        return False
    worklist.replace(op, [value])
    return True


def extend_later(op: Operation, worklist: Worklist) -> bool:
    """The and, or and exclusive or of extended values is an extended one."""
    first, second = (operand.owner for operand in op.operands)
    if (
        not isinstance(first, arith.ExtSIOp | arith.ExtUIOp)
        or not isinstance(second, Operation)
        or first.name != second.name
        or first.operands[0].type != second.operands[0].type
    ):
        return False
    narrow = first.operands[0].type
    logic = type(op).create(
        operands=[first.operands[0], second.operands[0]], result_types=[narrow]
    )
    worklist.insert_before(op, logic)
    extended = type(first).create(
        operands=logic.results, result_types=[op.results[0].type]
    )
    worklist.insert_before(op, extended)
    worklist.replace(op, extended.results)
    return True


def meet_complement(op: Operation, worklist: Worklist) -> bool:
    """`x and not x` is 0, `x or not x` has all bits set."""
    lhs, rhs = op.operands
    for value, other in ((lhs, rhs), (rhs, lhs)):
        if _complemented(other) is value:
            number = 0 if op.name == "arith.andi" else -1
            result = build_integer(number, op.results[0].type, worklist)
            if result is None:
                return False
            worklist.replace(op, [result])
            return True
    return False


def _complemented(value: SSAValue) -> SSAValue | None:
    """The value whose bits are all inverted in `value`."""
    xor = value.owner
    if not isinstance(xor, arith.XOrIOp):
        return None
    for operand, other in (xor.operands, reversed(xor.operands)):
        if constant_number(other) == -1:
            return operand
    return None


def cancel_exclusive_or(op: Operation, worklist: Worklist) -> bool:
    """(x xor y) xor y is x."""
    lhs, rhs = op.operands
    for value, inner in ((rhs, lhs.owner), (lhs, rhs.owner)):
        if isinstance(inner, arith.XOrIOp):
            first, second = inner.operands
            other = first if second is value else second if first is value else None
            if other is not None:
                worklist.replace(op, [other])
                return True
    return False


def propagate_poison(op: Operation, worklist: Worklist) -> bool:
    """Arithmetic with a poisoned operand is poisoned."""
    for operand in op.operands:
        if isinstance(operand.owner, ub.PoisonOp) and len(op.results) == 1:
            type_ = op.results[0].type
            value = worklist.constants.build(
                ub.PoisonOp.create(
                    properties=dict(operand.owner.properties), result_types=[type_]
                )
            )
            worklist.replace(op, [value])
            return True
    return False


def choose_unpoisoned(op: Operation, worklist: Worklist) -> bool:
    """A choice between poison and a value may be that value."""
    _, true, false = op.operands
    for value, other in ((true, false), (false, true)):
        if isinstance(other.owner, ub.PoisonOp):
            worklist.replace(op, [value])
            return True
    return False


# Ops with two results, of the low and the high bits


def _sum_parts(op: Operation, row: Sequence[int]) -> Sequence[int]:
    width = width_of(op.results[0].type)
    mask = (1 << width) - 1
    total = (row[0] & mask) + (row[1] & mask)
    return total & mask, total >> width


def _signed_product_parts(op: Operation, row: Sequence[int]) -> Sequence[int]:
    width = width_of(op.results[0].type)
    product = row[0] * row[1]
    return product, product >> width


def _unsigned_product_parts(op: Operation, row: Sequence[int]) -> Sequence[int]:
    mask = (1 << width_of(op.results[0].type)) - 1
    return _signed_product_parts(op, [number & mask for number in row])


EXTENDED: Mapping[str, Evaluate] = {
    "arith.addui_extended": _sum_parts,
    "arith.mulsi_extended": _signed_product_parts,
    "arith.mului_extended": _unsigned_product_parts,
}


def simplify_extended(op: Operation, worklist: Worklist) -> bool:
    """A sum or product of two parts with an operand of 0 or 1, or whose second part is
    not used."""
    lhs, rhs = op.operands
    if constant_number(lhs) is not None and constant_number(rhs) is None:
        worklist.set_operands(op, [rhs, lhs])
        return True
    low, high = op.results
    adds = op.name == "arith.addui_extended"
    signed = op.name == "arith.mulsi_extended"
    number = constant_number(rhs, unsigned=not signed)
    if number == 1 and signed and _extend_sign(op, worklist):
        return True
    if number == 0 or (number == 1 and not adds):
        zero = build_elements([0], high.type, worklist)
        if zero is not None:
            worklist.replace(op, [rhs if number == 0 and not adds else lhs, zero])
            return True
    if high.first_use is not None:
        return False
    one_part = (arith.AddiOp if adds else arith.MuliOp)(lhs, rhs, low.type)
    worklist.insert_before(op, one_part)
    worklist.replace_value(low, one_part.results[0])
    worklist.erase(op)
    return True


def _extend_sign(op: Operation, worklist: Worklist) -> bool:
    """x * 1: the high part has the sign of x in all bits."""
    value = op.operands[0]
    zero = build_integer(0, value.type, worklist)
    scalar = element_or_self(value.type)
    if zero is None or not is_integer(scalar) or scalar == IntegerType(1):
        return False
    negative = CmpiOp(value, zero, 2)
    worklist.insert_before(op, negative)
    sign = arith.ExtSIOp.create(operands=negative.results, result_types=[value.type])
    worklist.insert_before(op, sign)
    worklist.replace(op, [value, sign.results[0]])
    return True
