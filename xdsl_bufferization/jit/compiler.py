"""`compile`: from a module to a `Module` whose functions Python can call."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from xdsl.context import Context
from xdsl.utils.exceptions import JITException

from xdsl_bufferization.conversion.llvm_ir.filled_globals import FILL_GLOBALS
from xdsl_bufferization.jit.arrays import Globals
from xdsl_bufferization.jit.callbacks import (
    PythonFunction,
    check_functions,
    given_address,
)
from xdsl_bufferization.jit.counting import GENERIC_FUNCTIONS, Counter, c_function
from xdsl_bufferization.jit.engine import LLVMModule, load, process_symbol
from xdsl_bufferization.jit.export import C_PREFIX, Exportable
from xdsl_bufferization.jit.frames import (
    CALL_PREFIX,
    FUNCTION_PREFIX,
    GLOBALS_TABLE,
    PYTHON_PREFIX,
    call_entry,
    globals_table,
    python_entry,
    read_globals_table,
)
from xdsl_bufferization.jit.function import Code
from xdsl_bufferization.jit.lowering import (
    DEFAULT_PIPELINE,
    Lowered,
    PipelineSpec,
    Source,
    load_source,
    lower,
    read_pipeline,
)
from xdsl_bufferization.jit.module import Module
from xdsl_bufferization.jit.runtime import (
    conversion_definitions,
    runtime_definitions,
    runtime_functions,
)
from xdsl_bufferization.jit.signature import Buffer, Scalar, Signature, UnrankedBuffer
from xdsl_bufferization.universe import new_context


def compile(
    source: Source,
    pipeline: PipelineSpec | None = None,
    *,
    opt_level: int = 2,
    count: bool = False,
    functions: Mapping[str, Callable[..., Any] | int] | None = None,
    context: Context | None = None,
) -> Module:
    """Compiles a module for this machine.

    Args:
        source: A ModuleOp (which is not changed), MLIR text, or the path of an MLIR file.
        pipeline: The passes that take it to the LLVM dialect, written as for xdsl-opt or
            as ModulePass objects. By default `DEFAULT_PIPELINE`.
        opt_level: LLVM's optimisation level, 0 to 3.
        count: Count what the code does with memory, for `Module.stats()`.
        functions: Definitions of functions the module only declares, by name: Python
            functions, ctypes functions or addresses. Others are looked up in this
            process.
        context: The context that knows the module's dialects. By default one that knows
            those of xDSL, of this package and of every installed plug-in.

    Raises:
        DiagnosticException: when the module does not verify, a pass fails, something is
            left that is not in the LLVM dialect, or a declared function has no
            definition. A syntax error is a ParseError.

    Any number of threads may compile at once.
    """
    if opt_level not in (0, 1, 2, 3):
        raise JITException(f"opt_level is {opt_level!r}; it must be 0, 1, 2 or 3.")
    context = context or new_context()
    passes = read_pipeline(DEFAULT_PIPELINE if pipeline is None else pipeline)
    start = perf_counter()
    module = load_source(source, context)
    parsed = perf_counter() - start
    functions = functions or {}
    in_python = {name for name, f in functions.items() if given_address(f) is None}
    lowered = lower(module, passes, context, count=count, in_python=in_python)
    lowered.seconds = {"parse": parsed, **lowered.seconds}
    return build(lowered, opt_level=opt_level, count=count, functions=functions)


def build(
    lowered: Lowered, *, opt_level: int, count: bool, functions: Mapping[str, Any]
) -> Module:
    """Compiles LLVM IR and makes its functions callable."""
    check_functions(functions, lowered.declared, lowered.uncallable)
    counter = Counter() if count else None
    start = perf_counter()
    llvm = LLVMModule(lowered.llvm_ir)
    for signature in (*lowered.public.values(), *lowered.declared.values()):
        _check_type(llvm, signature)
    exportable = Exportable(
        llvm.emit_bitcode(), tuple(lowered.public.values()), opt_level
    )
    imports = {
        (C_PREFIX if llvm.is_defined(name) else FUNCTION_PREFIX) + name: address
        for name, function in functions.items()
        if (address := given_address(function)) is not None
    }
    exports = [GLOBALS_TABLE, *(CALL_PREFIX + name for name in lowered.public)]
    if llvm.is_defined(FILL_GLOBALS):
        llvm.make_external(FILL_GLOBALS)
        exports.append(FILL_GLOBALS)
    defined = set(llvm.defined_functions()) - {FILL_GLOBALS}
    own = [*defined, *functions]
    llvm.make_internal(defined - lowered.public.keys())
    globals_ = Globals()
    global_sizes = llvm.share_globals(lowered.writable_globals)
    llvm.rename({name: FUNCTION_PREFIX + name for name in own})
    llvm.rename(GENERIC_FUNCTIONS if counter is None else counter.renaming())

    allocate = counter.malloc if counter else _malloc
    python = {
        name: PythonFunction(lowered.declared[name], function, allocate, globals_)
        for name, function in functions.items()
        if given_address(function) is None
    }
    supporting = [call_entry(signature) for signature in lowered.public.values()]
    supporting += [python_entry(lowered.declared[name]) for name in python]
    if counter is not None:
        supporting.append(counter.definitions())
    supporting += runtime_definitions(runtime_functions(set(llvm.declared_functions())))
    supporting += conversion_definitions(lowered.llvm_ir)
    supporting.append(globals_table(global_sizes))
    llvm.link("\n".join(supporting))

    imports |= {PYTHON_PREFIX + name: entry.address for name, entry in python.items()}
    if counter is not None:
        imports |= counter.imports()
    _check_definitions(llvm, imports, lowered)

    llvm.optimise(opt_level)
    optimised = perf_counter()
    object_file = llvm.emit_object(opt_level)
    library = load(object_file, exports, imports)
    if FILL_GLOBALS in exports:
        ctypes.CFUNCTYPE(None)(library.address(FILL_GLOBALS))()
    globals_.ranges = read_globals_table(
        library.address(GLOBALS_TABLE), len(global_sizes)
    )
    seconds = {
        **lowered.seconds,
        "LLVM optimisation": optimised - start,
        "LLVM code generation": perf_counter() - optimised,
    }
    free = counter.free if counter else c_function("free", None, ctypes.c_void_p)
    return Module(
        Code(library, counter, free, globals_, python or None, functions),
        {
            name: (signature, _written(llvm, signature))
            for name, signature in lowered.public.items()
        },
        lowered.uncallable,
        exportable,
        llvm,
        seconds,
    )


def _check_type(llvm: LLVMModule, signature: Signature) -> None:
    type = llvm.function_type(signature.name)
    if type != signature.llvm_type:
        raise JITException(
            f"{signature.name}: the pipeline gave it the LLVM type {type}; MLIR's "
            f"calling convention for {signature} is {signature.llvm_type}. Functions "
            "must be lowered with 64-bit indices and full memref descriptors."
        )


def _check_definitions(
    llvm: LLVMModule, imports: Mapping[str, int], lowered: Lowered
) -> None:
    """LLVM's own message for a missing symbol comes too late and says too little."""
    for name in llvm.declared_functions():
        if name not in imports and process_symbol(name) is None:
            how = (
                f"Pass compile(..., functions={{'{name}': ...}})"
                if name in lowered.declared
                else "Load the library that defines it"
            )
            raise JITException(f"the module calls '{name}', which is not defined. {how}.")


def _written(llvm: LLVMModule, signature: Signature) -> list[bool]:
    """For each parameter whether the function may write to the array's elements."""
    not_written = llvm.parameters_not_written(FUNCTION_PREFIX + signature.name)
    written: list[bool] = []
    position = 0
    for index, parameter in enumerate(signature.parameters):
        aligned_pointer = position + 1
        match parameter:
            case Buffer() | UnrankedBuffer() if index in signature.read_only:
                written.append(False)
            case Buffer():
                written.append(not not_written[aligned_pointer])
            case UnrankedBuffer():
                written.append(True)
            case Scalar():
                written.append(False)
        position += len(parameter.llvm_parameters)
    return written


def _malloc(size: int) -> int:
    return c_function("malloc", ctypes.c_void_p, ctypes.c_size_t)(max(size, 1))
