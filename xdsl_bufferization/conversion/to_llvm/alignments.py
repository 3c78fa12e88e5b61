"""The alignment that an access to an element of a buffer may rely on."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.builder import NOT_ATOMIC
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memory_layout import element_alignment
from xdsl_bufferization.dialects.shapes import is_memref, is_vector
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE


def access_properties(buffer: SSAValue) -> Mapping[str, Attribute]:
    """Return the properties of a load or store of an element.

    LLVM assumes that a vector is aligned as a whole. A buffer that vector.type_cast has
    made of another one, or that comes from anywhere else, is only aligned as the elements
    of the vector are.
    """
    if not is_memref(buffer.type) or not is_vector(buffer.type.element_type):
        return NOT_ATOMIC
    vector = buffer.type.element_type
    if _is_allocated_for(buffer, vector):
        return NOT_ATOMIC
    return copy_properties(vector)


def copy_properties(element: Attribute) -> Mapping[str, Attribute]:
    """Return the properties of a load or store of an element of any buffer.

    Args:
        element: its type, of LLVM or before the lowering.
    """
    inner = element
    while isinstance(inner, llvm.LLVMArrayType):
        inner = inner.type
    if not is_vector(inner):
        return NOT_ATOMIC
    alignment = element_alignment(inner.element_type) or 1
    return {**NOT_ATOMIC, "alignment": IntegerAttr(alignment, i64)}


def _is_allocated_for(buffer: SSAValue, element: Attribute) -> bool:
    """Whether a buffer is surely memory that is allocated for elements of a type."""
    op = buffer.owner
    while isinstance(op, Operation) and (view := VIEW_LIKE.lookup(op)) is not None:
        buffer = view.get_view_source(op)
        op = buffer.owner
    return (
        isinstance(op, memref.AllocOp | memref.AllocaOp | memref.GetGlobalOp)
        and is_memref(buffer.type)
        and buffer.type.element_type == element
    )
