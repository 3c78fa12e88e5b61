"""The base model of terminators that forward tensors, and its queries to the parent
op."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.ir import Operation, Region, SSAValue, Use
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.error_positions import name_of
from xdsl_bufferization.interfaces.aliasing import AliasingValue
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import (
    BufferTypes,
)
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.types import MEMREF_TYPES, TENSOR_TYPES, BufferType


class RegionOpModel(BufferizableModel):
    """An op whose regions end with terminators of `YieldModel`."""

    def yield_targets(self, op: Operation, end: Operation) -> Sequence[SSAValue]:
        """The values whose buffers have the types of what a terminator forwards."""
        return op.results

    def values_of_yielded(self, op: Operation, number: int) -> Sequence[AliasingValue]:
        """The results that are the buffer of an operand of a terminator, by its number.

        None, as for loops: their results are linked to their init operands instead.
        """
        return ()


class RegionTerminatorModel(BufferizableModel):
    """A terminator that forwards tensors: it reads them, so that they are finished by
    then, and never copies them, for that would be an allocation to forward."""

    always_in_place = True


class YieldModel(RegionTerminatorModel):
    """A terminator that forwards all its operands to the op around it, which has a model
    derived from `LoopModel` or `BranchModel`.

        traits = traits_def(IsTerminator(), YieldModel(), Pure())
    """

    def get_returned_operand_range(self, op: Operation, point: Region | None) -> range:
        return range(len(op.operands))

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        parent = op.parent_op()
        if parent is None:
            return ()
        model = BUFFERIZABLE.lookup(parent)
        if not isinstance(model, RegionOpModel):
            return ()
        return model.values_of_yielded(parent, operand.index)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        parent = op.parent_op()
        assert parent is not None
        model = BUFFERIZABLE.lookup(parent)
        if not isinstance(model, RegionOpModel):
            raise PassFailedException(
                f"{op.name}: it is not known what {name_of(parent)} does with the "
                "tensors that are yielded. Derive its model from LoopModel or "
                "BranchModel of xdsl_bufferization.base_models, or end its region "
                "with a terminator of its own dialect, which has a model of "
                "BufferizableOpInterface."
                f"{describe(op)}"
            )
        forward_all(op, 0, model.yield_targets(parent, op), rewriter)


def forward_all(
    end: Operation,
    first: int,
    targets: Sequence[SSAValue],
    rewriter: BufferizationRewriter,
) -> None:
    """Let a terminator forward buffers, operands from the `first` on, each of the type of
    its target."""
    for index, target in enumerate(targets, first):
        if isinstance(target.type, (*TENSOR_TYPES, *MEMREF_TYPES)):
            forward(end, index, target, rewriter.get_buffer_type(target), rewriter)


def forward(
    end: Operation,
    index: int,
    target: SSAValue,
    type_: BufferType,
    rewriter: BufferizationRewriter,
) -> None:
    """Let a terminator forward a buffer of the type of its target."""
    buffer = rewriter.get_buffer(end.operands[index])
    if buffer.type != type_:
        common_type(target, type_, cast(BufferType, buffer.type), rewriter.types)
        with rewriter.insert_at(InsertPoint.before(end)):
            buffer = rewriter.create_cast(buffer, type_)
    rewriter.set_operand(end, index, buffer)


def common_type(
    value: SSAValue, first: BufferType, second: BufferType, types: BufferTypes
) -> BufferType:
    """The type of a result that is now the first, now the second buffer."""
    what = "the buffers that its regions yield"
    return types.common_buffer_type(value, first, second, what)
