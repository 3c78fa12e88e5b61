"""The pass copy-removal: copies whose source or target can be reused.

Reuse the source if it is freed after the copy and not used in between:

    %copy = bufferization.clone %a            use(%a)
    memref.dealloc %a                  =>
    use(%copy)

Reuse the target if the source only exists to be copied there:

    %temp = memref.alloc()
    compute(%temp)                            compute(%target)
    memref.copy %temp, %target         =>
    memref.dealloc %temp

A copy is `bufferization.clone`, or `memref.copy` or `linalg.copy` to a new allocation.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    BufferOrigins,
    OriginKind,
)
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program


@dataclass(frozen=True)
class CopyRemovalPass(ModulePass):
    """Remove copies of buffers that are freed immediately afterwards or only exist to
    be copied.

    The copy, the allocation that becomes superfluous and the deallocation must be in
    the same block, and both buffers must have the same type. The pass cleans up after
    buffer-deallocation.
    """

    name = "copy-removal"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_copies(op)


@on_program
def remove_copies(module: Operation) -> None:
    """Remove superfluous copies in all functions of `module`."""
    for function in [op for op in walk(module) if isinstance(op, func.FuncOp)]:
        if function.body.blocks.first is None:
            continue
        copies = [op for op in walk(function) if _is_copy(op)]
        if not copies:
            continue
        removal = _CopyRemoval(BufferOrigins(function))
        for op in copies:
            if op.parent is not None:
                removal.remove(op)


class _CopyRemoval:
    """The removal of copies from one function.

    A removal replaces a buffer by another one with known origins. Values that may alias
    the replaced buffer then alias the other: both are looked up together.
    """

    def __init__(self, origins: BufferOrigins):
        self.origins = origins
        self.replaced: dict[SSAValue, list[SSAValue]] = {}
        self.positions: dict[Block, dict[Operation, int]] = {}
        self.accesses: dict[Block, _Accesses] = {}

    def remove(self, op: Operation) -> None:
        source = op.operands[0]
        if op.name == "bufferization.clone":
            self.reuse_source(op, source, op.results[0], op)
            return
        target = op.operands[1]
        alloc = target.owner
        if isinstance(alloc, Operation) and self.reuse_source(op, source, target, alloc):
            return
        self.reuse_target(op, source, target)

    def reuse_source(
        self, copy: Operation, source: SSAValue, target: SSAValue, alloc: Operation
    ) -> bool:
        dealloc = self.get_deallocation(source, copy)
        if (
            dealloc is None
            or not _is_allocation(alloc)
            or alloc.parent is not copy.parent
            or source.type != target.type
            or self.is_used_between(source, copy, dealloc)
            or (alloc is not copy and self.is_used_between(target, alloc, copy))
        ):
            return False
        dealloc.detach()
        dealloc.erase()
        if alloc is not copy:
            copy.detach()
            copy.erase()
        self.replace(target, source)
        alloc.detach()
        alloc.erase()
        return True

    def reuse_target(self, copy: Operation, source: SSAValue, target: SSAValue) -> bool:
        dealloc = self.get_deallocation(source, copy)
        alloc = source.owner
        if (
            dealloc is None
            or not isinstance(alloc, Operation)
            or alloc.name != "memref.alloc"
            or alloc.parent is not copy.parent
            or source.type != target.type
            or not self.is_defined_before(target, alloc)
            or self.is_used_between(source, copy, dealloc)
            or not self.is_untouched_between(target, alloc, copy)
        ):
            return False
        for op in (dealloc, copy):
            op.detach()
            op.erase()
        self.replace(source, target)
        alloc.detach()
        alloc.erase()
        return True

    def get_deallocation(self, value: SSAValue, copy: Operation) -> Operation | None:
        """The only op that frees `value`, in the block of `copy` and after it."""
        frees = [u.operation for u in value.uses if u.operation.name == "memref.dealloc"]
        if len(frees) != 1 or frees[0].parent is not copy.parent:
            return None
        return frees[0] if self.position(copy) < self.position(frees[0]) else None

    def replace(self, old: SSAValue, new: SSAValue) -> None:
        around: set[Block] = set()
        for alias in self.get_aliases(old):
            for use in alias.uses:
                block = use.operation.parent
                while block is not None and block not in around:
                    around.add(block)
                    block = block.parent_block()
        for block in around:
            if block in self.accesses:
                self.accesses[block].rename(old, new)
        old.replace_all_uses_with(new)
        self.replaced.setdefault(new, []).append(old)

    def get_aliases(self, value: SSAValue) -> set[SSAValue]:
        """All that may stand for `value`, or for what was replaced by it."""
        aliases: set[SSAValue] = set()
        stack = [value]
        while stack:
            found = self.origins.get_dependents(stack.pop()) - aliases
            aliases |= found
            for alias in found:
                stack += self.replaced.get(alias, ())
        return aliases

    def is_used_between(self, value: SSAValue, start: Operation, end: Operation) -> bool:
        """Whether `value`, or what may stand for it, is used after `start`."""
        block = start.parent
        assert block is not None
        first, last = self.position(start), self.position(end)
        for alias in self.get_aliases(value):
            for use in alias.uses:
                top = block.find_ancestor_op_in_block(use.operation)
                if top is not None and first < self.position(top) < last:
                    return True
        return False

    def is_untouched_between(
        self, target: SSAValue, start: Operation, end: Operation
    ) -> bool:
        """Whether nothing from `start` to `end` can reach the target's buffer."""
        block = start.parent
        assert block is not None
        first, last = self.position(start), self.position(end)
        accesses = self.accesses.get(block)
        if accesses is None:
            accesses = _Accesses(block, self.positions[block], self.origins)
            self.accesses[block] = accesses
        return not accesses.may_reach(target, first, last, start.results[0])

    def is_defined_before(self, value: SSAValue, op: Operation) -> bool:
        if isinstance(value, BlockArgument):
            return True
        assert isinstance(value, OpResult)
        if value.op.parent is not op.parent:
            return True
        return self.position(value.op) < self.position(op)

    def position(self, op: Operation) -> int:
        """The initial position of `op` in its block; erased ops leave gaps."""
        block = op.parent
        assert block is not None
        positions = self.positions.get(block)
        if positions is None:
            positions = {other: i for i, other in enumerate(block.ops)}
            self.positions[block] = positions
        return positions[op]


