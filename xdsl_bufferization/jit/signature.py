"""What a compiled function takes and returns, and how each value crosses the boundary.

A function's signature is read off its func.func: from the module as it was given
(tensors, for the user's eyes) and as it was right before its functions became LLVM
functions (memrefs, for the layouts). Each parameter and result is a `Scalar`, a `Buffer`
or an `UnrankedBuffer`; those know

- the LLVM types MLIR's calling convention gives them (a memref parameter is spread out
  over its descriptor's fields; a result is one value),
- the slots of the frame they take, and
- how a Python value is checked and turned into slot values, without copying arrays.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    FunctionType,
    MemRefType,
    NoneAttr,
    ShapedType,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap
from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.elements import Element, element_of

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

GLOBAL_MARK = 0xDEADBEEF
"""The allocated pointer of a memref.get_global: memory that nobody may free."""


@dataclass(frozen=True)
class Scalar:
    """A number, passed by value."""

    type: Attribute
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
                f"{_describe(cast(Array, value))}. Pass array.item()."
            )
        try:
            return self.element.to_slots(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise JITException(
                f"{where}: expected a number for {self.type}: {error}."
            ) from None

    def data_address(self, slots: Sequence[Any]) -> int | None:
        return None


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

    type: Attribute
    element: Element
    shape: tuple[int, ...]
    """DYNAMIC_INDEX where any size will do."""
    layout: Layout | None
    """None where elements lie in row-major order without gaps."""

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

    def to_slots(self, value: Any, where: str) -> tuple[int, ...]:
        array = as_array(value, self.type, self.element, where)
        shape = array.shape
        if shape != self.shape and not _fits(shape, self.shape):
            raise JITException(
                f"{where}: expected an array of shape {_shape_text(self.shape)} for "
                f"{self.type}, got {_describe(array)}."
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
                if want is not None and have != want and size > 1:
                    raise JITException(
                        f"{where}: the compiled function fixes the strides of "
                        f"{self.type} to {list(self.layout.strides)} elements; the array "
                        f"has {list(strides)}."
                    )
        data = array.__array_interface__["data"][0]
        return (data, data - offset * itemsize, offset, *shape, *strides)

    def data_address(self, slots: Sequence[Any]) -> int | None:
        return slots[0]


class _Kept(int):
    """The address of a descriptor, which lives as long as this number."""

    data: int
    """The address of the array's first element."""
    _memory: object

    def __new__(cls, memory: ctypes.Array[ctypes.c_char], data: int) -> _Kept:
        self = super().__new__(cls, ctypes.addressof(memory))
        self._memory = memory
        self.data = data
        return self


@dataclass(frozen=True)
class UnrankedBuffer:
    """A tensor or memref of any rank, passed as its rank and the address of a
    descriptor."""

    type: Attribute
    element: Element

    llvm_parameters = ("i64", "ptr")
    llvm_result = "{ i64, ptr }"
    slot_format = "qq"
    slots = 2

    def to_slots(self, value: Any, where: str) -> tuple[int, ...]:
        array = as_array(value, self.type, self.element, where)
        data = array.__array_interface__["data"][0]
        strides = _element_strides(array, self.type, where)
        descriptor = struct.pack(
            f"={3 + 2 * array.ndim}q", data, data, 0, *array.shape, *strides
        )
        return array.ndim, _Kept(ctypes.create_string_buffer(descriptor), data)

    def data_address(self, slots: Sequence[Any]) -> int | None:
        return slots[1].data


Crossing: TypeAlias = Scalar | Buffer | UnrankedBuffer
"""One parameter or result. They have in common: `type`, as the user wrote it;
`llvm_parameters`, `llvm_result`; `slots` of the frame and their `slot_format`;
`to_slots(value, where)`, which checks an argument (`where` says which, for the error)
and gives what fills the slots; `data_address(slots)`, where an argument's first element
is."""


@dataclass(frozen=True)
class Signature:
    """A function's parameters and results."""

    name: str
    parameters: tuple[Crossing, ...]
    results: tuple[Crossing, ...]
    names: tuple[str | None, ...]
    """The parameters' names in the source; None where there was none."""
    read_only: frozenset[int] = frozenset()
    """The parameters marked `bufferization.writable = false`."""

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


