"""The sizes of buffers in bytes."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute

from xdsl_bufferization.dialects.element_layout import element_bytes

EVERY_ALLOCATION = 16
"""What the addresses of all allocations are a multiple of, as those of malloc."""


def static_bytes(type_: MemRefType[Attribute]) -> int | None:
    """Return the bytes of a memref without a layout, or None if its sizes are dynamic or
    it is not known how many bytes an element takes."""
    shape = type_.get_shape()
    element = element_bytes(type_.element_type)
    return None if DYNAMIC_INDEX in shape or element is None else prod(shape) * element
