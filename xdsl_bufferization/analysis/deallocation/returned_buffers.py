"""Function results that must be cloned before they are returned.

These are results that may be the same buffer, which a caller that frees each result
would free twice, and results that may be the memory of a global, as a caller may write
its results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    MUST,
    NEVER,
    BufferOrigins,
    DescribeCall,
    ReturnedMemref,
)
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.buffer_deallocation import SameResults
from xdsl_bufferization.interfaces.memory_effects import is_memref


def find_same_results(
    function: func.FuncOp,
    ops: Sequence[Operation],
    describe_call: DescribeCall,
    gives_new_buffers: Callable[[Operation], bool],
) -> dict[Operation, list[SameResults]]:
    """The pairs of memrefs that a public function may return twice, by return op.

    Args:
        ops: all ops inside `function`.
        describe_call: what is known about the results of calls.
        gives_new_buffers: whether an op is a call of a function that returns buffers
            no other owner has: of any function that does not return their ownership too.
            Two results of one call may still be one buffer.
    """
    found: dict[Operation, list[SameResults]] = {}
    if function.sym_visibility == StringAttr("private"):
        return found

    def describe(op: Operation) -> Sequence[ReturnedMemref]:
        if not gives_new_buffers(op):
            return describe_call(op)
        return [
            ReturnedMemref(same_as=range(n), is_new=True) for n in range(len(op.results))
        ]

    @cache
    def get_origins() -> BufferOrigins:
        return BufferOrigins(function, ops, describe, globals_differ=True)

    for block in function.body.blocks:
        op = block.last_op
        if not isinstance(op, func.ReturnOp):
            continue
        returned = [i for i, value in enumerate(op.operands) if is_memref(value)]
        for at, second in enumerate(returned):
            for first in returned[:at]:
                answer = get_origins().same_allocation(
                    op.operands[first], op.operands[second]
                )
                if answer is not NEVER:
                    pair = SameResults(first, second, answer is MUST)
                    found.setdefault(op, []).append(pair)
    return found


def find_constant_results(
    function: func.FuncOp,
    ops: Sequence[Operation],
    get_origins: Callable[[], BufferOrigins],
) -> dict[Operation, set[int]]:
    """The memrefs that a private function may return and that may be a global.

    Args:
        ops: all ops inside `function`.
        get_origins: gives those of `function`.
    """
    if function.sym_visibility != StringAttr("private"):
        return {}
    if not any(isinstance(op, memref.GetGlobalOp) for op in ops):
        return {}
    found: dict[Operation, set[int]] = {}
    origins = get_origins()
    for op in ops:
        if not isinstance(op, func.ReturnOp):
            continue
        for number, value in enumerate(op.operands):
            if is_memref(value) and any(
                isinstance(terminal.owner, memref.GetGlobalOp)
                for terminal in origins.get_terminals(value)
            ):
                found.setdefault(op, set()).add(number)
    return found
