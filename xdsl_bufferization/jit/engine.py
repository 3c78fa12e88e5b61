"""LLVM IR to machine code in this process, by llvmlite.

This is the only file here that uses llvmlite. It parses LLVM IR text, links it with
supporting code (entries, counters), verifies it, optimises it for the host's CPU like
`opt -O<level>`, compiles it to an object file in memory, and loads it in one ORC JIT
that all modules share, each as a library with its own symbols.

No signal interrupts this: llvmlite could free something twice (`uninterrupted`).
"""

from __future__ import annotations

import ctypes
import sys
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

import llvmlite.binding as _binding  # pyright: ignore[reportMissingTypeStubs]
from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.uninterrupted import uninterrupted, uninterrupted_methods

_llvm: Any = _binding
_lock = threading.Lock()
"""One thread at a time touches LLVM's shared state: targets, the JIT's libraries."""
_library_numbers = count()
_dropped: deque[Any] = deque()
"""Modules that nothing uses any more, each followed by its context."""


@uninterrupted_methods
class LLVMModule:
    """A module of LLVM IR in memory, in a context of its own, from text or bitcode."""

    def __init__(self, source: str | bytes) -> None:
        with _lock:
            while _dropped:
                _dropped.popleft().close()
            self._context = _llvm.create_context()
            if isinstance(source, bytes):
                self._module = _llvm.parse_bitcode(source, self._context)
            else:
                self._module = self._parse(source)
            # The references keep both out of the hands of the garbage collector, which
            # would dispose of them in any order and where a signal may interrupt it.
            weakref.finalize(self, _dropped.extend, [self._module, self._context])
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

    def make_external(self, name: str) -> None:
        """Make a definition one that can be looked up by its name."""
        self._find(name).linkage = "external"

    def share_globals(self, names: Iterable[str]) -> Mapping[str, int]:
        """Let text that is linked later refer to global variables, and return the size of
        each in bytes."""
        wanted = set(names)
        sizes: dict[str, int] = {}
        target_data = _target_machine(2).target_data
        # To look one up by name, LLVM asks for a linkage that these do not have yet.
        for variable in self._module.global_variables if wanted else ():
            if variable.name in wanted:
                variable.linkage = "external"
                variable.visibility = "hidden"
                sizes[variable.name] = target_data.get_abi_size(
                    variable.global_value_type
                )
        return sizes

    def defined_functions(self) -> list[str]:
        return [f.name for f in self._module.functions if not f.is_declaration]

    def rename(self, names: Mapping[str, str]) -> None:
        """Rename functions, as far as they are defined here."""
        for name, new_name in names.items():
            function = self._find(name)
            if function is not None:
                function.name = new_name

    def link(self, text: str) -> None:
        """Add definitions. What they declare and this module defines is joined."""
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
            not set(argument.attributes).isdisjoint(_READ_ONLY)
            for argument in self._find(name).arguments
        ]

    def descriptors_only_read(self, name: str) -> list[bool]:
        """For each parameter of a function: is it the address of a memref's descriptor,
        or not used, and surely nothing is written to the elements? Ask after optimising.

        An element's address comes from one that is loaded from the descriptor. It may be
        moved on, compared, loaded from and returned. Anything else may write to it.
        """
        function = self._find(name)
        users: dict[Any, list[Any]] = {}
        for block in function.blocks:
            for user in block.instructions:
                if user.opcode == "inttoptr":
                    return [False for _ in function.arguments]
                for operand in user.operands:
                    users.setdefault(operand, []).append(user)
        return [_is_only_read(argument, users) for argument in function.arguments]

    def emit_object(self, level: int) -> bytes:
        with _lock:
            return _target_machine(level).emit_object(self._module)

    def emit_assembly(self, level: int) -> str:
        with _lock:
            return _target_machine(level).emit_assembly(self._module)

    def emit_bitcode(self) -> bytes:
        return self._module.as_bitcode()


def _is_only_read(argument: Any, users: Mapping[Any, Sequence[Any]]) -> bool:
    attributes = set(argument.attributes)
    if attributes.isdisjoint(_READ_ONLY) or attributes.isdisjoint(_NOT_CAPTURED):
        return False
    # What the descriptor's address is moved to, then what comes from addresses in it.
    elements: list[Any] = []
    for user in _moved([argument], users):
        if user.opcode == "load":
            elements += [user] if _has_address(user) else []
        elif user.opcode != "icmp":
            return False
    return all(
        user.opcode in ("icmp", "ret")
        or (user.opcode == "load" and not _has_address(user))
        for user in _moved(elements, users)
    )


