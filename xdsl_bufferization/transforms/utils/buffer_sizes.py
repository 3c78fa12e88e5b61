"""The sizes of buffers in bytes."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IndexType,
    MemRefType,
)
from xdsl.ir import Attribute

from xdsl_bufferization.conversion.to_llvm.types import byte_size, vector_alignment
from xdsl_bufferization.dialects.shapes import is_complex, is_vector

EVERY_ALLOCATION = 16
"""What the addresses of all allocations are a multiple of, as those of malloc."""


def static_bytes(type_: MemRefType[Attribute]) -> int | None:
    """Return the bytes of a memref without a layout, or None if its sizes are dynamic or
    it is not known how many bytes an element takes."""
    shape = type_.get_shape()
    element = element_bytes(type_.element_type)
    return None if DYNAMIC_INDEX in shape or element is None else prod(shape) * element


def element_bytes(type_: Attribute) -> int | None:
    """Return the distance in bytes of two elements in memory, None if it is not known.
    The index type counts as one of 64 bits."""
    if isinstance(type_, IndexType):
        return 8
    if is_complex(type_):
        part = byte_size(type_.element_type)
        return None if part is None else 2 * part
    if is_vector(type_):
        # The innermost dimension is a vector of LLVM: its elements have no bits between
        # them, and it is padded to a power of two.
        bits = _bits(type_.element_type)
        *outer, last = type_.get_shape() or (1,)
        if bits is None or any(type_.get_scalable_dims()):
            return None
        size = max(1, -(-last * bits // 8))
        return prod(outer) * (1 << (size - 1).bit_length())
    return byte_size(type_)


def _bits(type_: Attribute) -> int | None:
    if isinstance(type_, IndexType):
        return 64
    return type_.bitwidth if isinstance(type_, FixedBitwidthType) else None


def element_alignment(type_: Attribute) -> int:
    """Return what the address of a buffer must be a multiple of because of the type of
    its elements, in bytes; 0 if there is nothing but what every allocation has."""
    if not is_vector(type_):
        return 0
    return vector_alignment(type_, element_bytes(type_.element_type) or 8)


def natural_alignment(type_: Attribute) -> int:
    """Return what LLVM takes the address of a buffer to be a multiple of when it accesses
    its elements, in bytes; 16 if it is not known how many bytes an element takes."""
    if is_vector(type_):
        return element_alignment(type_)
    scalar = type_.element_type if is_complex(type_) else type_
    size = element_bytes(scalar)
    return EVERY_ALLOCATION if size is None else 1 << (max(size, 1) - 1).bit_length()
