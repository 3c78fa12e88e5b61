"""Places: the views of an arena at constant offsets that memory plans create."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IndexType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import is_complex, is_memref, is_vector


class Place(NamedTuple):
    """A view of the bytes of an arena from `start` to before `end`."""

    op: memref.ViewOp
    start: int
    end: int

    @property
    def value(self) -> SSAValue:
        return self.op.results[0]

    @property
    def arena(self) -> SSAValue:
        return self.op.operands[0]


def places_in(root: Operation) -> Iterator[Place]:
    """Iterate over the places under an op, in program order."""
    for op in walk(root):
        if isinstance(op, memref.ViewOp):
            start = constant_integer(op.operands[1])
            size = bytes_of(op.results[0].type)
            if start is not None and size is not None:
                yield Place(op, start, start + size)


def bytes_of(type_: Attribute) -> int | None:
    """Return the bytes of a memref of a static size, at least."""
    if not is_memref(type_):
        return None
    shape = type_.get_shape()
    bits = _bits(type_.element_type)
    if DYNAMIC_INDEX in shape or bits is None:
        return None
    return prod(shape) * -(-bits // 8)


def _bits(type_: Attribute) -> int | None:
    if isinstance(type_, IndexType):
        return 64
    if is_complex(type_):
        part = _bits(type_.element_type)
        return None if part is None else 2 * part
    if is_vector(type_):
        element = _bits(type_.element_type)
        return None if element is None else prod(type_.get_shape()) * element
    return type_.bitwidth if isinstance(type_, FixedBitwidthType) else None
