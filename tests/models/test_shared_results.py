"""Results of an op of a user's own that are one buffer."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Dialect, Operation, Use
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    traits_def,
    var_result_def,
)
from xdsl.traits import Pure

import xdsl_bufferization
from xdsl_bufferization.interfaces.aliasing import AliasingValue, BufferRelation
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.universe import new_context


class Split(BufferizableModel):
    """All results are the operand."""

    reads = False

    def aliasing_values(self, op: Operation, operand: Use, state: Any) -> Any:
        return [AliasingValue(r, BufferRelation.EQUIVALENT) for r in op.results]

    def bufferize(self, op: Operation, rewriter: Any) -> None:
        buffer = rewriter.get_buffer(op.operands[0])
        rewriter.replace(op, [buffer for _ in op.results])


@irdl_op_definition
class SplitOp(IRDLOperation):
    name = "own.split"
    value = operand_def()
    outs = var_result_def()
    traits = traits_def(Split(), Pure())


def test_results_that_are_one_operand_share_a_buffer() -> None:
    """To copy the operand does not make them two; what is written must be copied."""
    context = new_context()
    context.load_dialect(Dialect("own", [SplitOp]))
    module = xdsl_bufferization.parse(
        """
        func.func @f(%t: tensor<4xi32>, %x: i32, %i: index) -> (i32, i32) {
          %a, %b = "own.split"(%t) : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
          %u = tensor.insert %x into %a[%i] : tensor<4xi32>
          %e = tensor.extract %b[%i] : tensor<4xi32>
          %g = tensor.extract %u[%i] : tensor<4xi32>
          return %e, %g : i32, i32
        }
        """,
        context=context,
    )
    xdsl_bufferization.bufferize(
        module, context=context, bufferize_function_boundaries=True
    )
    buffers = {
        op.name: op.operands[position]
        for op in module.walk()
        for name, position in (("memref.store", 1), ("memref.copy", 1))
        if op.name == name
    }
    reads = [op.operands[0] for op in module.walk() if op.name == "memref.load"]
    assert buffers["memref.store"] is buffers["memref.copy"] is reads[1] is not reads[0]
