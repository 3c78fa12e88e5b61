"""The bytes that buffers and their elements take in memory, and their alignment.

LLVM determines those of an element from its type and the target. Where processors differ,
as for integers of more than 64 bits, this is the largest of their numbers.

    type            bytes  alignment
    i24                 4          4
    i1, f8E4M3FN        1          1
    i128, f80          16         16
    i200               32         16
    complex<f32>        8          4
    vector<3xf32>      16         16
    vector<4x8xf32>   128         32
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
)
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.dialects.shapes import is_complex, is_vector

EVERY_ALLOCATION = 16
"""What the addresses of all allocations are a multiple of, as those of malloc."""

_MOST_OF_SCALARS = 16
"""The alignment of wider integers is that of i128."""


def static_bytes(type_: MemRefType[Attribute]) -> int | None:
    """Return the bytes of a buffer that is allocated with a type: up to its last element,
    the gaps of its layout included. Dimensions of dynamic strides have no gaps, and a
    dynamic offset is 0.

    None if the sizes are dynamic, the layout is not a strided one, or it is not known how
    many bytes an element takes.
    """
    shape, element = type_.get_shape(), element_bytes(type_.element_type)
    if DYNAMIC_INDEX in shape or element is None:
        return None
    if isinstance(type_.layout, NoneAttr):
        return prod(shape) * element
    strides = type_.get_strides()
    if strides is None or any(stride is not None and stride < 0 for stride in strides):
        return None
    if 0 in shape:
        return 0
    span = 1
    for size, stride in zip(shape, strides, strict=True):
        span += 0 if stride is None else (size - 1) * stride
    span *= prod(s for s, stride in zip(shape, strides, strict=True) if stride is None)
    return ((type_.get_offset() or 0) + span) * element


def element_bytes(type_: Attribute) -> int | None:
    """Return the distance in bytes of two elements in memory, or more; None if it is not
    known. The index type counts as one of 64 bits."""
    if is_complex(type_):
        part = element_bytes(type_.element_type)
        return None if part is None else 2 * part
    alignment, bits = element_alignment(type_), _bits(type_)
    if alignment is None:
        return None
    if is_vector(type_):
        return prod(type_.get_shape()[:-1]) * alignment
    assert bits is not None, "its alignment is known"
    return max(-(-bits // (8 * alignment)), 1) * alignment


def element_alignment(type_: Attribute) -> int | None:
    """Return what LLVM assumes that the address of an element is a multiple of, in bytes,
    or a multiple of that; None if it is not known."""
    if is_complex(type_):
        return element_alignment(type_.element_type)
    if not is_vector(type_):
        bits = _bits(type_)
        return None if bits is None else min(_power_of_two(bits), _MOST_OF_SCALARS)
    # The innermost dimension is a vector of LLVM: its elements have no bits between them,
    # and it is padded to a power of two. The outer dimensions are arrays.
    bits = _bits(type_.element_type)
    if bits is None or any(type_.get_scalable_dims()):
        return None
    return _power_of_two(bits * (type_.get_shape() or (1,))[-1])


def are_scalars_side_by_side(type_: MemRefType[Attribute]) -> bool:
    """Whether the scalars in the vectors of a buffer are where those of a buffer of
    scalars of the same sizes are. If not, LLVM stores them as bits, or has padding behind
    each vector."""
    element = type_.element_type
    if not is_vector(element):
        return True
    bits, shape = _bits(element.element_type), element.get_shape()
    if bits is None or bits != 8 * (element_bytes(element.element_type) or 0):
        return False
    row = bits * (shape or (1,))[-1]
    return row == 8 * _power_of_two(row) or prod((*type_.get_shape(), *shape[:-1])) == 1


def allocation_alignment(op: Operation, element: Attribute) -> int:
    """Return what the address of an allocation, or of a global, must be a multiple of:
    what it states, but at least what accesses to its elements need. It is 0 if it states
    nothing and its elements are no vectors: what others need is what every allocator
    gives them."""
    needed = element_alignment(element) or 0
    stated = op.properties.get("alignment")
    if isinstance(stated, IntegerAttr):
        return max(stated.value.data, needed)
    return needed if is_vector(element) else 0


def _bits(type_: Attribute) -> int | None:
    if isinstance(type_, IndexType):
        return 64
    return type_.bitwidth if isinstance(type_, FixedBitwidthType) else None


def _power_of_two(bits: int) -> int:
    """Return the least power of two of bytes that holds some bits."""
    return 1 << (max(-(-bits // 8), 1) - 1).bit_length()
