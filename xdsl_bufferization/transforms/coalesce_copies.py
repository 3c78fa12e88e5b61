"""The pass coalesce-copies: a buffer that is dead after its copy becomes the copy.

Bufferization never swaps loop-carried buffers. It copies each to a new buffer at the
end of every iteration:

    %b = memref.alloc()
    scf.for ... iter_args(%old = %a, %new = %b) {
      ... reads %old, writes %new ...
      %0 = memref.alloc()
      memref.copy %new, %0
      %1 = memref.alloc()
      memref.copy %old, %1
      scf.yield %0, %1
    }

After its copy, the buffer of %new has no use in this iteration or a later one. It can
therefore be yielded itself, and the loop swaps two buffers. In general: if S is copied
to a new buffer F and is dead afterwards, replace F by S.

All copies are analysed on the original program, and then removed together. This is
correct because each buffer gets at most one successor: S is not dead before its last
copy. Among buffers that share memory in sequence, only one is live at a time.

`DeadBuffers` determines which buffers are dead. Memory that the function has not
allocated, such as its arguments, is never reused. If a value is such memory only on
some paths, like %old above, an inlined comparison of pointers decides:

    %1 = scf.if (%old is not %a) { yield %old } else { allocate, copy, yield }

The same decides if another value, which is used later, is the buffer of S on some paths,
as when a loop keeps the best one of its states:

    %best = scf.if %better { yield %state } else { yield %old_best }
    %0 = memref.alloc()
    memref.copy %state, %0      // only %0 is updated after this

    %1 = scf.if (%best is not %state) { yield %state } else { allocate, copy, yield }

All live buffers have memory of their own at any time, also after copies are removed, so
the pointers of two values are equal if and only if they are one buffer.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import partial, reduce
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.arith import SelectOp
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    MUST,
    BufferOrigins,
    is_function_argument,
)
from xdsl_bufferization.analysis.deallocation.dead_buffers import DeadBuffers
from xdsl_bufferization.analysis.deallocation.function_ownership import (
    FunctionOwnership,
)
from xdsl_bufferization.analysis.deallocation.terminal_groups import TerminalGroups
from xdsl_bufferization.dialects import arith, linalg, memref, scf
from xdsl_bufferization.dialects.booleans import build_and, insert_before
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops
from xdsl_bufferization.interfaces.buffer_deallocation import DeallocationOptions
from xdsl_bufferization.interfaces.view_like import get_view_base
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program

MOST_COMPARISONS = 4
"""More kinds of memory than this are not compared at run time."""
MOST_OPS = 16
"""How many ops may be between a copy and the arith.select that it moves to."""


@dataclass(frozen=True)
class CoalesceCopiesPass(ModulePass):
    """Replace the copy of a buffer by the buffer itself if it is dead after the copy,
    also around loops.

        %a = memref.alloc() : memref<16xf64>
        memref.store %x, %a[%i] : memref<16xf64>
        %b = memref.alloc() : memref<16xf64>
        memref.copy %a, %b : memref<16xf64> to memref<16xf64>
        memref.store %x, %b[%j] : memref<16xf64>

    becomes

        %b = memref.alloc() : memref<16xf64>
        memref.store %x, %b[%i] : memref<16xf64>
        memref.store %x, %b[%j] : memref<16xf64>

    The pass also removes copies of buffers that a loop swaps or rotates, if they are
    allocations that are not used after the loop. If a buffer is an argument of the
    function in the first iterations and an allocation in the others, it is compared
    with the argument at run time, and copied if the two are equal. The same holds for
    another value that is used later and may be the same buffer, such as the best one of
    the states of a loop: the copy is made only if it is. A copy that only an
    arith.select uses is made only if it is selected.

    The copy must be a memref.copy or linalg.copy of a complete buffer, which may be
    reshaped, to an allocation of its own. Run the pass after bufferization and before
    deallocation: a memref.dealloc extends the live range of its buffer.
    """

    name = "coalesce-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        coalesce_copies(op)


@on_program
def coalesce_copies(module: ModuleOp) -> None:
    """Remove copies of dead buffers from all functions of `module`."""
    options = DeallocationOptions(static_ownership=True)
    describe_call = FunctionOwnership(module, options).describe_call
    for function in list_functions(module):
        ops = list_ops(function)
        copies = [copy for op in ops if (copy := _to_new_buffer(op)) is not None]
        if not copies:
            continue
        moved = False
        for copy in copies:
            with built_for(copy.op):
                moved |= _copy_if_selected(copy)
        if moved:
            ops = list_ops(function)
        whole = BufferOrigins(function, ops, describe_call, whole=True, reshaped=True)
        judge = _Judge(
            whole,
            TerminalGroups(whole, _kind_of),
            DeadBuffers(function, BufferOrigins(function, ops, describe_call)),
        )
        judged = [(copy, judge.judge(copy)) for copy in copies]
        coalesced: set[SSAValue] = set()
        for copy, others in judged:
            # What is compared must still be there.
            if others is not None and coalesced.isdisjoint(others):
                coalesced.add(copy.target)
                with built_for(copy.op):
                    _coalesce(copy, others)


@dataclass(frozen=True)
class _Copy:
    """A copy of a buffer to an allocation that nothing uses before."""

    op: Operation
    allocation: memref.AllocOp

    @property
    def source(self) -> SSAValue:
        return self.op.operands[0]

    @property
    def target(self) -> OpResult:
        return self.allocation.results[0]


def _to_new_buffer(op: Operation) -> _Copy | None:
    if not isinstance(op, memref.CopyOp | linalg.CopyOp) or op.results:
        return None
    source, target = op.operands
    allocation = target.owner
    if (
        not isinstance(allocation, memref.AllocOp)
        or allocation.parent is not op.parent
        or not memref.cast_compatible(source.type, target.type)
    ):
        return None
    return _Copy(op, allocation)


def _copy_if_selected(copy: _Copy) -> bool:
    """Make a copy only if it is selected, if only an arith.select uses it."""
    moved: list[Operation] = [copy.allocation, copy.op]
    user = _only_user(copy.target, copy.op)
    while isinstance(user, memref.CastOp):
        moved.append(user)
        user = _only_user(user.results[0])
    copied = moved[-1].results[0] if len(moved) > 2 else copy.target
    # xDSL's class, of which ours is a subclass: xDSL's own passes build the former.
    if not isinstance(user, SelectOp) or not _is_soon_after(user, copy.op):
        return False
    branch = scf.IfOp(
        user.cond,
        [copied.type],
        [scf.YieldOp(user.lhs)],
        [scf.YieldOp(user.rhs)],
    )
    Rewriter.insert_op(branch, InsertPoint.before(user))
    region = branch.true_region if user.lhs is copied else branch.false_region
    end = region.block.last_op
    assert end is not None
    for op in moved:
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(end))
    user.results[0].replace_all_uses_with(branch.results[0])
    Rewriter.erase_op(user)
    return True


def _only_user(value: SSAValue, besides: Operation | None = None) -> Operation | None:
    """The only op that uses a value, once, besides another one."""
    users = [use.operation for use in value.uses if use.operation is not besides]
    return users[0] if len(users) == 1 else None


def _is_soon_after(op: Operation, copy: Operation) -> bool:
    """Whether only few ops, which write nothing, are between a copy and another op."""
    between = copy.next_op
    for _ in range(MOST_OPS):
        if between is None or between is op:
            return between is op
        if not isinstance(between, memref.AllocOp) and not is_side_effect_free(between):
            return False
        between = between.next_op
    return False


_Kind: TypeAlias = "tuple[Attribute, Attribute, Attribute | None]"
"""The memory space and layout of an allocation, and its alignment."""


class _Other(Enum):
    """What is no allocation on the heap."""

    ARGUMENT = auto()
    KNOWN = auto()
    """Other memory of which pointers tell whether it is that of a value."""
    UNKNOWN = auto()


def _kind_of(terminal: SSAValue) -> _Kind | _Other:
    """What terminals have in common that a copy treats alike."""
    if is_function_argument(terminal):
        return _Other.ARGUMENT
    if isinstance(terminal.owner, memref.AllocOp):
        return _kind_of_new(terminal.owner)
    return (
        _Other.KNOWN if isinstance(terminal.owner, memref.GetGlobalOp) else _Other.UNKNOWN
    )


def _kind_of_new(allocation: memref.AllocOp) -> _Kind:
    """What an allocation has in common with another one of the same size that can replace
    it."""
    type_ = allocation.results[0].type
    assert isinstance(type_, MemRefType)
    return type_.memory_space, type_.layout, allocation.alignment


@dataclass(frozen=True)
class _Judge:
    """Decides which copies are needed.

    Attributes:
        whole: where memrefs come from that are all of a buffer.
        terminals: the terminals of these, by kind.
        dead: when a buffer is dead.
    """

    whole: BufferOrigins
    terminals: TerminalGroups[_Kind | _Other]
    dead: DeadBuffers

    def judge(self, copy: _Copy) -> list[SSAValue] | None:
        """What the source must not be when the program runs, if it is dead after the copy
        and may become the target: arguments of the function, and values that are used
        later. None if it may not."""
        source, terminals = copy.source, self.terminals
        replaced = terminals.of(source, _kind_of_new(copy.allocation))
        arguments = terminals.of(source, _Other.ARGUMENT)
        if (
            not replaced
            or terminals.all_of(source) != replaced | arguments
            or arguments.bit_count() > MOST_COMPARISONS
            or not self.dead.is_first_user(copy.op, copy.target)
        ):
            return None
        others = terminals.values_of(arguments)
        used = self.dead.find_used_names(
            copy.op,
            source,
            copy.target,
            self.dead.allocations_of(source),
            MOST_COMPARISONS - len(others),
        )
        if used is None or not all(self._may_differ(source, name) for name in used):
            return None
        others += used
        return None if others and _is_compared(copy) else others

    def _may_differ(self, source: SSAValue, name: SSAValue) -> bool:
        """Whether pointers tell if two values are in one allocation, and they may not
        be."""
        return self.whole.same_allocation(
            source, name
        ) is not MUST and not self.terminals.of(name, _Other.UNKNOWN)


def _is_compared(copy: _Copy) -> bool:
    """Whether a copy is one that the pass made conditional: it is executed only where its
    source does not become the target."""
    block = copy.op.parent
    assert block is not None
    branch = block.parent_op()
    if not isinstance(branch, scf.IfOp) or block.parent is not branch.false_region:
        return False
    end = branch.true_region.block.last_op
    assert end is not None
    return any(
        get_view_base(value) is get_view_base(copy.source) for value in end.operands
    )


def _coalesce(copy: _Copy, others: list[SSAValue]) -> None:
    """Replace a copy by its source, unless that is one of `others` at run time."""
    at = InsertPoint.before(copy.op)
    type_ = copy.target.type
    reused: list[Operation] = []
    target = copy.source
    if target.type != type_:
        cast = memref.CastOp.build(operands=[target], result_types=[type_])
        reused.append(cast)
        target = cast.results[0]
    block = copy.op.parent
    assert block is not None
    if not others:
        copy.target.replace_all_uses_with(target)
        Rewriter.insert_op(reused, at)
        block.erase_op(copy.op)
        block.erase_op(copy.allocation)
        return
    is_own = _compare_pointers(copy, others)
    reused.append(scf.YieldOp(target))
    otherwise = Block()
    branch = scf.IfOp(is_own, [type_], reused, Region(otherwise))
    Rewriter.insert_op(branch, at)
    source = copy.source
    copy.target.replace_all_uses_with(branch.results[0])
    copy.op.operands = (source, copy.target)
    copy.allocation.detach()
    copy.op.detach()
    otherwise.add_ops([copy.allocation, copy.op, scf.YieldOp(copy.target)])


def _compare_pointers(copy: _Copy, others: list[SSAValue]) -> SSAValue:
    """Return whether the source of a copy is none of `others`, compared before it."""
    place = copy.op
    pointer = insert_before(place, memref.ExtractAlignedPointerAsIndexOp(copy.source))
    different: list[SSAValue] = []
    for other in others:
        its_pointer = insert_before(place, memref.ExtractAlignedPointerAsIndexOp(other))
        comparison = arith.CmpiOp(pointer, its_pointer, "ne")
        different.append(insert_before(place, comparison))
    return reduce(partial(build_and, place), different)
