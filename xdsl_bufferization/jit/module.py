"""Compiled modules, usable from Python."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NoReturn

from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.compiled import Compiled
from xdsl_bufferization.jit.counting import Counter, Stats
from xdsl_bufferization.jit.engine import LLVMModule
from xdsl_bufferization.jit.export import Exportable
from xdsl_bufferization.jit.function import Code, Function, PicklingError
from xdsl_bufferization.jit.python_signature import stub_of

if TYPE_CHECKING:
    from xdsl_bufferization.jit.origin import Origin
    from xdsl_bufferization.report.explanation import Report


class NoSuchFunction(JITException, AttributeError):
    """A module was asked for a function it does not have."""


class Module:
    """A compiled module. Its public functions are its attributes and its items:
    `module.main(a, b)`, `module["main"](a, b)`, `list(module)`. Where a function has the
    name of a method, or one that begins with an underscore, only the item is it."""

    seconds: Mapping[str, float]
    """How long each stage of compilation took, in order."""

    def __init__(self, code: Code, compiled: Compiled, origin: Origin) -> None:
        self.seconds = compiled.seconds
        self._counter = code.counter
        self._origin = origin
        self._compiled = compiled
        self._functions = {
            name: Function(code, signature, compiled.written[name])
            for name, signature in compiled.public.items()
        }
        # As attributes of the instance they are found without a call of __getattr__.
        own = set(super().__dir__())
        self.__dict__ |= {
            name: function
            for name, function in self._functions.items()
            if not name.startswith("_") and name not in own
        }

    def __copy__(self) -> Module:
        return self

    def __deepcopy__(self, memo: object) -> Module:
        """Return the module itself: code does not change."""
        return self

    def __reduce__(self) -> NoReturn:
        raise PicklingError(
            "a compiled module is machine code of this process and cannot be pickled. "
            "Pickle its source and compile it again, with cache=True for the code to be "
            "kept; or save a library with Module.save."
        )

    def __getitem__(self, name: str) -> Function:
        function = self._functions.get(name)
        if function is not None:
            return function
        if name in self._compiled.uncallable:
            raise NoSuchFunction(self._compiled.uncallable[name])
        known = ", ".join(self._functions) or "none"
        reason = ""
        if name in self._compiled.private:
            reason = "it is private; write func.func without private to call it. "
        elif name in self._compiled.declared:
            reason = "it is only declared. "
        raise NoSuchFunction(
            f"the module has no public function '{name}'{': ' if reason else '. '}"
            f"{reason}It has: {known}."
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
        llvm = self._compiled.llvm
        return str(LLVMModule(llvm) if isinstance(llvm, bytes) else llvm)

    def stub(self) -> str:
        """Return the functions' signatures as a type stub, the text of a .pyi file."""
        return stub_of([function.signature for function in self._functions.values()])

    def stats(self) -> Stats:
        """What the compiled code has allocated, freed and copied."""
        return self._counting().stats()

    def reset_stats(self) -> None:
        """Start counting again at zero; what is live stays live."""
        self._counting().reset()

    def explain(self) -> Report:
        """Why the module copies and allocates, as `xdsl_bufferization.explain` reports.

        The passes run again for that, on the program as it was compiled. If the module
        counts (`count=True`), `Report.executed` says of each copy and allocation how
        often it was executed since the counts were last at zero, and with how many
        bytes, except of copies between memrefs of unknown rank.
        """
        from xdsl_bufferization.jit.explaining import explain_compiled

        counter = self._counter
        return explain_compiled(
            self._origin, None if counter is None else counter.op_counts()
        )

    def save(self, path: str | os.PathLike[str], compiler: str | None = None) -> None:
        """Write the compiled code to a file: a shared library (.so, .dylib, .dll; linked
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
        return Exportable(
            self._compiled.bitcode,
            tuple(self._compiled.public.values()),
            self._compiled.opt_level,
        )

    def _counting(self) -> Counter:
        if self._counter is None:
            raise JITException("nothing is counted: compile the module with count=True.")
        return self._counter
