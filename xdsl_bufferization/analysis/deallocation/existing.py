"""Deallocations that a function has before buffer deallocation runs.

They are handled in one of two ways:

- *kept*: the op alone frees a buffer that is allocated earlier in the same block.
  Buffer deallocation ignores both ops, as if they had the attribute
  `bufferization.manual_deallocation`.
- *taken over*: the op frees a buffer conditionally, or one of several. It is removed,
  and the buffer is freed like any other: never before its last use, and on every path.

A function must not free buffers that it does not own: its arguments, by the function
boundary ABI, the stack, and buffers of unknown origin. An op that is taken over may seem
to free the former two besides a buffer that is owned: its condition says which it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocation,
    get_allocations_and_frees,
    may_free,
)

MANUAL_DEALLOCATION = "bufferization.manual_deallocation"
"""Marks an op whose allocation the program frees, or that frees such an allocation."""


@dataclass
class ExistingDeallocations:
    """What becomes of the deallocations in a function."""

    kept: set[Operation] = field(default_factory=set[Operation])
    freed_by_kept: set[SSAValue] = field(default_factory=set[SSAValue])
    taken_over: list[Operation] = field(default_factory=list[Operation])


def find_existing_deallocations(
    function: func.FuncOp,
    ops: Sequence[Operation],
    is_relevant: Callable[[Operation], bool],
) -> ExistingDeallocations:
    """Decide on each relevant deallocation op that is not marked as manual.

    Args:
        ops: all ops inside `function`.

    Raises:
        PassFailedException: when one frees what the function does not own.
    """
    found = ExistingDeallocations()
    frees = _find_frees(ops, is_relevant)
    if not frees:
        return found
    origins = BufferOrigins(function, ops)
    terminals = {
        op: [t for value in values for t in origins.get_terminals(value)]
        for op, values in frees
    }
    count = Counter(t for values in terminals.values() for t in values)
    for op, freed in terminals.items():
        is_owned = any(map(_may_be_owned, freed))
        for value in freed:
            if not is_owned or _may_be_owned(value):
                _check_is_owned(value, op)
        if len(freed) == 1 and count[freed[0]] == 1 and _is_defined_with(freed[0], op):
            found.kept.add(op)
            found.freed_by_kept.add(freed[0])
        else:
            _check_can_be_removed(op)
            found.taken_over.append(op)
    return found


def _find_frees(
    ops: Sequence[Operation], is_relevant: Callable[[Operation], bool]
) -> list[tuple[Operation, Sequence[SSAValue]]]:
    frees: list[tuple[Operation, Sequence[SSAValue]]] = []
    for op in ops:
        if not may_free(op):
            continue
        effects = get_allocations_and_frees(op) or ()
        freed = [e.value for e in effects if e.kind is EffectKind.FREE]
        if freed and MANUAL_DEALLOCATION not in op.attributes and is_relevant(op):
            frees.append((op, freed))
    return frees


def _is_defined_with(value: SSAValue, op: Operation) -> bool:
    return isinstance(value, OpResult) and value.op.parent is op.parent


def _may_be_owned(value: SSAValue) -> bool:
    """Whether a value is neither an argument of its function nor on the stack."""
    allocation = get_allocation(value)
    return isinstance(value, OpResult) and not (allocation and allocation.automatic)


def _check_is_owned(value: SSAValue, op: Operation) -> None:
    if isinstance(value, BlockArgument):
        raise PassFailedException(
            f"'{op.name}' frees an argument of its function, which stays with the caller "
            "by the function boundary ABI. Free it in the caller, or mark the op with "
            f"'{MANUAL_DEALLOCATION}'.{describe(op)}"
        )
    assert isinstance(value, OpResult)
    allocation = get_allocation(value)
    if MANUAL_DEALLOCATION in value.op.attributes:
        raise PassFailedException(
            f"'{op.name}' frees a buffer whose allocation is marked with "
            f"'{MANUAL_DEALLOCATION}': mark the op that frees it, too.{describe(op)}"
        )
    if allocation is None and CALL.lookup(value.op) is None:
        raise PassFailedException(
            f"'{op.name}' frees a buffer that '{value.op.name}' gives, and it is unknown "
            "who allocated it. If the program looks after it, mark the op with "
            f"'{MANUAL_DEALLOCATION}'.{describe(op)}"
        )
    if allocation is not None and allocation.automatic:
        raise PassFailedException(
            f"'{op.name}' frees a buffer on the stack.{describe(op)}"
        )


def _check_can_be_removed(op: Operation) -> None:
    effects = get_allocations_and_frees(op) or ()
    if op.results or any(effect.kind is not EffectKind.FREE for effect in effects):
        hint = (
            "Run expand-realloc before."
            if op.name == "memref.realloc"
            else f"Mark it and the allocation with '{MANUAL_DEALLOCATION}'."
        )
        raise PassFailedException(
            f"'{op.name}' frees a buffer that is allocated elsewhere, and does more than "
            f"that, so that it cannot be replaced. {hint}{describe(op)}"
        )
