"""LLVM IR to machine code in this process, by llvmlite.

The only file here that knows llvmlite. Text goes in; it is parsed, joined with supporting
text (entries, counters), verified, optimised for the host's CPU as `opt -O<level>` does,
turned into an object file's bytes and loaded by one ORC JIT that all modules share, each
as a library with symbols of its own.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

import llvmlite.binding as _binding  # pyright: ignore[reportMissingTypeStubs]
from xdsl.utils.exceptions import JITException

_llvm: Any = _binding
_lock = threading.Lock()
"""One thread at a time touches LLVM's shared state: targets, the JIT's libraries."""
_library_numbers = count()


class LLVMModule:
    """A module of LLVM IR in memory, in a context of its own, from text or bitcode."""

    def __init__(self, source: str | bytes) -> None:
        with _lock:
            self._context = _llvm.create_context()
            if isinstance(source, bytes):
                self._module = _llvm.parse_bitcode(source, self._context)
            else:
                self._module = self._parse(source)
            # The finalizer's references keep both out of the garbage collector's hands,
            # which would dispose of them in any order.
            weakref.finalize(self, _dispose, self._module, self._context)
            machine = _target_machine(2)
            self._module.triple = machine.triple
            self._module.data_layout = str(machine.target_data)
            self._verify()

    def __str__(self) -> str:
        return str(self._module)

    def _parse(self, text: str) -> Any:
        try:
            return _llvm.parse_assembly(text, self._context)
        except RuntimeError as error:
            raise JITException(
                f"LLVM does not accept the generated code: {error}"
            ) from None

    def _verify(self) -> None:
        try:
            self._module.verify()
        except RuntimeError as error:
            raise JITException(
                f"LLVM finds the generated code invalid: {error}"
            ) from None

    def function_type(self, name: str) -> str | None:
        """The type of a function as LLVM prints it; None if there is no such function."""
        function = self._find(name)
        return None if function is None else str(function.global_value_type)

    def is_defined(self, name: str) -> bool:
        function = self._find(name)
        return function is not None and not function.is_declaration

    def _find(self, name: str) -> Any:
        try:
            return self._module.get_function(name)
        except NameError:
            return None

    def declared_functions(self) -> list[str]:
        """The functions this module calls and does not define."""
        return [
            function.name
            for function in self._module.functions
            if function.is_declaration and not function.name.startswith("llvm.")
        ]

    def make_internal(self, names: Iterable[str]) -> None:
        """Hides definitions: LLVM may inline and drop them."""
        for name in names:
            self._find(name).linkage = "internal"

    def defined_functions(self) -> list[str]:
        return [f.name for f in self._module.functions if not f.is_declaration]

    def rename(self, names: Mapping[str, str]) -> None:
        """Gives functions other names, those of them that are here."""
        for name, new_name in names.items():
            function = self._find(name)
            if function is not None:
                function.name = new_name

    def link(self, text: str) -> None:
        """Adds definitions. What they declare and this module defines is joined."""
        with _lock:
            self._module.link_in(self._parse(text))
            self._verify()

    def optimise(self, level: int) -> None:
        with _lock:
            machine = _target_machine(level)
            options = _llvm.create_pipeline_tuning_options(speed_level=level)
            options.loop_vectorization = level > 1
            options.slp_vectorization = level > 1
            options.loop_interleaving = level > 1
            options.loop_unrolling = level > 0
            with (
                options,
                _llvm.create_pass_builder(machine, options) as builder,
                builder.getModulePassManager() as passes,
            ):
                if level == 0:
                    passes.add_post_order_function_attributes_pass()
                passes.run(self._module, builder)

    def parameters_not_written(self, name: str) -> list[bool]:
        """For each parameter of a function: did LLVM prove that nothing is written
        through it? Ask after optimising."""
        return [
            bool({b"readonly", b"readnone"} & set(argument.attributes))
            for argument in self._find(name).arguments
        ]

    def emit_object(self, level: int) -> bytes:
        with _lock:
            return _target_machine(level).emit_object(self._module)

    def emit_assembly(self, level: int) -> str:
        with _lock:
            return _target_machine(level).emit_assembly(self._module)

    def emit_bitcode(self) -> bytes:
        return self._module.as_bitcode()


def _dispose(module: Any, context: Any) -> None:
    module.close()
    context.close()


@dataclass(frozen=True)
class Library:
    """Loaded machine code; unloaded when the last reference to this is gone."""

    _tracker: Any

    def address(self, symbol: str) -> int:
        return self._tracker[symbol]


def load(
    object_file: bytes, exports: Sequence[str], imports: Mapping[str, int]
) -> Library:
    """Loads an object file. `imports` gives addresses to symbols it does not define; the
    others are looked up in this process."""
    with _lock:
        builder = _llvm.JITLibraryBuilder().add_object_img(object_file)
        for symbol, address in imports.items():
            builder.import_symbol(symbol, address)
        for symbol in exports:
            builder.export_symbol(symbol)
        builder.add_current_process()
        try:
            tracker = builder.link(_jit(), f"jit.{next(_library_numbers)}")
        except RuntimeError as error:
            raise JITException(f"the compiled code cannot be loaded: {error}") from None
        return Library(tracker)


def process_symbol(name: str) -> int | None:
    """The address of a symbol in this process, such as a C library function."""
    try:
        return ctypes.cast(_process()[name], ctypes.c_void_p).value
    except AttributeError:
        return None


@cache
def _process() -> ctypes.CDLL:
    """This process with its libraries; on Windows, where there is no such thing, its C
    library."""
    return ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)


@cache
def _initialise() -> None:
    _llvm.initialize_native_target()
    _llvm.initialize_native_asmprinter()


@cache
def _target_machine(level: int) -> Any:
    _initialise()
    target = _llvm.Target.from_triple(_llvm.get_process_triple())
    return target.create_target_machine(
        cpu=_llvm.get_host_cpu_name(),
        features=_llvm.get_host_cpu_features().flatten(),
        opt=level,
        reloc="pic",
        codemodel="default",
    )


@cache
def _jit() -> Any:
    _initialise()
    return _llvm.create_lljit_compiler(use_jit_link=True)
