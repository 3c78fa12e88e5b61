"""Hints to avoid copies of buffers with the wrong layout.

Remarks give these hints. If the layout comes from the program itself, for example from
a flattened slice, the copy cannot be avoided.
"""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.operands import is_entry_argument, op_of
from xdsl_bufferization.interfaces.types import BufferType
from xdsl_bufferization.remarks.names import value_name

_OPTION = "function-boundary-type-conversion"
_RENAMING = (
    bufferization.ToBufferOp,
    memref.CastOp,
    memref.CollapseShapeOp,
    memref.ExpandShapeOp,
)


def argument_layout_hint(
    buffer: SSAValue, wanted: BufferType, options: BufferizationOptions
) -> str | None:
    """Return what makes `buffer` castable to a type, if it is an argument of a function,
    possibly reshaped, and nothing but the type of the argument is in the way."""
    if options.function_boundary_type_conversion != "infer-layout-map":
        return None
    while isinstance(buffer, OpResult) and isinstance(buffer.op, _RENAMING):
        buffer = buffer.op.operands[0]
    owner = op_of(buffer)
    if (
        not isinstance(buffer, BlockArgument)
        or not isinstance(owner, FuncOp)
        or not is_entry_argument(buffer)
        or not options.bufferize_function_boundaries
        or not isinstance(buffer.type, TensorType | MemRefType)
        or not isinstance(wanted, MemRefType)
    ):
        return None
    name = value_name(buffer) or f"argument #{buffer.index}"
    return (
        f"if callers of @{owner.sym_name.data} pass {name} without gaps, let functions "
        f"take such buffers only: {_OPTION}=identity-layout-map"
    )


def result_layout_hint(options: BufferizationOptions) -> str | None:
    """Return what lets a function return its buffer in the layout that it has."""
    if options.function_boundary_type_conversion == "infer-layout-map":
        return None
    return f"return buffers in the layout that they have: {_OPTION}=infer-layout-map"
