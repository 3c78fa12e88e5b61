"""Simplification of scf.parallel and scf.forall: dimensions of zero or one
iteration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.dialects import scf, tensor
from xdsl_bufferization.dialects.index_constants import index_constant
from xdsl_bufferization.dialects.shapes import IntArray
from xdsl_bufferization.interfaces.loop_like import (
    COUNTED_LOOP,
    Bound,
    LoopRange,
    static_trip_count,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def drop_empty_parallel(op: Operation, worklist: Worklist) -> bool:
    """A parallel loop of no iteration is its initial values or outputs."""
    if static_trip_count(op) != 0:
        return False
    inits = op.initVals if isinstance(op, scf.ParallelOp) else getattr(op, "outputs", ())
    worklist.replace(op, list(inits))
    return True


def drop_single_iterations_of_parallel(op: Operation, worklist: Worklist) -> bool:
    """scf.parallel without its dimensions of one iteration; without any, its body."""
    assert isinstance(op, scf.ParallelOp)
    ranges = _ranges(op)
    kept = _kept_dimensions(ranges)
    if len(kept) == len(ranges):
        return False
    inits = list(op.initVals)
    region = _without_dimensions(op, ranges, kept, worklist)
    block = region.blocks.first
    assert block is not None
    if not kept:
        worklist.replace(op, _inline_with_reductions(op, block, inits, worklist))
        return True
    groups = (op.lowerBound, op.upperBound, op.step)
    lower, upper, step = ([group[i] for i in kept] for group in groups)
    new = scf.ParallelOp(lower, upper, step, _moved(region), inits)
    new.attributes |= op.attributes
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def merge_nested_parallel(op: Operation, worklist: Worklist) -> bool:
    """A parallel loop that does nothing but run another one is one loop with it.

    Attributes may say something of one of the two, as which threads run it.
    """
    assert isinstance(op, scf.ParallelOp)
    block = op.regions[0].block
    inner = block.first_op
    if (
        not isinstance(inner, scf.ParallelOp)
        or inner.next_op is not block.last_op
        or op.results
        or inner.results
        or op.attributes
        or inner.attributes
        or any(operand.owner is block for operand in inner.operands)
    ):
        return False
    body = inner.regions[0].block
    arguments = [
        body.insert_arg(argument.type, number)
        for number, argument in enumerate(block.args)
    ]
    for old, argument in zip(block.args, arguments, strict=True):
        worklist.replace_value(old, argument)
    new = scf.ParallelOp(
        [*op.lowerBound, *inner.lowerBound],
        [*op.upperBound, *inner.upperBound],
        [*op.step, *inner.step],
        _moved(inner.regions[0]),
        [],
    )
    worklist.insert_before(op, new)
    worklist.erase(op)
    return True


def _inline_with_reductions(
    op: Operation, block: Block, inits: Sequence[SSAValue], worklist: Worklist
) -> list[SSAValue]:
    """Move a body before `op`; the initial values, each reduced with a value of it."""
    reduce = block.last_op
    assert reduce is not None
    results: list[SSAValue] = []
    reductions = [region.detach_block(0) for region in reduce.regions]
    values = worklist.inline_block(block, op)
    for init, value, reduction in zip(inits, values, reductions, strict=True):
        results += worklist.inline_block(reduction, op, [init, value])
    return results


def simplify_forall(op: Operation, worklist: Worklist) -> bool:
    """scf.forall without its dimensions of one iteration, with constant bounds static.

    Where dimensions are mapped to hardware, they all stay.
    """
    assert isinstance(op, scf.ForallOp)
    ranges = _ranges(op)
    kept = list(range(len(ranges))) if op.mapping else _kept_dimensions(ranges)
    bounds = [ranges[i] for i in kept]
    groups = [
        _mixed((r.lower, r.static_lower) for r in bounds),
        _mixed((r.upper, r.static_upper) for r in bounds),
        _mixed((r.step, r.static_step) for r in bounds),
    ]
    dynamic = len(op.operands) - len(op.outputs)
    if kept and len(kept) == len(ranges) and sum(len(g[0]) for g in groups) == dynamic:
        return False
    outputs = list(op.outputs)
    region = _without_dimensions(op, ranges, kept, worklist)
    if not kept:
        worklist.replace(op, _inline_thread(op, region, outputs, worklist))
        return True
    lower, upper, step = groups
    new = scf.ForallOp(lower, upper, step, outputs, _moved(region), op.mapping)
    new.attributes |= op.attributes
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def _inline_thread(
    op: Operation, region: Region, outputs: Sequence[SSAValue], worklist: Worklist
) -> list[SSAValue]:
    """Move the body of the only thread before `op`; the outputs with its insertions."""
    block = region.blocks.first
    assert block is not None
    end = block.last_op
    assert isinstance(end, scf.InParallelOp)
    arguments = list(block.args)
    current = dict[SSAValue, SSAValue](zip(arguments, outputs, strict=True))
    for insertion in list(end.regions[0].block.ops):
        source, target, *rest = insertion.operands
        new = tensor.InsertSliceOp.create(
            operands=[source, current[target], *rest],
            result_types=[target.type],
            properties=insertion.properties,
            attributes=insertion.attributes,
        )
        worklist.insert_before(end, new)
        current[target] = new.results[0]
        worklist.erase(insertion)
    results = [current[argument] for argument in arguments]
    worklist.inline_block(block, op, outputs)
    return results


def _ranges(op: Operation) -> Sequence[LoopRange]:
    model = COUNTED_LOOP.lookup(op)
    return () if model is None else model.get_ranges(op)


def _kept_dimensions(ranges: Sequence[LoopRange]) -> list[int]:
    return [i for i, found in enumerate(ranges) if found.trip_count != 1]


def _without_dimensions(
    op: Operation, ranges: Sequence[LoopRange], kept: Sequence[int], worklist: Worklist
) -> Region:
    """The region of `op` without the induction variables of the other dimensions."""
    region = op.regions[0]
    block = region.blocks.first
    assert block is not None
    for i in reversed(range(len(ranges))):
        if i not in kept:
            lower = ranges[i].lower
            if not isinstance(lower, SSAValue):
                assert lower is not None
                constant = index_constant(lower)
                lower = worklist.constants.build(constant)
            worklist.replace_value(block.args[i], lower)
            block.erase_arg(block.args[i])
    return region


def _moved(region: Region) -> Region:
    target = Region()
    region.move_blocks(target)
    return target


def _mixed(
    bounds: Iterable[tuple[Bound, int | None]],
) -> tuple[list[SSAValue], IntArray]:
    """Operands and static values, of pairs of a bound and its value if that is known."""
    operands: list[SSAValue] = []
    numbers: list[int] = []
    for bound, known in bounds:
        if known is None:
            assert isinstance(bound, SSAValue)
            operands.append(bound)
        numbers.append(DYNAMIC_INDEX if known is None else known)
    return operands, DenseArrayBase.from_list(i64, numbers)
