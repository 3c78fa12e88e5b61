"""The pass reuse-freed-buffers: an iteration's allocation reuses a freed buffer.

After deallocation, an iteration of a loop may free a buffer of an earlier iteration and
allocate one of the same size:

    scf.for ... iter_args(%old = %a, %own = %false) {
      %new = memref.alloc(%n)
      ... reads %old, writes %new ...
      scf.if %own { memref.dealloc %old }
      scf.yield %new, %true
    }

The loop keeps the buffer instead, as its *spare*, with a flag for whether it has one:

    %r, %s, %kept = scf.for ... iter_args(%old = %a, %own = %false,
                                          %spare = %a, %has = %false) {
      %new = scf.if %has { yield %spare } else { yield memref.alloc(%n) }
      ... reads %old, writes %new ...
      scf.yield %new, %true, %old, %own
    }
    scf.if %kept { memref.dealloc %s }

This needs no analysis of liveness: what is freed is dead, and has no other owner. It
remains to be shown that the freed buffer is as large as the new one: each allocation that
it may be has the same type, sizes and alignment. If an outer loop computes a size in each
iteration, none may be of an earlier iteration.

No execution allocates more. The peak of memory in use does not rise: wherever a buffer
is kept, the block must hold no more with it than somewhere before (`block_memory`). Of
several allocations, each gets what is freed before it, so that it is kept the shortest.
An allocation after an op that may need temporary memory (`TemporaryMemory`) stays. What a
branch may allocate and yields is not counted: it depends on the run, and if it allocates
in an iteration that keeps a buffer, the peak may rise by as much.

Outside of loops, or within an iteration, an allocation of dynamic size takes over a
buffer of the same size that was freed before it, unless an op in between may allocate
(`buffer_reuse`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    BufferOrigins,
    ReturnedMemref,
    is_function_argument,
)
from xdsl_bufferization.analysis.deallocation.returned_memrefs import (
    Judgement,
    ReturnedMemrefs,
)
from xdsl_bufferization.analysis.deallocation.temporary_memory import (
    TemporaryMemory,
    may_allocate,
)
from xdsl_bufferization.analysis.deallocation.terminal_groups import TerminalGroups
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.dialects.booleans import (
    build_and,
    build_constant,
    build_or,
    get_constant_bool,
    insert_before,
)
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.models.buffer_types import is_surely_castable
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.block_memory import (
    BlockMemory,
    Longer,
    MemoryChanges,
    units_of,
)
from xdsl_bufferization.transforms.utils.buffer_reuse import take_over_freed_buffers
from xdsl_bufferization.transforms.utils.equal_allocations import (
    AllocationSizes,
    EqualKind,
    is_inside,
)
from xdsl_bufferization.transforms.utils.spare_buffers import (
    LOOPS,
    Loop,
    add_inits,
    allocate_without_spare,
    cast_before,
)

_NEVER_FREED = "never freed"

MOST_SPARES = 4
"""At most this many allocations of a loop get a spare buffer each."""
MOST_FREES = 2
"""At most this many buffers that an iteration frees may become the same spare buffer.
With more, `verify-deallocation` could often not decide that it is freed once."""


@dataclass(frozen=True)
class ReuseFreedBuffersPass(ModulePass):
    """Let the next allocation of the same size reuse a buffer that is freed.

    A loop keeps a buffer that an iteration frees:

        %r, %owned = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a, %own = %false)
            -> (memref<8xf64>, i1) {
          %new = memref.alloc() : memref<8xf64>
          linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
          scf.if %own {
            memref.dealloc %old : memref<8xf64>
          }
          scf.yield %new, %true : memref<8xf64>, i1
        }

    becomes

        %no = arith.constant false
        %r, %owned, %last, %kept = scf.for %i = %c0 to %n step %c1
            iter_args(%old = %a, %own = %false, %spare = %a, %has = %no)
            -> (memref<8xf64>, i1, memref<8xf64>, i1) {
          %new = scf.if %has -> (memref<8xf64>) {
            scf.yield %spare : memref<8xf64>
          } else {
            %0 = memref.alloc() : memref<8xf64>
            scf.yield %0 : memref<8xf64>
          }
          linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
          scf.yield %new, %true, %old, %own : memref<8xf64>, i1, memref<8xf64>, i1
        }
        scf.if %kept {
          memref.dealloc %last : memref<8xf64>
        }

    The loop is an scf.for or scf.while. The allocation and the deallocation, which may be
    in an scf.if of its own, are in the same block of it or, in scf.while, in its two
    regions. The sizes must be defined outside of the loop, and every allocation that is
    freed must have the same type, sizes and alignment. If an outer loop computes a size
    in each iteration, no freed buffer may be of an earlier iteration. If the deallocation
    is conditional, the buffer may also be an argument of the function that the condition
    keeps from being freed. A buffer is not kept if the peak of memory in use might rise:
    while an op that may need temporary memory runs, or beside other buffers if all
    are more than an iteration holds at a time.

    Without a loop, or within an iteration, a deallocation and a later allocation of the
    same dynamic size are removed, if no other op in between may allocate. The freed
    buffer takes the place of the new one. Static sizes are left to plan-memory.

    Run the pass after buffer deallocation and hoist-loop-allocations.
    """

    name = "reuse-freed-buffers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        reuse_freed_buffers(op)


@on_program
def reuse_freed_buffers(module: ModuleOp) -> None:
    """Let allocations in all functions of `module` reuse buffers that are freed."""
    _keep_in_loops(module)
    memory = TemporaryMemory(FunctionTable(module))

    def allocates_besides(op: Operation) -> bool:
        return not isinstance(op, memref.AllocOp) and memory.may_allocate_once(op)

    for function in list_functions(module):
        # Those of static size are for plan-memory, which may put them anywhere.
        take_over_freed_buffers(function, allocates_besides, only_dynamic=True)


def _keep_in_loops(module: ModuleOp) -> None:
    """Let loops keep buffers that an iteration frees."""
    finder: _Finder | None = None
    for function in list_functions(module):
        ops = list_ops(function)
        loops = [op for op in ops if isinstance(op, LOOPS)]
        if not any(map(_has_allocation, loops)):
            continue
        if finder is None:
            finder = _Finder(module)
        finder.enter(function, ops)
        found = {loop: spares for loop in loops if (spares := finder.find(loop))}
        # Inner loops first: they may start with an allocation of an outer one.
        for loop, spares in reversed(found.items()):
            with built_for(loop):
                _keep(loop, spares)


@dataclass(frozen=True)
class _Free:
    """An op of a loop that frees a buffer.

    Attributes:
        op: the deallocation, or the scf.if around it.
        dealloc: the deallocation.
    """

    op: Operation
    dealloc: memref.DeallocOp

    @property
    def buffer(self) -> SSAValue:
        """All of the buffer."""
        buffer = self.dealloc.operands[0]
        if isinstance(buffer.owner, memref.ExtractStridedMetadataOp):
            return buffer.owner.operands[0]
        return buffer

    @property
    def condition(self) -> SSAValue | None:
        """When it is freed; None if always."""
        return self.op.cond if isinstance(self.op, scf.IfOp) else None


@dataclass(frozen=True)
class _Spare:
    """An allocation of a loop, and what the loop frees of the same size.

    Attributes:
        nothing: a memref that the loop carries while it has no spare buffer.
        is_carried: whether the allocation may be of the next iteration.
    """

    allocation: memref.AllocOp
    frees: list[_Free]
    nothing: SSAValue
    is_carried: bool


def _blocks(loop: Loop) -> Sequence[Block]:
    """The blocks of a loop, in the order of an iteration."""
    return [region.block for region in loop.regions]


def _has_allocation(loop: Loop) -> bool:
    return any(isinstance(op, memref.AllocOp) for b in _blocks(loop) for op in b.ops)


def _find_frees(loop: Loop) -> Iterator[_Free]:
    for block in _blocks(loop):
        for op in block.ops:
            freed = _only_op(op) if isinstance(op, scf.IfOp) else op
            if isinstance(freed, memref.DeallocOp):
                free = _Free(op, freed)
                if freed is op or not is_inside(free.buffer, op):
                    yield free


def _only_op(branch: scf.IfOp) -> Operation | None:
    """What a branch without results consists of, if that is one op and no alternative."""
    if branch.results or branch.false_region.blocks:
        return None
    first = branch.true_region.block.first_op
    if first is None or not isinstance(first.next_op, scf.YieldOp):
        return None
    return first


class _Finder:
    """Finds out which freed buffers can be reused, one function after the other."""

    def __init__(self, module: ModuleOp) -> None:
        functions = FunctionTable(module)
        returned = ReturnedMemrefs(
            functions,
            Judgement(
                traced={f for f in functions.functions if functions.has_known_calls(f)},
                is_new=lambda terminal: isinstance(terminal.owner, memref.AllocOp),
                becomes_new=lambda op, number: False,
                untraced=ReturnedMemref(is_other=True),
                whole=True,
            ),
        )
        self._describe_call = returned.of_call
        self._functions = functions
        self._memory = TemporaryMemory(functions)

    def enter(self, function: Operation, ops: list[Operation]) -> None:
        self._origins = BufferOrigins(function, ops, self._describe_call, whole=True)
        self._sizes = AllocationSizes(self._origins)
        self._terminals = TerminalGroups(self._origins, self._group_of)
        self._temporary_users = self._memory.find_users(ops)
        self._changes = MemoryChanges(
            self._functions, ops, self._temporary_users, count_branches=False
        )
        self._positions = {op: position for position, op in enumerate(ops)}

    def find(self, loop: Loop) -> list[_Spare]:
        allocations = list(islice(self._find_allocations(loop), MOST_SPARES))
        if not allocations:
            return []
        frees_of: dict[memref.AllocOp, list[_Free]] = {}
        for free in _find_frees(loop):
            of_size = next((a for a in allocations if self._is_of_size(free, a)), None)
            if of_size is not None:
                frees_of.setdefault(of_size, []).append(free)
        return list(self._find_spares(loop, allocations, frees_of))

    def _find_spares(
        self,
        loop: Loop,
        allocations: list[memref.AllocOp],
        frees_of: dict[memref.AllocOp, list[_Free]],
    ) -> Iterator[_Spare]:
        """Share the freed buffers of each size among the allocations of this size, those
        that can be kept without a higher peak."""
        if not frees_of:
            return
        block = allocations[0].parent
        assert block is not None
        memory = BlockMemory(block, self._changes)
        held: list[Longer] = []
        for first, frees in frees_of.items():
            alike = [a for a in allocations if self._sizes.are_alike(a, first)]
            nothing = self._find_value_before(loop, first, frees)
            if nothing is None:
                continue
            for allocation, shared in self._share(alike, frees):
                kept: list[_Free] = []
                longer: list[Longer] = []
                for free in shared[:MOST_FREES]:
                    more = _live_longer(allocation, [*kept, free], memory)
                    if memory.may_hold([*held, *more]):
                        kept.append(free)
                        longer = more
                if kept:
                    held += longer
                    is_carried = any(part.start == -1 for part in longer)
                    yield _Spare(allocation, kept, nothing, is_carried)

    def _share(
        self, alike: list[memref.AllocOp], frees: list[_Free]
    ) -> Iterator[tuple[memref.AllocOp, list[_Free]]]:
        """Give each freed buffer to the next allocation, or to one of the next iteration,
        so that no buffer is kept while another one is allocated."""
        start = self._positions[frees[0].op]
        after = [a for a in alike if self._positions[a] > start]
        for number, allocation in enumerate([*after, *alike[: len(alike) - len(after)]]):
            first = number * len(frees) // len(alike)
            end = (number + 1) * len(frees) // len(alike)
            if first < end:
                yield allocation, frees[first:end]

    def _is_of_size(self, free: _Free, allocation: memref.AllocOp) -> bool:
        """Return whether a freed buffer certainly has the size of an allocation."""
        terminals = self._terminals
        freed = terminals.of(free.buffer, self._sizes.kind_of(allocation))
        others = terminals.all_of(free.buffer) & ~freed
        if not freed or (others and free.condition is None):
            return False
        return others == terminals.of(free.buffer, _NEVER_FREED) and all(
            self._sizes.is_current(size, (free.buffer, *allocation.dynamic_sizes))
            for size in self._sizes.of(allocation)
        )

    def _group_of(self, terminal: SSAValue) -> EqualKind | str | None:
        if isinstance(terminal.owner, memref.AllocOp):
            return self._sizes.kind_of(terminal.owner)
        return _NEVER_FREED if _is_never_freed(terminal) else None

    def _varies(self, allocation: memref.AllocOp, loop: Loop) -> bool:
        return any(
            is_inside(size[0] if isinstance(size, tuple) else size, loop)
            for size in self._sizes.of(allocation)
            if not isinstance(size, int)
        )

    def _find_value_before(
        self, loop: Loop, allocation: memref.AllocOp, frees: list[_Free]
    ) -> SSAValue | None:
        """A memref that is visible before a loop, with a type for the spare buffer."""
        for free in frees:
            for value in self._arguments_last(free.buffer):
                if self._is_before(value, loop) and self._may_carry(
                    value, allocation, frees
                ):
                    return value
        return None

    def _arguments_last(self, buffer: SSAValue) -> Iterator[SSAValue]:
        """Yield what a buffer may be, the arguments of the function last."""
        for are_arguments in (False, True):
            for number in self._origins.get_origin(buffer).get_terminals():
                value = self._origins.terminals[number]
                if is_function_argument(value) == are_arguments:
                    yield value

    def _is_before(self, value: SSAValue, loop: Loop) -> bool:
        """Whether a value is defined before a loop, in its block or one around it."""
        if is_function_argument(value):
            return True
        block = value.op.parent if isinstance(value, OpResult) else None
        around = None if block is None else block.find_ancestor_op_in_block(loop)
        if around is None or not isinstance(value, OpResult):
            return False
        return self._positions[value.op] < self._positions[around]

    def _may_carry(
        self, nothing: SSAValue, allocation: memref.AllocOp, frees: list[_Free]
    ) -> bool:
        """Whether the freed buffers can be cast to the type of a memref, and this to the
        type of an allocation. What is not freed is cast, too: it may have any layout."""
        type_ = nothing.type
        return _is_castable(type_, allocation.results[0].type) and all(
            free.buffer.type == type_
            or _is_surely_castable(free.buffer.type, type_)
            or (
                _is_castable(free.buffer.type, type_)
                and not self._terminals.of(free.buffer, _NEVER_FREED)
            )
            for free in frees
        )

    def _find_allocations(self, loop: Loop) -> Iterator[memref.AllocOp]:
        """The allocations of invariant size before which nothing needs temporary memory
        while the loop keeps a buffer for them."""
        blocks = _blocks(loop)
        for block in blocks:
            if any(
                other is not block and may_allocate(other, self._temporary_users)
                for other in blocks
            ):
                continue
            for op in block.ops:
                if op in self._temporary_users:
                    break
                if isinstance(op, memref.AllocOp) and not self._varies(op, loop):
                    yield op


def _live_longer(
    allocation: memref.AllocOp, frees: list[_Free], memory: BlockMemory
) -> list[Longer]:
    """What the block of an allocation holds in addition if one of some buffers is kept.
    No other block of the loop allocates: there, this cannot raise the peak."""
    needed = memory.positions[allocation]
    longer: list[Longer] = []
    is_carried = False
    for free in frees:
        start = memory.positions.get(free.op)
        if start is not None and start < needed:
            longer.append(Longer(start, needed, memory.freed_by(free.op)))
            continue
        is_carried = True
        if start is not None:
            longer.append(Longer(start, memory.end, memory.freed_by(free.op)))
    if is_carried:
        longer.append(Longer(-1, needed, units_of(allocation)))
    return longer


def _is_never_freed(value: SSAValue) -> bool:
    return is_function_argument(value) or isinstance(value.owner, memref.GetGlobalOp)


def _is_surely_castable(source: Attribute, target: Attribute) -> bool:
    """Whether a cast asks for nothing that its source does not state."""
    if not is_memref(source) or not is_memref(target):
        return False
    sizes = zip(source.get_shape(), target.get_shape(), strict=True)
    return is_surely_castable(source, target) and all(
        want in (have, DYNAMIC_INDEX) for have, want in sizes
    )


def _is_castable(source: Attribute, target: Attribute) -> bool:
    return source == target or memref.cast_compatible(source, target)


def _keep(loop: Loop, spares: list[_Spare]) -> None:
    """Let a loop carry spare buffers."""
    no = build_constant(loop, False)
    carried = [spare for spare in spares if spare.is_carried]
    inits = [init for spare in carried for init in (spare.nothing, no)]
    for block in _blocks(loop):
        end = block.last_op
        assert end is not None
        arguments = iter([block.insert_arg(i.type, len(block.args)) for i in inits])
        for spare in spares:
            buffer, has = spare.nothing, no
            if spare.is_carried:
                buffer, has = next(arguments), next(arguments)
            # The next allocation that is replaced may be what this one keeps.
            kept = _keep_in_block(block, spare, buffer, has, no)
            if spare.is_carried:
                end.operands = [*end.operands, *kept]
    if not carried:
        return
    new = add_inits(loop, inits)
    results = new.results[-len(inits) :]
    for number in range(len(carried)):
        buffer, has = results[2 * number], results[2 * number + 1]
        free: list[Operation] = [memref.DeallocOp.get(buffer), scf.YieldOp()]
        Rewriter.insert_op(
            scf.IfOp(has, [], Region(Block(free)), Region()), InsertPoint.after(new)
        )


def _keep_in_block(
    block: Block, spare: _Spare, buffer: SSAValue, has: SSAValue, no: SSAValue
) -> tuple[SSAValue, SSAValue]:
    """Use and fill a spare buffer in a block; return it, and whether there is one, at
    the end of the block."""
    frees = {free.op: free for free in spare.frees}
    for op in tuple(block.ops):
        if op is spare.allocation:
            allocate_without_spare(spare.allocation, buffer, has)
            has = no
        elif op in frees:
            buffer, has = _keep_freed(frees[op], buffer, has)
    return buffer, has


def _keep_freed(
    free: _Free, buffer: SSAValue, has: SSAValue
) -> tuple[SSAValue, SSAValue]:
    """Keep a buffer instead of freeing it, unless there is a spare buffer already."""
    place = free.op
    freed = cast_before(place, free.buffer, buffer.type)
    condition = free.condition
    if condition is None:
        condition = build_constant(place, True)
    if get_constant_bool(has) is False:
        Rewriter.erase_op(place)
        return freed, condition
    both = build_and(place, has, condition)
    dealloc = [memref.DeallocOp.get(freed), scf.YieldOp()]
    branch = scf.IfOp(both, [], Region(Block(dealloc)), Region())
    Rewriter.insert_op(branch, InsertPoint.before(place))
    buffer = insert_before(place, arith.SelectOp(has, buffer, freed))
    has = build_or(place, has, condition)
    Rewriter.erase_op(place)
    return buffer, has
