"""The canonicalizations of builtin."""

from __future__ import annotations

from xdsl.dialects.builtin import UnrealizedConversionCastOp
from xdsl.ir import Operation

from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def convert_back(op: Operation, worklist: Worklist) -> bool:
    """Fold a conversion of values to their own types, or back to the original
    values."""
    values = list(op.operands)
    if not values:
        return False
    if list(op.operand_types) == list(op.result_types):
        worklist.replace(op, values)
        return True
    before = values[0].owner
    if (
        not isinstance(before, UnrealizedConversionCastOp)
        or list(before.results) != values
        or list(before.operand_types) != list(op.result_types)
    ):
        return False
    worklist.replace(op, list(before.operands))
    return True


PATTERNS: Table = {UnrealizedConversionCastOp.name: (convert_back,)}
