"""Which ops may allocate temporary memory, which is freed before they end.

A buffer that is allocated after such an op must not move before it, because the peak of
memory in use might grow.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from xdsl_bufferization.analysis.facts.functions import FunctionTable, with_callers
from xdsl_bufferization.dialects import scf
from xdsl_bufferization.dialects.op_lists import list_ops
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
)


class TemporaryMemory:
    """Answers for a program, as long as no function allocates more than before, but for
    those that are updated.

    Args:
        functions: the functions that calls refer to.
    """

    def __init__(self, functions: FunctionTable):
        self._functions = functions
        self._allocating = _find_allocating_functions(functions)

    def update(self, func: FuncOp) -> None:
        """Look again at a function that now allocates less, before its callers are asked
        about."""
        if not any(map(self.may_allocate_once, list_ops(func))):
            self._allocating.discard(func)

    def may_allocate_once(self, op: Operation) -> bool:
        """Whether an op allocates, or calls a function that may, its regions aside."""
        if CALL.lookup(op) is None:
            return _allocates(op)
        callee = self._functions.callee(op)
        return callee is None or callee in self._allocating

    def find_users(self, ops: Iterable[Operation]) -> set[Operation]:
        """Those of some ops that may allocate memory for a while: calls of functions that
        may allocate, and ops with such a call or an allocation in their regions. What a
        branch allocates and yields is not needed by the branch."""
        found: set[Operation] = set()
        for op in ops:
            user = None
            if CALL.lookup(op) is not None:
                user = op if self.may_allocate_once(op) else None
            elif _allocates(op):
                user = op.parent_op()
                if isinstance(user, scf.IfOp) and _is_yielded(op):
                    user = user.parent_op()
            while user is not None and user not in found:
                found.add(user)
                user = user.parent_op()
        return found


def may_allocate(block: Block, temporary_users: set[Operation]) -> bool:
    """Whether a block may allocate, itself or by an op that needs memory for a while."""
    return any(op in temporary_users or _allocates(op) for op in block.ops)


def _is_yielded(allocation: Operation) -> bool:
    """Whether the block of an allocation ends with it."""
    block = allocation.parent
    assert block is not None and block.last_op is not None
    return any(result in block.last_op.operands for result in allocation.results)


def _find_allocating_functions(functions: FunctionTable) -> set[FuncOp]:
    """The functions that may allocate, or call what may."""
    callers: dict[FuncOp, list[FuncOp]] = {}
    found: set[FuncOp] = set()
    for func in functions.functions:
        allocates = func.body.blocks.first is None
        for op in list_ops(func):
            if CALL.lookup(op) is None:
                allocates |= _allocates(op)
            elif (callee := functions.callee(op)) is None:
                allocates = True
            else:
                callers.setdefault(callee, []).append(func)
        if allocates:
            found.add(func)
    return with_callers(found, callers)


def _allocates(op: Operation) -> bool:
    effects = get_allocations_and_frees(op) or ()
    return any(effect.kind is EffectKind.ALLOCATE for effect in effects)
