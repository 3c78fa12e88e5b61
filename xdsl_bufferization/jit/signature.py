"""The parameters and results of a compiled function, and their conversion at the
boundary.

Each parameter and result is a `Scalar`, a `Buffer` or an `UnrankedBuffer`; these define

- their LLVM types in MLIR's calling convention (a memref parameter is expanded to its
  descriptor's fields; a result is one value),
- the slots of the frame they take, and
- how a number or an array is checked and converted to slot values, without a copy.

`read_signature` creates signatures from the module's functions. Nothing here needs
xDSL's IR.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.elements import Element

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

GLOBAL_MARK = 0xDEADBEEF
"""The allocated pointer of a memref.get_global: memory that must not be freed."""


@dataclass(frozen=True)
class Scalar:
    """A number, passed by value."""

    type: str
    element: Element

    @property
    def llvm_parameters(self) -> Sequence[str]:
        return (self.element.llvm,)

    @property
    def llvm_result(self) -> str:
        return self.element.llvm

    @property
    def slot_format(self) -> str:
        return self.element.slot_format

    @property
    def slots(self) -> int:
        return self.element.slots

    def to_slots(self, value: Any, where: str) -> tuple[Any, ...]:
        if isinstance(value, np.ndarray):
            raise JITException(
                f"{where}: expected a number for {self.type}, got an array of "
                f"{describe(cast(Array, value))}. Pass array.item()."
            )
        try:
            return self.element.to_slots(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise JITException(
                f"{where}: expected a number for {self.type}: {error}."
            ) from None


@dataclass(frozen=True)
class Layout:
    """Where a memref's type says its elements lie; None where that is decided at run
    time. The strides and the offset count elements."""

    strides: tuple[int | None, ...]
    offset: int | None = None


@dataclass(frozen=True)
class Buffer:
    """A tensor or memref of known rank, passed as a memref descriptor: allocated and
    aligned pointer, offset, sizes, strides."""

    type: str
    element: Element
    shape: tuple[int | None, ...]
    """None where any size will do."""
    layout: Layout | None
    """None where elements lie in row-major order without gaps."""
    alignment: int = 1
    """What the address of the first element must be a multiple of, in bytes, a power of
    two: that of an arena."""

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def llvm_parameters(self) -> Sequence[str]:
        return ("ptr", "ptr", *("i64",) * (1 + 2 * self.rank))

    @property
    def llvm_result(self) -> str:
        if not self.rank:
            return "{ ptr, ptr, i64 }"
        return f"{{ ptr, ptr, i64, [{self.rank} x i64], [{self.rank} x i64] }}"

    @property
    def slot_format(self) -> str:
        return "q" * self.slots

    @property
    def slots(self) -> int:
        return 3 + 2 * self.rank

    def to_slots(self, value: Array, where: str) -> tuple[int, ...]:
        array = value
        shape = array.shape
        if shape != self.shape and not _fits(shape, self.shape):
            raise JITException(
                f"{where}: expected an array of shape {_shape_text(self.shape)} for "
                f"{self.type}, got {describe(array)}."
            )
        itemsize = array.itemsize
        if self.layout is None:
            if not array.flags.c_contiguous:
                raise JITException(
                    f"{where}: {self.type} has no strides of its own here, so the array "
                    f"must lie in memory row by row without gaps; this one has shape "
                    f"{shape} and strides {array.strides} in bytes. Pass numpy."
                    "ascontiguousarray(...), or compile with function boundaries of "
                    "dynamic layout (the default: function-boundary-type-conversion="
                    "infer-layout-map)."
                )
            strides = row_major(shape)
            offset = 0
        else:
            strides = _element_strides(array, self.type, where)
            offset = self.layout.offset or 0
            for have, want, size in zip(strides, self.layout.strides, shape, strict=True):
                if want is not None and have != want and size > 1 and array.size:
                    raise JITException(
                        f"{where}: the compiled function fixes the strides of "
                        f"{self.type} to {list(self.layout.strides)} elements; the array "
                        f"has {list(strides)}."
                    )
        data = array.__array_interface__["data"][0]
        return (data, data - offset * itemsize, offset, *shape, *strides)


class _Kept(int):
    """The address of a descriptor, which lives as long as this number."""

    _memory: object

    def __new__(cls, memory: ctypes.Array[ctypes.c_char]) -> _Kept:
        self = super().__new__(cls, ctypes.addressof(memory))
        self._memory = memory
        return self


@dataclass(frozen=True)
class UnrankedBuffer:
    """A tensor or memref of any rank, passed as its rank and the address of a
    descriptor."""

    type: str
    element: Element

    llvm_parameters = ("i64", "ptr")
    llvm_result = "{ i64, ptr }"
    slot_format = "qq"
    slots = 2

    def to_slots(self, value: Array, where: str) -> tuple[int, ...]:
        array = value
        data = array.__array_interface__["data"][0]
        strides = _element_strides(array, self.type, where)
        descriptor = struct.pack(
            f"={3 + 2 * array.ndim}q", data, data, 0, *array.shape, *strides
        )
        return array.ndim, _Kept(ctypes.create_string_buffer(descriptor))


Crossing: TypeAlias = Scalar | Buffer | UnrankedBuffer
"""One parameter or result. They have in common: `type`, as the user wrote it;
`llvm_parameters`, `llvm_result`; `slots` of the frame and their `slot_format`;
`to_slots(value, where)`, which checks a number or an array that `arguments.as_array` made
(`where` says which, for the error) and returns what fills the slots."""


@dataclass(frozen=True)
class Arena:
    """The memory that a function takes as an argument for its buffers.

    Attributes:
        bytes: its size; None if the function takes one of any size.
        alignment: what its address must be a multiple of, in bytes.
    """

    bytes: int | None
    alignment: int

    def allocate(self) -> Array:
        """Return a new array for it, whose elements are undefined. Calls may use one
        array one after the other, but not at the same time.

        Raises:
            ValueError: if the size is not fixed.
        """
        if self.bytes is None:
            raise ValueError("the function takes an arena of any size: allocate it")
        memory = np.empty(self.bytes + self.alignment, "int8")
        return memory[-memory.ctypes.data % self.alignment :][: self.bytes]


@dataclass(frozen=True)
class Signature:
    """A function's parameters and results."""

    name: str
    parameters: tuple[Crossing, ...]
    results: tuple[Crossing, ...]
    names: tuple[str | None, ...]
    """The parameters' names in the source; None where there was none."""
    read_only: frozenset[int] = frozenset()
    """The tensors that the function may not change: those marked `bufferization.writable
    = false`, or, where it is only declared, with an access that is no write."""
    arenas: int = 0
    """How many of the last parameters are arenas (`plan-memory{arena=argument}`)."""

    def __str__(self) -> str:
        parameters = ", ".join(
            f"%{name}: {parameter.type}" if name else str(parameter.type)
            for name, parameter in zip(self.names, self.parameters, strict=True)
        )
        results = ", ".join(str(result.type) for result in self.results)
        return f"{self.name}({parameters}) -> ({results})"

    def where(self, index: int) -> str:
        name = self.names[index]
        return f"{self.name}: argument {index}" + (f" (%{name})" if name else "")

    @property
    def llvm_result(self) -> str:
        types = [result.llvm_result for result in self.results]
        if len(types) > 1:
            return f"{{ {', '.join(types)} }}"
        return types[0] if types else "void"

    @property
    def llvm_type(self) -> str:
        """The type of the LLVM function, spelled as LLVM prints it."""
        parameters = (t for p in self.parameters for t in p.llvm_parameters)
        return f"{self.llvm_result} ({', '.join(parameters)})"


def _element_strides(array: Array, type: str, where: str) -> tuple[int, ...]:
    itemsize = array.itemsize
    if not array.size:
        return row_major(array.shape)
    if any(stride % itemsize for stride in array.strides):
        raise JITException(
            f"{where}: the strides {array.strides} of the array for {type} are no "
            f"multiples of its {itemsize}-byte elements. Pass array.copy()."
        )
    return tuple(stride // itemsize for stride in array.strides)


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the strides, in elements, of an array without gaps."""
    strides: list[int] = []
    stride = 1
    for size in reversed(shape):
        strides.append(stride)
        stride *= size
    return tuple(reversed(strides))


def _fits(shape: Sequence[int], expected: Sequence[int | None]) -> bool:
    return len(shape) == len(expected) and all(
        want in (have, None) for have, want in zip(shape, expected, strict=True)
    )


def _shape_text(shape: Sequence[int | None]) -> str:
    sizes = ("any" if size is None else str(size) for size in shape)
    return f"({', '.join(sizes)}{',' if len(shape) == 1 else ''})"


def describe(array: Array) -> str:
    return f"{array.dtype} of shape {array.shape}"
