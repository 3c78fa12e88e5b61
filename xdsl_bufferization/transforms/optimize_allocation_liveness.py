"""The pass optimize-allocation-liveness.

Deallocations are inserted at the end of blocks. This pass moves each one directly after
the last op that uses the buffer, a view of it, or a value that it is forwarded to:

    %a = memref.alloc()                     %a = memref.alloc()
    memref.copy %x, %a                      memref.copy %x, %a
    call @use(%a)                           call @use(%a)
    call @something_long()                  memref.dealloc %a
    memref.dealloc %a                       call @something_long()
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    BufferOrigins,
    describe_any_call,
)
from xdsl_bufferization.analysis.deallocation.last_uses import (
    UNKNOWN,
    UNUSED,
    LastUse,
    latest,
)
from xdsl_bufferization.analysis.deallocation.returned_memrefs import (
    find_returned_allocations,
)
from xdsl_bufferization.analysis.facts.buffer_uses import may_hide
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.reached_values import ReachedValues
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
)
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.early_frees import EarlyFrees


@dataclass(frozen=True)
class OptimizeAllocationLivenessPass(ModulePass):
    """Move deallocations up to the last use of the buffer.

    Moves the deallocation of a buffer if it is the only one and in the same block as
    the allocation. Run it after buffer deallocation; it lowers the peak of memory in
    use. Deallocations in a function with `bufferization.to_tensor` do not move, because
    uses of such a tensor are uses of its buffer.

    Options:
        any-buffer: move the deallocations of all buffers, including conditional ones
            and those of buffers that calls, branches and loops return or carry.
    """

    name = "optimize-allocation-liveness"

    any_buffer: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        optimize_allocation_liveness(op, any_buffer=self.any_buffer)


@on_program
def optimize_allocation_liveness(module: ModuleOp, *, any_buffer: bool = False) -> None:
    """Move the deallocations in all functions of `module`; see the pass."""
    describe_call = describe_any_call
    if any_buffer:
        describe_call = find_returned_allocations(FunctionTable(module)).of_call
    for function in [op for op in walk(module) if isinstance(op, func.FuncOp)]:
        if function.body.blocks.first is None or _makes_tensors_of_buffers(function):
            continue
        origins = BufferOrigins(function, describe_call=describe_call)
        frees = EarlyFrees(function, origins) if any_buffer else None
        for block in list(function.walk_blocks()):
            _move_deallocations(block, origins)
            if frees is not None:
                frees.move(block)


def _makes_tensors_of_buffers(function: func.FuncOp) -> bool:
    """Whether tensors are left that are buffers: what uses them uses the buffer."""
    return any(op.name == "bufferization.to_tensor" for op in walk(function))


def _move_deallocations(block: Block, origins: BufferOrigins) -> None:
    allocated = [
        effect.value
        for op in block.ops
        for effect in get_allocations_and_frees(op) or ()
        if effect.kind is EffectKind.ALLOCATE
    ]
    if not allocated:
        return
    uses = _UsesOfAllocations(block, origins)
    for value in allocated:
        dealloc = _get_only_deallocation(value)
        if dealloc is None or dealloc not in uses.position:
            continue
        last = uses.get_last(value, dealloc)
        if last is not None:
            dealloc.detach()
            block.insert_op_after(dealloc, last)


def _get_only_deallocation(value: SSAValue) -> Operation | None:
    """The op that frees a value, if there is one only, and it does nothing else
    (memref.realloc allocates)."""
    frees = [
        use.operation
        for use in value.uses
        for effect in get_allocations_and_frees(use.operation) or ()
        if effect.kind is EffectKind.FREE and effect.value is value
    ]
    return frees[0] if len(frees) == 1 and not frees[0].results else None


class _UsesOfAllocations:
    """The last uses of what a block allocates, with the ops where they were at first."""

    def __init__(self, block: Block, origins: BufferOrigins):
        self.position = {op: i for i, op in enumerate(block.ops)}
        self._block = block
        self._origins = origins
        self._reached = ReachedValues(self._get_own, self._get_dependents, latest)

    def get_last(self, value: SSAValue, dealloc: Operation) -> Operation | None:
        """The op of the block after which nothing uses `value` but `dealloc`.

        None when that is not known: the buffer is stored somewhere, or leaves the block.
        """
        own = self._get_use_but(value, dealloc)
        dependents = self._origins.direct_dependents(value)
        return latest((own, *map(self._reached.of, dependents))).op

    def _get_own(self, value: SSAValue) -> LastUse:
        return self._get_use_but(value, None)

    def _get_dependents(self, value: SSAValue) -> Sequence[SSAValue]:
        if self._get_own(value) is UNKNOWN:
            return ()
        return self._origins.direct_dependents(value)

    def _get_use_but(self, value: SSAValue, dealloc: Operation | None) -> LastUse:
        """The last use of `value` itself, except by its deallocation."""
        last = UNUSED
        for use in value.uses:
            user = use.operation
            if user is dealloc:
                continue
            is_stored = user.name == "memref.store" and use.index == 0
            if is_stored or may_hide(user, value):
                return UNKNOWN
            top = self._block.find_ancestor_op_in_block(user)
            if top is None or (
                top is user and top.has_trait(IsTerminator, value_if_unregistered=False)
            ):
                return UNKNOWN
            last = latest((last, LastUse(self.position[top], top)))
        return last
