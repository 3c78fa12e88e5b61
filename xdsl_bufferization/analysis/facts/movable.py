"""Which ops of a block may be reordered.

An op is *free* if its results are its only effect: it may move past any op, as long as
values are defined before they are used. Ops that are not free keep their relative
order. An op that must not be executed speculatively, such as a division or an access to
a tensor, does not move past ops that are not free, because one of them may end the
program.

A call is free if all ops of the function are.
"""

from __future__ import annotations

from enum import IntEnum

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import (
    IsTerminator,
    MemoryEffectKind,
    RecursiveMemoryEffect,
    is_speculatable,
    only_has_effect,
)

from xdsl_bufferization.analysis.facts.functions import FunctionTable, with_callers
from xdsl_bufferization.dialects.op_lists import postorder
from xdsl_bufferization.interfaces.types import TENSOR_TYPES


class Freedom(IntEnum):
    """What keeps an op in its place, the least first."""

    FREE = 0
    NOT_SPECULATABLE = 1
    EFFECTS = 2


class Movability:
    """The freedom of ops.

    Args:
        functions: the functions that calls refer to.
    """

    def __init__(self, functions: FunctionTable):
        self._functions = functions
        self._known: dict[Operation, Freedom] = {}
        self._with_effects = self._find_functions_with_effects()

    def freedom(self, op: Operation) -> Freedom:
        """What keeps an op in its place, the ops inside of it included."""
        known = self._known.get(op)
        if known is None:
            for inner in postorder(op):
                if inner not in self._known:
                    self._known[inner] = max(
                        self._own_freedom(inner),
                        *(
                            self._known[nested]
                            for region in inner.regions
                            for block in region.blocks
                            for nested in block.ops
                        ),
                        Freedom.FREE,
                    )
            known = self._known[op]
        return known

    def _own_freedom(self, op: Operation) -> Freedom:
        if op.has_trait(IsTerminator, value_if_unregistered=False):
            return Freedom.FREE
        if (callee := self._functions.callee(op)) is not None:
            return (
                Freedom.EFFECTS
                if callee in self._with_effects
                else Freedom.NOT_SPECULATABLE
            )
        if op.regions and op.has_trait(
            RecursiveMemoryEffect, value_if_unregistered=False
        ):
            return Freedom.NOT_SPECULATABLE
        if not only_has_effect(op, MemoryEffectKind.ALLOC):
            return Freedom.EFFECTS
        # An index may lie outside of a tensor.
        accesses = any(isinstance(value.type, TENSOR_TYPES) for value in op.operands)
        if accesses or not is_speculatable(op):
            return Freedom.NOT_SPECULATABLE
        return Freedom.FREE

    def _find_functions_with_effects(self) -> set[FuncOp]:
        """The functions that do more than to return results, in calls, too."""
        functions = self._functions
        callers: dict[FuncOp, set[FuncOp]] = {}
        found: set[FuncOp] = set()
        for func in functions.functions:
            if func.body.blocks.first is None:
                found.add(func)
                continue
            for op in postorder(func):
                if op is func:
                    continue
                callee = functions.callee(op)
                if callee is not None:
                    callers.setdefault(callee, set()).add(func)
                elif self._own_freedom(op) is Freedom.EFFECTS:
                    found.add(func)
        return with_callers(found, callers)
