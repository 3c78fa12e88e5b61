"""How scf.for and scf.while are bufferized: their iter_args become memrefs.

models/base/loop_buffers.py describes the bufferization of loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, Operation, SSAValue, Use

from xdsl_bufferization.interfaces.aliasing import BufferRelation
from xdsl_bufferization.interfaces.analysis_state import (
    AnalysisState,
    TraversalConfig,
)
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import TENSOR_TYPES, BufferType
from xdsl_bufferization.models.base.loop_buffers import (
    CARRIED,
    Carried,
    ForwardedBuffers,
    IterArgsBuffers,
    LoopBuffers,
    bufferize_inits,
    is_made_inside,
    pairs_sharing,
    relation_of,
    terminator_of,
    verify_forwarded,
)
from xdsl_bufferization.models.base.read_only_carried import are_only_read
from xdsl_bufferization.models.values import number_of


@dataclass(frozen=True)
class ForModel(IterArgsBuffers):
    """`lb, ub, step, *inits`; block arguments: the induction variable, `*iter_args`."""

    first_init: int = 3
    first_iter_arg: int = 1


class WhileModel(LoopBuffers):
    """The operands become the arguments of the region `before`; what its scf.condition
    passes becomes those of `after`, and the results; what `after` yields becomes those of
    `before` again.

    Operand and result of the same number belong together if they are of the same type.
    """

    def relation(
        self, op: Operation, number: int, state: AnalysisState
    ) -> BufferRelation | None:
        if not _belong_together(op, number):
            return None
        return relation_of(_is_same_all_around(op, number, state))

    def only_reads(self, op: Operation, number: int, state: AnalysisState) -> bool:
        before, after = _before_and_after(op)
        return (
            _belong_together(op, number)
            and _passes_on(op, number)
            and are_only_read(
                (before.args[number], after.args[number]),
                {terminator_of(before): number + 1, terminator_of(after): number},
                state,
            )
        )

    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        if not state.options.allow_return_allocs_from_loops:
            before, after = _before_and_after(op)
            verify_forwarded(terminator_of(before), 1, before.args, state)
            verify_forwarded(terminator_of(after), 0, after.args, state)

    def copied_besides(self, op: Operation, state: AnalysisState) -> Sequence[Use]:
        """What is passed on or yielded and must not be the buffer of the next region."""
        if state.options.copy_before_write:
            return ()  # Nothing is ever written under two names.
        before, after = _before_and_after(op)
        passed = operands_of(terminator_of(before))[1:]
        yielded = operands_of(terminator_of(after))
        same = [_is_same_all_around(op, number, state) for number in range(len(passed))]
        # What goes around the loop unchanged is passed on, and so is what is only read,
        # if it is no other memory; the rest is copied before it gets to `after`. What
        # `after` yields must be copied again if `before` writes it and it comes from
        # elsewhere, or becomes two arguments of which one is written.
        only_read = {
            number
            for number, keep in enumerate(same)
            if not keep
            and isinstance(get(passed[number]).type, TENSOR_TYPES)
            and _belong_together(op, number)
            and not state.bufferizes_to_memory_write(operands_of(op)[number])
        }
        copied: list[Use] = []
        forwarded = ForwardedBuffers(state)
        for keep in (True, False):
            for operand in yielded:
                value, number = get(operand), operand.index
                if not isinstance(value.type, TENSOR_TYPES) or keep is not (
                    number < len(same) and same[number]
                ):
                    continue
                if before.args[number].first_use is None:
                    continue  # Nobody looks at it.
                argument = before.args[number]
                is_written = state.is_value_written(argument)
                # No result shares what is copied.
                result = op.results[number] if number in only_read else None
                carried = Carried(argument, result, terminator_of(after), state, keep)
                if not keep and (
                    not forwarded.may_add(value, carried)
                    or (is_written and not _is_made_in(value, after, state))
                    or (number in only_read and not _is_new(value, number, after, state))
                ):
                    copied.append(operand)
                else:
                    forwarded.add(value, carried)
        for operand, keep in zip(passed, same, strict=True):
            if (
                not keep
                and operand.index - 1 not in only_read
                and isinstance(get(operand).type, TENSOR_TYPES)
            ):
                copied.append(operand)
        return copied

    def copies_last_use(self, op: Operation, operand: Use, state: AnalysisState) -> bool:
        """`before` ends with the copy of what it passes on. It is the last use if all its
        buffers are made in the loop: they were not if `after` computes what it yields in
        a buffer from outside, which the next iteration writes again."""
        before, after = _before_and_after(op)
        if operand.operation is not before.last_op:
            return False
        yielded = terminator_of(after).operands
        for alias in state.aliases_of(get(operand)):
            if isinstance(alias, BlockArgument) and alias.block is before:
                if not _is_made_in(yielded[alias.index], after, state):
                    return False
            elif not _is_from(alias, before):
                return False
        return True

    def values_to_be_shared(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[tuple[SSAValue, SSAValue]]:
        before, after = _before_and_after(op)
        return pairs_sharing(terminator_of(after).operands, before.args, state)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        before, after = _before_and_after(op)
        if isinstance(value, BlockArgument) and value.block is before:
            yielded = terminator_of(after).operands[value.index]
            init = op.operands[value.index]
            return types.loop_carried_type(value, init, yielded, CARRIED)
        passed = terminator_of(before).operands[number_of(value) + 1]
        return types.get_buffer_type(passed)

    def yield_targets(self, op: Operation, end: Operation) -> Sequence[SSAValue]:
        """`after` yields what `before` begins with."""
        return op.regions[0].block.args

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        before, after = _before_and_after(op)
        types = {
            argument: rewriter.get_buffer_type(argument)
            for argument in after.args
            if isinstance(argument.type, TENSOR_TYPES)
        }
        bufferize_inits(op, operands_of(op), before.args, rewriter)
        for argument, type_ in types.items():
            rewriter.set_type(argument, type_)
            rewriter.set_type(op.results[argument.index], type_)


# Structure of loops.


def _before_and_after(op: Operation) -> tuple[Block, Block]:
    before, after = op.regions[0].blocks.first, op.regions[1].blocks.first
    assert before is not None
    assert after is not None
    return before, after


def _belong_together(op: Operation, number: int) -> bool:
    operands, results = op.operands, op.results
    return (
        number < min(len(operands), len(results))
        and operands[number].type == results[number].type
    )


# Relations.


def _is_same_all_around(op: Operation, number: int, state: AnalysisState) -> bool:
    """Whether a buffer is passed through both regions of scf.while unchanged."""
    before, after = _before_and_after(op)
    if not _belong_together(op, number):
        return False
    passed = terminator_of(before).operands[number + 1]
    yielded = terminator_of(after).operands[number]
    return state.are_equivalent(before.args[number], passed) and state.are_equivalent(
        after.args[number], yielded
    )


def _passes_on(op: Operation, number: int) -> bool:
    """Whether `before` passes an argument on, under the same number."""
    before, _ = _before_and_after(op)
    return terminator_of(before).operands[number + 1] is before.args[number]


def _is_made_in(value: SSAValue, block: Block, state: AnalysisState) -> bool:
    """Whether all memory that a value may be in is made in the only block of a region, or
    comes as its arguments, and may be written. Another name of it, from outside, there
    cannot be then."""

    def is_right(source: SSAValue) -> bool:
        return _is_from(source, block) and state.is_writable(source)

    in_place = TraversalConfig(follow_in_place_only=True)
    sources = state.find_value_in_reverse_use_def_chain(
        value, lambda source: not is_right(source), in_place
    )
    return all(map(is_right, sources))


def _is_new(value: SSAValue, number: int, block: Block, state: AnalysisState) -> bool:
    """Whether the memory of a value is made in the only block of a region, or comes as
    its argument of that number, and may be written."""
    assert block.parent is not None
    return all(
        state.is_writable(alias)
        and (alias is block.args[number] or is_made_inside(alias, block.parent))
        for alias in state.aliases_of(value)
    )


def _is_from(value: SSAValue, block: Block) -> bool:
    """Whether a value is made in the only block of a region, or is its argument."""
    if isinstance(value, BlockArgument) and value.block is block:
        return True
    assert block.parent is not None
    return is_made_inside(value, block.parent)
