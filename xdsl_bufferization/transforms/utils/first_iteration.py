"""Compute before a loop whether it has an iteration."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.dialects import arith, memref, scf
from xdsl_bufferization.dialects.booleans import insert_before

MOST_OPS_OF_CONDITION = 16
"""A condition of scf.while of more ops is not asked before the loop as well."""


def is_scalar_condition(before: Block) -> bool:
    """Whether the condition of scf.while is cheap, and can be asked before the loop."""
    ops = list(islice(before.ops, MOST_OPS_OF_CONDITION + 2))
    return len(ops) <= MOST_OPS_OF_CONDITION + 1 and all(
        not op.regions
        and (is_side_effect_free(op) or isinstance(op, memref.LoadOp | scf.ConditionOp))
        for op in ops
    )


def ask_whether_runs(
    loop: scf.ForOp | scf.WhileOp,
) -> tuple[SSAValue, Sequence[SSAValue]]:
    """Build before a loop whether there is an iteration, in scf.while of the second
    region. Return this, and the results of the loop if there is none. The condition of
    scf.while is one that `is_scalar_condition`."""
    if isinstance(loop, scf.ForOp):
        less = "ult" if "unsignedCmp" in loop.properties else "slt"
        runs = arith.CmpiOp(loop.lb, loop.ub, less)
        return insert_before(loop, runs), loop.iter_args
    before = loop.before_region.block
    values: dict[SSAValue, SSAValue] = dict(zip(before.args, loop.operands, strict=True))
    for op in before.ops:
        if isinstance(op, scf.ConditionOp):
            condition, *forwarded = (values.get(value, value) for value in op.operands)
            return condition, forwarded
        Rewriter.insert_op(op.clone(values), InsertPoint.before(loop))
    raise AssertionError("scf.condition ends the region")
