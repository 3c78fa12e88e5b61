"""Control flow of affine: the ranges of its loops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntElementsAttr,
    IntegerAttr,
    IntegerType,
    i32,
)
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineMap

from xdsl_bufferization.dialects import affine
from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.interfaces.loop_like import LoopRange
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchModel,
    RegionSuccessor,
    ReturnLike,
)
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.base.branches import BranchControlFlow

Choose = Callable[[Iterable[int]], int]


class _For(RegionBranchModel):
    """`*lower_operands, *upper_operands, *inits`."""

    def get_successor_regions(
        self, op: Operation, point: Region | None
    ) -> Sequence[RegionSuccessor]:
        body = op.regions[0]
        return (
            RegionSuccessor(body, body.block.args[1:]),
            RegionSuccessor(None, op.results),
        )

    def get_entry_successor_operands(
        self, op: Operation, successor: Region | None
    ) -> Sequence[SSAValue]:
        assert isinstance(op, affine.ForOp)
        return op.inits

    def append_forwarded_operands(
        self, op: Operation, operands: Sequence[SSAValue]
    ) -> None:
        super().append_forwarded_operands(op, operands)
        _count_inits(op, len(operands))

    def erase_forwarded_operands(self, op: Operation, positions: Sequence[int]) -> None:
        super().erase_forwarded_operands(op, positions)
        _count_inits(op, -len(positions))

    def get_ranges(self, op: Operation) -> Sequence[LoopRange]:
        assert isinstance(op, affine.ForOp)
        lower = _results(op.lowerBoundMap.data, op.lowerBoundOperands)
        upper = _results(op.upperBoundMap.data, op.upperBoundOperands)
        step = op.step.value.data
        return (LoopRange(_chosen(max, lower), _chosen(min, upper), step),)

    def get_loop_regions(self, op: Operation) -> Sequence[Region]:
        return op.regions

    def get_inits(self, op: Operation) -> Sequence[SSAValue]:
        assert isinstance(op, affine.ForOp)
        return op.inits

    def get_region_iter_args(self, op: Operation) -> Sequence[SSAValue]:
        return op.regions[0].block.args[1:]


def _count_inits(op: Operation, more: int) -> None:
    """Note that an affine.for has more initial values, its last operands, or less."""
    segments = cast("DenseArrayBase[IntegerType]", op.properties["operandSegmentSizes"])
    *bounds, inits = segments.get_values()
    sizes = DenseArrayBase.from_list(i32, [*bounds, inits + more])
    op.properties["operandSegmentSizes"] = sizes


class _Parallel:
    """`*lower_operands, *upper_operands`; a group of results of the maps a dimension."""

    def get_ranges(self, op: Operation) -> Sequence[LoopRange]:
        assert isinstance(op, affine.ParallelOp)
        lower, upper = op.lowerBoundsMap.data, op.upperBoundsMap.data
        count = lower.num_dims + lower.num_symbols
        lowers = _results(lower, op.operands[:count])
        uppers = _results(upper, op.operands[count:])
        bounds = zip(
            _groups(lowers, op.lowerBoundsGroups),
            _groups(uppers, op.upperBoundsGroups),
            op.steps,
            strict=True,
        )
        return [
            LoopRange(
                _chosen(max, low), _chosen(min, high), cast(IntegerAttr, step).value.data
            )
            for low, high, step in bounds
        ]


def _results(map: AffineMap, operands: Sequence[SSAValue]) -> list[int | None]:
    """The results of a map, None for those that are not constant."""
    known = [constant_integer(operand) for operand in operands]
    numbers = [number for number in known if number is not None]
    if len(numbers) == len(known):
        return list(map.eval(numbers[: map.num_dims], numbers[map.num_dims :]))
    return [
        result.value if isinstance(result, AffineConstantExpr) else None
        for result in map.results
    ]


def _groups(
    results: Sequence[int | None], sizes: DenseIntElementsAttr
) -> Sequence[Sequence[int | None]]:
    ends = list(accumulate(sizes.get_values(), initial=0))
    return [results[begin:end] for begin, end in pairwise(ends)]


def _chosen(choose: Choose, bounds: Sequence[int | None]) -> int | None:
    """The greatest or least of several bounds, if all are known."""
    known = [bound for bound in bounds if bound is not None]
    return choose(known) if known and len(known) == len(bounds) else None


def register() -> None:
    attach(affine.ForOp, _For())
    attach(affine.IfOp, BranchControlFlow())
    attach(affine.YieldOp, ReturnLike())
    attach(affine.ParallelOp, _Parallel())
