"""Folding of integer arithmetic: constants, neutral operands, equal operands.

Constants are scalars or splats. An op whose result would be undefined (a division by
zero, a shift by the width or more) is not folded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.dialects.arith import element_or_self
from xdsl_bufferization.dialects.constants import read_integer
from xdsl_bufferization.dialects.dense_elements import has_dense_form
from xdsl_bufferization.dialects.shapes import is_integer, is_tensor, is_vector
from xdsl_bufferization.transforms.canonicalization_patterns.constant_pool import (
    value_of_constant,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

_Evaluate: TypeAlias = Callable[[int, int, int], int | None]
"""The result for two operands, read as signed integers, of a width; None if undefined."""


def constant_number(value: SSAValue, *, unsigned: bool = False) -> int | None:
    """Return the integer that a constant holds, in every element if it has several."""
    type = _integer_type(value.type)
    attribute = value_of_constant(value)
    if type is None:
        return None
    if isinstance(attribute, IntegerAttr):
        number = attribute.value.data
    elif isinstance(attribute, DenseIntOrFPElementsAttr) and attribute.is_splat():
        number = next(iter(attribute.iter_values()))
        assert isinstance(number, int)
    else:
        return None
    return read_integer(number, type, unsigned=unsigned)


def build_integer(number: int, type: Attribute, worklist: Worklist) -> SSAValue | None:
    """Return a constant that holds an integer, in every element if it has several."""
    scalar = _integer_type(type)
    if scalar is None:
        return None
    number = read_integer(number, scalar)
    if scalar == IntegerType(1):
        number &= 1
    attribute: Attribute = IntegerAttr(number, scalar)
    if is_tensor(type) or is_vector(type):
        if DYNAMIC_INDEX in type.get_shape() or not has_dense_form(scalar):
            return None
        shaped = cast("TensorType[IntegerType]", type)
        attribute = DenseIntOrFPElementsAttr.from_list(shaped, [number])
    return worklist.constants.build(arith.ConstantOp(attribute, type))


def _integer_type(type: Attribute) -> IntegerType | IndexType | None:
    scalar = element_or_self(type)
    if isinstance(scalar, IndexType):
        return scalar
    return scalar if is_integer(scalar) else None


def width_of(type: Attribute) -> int:
    scalar = _integer_type(type)
    return scalar.width.data if isinstance(scalar, IntegerType) else 64


def fold_integers(op: Operation, worklist: Worklist) -> bool:
    """Integer arithmetic whose result is an operand or a constant."""
    lhs, rhs = op.operands
    type = op.results[0].type
    a, b = constant_number(lhs), constant_number(rhs)
    evaluate = EVALUATE.get(op.name)
    value: SSAValue | None = None
    if a is not None and b is not None and evaluate is not None:
        number = evaluate(a, b, width_of(type))
        if number is not None:
            value = build_integer(number, type, worklist)
    elif b is not None:
        value = _fold_constant_right(op.name, lhs, b, type, worklist)
    elif a is not None and op.name in COMMUTATIVE:
        worklist.set_operands(op, [rhs, lhs])
        return True
    elif lhs is rhs:
        value = _fold_equal_operands(op.name, lhs, type, worklist)
    if value is None:
        return False
    worklist.replace(op, [value])
    return True


COMMUTATIVE = frozenset(
    f"arith.{name}"
    for name in (
        "addi",
        "muli",
        "andi",
        "ori",
        "xori",
        "maxsi",
        "maxui",
        "minsi",
        "minui",
    )
)


def _fold_constant_right(
    name: str, lhs: SSAValue, number: int, type: Attribute, worklist: Worklist
) -> SSAValue | None:
    """The result of an op whose second operand is a constant."""
    width = width_of(type)
    for table, result in ((_NEUTRAL, lhs), (_ABSORBING, None)):
        special = table.get(name)
        if (
            special is not None
            and read_integer(special(width), IntegerType(width)) == number
        ):
            if result is not None:
                return result
            return build_integer(number, type, worklist)
    if number == 1 % (1 << width) and name in ("arith.remui", "arith.remsi"):
        return build_integer(0, type, worklist)
    return None


def _zero(width: int) -> int:
    return 0


def _one(width: int) -> int:
    return 1


def _ones(width: int) -> int:
    return -1


def _greatest(width: int) -> int:
    return (1 << (width - 1)) - 1


def _least(width: int) -> int:
    return -(1 << (width - 1))


_NEUTRAL: Mapping[str, Callable[[int], int]] = {
    "arith.addi": _zero,
    "arith.subi": _zero,
    "arith.muli": _one,
    "arith.divsi": _one,
    "arith.divui": _one,
    "arith.ceildivsi": _one,
    "arith.ceildivui": _one,
    "arith.floordivsi": _one,
    "arith.andi": _ones,
    "arith.ori": _zero,
    "arith.xori": _zero,
    "arith.maxsi": _least,
    "arith.maxui": _zero,
    "arith.minsi": _greatest,
    "arith.minui": _ones,
    "arith.shli": _zero,
    "arith.shrsi": _zero,
    "arith.shrui": _zero,
}
"""The second operand with which the result is the first."""

_ABSORBING: Mapping[str, Callable[[int], int]] = {
    "arith.muli": _zero,
    "arith.andi": _zero,
    "arith.ori": _ones,
    "arith.maxsi": _greatest,
    "arith.maxui": _ones,
    "arith.minsi": _least,
    "arith.minui": _zero,
}
"""The second operand that is the result itself."""


def _fold_equal_operands(
    name: str, value: SSAValue, type: Attribute, worklist: Worklist
) -> SSAValue | None:
    if name in ("arith.subi", "arith.xori"):
        return build_integer(0, type, worklist)
    return value if name in _IDEMPOTENT else None


_IDEMPOTENT = frozenset(
    f"arith.{name}" for name in ("andi", "ori", "maxsi", "maxui", "minsi", "minui")
)


def _unsigned(evaluate: _Evaluate) -> _Evaluate:
    def on_unsigned(a: int, b: int, width: int) -> int | None:
        mask = (1 << width) - 1
        return evaluate(a & mask, b & mask, width)

    return on_unsigned


def _quotient(a: int, b: int, width: int) -> int | None:
    """The quotient rounded towards zero."""
    if b == 0 or (a == _least(width) and b == -1):
        return None
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int, width: int) -> int | None:
    quotient = _quotient(a, b, width)
    return None if quotient is None else a - b * quotient


def _floor(a: int, b: int, width: int) -> int | None:
    return None if _quotient(a, b, width) is None else a // b


def _ceiling(a: int, b: int, width: int) -> int | None:
    return None if b == 0 or _floor(a, b, width) is None else -(-a // b)


def _shift(shift: Callable[[int, int], int]) -> _Evaluate:
    def evaluate(a: int, b: int, width: int) -> int | None:
        return shift(a, b) if 0 <= b < width else None

    return evaluate


EVALUATE: Mapping[str, _Evaluate] = {
    "arith.addi": lambda a, b, width: a + b,
    "arith.subi": lambda a, b, width: a - b,
    "arith.muli": lambda a, b, width: a * b,
    "arith.andi": lambda a, b, width: a & b,
    "arith.ori": lambda a, b, width: a | b,
    "arith.xori": lambda a, b, width: a ^ b,
    "arith.divsi": _quotient,
    "arith.divui": _unsigned(lambda a, b, width: a // b if b else None),
    "arith.remsi": _remainder,
    "arith.remui": _unsigned(lambda a, b, width: a % b if b else None),
    "arith.floordivsi": _floor,
    "arith.ceildivsi": _ceiling,
    "arith.ceildivui": _unsigned(lambda a, b, width: -(-a // b) if b else None),
    "arith.maxsi": lambda a, b, width: max(a, b),
    "arith.maxui": _unsigned(lambda a, b, width: max(a, b)),
    "arith.minsi": lambda a, b, width: min(a, b),
    "arith.minui": _unsigned(lambda a, b, width: min(a, b)),
    "arith.shli": _shift(lambda a, b: a << b),
    "arith.shrsi": _shift(lambda a, b: a >> b),
    "arith.shrui": _unsigned(_shift(lambda a, b: a >> b)),
}


def reassociate_sums(op: Operation, worklist: Worklist) -> bool:
    """A sum or difference of a sum or difference adds its constants only once.

    (x + 2) - 5 = x + -3        2 - (5 - x) = x + -3
    """
    terms = _terms(op)
    if terms is None:
        return False
    variable, sign, constant = terms
    inner = variable.owner
    if not isinstance(inner, Operation):
        return False
    below = _terms(inner)
    if below is None:
        return False
    variable, inner_sign, inner_constant = below
    type = op.results[0].type
    number = build_integer(constant + sign * inner_constant, type, worklist)
    if number is None:
        return False
    if sign * inner_sign > 0:
        new = arith.AddiOp(variable, number, type)
    else:
        new = arith.SubiOp(number, variable, type)
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def _terms(op: Operation) -> tuple[SSAValue, int, int] | None:
    """A sum or difference as a variable, its sign, and a constant."""
    if op.name not in ("arith.addi", "arith.subi"):
        return None
    lhs, rhs = op.operands
    sign = 1 if op.name == "arith.addi" else -1
    a, b = constant_number(lhs), constant_number(rhs)
    if (a is None) == (b is None):
        return None
    if b is not None:
        return lhs, 1, sign * b
    assert a is not None
    return rhs, sign, a


def reassociate_products(op: Operation, worklist: Worklist) -> bool:
    """(x * 2) * 3 is x * 6."""
    number = constant_number(op.operands[1])
    inner = op.operands[0].owner
    if number is None or not isinstance(inner, arith.MuliOp):
        return False
    other = constant_number(inner.operands[1])
    if other is None:
        return False
    type = op.results[0].type
    product = build_integer(number * other, type, worklist)
    if product is None:
        return False
    new = arith.MuliOp(inner.operands[0], product, type)
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def cancel_terms(op: Operation, worklist: Worklist) -> bool:
    """(x - y) + y, (x + y) - y and (x + y) - x are one of their terms."""
    lhs, rhs = op.operands
    value: SSAValue | None = None
    if op.name == "arith.addi":
        for left, right in ((lhs, rhs), (rhs, lhs)):
            inner = left.owner
            if isinstance(inner, arith.SubiOp) and inner.operands[1] is right:
                value = inner.operands[0]
    elif isinstance(lhs.owner, arith.AddiOp):
        first, second = lhs.owner.operands
        value = first if second is rhs else second if first is rhs else None
    if value is None:
        return False
    worklist.replace(op, [value])
    return True
