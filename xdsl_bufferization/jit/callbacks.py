"""Functions that a module declares and Python defines: `compile(..., functions={...})`.

    func.func private @log(tensor<?xf32>) -> f32

can be given as a Python function. It gets arrays that are views of the caller's buffers,
valid during the call, and returns one value or a tuple as the declaration says; arrays it
returns are copied into buffers that the caller owns, as the function boundary ABI wants.
Tensors passed to it may be changed in place only if the program says so, as any callee.

An exception in it cannot unwind compiled code: its results become zeros (dynamic sizes
become zero), the compiled function runs on, and the exception is raised when that
returns.

Instead of a Python function a ctypes function or an address may be given: that is then
the symbol itself, with the calling convention of the lowered declaration, or that of C if
the declaration has `llvm.emit_c_interface`.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.arrays import unpack_unranked, view
from xdsl_bufferization.jit.counting import address_of
from xdsl_bufferization.jit.frames import Frame, frame_of
from xdsl_bufferization.jit.signature import (
    Buffer,
    Crossing,
    Scalar,
    Signature,
    as_array,
    row_major,
)

FRAME_FUNCTION: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_C_FUNCTION: type = FRAME_FUNCTION.__base__
"""The class of all ctypes functions, which ctypes does not name in public."""

Allocate = Callable[[int], int]

_raised = threading.local()


def take_exception() -> BaseException | None:
    """The first exception callbacks raised in this thread since this was last asked."""
    exception = getattr(_raised, "exception", None)
    if exception is not None:
        _raised.exception = None
    return exception


def given_address(function: Any) -> int | None:
    """The address, if the function is given as an address or a ctypes function."""
    if isinstance(function, int):
        return function
    if isinstance(function, _C_FUNCTION):
        return address_of(function)
    return None


class PythonFunction:
    """A Python function as the frame function that `frames.python_entry` calls."""

    def __init__(
        self,
        signature: Signature,
        function: Callable[..., Any],
        allocate: Allocate,
    ) -> None:
        for index, result in enumerate(signature.results):
            _check_result(result, f"{signature.name}: result {index}")
        self._signature = signature
        self._function = function
        self._allocate = allocate
        self._frame = frame_of(signature)
        self._entry = FRAME_FUNCTION(self._call)
        self.address = address_of(self._entry)

    def _call(self, address: int) -> None:
        frame = (ctypes.c_char * self._frame.size).from_address(address)
        try:
            slots = self._results(self._function(*self._arguments(frame, self._frame)))
        except BaseException as exception:
            if getattr(_raised, "exception", None) is None:
                _raised.exception = exception
            slots = [slot for r in self._signature.results for slot in self._nothing(r)]
        self._frame.results.pack_into(frame, self._frame.parameters.size, *slots)

    def _arguments(self, frame: Any, layout: Frame) -> list[Any]:
        values = layout.parameters.unpack_from(frame)
        arguments: list[Any] = []
        parameters = zip(self._signature.parameters, layout.parameter_slots, strict=True)
        for parameter, where in parameters:
            fields = values[where]
            if isinstance(parameter, Scalar):
                arguments.append(parameter.element.from_slots(*fields))
            elif isinstance(parameter, Buffer):
                _, aligned, offset, *rest = fields
                sizes, strides = rest[: parameter.rank], rest[parameter.rank :]
                arguments.append(
                    view(parameter.element, aligned, offset, sizes, strides, None)
                )
            else:
                rank, descriptor = fields
                _, aligned, offset, rest = unpack_unranked(rank, descriptor)
                arguments.append(
                    view(
                        parameter.element, aligned, offset, rest[:rank], rest[rank:], None
                    )
                )
        return arguments

    def _results(self, returned: Any) -> list[Any]:
        expected = self._signature.results
        name = self._signature.name
        values: tuple[Any, ...]
        if len(expected) > 1 and isinstance(returned, tuple):
            values = cast(tuple[Any, ...], returned)
        else:
            values = () if returned is None else (returned,)
        if len(values) != len(expected):
            raise JITException(
                f"{name}: the Python function returned {len(values)} results, its "
                f"declaration has {len(expected)}."
            )
        slots: list[Any] = []
        for index, (result, value) in enumerate(zip(expected, values, strict=True)):
            where = f"{name}: result {index}"
            if isinstance(result, Buffer):
                slots += self._buffer(
                    result, as_array(value, result.type, result.element, where), where
                )
            else:
                slots += result.to_slots(value, where)
        return slots

    def _buffer(self, result: Buffer, array: Any, where: str) -> Sequence[int]:
        array = np.ascontiguousarray(array).reshape(array.shape)
        fields = list(result.to_slots(array, where))
        address = self._allocate(array.nbytes)
        ctypes.memmove(address, array.ctypes.data, array.nbytes)
        fields[1] += address - fields[0]
        fields[0] = address
        return fields

    def _nothing(self, result: Crossing) -> Sequence[Any]:
        if isinstance(result, Buffer):
            shape = [0 if size == DYNAMIC_INDEX else size for size in result.shape]
            return self._buffer(result, np.zeros(shape, result.element.dtype), "")
        return (0,) * (2 if result.slot_format in ("ff", "dd") else 1)


def _check_result(result: Crossing, where: str) -> None:
    if isinstance(result, Scalar):
        return
    if isinstance(result, Buffer):
        if result.layout is None:
            return
        fixed = [stride for stride in result.layout.strides if stride is not None]
        if not fixed or result.layout.strides == row_major(result.shape):
            return
    raise JITException(
        f"{where}: a Python function cannot return a buffer of type {result.type} here; "
        "possible are ranked ones in row-major order or of dynamic layout."
    )


def check_functions(
    functions: Mapping[str, Any],
    declared: Mapping[str, Signature],
    uncallable: Mapping[str, str],
) -> None:
    for name, function in functions.items():
        if name in uncallable:
            raise JITException(f"functions: {uncallable[name]}")
        if name not in declared:
            known = ", ".join(declared) or "none"
            raise JITException(
                f"functions: the module declares no function '{name}'. It declares: "
                f"{known}."
            )
        if given_address(function) is None and not callable(function):
            raise JITException(
                f"functions: '{name}' is given as {function!r}, which is neither "
                "callable nor an address."
            )
