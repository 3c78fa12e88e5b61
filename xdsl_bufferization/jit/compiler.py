"""`compile`: from a module to a `Module` whose functions Python can call.

xDSL and the passes are imported only when a module is compiled, not when the JIT is
imported or a cached module is called.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING, cast

from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit import cache as caching
from xdsl_bufferization.jit.build import Functions, build, load_compiled
from xdsl_bufferization.jit.callbacks import check_functions, given_address
from xdsl_bufferization.jit.compiled import Compiled
from xdsl_bufferization.jit.module import Module
from xdsl_bufferization.jit.options import (
    DEFAULT_PIPELINE,
    Options,
    PipelineSpec,
    Source,
)
from xdsl_bufferization.jit.origin import Origin

if TYPE_CHECKING:
    from xdsl.context import Context


def compile(
    source: Source,
    pipeline: PipelineSpec | None = None,
    *,
    opt_level: int = 2,
    count: bool = False,
    functional: bool = False,
    check: bool = True,
    plan_memory: bool = False,
    functions: Functions | None = None,
    context: Context | None = None,
    cache: bool | str | os.PathLike[str] = False,
) -> Module:
    """Compile a module for this machine.

    Args:
        source: A ModuleOp (which is not changed), MLIR text, or the path of an MLIR file.
        pipeline: The passes that take it to the LLVM dialect, written as for xdsl-opt or
            as ModulePass objects. By default `DEFAULT_PIPELINE`.
        opt_level: LLVM's optimisation level, 0 to 3.
        count: Count what the code does with memory, for `Module.stats()`.
        functional: Leave tensors that are passed to functions as they are: what a
            function would update in place it copies first. Memrefs are written where the
            program says so.
        check: Check while the code runs that sizes fit and that indices are inside of
            their buffer, and raise a CheckError where not. Without it such a program
            reads and writes any memory.
        plan_memory: Let the buffers of a function share one block of memory, by
            plan-memory, which runs before the pipeline lowers what is deallocated.
        functions: Definitions of functions the module only declares, by name: Python
            functions, ctypes functions or addresses. Others are looked up in this
            process.
        context: The context that knows the module's dialects. By default one that knows
            those of xDSL, of this package and of every installed plug-in.
        cache: Keep the machine code in a folder, and take it from there when the same
            module is compiled the same way again. True is the user's cache folder.

    Raises:
        DiagnosticException: when the module does not verify, a pass fails, something is
            left that is not in the LLVM dialect, or a declared function has no
            definition. A syntax error is a ParseError.

    Any number of threads may compile at once.
    """
    options = Options(
        DEFAULT_PIPELINE if pipeline is None else pipeline,
        opt_level,
        count,
        functional,
        check,
        plan_memory,
    )
    functions = {} if functions is None else functions
    if not isinstance(cast(object, functions), Mapping):
        raise JITException(
            f"functions is {functions!r}; expected a mapping from names to functions."
        )
    if cache is False or context is not None:
        compiled = _compile(source, options, functions, context)
    else:
        compiled = _compile_once(source, options, functions, cache)
    origin = Origin.of(source, options, context, _in_python(functions))
    return load_compiled(compiled, origin, functions)


def _compile_once(
    source: Source,
    options: Options,
    functions: Functions,
    cache: bool | str | os.PathLike[str],
) -> Compiled:
    """Take the machine code from the cache, or compile it and put it there."""
    start = perf_counter()
    entry = caching.find(cache, source, options, functions)
    if entry is None:
        return _compile(source, options, functions, None)
    compiled = entry.read()
    if compiled is not None:
        compiled.seconds = {"cache": perf_counter() - start}
        return compiled
    compiled = _compile(source, options, functions, None)
    entry.write(compiled)
    return compiled


def _compile(
    source: Source, options: Options, functions: Functions, context: Context | None
) -> Compiled:
    from xdsl.context import Context

    from xdsl_bufferization.jit.lowering import lower
    from xdsl_bufferization.universe import new_context

    context = new_context() if context is None else context
    if not isinstance(cast(object, context), Context):
        raise JITException(f"context is {context!r}; expected a Context.")
    lowered = lower(source, options, context, _in_python(functions))
    check_functions(functions, lowered.declared, lowered.uncallable)
    return build(lowered, options, functions)


def _in_python(functions: Functions) -> set[str]:
    """The functions that are defined by Python functions."""
    return {name for name, f in functions.items() if given_address(f) is None}
