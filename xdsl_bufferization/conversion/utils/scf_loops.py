"""scf.parallel and scf.forall as nests of scf.for, in the order of their indices.

Used by convert-scf-to-cf, and by the passes that stop at loops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerType,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.conversion.utils.diagnostics import refuse
from xdsl_bufferization.dialects import scf
from xdsl_bufferization.dialects.index_constants import index_constant

Finish: TypeAlias = "Callable[[Sequence[SSAValue]], list[SSAValue]]"


def parallel_to_for(op: Operation) -> list[Operation]:
    """Replace an scf.parallel. Return the ops that took its place in its block."""
    assert isinstance(op, scf.ParallelOp)
    reduce = op.body.block.last_op
    assert reduce is not None
    bounds = list(zip(op.lowerBound, op.upperBound, op.step, strict=True))
    body = op.body.detach_block(0)

    def finish(carried: Sequence[SSAValue]) -> list[SSAValue]:
        return _inline_reductions(reduce, carried)

    loop = _nest(bounds, list(op.initVals), body, finish)
    Rewriter.insert_op(loop, InsertPoint.before(op))
    Rewriter.replace_op(op, [], loop.results)
    return [loop]


def forall_to_for(op: Operation, pass_name: str) -> list[Operation]:
    """Replace an scf.forall on buffers. Return the ops that took its place in its
    block.

    Raises:
        PassFailedException: when it has results, which are tensors.
    """
    bounds, constants = _forall_bounds(op, pass_name)
    body = op.regions[0].detach_block(0)
    created = constants
    if bounds[0]:
        created.append(_nest(list(zip(*bounds, strict=True)), [], body, lambda _: []))
    else:
        # Without dimensions there is one iteration.
        created += (body.detach_op(inner) for inner in list(body.ops)[:-1])
    Rewriter.insert_op(created, InsertPoint.before(op))
    Rewriter.erase_op(op)
    return created


def forall_to_parallel(op: Operation, pass_name: str) -> None:
    """Replace an scf.forall on buffers by an scf.parallel.

    Raises:
        PassFailedException: when it has results, which are tensors.
    """
    bounds, constants = _forall_bounds(op, pass_name)
    if not bounds[0]:
        # scf.parallel needs a dimension; without one there is one iteration.
        forall_to_for(op, pass_name)
        return
    region = op.detach_region(0)
    end = region.block.last_op
    assert end is not None
    Rewriter.replace_op(end, scf.ReduceOp(), [])
    loop = scf.ParallelOp(*bounds, region)
    if (mapping := op.properties.get("mapping")) is not None:
        loop.attributes["mapping"] = mapping
    Rewriter.insert_op([*constants, loop], InsertPoint.before(op))
    Rewriter.erase_op(op)


def _forall_bounds(
    op: Operation, pass_name: str
) -> tuple[tuple[list[SSAValue], list[SSAValue], list[SSAValue]], list[Operation]]:
    """The lower bounds, upper bounds and steps of an scf.forall, and the constants that
    this takes.
    """
    assert isinstance(op, scf.ForallOp)
    if op.results:
        refuse(op, pass_name, "it shares tensors; run one-shot-bufferize first")
    constants: list[Operation] = []

    def values(static: DenseArrayBase, dynamic: Sequence[SSAValue]) -> list[SSAValue]:
        rest = iter(dynamic)
        result: list[SSAValue] = []
        for number in cast("DenseArrayBase[IntegerType]", static).iter_values():
            if number == DYNAMIC_INDEX:
                result.append(next(rest))
            else:
                constant = index_constant(int(number))
                constants.append(constant)
                result.append(constant.result)
        return result

    bounds = (
        values(op.static_lower_bound, op.dynamic_lower_bound),
        values(op.static_upper_bound, op.dynamic_upper_bound),
        values(op.static_step, op.dynamic_step),
    )
    return bounds, constants


def _nest(
    bounds: Sequence[tuple[SSAValue, SSAValue, SSAValue]],
    carried: Sequence[SSAValue],
    body: Block,
    finish: Finish,
) -> scf.ForOp:
    """A nest of loops around the ops of a block whose arguments are the indices; `finish`
    replaces the block's terminator and gives the values to yield.
    """
    types = [value.type for value in carried]
    loops: list[scf.ForOp] = []
    values = list(carried)
    for lower, upper, step in bounds:
        block = Block(arg_types=[lower.type, *types])
        loops.append(scf.ForOp(lower, upper, step, values, Region(block)))
        values = list(block.args[1:])
    innermost = loops[-1].body.block
    for argument, loop in zip(body.args, loops, strict=True):
        argument.replace_all_uses_with(loop.body.block.args[0])
    results = finish(values)
    terminator = body.last_op
    assert terminator is not None
    Rewriter.erase_op(terminator)
    for op in list(body.ops):
        op.detach()
        innermost.add_op(op)
    innermost.add_op(scf.YieldOp(*results))
    for outer, inner in zip(reversed(loops[:-1]), reversed(loops[1:]), strict=True):
        outer.body.block.add_ops([inner, scf.YieldOp(*inner.results)])
    return loops[0]


def _inline_reductions(reduce: Operation, carried: Sequence[SSAValue]) -> list[SSAValue]:
    """Put the bodies of an scf.reduce before it; return what they compute."""
    results: list[SSAValue] = []
    for old, new, region in zip(carried, reduce.operands, reduce.regions, strict=True):
        block = region.block
        block.args[0].replace_all_uses_with(old)
        block.args[1].replace_all_uses_with(new)
        terminator = block.last_op
        assert terminator is not None
        results.append(terminator.operands[0])
        Rewriter.erase_op(terminator)
        for op in list(block.ops):
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(reduce))
    return results
