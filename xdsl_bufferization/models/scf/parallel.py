"""How scf.forall and scf.parallel are bufferized: loops whose iterations run in parallel.

    %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?xf32>) {
      ...
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %x into %o[%i] [1] [1]
      }
    }

The iterations share the buffer of %t, under the name %o, and each writes its own slice of
it. That buffer is also the result, so that on memrefs the loop has neither operand nor
result. `scf_shared_outs` determines beforehand which uses of %o in an iteration are
safe.

scf.parallel has no shared outputs. The only rule is that a tensor from outside that is
written inside must be copied for each iteration.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import BlockArgument, Operation, SSAValue, Use
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects import scf
from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.loop_like import COUNTED_LOOP
from xdsl_bufferization.interfaces.operands import operands_of
from xdsl_bufferization.interfaces.types import BufferType
from xdsl_bufferization.models.scf.shared_outs import keep_threads_apart
from xdsl_bufferization.models.values import number_of


class ForallModel(BufferizableModel):
    """`*bounds, *outputs`; block arguments: the induction variables, `*shared_outs`. An
    output is always read: what no iteration replaces stays in the result."""

    writes = True

    def prepare(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[tuple[Use, SSAValue]]:
        assert isinstance(op, scf.ForallOp)
        return keep_threads_apart(op, state, self.is_parallel_region(op, 0))

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        result = op.results[operand.index - _first_output(op)]
        return (AliasingValue(result, BufferRelation.EQUIVALENT),)

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if isinstance(value, BlockArgument):
            return ()
        operand = operands_of(op)[_first_output(op) + number_of(value)]
        return (AliasingOperand(operand, BufferRelation.EQUIVALENT),)

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        return True

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        return _may_repeat(op)

    def is_parallel_region(self, op: Operation, index: int) -> bool:
        return _may_repeat(op)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        number = number_of(value)
        if isinstance(value, BlockArgument):
            number -= len(value.block.args) - len(op.results)
        return types.get_buffer_type(op.operands[_first_output(op) + number])

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        assert isinstance(op, scf.ForallOp)
        buffers = [rewriter.get_buffer(output) for output in op.outputs]
        block = op.regions[0].block
        for argument, buffer in zip(_shared_outs(op), buffers, strict=True):
            rewriter.replace_value(argument, buffer)
            block.erase_arg(argument)
        loop = scf.ForallOp(
            (op.dynamic_lower_bound, op.static_lower_bound),
            (op.dynamic_upper_bound, op.static_upper_bound),
            (op.dynamic_step, op.static_step),
            [],
            op.detach_region(op.regions[0]),
            op.mapping,
        )
        loop.attributes |= op.attributes
        rewriter.insert(loop)
        rewriter.replace(op, buffers)


class ParallelModel(BufferizableModel):
    """scf.parallel."""

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        return _may_repeat(op)

    def is_parallel_region(self, op: Operation, index: int) -> bool:
        return _may_repeat(op)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        raise PassFailedException(
            f"{op.name}: a reduction of tensors cannot be bufferized. Use scf.for with "
            f"the tensor as an iter_arg, or reduce scalars.{describe(op)}"
        )


def _first_output(op: Operation) -> int:
    return len(op.operands) - len(op.results)


def _shared_outs(op: Operation) -> tuple[BlockArgument, ...]:
    args = op.regions[0].block.args
    return args[len(args) - len(op.results) :]


def _may_repeat(op: Operation) -> bool:
    """Whether there may be more than one iteration."""
    model = COUNTED_LOOP.lookup(op)
    assert model is not None
    return any(range.trip_count not in (0, 1) for range in model.get_ranges(op))
