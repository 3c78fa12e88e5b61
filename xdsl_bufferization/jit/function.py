"""Compiled functions, callable from Python.

A call packs its arguments into a frame, runs the code, and converts the results in the
frame to Python values. The arrays of the arguments (`as_array`) are kept alive until
the results are converted: the code reads and writes their memory, and a result may be
in it.

Arguments that `marshal` accepts take a fast path; the slow path handles all others and
reports errors.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.arguments import as_arena, as_array, check_written
from xdsl_bufferization.jit.arrays import Globals, Memory, unpack_unranked, view_maker
from xdsl_bufferization.jit.callbacks import FRAME_FUNCTION, collect_exception
from xdsl_bufferization.jit.checks import guarded
from xdsl_bufferization.jit.counting import Counter
from xdsl_bufferization.jit.engine import Library
from xdsl_bufferization.jit.frames import CALL_PREFIX, SLOT_BYTES, frame_of
from xdsl_bufferization.jit.marshal import marshal, table_of
from xdsl_bufferization.jit.python_signature import bind, python_signature
from xdsl_bufferization.jit.signature import (
    GLOBAL_MARK,
    Arena,
    Array,
    Buffer,
    Crossing,
    Scalar,
    Signature,
    UnrankedBuffer,
)


class PicklingError(JITException, TypeError):
    """Something was to be pickled that lives in this process only."""


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
        self._places = [signature.where(i) for i in range(self._count)]
        self._layout = frame_of(signature)
        self._frame_type = ctypes.c_int64 * (self._layout.size // SLOT_BYTES)
        entry = code.library.address(CALL_PREFIX + signature.name)
        self._entry = guarded(entry) if code.may_fail else FRAME_FUNCTION(entry)
        self._table = table_of(signature, written)
        self._scalars = _scalars(signature)
        self._array_slots = _array_slots(signature)
        self._results = [
            (_maker(result), where)
            for result, where in zip(
                signature.results, self._layout.result_slots, strict=True
            )
        ]

    @property
    def arenas(self) -> tuple[Arena, ...]:
        """The arenas that are the last arguments of a call; none unless the function was
        compiled with `plan-memory{arena=argument}`."""
        parameters = self.signature.parameters
        return tuple(
            Arena(parameter.shape[0], parameter.alignment)
            for parameter in parameters[len(parameters) - self.signature.arenas :]
            if isinstance(parameter, Buffer)
        )

    def __copy__(self) -> Function:
        return self

    def __deepcopy__(self, memo: object) -> Function:
        """Return the function itself: code does not change."""
        return self

    def __reduce__(self) -> NoReturn:
        raise PicklingError(
            f"{self.signature.name} is machine code of this process and cannot be "
            "pickled. Pickle the module's source and compile it again, with cache=True "
            "for the code to be kept."
        )

    def __repr__(self) -> str:
        return f"<compiled function {self.signature}>"

    def __call__(self, /, *arguments: Any, **keywords: Any) -> Any:
        if keywords or len(arguments) != self._count:
            arguments = bind(self.signature, arguments, keywords)
        frame = self._frame_type()
        _kept: object = None
        arrays: Sequence[Any] = arguments
        if not self._pack_quickly(frame, arguments):
            arrays, _kept = self._pack(frame, arguments)
        if self._code.python is None:
            self._entry(frame)
            return self._take(frame, arrays)
        with collect_exception():
            self._entry(frame)
            return self._take(frame, arrays)

    def _pack_quickly(self, frame: Any, arguments: tuple[Any, ...]) -> bool:
        """Put the arguments into the frame, if that can be done without a question."""
        fill = marshal()
        if fill is None or self._table is None or fill(arguments, self._table, frame):
            return False
        for index, pack_into, start, to_slots, place in self._scalars:
            pack_into(frame, start, *to_slots(arguments[index], place))
        return True

    def _pack(
        self, frame: Any, arguments: Sequence[Any]
    ) -> tuple[Sequence[Array | None], object]:
        """Check the arguments and put them into the frame. Return the arrays, and what
        else must live as long as the frame's addresses are used."""
        slots: list[Any] = []
        arrays: list[Array | None] = []
        first_arena = self._count - self.signature.arenas
        parameters = zip(self.signature.parameters, arguments, self._places, strict=True)
        for number, (parameter, argument, place) in enumerate(parameters, -first_arena):
            if isinstance(parameter, Scalar):
                arrays.append(None)
                slots += parameter.to_slots(argument, place)
                continue
            if number >= 0 and isinstance(parameter, Buffer):
                array = as_arena(argument, parameter, place, number)
            else:
                array = as_array(argument, parameter, place)
            arrays.append(array)
            slots += parameter.to_slots(array, place)
        check_written(arrays, self.written, self._places)
        self._layout.parameters.pack_into(frame, 0, *slots)
        return arrays, slots

    def _take(self, frame: Any, arrays: Sequence[Any]) -> Any:
        """Make Python values of the results in the frame."""
        if not self._results:
            return None
        layout = self._layout
        values = layout.results.unpack_from(frame, layout.parameters.size)
        owners = _Owners(self._code, self.signature, self._array_slots, frame, arrays)
        if len(self._results) == 1:
            make, where = self._results[0]
            return make(values[where], owners)
        return tuple(make(values[where], owners) for make, where in self._results)


