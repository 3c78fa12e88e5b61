"""Canonicalizations of affine.for and affine.if: bounds, empty bodies, conditions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    DenseArrayBase,
    i32,
)
from xdsl.ir import BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineExpr, AffineMap
from xdsl.ir.affine.affine_set import (
    AffineConstraintExpr,
    AffineConstraintKind,
    AffineSet,
)

from xdsl_bufferization.interfaces.loop_like import static_trip_count
from xdsl_bufferization.transforms.canonicalization_patterns.affine_maps import (
    Applied,
    applied,
    simplify,
    without_duplicates,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def simplify_bounds(op: Operation, worklist: Worklist) -> bool:
    """affine.for: what its bounds are computed from, each bound once."""
    assert isinstance(op, affine.ForOp)
    bounds = [
        applied(map_.data.results, map_.data.num_dims, list(operands))
        for map_, operands in (
            (op.lowerBoundMap, op.lowerBoundOperands),
            (op.upperBoundMap, op.upperBoundOperands),
        )
    ]
    new = [
        simplify(bound) or without_duplicates(bound, keep_greatest=is_lower)
        for bound, is_lower in zip(bounds, (True, False), strict=True)
    ]
    if new == [None, None]:
        return False
    lower, upper = (b if n is None else n for b, n in zip(bounds, new, strict=True))
    inits = list(op.inits)
    op.properties |= {
        "lowerBoundMap": as_map(lower),
        "upperBoundMap": as_map(upper),
        "operandSegmentSizes": DenseArrayBase.from_list(
            i32, [len(lower.operands), len(upper.operands), len(inits)]
        ),
    }
    worklist.set_operands(op, [*lower.operands, *upper.operands, *inits])
    return True


def as_map(map_: Applied) -> AffineMapAttr:
    return AffineMapAttr(AffineMap(len(map_.dims), len(map_.symbols), map_.results))


def skip_loop(op: Operation, worklist: Worklist) -> bool:
    """affine.for that never runs, or whose body only yields."""
    assert isinstance(op, affine.ForOp)
    trips = static_trip_count(op)
    if trips == 0:
        values: Sequence[SSAValue] | None = list(op.inits)
    else:
        values = _results_of_empty_loop(op, trips)
    if values is None:
        return False
    worklist.replace(op, values)
    return True


def _results_of_empty_loop(op: affine.ForOp, trips: int | None) -> list[SSAValue] | None:
    block = op.body.block
    terminator = block.last_op
    if terminator is None or terminator is not block.first_op:
        return None
    inits = list(op.inits)
    values: list[SSAValue] = []
    for number, yielded in enumerate(terminator.operands):
        if not isinstance(yielded, BlockArgument) or yielded.block is not block:
            # The result is the initial value if the loop does not run.
            if trips is None:
                return None
            values.append(yielded)
        elif yielded.index == number + 1:
            values.append(inits[number])
        elif yielded.index > 0 and trips == 1:
            values.append(inits[yielded.index - 1])
        else:
            return None
    return values


def simplify_condition(op: Operation, worklist: Worklist) -> bool:
    """affine.if: what its condition is computed from."""
    assert isinstance(op, affine.IfOp)
    condition = op.condition.data
    old = applied(
        [constraint.lhs - constraint.rhs for constraint in condition.constraints],
        condition.num_dims,
        list(op.operands),
    )
    new = simplify(old)
    if new is None:
        return False
    constraints = tuple(
        AffineConstraintExpr(constraint.kind, expr, AffineExpr.constant(0))
        for constraint, expr in zip(condition.constraints, new.results, strict=True)
    )
    op.properties["condition"] = AffineSetAttr(
        AffineSet(len(new.dims), len(new.symbols), constraints)
    )
    worklist.set_operands(op, new.operands)
    return True


def decide_condition(op: Operation, worklist: Worklist) -> bool:
    """affine.if whose condition always or never holds."""
    assert isinstance(op, affine.IfOp)
    decision = _decision(op.condition.data)
    if decision is None:
        return False
    region: Region = op.then_region if decision else op.else_region
    if region.blocks:
        worklist.replace(op, worklist.inline_block(region.block, op))
    else:
        worklist.replace(op, [])
    return True


def _decision(condition: AffineSet) -> bool | None:
    known = [_holds(constraint) for constraint in condition.constraints]
    if False in known:
        return False
    return None if None in known else True


def _holds(constraint: AffineConstraintExpr) -> bool | None:
    difference = constraint.lhs - constraint.rhs
    if not isinstance(difference, AffineConstantExpr):
        return None
    match constraint.kind:
        case AffineConstraintKind.ge:
            return difference.value >= 0
        case AffineConstraintKind.le:
            return difference.value <= 0
        case AffineConstraintKind.eq:
            return difference.value == 0


def drop_empty_else(op: Operation, worklist: Worklist) -> bool:
    """affine.if without results whose second region does nothing."""
    assert isinstance(op, affine.IfOp)
    blocks = op.else_region.blocks
    if (
        op.results
        or not blocks
        or op.else_region.block.first_op is not (op.else_region.block.last_op)
    ):
        return False
    terminator = op.else_region.block.last_op
    if not isinstance(terminator, affine.YieldOp):
        return False
    worklist.drop(terminator)
    block = op.else_region.detach_block(op.else_region.block)
    block.erase()
    return True
