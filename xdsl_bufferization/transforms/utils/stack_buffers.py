"""Allocations on the stack in place of those on the heap."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i8, i64
from xdsl.ir import Operation
from xdsl.traits import IsTerminator

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memory_layout import EVERY_ALLOCATION
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import is_memref


def move_to_stack(op: memref.AllocOp) -> memref.AllocaOp:
    """Build the allocation on the stack that replaces one on the heap."""
    properties = op.properties
    alignment = stack_alignment(op)
    if alignment:
        properties = {**properties, "alignment": IntegerAttr(alignment, i64)}
    return memref.AllocaOp.create(
        operands=op.operands,
        result_types=[op.memref.type],
        properties=properties,
        attributes=op.attributes,
    )


def stack_alignment(op: memref.AllocOp) -> int:
    """Return the alignment that an allocation must state on the stack; 0 for none.

    The stack, unlike malloc, does not align bytes, but a view may show them as vectors.
    """
    if op.alignment is not None:
        return op.alignment.value.data
    return EVERY_ALLOCATION if _may_be_viewed(op) else 0


def _may_be_viewed(op: memref.AllocOp) -> bool:
    """Whether a memref.view may show a buffer of bytes as other elements."""
    type_ = op.memref.type
    if type_.element_type != i8 or type_.get_num_dims() != 1:
        return False
    return any(_may_alias(use.operation) for use in op.memref.uses)


def _may_alias(user: Operation) -> bool:
    """Whether a user of a buffer may give it another name."""
    return (
        any(is_memref(result) for result in user.results)
        or user.has_trait(IsTerminator)
        or CALL.lookup(user) is not None
    )