def read_signature(
    name: str,
    source: FunctionType,
    lowered: FunctionType,
    names: Sequence[str | None],
    read_only: frozenset[int],
) -> Signature:
    """The signature of a function that was given as `source` and is `lowered` right
    before it becomes an LLVM function.

    Passes may change the list of parameters (results as out-parameters) or of results
    (dropped ones): then the lowered types are shown to the user as well.
    """

    def crossings(given: Sequence[Attribute], now: Sequence[Attribute], what: str):
        shown = given if len(given) == len(now) else now
        return tuple(
            _crossing(a, b, f"{name}: {what} {i}")
            for i, (a, b) in enumerate(zip(shown, now, strict=True))
        )

    parameters = crossings(source.inputs.data, lowered.inputs.data, "argument")
    results = crossings(source.outputs.data, lowered.outputs.data, "result")
    if len(names) != len(parameters):
        names = (*names, *(None,) * len(parameters))[: len(parameters)]
    return Signature(name, parameters, results, tuple(names), read_only)


def _crossing(source: Attribute, lowered: Attribute, where: str) -> Crossing:
    match lowered:
        case TensorType() | MemRefType():
            _check_space(lowered, where)
            shape = tuple(lowered.get_shape())
            if isinstance(source, ShapedType) and len(source.get_shape()) == len(shape):
                # Bufferization may have generalised a static shape.
                shape = tuple(
                    a if b == DYNAMIC_INDEX else b
                    for a, b in zip(source.get_shape(), shape, strict=True)
                )
            element = element_of(lowered.get_element_type(), where)
            return Buffer(source, element, shape, _layout(lowered, where))
        case UnrankedTensorType() | UnrankedMemRefType():
            _check_space(lowered, where)
            return UnrankedBuffer(source, element_of(lowered.element_type, where))
        case _:
            return Scalar(source, element_of(lowered, where))


def _check_space(type: Attribute, where: str) -> None:
    space = getattr(type, "memory_space", NoneAttr())
    if not isinstance(space, NoneAttr) and str(space) not in ("0", "0 : i64"):
        raise JITException(
            f"{where}: {type} is in memory space {space}; NumPy arrays are in the "
            "default memory space only."
        )


def _layout(type: Attribute, where: str) -> Layout | None:
    layout = type.layout if isinstance(type, MemRefType) else NoneAttr()
    match layout:
        case NoneAttr():
            return None
        case StridedLayoutAttr():
            return Layout(tuple(layout.get_strides()), layout.get_offset())
        case AffineMapAttr() if layout.data == AffineMap.identity(layout.data.num_dims):
            return None
        case _:
            raise JITException(
                f"{where}: the layout of {type} has no strides; only strided layouts "
                "can be passed as NumPy arrays."
            )


def as_array(value: Any, type: Attribute, element: Element, where: str) -> Array:
    """`value` itself, when its elements are of the right type and lie where the machine
    can read them. Never a copy."""
    array = _memory_of(value)
    if array is None:
        raise JITException(
            f"{where}: expected a NumPy array for {type}, got "
            f"{value.__class__.__name__}. Pass numpy.array(..., dtype='{element.dtype}')."
        )
    if array.dtype not in element.dtypes:
        expected = " or ".join(str(dtype) for dtype in element.dtypes)
        raise JITException(
            f"{where}: expected an array of {expected} for {type}, got "
            f"{_describe(array)}. Pass array.astype('{element.dtype}')."
        )
    if not array.flags.aligned:
        raise JITException(
            f"{where}: the array's elements are not aligned in memory. Pass array.copy()."
        )
    return array


def _memory_of(value: Any) -> Array | None:
    """An array over the memory of an object that lends it out; None if it does not."""
    if isinstance(value, np.ndarray):
        return cast(Array, value)
    if isinstance(value, np.generic):
        return None
    if hasattr(value, "__array_interface__"):
        return np.asarray(value)
    try:
        return np.asarray(memoryview(value))
    except TypeError:
        return None


def _element_strides(array: Array, type: Attribute, where: str) -> tuple[int, ...]:
    itemsize = array.itemsize
    if any(stride % itemsize for stride in array.strides):
        raise JITException(
            f"{where}: the strides {array.strides} of the array for {type} are no "
            f"multiples of its {itemsize}-byte elements. Pass array.copy()."
        )
    return tuple(stride // itemsize for stride in array.strides)


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides, in elements, of an array without gaps."""
    strides: list[int] = []
    stride = 1
    for size in reversed(shape):
        strides.append(stride)
        stride *= size
    return tuple(reversed(strides))


def _fits(shape: Sequence[int], expected: Sequence[int]) -> bool:
    return len(shape) == len(expected) and all(
        want in (have, DYNAMIC_INDEX) for have, want in zip(shape, expected, strict=True)
    )


def _shape_text(shape: Sequence[int]) -> str:
    sizes = ("any" if size == DYNAMIC_INDEX else str(size) for size in shape)
    return f"({', '.join(sizes)}{',' if len(shape) == 1 else ''})"


def _describe(array: Array) -> str:
    return f"{array.dtype} of shape {array.shape}"
