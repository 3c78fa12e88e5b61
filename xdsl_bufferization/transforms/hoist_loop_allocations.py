"""The pass hoist-loop-allocations: one buffer for all iterations of a loop.

A buffer of invariant size that each iteration allocates and frees can be allocated
before the loop and freed after it. Deallocations identify these buffers, so the pass
runs after buffer deallocation.

It saves allocations and adds none: a loop that may run no iterations is wrapped in a
branch, which allocates only if there is an iteration.

It does not raise the peak of memory in use above that of a program whose deallocations
are at the end of their blocks: there, all buffers of a block are live at the same time
in each iteration. Only temporary memory of an earlier call or op with regions has been
freed by then (`TemporaryMemory`). An allocation after such an op stays. A buffer moves
out of a second loop only if it is the only buffer of an iteration of it. The buffers of
the two regions of an scf.while are not live at the same time: if both regions allocate,
they stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.deallocation.temporary_memory import (
    TemporaryMemory,
    may_allocate,
)
from xdsl_bufferization.analysis.facts.computations import find_computation
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops
from xdsl_bufferization.interfaces.loop_like import surely_runs
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.buffer_lifetimes import (
    Lifetime,
    find_deallocation,
)
from xdsl_bufferization.transforms.utils.first_iteration import (
    ask_whether_runs,
    is_scalar_condition,
)

MOST_LEVELS = 4
"""Out of how many loops an allocation is moved."""

_Loop: TypeAlias = scf.ForOp | scf.WhileOp
_LOOPS = (scf.ForOp, scf.WhileOp)


@dataclass(frozen=True)
class HoistLoopAllocationsPass(ModulePass):
    """Allocate a buffer that every iteration of a loop allocates and frees once, before
    the loop.

        scf.for %i = %c0 to %n step %c1 {
          %0 = memref.alloc() : memref<8xf64>
          linalg.fill ins(%x : f64) outs(%0 : memref<8xf64>)
          memref.dealloc %0 : memref<8xf64>
        }

    becomes

        %runs = arith.cmpi slt, %c0, %n : index
        scf.if %runs {
          %0 = memref.alloc() : memref<8xf64>
          scf.for %i = %c0 to %n step %c1 {
            linalg.fill ins(%x : f64) outs(%0 : memref<8xf64>)
          }
          memref.dealloc %0 : memref<8xf64>
        }

    The branch is omitted if the bounds are constants and there is an iteration. For
    scf.while, the branch tests the condition of the first iteration, if this takes at
    most 16 ops that compute or load scalars; other loops keep the allocations of their
    second region. Allocations of the first region move without a branch, as this region
    always runs.

    The sizes must be the same in each iteration: defined outside of the loop, or computed
    from such values by ops that move with the allocation. The allocation and its
    deallocation must be in the same block of the loop. Loops whose iterations may run
    in parallel, scf.parallel and scf.forall, keep their allocations. An allocation
    after a call of a function that may allocate, or after an op with an allocation in
    its regions, stays, because moving it might raise the peak of memory in use. An
    allocation moves out of up to four nested loops if it is the only one in an
    iteration and the inner loops always run. Run the pass after buffer deallocation.
    """

    name = "hoist-loop-allocations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        hoist_loop_allocations(op)


@on_program
def hoist_loop_allocations(module: ModuleOp) -> None:
    """Move allocations out of the loops of all functions of `module`."""
    memory: TemporaryMemory | None = None
    for function in list_functions(module):
        loops = [op for op in list_ops(function) if isinstance(op, _LOOPS)]
        for level in range(MOST_LEVELS):
            if not loops:
                break
            if memory is None:
                memory = TemporaryMemory(FunctionTable(module))
            ops = list_ops(function)
            origins = BufferOrigins(function, ops)
            users = memory.find_users(ops)
            found = {loop: _find_in_loop(loop, origins, users) for loop in loops}
            lifetimes_of = {loop: ended for loop, ended in found.items() if ended}
            if level:
                lifetimes_of = {
                    loop: ended
                    for loop, ended in lifetimes_of.items()
                    if _are_all_at_once(ended, users)
                }
            for loop in visiting(lifetimes_of):
                _hoist(loop, lifetimes_of[loop])
            loops = _loops_directly_around(lifetimes_of)


def _loops_directly_around(loops: Iterable[_Loop]) -> list[_Loop]:
    """The loops whose bodies got allocations."""
    around = (loop.parent_op() for loop in loops)
    return [op for op in dict.fromkeys(around) if isinstance(op, _LOOPS)]


def _are_all_at_once(lifetimes: list[Lifetime], temporary_users: set[Operation]) -> bool:
    """Whether some buffers are all that an iteration allocates, and it has all of them at
    one time: then the memory that they need together is needed anyway."""
    allocations = {lifetime.allocation for lifetime in lifetimes}
    ended = False
    for op in lifetimes[0].block.ops:
        if isinstance(op, memref.AllocOp) and (ended or op not in allocations):
            return False
        if op in temporary_users:
            return False
        ended |= any(op is lifetime.deallocation for lifetime in lifetimes)
    return True


def _find_in_loop(
    loop: _Loop, origins: BufferOrigins, temporary_users: set[Operation]
) -> list[Lifetime]:
    """The buffers of a loop that one allocation can serve, all in one of its blocks."""
    if isinstance(loop, scf.ForOp):
        return _find_lifetimes(loop, loop.body.block, origins, temporary_users)
    before, after = loop.before_region.block, loop.after_region.block
    if not may_allocate(after, temporary_users):
        return _find_lifetimes(loop, before, origins, temporary_users)
    if may_allocate(before, temporary_users) or not is_scalar_condition(before):
        return []
    return _find_lifetimes(loop, after, origins, temporary_users)


def _find_lifetimes(
    loop: _Loop, block: Block, origins: BufferOrigins, temporary_users: set[Operation]
) -> list[Lifetime]:
    """The buffers of a block of a loop that one allocation can serve."""
    found: list[Lifetime] = []
    positions: dict[Operation, int] | None = None
    for op in block.ops:
        if isinstance(op, memref.AllocOp):
            if positions is None:
                positions = {other: number for number, other in enumerate(block.ops)}
            deallocation = find_deallocation(op, origins, positions)
            if deallocation is not None and _find_size_ops(op, loop) is not None:
                found.append(Lifetime(op, deallocation))
        elif op in temporary_users:
            break
    return found


def _find_size_ops(allocation: memref.AllocOp, loop: _Loop) -> list[Operation] | None:
    """The ops in the loop that compute the sizes from values of outside, in order; None
    if the sizes may vary."""
    return find_computation(
        allocation.operands, lambda value: not _is_inside(value, loop)
    )


def _is_inside(value: SSAValue, loop: _Loop) -> bool:
    place = value.op.parent if isinstance(value, OpResult) else value.owner
    while place is not None:
        if place is loop:
            return True
        place = place.parent
    return False


def _hoist(loop: _Loop, lifetimes: list[Lifetime]) -> None:
    if isinstance(loop, scf.ForOp):
        if not surely_runs(loop):
            _guard(loop, *ask_whether_runs(loop))
    elif lifetimes[0].block is loop.after_region.block:
        _guard(loop, *ask_whether_runs(loop))
    moved: dict[Operation, None] = {}
    for lifetime in lifetimes:
        moved.update(dict.fromkeys(_find_size_ops(lifetime.allocation, loop) or ()))
        moved[lifetime.allocation] = None
    for op in (*moved, *(lifetime.deallocation for lifetime in lifetimes)):
        op.detach()
    Rewriter.insert_op(list(moved), InsertPoint.before(loop))
    Rewriter.insert_op(
        [lifetime.deallocation for lifetime in lifetimes], InsertPoint.after(loop)
    )


def _guard(loop: _Loop, runs: SSAValue, otherwise: Sequence[SSAValue]) -> None:
    """Put a loop into a branch that is taken if there is an iteration."""
    taken = Block()
    types = [result.type for result in loop.results]
    not_taken = Region(Block([scf.YieldOp(*otherwise)])) if types else Region()
    branch = scf.IfOp(runs, types, Region(taken), not_taken)
    Rewriter.insert_op(branch, InsertPoint.before(loop))
    for old, new in zip(loop.results, branch.results, strict=True):
        old.replace_all_uses_with(new)
    loop.detach()
    taken.add_ops([loop, scf.YieldOp(*loop.results)])
