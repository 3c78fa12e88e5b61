"""Control flow of scf: structured loops and conditionals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase
from xdsl.ir import Operation, Region, SSAValue

from xdsl_bufferization.dialects import scf
from xdsl_bufferization.dialects.shapes import IntArray
from xdsl_bufferization.interfaces.loop_like import Bound, LoopRange
from xdsl_bufferization.interfaces.region_branch import (
    RegionBranchModel,
    RegionSuccessor,
    ReturnLike,
)
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.base.branches import BranchControlFlow
from xdsl_bufferization.models.base.loops import IterArgsControlFlow


class _For(IterArgsControlFlow):
    """`lb, ub, step, *inits`; the body's first argument is the induction variable."""

    def get_ranges(self, op: Operation) -> Sequence[LoopRange]:
        return (LoopRange(*op.operands[:3], unsigned="unsignedCmp" in op.properties),)


class _While(RegionBranchModel):
    """From the parent to `before`; from there to `after` or out; from `after` back."""

    def get_successor_regions(
        self, op: Operation, point: Region | None
    ) -> Sequence[RegionSuccessor]:
        before, after = op.regions
        if point is before:
            return (
                RegionSuccessor(after, _arguments(after)),
                RegionSuccessor(None, op.results),
            )
        return (RegionSuccessor(before, _arguments(before)),)

    def get_loop_regions(self, op: Operation) -> Sequence[Region]:
        return op.regions

    def get_inits(self, op: Operation) -> Sequence[SSAValue]:
        return op.operands

    def get_region_iter_args(self, op: Operation) -> Sequence[SSAValue]:
        return _arguments(op.regions[0])


class _Parallel(BranchControlFlow):
    """A loop whose iterations forward nothing to each other."""

    def get_successor_regions(
        self, op: Operation, point: Region | None
    ) -> Sequence[RegionSuccessor]:
        return (RegionSuccessor(op.regions[0], ()), RegionSuccessor(None, ()))

    def get_loop_regions(self, op: Operation) -> Sequence[Region]:
        return op.regions

    def get_inits(self, op: Operation) -> Sequence[SSAValue]:
        return ()

    def get_region_iter_args(self, op: Operation) -> Sequence[SSAValue]:
        return ()


class _ScfParallel(_Parallel):
    """`*lower_bounds, *upper_bounds, *steps, *inits`."""

    def get_ranges(self, op: Operation) -> Sequence[LoopRange]:
        assert isinstance(op, scf.ParallelOp)
        bounds = zip(op.lowerBound, op.upperBound, op.step, strict=True)
        return [LoopRange(*bound) for bound in bounds]


class _Forall(_Parallel):
    """Bounds and steps are static, or dynamic operands."""

    def get_ranges(self, op: Operation) -> Sequence[LoopRange]:
        assert isinstance(op, scf.ForallOp)
        bounds = zip(
            _mixed(op.dynamic_lower_bound, op.static_lower_bound),
            _mixed(op.dynamic_upper_bound, op.static_upper_bound),
            _mixed(op.dynamic_step, op.static_step),
            strict=True,
        )
        return [LoopRange(*bound) for bound in bounds]


def _mixed(dynamic: Sequence[SSAValue], static: DenseArrayBase) -> list[Bound]:
    operands = iter(dynamic)
    numbers = cast(IntArray, static).get_values()
    return [next(operands) if number == DYNAMIC_INDEX else number for number in numbers]


def _arguments(region: Region) -> Sequence[SSAValue]:
    first = region.blocks.first
    return first.args if first is not None else ()


def register() -> None:
    attach(scf.ForOp, _For(first_init=3, first_iter_arg=1))
    attach(scf.WhileOp, _While())
    for alternatives in (scf.IfOp, scf.ExecuteRegionOp, scf.IndexSwitchOp):
        attach(alternatives, BranchControlFlow())
    attach(scf.ParallelOp, _ScfParallel())
    attach(scf.ForallOp, _Forall())
    attach(scf.YieldOp, ReturnLike())
    attach(scf.ReduceReturnOp, ReturnLike())
    attach(scf.ConditionOp, ReturnLike(first=1))
