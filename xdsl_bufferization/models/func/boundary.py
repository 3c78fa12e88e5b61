"""The types of function boundaries: buffers for the tensors in signatures."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import (
    FunctionType,
)
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes, memref_type
from xdsl_bufferization.interfaces.bufferization_options import TensorLike
from xdsl_bufferization.interfaces.types import TENSOR_TYPES


def takes_tensors(type_: FunctionType) -> bool:
    """Whether a function of this type takes or returns tensors, or such functions."""
    return any(
        takes_tensors(t) if isinstance(t, FunctionType) else isinstance(t, TENSOR_TYPES)
        for t in (*type_.inputs.data, *type_.outputs.data)
    )


def boundary_type(type_: Attribute, op: Operation, types: BufferTypes) -> Attribute:
    """The type of a value that crosses a function boundary: a memref for a tensor, the
    type of a function on memrefs for a function on tensors."""
    if isinstance(type_, FunctionType):
        return FunctionType.from_lists(
            [boundary_type(t, op, types) for t in type_.inputs.data],
            [boundary_type(t, op, types) for t in type_.outputs.data],
        )
    if not isinstance(type_, TENSOR_TYPES):
        return type_
    tensor_type = cast(TensorLike, type_)
    memory_space = types.memory_space(tensor_type, op)
    layout = types.options.function_boundary_type_conversion
    return memref_type(tensor_type, layout, memory_space)
