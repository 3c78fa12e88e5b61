"""The base model of ops whose tensor results are new buffers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.op_on_buffers import insert_on_buffers, replace_by
from xdsl_bufferization.interfaces.reify import REIFY
from xdsl_bufferization.interfaces.types import TENSOR_TYPES


@dataclass(frozen=True)
class AllocationModel(BufferizableModel):
    """An op that makes its tensor results: each gets a buffer of its own.

        class IotaOp(IRDLOperation):           # %t = "toy.iota"() : () -> tensor<4xf32>
            name = "toy.iota"
            buffers = var_operand_def()
            results_ = var_result_def()
            traits = traits_def(AllocationModel(), MemoryWriteEffect())

    The op reads its tensor operands. On memrefs it is the same op, without the tensor
    results, and with their buffers as its last operands: `"toy.iota"(%t) :
    (memref<4xf32>) -> ()`. Override `bufferize` to build something else, and
    `dynamic_sizes` where results have dynamic sizes.
    """

    allocates = True

    def dynamic_sizes(
        self, op: Operation, result: OpResult, rewriter: BufferizationRewriter
    ) -> Sequence[SSAValue]:
        """The sizes of the dynamic dimensions of a result, as values of type index: by
        default those of ReifyRankedShapedTypeOpInterface.

        Raises:
            PassFailedException: when the op has no model of it, and the result a dynamic
                dimension.
        """
        if REIFY.lookup(op) is not None:
            return rewriter.reified_sizes(result)
        if DYNAMIC_INDEX in cast(TensorType, result.type).get_shape():
            raise PassFailedException(
                f"{op.name}: result #{result.index} is of type {result.type}, whose "
                "dynamic sizes are not known. Return them from "
                f"{type(self).__name__}.dynamic_sizes, as values of type index."
                f"{describe(op)}"
            )
        return ()

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        buffers: list[SSAValue] = []
        for result in op.results:
            if isinstance(result.type, TENSOR_TYPES):
                type_ = cast(MemRefType, rewriter.get_buffer_type(result))
                sizes = self.dynamic_sizes(op, result, rewriter)
                buffers.append(rewriter.create_alloc(type_, sizes))
        replace_by(op, insert_on_buffers(self, op, rewriter, buffers), buffers, rewriter)
