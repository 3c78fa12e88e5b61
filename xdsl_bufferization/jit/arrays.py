"""Arrays over memory that compiled code allocated.

By the function boundary ABI of ownership-based deallocation a returned memref is the
caller's to free and shares memory with no argument. So a result becomes an array whose
memory is freed once, when the last array or view over it is gone. Functions compiled
without deallocation may break that rule; what can be seen from outside is then honoured:
a result inside an argument's buffer becomes a view that keeps the argument alive, two
results in one buffer share it, and global memory is never freed.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from xdsl_bufferization.jit.elements import Element
from xdsl_bufferization.jit.signature import GLOBAL_MARK, Array


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

    def __init__(
        self,
        address: int,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        typestr: str,
        owner: object,
    ) -> None:
        self.__array_interface__ = {
            "version": 3,
            "data": (address, False),
            "shape": shape,
            "strides": strides,
            "typestr": typestr,
        }
        self.owner = owner


def view(
    element: Element,
    aligned: int,
    offset: int,
    sizes: Sequence[int],
    strides: Sequence[int],
    owner: object,
) -> Array:
    """An array over the elements a memref descriptor describes; it keeps `owner`."""
    dtype = element.dtype
    itemsize = dtype.itemsize
    # A type that NumPy knows only through ml_dtypes travels as its bits.
    known = dtype.isbuiltin == 1
    elements = _View(
        aligned + offset * itemsize,
        tuple(sizes),
        tuple(stride * itemsize for stride in strides),
        dtype.str if known else f"<u{itemsize}",
        owner,
    )
    array = np.asarray(elements)
    return array if known else array.view(dtype)


def owner_of(
    allocated: int,
    arguments: Mapping[int, object],
    owners: dict[int, object],
    code: object,
    own: Callable[[int], Callable[[int], Any]],
) -> object:
    """What must outlive an array over a buffer that a function returned.

    `arguments` maps the addresses of the call's arguments to the arrays; `owners` those
    of the results handled before to their owners, and is updated. `own` takes over a
    buffer and says how to free it.
    """
    if allocated == GLOBAL_MARK:
        return code
    if allocated in arguments:
        return arguments[allocated]
    if allocated not in owners:
        owners[allocated] = Memory(allocated, own(allocated))
    return owners[allocated]


def unpack_unranked(rank: int, descriptor: int) -> tuple[int, int, int, tuple[int, ...]]:
    """Allocated pointer, aligned pointer, offset, and sizes then strides."""
    fields = (ctypes.c_int64 * (3 + 2 * rank)).from_address(descriptor)
    allocated, aligned, offset, *rest = fields
    return allocated, aligned, offset, tuple(rest)
