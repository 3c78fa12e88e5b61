"""Sizes of types in memory."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.ir import Attribute

from xdsl_bufferization.conversion.to_llvm.builder import Index
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering
from xdsl_bufferization.conversion.to_llvm.types import POINTER, byte_size


def size_of(to: FunctionLowering, type_: Attribute, count: Index = 1) -> Index:
    """The bytes of `count` neighbours of a type in memory."""
    size = byte_size(type_)
    if size is not None:
        return to.mul(count, size)
    null = to.value(llvm.ZeroOp, (), POINTER)
    return to.pointer_to_index(to.gep(null, type_, (count,)))
