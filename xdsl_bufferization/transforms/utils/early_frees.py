"""Moving deallocations of any buffer, conditional ones too, up to its last use.

    %r = scf.for ... iter_args(%a = %x, %owned = %false) {
      %b = call @next(%a)                      %b = call @next(%a)
      call @look(%b)                           scf.if %owned {
      scf.if %owned {                            memref.dealloc %a
        memref.dealloc %a            ->        }
      }                                        call @look(%b)
      scf.yield %b, %true                      scf.yield %b, %true
    }

The freed buffer may have other aliases in the block. It existed before the block ran,
or the block created it; the values that it is forwarded to are found from there, but
never through a back edge to the block, after which a buffer of the same allocation is a
different one. A buffer is freed once, so other deallocations are not uses of it. If the
condition requires its pointer to differ from that of another memref, uses of the other
memref are not uses of it either:

    %q = scf.if %c { scf.yield %new } else { scf.yield %p }
    scf.if %p is not %q { memref.dealloc %p }     // right here, though %q is yielded

This holds for pointers that no view has moved, not even in a branch or a callee.

The ops that compute the condition and the freed memref move as far as necessary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, scf
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator, is_side_effect_free

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    BufferOrigins,
    OriginKind,
    is_function_argument,
)
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.memory_effects import get_allocations_and_frees
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE, get_view_base

_DESCRIPTOR_ONLY = frozenset(
    ("memref.dim", "memref.rank", "memref.extract_aligned_pointer_as_index")
)
"""Ops that look at a memref, not at what is in it."""
_NOT_EQUAL = arith.CMPI_COMPARISON_OPERATIONS.index("ne")


def free_early(block: Block, origins: BufferOrigins) -> None:
    """Move the deallocations of a block up. They stay in their order where they free
    after the same op."""
    frees = [op for op in block.ops if _freed(op) is not None]
    if frees:
        mover = _Mover(block, origins)
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
    origins: BufferOrigins
    position: dict[Operation, tuple[int, int]] = field(init=False)
    """The number that an op had at first, or that of the op which it was moved after; and
    its number among the moved ops."""
    moved_after: dict[Operation, Operation] = field(
        default_factory=dict[Operation, Operation]
    )
    moves: int = 0
    tails: dict[Operation, Operation] = field(default_factory=dict[Operation, Operation])
    """For an op after which something was moved, the last op that was."""

    def __post_init__(self) -> None:
        self.position = {op: (number, 0) for number, op in enumerate(self.block.ops)}

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
        if self._number(last) >= self._number(free):
            return
        place = self.tails.get(last, last)
        for op in (*needed, free):
            op.detach()
            self.block.insert_op_after(op, place)
            self.moved_after[op] = last
            self.moves += 1
            self.position[op] = (self._number(last), self.moves)
            place = op
        self.tails[last] = place

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
        if self.origins.get_origin(freed).kind > OriginKind.ALLOCATIONS_OR_ARGUMENTS:
            return None
        names = self._names(freed, self._others(freed, free))
        last: Operation | None = None
        for name in names:
            owner = name.owner
            uses = [use.operation for use in name.uses]
            if isinstance(owner, Operation) and VIEW_LIKE.lookup(owner) is None:
                uses.append(owner)
            for user in uses:
                if isinstance(user, memref.StoreOp) and user.operands[0] is name:
                    return None
                if user.name in _DESCRIPTOR_ONLY or VIEW_LIKE.lookup(user) is not None:
                    continue
                top = self.block.find_ancestor_op_in_block(user)
                if top is None or top is free or _freed(top) is not None:
                    continue
                if top.has_trait(IsTerminator, value_if_unregistered=False):
                    return None
                if get_allocations_and_frees(user) is None and not user.regions:
                    return None
                if last is None or self._number(top) > self._number(last):
                    last = top
        return last

    def _others(self, freed: SSAValue, free: Operation) -> set[SSAValue]:
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
            if len(bases) == 2 and base in bases and self._have_own_pointers(compared):
                others.update(bases)
        others.discard(base)
        return {
            other
            for other in others
            if isinstance(other.owner, Operation) and other.owner.parent is self.block
        }

    def _have_own_pointers(self, values: Sequence[SSAValue]) -> bool:
        """Whether those of some memrefs that are in one allocation have equal pointers:
        none was moved since the memrefs come from one value."""
        seen = set(values)
        work = [*values]
        arguments: set[SSAValue] = set()
        while work:
            value = work.pop()
            sources = self.origins.direct_sources(value)
            if is_function_argument(value):
                arguments.add(value)
            elif sources and not _keeps_pointer(value):
                return False
            work += [source for source in sources if source not in seen]
            seen.update(sources)
        # The caller may pass one buffer as several arguments, some with moved pointers.
        return len(arguments) <= 1

    def _names(self, freed: SSAValue, others: set[SSAValue]) -> set[SSAValue]:
        """Return the memrefs that may be the freed buffer while the block runs."""
        origins = self.origins
        before: set[SSAValue] = set()
        made: set[SSAValue] = set()
        seen = {freed}
        work = [freed]
        while work:
            value = work.pop()
            if self._is_there_before(value):
                before.add(value)
                continue
            sources = origins.direct_sources(value)
            if not sources:
                made.add(value)
            for source in sources:
                if source not in seen:
                    seen.add(source)
                    work.append(source)
        names = {*made, *seen}
        for value in self._same_before(before):
            if self._is_there_before(value):
                names.add(value)
        work = [*names]
        while work:
            for dependent in origins.direct_dependents(work.pop()):
                if (
                    dependent not in names
                    and dependent not in others
                    and not self._is_argument(dependent)
                ):
                    names.add(dependent)
                    work.append(dependent)
        return names

    def _same_before(self, values: set[SSAValue]) -> set[SSAValue]:
        """Return the memrefs that may be one of those that were there before the block,
        among others."""
        terminals: set[SSAValue] = set()
        for value in values:
            terminals.update(self.origins.get_terminals(value))
        arguments = [each for each in terminals if is_function_argument(each)]
        for argument in arguments:
            # The caller may pass one buffer as several arguments.
            assert isinstance(argument, BlockArgument)
            terminals.update(argument.block.args)
        found = set(terminals)
        work = [*terminals]
        while work:
            for dependent in self.origins.direct_dependents(work.pop()):
                if dependent not in found:
                    found.add(dependent)
                    work.append(dependent)
        return found

    def _is_argument(self, value: SSAValue) -> bool:
        return isinstance(value, BlockArgument) and value.block is self.block

    def _is_there_before(self, value: SSAValue) -> bool:
        """Whether a memref is defined before the block runs."""
        owner = value.owner
        if isinstance(owner, Block):
            block = owner
            if block is self.block:
                return True
        elif owner.parent is None:
            return True
        else:
            block = owner.parent
        return not _contains(self.block, block)


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


def _contains(outer: Block, inner: Block) -> bool:
    block: Block | None = inner
    while block is not None:
        if block is outer:
            return True
        block = block.parent_block()
    return False


def _operands_inside(op: Operation) -> Iterator[SSAValue]:
    """Yield the operands of an op and of all ops inside."""
    for inner in op.walk():
        yield from inner.operands
