"""Where the descriptor of an unranked memref lives.

An unranked memref is a pointer to a descriptor, which each execution of the op that
makes it writes to the stack. If all uses of the value only read the descriptor, the
execution after that needs no other place. If a use passes the pointer on, to a branch or
to the next iteration of a loop, several descriptors of one op can be in use at once.
"""

from __future__ import annotations

from xdsl.dialects.builtin import UnrankedMemRefType
from xdsl.ir import Operation, SSAValue

_READERS = {
    *("func.call", "func.call_indirect", "func.return"),
    *("memref.copy", "memref.dealloc", "memref.dim", "memref.rank"),
    *("memref.extract_aligned_pointer_as_index", "memref.reinterpret_cast"),
    *("memref.cast", "memref.reshape"),
}
"""Ops that keep no pointer to the descriptor of an operand: a call that returns its
argument, and func.return, copy the descriptor."""

_MAKERS = {"func.call", "func.call_indirect", "memref.cast", "memref.reshape"}


def is_unranked(value: SSAValue) -> bool:
    """Whether a value is an unranked memref."""
    return isinstance(value.type, UnrankedMemRefType)


def makes_descriptor(op: Operation) -> bool:
    """Whether an op writes a descriptor of an unranked memref to the stack."""
    return op.name in _MAKERS and any(map(is_unranked, op.results))


def one_descriptor_is_enough(memref: SSAValue) -> bool:
    """Whether all executions of the op that makes an unranked memref can write their
    descriptors to one place."""
    return all(use.operation.name in _READERS for use in memref.uses)
