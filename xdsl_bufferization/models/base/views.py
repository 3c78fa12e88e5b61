"""The base model of ops whose result is a view of a buffer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.interfaces.aliasing import BufferRelation
from xdsl_bufferization.interfaces.base_models import AliasingModel, BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes, memref_type
from xdsl_bufferization.interfaces.bufferization_options import TensorLike
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.op_on_buffers import insert_on_buffers
from xdsl_bufferization.interfaces.types import (
    MEMREF_TYPES,
    TENSOR_TYPES,
    BufferType,
)
from xdsl_bufferization.interfaces.view_like import FirstOperandView


@dataclass(frozen=True)
class ViewModel(AliasingModel, FirstOperandView):
    """An op whose only result is a view of its first operand: some of its elements, or
    all of them in another order.

        class EvenOp(IRDLOperation):     # %p = "toy.even"(%t) : ...
            name = "toy.even"
            whole = operand_def()
            part = result_def()
            traits = traits_def(ViewModel(), Pure())

    On memrefs it is the same op, on the buffer of the operand. It is a view there as well
    (ViewLikeOpInterface), so that buffer deallocation frees the buffer and not the view.

    Args:
        relation: UNKNOWN for a view; EQUIVALENT for a cast, whose result has the same
            elements in the same places.
    """

    relation: BufferRelation = BufferRelation.UNKNOWN

    def verify(self, op: Operation | None = None) -> None:
        """Check that a tensor is made of a tensor, or a memref of a memref.

        Raises:
            VerifyException: when something else is.
        """
        BufferizableModel.verify(self, op)
        assert op is not None
        types = [value.type for value in (*op.operands[:1], *op.results[:1])]
        if len(types) != 2 or not any(
            all(isinstance(type_, kind) for type_ in types)
            for kind in (TENSOR_TYPES, MEMREF_TYPES)
        ):
            raise VerifyException(
                f"{op.name}: {type(self).__name__} is for an op that makes a tensor of "
                "its first operand, which is a tensor, or a memref of a memref"
            )

    def view_type(self, op: Operation, source: BufferType) -> BufferType:
        """The type of the view of a buffer. By default, nothing is known of the layout of
        a view; that of a cast is the layout of the buffer."""
        tensor_type = cast(TensorLike, op.results[0].type)
        if (
            self.relation is BufferRelation.EQUIVALENT
            and isinstance(source, MemRefType)
            and isinstance(tensor_type, TensorType)
        ):
            return MemRefType(
                tensor_type.element_type,
                tensor_type.get_shape(),
                source.layout,
                source.memory_space,
            )
        return memref_type(tensor_type, "fully-dynamic-layout-map", source.memory_space)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        return self.view_type(op, types.get_buffer_type(op.operands[0]))

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = rewriter.get_buffer(op.operands[0])
        type_ = self.view_type(op, cast(BufferType, source.type))
        view = insert_on_buffers(self, op, rewriter, results=[type_])
        rewriter.replace(op, view.results)
