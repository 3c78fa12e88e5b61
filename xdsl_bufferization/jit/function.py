"""Compiled functions, as Python calls them.

A call packs its arguments into a frame, runs the code, and makes Python values of what
the frame then holds of results. The arrays that the arguments are (`as_array`) live until
the results are made: the code reads and writes their memory, and a result may lie in it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl_bufferization.jit.arguments import as_array, check_written
from xdsl_bufferization.jit.arrays import Globals, Memory, unpack_unranked, view
from xdsl_bufferization.jit.callbacks import FRAME_FUNCTION, collect_exception
from xdsl_bufferization.jit.checks import guarded
from xdsl_bufferization.jit.counting import Counter
from xdsl_bufferization.jit.engine import Library
from xdsl_bufferization.jit.frames import CALL_PREFIX, frame_of
from xdsl_bufferization.jit.python_signature import bind, python_signature
from xdsl_bufferization.jit.signature import (
    GLOBAL_MARK,
    Array,
    Buffer,
    Crossing,
    Scalar,
    Signature,
)


@dataclass(frozen=True)
class Code:
    """Loaded machine code and what must live as long as it may run."""

    library: Library
    counter: Counter | None
    free: Callable[[int], Any]
    """Frees memory that the code allocated."""
    globals: Globals
    python: object
    """Python functions the code calls; None if there are none."""
    keep: object
    """C functions the code calls."""
    may_fail: bool
    """Whether it has assertions."""

    def own(self, allocated: int) -> Memory:
        """Take over a buffer that the code returned."""
        if self.counter is None:
            return Memory(allocated, self.free)
        self.counter.hand_out(allocated)
        return Memory(allocated, self.counter.release)


class Function:
    """A compiled function. Calling it takes and returns NumPy arrays and Python numbers:
    None for no result, the result for one, a tuple for more.

    Arguments are not copied: the function reads the array's memory, and writes to it
    where bufferization decided to update the tensor in place. Mark a parameter
    `{bufferization.writable = false}` to forbid that. An array that is read-only, that
    overlaps another argument, or of which elements overlap each other, is refused where
    the function might write to it.

    Calls release the GIL. Several threads may call at once, as long as no array that one
    call may write to is in use by another, and the module has no mutable globals.
    """

    def __init__(self, code: Code, signature: Signature, written: Sequence[bool]) -> None:
        self.signature = signature
        self.written = tuple(written)
        """For each parameter: may a call change the array's elements?"""
        self.__name__ = self.__qualname__ = signature.name
        self.__doc__ = str(signature)
        self.__signature__ = python_signature(signature)
        self._code = code
        self._count = len(signature.parameters)
        self._places = [signature.where(i) for i in range(len(signature.parameters))]
        self._frame = frame_of(signature)
        self._frame_type = ctypes.c_char * self._frame.size
        entry = code.library.address(CALL_PREFIX + signature.name)
        self._entry = guarded(entry) if code.may_fail else FRAME_FUNCTION(entry)

    def __repr__(self) -> str:
        return f"<compiled function {self.signature}>"

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if keywords or len(arguments) != self._count:
            arguments = bind(self.signature, arguments, keywords)
        frame = self._frame_type()
        arrays, _kept = self._pack(frame, arguments)
        if self._code.python is None:
            self._entry(frame)
            return self._results(frame, arrays)
        with collect_exception():
            self._entry(frame)
            return self._results(frame, arrays)

    def _pack(
        self, frame: Any, arguments: Sequence[Any]
    ) -> tuple[Sequence[Array | None], object]:
        """Check the arguments and put them into the frame. Return the arrays, and what
        else must live as long as the frame's addresses are used."""
        slots: list[Any] = []
        arrays: list[Array | None] = []
        parameters = zip(self.signature.parameters, arguments, self._places, strict=True)
        for parameter, argument, place in parameters:
            if isinstance(parameter, Scalar):
                arrays.append(None)
                slots += parameter.to_slots(argument, place)
            else:
                array = as_array(argument, parameter, place)
                arrays.append(array)
                slots += parameter.to_slots(array, place)
        check_written(arrays, self.written, self._places)
        self._frame.parameters.pack_into(frame, 0, *slots)
        return arrays, slots

    def _results(self, frame: Any, arrays: Sequence[Array | None]) -> Any:
        layout = self._frame
        values = layout.results.unpack_from(frame, layout.parameters.size)
        owners = _Owners(self._code, self.signature, arrays)
        results = tuple(
            self._result(result, values[where], owners)
            for result, where in zip(
                self.signature.results, layout.result_slots, strict=True
            )
        )
        if len(results) == 1:
            return results[0]
        return results or None

    def _result(self, result: Crossing, fields: tuple[Any, ...], owners: _Owners) -> Any:
        element = result.element
        if isinstance(result, Scalar):
            return element.from_slots(*fields)
        if isinstance(result, Buffer):
            rank = result.rank
            allocated, aligned, offset, *rest = fields
        else:
            rank, descriptor = fields
            allocated, aligned, offset, rest = unpack_unranked(rank, descriptor)
            self._code.free(descriptor)
        sizes, strides = rest[:rank], rest[rank:]
        first = aligned + offset * element.dtype.itemsize
        owner, writable = owners.find(allocated, first)
        return view(element, aligned, offset, sizes, strides, owner, writable=writable)


@dataclass
class _Owners:
    """What must outlive the results of one call."""

    code: Code
    signature: Signature
    arrays: Sequence[Array | None]
    """The call's arguments."""
    buffers: dict[int, Memory] = field(default_factory=dict[int, Memory])
    """Those that the call's results own, by address."""

    def find(self, allocated: int, first: int) -> tuple[object, bool]:
        """Return the owner of a buffer that the function returned, and whether a result
        whose first element is at `first` may be written."""
        if allocated == GLOBAL_MARK:
            return self.code, self.code.globals.writable(first)
        arguments = [
            (index, array)
            for index, array in enumerate(self.arrays)
            if array is not None and array.__array_interface__["data"][0] == allocated
        ]
        if arguments:
            writable = all(
                array.flags.writeable and index not in self.signature.read_only
                for index, array in arguments
            )
            return arguments, writable
        if allocated not in self.buffers:
            self.buffers[allocated] = self.code.own(allocated)
        return self.buffers[allocated], True
