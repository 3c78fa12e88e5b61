"""Folding of the index dialect, whose integers have 32 or 64 bits.

Ops are folded at both widths; if the results differ, the op stays.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i1, i32, i64
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects import index
from xdsl_bufferization.dialects.constants import constant_integer, read_integer
from xdsl_bufferization.dialects.shapes import is_integer
from xdsl_bufferization.transforms.canonicalization_patterns.integers import EVALUATE
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

_LIKE_ARITH = {
    "index.add": "arith.addi",
    "index.and": "arith.andi",
    "index.ceildivs": "arith.ceildivsi",
    "index.ceildivu": "arith.ceildivui",
    "index.divs": "arith.divsi",
    "index.divu": "arith.divui",
    "index.floordivs": "arith.floordivsi",
    "index.maxs": "arith.maxsi",
    "index.maxu": "arith.maxui",
    "index.mins": "arith.minsi",
    "index.minu": "arith.minui",
    "index.mul": "arith.muli",
    "index.or": "arith.ori",
    "index.rems": "arith.remsi",
    "index.remu": "arith.remui",
    "index.shl": "arith.shli",
    "index.shrs": "arith.shrsi",
    "index.shru": "arith.shrui",
    "index.sub": "arith.subi",
    "index.xor": "arith.xori",
}
"""The op of arith that computes the same with integers of one width."""

_COMMUTATIVE = frozenset(
    f"index.{name}"
    for name in ("add", "and", "maxs", "maxu", "mins", "minu", "mul", "or", "xor")
)
"""The ops whose operands may be exchanged, and grouped in any way."""

_NEUTRAL = {"index.add": 0, "index.sub": 0, "index.mul": 1}
"""The second operand with which the result is the first."""


def _evaluate(name: str, a: int, b: int) -> int | None:
    """The result of an op, None if it is not the same number at both widths."""
    evaluate = EVALUATE[_LIKE_ARITH[name]]
    wide = evaluate(a, b, 64)
    narrow = evaluate(read_integer(a, i32), read_integer(b, i32), 32)
    if wide is None or narrow is None:
        return None
    same = read_integer(wide, i32) == read_integer(narrow, i32)
    return read_integer(wide, i64) if same else None


def fold_arithmetic(op: Operation, worklist: Worklist) -> bool:
    """Arithmetic on constants, or with an operand that does not matter."""
    lhs, rhs = op.operands
    a, b = constant_integer(lhs), constant_integer(rhs)
    if b is None:
        if a is None or op.name not in _COMMUTATIVE:
            return False
        worklist.set_operands(op, [rhs, lhs])
        return True
    if a is not None:
        number = _evaluate(op.name, a, b)
        return number is not None and _replace_by_number(op, number, worklist)
    if _NEUTRAL.get(op.name) == b:
        worklist.replace(op, [lhs])
        return True
    if op.name == "index.mul" and b == 0:
        return _replace_by_number(op, 0, worklist)
    return _merge_constants(op, lhs, b, worklist)


def _replace_by_number(op: Operation, number: int, worklist: Worklist) -> bool:
    worklist.replace(op, [worklist.constants.build(index.ConstantOp(number))])
    return True


def _merge_constants(
    op: Operation, lhs: SSAValue, number: int, worklist: Worklist
) -> bool:
    """Have (x op a) op b be x op (a op b)."""
    inner = lhs.owner
    if op.name not in _COMMUTATIVE or not isinstance(inner, type(op)):
        return False
    first = constant_integer(inner.operands[1])
    both = None if first is None else _evaluate(op.name, first, number)
    if both is None:
        return False
    constant = worklist.constants.build(index.ConstantOp(both))
    worklist.set_operands(op, [inner.operands[0], constant])
    return True


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": int.__eq__,
    "ne": int.__ne__,
    "lt": int.__lt__,
    "le": int.__le__,
    "gt": int.__gt__,
    "ge": int.__ge__,
}


def fold_comparison(op: Operation, worklist: Worklist) -> bool:
    """A comparison of constants, or of a value with itself."""
    assert isinstance(op, index.CmpOp)
    predicate = op.pred.data.value
    compare = _COMPARE[predicate[-2:]]
    a, b = constant_integer(op.lhs), constant_integer(op.rhs)
    if op.lhs is op.rhs:
        value = compare(0, 0)
    elif a is None or b is None:
        return False
    else:
        unsigned = predicate.startswith("u")
        wide, narrow = (
            compare(
                read_integer(a, type, unsigned=unsigned),
                read_integer(b, type, unsigned=unsigned),
            )
            for type in (i64, i32)
        )
        if wide is not narrow:
            return False
        value = wide
    worklist.replace(op, [worklist.constants.build(index.BoolConstantOp(value))])
    return True


def fold_cast(op: Operation, worklist: Worklist) -> bool:
    """A constant of another width."""
    value, type = op.operands[0], op.results[0].type
    unsigned = isinstance(op, index.CastUOp)
    number = constant_integer(value, unsigned=unsigned)
    if number is None:
        return False
    if not is_integer(type):
        return _replace_by_number(op, read_integer(number, i64), worklist)
    narrow = read_integer(number, i32, unsigned=unsigned)
    if read_integer(narrow, type) != read_integer(number, type):
        return False
    number = read_integer(number, type, unsigned=type == i1)
    constant = arith.ConstantOp(IntegerAttr(number, type))
    worklist.replace(op, [worklist.constants.build(constant)])
    return True


PATTERNS: Table = {
    **dict.fromkeys(_LIKE_ARITH, (fold_arithmetic,)),
    "index.casts": (fold_cast,),
    "index.castu": (fold_cast,),
    "index.cmp": (fold_comparison,),
}
