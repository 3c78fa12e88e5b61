"""Ownership of the memref results of functions.

By the function boundary ABI, the caller owns them. Options of
ownership-based-buffer-deallocation change this for functions whose callers are all
known: with dynamic ownership, they return an i1 with each memref; with static
ownership, only with memrefs that may be new or not, which an analysis determines
(returned_memrefs.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, OpResult, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    BufferOrigins,
    DescribeCall,
    ReturnedMemref,
    describe_any_call,
)
from xdsl_bufferization.analysis.deallocation.existing import (
    MANUAL_DEALLOCATION,
    find_existing_deallocations,
)
from xdsl_bufferization.analysis.deallocation.returned_memrefs import (
    Judgement,
    ReturnedMemrefs,
)
from xdsl_bufferization.analysis.facts.functions import FunctionTable, return_ops
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import list_ops
from xdsl_bufferization.interfaces.buffer_deallocation import (
    DeallocationOptions,
    ReturnedOwnership,
)
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import get_allocation, is_memref
from xdsl_bufferization.interfaces.view_like import get_comparable

OWNED, BORROWED, DYNAMIC = (
    ReturnedOwnership.OWNED,
    ReturnedOwnership.BORROWED,
    ReturnedOwnership.DYNAMIC,
)


class FunctionOwnership:
    """Which calls return the ownership of buffers, each function looked at once.

    Args:
        root: an op of the program.
        options: the options of the pass.
    """

    def __init__(self, root: Operation, options: DeallocationOptions):
        while (parent := root.parent_op()) is not None:
            root = parent
        self._options = options
        self._is_usual = not (
            options.private_function_dynamic_ownership or options.static_ownership
        )
        self._functions = FunctionTable(None if self._is_usual else root)
        self._known: dict[FuncOp, Sequence[ReturnedOwnership]] = {}
        self._freed_by_kept: dict[FuncOp, set[SSAValue]] = {}
        self._memrefs = (
            self._find_returned_memrefs() if options.static_ownership else None
        )

    def of_function(self, function: FuncOp) -> Sequence[ReturnedOwnership]:
        """Who owns each result of a function; of no interest for other types."""
        known = self._known.get(function)
        if known is None:
            known = self._known[function] = self._find(function)
        return known

    def of_call(self, op: Operation) -> Sequence[ReturnedOwnership]:
        """Who owns each result of a call; of no interest for other types."""
        callee = None if self._is_usual else self._functions.callee(op)
        if callee is None or not self._functions.has_known_calls(callee):
            return [OWNED] * len(op.results)
        return self.of_function(callee)

    def gives_new_buffers(self, op: Operation) -> bool:
        """Whether an op is a call that returns buffers to its caller that have no other
        owner."""
        return CALL.lookup(op) is not None and all(
            ownership is OWNED
            for result, ownership in zip(op.results, self.of_call(op), strict=True)
            if is_memref(result)
        )

    @cached_property
    def describe_call(self) -> DescribeCall:
        """Describe the memrefs that calls return."""
        return describe_any_call if self._memrefs is None else self._memrefs.of_call

    def find_owned_operands(
        self, function: FuncOp, origins: BufferOrigins
    ) -> dict[Operation, set[int]]:
        """The operands of returns that the function certainly owns.

        Args:
            origins: those of `function`, with `describe_call`.
        """
        return {
            op: {
                number
                for number, value in enumerate(op.operands)
                if is_memref(value)
                and not self._is_replaced(op, number)
                and all(
                    self._is_owned_terminal(terminal)
                    for terminal in origins.get_terminals(value)
                )
            }
            for op in return_ops(function)
        }

    def _find(self, function: FuncOp) -> Sequence[ReturnedOwnership]:
        count = len(function.function_type.outputs.data)
        if self._is_usual or not self._functions.has_known_calls(function):
            return [OWNED] * count
        if self._memrefs is None:
            return [DYNAMIC] * count
        return [_get_ownership(origin) for origin in self._memrefs.of_function(function)]

    # The analysis for static ownership

    def _find_returned_memrefs(self) -> ReturnedMemrefs:
        functions = self._functions
        return ReturnedMemrefs(
            functions,
            Judgement(
                traced={f for f in functions.functions if functions.has_known_calls(f)},
                is_new=self._is_owned_or_constant,
                becomes_new=self._is_replaced,
                untraced=ReturnedMemref(is_new=True),
            ),
        )

    def _is_owned_or_constant(self, terminal: SSAValue) -> bool:
        """Return whether a value is owned, or a constant, which is cloned before it is
        returned: the caller might write it."""
        is_constant = isinstance(terminal.owner, memref.GetGlobalOp)
        return is_constant or self._is_owned_allocation(terminal)

    def _is_owned_terminal(self, terminal: SSAValue) -> bool:
        if isinstance(terminal, OpResult) and CALL.lookup(terminal.op) is not None:
            return self.of_call(terminal.op)[terminal.index] is OWNED
        return self._is_owned_allocation(terminal)

    def _is_owned_allocation(self, value: SSAValue) -> bool:
        """Whether a value is an allocation that the pass has to free."""
        allocation = get_allocation(value)
        if allocation is None or allocation.automatic:
            return False
        assert isinstance(value, OpResult)
        return (
            MANUAL_DEALLOCATION not in value.op.attributes
            and self._options.is_relevant_alloc_op(value.op)
            and value not in self._get_freed_by_kept(value.op)
        )

    def _get_freed_by_kept(self, op: Operation) -> set[SSAValue]:
        """What the program frees itself in the function of `op`."""
        function: Operation | None = op
        while function is not None and not isinstance(function, FuncOp):
            function = function.parent_op()
        if function is None:
            return set()
        freed = self._freed_by_kept.get(function)
        if freed is None:
            freed = find_existing_deallocations(
                function, list_ops(function), self._options.is_relevant_dealloc_op
            ).freed_by_kept
            self._freed_by_kept[function] = freed
        return freed

    @staticmethod
    def _is_replaced(op: ReturnOp, number: int) -> bool:
        """Whether a clone is returned, as callers could not recognise a moved pointer."""
        value = op.operands[number]
        return get_comparable(value) is not value


def _get_ownership(origin: ReturnedMemref) -> ReturnedOwnership:
    if not origin.is_other and not origin.arguments:
        return OWNED
    if not origin.is_other and not origin.is_new:
        return BORROWED
    return DYNAMIC
