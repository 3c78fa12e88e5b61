"""Conversion of Python arguments to arrays that compiled code may use, without a copy.

An argument is a NumPy array or any object that exposes its memory as one: an object
with `__array_interface__`, one with the buffer protocol (memoryview, array.array), or
one with `__dlpack__`. The resulting array keeps the memory alive, or the export that
prevents its owner from moving it. Callers that pass on addresses must therefore keep
the arrays until the addresses are no longer used.

If a function may write to an argument, the elements of the array must be writable and
must not overlap each other or those of any other argument: bufferization and LLVM both
assume this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.dlpack import from_dlpack
from xdsl_bufferization.jit.elements import Element
from xdsl_bufferization.jit.signature import Array, Buffer, UnrankedBuffer, describe

_OVERLAP_WORK: Any = 10_000
"""How hard to look for a common element of two arrays before assuming there is one."""

_UNUSABLE = (TypeError, ValueError, RuntimeError, BufferError, AttributeError)
"""What objects and NumPy raise where memory cannot be lent."""


class UnsupportedArray(JITException, TypeError):
    """An argument is of a class whose arrays mean more than their memory."""


def as_array(value: Any, crossing: Buffer | UnrankedBuffer, where: str) -> Array:
    """Return `value` itself, or an array over its memory, once its elements are of the
    right type and lie where the machine can read them. Never a copy.

    Raises:
        JITException: when it is no such array; `where` says whose value it is.
    """
    array = _memory_of(value, where)
    element = crossing.element
    if array is None:
        raise JITException(
            f"{where}: expected a NumPy array for {crossing.type}, got "
            f"{value.__class__.__name__}. Pass numpy.array(..., dtype={named(element)})."
        )
    if array.dtype not in element.dtypes:
        expected = " or ".join(str(dtype) for dtype in element.dtypes)
        raise JITException(
            f"{where}: expected an array of {expected} for {crossing.type}, got "
            f"{describe(array)}. Pass array.astype({named(element)})."
        )
    if not array.flags.aligned:
        raise JITException(
            f"{where}: the array's elements are not aligned in memory. Pass array.copy()."
        )
    return array


def as_arena(value: Any, parameter: Buffer, where: str, number: int) -> Array:
    """Return `value` itself, or an array over its memory, if that can be an arena.

    Args:
        number: which of the function's arenas it is.

    Raises:
        JITException: if it cannot.
    """
    array = _memory_of(value, where)
    (size,) = parameter.shape
    if array is None:
        given = f"got {value.__class__.__name__}"
    elif (
        array.dtype not in parameter.element.dtypes
        or array.ndim != 1
        or size not in (None, array.size)
    ):
        given = f"got {describe(array)}"
    elif not array.flags.c_contiguous:
        given = "the bytes of this one have gaps"
    elif not array.flags.writeable:
        given = "this one is read-only"
    elif (address := array.__array_interface__["data"][0]) % parameter.alignment:
        given = f"the address of this one, {address:#x}, is not"
    else:
        return array
    bytes_ = "an array of bytes" if size is None else f"an array of {size} bytes"
    remedy = (
        "a part of numpy.empty(..., 'int8') that begins at one"
        if size is None
        else f"what arenas[{number}].allocate() of the function returns"
    )
    raise JITException(
        f"{where}: expected an arena, {bytes_} that may be written, whose address is a "
        f"multiple of {parameter.alignment}; {given}. Pass {remedy}."
    )


def _memory_of(value: Any, where: str) -> Array | None:
    """An array over the memory of an object that lends it out; None if it does not."""
    if isinstance(value, np.ma.MaskedArray):
        raise UnsupportedArray(
            f"{where}: compiled code does not see the mask of a masked array. Pass "
            "array.filled(...), or array.data to use all elements."
        )
    if isinstance(value, np.ndarray):
        return cast(Array, value)
    if isinstance(value, np.generic):
        return None
    try:
        if hasattr(value, "__array_interface__"):
            return np.asarray(value)
        if hasattr(value, "__dlpack__"):
            return from_dlpack(value)
    except _UNUSABLE as error:
        raise JITException(
            f"{where}: the memory that {value.__class__.__name__} offers cannot be used: "
            f"{error}."
        ) from None
    try:
        return np.asarray(memoryview(value))
    except TypeError:
        return None


def named(element: Element) -> str:
    """How a program names the dtype of an element."""
    if element.dtype.isbuiltin == 1:
        return f"'{element.dtype}'"
    return f"ml_dtypes.{element.dtype}"


def check_written(
    arrays: Sequence[Array | None], written: Sequence[bool], places: Sequence[str]
) -> None:
    """Check the arguments of a call that writes to some of them.

    Args:
        arrays: The argument of each parameter; None for a number.
        written: For each parameter whether the function may write to it.
        places: Which argument each is, for the error.

    Raises:
        JITException: when an array that may be written is read-only or shares memory
            with itself or another argument.
    """
    for index, array in enumerate(arrays):
        if array is None or not written[index]:
            continue
        refused = f"{places[index]}: the function may write to this array, "
        if not array.flags.writeable:
            raise JITException(
                f"{refused}which is read-only. Pass array.copy(), or mark the parameter "
                "{bufferization.writable = false}."
            )
        if _overlaps_itself(array):
            raise JITException(
                f"{refused}of which several elements share memory: its shape is "
                f"{array.shape}, its strides are {array.strides} in bytes. Pass "
                "array.copy()."
            )
        for other, other_array in enumerate(arrays):
            if other == index or other_array is None:
                continue
            if _share_memory(array, other_array):
                _, _, named = places[other].partition(": ")
                raise JITException(
                    f"{refused}which shares memory with {named}. Pass array.copy()."
                )


def _overlaps_itself(array: Array) -> bool:
    """Whether two elements share a byte.

    Two elements that do first differ in some dimension; before it, and in it, the one may
    as well be at position 0. So for each dimension the first position is compared with
    the others.
    """
    if array.flags.c_contiguous or array.flags.f_contiguous or not array.size:
        return False
    for _ in range(array.ndim):
        if _share_memory(array[:1], array[1:]):
            return True
        array = array[0]
    return False


def _share_memory(a: Array, b: Array) -> bool:
    if not np.may_share_memory(a, b):
        return False
    try:
        return np.shares_memory(a, b, max_work=_OVERLAP_WORK)
    except np.exceptions.TooHardError:
        return True
