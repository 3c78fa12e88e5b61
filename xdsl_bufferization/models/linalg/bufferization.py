"""The linalg dialect: destination-style ops, with one model for all of them.

The op itself is kept, on memrefs and without results. Its body shows whether it reads
an operand: an output whose block argument is unused is only written (linalg.fill,
linalg.copy). An elementwise op may write an operand in place that it also reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, ArrayAttr
from xdsl.ir import Operation, OpResult, SSAValue, Use
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.dialects import linalg
from xdsl_bufferization.dialects.linalg.attrs import IteratorType
from xdsl_bufferization.dialects.linalg.structured import output_count
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.subset import Equivalence
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.models.subsets import WholeDestinationSubset

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState


class DestinationStyleLinalg(BufferizableModel):
    """An op whose last operands are its outputs, one for each result."""

    def dps_inits(self, op: Operation) -> Sequence[Use]:
        operands = operands_of(op)
        if op.results:
            return operands[-len(op.results) :]
        return operands[len(operands) - output_count(op) :]

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        """Outputs are overwritten, unless the model of the op says otherwise."""
        return operand.index < len(operands_of(op)) - len(op.results)

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return operand.index >= len(operands_of(op)) - len(op.results)

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        number = operand.index - (len(operands_of(op)) - len(op.results))
        if number < 0:
            return ()
        return (AliasingValue(op.results[number], BufferRelation.EQUIVALENT),)

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        if not isinstance(value, OpResult):
            return ()
        operand = operands_of(op)[value.index - len(op.results)]
        return (AliasingOperand(operand, BufferRelation.EQUIVALENT),)

    def result_bufferizes_to_memory_write(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> bool:
        return True

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        operands = [
            rewriter.get_buffer(operand)
            if isinstance(operand.type, TENSOR_TYPES)
            else operand
            for operand in op.operands
        ]
        outputs = operands[len(operands) - len(op.results) :]
        new_op = type(op).create(
            operands=operands,
            properties=op.properties,
            attributes=op.attributes,
            regions=[op.detach_region(region) for region in tuple(op.regions)],
        )
        rewriter.insert(new_op)
        rewriter.replace(op, outputs)


class Structured(DestinationStyleLinalg):
    """An op with loops and a scalar body, which runs many times."""

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        return True

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return op.regions[0].block.args[operand.index].first_use is not None

    def bufferizes_to_elementwise_access(
        self, op: Operation, operands: Sequence[Use], state: AnalysisState
    ) -> bool:
        """Whether all loops are parallel and index these operands alike, in order."""
        assert isinstance(op, linalg.LinalgStructuredOperation)
        if any(
            kind.data is not IteratorType.PARALLEL for kind in op.get_iterator_types()
        ):
            return False
        maps = op.get_indexing_maps().data
        identity = AffineMap.identity(maps[0].data.num_dims)
        return all(maps[operand.index].data == identity for operand in operands)

    def reify_result_size(
        self, op: Operation, number: int, dimension: int, rewriter: BufferizationRewriter
    ) -> int | SSAValue:
        """The size of the first operand that the loop over this dimension runs over; of
        the output itself when that is no input."""
        assert isinstance(op, linalg.LinalgStructuredOperation)
        maps = op.get_indexing_maps().data
        first_output = len(op.operands) - len(op.results)
        index = maps[first_output + number].data.results[dimension]
        if isinstance(index, AffineDimExpr):
            for operand, map_ in zip(op.operands[:first_output], maps, strict=False):
                if index in map_.data.results:
                    position = map_.data.results.index(index)
                    size = (shape_of(operand.type) or ())[position]
                    if size != DYNAMIC_INDEX:
                        return size
                    return rewriter.create_dim(operand, position)
        return rewriter.create_dim(op.operands[first_output + number], dimension)


class Generic(Structured):
    """linalg.generic, whose indexing maps may leave elements of an output as they are."""

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return Structured.bufferizes_to_memory_read(self, op, operand, state) or (
            self.bufferizes_to_memory_write(op, operand, state)
            and not _is_covered(op, operand)
        )


def _is_covered(op: Operation, output: Use) -> bool:
    """Whether the loops write every element of an output: each of its dimensions is a
    loop of its own, or has a single element."""
    maps = cast("ArrayAttr[AffineMapAttr]", op.properties["indexing_maps"])
    indices = maps.data[output.index].data.results
    seen: set[int] = set()
    for index, size in zip(indices, shape_of(get(output).type) or (), strict=True):
        if isinstance(index, AffineDimExpr) and index.position not in seen:
            seen.add(index.position)
        elif size != 1 or index != AffineConstantExpr(0):
            return False
    return True


class Softmax(DestinationStyleLinalg):
    """The result is as large as the input."""

    def reify_result_size(
        self, op: Operation, number: int, dimension: int, rewriter: BufferizationRewriter
    ) -> int | SSAValue:
        return rewriter.create_dim(op.operands[0], dimension)


class Copy(WholeDestinationSubset, Structured):
    """linalg.copy replaces all of its destination: a subset insertion as well."""

    def operates_on_equivalent_subset(
        self, op: Operation, other: Operation, equivalence: Equivalence
    ) -> bool:
        return isinstance(other, linalg.CopyOp) and equivalence(
            op.operands[1], other.operands[1]
        )

    def build_subset_extraction(
        self, op: Operation, point: InsertPoint
    ) -> SSAValue | None:
        return op.operands[1]


def register() -> None:
    """Attach the models of the dialect."""
    from xdsl_bufferization.models.linalg import relayout

    structured = Structured()
    for op in linalg.Linalg.operations:
        if issubclass(op, linalg.LinalgStructuredOperation):
            attach(op, structured)
    attach(linalg.CopyOp, Copy())
    attach(linalg.GenericOp, Generic())
    attach(linalg.SoftmaxOp, Softmax())
    relayout.register()
