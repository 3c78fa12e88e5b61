"""The pass tosa-to-arith."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    ModuleOp,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.conversion.tosa.common import (
    Lowering,
    Scalars,
    lower_tosa,
)
from xdsl_bufferization.conversion.tosa.scaling import apply_scale, rounds_twice
from xdsl_bufferization.module_pass import ModulePass

_Values: TypeAlias = DenseIntOrFPElementsAttr | DenseResourceAttr


@dataclass(frozen=True)
class TosaToArithPass(ModulePass):
    """Replace tosa.const and tosa.apply_scale by arith ops.

        %0 = "tosa.const"() <{values = dense<1.0> : tensor<4xf32>}> : () -> tensor<4xf32>

    becomes

        %0 = arith.constant dense<1.0> : tensor<4xf32>

    Run it last: other passes of tosa look for constant zero points and shapes.
    `tosa-to-linalg` includes this pass.

    Options:
    - include-apply-rescale: replace tosa.apply_scale too (false).
    """

    name = "tosa-to-arith"

    include_apply_rescale: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        scaling = APPLY_SCALE if self.include_apply_rescale else {}
        lower_tosa(op, CONSTANTS | scaling)


def _constant(op: Operation) -> SSAValue:
    constant = arith.ConstantOp(cast(_Values, op.properties["values"]))
    Rewriter.insert_op(constant, InsertPoint.before(op))
    return constant.result


def _apply_scale(op: Operation) -> SSAValue:
    value, multiplier, shift = op.operands
    block = Block()
    double = rounds_twice(op)
    result = apply_scale(value, multiplier, shift, Scalars(block), double=double)
    for scalar_op in tuple(block.ops):
        scalar_op.detach()
        Rewriter.insert_op(scalar_op, InsertPoint.before(op))
    return result


CONSTANTS: dict[str, Lowering] = {"tosa.const": _constant}
APPLY_SCALE: dict[str, Lowering] = {"tosa.apply_scale": _apply_scale}
