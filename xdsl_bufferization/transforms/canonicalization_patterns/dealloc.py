"""Canonicalization of bufferization.dealloc without an analysis.

    bufferization.dealloc (%a, %a, %b) if (%c, %d, %false) retain (%r, %r)

frees %a if %c or %d, does not free %b, and needs only one result for %r.
buffer-deallocation-simplification uses the same functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import Rewriter
from xdsl.traits import MemoryEffectKind, get_effects

from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.dialects.booleans import (
    BoolConstants,
    build_or,
    get_constant_bool,
)
from xdsl_bufferization.interfaces.memory_effects import is_allocated
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table

_METADATA = "memref.extract_strided_metadata"
_REMOVABLE_EFFECTS = frozenset((MemoryEffectKind.ALLOC, MemoryEffectKind.READ))


class CanonicalizeDealloc(RewritePattern):
    """Everything at once: one visit leaves nothing for a second."""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: bufferization.DeallocOp, rewriter: PatternRewriter, /
    ) -> None:
        retained = list(op.retained)
        unique = list(dict.fromkeys(retained))
        old = list(zip(op.memrefs, op.conditions, strict=True))
        new = [
            (value, condition)
            for value, condition in merge_duplicate_memrefs(op)
            if get_constant_bool(condition) is not False
            and (value in unique or not is_only_freed(value, op))
        ]
        if new == old and len(unique) == len(retained) and old:
            return
        if new:
            values, conditions = zip(*new, strict=True)
            dealloc = bufferization.DeallocOp(values, conditions, unique)
            rewriter.insert(dealloc)
            owned = dict(zip(unique, dealloc.results, strict=True))
        else:
            assert op.parent is not None
            false = _get_false(op) if retained else None
            owned = dict.fromkeys(unique, false)
        results = [cast(SSAValue, owned[value]) for value in retained]
        operands = list(op.memrefs)
        rewriter.replace(op, (), results)
        for value in operands:
            _erase_if_unused(value, rewriter.erase)


def _get_false(op: Operation) -> SSAValue:
    assert op.parent is not None
    return BoolConstants(op.parent).get(False)


def skip_metadata_of_alloc(value: SSAValue) -> SSAValue:
    """An allocation in place of the base buffer extracted from it."""
    if isinstance(value, OpResult) and value.op.name == _METADATA:
        source = value.op.operands[0]
        if is_allocated(source):
            return source
    return value


def merge_duplicate_memrefs(
    op: bufferization.DeallocOp,
) -> list[tuple[SSAValue, SSAValue]]:
    """The memrefs of a dealloc, each once, with the condition to free it.

    The disjunctions that takes are inserted before `op`.
    """
    conditions: dict[SSAValue, SSAValue] = {}
    memrefs, wanted, _ = op.get_operand_groups()
    for value, condition in zip(memrefs, wanted, strict=True):
        value = skip_metadata_of_alloc(value)
        previous = conditions.get(value)
        conditions[value] = (
            condition if previous is None else build_or(op, previous, condition)
        )
    return list(conditions.items())


def is_only_freed(value: SSAValue, dealloc: Operation) -> bool:
    """Whether `value` is an allocation that can be removed with the dealloc of it."""
    for use in value.uses:
        op = use.operation
        if op is not dealloc and not _is_unused_view(op, dealloc):
            return False
    return _is_removable_allocation(value)


def erase_with_unused_operands(dealloc: bufferization.DeallocOp) -> None:
    """Erase a dealloc, and the allocations and base buffers that only it used."""
    operands = list(dict.fromkeys(dealloc.memrefs))
    assert dealloc.parent is not None
    dealloc.parent.erase_op(dealloc)
    for value in operands:
        _erase_if_unused(value, Rewriter.erase_op)


def _erase_if_unused(value: SSAValue, erase: Callable[[Operation], None]) -> None:
    op = value.owner
    if not isinstance(op, Operation) or op.parent is None:
        return
    if any(result.first_use is not None for result in op.results):
        return
    if op.name == _METADATA:
        source = op.operands[0]
        erase(op)
        _erase_if_unused(source, erase)
    elif _is_removable_allocation(value):
        erase(op)


def _is_removable_allocation(value: SSAValue) -> bool:
    if not isinstance(value, OpResult) or not is_allocated(value):
        return False
    effects = get_effects(value.op)
    if effects is None:
        return value.op.name == "bufferization.clone"
    return len(value.op.results) == 1 and all(
        effect.kind in _REMOVABLE_EFFECTS for effect in effects
    )


def _is_unused_view(op: Operation, dealloc: Operation) -> bool:
    return op.name == _METADATA and all(
        use.operation is dealloc for result in op.results for use in result.uses
    )


PATTERNS: Table = {"bufferization.dealloc": (CanonicalizeDealloc(),)}
