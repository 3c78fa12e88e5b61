"""How scf.for and scf.while are bufferized: their iter_args become memrefs.

A loop counts as a write of its init operands. Its result is the buffer of the init
operand again if each iteration yields the buffer it was given:

    %r = scf.for ... iter_args(%a = %t) -> tensor<?xf32> {
      %w = tensor.insert %f into %a[%i]      // in place: %w is %a, so the yield is
      scf.yield %w                           // equivalent to %a, and %r to %t
    }

A loop that yields another buffer (a new one, or another iter_arg's) is accepted with
allow-return-allocs-from-loops only. What it yields may be written by the next
iteration, so it must not be visible under another name: otherwise `resolve_conflicts`
copies it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue, Use
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferizable import (
    TENSOR_TYPES,
    AliasingOperand,
    AliasingValue,
    BufferRelation,
    BufferType,
    get,
    operands_of,
)
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.loop_like import surely_runs
from xdsl_bufferization.models.values import number_of

_HOW_TO_YIELD = (
    "Let every iteration yield the buffer it got (write the iter_arg in place and "
    "yield the result), or run with allow-return-allocs-from-loops."
)


class LoopModel(BufferizableModel):
    """What scf.for and scf.while have in common."""

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return True

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        """Always: an init operand that may not be written is copied before the loop."""
        return True

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        return True


@dataclass(frozen=True)
class ForModel(LoopModel):
    """`lb, ub, step, *inits`; block arguments: the induction variable, `*iter_args`."""

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        """A loop that may run no iteration gives the init operand as its result; else
        the iter_arg is read or not."""
        if not surely_runs(op):
            return True
        return state.is_value_read(_body(op).args[operand.index - 2])

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        number = operand.index - 3
        relation = self._relation(op, number, state)
        return (AliasingValue(op.results[number], relation, _is_definite(relation)),)

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if isinstance(value, BlockArgument):
            return ()
        number = number_of(value)
        relation = self._relation(op, number, state)
        operand = operands_of(op)[number + 3]
        return (AliasingOperand(operand, relation, _is_definite(relation)),)

    def _relation(self, op: Operation, number: int, state: AnalysisState):
        body = _body(op)
        yielded = _terminator(body).operands[number]
        return _relation(state.are_equivalent(body.args[number + 1], yielded))

    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        if not state.options.allow_return_allocs_from_loops:
            body = _body(op)
            _verify_handed_on(_terminator(body), 0, body.args[1:], state)

    def resolve_conflicts(
        self, op: Operation, rewriter: BufferizationRewriter, state: AnalysisState
    ) -> None:
        rewriter.resolve_operand_conflicts(op, state)
        if state.options.copy_before_write:
            return  # Nothing is ever written under two names.
        body = _body(op)
        end = _terminator(body)
        handed_on: set[SSAValue] = set()
        for operand, argument in zip(operands_of(end), body.args[1:], strict=True):
            value = get(operand)
            if not isinstance(value.type, TENSOR_TYPES):
                continue
            result = op.results[argument.index - 1]
            is_written = state.is_value_written(argument) or state.is_value_written(
                result
            )
            if any(
                alias in handed_on
                or (alias is not argument and not _is_made_inside(alias, op.regions[0]))
                # A constant, say. The loop, and who comes after it, may write it.
                or (is_written and not state.is_writable(alias))
                for alias in state.aliases_of(value)
            ):
                _copy_operand(operand, rewriter)
            else:
                handed_on.add(value)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        if not isinstance(value, BlockArgument):
            return types.get_buffer_type(_body(op).args[number_of(value) + 1])
        yielded = _terminator(_body(op)).operands[value.index - 1]
        init = op.operands[value.index + 2]
        return types.loop_carried_type(value, init, yielded, _CARRIED)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        arguments = _body(op).args[1:]
        _bufferize_inits(op, operands_of(op)[3:], arguments, rewriter)
        for result, argument in zip(op.results, arguments, strict=True):
            if isinstance(result.type, TENSOR_TYPES):
                rewriter.set_type(result, rewriter.get_buffer_type(argument))


@dataclass(frozen=True)
class WhileModel(LoopModel):
    """The operands become the arguments of the region `before`; what its scf.condition
    passes becomes those of `after`, and the results; what `after` yields becomes those of
    `before` again.

    Operand and result of the same number belong together if they are of the same type.
    """

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        number = operand.index
        if not _belong_together(op, number):
            return ()
        relation = self._relation(op, number, state)
        return (AliasingValue(op.results[number], relation, _is_definite(relation)),)

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if isinstance(value, BlockArgument):
            return ()
        number = number_of(value)
        if not _belong_together(op, number):
            return ()
        relation = self._relation(op, number, state)
        operand = operands_of(op)[number]
        return (AliasingOperand(operand, relation, _is_definite(relation)),)

    def _relation(self, op: Operation, number: int, state: AnalysisState):
        return _relation(_is_same_all_around(op, number, state))

    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        if not state.options.allow_return_allocs_from_loops:
            before, after = _before_and_after(op)
            _verify_handed_on(_terminator(before), 1, before.args, state)
            _verify_handed_on(_terminator(after), 0, after.args, state)

    def resolve_conflicts(
        self, op: Operation, rewriter: BufferizationRewriter, state: AnalysisState
    ) -> None:
        rewriter.resolve_operand_conflicts(op, state)
        if state.options.copy_before_write:
            return  # Nothing is ever written under two names.
        before, after = _before_and_after(op)
        passed = operands_of(_terminator(before))[1:]
        yielded = operands_of(_terminator(after))
        same = [_is_same_all_around(op, number, state) for number in range(len(passed))]
        # What goes around the loop unchanged is passed on, the rest is copied before it
        # gets to `after`. What `after` yields must be copied again if `before` writes it
        # and it comes from elsewhere, or becomes two arguments of which one is written.
        handed_on: dict[SSAValue, bool] = {}
        for keep in (True, False):
            for operand in yielded:
                value, number = get(operand), operand.index
                if not isinstance(value.type, TENSOR_TYPES) or keep is not (
                    number < len(same) and same[number]
                ):
                    continue
                is_written = state.is_value_written(before.args[number])
                if not keep and any(
                    handed_on[alias] or is_written
                    if alias in handed_on
                    else is_written
                    and not (_is_from(alias, after) and state.is_writable(alias))
                    for alias in state.aliases_of(value)
                ):
                    _copy_operand(operand, rewriter)
                else:
                    handed_on[value] = handed_on.get(value, False) or is_written
        for operand, keep in zip(passed, same, strict=True):
            if not keep and isinstance(get(operand).type, TENSOR_TYPES):
                _copy_operand(operand, rewriter)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        before, after = _before_and_after(op)
        if isinstance(value, BlockArgument) and value.block is before:
            yielded = _terminator(after).operands[value.index]
            init = op.operands[value.index]
            return types.loop_carried_type(value, init, yielded, _CARRIED)
        passed = _terminator(before).operands[number_of(value) + 1]
        return types.get_buffer_type(passed)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        before, after = _before_and_after(op)
        types = {
            argument: rewriter.get_buffer_type(argument)
            for argument in after.args
            if isinstance(argument.type, TENSOR_TYPES)
        }
        _bufferize_inits(op, operands_of(op), before.args, rewriter)
        for argument, type_ in types.items():
            rewriter.set_type(argument, type_)
            rewriter.set_type(op.results[argument.index], type_)


# Structure of loops.


def _body(op: Operation) -> Block:
    block = op.regions[0].blocks.first
    assert block is not None
    return block


def _before_and_after(op: Operation) -> tuple[Block, Block]:
    before, after = op.regions[0].blocks.first, op.regions[1].blocks.first
    assert before is not None
    assert after is not None
    return before, after


def _terminator(block: Block) -> Operation:
    end = block.last_op
    assert end is not None
    return end


def _belong_together(op: Operation, number: int) -> bool:
    operands, results = op.operands, op.results
    return (
        number < min(len(operands), len(results))
        and operands[number].type == results[number].type
    )


# Relations.


def _is_same_all_around(op: Operation, number: int, state: AnalysisState) -> bool:
    """Whether a buffer goes through both regions of scf.while unchanged."""
    before, after = _before_and_after(op)
    if not _belong_together(op, number):
        return False
    passed = _terminator(before).operands[number + 1]
    yielded = _terminator(after).operands[number]
    return state.are_equivalent(before.args[number], passed) and state.are_equivalent(
        after.args[number], yielded
    )


def _relation(is_equivalent: bool) -> BufferRelation:
    return BufferRelation.EQUIVALENT if is_equivalent else BufferRelation.UNKNOWN


def _is_definite(relation: BufferRelation) -> bool:
    return relation is BufferRelation.EQUIVALENT


def _verify_handed_on(
    end: Operation, first: int, arguments: Sequence[SSAValue], state: AnalysisState
) -> None:
    """Demand that a region ends with the buffers it began with."""
    what = "Yield operand" if first == 0 else "Condition arg"
    for number, value in enumerate(end.operands[first:]):
        if not isinstance(value.type, TENSOR_TYPES):
            continue
        if number >= len(arguments) or not state.are_equivalent(value, arguments[number]):
            raise PassFailedException(
                f"{end.name}: {what} #{number} is not equivalent to the corresponding "
                f"iter bbArg. {_HOW_TO_YIELD}{describe(end)}"
            )


def _is_from(value: SSAValue, block: Block) -> bool:
    """Whether a value is made in the only block of a region, or is its argument."""
    if isinstance(value, BlockArgument) and value.block is block:
        return True
    assert block.parent is not None
    return _is_made_inside(value, block.parent)


def _is_made_inside(value: SSAValue, region: Region) -> bool:
    """Whether a value is defined in the region, or deeper. Its own block arguments come
    from outside."""
    inner = value.owner.parent_region()
    if inner is region:
        return not isinstance(value, BlockArgument)
    while inner is not None and inner is not region:
        inner = inner.parent_region()
    return inner is region


def _copy_operand(operand: Use, rewriter: BufferizationRewriter) -> None:
    """Hand on a copy of the tensor."""
    op = operand.operation
    with (
        rewriter.insert_at(InsertPoint.before(op)),
        rewriter.because("loop-yield", op, get(operand)),
    ):
        copy = rewriter.allocate_tensor(get(operand))
    rewriter.set_operand(op, operand.index, copy)


# Buffers.

_CARRIED = "the init operand of a loop and the value it yields"


def _bufferize_inits(
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
