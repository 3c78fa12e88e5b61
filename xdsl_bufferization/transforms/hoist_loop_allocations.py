"""The pass hoist-loop-allocations: one buffer for all iterations of a loop.

A buffer of invariant size that each iteration allocates and frees can be allocated
before the loop and freed after it. Deallocations identify these buffers, so the pass
runs after buffer deallocation.

It saves allocations and adds none: a loop that may run no iterations is wrapped in a
branch, which allocates only if there is an iteration.

It does not raise the peak of memory in use: where a buffer was not live, an iteration
must hold no more with it than somewhere without (`block_memory`). If all buffers of an
iteration were too many, those of equal size that are live in turn become one. An
allocation after an op that may need temporary memory (`TemporaryMemory`) stays, and so
does one that is freed before such an op, unless this is a call of a function that always
needs the same memory, and the buffer is live during another call of it. A buffer moves
out of a second loop only if it is the only buffer of an iteration of it. The buffers of
the two regions of an scf.while are not live at the same time: if both regions allocate,
they stay.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappush, heapreplace
from itertools import pairwise
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
from xdsl_bufferization.transforms.utils.block_memory import (
    BlockMemory,
    Longer,
    MemoryChanges,
    units_of,
)
from xdsl_bufferization.transforms.utils.buffer_lifetimes import (
    Lifetime,
    find_deallocation,
)
from xdsl_bufferization.transforms.utils.buffer_reuse import sort_of
from xdsl_bufferization.transforms.utils.first_iteration import (
    ask_whether_runs,
    is_scalar_condition,
)

MOST_LEVELS = 4
"""Out of how many loops an allocation is moved."""
MOST_TRIED = 16
"""If the buffers of a block cannot all be live all the time, this many are tried."""

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
    stays if moving it might raise the peak of memory in use: after a call of a function
    that may allocate, or after an op with an allocation in its regions; or if it would
    be live beside more than an iteration holds at a time. Buffers of equal size that
    are live in turn become one if all of them were too many.
    An allocation moves out of up to four nested loops if it is the only one in an
    iteration and the inner loops always run. Run the pass after buffer deallocation.
    """

    name = "hoist-loop-allocations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        hoist_loop_allocations(op)


@on_program
def hoist_loop_allocations(module: ModuleOp) -> None:
    """Move allocations out of the loops of all functions of `module`."""
    functions: FunctionTable | None = None
    memory: TemporaryMemory | None = None
    for function in list_functions(module):
        loops = [op for op in list_ops(function) if isinstance(op, _LOOPS)]
        for level in range(MOST_LEVELS):
            if not loops:
                break
            if functions is None or memory is None:
                functions = FunctionTable(module)
                memory = TemporaryMemory(functions)
            ops = list_ops(function)
            origins = BufferOrigins(function, ops)
            users = memory.find_users(ops)
            changes = MemoryChanges(functions, ops, users)
            found = {loop: _find_in_loop(loop, origins, users, changes) for loop in loops}
            buffers_of = {loop: ended for loop, ended in found.items() if ended}
            if level:
                buffers_of = {
                    loop: ended
                    for loop, ended in buffers_of.items()
                    if _are_all_at_once(ended, users)
                }
            for loop in visiting(buffers_of):
                _hoist(loop, buffers_of[loop])
            loops = _loops_directly_around(buffers_of)


def _loops_directly_around(loops: Iterable[_Loop]) -> list[_Loop]:
    """The loops whose bodies got allocations."""
    around = (loop.parent_op() for loop in loops)
    return [op for op in dict.fromkeys(around) if isinstance(op, _LOOPS)]


@dataclass(frozen=True)
class _Buffer:
    """One buffer for allocations of a block that are live one after the other."""

    lifetimes: list[Lifetime]

    @property
    def allocation(self) -> memref.AllocOp:
        return self.lifetimes[0].allocation

    @property
    def deallocation(self) -> Operation:
        return self.lifetimes[-1].deallocation

    def gaps(self, memory: BlockMemory) -> list[Longer]:
        """Where none of the allocations is live now."""
        starts = [-1, *(memory.positions[each.deallocation] for each in self.lifetimes)]
        ends = [
            *(memory.positions[each.allocation] for each in self.lifetimes),
            memory.end,
        ]
        units = units_of(self.allocation)
        return [Longer(s, e, units) for s, e in zip(starts, ends, strict=True)]


