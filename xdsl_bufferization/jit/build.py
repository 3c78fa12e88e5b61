"""From LLVM IR to machine code: `build` compiles a module, `load_compiled` loads it."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.arrays import Globals
from xdsl_bufferization.jit.callbacks import PythonFunction, given_address
from xdsl_bufferization.jit.checks import FAIL, STACK_LIMIT, addresses
from xdsl_bufferization.jit.compiled import Compiled
from xdsl_bufferization.jit.counting import GENERIC_FUNCTIONS, Counter, c_function
from xdsl_bufferization.jit.engine import LLVMModule, load, process_symbol
from xdsl_bufferization.jit.frames import (
    C_PREFIX,
    CALL_PREFIX,
    FUNCTION_PREFIX,
    GLOBALS_TABLE,
    PYTHON_PREFIX,
    call_entry,
    globals_table,
    python_entries,
    read_globals_table,
    symbol,
)
from xdsl_bufferization.jit.function import Code
from xdsl_bufferization.jit.module import Module
from xdsl_bufferization.jit.options import Options
from xdsl_bufferization.jit.origin import Origin
from xdsl_bufferization.jit.runtime import (
    conversion_definitions,
    runtime_definitions,
    runtime_functions,
)
from xdsl_bufferization.jit.signature import Buffer, Scalar, Signature, UnrankedBuffer
from xdsl_bufferization.jit.uninterrupted import uninterrupted

if TYPE_CHECKING:
    from xdsl_bufferization.jit.lowering import Lowered

Functions = Mapping[str, Callable[..., Any] | int]
"""Definitions of functions that a module only declares: Python functions, ctypes
functions or addresses."""


@uninterrupted
def build(lowered: Lowered, options: Options, functions: Functions) -> Compiled:
    """Compile LLVM IR for this machine."""
    from xdsl_bufferization.conversion.llvm_ir.filled_globals import FILL_GLOBALS

    start = perf_counter()
    llvm = LLVMModule(lowered.llvm_ir)
    for signature in (*lowered.public.values(), *lowered.declared.values()):
        _check_type(llvm, signature)
    bitcode = llvm.emit_bitcode()
    in_python = [name for name, f in functions.items() if given_address(f) is None]
    c_functions = {
        name: (C_PREFIX if llvm.is_defined(name) else FUNCTION_PREFIX) + name
        for name in functions
        if name not in in_python
    }
    fills_globals = llvm.is_defined(FILL_GLOBALS)
    if fills_globals:
        llvm.make_external(FILL_GLOBALS)
    defined = set(llvm.defined_functions()) - {FILL_GLOBALS}
    own = [*defined, *functions]
    llvm.make_internal(defined - lowered.public.keys())
    global_sizes = llvm.share_globals(lowered.writable_globals)
    llvm.rename({name: FUNCTION_PREFIX + name for name in own})
    llvm.rename(Counter.renaming() if options.count else GENERIC_FUNCTIONS)

    supporting = [call_entry(signature) for signature in lowered.public.values()]
    supporting += python_entries(lowered.declared[name] for name in in_python)
    if options.count:
        supporting.append(Counter.definitions())
    supporting += runtime_definitions(runtime_functions(set(llvm.declared_functions())))
    supporting += conversion_definitions(lowered.llvm_ir)
    supporting.append(globals_table(global_sizes))
    llvm.link("\n".join(supporting))

    given = {*c_functions.values(), *(PYTHON_PREFIX + name for name in in_python)}
    if options.count:
        given |= Counter.symbols()
    given |= {FAIL, STACK_LIMIT}
    _check_definitions(llvm, given, lowered)

    llvm.optimise(options.opt_level)
    optimised = perf_counter()
    object_file = llvm.emit_object(options.opt_level)
    seconds = {
        **lowered.seconds,
        "LLVM optimisation": optimised - start,
        "LLVM code generation": perf_counter() - optimised,
    }
    return Compiled(
        object_file,
        bitcode,
        llvm,
        options.opt_level,
        lowered.public,
        {name: _written(llvm, signature) for name, signature in lowered.public.items()},
        lowered.declared,
        lowered.private,
        lowered.uncallable,
        len(global_sizes),
        FILL_GLOBALS if fills_globals else None,
        FAIL in llvm.declared_functions(),
        c_functions,
        lowered.counted_ops,
        seconds,
    )


def load_compiled(compiled: Compiled, origin: Origin, functions: Functions) -> Module:
    """Load machine code into this process and make its functions callable."""
    counter = Counter(compiled.counted_ops) if origin.options.count else None
    globals_ = Globals()
    allocate = counter.malloc if counter else _malloc
    python = {
        name: PythonFunction(compiled.declared[name], function, allocate, globals_)
        for name, function in functions.items()
        if callable(function) and given_address(function) is None
    }
    imports = {PYTHON_PREFIX + name: entry.address for name, entry in python.items()}
    for name, c_symbol in compiled.c_functions.items():
        imports[c_symbol] = given_address(functions[name]) or 0
    if counter is not None:
        imports |= counter.imports()
    if compiled.may_fail:
        imports |= addresses()
    exports = [GLOBALS_TABLE, *(CALL_PREFIX + name for name in compiled.public)]
    if compiled.initializer is not None:
        exports.append(compiled.initializer)
    library = load(compiled.object_file, exports, imports)
    if compiled.initializer is not None:
        ctypes.CFUNCTYPE(None)(library.address(compiled.initializer))()
    table = library.address(GLOBALS_TABLE)
    globals_.ranges = read_globals_table(table, compiled.global_count)
    free = counter.free if counter else c_function("free", None, ctypes.c_void_p)
    code = Code(
        library, counter, free, globals_, python or None, functions, compiled.may_fail
    )
    return Module(code, compiled, origin)


def _check_type(llvm: LLVMModule, signature: Signature) -> None:
    type = llvm.function_type(signature.name)
    if type != signature.llvm_type:
        raise JITException(
            f"{signature.name}: the pipeline gave it the LLVM type {type}; MLIR's "
            f"calling convention for {signature} is {signature.llvm_type}. Functions "
            "must be lowered with 64-bit indices and full memref descriptors."
        )


def _check_definitions(llvm: LLVMModule, given: set[str], lowered: Lowered) -> None:
    """LLVM's own message for a missing symbol comes too late and says too little."""
    text = ""
    for name in llvm.declared_functions():
        if name not in given and process_symbol(name) is None:
            text = text or str(llvm)
            if (
                len(re.findall(rf"{re.escape(symbol(name))}|@{re.escape(name)}\b", text))
                < 2
            ):
                continue  # It is only declared.
            how = (
                f"Pass compile(..., functions={{'{name}': ...}})"
                if name in lowered.declared
                else "Load the library that defines it"
            )
            raise JITException(f"the module calls '{name}', which is not defined. {how}.")


def _written(llvm: LLVMModule, signature: Signature) -> list[bool]:
    """For each parameter whether the function may write to the array's elements."""
    function = FUNCTION_PREFIX + signature.name
    not_written = llvm.parameters_not_written(function)
    only_read: Sequence[bool] = ()
    if any(isinstance(each, UnrankedBuffer) for each in signature.parameters):
        only_read = llvm.descriptors_only_read(function)
    written: list[bool] = []
    position = 0
    for index, parameter in enumerate(signature.parameters):
        pointer = position + 1  # the aligned one, or that of an unranked one's descriptor
        match parameter:
            case Buffer() | UnrankedBuffer() if index in signature.read_only:
                written.append(False)
            case Buffer():
                written.append(not not_written[pointer])
            case UnrankedBuffer():
                written.append(not only_read[pointer])
            case Scalar():
                written.append(False)
        position += len(parameter.llvm_parameters)
    return written


def _malloc(size: int) -> int:
    return c_function("malloc", ctypes.c_void_p, ctypes.c_size_t)(max(size, 1))
