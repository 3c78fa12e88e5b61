"""The base model of ops that execute one of their regions, such as scf.if."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import BlockArgument, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import (
    BufferTypes,
    has_fully_dynamic_layout,
)
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.operands import operands_of
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchModel,
    RegionSuccessor,
)
from xdsl_bufferization.interfaces.types import TENSOR_TYPES, BufferType
from xdsl_bufferization.models.base.terminators import (
    RegionOpModel,
    YieldModel,
    common_type,
    forward,
)
from xdsl_bufferization.models.values import number_of


class BranchBuffers(RegionOpModel):
    """An op whose results are what the terminators of its regions forward."""

    def terminators_of(self, op: Operation) -> Sequence[Operation]:
        """The terminators that forward values to the results."""
        return [
            block.last_op
            for region in op.regions
            for block in region.blocks
            if block.last_op is not None
            and isinstance(BUFFERIZABLE.lookup(block.last_op), YieldModel)
        ]

    def is_yielded_definitely(self, op: Operation) -> bool:
        """Whether a result is always the operand of one and the same terminator."""
        return False

    def values_of_yielded(self, op: Operation, number: int) -> Sequence[AliasingValue]:
        definite = self.is_yielded_definitely(op)
        return (AliasingValue(op.results[number], BufferRelation.EQUIVALENT, definite),)

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if isinstance(value, BlockArgument):
            return ()
        number = number_of(value)
        definite = self.is_yielded_definitely(op)
        return [
            AliasingOperand(operands_of(end)[number], BufferRelation.EQUIVALENT, definite)
            for end in self.terminators_of(op)
        ]

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        number = number_of(value)
        type_: BufferType | None = None
        for end in self.terminators_of(op):
            # Then the others do not matter. Asking for them all the same would make a
            # chain of `else if` quadratic.
            if type_ is not None and has_fully_dynamic_layout(type_):
                break
            yielded = types.get_buffer_type(end.operands[number])
            type_ = common_type(value, type_ or yielded, yielded, types)
        if type_ is None:  # It never ends.
            return types.unknown_buffer_type(value.type, op)
        return type_

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        rewriter.bufferize_operands(op)
        for result in op.results:
            if isinstance(result.type, TENSOR_TYPES):
                type_ = rewriter.get_buffer_type(result)
                for end in self.terminators_of(op):
                    forward(end, result.index, result, type_, rewriter)
                rewriter.set_type(result, type_)


class BranchControlFlow(RegionBranchModel):
    """Executes one of its regions, or none when that may be, and takes its results."""

    def get_successor_regions(
        self, op: Operation, point: Region | None
    ) -> Sequence[RegionSuccessor]:
        if point is not None:
            return (RegionSuccessor(None, op.results),)
        regions = [region for region in op.regions if region.blocks]
        successors = [RegionSuccessor(region, ()) for region in regions]
        if len(regions) < len(op.regions):
            successors.append(RegionSuccessor(None, op.results))
        return successors

    def get_entry_successor_operands(
        self, op: Operation, successor: Region | None
    ) -> Sequence[SSAValue]:
        return ()

    def append_forwarded_operands(
        self, op: Operation, operands: Sequence[SSAValue]
    ) -> None:
        if operands:
            raise ValueError(f"{op.name} forwards no operands")


@dataclass(frozen=True)
class BranchModel(BranchBuffers, BranchControlFlow):
    """A choice of one region: its results are what that region yields.

        traits = traits_def(BranchModel(), RecursiveMemoryEffect())

    The regions have no block arguments; each is one block that ends in a terminator of
    `YieldModel`, with a value for each result. Where a region is empty, there may be no
    result. Operands that are tensors are read by the op, as a condition is.
    """

    def verify(self, op: Operation | None = None) -> None:
        """Check that every region yields values of the types of the results.

        Raises:
            VerifyException: where one does not.
        """
        BufferizableModel.verify(self, op)
        assert op is not None
        expected = [result.type for result in op.results]
        for number, region in enumerate(op.regions):
            block = region.blocks.first
            end = None if block is None else block.last_op
            if end is None and not expected:
                continue
            types = [] if end is None else [operand.type for operand in end.operands]
            if types != expected:
                raise VerifyException(
                    f"{op.name}: region #{number} yields "
                    f"({', '.join(map(str, types))}), but the results are of types "
                    f"({', '.join(map(str, expected))}); {type(self).__name__} expects "
                    "the same"
                )