def _array_slots(signature: Signature) -> list[tuple[int, int, bool]]:
    """For each array that is passed, its position and the slot of its address; True where
    that is the address of a descriptor, whose first field is the array's."""
    slots: list[tuple[int, int, bool]] = []
    slot = 0
    for index, parameter in enumerate(signature.parameters):
        if isinstance(parameter, Buffer):
            slots.append((index, slot, False))
        elif isinstance(parameter, UnrankedBuffer):
            slots.append((index, slot + 1, True))
        slot += parameter.slots
    return slots


def _scalars(signature: Signature) -> list[tuple[Any, ...]]:
    """For each number that is passed: its position, how it is packed and where in the
    frame, what makes its slots, and which argument it is."""
    scalars: list[tuple[Any, ...]] = []
    slot = 0
    for index, parameter in enumerate(signature.parameters):
        if isinstance(parameter, Scalar):
            pack_into = struct.Struct("=" + parameter.slot_format).pack_into
            start = slot * SLOT_BYTES
            place = signature.where(index)
            scalars.append((index, pack_into, start, parameter.to_slots, place))
        slot += parameter.slots
    return scalars


def _maker(result: Crossing) -> Callable[[tuple[Any, ...], _Owners], Any]:
    """What makes a Python value of a result's fields."""
    element = result.element
    if isinstance(result, Scalar):
        from_slots = element.from_slots
        return lambda fields, owners: from_slots(*fields)
    itemsize = element.dtype.itemsize
    if isinstance(result, UnrankedBuffer):

        def make_unranked(fields: tuple[Any, ...], owners: _Owners) -> Any:
            rank, descriptor = fields
            allocated, aligned, offset, extents = unpack_unranked(rank, descriptor)
            owners.code.free(descriptor)
            first = aligned + offset * itemsize
            return view_maker(element, rank)(
                first, extents, *owners.find(allocated, first)
            )

        return make_unranked
    make = view_maker(element, result.rank)

    def make_array(fields: tuple[Any, ...], owners: _Owners) -> Any:
        first = fields[1] + fields[2] * itemsize
        return make(first, fields[3:], *owners.find(fields[0], first))

    return make_array


class _Owners:
    """What must outlive the results of one call."""

    __slots__ = ("array_slots", "arrays", "buffers", "code", "frame", "signature")

    def __init__(
        self,
        code: Code,
        signature: Signature,
        array_slots: Sequence[tuple[int, int, bool]],
        frame: Any,
        arrays: Sequence[Any],
    ) -> None:
        self.code = code
        self.signature = signature
        self.array_slots = array_slots
        self.frame = frame
        self.arrays = arrays
        """The call's arguments as arrays; numbers may be anything."""
        self.buffers: dict[int, Memory] = {}
        """Those that the call's results own, by address."""

    def find(self, allocated: int, first: int) -> tuple[object, bool]:
        """Return the owner of a buffer that the function returned, and whether a result
        whose first element is at `first` may be written."""
        if allocated == GLOBAL_MARK:
            return self.code, self.code.globals.writable(first)
        if allocated in self.buffers:
            return self.buffers[allocated], True
        frame = self.frame
        arguments = [
            index
            for index, slot, is_unranked in self.array_slots
            if allocated == (_first_word(frame[slot]) if is_unranked else frame[slot])
        ]
        if arguments:
            found = [self.arrays[index] for index in arguments]
            read_only = self.signature.read_only
            return found, read_only.isdisjoint(arguments) and all(
                array.flags.writeable for array in found
            )
        memory = self.buffers[allocated] = self.code.own(allocated)
        return memory, True


def _first_word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value
