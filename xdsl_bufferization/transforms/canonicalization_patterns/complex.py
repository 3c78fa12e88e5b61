"""Folding of complex numbers: their parts, and what undoes itself.

Only folds that are exact for all numbers, infinities and NaNs included.
"""

from __future__ import annotations

from typing import get_args

from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Operation

from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    complex_constant,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

_FLOATS = get_args(AnyFloat)
_PARTS = {complex.ReOp.name: 0, complex.ImOp.name: 1}


def part(op: Operation, worklist: Worklist) -> bool:
    """A part of what is made of two parts, of a constant, or of what is negated."""
    number, source = _PARTS[op.name], op.operands[0]
    made, constant = source.owner, complex_constant(source)
    if constant is not None:
        value = worklist.constants.build(
            arith.ConstantOp(constant.data[number], op.results[0].type)
        )
    elif isinstance(made, complex.CreateOp):
        value = made.operands[number]
    elif (
        isinstance(made, complex.NegOp)
        and isinstance(before := made.operands[0].owner, complex.CreateOp)
        and isinstance(op.results[0].type, _FLOATS)
    ):
        negated = arith.NegfOp(before.operands[number], made.fastmath)
        worklist.insert_before(op, negated)
        value = negated.results[0]
    else:
        return False
    worklist.replace(op, [value])
    return True


def parts_put_together(op: Operation, worklist: Worklist) -> bool:
    """The two parts of one number make that number."""
    real, imaginary = (operand.owner for operand in op.operands)
    if (
        isinstance(real, complex.ReOp)
        and isinstance(imaginary, complex.ImOp)
        and real.operands[0] is imaginary.operands[0]
    ):
        worklist.replace(op, [real.operands[0]])
        return True
    return False


def undone(op: Operation, worklist: Worklist) -> bool:
    """Twice negated or conjugated, which is nothing."""
    before = op.operands[0].owner
    if isinstance(before, Operation) and before.name == op.name:
        worklist.replace(op, [before.operands[0]])
        return True
    return False


def bitcast(op: Operation, worklist: Worklist) -> bool:
    """The same bits as the same type, or as a third one."""
    source = op.operands[0]
    if source.type == op.results[0].type:
        worklist.replace(op, [source])
        return True
    if isinstance(source.owner, complex.BitcastOp):
        worklist.set_operands(op, [source.owner.operands[0]])
        return True
    return False


PATTERNS: Table = {
    complex.BitcastOp.name: (bitcast,),
    complex.ConjOp.name: (undone,),
    complex.CreateOp.name: (parts_put_together,),
    complex.ImOp.name: (part,),
    complex.NegOp.name: (undone,),
    complex.ReOp.name: (part,),
}
