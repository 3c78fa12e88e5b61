"""Moving deallocations of any buffer, conditional ones too, up to its last use.

    %r = scf.for ... iter_args(%a = %x, %owned = %false) {
      %b = call @next(%a)                      %b = call @next(%a)
      call @look(%b)                           scf.if %owned {
      scf.if %owned {                            memref.dealloc %a
        memref.dealloc %a            ->        }
      }                                        call @look(%b)
      scf.yield %b, %true                      scf.yield %b, %true
    }

The freed buffer may have other names in the block (analysis/deallocation/last_uses.py).
A buffer is freed once, so other deallocations are not uses of it. If the
condition requires its pointer to differ from that of another memref, uses of the other
memref are not uses of it either:

    %q = scf.if %c { scf.yield %new } else { scf.yield %p }
    scf.if %p is not %q { memref.dealloc %p }     // right here, though %q is yielded

This holds for pointers that no view has moved, not even in a branch or a callee. Nor are
uses of another result of the same loop, if the loop only exchanges buffers
(`DeadBuffers`).

The ops that compute the condition and the freed memref move as far as necessary. To
compare the pointer of a buffer for any other purpose is a use of the buffer: once it is
freed, another one may get its pointer. That other one is made after it was freed, so
comparing with memrefs that are there as soon as the freed one, such as another result of
the same loop, is no use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.dialects import arith, func, scf
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    BufferOrigins,
    OriginKind,
    is_function_argument,
)
from xdsl_bufferization.analysis.deallocation.dead_buffers import DeadBuffers
from xdsl_bufferization.analysis.deallocation.last_uses import (
    BuffersOfFunction,
    LastUses,
    is_use,
)
from xdsl_bufferization.analysis.facts.reached_values import ReachedValues
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE, get_view_base
from xdsl_bufferization.transforms.utils.conditional_frees import ConditionalFrees

MOST_RESULTS = 16
"""Of a loop with more, each may be the same buffer as any other."""

_NOT_EQUAL = arith.CMPI_COMPARISON_OPERATIONS.index("ne")


class EarlyFrees:
    """The deallocations in the blocks of a function."""

    def __init__(self, function: func.FuncOp, origins: BufferOrigins):
        self._buffers = BuffersOfFunction(function, origins)
        self._pointers = _OwnPointers(origins)
        self._exchanges = _Exchanges(function, origins)

    def move(self, block: Block) -> None:
        """Move the deallocations of a block up. They stay in their order where they free
        after the same op."""
        frees = [op for op in block.ops if _freed(op) is not None]
        if frees:
            mover = _Mover(block, self._buffers, self._pointers, self._exchanges)
            for op in frees:
                mover.move(op)


def _freed(op: Operation) -> SSAValue | None:
    """Return the buffer that an op frees, possibly under a condition, if it has no
    other effect."""
    if isinstance(op, memref.DeallocOp):
        return op.memref
    if not isinstance(op, scf.IfOp) or op.results or op.false_region.blocks:
        return None
    if not op.true_region.blocks:
        return None
    match list(op.true_region.block.ops):
        case [*before, memref.DeallocOp() as free, _] if all(map(_is_movable, before)):
            return free.memref
        case _:
            return None


def _is_movable(op: Operation) -> bool:
    return not op.regions and is_side_effect_free(op)


@dataclass
class _Mover:
    block: Block
    buffers: BuffersOfFunction
    pointers: _OwnPointers
    exchanges: _Exchanges
    position: dict[Operation, tuple[int, int]] = field(init=False)
    """The number that an op had at first, or that of the op which it was moved after; and
    its number among the moved ops."""
    moved_after: dict[Operation, Operation] = field(
        default_factory=dict[Operation, Operation]
    )
    moves: int = 0
    for_frees: set[Operation] = field(init=False)
    """The deallocations, and what is computed for their conditions alone."""
    unused: set[Operation] = field(init=False)
    """Those, and pointers that are only compared with those of memrefs that are not
    newer."""
    tails: dict[Operation, Operation] = field(default_factory=dict[Operation, Operation])
    """For an op after which something was moved, the last op that was."""
    uses: LastUses | None = None
    """As long as no op was moved that is a use."""

    def __post_init__(self) -> None:
        self.position = {op: (number, 0) for number, op in enumerate(self.block.ops)}
        self.for_frees = set()
        for op in reversed(self.block.ops):
            if _freed(op) is not None or self._is_for_frees(op):
                self.for_frees.add(op)
        pointers = filter(self._is_compared_with_older, self.block.ops)
        self.unused = self.for_frees.union(pointers)

    def _is_for_frees(self, op: Operation) -> bool:
        if not _is_movable(op) or any(map(is_memref, op.results)):
            return False
        users = (use.operation for result in op.results for use in result.uses)
        return all(
            self.block.find_ancestor_op_in_block(user) in self.for_frees for user in users
        )

    def _is_compared_with_older(self, op: Operation) -> bool:
        """Whether an op is a pointer that is only compared with the pointers of memrefs
        that are there as soon as its own is."""
        if not isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
            return False
        made = self._number_of_memref(op.operands[0])
        return all(
            isinstance(use.operation, arith.CmpiOp)
            and isinstance(
                other := use.operation.operands[1 - use.index].owner,
                memref.ExtractAlignedPointerAsIndexOp,
            )
            and self._number_of_memref(other.operands[0]) <= made
            for use in op.results[0].uses
        )

    def _number_of_memref(self, value: SSAValue) -> int:
        """Return the number of the op that makes what a memref is a view of; less than 0
        if it is there before the block."""
        owner = get_view_base(value).owner
        known = None if isinstance(owner, Block) else self.position.get(owner)
        return -1 if known is None else known[0]

    def _number(self, op: Operation) -> int:
        return self.position[op][0]

    def move(self, free: Operation) -> None:
        freed = _freed(free)
        assert freed is not None
        last = self._last_use(freed, free)
        if last is None:
            return
        last, needed = self._find_needed(free, last)
        last = self.moved_after.get(last, last)
        # What was moved after `last` has stayed if `last` itself was moved later.
        place = self.tails.get(last, last)
        number = self._number(place)
        if number >= self._number(free):
            return
        for op in (*needed, free):
            op.detach()
            self.block.insert_op_after(op, place)
            self.moved_after[op] = last
            self.moves += 1
            self.position[op] = (number, self.moves)
            place = op
        self.tails[last] = place
        moved = (op for op in needed if op not in self.for_frees)
        if any(is_use(op) and _has_memrefs(op) for op in moved):
            self.uses = None

    def _find_needed(
        self, free: Operation, last: Operation
    ) -> tuple[Operation, list[Operation]]:
        """Return the op after which `free` can be moved, `last` or one that cannot be
        moved itself, and what must move with it, in order."""
        needed: dict[Operation, None] = {}
        work = [free]
        while work:
            for operand in _operands_inside(work.pop()):
                owner = operand.owner
                if (
                    not isinstance(owner, Operation)
                    or owner.parent is not self.block
                    or owner in needed
                    or self._number(owner) <= self._number(last)
                ):
                    continue
                if _is_movable(owner):
                    needed[owner] = None
                    work.append(owner)
                else:
                    last = owner
        after = [op for op in needed if self._number(op) > self._number(last)]
        return last, sorted(after, key=self.position.__getitem__)

    def _last_use(self, freed: SSAValue, free: Operation) -> Operation | None:
        """Return the last op of the block before which the buffer must not be freed;
        None if that is not known."""
        origin = self.buffers.origins.get_origin(freed)
        if origin.kind > OriginKind.ALLOCATIONS_OR_ARGUMENTS:
            return None
        if self.uses is None:
            self.uses = LastUses(
                self.block, self.buffers, self._number, self.unused.__contains__
            )
        return self.uses.get(freed, self._others(freed, free)).op

    def _others(self, freed: SSAValue, free: Operation) -> frozenset[SSAValue]:
        """Return memrefs of this block that are not the freed buffer if it is freed."""
        others: set[SSAValue] = set()
        conditions = [free.cond] if isinstance(free, scf.IfOp) else []
        base = get_view_base(freed)
        while conditions:
            op = conditions.pop().owner
            if isinstance(op, arith.AndIOp):
                conditions += op.operands
            if not isinstance(op, arith.CmpiOp) or op.predicate.value.data != _NOT_EQUAL:
                continue
            compared = [
                operand.owner.operands[0]
                for operand in op.operands
                if isinstance(operand.owner, memref.ExtractAlignedPointerAsIndexOp)
            ]
            bases = [get_view_base(each) for each in compared]
            if len(bases) == 2 and base in bases and self.pointers.are_kept(compared):
                others.update(bases)
        others.discard(base)
        inside = (
            other
            for other in others
            if isinstance(other.owner, Operation) and other.owner.parent is self.block
        )
        return frozenset((*inside, *self.exchanges.get_others(base, free)))


class _Exchanges:
    """The results of loops of a function that are never in one allocation."""

    def __init__(self, function: func.FuncOp, origins: BufferOrigins):
        self._function = function
        self._dead = DeadBuffers(function, origins)

    @cached_property
    def _frees(self) -> ConditionalFrees:
        frees = [op for op in self._function.walk() if isinstance(op, memref.DeallocOp)]
        return ConditionalFrees(frees, _is_on_heap)

    def get_others(self, freed: SSAValue, free: Operation) -> Sequence[SSAValue]:
        """Return the other results of a loop that are not the freed one if that is freed:
        then it is an allocation, and no argument of the function either."""
        loop = freed.owner
        if not isinstance(loop, scf.ForOp | scf.WhileOp):
            return ()
        results = [each for each in loop.results if is_memref(each) and each is not freed]
        if not 0 < len(results) <= MOST_RESULTS:
            return ()
        deallocation = free
        if isinstance(free, scf.IfOp):
            (deallocation,) = (
                op
                for op in free.true_region.block.ops
                if isinstance(op, memref.DeallocOp)
            )
        if not self._frees.frees_only_expected(deallocation):
            return ()
        allocations = self._dead.allocations_of(freed)
        different = (
            each
            for each in results
            if not self._dead.may_be_same(freed, each, allocations)
        )
        return [*different, *filter(is_memref, self._function.body.blocks[0].args)]


def _is_on_heap(allocation: SSAValue) -> bool:
    return isinstance(allocation.owner, memref.AllocOp)


class _OwnPointers:
    """Whether the memrefs of a function that are in one allocation have equal pointers:
    none was moved since the memrefs come from one value."""

    def __init__(self, origins: BufferOrigins):
        self._origins = origins
        self._arguments = ReachedValues(
            self._get_own_arguments, origins.direct_sources, _join_arguments
        )

    def are_kept(self, values: Sequence[SSAValue]) -> bool:
        return _join_arguments(map(self._arguments.of, values)) is not None

    def _get_own_arguments(self, value: SSAValue) -> frozenset[SSAValue] | None:
        if is_function_argument(value):
            return frozenset((value,))
        if self._origins.direct_sources(value) and not _keeps_pointer(value):
            return None
        return frozenset()


def _join_arguments(
    sets: Iterable[frozenset[SSAValue] | None],
) -> frozenset[SSAValue] | None:
    """Return the arguments of the function that memrefs may be; None if their pointers
    may differ in one allocation."""
    arguments: set[SSAValue] = set()
    for each in sets:
        if each is None:
            return None
        arguments |= each
    # The caller may pass one buffer as several arguments, some with moved pointers.
    return frozenset(arguments) if len(arguments) <= 1 else None


def _keeps_pointer(value: SSAValue) -> bool:
    """Return whether a memref definitely has the same pointer as one of its sources."""
    if not isinstance(value, OpResult):
        return True
    view = VIEW_LIKE.lookup(value.op)
    if view is not None:
        return not view.may_move_pointer(value.op)
    return (
        isinstance(value.op, arith.SelectOp) or REGION_BRANCH.lookup(value.op) is not None
    )


def _has_memrefs(op: Operation) -> bool:
    return any(map(is_memref, (*op.operands, *op.results)))


def _operands_inside(op: Operation) -> Iterator[SSAValue]:
    """Yield the operands of an op and of all ops inside."""
    for inner in op.walk():
        yield from inner.operands
