"""Values that may be computed earlier, such as the size of a buffer that moves out of a
loop or a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.traits import is_side_effect_free, is_speculatable

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.dialects import memref

MOST_OPS = 16
"""How many ops a computation may have."""


def find_computation(
    values: Iterable[SSAValue], is_given: Callable[[SSAValue], bool]
) -> list[Operation] | None:
    """Return the ops that compute `values` from given values, in order, if each may be
    executed anywhere: without effects, and also if the program would not have reached it.
    Return None if there are others, or more than `MOST_OPS`."""
    found: dict[Operation, None] = {}

    def find(value: SSAValue) -> bool:
        if is_given(value):
            return True
        op = value.owner
        if not isinstance(op, Operation):
            return False
        if op in found:
            return True
        if (
            len(found) >= MOST_OPS
            or not _is_safe_anywhere(op)
            or not all(map(find, op.operands))
        ):
            return False
        found[op] = None
        return True

    return list(found) if all(map(find, values)) else None


def _is_safe_anywhere(op: Operation) -> bool:
    if isinstance(op, memref.DimOp):
        number, type_ = constant_of(op.index), op.source.type
        return (
            number is not None
            and isinstance(type_, MemRefType)
            and 0 <= number < len(type_.get_shape())
        )
    return not op.regions and is_side_effect_free(op) and is_speculatable(op)
