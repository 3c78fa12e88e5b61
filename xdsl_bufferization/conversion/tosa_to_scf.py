"""The pass tosa-to-scf."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Operation, Region
from xdsl.rewriter import Rewriter

from xdsl_bufferization.conversion.tosa.common import Lowering, lower_tosa
from xdsl_bufferization.conversion.tosa.indexing import scatter
from xdsl_bufferization.dialects import scf, tensor, tosa
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.tensor_builder import TensorBuilder


@dataclass(frozen=True)
class TosaToScfPass(ModulePass):
    """Replace tosa.cond_if, while_loop and scatter by branches and loops.

        %0 = tosa.cond_if %c : tensor<i1> -> tensor<4xf32> {
          tosa.yield %a : tensor<4xf32>
        } else {
          tosa.yield %b : tensor<4xf32>
        }

    becomes

        %1 = tensor.extract %c[] : tensor<i1>
        %0 = scf.if %1 -> (tensor<4xf32>) {
          scf.yield %a : tensor<4xf32>
        } else {
          scf.yield %b : tensor<4xf32>
        }

    `tosa-to-linalg` includes this pass.
    """

    name = "tosa-to-scf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower_tosa(op, CONTROL_FLOW)


def _if(op: Operation) -> None:
    assert isinstance(op, tosa.IfOp)
    builder = TensorBuilder(op)
    condition = builder.insert(tensor.ExtractOp(op.cond, [], i1))
    inputs = op.operands[1:]
    regions = [op.detach_region(region) for region in tuple(op.regions)]
    for region in regions:
        block = region.block
        for argument, value in zip(tuple(block.args), inputs, strict=True):
            argument.replace_all_uses_with(value)
            block.erase_arg(argument)
        end = _end(region)
        Rewriter.replace_op(end, scf.YieldOp(*end.operands))
    Rewriter.replace_op(op, scf.IfOp(condition, op.result_types, regions[0], regions[1]))


def _while(op: Operation) -> None:
    before, after = (op.detach_region(region) for region in tuple(op.regions))
    decision = _end(before)
    builder = TensorBuilder(decision)
    condition = builder.insert(tensor.ExtractOp(decision.operands[0], [], i1))
    Rewriter.replace_op(decision, scf.ConditionOp(condition, *before.block.args))
    end = _end(after)
    Rewriter.replace_op(end, scf.YieldOp(*end.operands))
    Rewriter.replace_op(op, scf.WhileOp(op.operands, op.result_types, before, after))


def _end(region: Region) -> Operation:
    return cast(Operation, region.block.last_op)


CONTROL_FLOW: dict[str, Lowering] = {
    "tosa.cond_if": _if,
    "tosa.while_loop": _while,
    "tosa.scatter": scatter,
}
