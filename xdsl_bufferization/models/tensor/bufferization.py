"""The tensor dialect: cast, dim, extract, insert and rank; the other files of this
package have the rest."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import (
    IndexType,
    MemRefType,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects import memref, tensor
from xdsl_bufferization.interfaces.base_models import (
    AliasingModel,
    BufferizableModel,
    SingleDestinationModel,
)
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes, memref_type
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.types import BufferType
from xdsl_bufferization.records import record


class Cast(AliasingModel):
    """memref.cast. The layout stays, unless one of the types is unranked."""

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        source = types.get_buffer_type(op.operands[0])
        target = cast("TensorType | UnrankedTensorType", value.type)
        if isinstance(target, TensorType) and isinstance(source, MemRefType):
            return MemRefType(
                target.element_type, target.shape, source.layout, source.memory_space
            )
        return memref_type(target, "fully-dynamic-layout-map", source.memory_space)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = rewriter.get_buffer(op.operands[0])
        type_ = rewriter.get_buffer_type(op.results[0])
        rewriter.replace(op, [rewriter.create_cast(source, type_)])


@record
class Shape(BufferizableModel):
    """An op that asks for a tensor's shape and not for its elements."""

    buffer_op: type[Operation] = memref.DimOp
    reads = False

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = rewriter.get_buffer(op.operands[0])
        shape_op = self.buffer_op.create(
            operands=[source, *op.operands[1:]], result_types=[IndexType()]
        )
        rewriter.replace(op, rewriter.insert(shape_op).results)


class Extract(BufferizableModel):
    """memref.load."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = rewriter.get_buffer(op.operands[0])
        load = memref.LoadOp.create(
            operands=[source, *op.operands[1:]], result_types=[op.results[0].type]
        )
        rewriter.replace(op, rewriter.insert(load).results)


@record
class Insert(SingleDestinationModel):
    """memref.store."""

    destination: int = 1

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        dest = rewriter.get_buffer(op.operands[1])
        store = memref.StoreOp.create(operands=[op.operands[0], dest, *op.operands[2:]])
        rewriter.insert(store)
        rewriter.replace(op, [dest])


def register() -> None:
    """Attach the models of the dialect."""
    from xdsl_bufferization.models.tensor import (
        concat,
        elements,
        gather,
        reshapes,
        slices,
    )

    attach(tensor.CastOp, Cast())
    attach(tensor.DimOp, Shape(memref.DimOp))
    attach(tensor.ExtractOp, Extract())
    attach(tensor.InsertOp, Insert())
    attach(tensor.RankOp, Shape(memref.RankOp))
    concat.register()
    elements.register()
    gather.register()
    reshapes.register()
    slices.register()