@dataclass(frozen=True)
class _Access:
    """A memref that an op in a block, or inside of it, takes; or a call, without one."""

    position: int
    op: Operation
    value: SSAValue | None


class _Accesses:
    """Which memrefs the ops of a block get at, by where they come from: of a thousand
    temporary buffers that are in use at the same time, only those are looked at that may
    be the one in question."""

    def __init__(
        self, block: Block, positions: Mapping[Operation, int], origins: BufferOrigins
    ):
        self.origins = origins
        self.everything: list[_Access] = []
        self.unknown: list[_Access] = []
        """Calls, and memrefs of which nothing is known."""
        self.arguments: list[_Access] = []
        """Memrefs that may be an argument."""
        self.by_terminal: dict[SSAValue, list[_Access]] = {}
        for op in block.ops:
            position = positions[op]
            for inner in walk(op):
                if CALL.lookup(inner) is not None:
                    self.unknown.append(_Access(position, inner, None))
                for value in inner.operands:
                    if is_memref(value):
                        self._add(_Access(position, inner, value), value)

    def _add(self, access: _Access, value: SSAValue) -> None:
        self.everything.append(access)
        for accesses in self._lists_of(value):
            accesses.append(access)

    def _lists_of(self, value: SSAValue) -> list[list[_Access]]:
        """Where accesses of a value are listed."""
        lists = [
            self.by_terminal.setdefault(terminal, [])
            for terminal in self.origins.get_terminals(value)
        ]
        match self.origins.get_origin(value).kind:
            case OriginKind.ANYTHING:
                lists.append(self.unknown)
            case OriginKind.ALLOCATIONS_OR_ARGUMENTS:
                lists.append(self.arguments)
            case OriginKind.ALLOCATIONS:
                pass
        return lists

    def rename(self, old: SSAValue, new: SSAValue) -> None:
        """Let accesses of an allocation be accesses of what replaces it."""
        for access in self.by_terminal.pop(old, ()):
            for accesses in self._lists_of(new):
                insort(accesses, access, key=lambda a: a.position)

    def may_reach(self, value: SSAValue, first: int, last: int, but: SSAValue) -> bool:
        """Whether an op between two positions may get at the buffer of a value, other
        than under the name `but`."""
        match self.origins.get_origin(value).kind:
            case OriginKind.ANYTHING:
                lists = [self.everything]
            case OriginKind.ALLOCATIONS_OR_ARGUMENTS:
                lists = [self.arguments]
            case OriginKind.ALLOCATIONS:
                lists = []
        lists.append(self.unknown)
        lists += (
            self.by_terminal.get(terminal, [])
            for terminal in self.origins.get_terminals(value)
        )
        for accesses in lists:
            position = bisect_right(accesses, first, key=lambda a: a.position)
            while position < len(accesses) and accesses[position].position < last:
                access = accesses[position]
                if access.op.parent is None:
                    del accesses[position]  # The op was removed.
                elif access.value is not None and access.value is but:
                    position += 1
                else:
                    return True
        return False


def _is_copy(op: Operation) -> bool:
    if op.name == "linalg.copy":
        return not op.results
    return op.name in ("bufferization.clone", "memref.copy")


def _is_allocation(op: Operation) -> bool:
    return op.name in ("memref.alloc", "bufferization.clone")
