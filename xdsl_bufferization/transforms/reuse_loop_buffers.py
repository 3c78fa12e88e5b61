"""The pass reuse-loop-buffers: an iteration's allocation reuses a buffer that dies.

A loop that computes a new tensor in each iteration allocates a buffer for it, and the
buffer of the previous iteration dies:

    scf.for ... iter_args(%old = %a) {
      %new = memref.alloc()
      ... reads %old, writes %new ...
      scf.yield %new
    }

The next iteration can reuse the buffer that has died. The loop therefore carries it as
its *spare*, and alternates between two buffers:

    %b = memref.alloc()
    scf.for ... iter_args(%old = %a, %spare = %b) {
      ... reads %old, writes %spare ...
      scf.yield %spare, %old
    }

The buffer that dies may also be older, like %q if the loop yields %new and %p. This is
correct if the buffer that dies is dead at the end of each iteration (`DeadBuffers`), is
as large as the new one, and no two spares are the same buffer. If that holds only for
allocations of the loop, for example because %a is a function argument, the loop starts
with two spares, if it has two iterations at least, and exchanges them. Otherwise the
first iterations allocate: the loop also carries a flag for whether it has a spare.

In scf.while, the first region forwards both to the second, which allocates. The
condition of the first iteration is also computed before the loop (`first_iteration`),
if that is cheap.

No execution allocates more, since there are at most as many buffers as there were
iterations. The peak of memory in use does not rise either: both buffers are live at the
end of an iteration anyway. Only temporary memory of a call or an op with regions may be
freed by then (`TemporaryMemory`); an allocation after such an op stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.deallocation.dead_buffers import DeadBuffers
from xdsl_bufferization.analysis.deallocation.function_ownership import (
    FunctionOwnership,
)
from xdsl_bufferization.analysis.deallocation.temporary_memory import TemporaryMemory
from xdsl_bufferization.analysis.deallocation.terminal_groups import TerminalGroups
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.dialects.booleans import build_constant, insert_before
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops
from xdsl_bufferization.interfaces.buffer_deallocation import DeallocationOptions
from xdsl_bufferization.interfaces.loop_like import static_trip_count, surely_runs
from xdsl_bufferization.interfaces.view_like import get_view_base
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.equal_allocations import (
    AllocationKind,
    is_inside,
    kind_of,
)
from xdsl_bufferization.transforms.utils.first_iteration import (
    ask_whether_runs,
    is_scalar_condition,
)
from xdsl_bufferization.transforms.utils.spare_buffers import (
    LOOPS,
    Loop,
    add_inits,
    allocate_without_spare,
    cast_before,
)

MOST_CARRIED = 16
"""In a loop that carries more values, only the buffer of the iteration before may die."""


@dataclass(frozen=True)
class ReuseLoopBuffersPass(ModulePass):
    """Let a loop alternate between two buffers if each iteration allocates a buffer and
    the previous iteration's buffer dies.

        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c9 = arith.constant 9 : index
        %a = memref.alloc() : memref<8xf64>
        linalg.fill ins(%x : f64) outs(%a : memref<8xf64>)
        %r = scf.for %i = %c0 to %c9 step %c1 iter_args(%old = %a) -> (memref<8xf64>) {
          %new = memref.alloc() : memref<8xf64>
          linalg.exp ins(%old : memref<8xf64>) outs(%new : memref<8xf64>)
          scf.yield %new : memref<8xf64>
        }

    becomes

        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c9 = arith.constant 9 : index
        %a = memref.alloc() : memref<8xf64>
        linalg.fill ins(%x : f64) outs(%a : memref<8xf64>)
        %b = memref.alloc() : memref<8xf64>
        %r, %s = scf.for %i = %c0 to %c9 step %c1 iter_args(%old = %a, %spare = %b)
            -> (memref<8xf64>, memref<8xf64>) {
          linalg.exp ins(%old : memref<8xf64>) outs(%spare : memref<8xf64>)
          scf.yield %spare, %old : memref<8xf64>, memref<8xf64>
        }

    If the loop may have no iterations, the second buffer is allocated only if there is
    an iteration. If the first iteration starts with a buffer that must not be
    overwritten, such as a function argument, both buffers are allocated before a loop of
    two iterations or more; if it may have fewer, the first two iterations allocate.

    The loop must be an scf.for or scf.while, the allocation must be in its body (the
    second region of scf.while), and its sizes must be defined outside of the loop. An
    scf.while must start with buffers that may be overwritten, its first region must
    forward the buffer that dies, and its condition may take at most 16 ops that compute
    or load scalars. Run the pass after bufferization and before deallocation: a
    memref.dealloc extends the live range of its buffer.

    Options:
        allocate-in-loops: let the first iterations allocate where that is needed (true).
            With false, such a loop stays as it is: plan-memory{arena=argument} finds two
            places for its buffer.
    """

    name = "reuse-loop-buffers"

    allocate_in_loops: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        reuse_loop_buffers(op, self.allocate_in_loops)


@on_program
def reuse_loop_buffers(module: ModuleOp, allocate_in_loops: bool = True) -> None:
    """Let the loops in all functions of `module` alternate between two buffers."""
    options = DeallocationOptions(static_ownership=True)
    describe_call = FunctionOwnership(module, options).describe_call
    memory: TemporaryMemory | None = None
    for function in list_functions(module):
        ops = list_ops(function)
        found = [f for op in ops if isinstance(op, LOOPS) for f in _find_fresh(op)]
        if not found:
            continue
        if memory is None:
            memory = TemporaryMemory(FunctionTable(module))
        judge = _Judge(
            TerminalGroups(
                BufferOrigins(function, ops, describe_call, whole=True),
                lambda terminal: kind_of(terminal.owner),
            ),
            DeadBuffers(function, BufferOrigins(function, ops, describe_call)),
            memory.find_users(ops),
            {op: position for position, op in enumerate(ops)},
            allocate_in_loops,
        )
        turns: dict[Loop, list[_Turn]] = {}
        for fresh in found:
            its_turns = turns.setdefault(fresh.loop, [])
            turn = judge.judge(fresh, its_turns)
            if turn is None and len(_inits(fresh.loop)) <= MOST_CARRIED:
                others = (judge.judge(o, its_turns) for o in fresh.with_others())
                turn = next((turn for turn in others if turn is not None), None)
            if turn is not None:
                its_turns.append(turn)
        for loop, its_turns in turns.items():
            if its_turns:
                with built_for(loop):
                    _take_turns(loop, its_turns)


@dataclass(frozen=True)
class _Fresh:
    """A buffer that each iteration of a loop allocates and yields.

    Attributes:
        number: its position among the values that the loop carries.
        dying: the position of a buffer that may die in the meantime, at first that of the
            iteration before.
    """

    loop: Loop
    number: int
    allocation: memref.AllocOp
    dying: int

    @property
    def old(self) -> SSAValue:
        """The buffer that may die."""
        old = _carried_in_body(self.loop, self.dying)
        assert old is not None
        return old

    @property
    def init(self) -> SSAValue:
        """What the loop starts with in the place of the buffer that may die."""
        return _inits(self.loop)[self.dying]

    def with_others(self) -> Iterator[_Fresh]:
        """The same with each other buffer that may die."""
        for number, value in enumerate(_inits(self.loop)):
            if _carried_in_body(self.loop, number) is None:
                continue
            if number != self.dying and isinstance(value.type, MemRefType):
                yield replace(self, dying=number)


@dataclass(frozen=True)
class _Turn:
    """A buffer that alternates with the one that dies.

    Attributes:
        allocations: what the dead buffer may be (`DeadBuffers.allocations_of`).
        from_start: whether what the loop starts with can be overwritten as well.
    """

    fresh: _Fresh
    allocations: int
    from_start: bool


def _body(loop: Loop) -> Block:
    """Return the block whose terminator yields to the next iteration."""
    if isinstance(loop, scf.ForOp):
        return loop.body.block
    return loop.after_region.block


def _inits(loop: Loop) -> Sequence[SSAValue]:
    return loop.iter_args if isinstance(loop, scf.ForOp) else loop.operands


def _carried_in_body(loop: Loop, number: int) -> SSAValue | None:
    """Return the argument of the body for an iter_arg, if the first region of scf.while
    forwards it."""
    if isinstance(loop, scf.ForOp):
        return loop.body.block.args[number + 1]
    before = loop.before_region.block
    condition = before.last_op
    assert isinstance(condition, scf.ConditionOp)
    for sent, argument in zip(condition.args, loop.after_region.block.args, strict=True):
        if _without_casts(sent) is before.args[number]:
            return argument
    return None


def _is_used_later(loop: Loop, number: int) -> bool:
    """Whether the next iteration, or an op after the loop, uses what the loop carries.
    What nothing uses is removed later, with its buffer."""
    argument = _carried_in_body(loop, number)
    if argument is None:
        return False
    assert isinstance(argument, BlockArgument)
    first = 1 if isinstance(loop, scf.ForOp) else 0
    result = loop.results[argument.index - first]
    if argument.first_use is not None or result.first_use is not None:
        return True
    return isinstance(loop, scf.WhileOp) and not (
        loop.before_region.block.args[number].has_one_use()
    )


def _find_fresh(loop: Loop) -> Iterator[_Fresh]:
    block = _body(loop)
    end = block.last_op
    assert end is not None
    for number, value in enumerate(end.operands):
        allocation = get_view_base(value).owner
        if (
            isinstance(allocation, memref.AllocOp)
            and allocation.parent is block
            and _is_all_of(value, allocation)
            and _is_used_later(loop, number)
            and not any(is_inside(size, loop) for size in allocation.operands)
        ):
            yield _Fresh(loop, number, allocation, dying=number)


def _is_all_of(value: SSAValue, allocation: memref.AllocOp) -> bool:
    """Whether a value is an allocation but for its type."""
    return _without_casts(value) is allocation.results[0]


def _without_casts(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, memref.CastOp):
        value = value.owner.operands[0]
    return value


@dataclass(frozen=True)
class _Judge:
    """Decides which buffers may take turns.

    Attributes:
        terminals: where memrefs come from that are all of a buffer: allocations, by what
            they have in common, and others.
        dead: when a buffer is dead.
        temporary_users: the ops that may need memory for a while.
        positions: the order of the ops.
        allocate_in_loops: whether the first iterations may allocate.
    """

    terminals: TerminalGroups[AllocationKind | None]
    dead: DeadBuffers
    temporary_users: set[Operation]
    positions: dict[Operation, int]
    allocate_in_loops: bool

    def judge(self, fresh: _Fresh, others: list[_Turn]) -> _Turn | None:
        """Return how a buffer may take turns with what dies, if it may.

        Args:
            others: the buffers of the loop that do.
        """
        if any(other.fresh.dying == fresh.dying for other in others):
            return None
        terminals = self.terminals
        sources = terminals.all_of(fresh.old)
        new = fresh.allocation.results[0]
        if not sources & terminals.all_of(new) or any(
            other.fresh.allocation is fresh.allocation for other in others
        ):
            return None
        turn = None
        loop = fresh.loop
        is_for = isinstance(loop, scf.ForOp)
        if (
            (is_for or is_scalar_condition(loop.before_region.block))
            and sources == terminals.of(fresh.old, kind_of(fresh.allocation))
            and self._is_dead_at_end(fresh, fresh.old)
        ):
            turn = _Turn(fresh, self.dead.allocations_of(fresh.old), from_start=True)
        elif (
            is_for
            and (self.allocate_in_loops or _runs_twice(loop))
            and fresh.dying == fresh.number
            # Another allocation could be freed after the first iteration.
            and all(
                value is new or self._is_used_after(loop, value)
                for value in terminals.values_of(sources & ~terminals.of(fresh.old, None))
            )
            and self._is_dead_at_end(fresh, new)
        ):
            turn = _Turn(fresh, self.dead.allocations_of(new), from_start=False)
        if turn is None or not self._keeps_peak(turn):
            return None
        for other in others:
            if self.dead.may_be_same(
                fresh.old, other.fresh.old, turn.allocations | other.allocations
            ):
                return None
        return turn

    def _is_used_after(self, loop: Loop, value: SSAValue) -> bool:
        block = loop.parent
        assert block is not None
        users = (block.find_ancestor_op_in_block(use.operation) for use in value.uses)
        return any(
            user is not None and self.positions[user] > self.positions[loop]
            for user in users
        )

    def _is_dead_at_end(self, fresh: _Fresh, source: SSAValue) -> bool:
        """Whether the buffer is dead after an iteration if it is an allocation that
        another value may be."""
        end = _body(fresh.loop).last_op
        assert end is not None
        return self.dead.is_dead_after(
            end,
            fresh.old,
            fresh.allocation.results[0],
            self.dead.allocations_of(source),
        )

    def _keeps_peak(self, turn: _Turn) -> bool:
        """Return whether an iteration needs no more memory if it has the buffer from
        its start. In a second iteration, the initial buffer of the loop is also
        allocated."""
        if turn.from_start and _runs_twice(turn.fresh.loop):
            return True
        op = turn.fresh.allocation.prev_op
        while op is not None:
            if op in self.temporary_users:
                return False
            op = op.prev_op
        return True


def _runs_twice(loop: Loop) -> bool:
    """Whether a loop surely has two iterations or more."""
    trips = static_trip_count(loop)
    return trips is not None and trips > 1


def _take_turns(loop: Loop, turns: list[_Turn]) -> None:
    """Let a loop carry a spare buffer for each of some that it allocates, or two."""
    runs_twice = _runs_twice(loop)
    inits: list[SSAValue] = []
    carried: list[SSAValue] = []
    runs = _Runs(loop)
    eager = [turn for turn in turns if runs_twice and not turn.from_start]
    turns = [turn for turn in turns if turn not in eager]
    for turn in turns:
        init = turn.fresh.init
        if turn.from_start:
            init = runs.allocate(turn.fresh)
        inits.append(init)
        carried.append(_cast_at_end(turn.fresh, init.type))
    lazily = [turn for turn in turns if not turn.from_start]
    if lazily:
        no = build_constant(loop, False)
        inits += [no, no]
    for turn in eager:
        both = [turn.fresh.allocation.clone() for _ in range(2)]
        Rewriter.insert_op(both, InsertPoint.before(loop))
        inits += [op.results[0] for op in both]
    block = _body(loop)
    arguments = [block.insert_arg(init.type, len(block.args)) for init in inits]
    of_eager = arguments[len(arguments) - 2 * len(eager) :]
    if lazily:
        has_spare, is_own = arguments[len(turns) : len(turns) + 2]
        end = block.last_op
        assert end is not None
        carried += [is_own, build_constant(end, True)]
        for turn, spare in zip(turns, arguments, strict=False):
            if not turn.from_start:
                allocate_without_spare(turn.fresh.allocation, spare, has_spare)
    for turn, spare in zip(turns, arguments, strict=False):
        if turn.from_start:
            _replace(turn.fresh.allocation, spare)
    for turn, one, other in zip(eager, of_eager[::2], of_eager[1::2], strict=True):
        carried += [other, one]
        _replace(turn.fresh.allocation, one)
    _carry(loop, inits, carried)


def _cast_at_end(fresh: _Fresh, type_: Attribute) -> SSAValue:
    """The buffer that dies, in the type in which the loop carries it."""
    end = _body(fresh.loop).last_op
    assert end is not None
    return cast_before(end, fresh.old, type_)


def _replace(allocation: memref.AllocOp, spare: SSAValue) -> None:
    """Use a spare buffer in place of a new one."""
    buffer = allocation.results[0]
    buffer.replace_all_uses_with(cast_before(allocation, spare, buffer.type))
    Rewriter.erase_op(allocation)


class _Runs:
    """What is allocated before a loop, if that has an iteration."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._condition: SSAValue | None = None

    def allocate(self, fresh: _Fresh) -> SSAValue:
        """A new buffer, of the type of what the loop starts with; if it does not run,
        that."""
        loop, type_ = self._loop, fresh.init.type
        ops: list[Operation] = [fresh.allocation.clone()]
        if ops[0].results[0].type != type_:
            cast = memref.CastOp.build(operands=[ops[0].results[0]], result_types=[type_])
            ops.append(cast)
        buffer = ops[-1].results[0]
        if surely_runs(loop):
            Rewriter.insert_op(ops, InsertPoint.before(loop))
            return buffer
        if self._condition is None:
            self._condition, _ = ask_whether_runs(loop)
        branch = scf.IfOp(
            self._condition,
            [type_],
            Region(Block([*ops, scf.YieldOp(buffer)])),
            Region(Block([scf.YieldOp(fresh.init)])),
        )
        return insert_before(loop, branch)


def _carry(loop: Loop, inits: list[SSAValue], yielded: list[SSAValue]) -> None:
    """Let a loop, whose body has the arguments already, carry further values."""
    end = _body(loop).last_op
    assert end is not None
    end.operands = [*end.operands, *yielded]
    if isinstance(loop, scf.WhileOp):
        before = loop.before_region.block
        forwarded = [before.insert_arg(init.type, len(before.args)) for init in inits]
        condition = before.last_op
        assert condition is not None
        condition.operands = [*condition.operands, *forwarded]
    add_inits(loop, inits)
