"""Compiled modules and their functions, as Python calls them."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.arrays import owner_of, unpack_unranked, view
from xdsl_bufferization.jit.callbacks import FRAME_FUNCTION, take_exception
from xdsl_bufferization.jit.counting import Counter, Stats
from xdsl_bufferization.jit.engine import Library, LLVMModule
from xdsl_bufferization.jit.export import Exportable
from xdsl_bufferization.jit.frames import CALL_PREFIX, frame_of
from xdsl_bufferization.jit.signature import Buffer, Crossing, Scalar, Signature

_OVERLAP_WORK: Any = 10_000
"""How hard to look for a common element of two arrays before assuming there is one."""


class NoSuchFunction(JITException, AttributeError):
    """A module was asked for a function it does not have."""


@dataclass(frozen=True)
class Code:
    """Loaded machine code and what must live as long as it may run."""

    library: Library
    counter: Counter | None
    free: Callable[[int], Any]
    """Frees memory that the code allocated."""
    keep: object
    """Python functions the code calls."""

    def own(self, allocated: int) -> Callable[[int], Any]:
        """Takes over a buffer that the code returned: how to free it."""
        if self.counter is not None:
            self.counter.hand_out(allocated)
        return self.free


class Module:
    """A compiled module. Its public functions are its attributes and its items:
    `module.main(a, b)`, `module["main"](a, b)`, `list(module)`. Where a function has the
    name of a method, or one that begins with an underscore, only the item is it."""

    seconds: Mapping[str, float]
    """How long each stage of compilation took, in order."""

    def __init__(
        self,
        code: Code,
        signatures: Mapping[str, tuple[Signature, Sequence[bool]]],
        uncallable: Mapping[str, str],
        exportable: Exportable,
        llvm: LLVMModule,
        seconds: Mapping[str, float],
    ) -> None:
        self.seconds = seconds
        self._counter = code.counter
        self._exportable = exportable
        self._llvm = llvm
        self._uncallable = uncallable
        self._functions = {
            name: Function(code, signature, written)
            for name, (signature, written) in signatures.items()
        }

    def __getitem__(self, name: str) -> Function:
        function = self._functions.get(name)
        if function is not None:
            return function
        if name in self._uncallable:
            raise NoSuchFunction(self._uncallable[name])
        known = ", ".join(self._functions) or "none"
        raise NoSuchFunction(
            f"the module has no public function '{name}'. It has: {known}."
        )

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __contains__(self, name: object) -> bool:
        return name in self._functions

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._functions]

    def __repr__(self) -> str:
        functions = "".join(f"\n  {f.signature}" for f in self._functions.values())
        return f"<compiled module:{functions}>"

    @property
    def llvm_ir(self) -> str:
        """The optimised LLVM IR. In it the function f is called jit.function.f."""
        return str(self._llvm)

    def stats(self) -> Stats:
        """What the compiled code has allocated, freed and copied."""
        return self._counting().stats()

    def reset_stats(self) -> None:
        """Starts counting afresh; what is live stays live."""
        self._counting().reset()

    def save(self, path: str | os.PathLike[str], compiler: str | None = None) -> None:
        """Writes the compiled code to a file: a shared library (.so, .dylib, .dll; linked
        by `compiler`, by default the environment's CC or cc), an object file (.o),
        assembly (.s), LLVM IR (.ll) or bitcode (.bc). It is for this machine's CPU.

        Functions given as `functions` are not in it: whoever links must define them.
        """
        self._saveable().save(path, compiler)

    def header(self) -> str:
        """A C header for what `save` writes."""
        return self._saveable().header()

    def _saveable(self) -> Exportable:
        if self._counter is not None:
            raise JITException(
                "counted code runs in this process only: compile without count=True to "
                "save it."
            )
        return self._exportable

    def _counting(self) -> Counter:
        if self._counter is None:
            raise JITException("nothing is counted: compile the module with count=True.")
        return self._counter


class Function:
    """A compiled function. Calling it takes and returns NumPy arrays and Python numbers:
    None for no result, the result for one, a tuple for more.

    Arguments are not copied: the function reads the array's memory, and writes to it
    where bufferization decided to update the tensor in place. Mark a parameter
    `{bufferization.writable = false}` to forbid that. An array that is read-only, or that
    overlaps another argument, is refused where the function might write to it.

    Calls release the GIL. Several threads may call at once, as long as no array that one
    call may write to is in use by another, and the module has no mutable globals.
    """

    def __init__(self, code: Code, signature: Signature, written: Sequence[bool]) -> None:
        self.signature = signature
        self.written = tuple(written)
        """For each parameter: may a call change the array's elements?"""
        self.__name__ = self.__qualname__ = signature.name
        self.__doc__ = str(signature)
        self._code = code
        self._places = [signature.where(i) for i in range(len(signature.parameters))]
        self._frame = frame_of(signature)
        self._frame_type = ctypes.c_char * self._frame.size
        self._entry = FRAME_FUNCTION(code.library.address(CALL_PREFIX + signature.name))

    def __repr__(self) -> str:
        return f"<compiled function {self.signature}>"

    def __call__(self, *arguments: Any) -> Any:
        signature = self.signature
        if len(arguments) != len(signature.parameters):
            raise JITException(
                f"{signature.name} takes {len(signature.parameters)} arguments, got "
                f"{len(arguments)}: {signature}."
            )
        slots: list[Any] = []
        addresses: dict[int, object] = {}
        parameters = zip(signature.parameters, arguments, self._places, strict=True)
        for parameter, argument, place in parameters:
            fields = parameter.to_slots(argument, place)
            data = parameter.data_address(fields)
            if data is not None:
                addresses[data] = argument
            slots += fields
        if True in self.written:
            self._check_writing(arguments)

        frame = self._frame_type()
        self._frame.parameters.pack_into(frame, 0, *slots)
        self._entry(frame)
        exception = take_exception()
        values = self._frame.results.unpack_from(frame, self._frame.parameters.size)
        owners: dict[int, object] = {}
        results = tuple(
            self._result(result, values[where], addresses, owners)
            for result, where in zip(
                signature.results, self._frame.result_slots, strict=True
            )
        )
        if exception is not None:
            raise exception
        if len(results) == 1:
            return results[0]
        return results or None

    def _check_writing(self, arguments: Sequence[Any]) -> None:
        for index, written in enumerate(self.written):
            if not written:
                continue
            array = np.asarray(arguments[index])
            if not array.flags.writeable:
                raise JITException(
                    f"{self._places[index]}: the function may write to this array, which "
                    "is read-only. Pass array.copy(), or mark the parameter "
                    "{bufferization.writable = false}."
                )
            for other, parameter in enumerate(self.signature.parameters):
                if other == index or isinstance(parameter, Scalar):
                    continue
                if _share_memory(array, np.asarray(arguments[other])):
                    raise JITException(
                        f"{self._places[index]}: the function may write to this array, "
                        f"which shares memory with argument {other}. Pass array.copy()."
                    )

    def _result(
        self,
        result: Crossing,
        fields: tuple[Any, ...],
        addresses: Mapping[int, object],
        owners: dict[int, object],
    ) -> Any:
        if isinstance(result, Scalar):
            return result.element.from_slots(*fields)
        if isinstance(result, Buffer):
            rank = result.rank
            allocated, aligned, offset, *rest = fields
        else:
            rank, descriptor = fields
            allocated, aligned, offset, rest = unpack_unranked(rank, descriptor)
            self._code.free(descriptor)
        owner = owner_of(allocated, addresses, owners, self._code, self._code.own)
        return view(result.element, aligned, offset, rest[:rank], rest[rank:], owner)


def _share_memory(a: Any, b: Any) -> bool:
    if not np.may_share_memory(a, b):
        return False
    try:
        return np.shares_memory(a, b, max_work=_OVERLAP_WORK)
    except np.exceptions.TooHardError:
        return True
