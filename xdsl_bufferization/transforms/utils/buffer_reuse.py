"""Allocations that reuse a buffer which has just been freed.

    memref.dealloc %0 : memref<?xf32>
    %1 = memref.alloc(%n) : memref<?xf32>    // %0 has %n elements as well

can be replaced by %0, even if the size is dynamic. There is no op that may allocate
between the two, so the peak stays the same.

If the allocation is in a region of the next op that may allocate, the deallocation moves:

- If all allocations in the regions of the op, a loop for example, are freed there and
  find a buffer each, it moves behind the op, which then does not allocate.
- Otherwise, if one region of the op runs, once, as of scf.if, it moves to the start of
  every region, where the same rules apply.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.facts.forwarded_values import RegionGraph
from xdsl_bufferization.analysis.facts.parallel_ops import runs_in_parallel
from xdsl_bufferization.analysis.facts.value_bounds import linear
from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.dialects.memory_layout import allocation_alignment
from xdsl_bufferization.dialects.op_lists import list_ops, of_class
from xdsl_bufferization.interfaces.memory_effects import may_allocate
from xdsl_bufferization.locations import built_for


def take_over_freed_buffers(
    function: FuncOp,
    allocates_unknown: Callable[[Operation], bool],
    *,
    only_dynamic: bool = False,
) -> int:
    """Let allocations of a function reuse buffers that are freed before them, in
    near-linear time. Return their number.

    Args:
        allocates_unknown: whether an op other than memref.alloc may allocate.
        only_dynamic: leave buffers of static size alone.
    """
    ops = list_ops(function)
    frees = [*of_class(ops, memref.DeallocOp)]
    if not frees:
        return 0
    reuse = _Reuse(only_dynamic)
    # Blocks that free a buffer, and those into which a deallocation may move.
    visited = {free.parent for free in frees}
    for op in ops:
        if (may_allocate(op) and isinstance(op, memref.AllocOp)) or allocates_unknown(op):
            reuse.note(op)
    visited.update(reuse.by_block)
    # Blocks outside in: what moves into a region is there when its block is visited.
    for block in dict.fromkeys(op.parent for op in ops):
        if block is not None and block in visited:
            reuse.run(block)
    return reuse.found


_Freed = dict[Hashable, list[memref.DeallocOp]]

_MOST_NESTED = 8
"""Through as many ops a deallocation is moved at a time."""


class _Reuse:
    """The ops of a function that may allocate, by block."""

    def __init__(self, only_dynamic: bool) -> None:
        self._only_dynamic = only_dynamic
        self.found = 0
        self.allocating: set[Operation] = set()
        self.by_block: dict[Block, list[Operation]] = {}
        """In program order."""
        self.moved: set[Operation] = set()
        """Deallocations of buffers of other blocks, which all paths free."""

    def note(self, op: Operation) -> None:
        around: Operation | None = op
        while around is not None and around not in self.allocating:
            self.allocating.add(around)
            if around.parent is not None:
                self.by_block.setdefault(around.parent, []).append(around)
            around = around.parent_op()

    def run(self, block: Block) -> None:
        freed: _Freed = {}
        for op in tuple(block.ops):
            if isinstance(op, memref.DeallocOp):
                alloc = op.memref.owner
                if (
                    isinstance(alloc, memref.AllocOp)
                    and (alloc.parent is block or op in self.moved)
                    and (alloc.dynamic_sizes or not self._only_dynamic)
                ):
                    freed.setdefault(sort_of(alloc), []).append(op)
            elif not freed or op not in self.allocating:
                continue
            elif isinstance(op, memref.AllocOp):
                waiting = freed.get(sort_of(op))
                if waiting:
                    free = waiting.pop()
                    self._replace(op, free)
                    Rewriter.erase_op(free)
                else:
                    freed = {}
            elif not self._reuse_inside(op, freed):
                self._move_into(op, freed)
                freed = {}

    def _replace(self, alloc: memref.AllocOp, free: memref.DeallocOp) -> None:
        Rewriter.replace_op(alloc, [], [free.memref])
        self.found += 1

    # Ops of which one region runs

    def _move_into(self, op: Operation, freed: _Freed) -> None:
        """Move the deallocations that a region of an op has a use for to the start of
        all of its regions."""
        counts = {sort: len(waiting) for sort, waiting in freed.items()}
        wanted = self._wanted(op, counts, _MOST_NESTED)
        if not wanted:
            return
        for region in op.regions:
            if region.blocks.first is None:
                region.add_block(Block([scf.YieldOp()]))
        for sort, count in wanted.items():
            for free in freed[sort][-count:]:
                for region in op.regions:
                    first = region.blocks.first
                    assert first is not None
                    with built_for(free):
                        inner = memref.DeallocOp.create(operands=[free.memref])
                    self.moved.add(inner)
                    Rewriter.insert_op(inner, InsertPoint.at_start(first))
                Rewriter.erase_op(free)

    def _wanted(
        self, op: Operation, counts: dict[Hashable, int], depth: int
    ) -> dict[Hashable, int]:
        """Return how many buffers of each sort a region of an op can take, before it
        allocates anything else."""
        if not depth or not _is_choice(op):
            return {}
        wanted: dict[Hashable, int] = {}
        for region in op.regions:
            block = region.blocks.first
            used: dict[Hashable, int] = {}
            for inner in self.by_block.get(block, ()) if block is not None else ():
                if inner.parent is None:
                    continue
                if isinstance(inner, memref.AllocOp):
                    sort = sort_of(inner)
                    if counts.get(sort, 0) <= used.get(sort, 0):
                        break
                    used[sort] = used.get(sort, 0) + 1
                    continue
                left = {sort: n - used.get(sort, 0) for sort, n in counts.items()}
                for sort, n in self._wanted(inner, left, depth - 1).items():
                    used[sort] = used.get(sort, 0) + n
                break
            for sort, n in used.items():
                wanted[sort] = max(wanted.get(sort, 0), n)
        return wanted

    # Loops, and branches that keep nothing

    def _reuse_inside(self, op: Operation, freed: _Freed) -> bool:
        """Replace all allocations in the regions of an op by freed buffers, if there is
        one for each. Their deallocations move behind the op."""
        if not _is_sequential(op) or any(
            region.first_block is not region.last_block for region in op.regions
        ):
            return False
        allocs: list[tuple[memref.AllocOp, Operation]] = []
        for region in op.regions:
            block = region.blocks.first
            for inner in self.by_block.get(block, ()) if block is not None else ():
                if inner.parent is None:
                    continue
                free = _free_in_block(inner)
                if not isinstance(inner, memref.AllocOp) or free is None:
                    return False
                allocs.append((inner, free))
        by_sort: dict[Hashable, list[tuple[memref.AllocOp, Operation]]] = {}
        for alloc, free in allocs:
            by_sort.setdefault(sort_of(alloc), []).append((alloc, free))
        if any(len(found) > len(freed.get(sort, ())) for sort, found in by_sort.items()):
            return False
        for sort, found in by_sort.items():
            waiting = freed[sort]
            taken = waiting[len(waiting) - len(found) :]
            for (alloc, inner), free in zip(found, taken, strict=True):
                Rewriter.erase_op(inner)
                self._replace(alloc, free)
                free.detach()
                Rewriter.insert_op(free, InsertPoint.after(op))
        return True


def _is_choice(op: Operation) -> bool:
    """Whether exactly one region of an op runs, and once; or may run none if it is an
    scf.if without an else."""
    graph = RegionGraph.of(op)
    if not graph.is_known or not _is_sequential(op):
        return False
    if any(
        after.region is not None
        for region in op.regions
        for after in graph.successors.get(region, ())
    ):
        return False
    return isinstance(op, scf.IfOp) or all(
        after.region is not None for after in graph.successors[None]
    )


def _is_sequential(op: Operation) -> bool:
    """Whether the regions of an op run one after the other, however often."""
    return RegionGraph.of(op).is_known and not runs_in_parallel(op)


def _free_in_block(alloc: Operation) -> Operation | None:
    """Return the op that frees an allocation, if it is in the same block."""
    if not isinstance(alloc, memref.AllocOp):
        return None
    frees = [
        use.operation
        for use in alloc.memref.uses
        if isinstance(use.operation, memref.DeallocOp)
    ]
    return frees[0] if len(frees) == 1 and frees[0].parent is alloc.parent else None


def sort_of(op: memref.AllocOp) -> Hashable:
    """Return what allocations that may take each other's place have in common: the type,
    the sizes and the alignment."""
    alignment = allocation_alignment(op, op.memref.type.element_type)
    return op.memref.type, alignment, _numbers(op.operands)


def _numbers(values: Sequence[SSAValue]) -> Hashable:
    """Return what index values that are surely equal have in common."""
    numbers = map(linear, values)
    return tuple((each.constant, frozenset(each.factors.items())) for each in numbers)
