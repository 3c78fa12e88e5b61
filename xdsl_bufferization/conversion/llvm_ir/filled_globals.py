"""Large globals with equal elements other than zero.

LLVM IR has no short way to write them: a constant of 66 million elements is a gigabyte of
text. They are declared as zeros instead, and filled by a constructor, which runs when the
program is loaded:

    @g = private global [66000000 x float] zeroinitializer
    @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }]
        [{ i32, ptr, ptr } { i32 65535, ptr @xdsl_bufferization.fill_globals, ptr null }]

    define internal void @xdsl_bufferization.fill_globals() { ... store float 1.0 ... }

A loader that does not run constructors must call the function instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import llvmlite.ir as _ir  # pyright: ignore[reportMissingTypeStubs]

from xdsl_bufferization.conversion.llvm_ir.constants import POINTER

ir: Any = _ir

FILL_GLOBALS = "xdsl_bufferization.fill_globals"

_DEFAULT_PRIORITY = 65535


def fill_globals(module: Any, globals_: Iterable[tuple[Any, Any, int]]) -> None:
    """Add a constructor that fills globals, each given with the constant to store and how
    often."""
    function: Any = ir.Function(module, ir.FunctionType(ir.VoidType(), ()), FILL_GLOBALS)
    function.linkage = "internal"
    block = function.append_basic_block()
    for variable, element, count in globals_:
        block = _append_loop(function, block, variable, element, count)
    ir.IRBuilder(block).ret_void()
    _add_constructor(module, function)


def _append_loop(
    function: Any, block: Any, variable: Any, element: Any, count: int
) -> Any:
    """Add a loop after a block that stores `element` everywhere in a global. Return the
    block after it."""
    loop, end = function.append_basic_block(), function.append_basic_block()
    ir.IRBuilder(block).branch(loop)
    builder: Any = ir.IRBuilder(loop)
    size = ir.IntType(64)
    at = builder.phi(size)
    address = builder.gep(variable, [at], source_etype=element.type)
    address.type = POINTER
    builder.store(element, address)
    following = builder.add(at, ir.Constant(size, 1))
    at.add_incoming(ir.Constant(size, 0), block)
    at.add_incoming(following, loop)
    more = builder.icmp_unsigned("<", following, ir.Constant(size, count))
    builder.cbranch(more, loop, end)
    return end


def _add_constructor(module: Any, function: Any) -> None:
    """Let a function run when the module is loaded."""
    number = ir.IntType(32)
    entry = ir.LiteralStructType([number, POINTER, POINTER])
    priority, data = ir.Constant(number, _DEFAULT_PRIORITY), ir.Constant(POINTER, None)
    table = ir.ArrayType(entry, 1)
    variable: Any = ir.GlobalVariable(module, table, "llvm.global_ctors")
    variable.linkage = "appending"
    variable.initializer = ir.Constant(
        table, [ir.Constant(entry, [priority, function, data])]
    )
