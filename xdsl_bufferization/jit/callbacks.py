"""Functions that a module declares and Python defines: `compile(..., functions={...})`.

    func.func private @log(tensor<?xf32>) -> f32

can be implemented by a Python function. It gets arrays that are views of the caller's
buffers, valid during the call, and returns one value or a tuple as the declaration
says; arrays it returns are copied into buffers that the caller owns, as the function
boundary ABI requires. Views of constants, and of tensors that the declaration does not
allow it to write (`bufferization.access = "read"`), are read-only.

An exception in it cannot unwind compiled code: its results become zeros (dynamic sizes
become zero), the compiled function runs on, without calling Python again, and the
exception is raised when that returns.

A ctypes function or an address may be given instead of a Python function: it becomes
the symbol itself, with the calling convention of the lowered declaration, or that of C
if the declaration has `llvm.emit_c_interface`.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from struct import Struct
from typing import Any, cast

import numpy as np
from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.arguments import as_array
from xdsl_bufferization.jit.arrays import Globals, unpack_unranked, view_maker
from xdsl_bufferization.jit.checks import CheckError
from xdsl_bufferization.jit.counting import address_of
from xdsl_bufferization.jit.frames import SLOT_BYTES, frame_of
from xdsl_bufferization.jit.signature import (
    GLOBAL_MARK,
    Array,
    Buffer,
    Crossing,
    Scalar,
    Signature,
    UnrankedBuffer,
    row_major,
)

FRAME_FUNCTION: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_C_FUNCTION: type = FRAME_FUNCTION.__base__
"""The class of all ctypes functions, which ctypes does not name in public."""

Allocate = Callable[[int], int]

_running = threading.local()
"""`calls` holds, for each call of compiled code that this thread is in, innermost last,
the exception that a Python function raised in it, in a list."""


_FRAMES = 50
"""How many calls deep Python must be able to go from a call of compiled code: more than
it takes to say that a Python function has raised, and to make zeros of its results."""


def _be_able_to_call(depth: int) -> None:
    """Raise RecursionError unless so many calls fit on the stack. In a callback it would
    be too late: without results, compiled code would read what happens to be there."""
    if depth:
        _be_able_to_call(depth - 1)


@contextmanager
def collect_exception() -> Generator[None]:
    """Raise, after a call of compiled code, what a Python function raised during it."""
    _be_able_to_call(_FRAMES)
    calls: list[list[BaseException]] = _running.__dict__.setdefault("calls", [])
    raised: list[BaseException] = []
    calls.append(raised)
    try:
        yield
    except CheckError:
        # What a function that raised returned instead of a result may have failed.
        if not raised:
            raise
    finally:
        # Not the last one: a signal may end this late, after other calls have begun.
        calls[:] = [call for call in calls if call is not raised]
    if raised:
        raise raised[0]


def given_address(function: Any) -> int | None:
    """The address, if the function is given as an address or a ctypes function."""
    if isinstance(function, int):
        return function
    if isinstance(function, _C_FUNCTION):
        return address_of(function)
    return None


class PythonFunction:
    """A Python function as the frame function that `frames.python_entries` calls."""

    def __init__(
        self,
        signature: Signature,
        function: Callable[..., Any],
        allocate: Allocate,
        globals_: Globals,
    ) -> None:
        for index, result in enumerate(signature.results):
            _check_result(result, f"{signature.name}: result {index}")
        self._signature = signature
        self._function = function
        self._allocate = allocate
        self._globals = globals_
        self._frame = frame_of(signature)
        # Together, so that no signal comes between them.
        self._results_and_calls = Struct(self._frame.results.format + "q")
        self._entry = FRAME_FUNCTION(self._call)
        self.address = address_of(self._entry)

    def _call(self, address: int) -> None:
        raised: list[BaseException] = _running.calls[-1]
        frame = (ctypes.c_char * (self._frame.size + SLOT_BYTES)).from_address(address)
        if not raised:
            try:
                if _calls(frame) > 1:
                    # Only a signal's handler raises where nothing here can catch it.
                    raise KeyboardInterrupt
                self._run(frame)
            except BaseException as exception:
                raised.append(exception)
        if raised and _calls(frame):
            nothing = (slot for r in self._signature.results for slot in self._nothing(r))
            self._return(frame, nothing)

    def _run(self, frame: Any) -> None:
        returned = self._function(*self._arguments(frame))
        self._return(frame, self._results(returned))

    def _return(self, frame: Any, slots: Iterable[Any]) -> None:
        self._results_and_calls.pack_into(frame, self._frame.parameters.size, *slots, 0)

    def _arguments(self, frame: Any) -> list[Any]:
        values = self._frame.parameters.unpack_from(frame)
        arguments: list[Any] = []
        parameters = zip(
            self._signature.parameters, self._frame.parameter_slots, strict=True
        )
        for index, (parameter, where) in enumerate(parameters):
            fields = values[where]
            if isinstance(parameter, Scalar):
                arguments.append(parameter.element.from_slots(*fields))
                continue
            rank = parameter.rank if isinstance(parameter, Buffer) else fields[0]
            if isinstance(parameter, UnrankedBuffer):
                allocated, aligned, offset, rest = unpack_unranked(*fields)
            else:
                allocated, aligned, offset, *rest = fields
            element = parameter.element
            writable = index not in self._signature.read_only
            first = aligned + offset * element.dtype.itemsize
            if allocated == GLOBAL_MARK:
                writable = writable and self._globals.writable(first)
            arguments.append(view_maker(element, rank)(first, rest, None, writable))
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
        checked: list[tuple[Sequence[Any], Array | None]] = []
        for index, (result, value) in enumerate(zip(expected, values, strict=True)):
            where = f"{name}: result {index}"
            if isinstance(result, Buffer):
                array = as_array(value, result, where)
                array = np.ascontiguousarray(array).reshape(array.shape)
                checked.append((result.to_slots(array, where), array))
            else:
                checked.append((result.to_slots(value, where), None))
        # Only now that nothing can be wrong any more are there buffers to free.
        slots: list[Any] = []
        for fields, array in checked:
            slots += fields if array is None else self._buffer(fields, array)
        return slots

    def _buffer(self, fields: Sequence[int], array: Array) -> Sequence[int]:
        """Copy an array into a buffer of the caller's, and return its descriptor."""
        data, aligned, *rest = fields
        address = self._allocate(array.nbytes)
        if not address:
            raise MemoryError(f"{self._signature.name}: no {array.nbytes} bytes are left")
        ctypes.memmove(address, data, array.nbytes)
        return (address, aligned + address - data, *rest)

    def _nothing(self, result: Crossing) -> Sequence[Any]:
        if isinstance(result, Buffer):
            shape = [size or 0 for size in result.shape]
            array = np.zeros(shape, result.element.dtype)
            return self._buffer(result.to_slots(array, ""), array)
        return (0,) * (2 if result.slot_format in ("ff", "dd") else 1)


def _calls(frame: Any) -> int:
    """How often Python has been called for a frame; 0 if the results are there."""
    return int.from_bytes(frame[-SLOT_BYTES:], sys.byteorder)


def _check_result(result: Crossing, where: str) -> None:
    if isinstance(result, Scalar):
        return
    if isinstance(result, Buffer):
        if result.layout is None:
            return
        strides = result.layout.strides
        known = [stride for stride in strides if stride is not None]
        # The sizes that strides follow from: all but the first.
        sizes = [size for size in result.shape[1:] if size is not None]
        if not known or (
            len(sizes) == result.rank - 1 and row_major((1, *sizes)) == strides
        ):
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
