"""Buffers of loops that carry tensors between iterations.

A loop counts as a write of its init operands (with the option read-only-loops only if an
op of its body may write what it carries). Its result is the buffer of the init
operand if each iteration yields the buffer of its iter_arg:

    %r = scf.for ... iter_args(%a = %t) -> tensor<?xf32> {
      %w = tensor.insert %f into %a[%i]      // in place: %w is %a, so the yield is
      scf.yield %w                           // equivalent to %a, and %r to %t
    }

A loop that yields another buffer (a new one, or another iter_arg's) is accepted only
with allow-return-allocs-from-loops. The next iteration may write the yielded buffer, so
it must have no other aliases: otherwise, `resolve_conflicts` copies it, unless none of
its aliases is written, or the iter_arg and the result have no uses. A buffer that is
yielded twice is not copied either if no write to one of the iter_args comes before a
read of the other, the same is true of the results, with the init operands that they may
be, and the results are only read, or one of them has no uses.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue, Use
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.forwarded_values import forwarded_targets
from xdsl_bufferization.dialects.bufferization import AllocTensorOp
from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.buffer_type_inference import (
    BufferTypes,
)
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.loop_like import surely_runs
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import TENSOR_TYPES, BufferType
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.models.base.read_only_carried import (
    are_only_read,
    is_in_combining_loop,
)
from xdsl_bufferization.models.base.terminators import RegionOpModel
from xdsl_bufferization.models.base.unrolling_hints import unrolling_hints
from xdsl_bufferization.models.values import number_of
from xdsl_bufferization.remarks.active import active_log

_HOW_TO_YIELD = (
    "Let every iteration yield the buffer it got (write the iter_arg in place and "
    "yield the result), or run with allow-return-allocs-from-loops."
)


@dataclass(frozen=True)
class LoopBuffers(RegionOpModel):
    """What loops that carry tensors between iterations have in common: operands from
    `first_init` on are the inits, and there is a result for each."""

    first_init: int = 0

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        number = operand.index - self.first_init
        relation = None if number < 0 else self.relation(op, number, state)
        if relation is None:
            return ()
        return (AliasingValue(op.results[number], relation, is_definite(relation)),)

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if isinstance(value, BlockArgument):
            return ()
        number = number_of(value)
        relation = self.relation(op, number, state)
        if relation is None:
            return ()
        operand = operands_of(op)[number + self.first_init]
        return (AliasingOperand(operand, relation, is_definite(relation)),)

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        """Whether a decision about the ops inside may let them write the buffer. Without
        read-only-loops, all buffers that are carried count as written, as in mlir-opt."""
        number = operand.index - self.first_init
        return number >= 0 and not self.shares_start(op, number, state)

    def shares_start(self, op: Operation, number: int, state: AnalysisState) -> bool:
        """Whether a loop may carry the buffer of an init although it is used elsewhere.

        Not inside of scf.forall: what a thread inserts at its end may have been
        overwritten by what it inserted before, which the results of loops do not tell."""
        return (
            state.read_only_loops
            and not is_in_combining_loop(op)
            and self.only_reads(op, number, state)
        )

    def result_bufferizes_to_memory_write(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> bool:
        """Always: the last iteration may have yielded new contents."""
        return True

    @abstractmethod
    def only_reads(self, op: Operation, number: int, state: AnalysisState) -> bool:
        """Whether no op inside can write the buffer of an init, under any decisions, and
        it is carried under its own number only."""

    @abstractmethod
    def relation(
        self, op: Operation, number: int, state: AnalysisState
    ) -> BufferRelation | None:
        """How the buffers of an init and of the result of the same number are related;
        None if they are not those of one tensor that is carried."""

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        """Always: an init operand that may not be written is copied before the loop, or
        is an alias of the result, which then is not written either."""
        return True

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        return True

    def resolve_conflicts(
        self, op: Operation, rewriter: BufferizationRewriter, state: AnalysisState
    ) -> None:
        rewriter.resolve_operand_conflicts(op, state)
        copied = self.copied_besides(op, state)
        # The copies change what is yielded, which the hints are about.
        hints = self.copy_hints(op, state) if copied and active_log() else {}
        for operand in copied:
            copy_operand(operand, rewriter, hints.get(operand.index))

    def copy_hints(self, op: Operation, state: AnalysisState) -> dict[int, str]:
        """What avoids the copy of a value that the loop yields, by its number."""
        return {}


@dataclass(frozen=True)
class IterArgsBuffers(LoopBuffers):
    """A loop of one region, whose block arguments from `first_iter_arg` on are the
    iter_args."""

    first_iter_arg: int = 0

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        """A loop that may run no iteration gives the init operand as its result; else
        the iter_arg is read or not."""
        number = operand.index - self.first_init
        if number < 0 or not surely_runs(op):
            return True
        return state.is_value_read(body_of(op).args[number + self.first_iter_arg])

    def only_reads(self, op: Operation, number: int, state: AnalysisState) -> bool:
        body = body_of(op)
        argument = body.args[number + self.first_iter_arg]
        return are_only_read((argument,), {terminator_of(body): number}, state)

    def relation(
        self, op: Operation, number: int, state: AnalysisState
    ) -> BufferRelation:
        body = body_of(op)
        yielded = terminator_of(body).operands[number]
        argument = body.args[number + self.first_iter_arg]
        return relation_of(state.are_equivalent(argument, yielded))

    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        if not state.options.allow_return_allocs_from_loops:
            body = body_of(op)
            arguments = body.args[self.first_iter_arg :]
            verify_forwarded(terminator_of(body), 0, arguments, state)

    def copied_besides(self, op: Operation, state: AnalysisState) -> Sequence[Use]:
        """What is yielded and must not be the buffer of the next iteration."""
        if state.options.copy_before_write:
            return ()  # Nothing is ever written under two names.
        body = body_of(op)
        end = terminator_of(body)
        arguments = body.args[self.first_iter_arg :]
        kept: list[tuple[Use, Carried]] = []
        others: list[tuple[Use, Carried]] = []
        for operand, argument in zip(operands_of(end), arguments, strict=True):
            value = get(operand)
            if not isinstance(value.type, TENSOR_TYPES):
                continue
            result = op.results[argument.index - self.first_iter_arg]
            if argument.first_use is None and result.first_use is None:
                continue  # Nobody looks at it.
            is_kept = state.are_equivalent(argument, value)
            carried = Carried(argument, result, end, state, is_kept)
            (kept if is_kept else others).append((operand, carried))
        forwarded = ForwardedBuffers(state)
        # The buffer of an iteration is that of the next one, under the same names.
        for operand, carried in kept:
            forwarded.add(get(operand), carried)
        copied: list[Use] = []
        for operand, carried in others:
            if self._must_be_copied(op, get(operand), carried, forwarded):
                copied.append(operand)
            else:
                forwarded.add(get(operand), carried)
        return copied

    def _must_be_copied(
        self,
        op: Operation,
        value: SSAValue,
        carried: Carried,
        forwarded: ForwardedBuffers,
    ) -> bool:
        """Whether the next iteration must get a copy of a value, which is not the buffer
        of its own iter_arg."""
        argument, state = carried.argument, carried.state
        is_free = _is_free_copy(value, carried)
        body = body_of(op)
        return not forwarded.may_add(value, carried) or any(
            (
                not (alias.owner is body and alias in forwarded)
                and alias is not argument
                and not is_free
                and not is_made_inside(alias, op.regions[0])
            )
            # A constant, say. The loop, and who comes after it, may write it.
            or (not state.is_writable(alias) and carried.may_be_written)
            for alias in state.aliases_of(value)
        )

    def values_to_be_shared(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[tuple[SSAValue, SSAValue]]:
        body = body_of(op)
        arguments = body.args[self.first_iter_arg :]
        yielded = terminator_of(body).operands
        pairs = pairs_sharing(yielded, arguments, state)
        pairs += pairs_sharing(yielded, op.results, state)
        for value, argument, result in zip(yielded, arguments, op.results, strict=True):
            if isinstance(value, OpResult) and not is_made_inside(value, op.regions[0]):
                pairs += [(value, argument), (value, result)]
        return pairs

    def copy_hints(self, op: Operation, state: AnalysisState) -> dict[int, str]:
        body = body_of(op)
        arguments = body.args[self.first_iter_arg :]
        return unrolling_hints(op, arguments, terminator_of(body).operands, state)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        body = body_of(op)
        if not isinstance(value, BlockArgument):
            return types.get_buffer_type(
                body.args[number_of(value) + self.first_iter_arg]
            )
        number = value.index - self.first_iter_arg
        yielded = terminator_of(body).operands[number]
        init = op.operands[number + self.first_init]
        return types.loop_carried_type(value, init, yielded, CARRIED)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        arguments = body_of(op).args[self.first_iter_arg :]
        for operand in operands_of(op)[: self.first_init]:
            if isinstance(get(operand).type, TENSOR_TYPES):
                rewriter.set_operand(op, operand.index, rewriter.get_buffer(get(operand)))
        bufferize_inits(op, operands_of(op)[self.first_init :], arguments, rewriter)
        for result, argument in zip(op.results, arguments, strict=True):
            if isinstance(result.type, TENSOR_TYPES):
                rewriter.set_type(result, rewriter.get_buffer_type(argument))


# Buffers with two names.


def _is_free_copy(value: SSAValue, carried: Carried) -> bool:
    """Return whether a loop may carry the result of `bufferization.alloc_tensor`,
    although the buffer has aliases outside the loop.

    It may in two cases: if neither the loop nor anything after it writes the buffer or
    what it was copied from; or if the copied buffer is allowed to share memory with the
    iter_arg and the loop result, and all uses of that result are known.

    Buffers of other ops are always copied: whether the loop result must be deallocated
    would only be known at run time, which could cost more than a copy.
    """
    owner = value.owner
    if not isinstance(owner, AllocTensorOp):
        return False
    names = (value, *owner.operands)
    state = carried.state
    if carried.is_only_read and not any(map(state.is_value_written, names)):
        return True
    result = carried.result
    return (
        result is not None
        and owner.copy is not None
        and state.may_share_buffer(owner.copy, carried.argument)
        and state.may_share_buffer(owner.copy, result)
        and _is_followed((result,), carried.end, state, or_written=True)
    )


def _is_carried_on(result: SSAValue, state: AnalysisState) -> bool:
    """Return whether the result of a loop, or an alias, is yielded to another loop, which
    may write it under names that are not known as aliases."""
    return state.has_alias(result, _is_yielded_without_alias)


def _is_yielded_without_alias(value: SSAValue, state: AnalysisState) -> bool:
    return isinstance(value.type, TENSOR_TYPES) and any(
        use.operation.has_trait(IsTerminator)
        and forwarded_targets(use) is not None
        and not state.aliasing_values(use)
        for use in value.uses
    )


def _is_only_read(
    values: Iterable[SSAValue], end: Operation, state: AnalysisState
) -> bool:
    """Return whether the buffer of `values`, an iter_arg and the result of its loop, is
    only read: no use of them or of their aliases writes it in place, and no terminator
    returns it from the function."""
    return _is_followed(values, end, state, or_written=False)


def _is_followed(
    values: Iterable[SSAValue], end: Operation, state: AnalysisState, or_written: bool
) -> bool:
    """Follow the uses of `values` to all later aliases. Return False if an op is unknown,
    or, unless `or_written`, if one writes the buffer in place or returns it.

    Aliases from before the loop are not visited, and the operands of `end`, the
    terminator of the loop, are not followed.
    """
    # Breadth first: the next write is found before the end of a chain of loops.
    worklist = deque(values)
    visited = set(worklist)
    while worklist:
        for use in worklist.popleft().uses:
            op = use.operation
            if op is end:
                continue
            if state.model(op) is None:
                return False
            if not state.is_in_place(use):
                continue
            aliases = state.aliasing_values(use)
            if or_written:
                names = None
            else:
                # A loop counts as a write, but it is what is in it that writes.
                names = forwarded_targets(use)
                if names is None and state.bufferizes_to_memory_write(use):
                    return False
            if names is None:
                names = [alias.value for alias in aliases]
                if not names and op.has_trait(IsTerminator):
                    return False
            for name in names:
                if name not in visited:
                    visited.add(name)
                    worklist.append(name)
    return True


_MOST_SHARED = 4
"""A buffer that is forwarded to more results than these whose buffers may be used, or to
more such arguments of which one is written, is copied."""


def pairs_sharing(
    forwarded: Sequence[SSAValue], targets: Sequence[SSAValue], state: AnalysisState
) -> list[tuple[SSAValue, SSAValue]]:
    """Return the pairs of targets, of those whose buffer may be used, to which a region
    would forward one buffer."""
    groups: dict[object, list[SSAValue]] = defaultdict(list)
    for value, target in zip(forwarded, targets, strict=True):
        if isinstance(value.type, TENSOR_TYPES) and not _has_unused_buffer(target, state):
            groups[state.alias_key(value)].append(target)
    return [
        pair
        for group in groups.values()
        if len(group) <= _MOST_SHARED
        for pair in combinations(group, 2)
    ]


def _has_unused_buffer(target: SSAValue, state: AnalysisState) -> bool:
    """Whether no op uses an argument of a region, or neither a result nor what else may
    be its buffer, such as an init operand: only the op itself does."""
    if target.first_use is not None or not isinstance(target, OpResult):
        return target.first_use is None
    aliases = tuple(islice(state.aliases_of(target), _MOST_SHARED))
    return len(aliases) < _MOST_SHARED and all(
        use.operation is target.op for alias in aliases for use in alias.uses
    )


@dataclass(frozen=True)
class Carried:
    """What a loop carries: an argument of its body, and perhaps the result that it ends
    as. `end` is the terminator that forwards it, and `is_kept` tells whether that is the
    buffer that each iteration begins with."""

    argument: SSAValue
    result: SSAValue | None
    end: Operation
    state: AnalysisState
    is_kept: bool

    # These follow the buffer through all later ops, so they wait until they are needed.

    @cached_property
    def is_result_read(self) -> bool:
        """Whether nothing writes the result."""
        return self.result is None or _is_only_read((self.result,), self.end, self.state)

    @cached_property
    def is_argument_read(self) -> bool:
        """Whether nothing writes the argument."""
        if self.result is None:
            return not self.state.is_value_written(self.argument)
        return _is_only_read((self.argument,), self.end, self.state)

    @property
    def is_only_read(self) -> bool:
        """Whether nothing writes the result or the argument."""
        return self.is_result_read and self.is_argument_read

    @cached_property
    def may_be_written(self) -> bool:
        """Whether something may write the argument or the result. The alias set of the
        result has the init operand in it, which counts as written by the loop."""
        assert self.result is not None
        return (
            self.state.is_value_written(self.argument)
            or self.state.is_value_written(self.result)
            or _is_carried_on(self.result, self.state)
        ) and not self.is_only_read

    def may_share(self, other: Carried) -> bool:
        """Whether both may be one buffer, which a region forwards to both."""
        return self._may_share_results(other) and (
            any(carried.argument.first_use is None for carried in (self, other))
            or (self.is_argument_read and other.is_argument_read)
            or self.state.may_share_buffer(self.argument, other.argument)
        )

    def _ends_unused(self, result: SSAValue) -> bool:
        """Whether no op uses the buffer that is forwarded last: if that is not the one
        that the loop began with, the result is its only name."""
        return (not self.is_kept and result.first_use is None) or _has_unused_buffer(
            result, self.state
        )

    def _may_share_results(self, other: Carried) -> bool:
        """Whether both may end as one buffer."""
        first, second, state = self.result, other.result, self.state
        if (
            first is None
            or second is None
            or self._ends_unused(first)
            or other._ends_unused(second)
        ):
            return True
        return (
            state.alias_key(first) == state.alias_key(second)
            or state.may_share_buffer(first, second)
        ) and (
            first.first_use is None
            or second.first_use is None
            or (self.is_result_read and other.is_result_read)
        )


class ForwardedBuffers:
    """What the end of a region forwards without a copy."""

    def __init__(self, state: AnalysisState) -> None:
        self._state = state
        self._carried: dict[object, list[Carried]] = defaultdict(list)
        """What becomes of the buffers of an alias set."""
        self._values: set[SSAValue] = set()

    def __contains__(self, value: SSAValue) -> bool:
        return value in self._values

    def may_add(self, value: SSAValue, carried: Carried) -> bool:
        """Whether a value may also become this, besides all that its buffer becomes."""
        others = self._carried.get(self._state.alias_key(value), ())
        return all(carried.may_share(other) for other in others)

    def add(self, value: SSAValue, carried: Carried) -> None:
        self._values.add(value)
        self._carried[self._state.alias_key(value)].append(carried)


# Structure of loops.


def body_of(op: Operation) -> Block:
    """The first block of the only region of a loop."""
    block = op.regions[0].blocks.first
    assert block is not None
    return block


def terminator_of(block: Block) -> Operation:
    end = block.last_op
    assert end is not None
    return end


def relation_of(is_equivalent: bool) -> BufferRelation:
    return BufferRelation.EQUIVALENT if is_equivalent else BufferRelation.UNKNOWN


def is_definite(relation: BufferRelation) -> bool:
    return relation is BufferRelation.EQUIVALENT


def verify_forwarded(
    end: Operation, first: int, arguments: Sequence[SSAValue], state: AnalysisState
) -> None:
    """Demand that a region ends with the buffers it began with.

    Raises:
        PassFailedException: where it does not.
    """
    what = "Yield operand" if first == 0 else "Condition arg"
    for number, value in enumerate(end.operands[first:]):
        if not isinstance(value.type, TENSOR_TYPES):
            continue
        if number >= len(arguments) or not state.are_equivalent(value, arguments[number]):
            raise PassFailedException(
                f"{end.name}: {what} #{number} is not equivalent to the corresponding "
                f"iter bbArg. {_HOW_TO_YIELD}{describe(end)}"
            )


def is_made_inside(value: SSAValue, region: Region) -> bool:
    """Whether a value is defined in the region, or deeper. Its own block arguments come
    from outside."""
    inner = value.owner.parent_region()
    if inner is region:
        return not isinstance(value, BlockArgument)
    while inner is not None and inner is not region:
        inner = inner.parent_region()
    return inner is region


def copy_operand(operand: Use, rewriter: BufferizationRewriter, hint: str | None) -> None:
    """Forward a copy of the tensor; `hint` says what avoids it."""
    op = operand.operation
    with (
        built_for(op),
        rewriter.insert_at(InsertPoint.before(op)),
        rewriter.because("loop-yield", op, get(operand), hint=lambda: hint),
    ):
        copy = rewriter.allocate_tensor(get(operand))
    rewriter.set_operand(op, operand.index, copy)


# Buffers of loops.

CARRIED = "the init operand of a loop and the value it yields"


def bufferize_inits(
    op: Operation,
    inits: Iterable[Use],
    arguments: Sequence[BlockArgument],
    rewriter: BufferizationRewriter,
) -> None:
    """Start the loop with buffers of the types of its iter_args, which it gives them."""
    types = [
        (operand, argument, rewriter.get_buffer_type(argument))
        for operand, argument in zip(inits, arguments, strict=True)
        if isinstance(argument.type, TENSOR_TYPES)
    ]
    for operand, argument, type_ in types:
        buffer = rewriter.create_cast(rewriter.get_buffer(get(operand)), type_)
        rewriter.set_operand(op, operand.index, buffer)
        rewriter.set_type(argument, type_)
