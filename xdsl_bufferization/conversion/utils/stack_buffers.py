"""What becomes of buffers on the stack."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import memref
from xdsl.ir import Operation

_ACCESSES = {("memref.load", 0), ("memref.store", 1), ("memref.reshape", 1)}
"""Operands that are read or written, and no more, by op and position."""


def is_only_accessed(alloca: Operation) -> bool:
    """Whether nothing passes a memref.alloca on: an execution of it is not needed any
    more when another one follows, or an iteration ends that it is in. Such is the shape
    operand of the memref.reshape that a clone of an unranked memref becomes."""
    buffer = cast(memref.AllocaOp, alloca).memref
    return all((use.operation.name, use.index) in _ACCESSES for use in buffer.uses)
