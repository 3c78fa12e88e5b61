"""Folding of conversions between integers: of constants, and of other conversions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.arith import element_or_self
from xdsl_bufferization.transforms.canonicalization_patterns.elements import Evaluate
from xdsl_bufferization.transforms.canonicalization_patterns.integers import width_of
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

_UNSIGNED = frozenset(("arith.extui", "arith.index_castui"))
_EXTENSIONS = frozenset(("arith.extsi", "arith.extui"))


def _signed(op: Operation, row: Sequence[int]) -> Sequence[int]:
    return row


def _unsigned(op: Operation, row: Sequence[int]) -> Sequence[int]:
    return (row[0] & ((1 << width_of(op.operands[0].type)) - 1),)


EVALUATE: Mapping[str, Evaluate] = {
    "arith.extsi": _signed,
    "arith.extui": _unsigned,
    "arith.index_cast": _signed,
    "arith.index_castui": _unsigned,
    "arith.trunci": _signed,
}


def combine_extensions(op: Operation, worklist: Worklist) -> bool:
    """Combine nested extensions; an unsigned extension of a value is not negative."""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation):
        return False
    if inner.name == op.name or (op.name, inner.name) == ("arith.extsi", "arith.extui"):
        _convert(op, type(inner), inner.operands[0], worklist)
        return True
    return False


def _convert(
    op: Operation, op_class: type[Operation], source: SSAValue, worklist: Worklist
) -> None:
    """Replace a conversion by another one to the same type."""
    new = op_class.create(operands=[source], result_types=[op.results[0].type])
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)


def truncate_extended(op: Operation, worklist: Worklist) -> bool:
    """The truncation of an extended or truncated value is one step, or none."""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation):
        return False
    if inner.name in _EXTENSIONS:
        source = inner.operands[0]
        before, after = width_of(source.type), width_of(op.results[0].type)
        if before == after:
            worklist.replace(op, [source])
            return True
        _convert(op, type(op) if before > after else type(inner), source, worklist)
        return True
    if inner.name == "arith.trunci":
        _convert(op, type(op), inner.operands[0], worklist)
        return True
    return False


def cast_index_back(op: Operation, worklist: Worklist) -> bool:
    """A cast to index and back, or the reverse, is the value if nothing was cut off."""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation):
        return False
    if inner.name == op.name:
        source = inner.operands[0]
        is_narrower = width_of(inner.results[0].type) < width_of(source.type)
        if source.type != op.results[0].type or is_narrower:
            return False
        worklist.replace(op, [source])
        return True
    extends = "arith.extui" if op.name in _UNSIGNED else "arith.extsi"
    if inner.name == extends and isinstance(
        element_or_self(op.results[0].type), IndexType
    ):
        # An integer wider than an index would lose bits either way.
        if width_of(inner.results[0].type) > width_of(op.results[0].type):
            return False
        _convert(op, type(op), inner.operands[0], worklist)
        return True
    return False
