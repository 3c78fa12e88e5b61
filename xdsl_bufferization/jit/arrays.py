"""Arrays over memory that compiled code allocated.

By the function boundary ABI of ownership-based deallocation, the caller owns a returned
memref, which shares memory with no argument. A result therefore becomes an array whose
memory is freed once, when the last array or view of it is gone. Functions compiled
without deallocation may break that rule. The detectable cases are then handled: a
result inside an argument's buffer becomes a view that keeps the argument alive, two
results in one buffer share it, and global memory is never freed. An array over memory
that must not be written, such as constants and read-only arguments, is read-only.
"""

from __future__ import annotations

import ctypes
import sys
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from xdsl_bufferization.jit.elements import Element
from xdsl_bufferization.jit.signature import Array


class Memory:
    """A buffer from the compiled code's allocator, freed when nothing refers to it."""

    __slots__ = ("__weakref__", "_address", "_free")

    def __init__(self, address: int, free: Callable[[int], Any]) -> None:
        self._address = address
        self._free = free

    def __del__(self) -> None:
        if not sys.is_finalizing():
            self._free(self._address)


class _View:
    """Elements in memory, in the form that numpy.asarray turns into an array without a
    copy. The array keeps this object, and this object the memory's owner."""

    __slots__ = ("__array_interface__", "owner")


def array_at(
    first: int,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    dtype: np.dtype[Any],
    owner: object,
    writable: bool,
) -> Array:
    """Return an array over memory that it does not own, but keeps by its `owner`.

    Its first element is at the address `first`; the strides are in bytes.
    """
    # A type that NumPy knows only through ml_dtypes travels as its bits.
    known = dtype.isbuiltin == 1
    elements = _View()
    elements.__array_interface__ = {
        "version": 3,
        "data": (first, not writable),
        "shape": shape,
        "strides": strides,
        "typestr": dtype.str if known else f"<u{dtype.itemsize}",
    }
    elements.owner = owner
    array = np.asarray(elements)
    return array if known else array.view(dtype)


def view_maker(element: Element, rank: int) -> Callable[..., Array]:
    """Return what makes arrays over the elements that memref descriptors describe.

    It takes the address of the first element, the sizes and then the strides in elements,
    what the array has to keep, and whether it may be written.
    """
    dtype = element.dtype
    itemsize = dtype.itemsize

    def make(first: int, extents: Sequence[int], owner: object, writable: bool) -> Array:
        strides = tuple([stride * itemsize for stride in extents[rank:]])
        return array_at(first, tuple(extents[:rank]), strides, dtype, owner, writable)

    return make


@dataclass
class Globals:
    """Where a module's memref.globals lie that are no constants, once it is loaded."""

    ranges: Sequence[tuple[int, int]] = ()
    """First address and size in bytes of each, by address."""

    def writable(self, address: int) -> bool:
        """Whether global memory may be written at an address."""
        index = bisect_right(self.ranges, address, key=lambda place: place[0]) - 1
        if index < 0:
            return False
        first, size = self.ranges[index]
        return address < first + size


def unpack_unranked(rank: int, descriptor: int) -> tuple[int, int, int, tuple[int, ...]]:
    """Return the allocated pointer, the aligned pointer, the offset, and the sizes then
    strides of a descriptor in memory."""
    fields = (ctypes.c_int64 * (3 + 2 * rank)).from_address(descriptor)
    allocated, aligned, offset, *rest = fields
    return allocated, aligned, offset, tuple(rest)
