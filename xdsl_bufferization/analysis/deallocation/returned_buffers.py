"""Function results that must be cloned before they are returned.

These are results that may be the same buffer, which a caller that frees each result
would free twice, and results that may be the memory of a global, as a caller may write
its results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, OpResult

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    MUST,
    NEVER,
    BufferOrigins,
)
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.buffer_deallocation import SameResults
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.interfaces.view_like import get_view_base


def find_same_results(
    function: func.FuncOp,
    get_origins: Callable[[], BufferOrigins],
    gives_new_buffers: Callable[[Operation], bool],
) -> dict[Operation, list[SameResults]]:
    """The pairs of memrefs that a public function may return twice, by return op.

    Args:
        get_origins: gives those of `function`.
        gives_new_buffers: whether an op is a call of a function that returns buffers
            no other owner has: of any function that does not return their ownership too.
            Two results of one call may still be one buffer.
    """
    found: dict[Operation, list[SameResults]] = {}
    if function.sym_visibility == StringAttr("private"):
        return found
    for block in function.body.blocks:
        op = block.last_op
        if not isinstance(op, func.ReturnOp):
            continue
        returned = [i for i, value in enumerate(op.operands) if is_memref(value)]
        for at, second in enumerate(returned):
            for first in returned[:at]:
                origins = get_origins()
                a, b = op.operands[first], op.operands[second]
                if any(
                    isinstance(value, OpResult)
                    and gives_new_buffers(value.op)
                    and all(t.owner is not value.op for t in origins.get_terminals(other))
                    for value, other in ((get_view_base(a), b), (get_view_base(b), a))
                ):
                    continue
                answer = origins.same_allocation(a, b)
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