def _are_all_at_once(buffers: list[_Buffer], temporary_users: set[Operation]) -> bool:
    """Whether some buffers are all that an iteration allocates, and it has all of them at
    one time: then the memory that they need together is needed anyway."""
    allocations = {buffer.allocation for buffer in buffers}
    ended = False
    block = buffers[0].allocation.parent
    for op in block.ops if block is not None else ():
        if isinstance(op, memref.AllocOp) and (ended or op not in allocations):
            return False
        if op in temporary_users:
            return False
        ended |= any(op is buffer.deallocation for buffer in buffers)
    return True


def _find_in_loop(
    loop: _Loop,
    origins: BufferOrigins,
    temporary_users: set[Operation],
    changes: MemoryChanges,
) -> list[_Buffer]:
    """The buffers of a loop that one allocation can serve, all in one of its blocks."""
    if isinstance(loop, scf.ForOp):
        return _find_lifetimes(loop, loop.body.block, origins, temporary_users, changes)
    before, after = loop.before_region.block, loop.after_region.block
    if not may_allocate(after, temporary_users):
        return _find_lifetimes(loop, before, origins, temporary_users, changes)
    # A condition that only computes and loads scalars frees nothing.
    if may_allocate(before, temporary_users) or not is_scalar_condition(before):
        return []
    return _find_lifetimes(loop, after, origins, temporary_users, changes)


def _find_lifetimes(
    loop: _Loop,
    block: Block,
    origins: BufferOrigins,
    temporary_users: set[Operation],
    changes: MemoryChanges,
) -> list[_Buffer]:
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
    if not found:
        return []
    return _without_higher_peak(found, BlockMemory(block, changes))


def _without_higher_peak(lifetimes: list[Lifetime], memory: BlockMemory) -> list[_Buffer]:
    """Buffers for some of the allocations of a block that can be live all the time: one
    for each, or if this is too much, one for several that are live in turn."""
    buffers = [_Buffer([lifetime]) for lifetime in lifetimes]
    if memory.may_hold([part for each in buffers for part in each.gaps(memory)]):
        return buffers
    shared = _share(lifetimes, memory)
    if memory.may_hold([part for each in shared for part in each.gaps(memory)]):
        return shared
    held: list[Longer] = []
    kept: list[_Buffer] = []
    for buffer in shared[:MOST_TRIED]:
        parts = buffer.gaps(memory)
        if memory.may_hold([*held, *parts]):
            held += parts
            kept.append(buffer)
    return kept


def _share(lifetimes: list[Lifetime], memory: BlockMemory) -> list[_Buffer]:
    """As few buffers as possible for allocations that are in program order."""
    buffers: list[_Buffer] = []
    ended: dict[Hashable, list[tuple[int, int]]] = defaultdict(list)
    for lifetime in lifetimes:
        alike = ended[sort_of(lifetime.allocation)]
        end = memory.positions[lifetime.deallocation]
        if alike and alike[0][0] < memory.positions[lifetime.allocation]:
            number = alike[0][1]
            buffers[number].lifetimes.append(lifetime)
            heapreplace(alike, (end, number))
        else:
            heappush(alike, (end, len(buffers)))
            buffers.append(_Buffer([lifetime]))
    return buffers


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


def _hoist(loop: _Loop, buffers: list[_Buffer]) -> None:
    if isinstance(loop, scf.ForOp):
        if not surely_runs(loop):
            _guard(loop, *ask_whether_runs(loop))
    elif buffers[0].allocation.parent is loop.after_region.block:
        _guard(loop, *ask_whether_runs(loop))
    moved: dict[Operation, None] = {}
    for buffer in buffers:
        moved.update(dict.fromkeys(_find_size_ops(buffer.allocation, loop) or ()))
        moved[buffer.allocation] = None
    for op in (*moved, *(buffer.deallocation for buffer in buffers)):
        op.detach()
    for buffer in buffers:
        for ended, following in pairwise(buffer.lifetimes):
            Rewriter.erase_op(ended.deallocation)
            Rewriter.replace_op(following.allocation, [], [buffer.allocation.memref])
    Rewriter.insert_op(list(moved), InsertPoint.before(loop))
    Rewriter.insert_op(
        [buffer.deallocation for buffer in buffers], InsertPoint.after(loop)
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
