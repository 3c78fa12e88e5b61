"""The dependences between ops on buffers in a block, and the buffers that they use.

An op that accesses memory, or that uses a value which such an op computes, is a *task*.
A task stays after the earlier tasks that it must not be reordered with:

- tasks that compute a value that it uses;
- for accesses to memory that may be the same, tasks that write if it reads, and all
  such tasks if it writes;
- for an op with unknown accesses, all accesses.

`BufferOrigins` decides which memory may be the same: two allocations are distinct, and
all memory that the function has not allocated counts as one buffer. All other ops,
views, sizes and allocations, are placed before the first task that needs them, and the
deallocation of an allocation of the function after the last task that uses it. The
deallocation of an argument is a task, because the aliases of the argument are unknown.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import (
    IsTerminator,
    MemoryEffect,
    MemoryEffectKind,
    RecursiveMemoryEffect,
    get_effects,
    only_has_effect,
)

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    BufferOrigins,
    OriginKind,
)
from xdsl_bufferization.analysis.facts.functions import FunctionTable, with_callers
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memory_layout import static_bytes
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.buffer_view_flow import BUFFER_VIEW_FLOW
from xdsl_bufferization.interfaces.memory_effects import is_allocated, is_memref
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE, only_renames
from xdsl_bufferization.planner.task_order import Task, Tasks
from xdsl_bufferization.transforms.utils.moving_program import values_from_outside


def find_opaque_functions(module: ModuleOp, functions: FunctionTable) -> set[FuncOp]:
    """Return the functions that may access other memory than their arguments,
    constants, and their own allocations."""
    variable = {
        op.sym_name.data
        for op in walk(module)
        if isinstance(op, memref.GlobalOp) and op.constant is None
    }
    opaque: set[FuncOp] = set()
    callers: dict[FuncOp, set[FuncOp]] = {}
    for function in functions.functions:
        if function.body.blocks.first is None:
            opaque.add(function)
        for op in walk(function):
            callee = functions.callee(op)
            if callee is not None:
                callers.setdefault(callee, set()).add(function)
            elif op is not function and (
                _finds_memory(op, variable)
                or not (_is_inert(op) or _accesses(op) is not None)
            ):
                opaque.add(function)
    return with_callers(opaque, callers)


def _finds_memory(op: Operation, variable: set[str]) -> bool:
    """Whether an op may return memory that no operand of it, or of the function, is."""
    if isinstance(op, memref.GetGlobalOp):
        return op.name_.string_value() in variable
    return (
        any(is_memref(result) and not is_allocated(result) for result in op.results)
        and VIEW_LIKE.lookup(op) is None
        and BUFFER_VIEW_FLOW.lookup(op) is None
        and REGION_BRANCH.lookup(op) is None
    )


def _is_inert(op: Operation) -> bool:
    """Return whether an op has no effects besides those of the ops in its regions."""
    if any(
        isinstance(trait, MemoryEffect) and not isinstance(trait, RecursiveMemoryEffect)
        for trait in op.traits.traits
    ):
        return False
    return op.has_trait(IsTerminator, value_if_unregistered=False) or op.has_trait(
        RecursiveMemoryEffect, value_if_unregistered=False
    )


def _accesses(op: Operation) -> list[tuple[SSAValue, bool]] | None:
    """Return the buffers that an op accesses itself, each with whether it may write or
    free it; None if that is not known."""
    effects = get_effects(op)
    if effects is None:
        return None
    found: list[tuple[SSAValue, bool]] = []
    for effect in effects:
        if effect.kind is MemoryEffectKind.ALLOC:
            continue
        if not isinstance(effect.value, SSAValue):
            return None
        found.append((effect.value, effect.kind is not MemoryEffectKind.READ))
    return found


def _can_be_anywhere(op: Operation) -> bool:
    """Whether an op is no task: it computes values, a view, or allocates."""
    if op.regions or op.has_trait(IsTerminator, value_if_unregistered=False):
        return False
    return only_renames(op) or only_has_effect(op, MemoryEffectKind.ALLOC)


@dataclass
class _Access:
    """What a task accesses: memory by the allocation, or None for what the function has
    not allocated; with whether it may write it."""

    is_known: bool = True
    memory: dict[SSAValue | None, bool] = field(
        default_factory=dict[SSAValue | None, bool]
    )

    def add(self, memory: SSAValue | None, writes: bool) -> None:
        self.memory[memory] = writes or self.memory.get(memory, False)


class _Free(NamedTuple):
    """A deallocation that follows the tasks which use what it frees, or say what it is.

    Attributes:
        memory: what it may free.
        defined_by: the tasks that compute which of it, or a view of it.
    """

    memory: Collection[SSAValue]
    defined_by: set[int]


class BlockTasks:
    """The ops of a block as tasks.

    Args:
        block: a block of a function.
        origins: those of all memrefs of the function.
        functions: what calls refer to.
        opaque: what `find_opaque_functions` has found.
    """

    def __init__(
        self,
        block: Block,
        origins: BufferOrigins,
        functions: FunctionTable,
        opaque: set[FuncOp],
    ):
        self._block = block
        self._origins = origins
        self._functions = functions
        self._opaque = opaque
        self._buffers: dict[SSAValue, int] = {}
        self._ops: list[Operation] = []
        self._used: list[Collection[SSAValue]] = []
        """The op of each task, and the memory that it uses."""
        self._frees: dict[Operation, _Free] = {}
        """The deallocations that are no tasks."""
        order = _Order()
        tasks: list[Task] = []
        sizes: list[int] = []
        numbers: dict[Operation | Block, int] = {}
        for op in block.ops:
            if op is block.last_op:
                break
            defined_by = {
                number
                for value in values_from_outside(op)
                if (number := numbers.get(value.owner)) is not None
            }
            can_be_anywhere = _can_be_anywhere(op)
            if can_be_anywhere and not defined_by:
                if isinstance(op, memref.AllocOp):
                    self._buffers[op.memref] = len(sizes)
                    sizes.append(static_bytes(op.memref.type) or 0)
                continue
            access, used = _Access(), dict[SSAValue, None]()
            if not can_be_anywhere:
                access, used = self._access_of(op), self._memory_of(op)
            if isinstance(op, memref.DeallocOp) and order.is_known_since(access):
                self._frees[op] = _Free(used, defined_by)
                continue
            after = defined_by | order.add(len(tasks), access)
            buffers = sorted(self._buffers[m] for m in used if m in self._buffers)
            numbers[op] = len(tasks)
            tasks.append(Task(tuple(buffers), tuple(sorted(after)), _bytes_inside(op)))
            self._ops.append(op)
            self._used.append(used)
        assert block.last_op is not None
        live_after = self._memory_of(block.last_op)
        self.tasks = Tasks(
            tasks,
            sizes,
            live_after=frozenset(
                self._buffers[memory] for memory in live_after if memory in self._buffers
            ),
        )

    def _memory_of(self, op: Operation) -> dict[SSAValue, None]:
        """Return all memory that an op has as an operand, in its regions too."""
        return {
            memory: None
            for value in values_from_outside(op)
            if is_memref(value)
            for memory in self._origins.get_terminals(value)
        }

    def _access_of(self, op: Operation) -> _Access:
        """Return the accesses of an op, including those in its regions."""
        access = _Access()
        for inner in walk(op):
            if _is_inert(inner):
                continue
            accesses = self._accesses_of_call(inner)
            if accesses is None:
                accesses = _accesses(inner)
            if accesses is None:
                access.is_known = False
                continue
            for value, writes in accesses:
                self._add(access, value, writes)
        return access

    def _accesses_of_call(self, op: Operation) -> list[tuple[SSAValue, bool]] | None:
        callee = self._functions.callee(op)
        if callee is None or callee in self._opaque:
            return None
        return [(value, True) for value in op.operands if is_memref(value)]

    def _add(self, access: _Access, value: SSAValue, writes: bool) -> None:
        for memory in self._origins.get_terminals(value):
            kind = self._origins.get_origin(memory).kind
            if kind is OriginKind.ALLOCATIONS:
                access.add(memory, writes)
            elif kind is OriginKind.ALLOCATIONS_OR_ARGUMENTS or isinstance(
                memory.owner, memref.GetGlobalOp
            ):
                access.add(None, writes)
            else:
                access.is_known = False

    def place(self, order: Sequence[int]) -> None:
        """Bring the ops of the block into an order of its tasks."""
        ops = [*self._block.ops]
        users: dict[SSAValue, int] = {}
        for memory in (memory for used in self._used for memory in used):
            users[memory] = users.get(memory, 0) + 1
        waiting: dict[Operation, int] = {}
        frees: dict[SSAValue | int, list[Operation]] = {}
        for op, free in self._frees.items():
            awaited = [m for m in free.memory if m in users] + [*free.defined_by]
            waiting[op] = len(awaited)
            for each in awaited:
                frees.setdefault(each, []).append(op)
        for op in ops:
            op.detach()
        placed = _Placed(self._block)
        for number in order:
            placed.add(self._ops[number])
            ended: list[SSAValue | int] = [number]
            for memory in self._used[number]:
                users[memory] -= 1
                if not users[memory]:
                    ended.append(memory)
            for op in (op for each in ended for op in frees.get(each, ())):
                waiting[op] -= 1
                if not waiting[op]:
                    placed.add(op)
        for op in ops:
            placed.add(op)


@dataclass
class _Order:
    """Which tasks a task must come after, as they are added in order."""

    writer: dict[SSAValue | None, int] = field(default_factory=dict[SSAValue | None, int])
    readers: dict[SSAValue | None, list[int]] = field(
        default_factory=dict[SSAValue | None, list[int]]
    )
    barrier: int = -1
    since: list[int] = field(default_factory=list[int])
    """The tasks since the last one of which it is not known what it accesses."""

    def is_known_since(self, access: _Access) -> bool:
        """Whether all of some memory was allocated by the function, a task has accessed
        each of it, and none was added since of which it is not known what it accesses."""
        return access.is_known and all(
            memory is not None and (memory in self.writer or memory in self.readers)
            for memory in access.memory
        )

    def add(self, number: int, access: _Access) -> set[int]:
        """Return what task `number` comes after."""
        after = {self.barrier} if self.barrier >= 0 else set[int]()
        if not access.is_known:
            after.update(self.since)
            self.barrier, self.since = number, []
            self.writer.clear()
            self.readers.clear()
            return after
        self.since.append(number)
        for memory, writes in access.memory.items():
            if memory in self.writer:
                after.add(self.writer[memory])
            if writes:
                after.update(self.readers.pop(memory, ()))
                self.writer[memory] = number
            else:
                self.readers.setdefault(memory, []).append(number)
        return after


@dataclass
class _Placed:
    """The ops that have their new position in a block, each after its dependences."""

    block: Block
    ops: set[Operation] = field(default_factory=set[Operation])

    def add(self, op: Operation) -> None:
        """Place an op after its dependences, unless it is already placed."""
        work = [(op, False)]
        while work:
            each, is_ready = work.pop()
            if each in self.ops:
                continue
            if is_ready:
                self.ops.add(each)
                self.block.add_op(each)
                continue
            work.append((each, True))
            needed = dict.fromkeys(
                value.owner
                for value in values_from_outside(each)
                if isinstance(value.owner, Operation) and value.owner.parent is None
            )
            work += [(owner, False) for owner in reversed(needed)]


def _bytes_inside(op: Operation) -> int:
    """Return the bytes that an op allocates in its regions, as if all were live at the
    same time."""
    return sum(
        static_bytes(inner.memref.type) or 0
        for inner in (walk(op) if op.regions else ())
        if isinstance(inner, memref.AllocOp)
    )