def _moved(values: Sequence[Any], users: Mapping[Any, Sequence[Any]]) -> Iterable[Any]:
    """Yield the instructions that use addresses, or what these are moved to or put into
    by instructions that do nothing else."""
    pending = list(values)
    seen = set(pending)
    while pending:
        for user in users.get(pending.pop(), ()):
            if user.opcode not in _MOVES:
                yield user
            elif user not in seen and _has_address(user):
                seen.add(user)
                pending.append(user)


def _has_address(value: Any) -> bool:
    return "ptr" in str(value.type)


_MOVES = frozenset(
    {"getelementptr", "phi", "select", "freeze", "extractvalue", "insertvalue"}
)
_READ_ONLY = (b"readonly", b"readnone")
_NOT_CAPTURED = (b"captures(none)", b"nocapture")


@dataclass(frozen=True)
class Library:
    """Loaded machine code; unloaded when the last reference to this is gone."""

    _tracker: Any

    def address(self, symbol: str) -> int:
        """Return the address of a symbol that was exported."""
        return self._tracker[symbol]


@uninterrupted
def load(
    object_file: bytes, exports: Sequence[str], imports: Mapping[str, int]
) -> Library:
    """Load an object file.

    `imports` gives addresses to symbols it does not define; the others are looked up in
    the compiler's runtime library and in this process.
    """
    with _lock:
        builder = _llvm.JITLibraryBuilder().add_object_img(object_file)
        for symbol, address in {**_compiler_runtime(), **imports}.items():
            builder.import_symbol(symbol, address)
        for symbol in exports:
            builder.export_symbol(symbol)
        builder.add_current_process()
        try:
            tracker = builder.link(_jit(), f"jit.{next(_library_numbers)}")
        except RuntimeError as error:
            raise JITException(
                f"the compiled code cannot be loaded: {error}"
                + ("" if _compiler_runtime() else f". {_NO_COMPILER_RUNTIME}")
            ) from None
        return Library(tracker)


_COMPILER_RUNTIME = (
    "__divti3 __modti3 __udivti3 __umodti3 "
    "__powisf2 __powidf2 __powixf2 __powitf2 "
    "__floattihf __floattisf __floattidf __floattixf __floattitf "
    "__floatuntihf __floatuntisf __floatuntidf __floatuntixf __floatuntitf "
    "__fixhfti __fixsfti __fixdfti __fixxfti __fixtfti "
    "__fixunshfti __fixunssfti __fixunsdfti __fixunsxfti __fixunstfti "
    "__floatsitf __floatunsitf __floatditf __floatunditf "
    "__fixtfsi __fixunstfsi __fixtfdi __fixunstfdi "
    "__addtf3 __subtf3 __multf3 __divtf3 "
    "__eqtf2 __netf2 __lttf2 __letf2 __gttf2 __getf2 __unordtf2 "
    "__extendhftf2 __extendsftf2 __extenddftf2 __extendxftf2 __extendhfxf2 "
    "__trunctfhf2 __trunctfsf2 __trunctfdf2 __trunctfxf2 __truncxfhf2 "
)
"""What machine code calls for want of an instruction: division of i128, powers with an
integer exponent, conversions between those and floats, arithmetic on f128."""

_NO_COMPILER_RUNTIME = (
    "Arithmetic on i128 or f128, and math.fpowi, need a compiler's runtime library "
    "(libgcc_s), which is not found"
)


@cache
def _compiler_runtime() -> Mapping[str, int]:
    """The addresses of what a compiler's runtime library has of these: libgcc_s, which
    llvmlite itself is linked with on Linux, or this process."""
    try:
        libraries = [ctypes.CDLL("libgcc_s.so.1"), _process()]
    except OSError:
        libraries = [_process()]
    found: dict[str, int] = {}
    for name in _COMPILER_RUNTIME.split():
        for library in libraries:
            function = getattr(library, name, None)
            if function is not None and name not in found:
                found[name] = ctypes.cast(function, ctypes.c_void_p).value or 0
    return found


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
@uninterrupted
def describe_machine() -> str:
    """What machine code depends on besides its source: the processor, and LLVM."""
    return " ".join(
        [
            _llvm.get_process_triple(),
            _llvm.get_host_cpu_name(),
            _llvm.get_host_cpu_features().flatten(),
            ".".join(map(str, _llvm.llvm_version_info)),
        ]
    )


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
