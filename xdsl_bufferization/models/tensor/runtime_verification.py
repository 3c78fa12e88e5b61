"""Requirements of tensor: those of the corresponding ops on memrefs, checked while the
original op still exists and can be shown in messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation

from xdsl_bufferization.analysis.facts.value_bounds import mixed_list, static_list
from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.interfaces.runtime_verifiable import (
    AtLeast,
    Equal,
    RankOf,
    Requirement,
    SizeOf,
)
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.memref.runtime_verification import (
    Access,
    Dim,
    ExpandShape,
    allocatable,
    slices_inside,
)


class _Cast:
    """A cast to a type that knows more must find that true."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        source, result = op.operands[0], op.results[0].type
        if not isinstance(result, TensorType):
            return ()
        wanted = cast("TensorType[Attribute]", result).get_shape()
        known = shape_of(source.type)
        requirements: list[Requirement] = []
        if known is None:
            requirements.append(Equal(RankOf(source), len(wanted), "rank mismatch"))
            known = [DYNAMIC_INDEX] * len(wanted)
        requirements += [
            Equal(SizeOf(source, i), size, f"size mismatch of dim {i}")
            for i, (old, size) in enumerate(zip(known, wanted, strict=True))
            if old == DYNAMIC_INDEX and size != DYNAMIC_INDEX
        ]
        return requirements


class _New:
    """A tensor of sizes that are operands."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        type_ = cast("TensorType[Attribute]", op.results[0].type)
        count = type_.get_shape().count(DYNAMIC_INDEX)
        first = len(op.operands) - count if isinstance(op, tensor.SplatOp) else 0
        return allocatable(type_.get_shape(), op.operands[first : first + count])


class _ExtractSlice:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("tensor.ExtractSliceOp", op)
        return slices_inside(op, op.source, "slice")


class _InsertSlice:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("tensor.InsertSliceOp", op)
        requirements = slices_inside(op, op.dest, "slice")
        sizes = mixed_list(op.sizes, static_list(op, "static_sizes"))
        if len(shape_of(op.source.type) or ()) == len(sizes):
            requirements += [
                Equal(
                    SizeOf(op.source, i),
                    size,
                    f"dim {i} of the source is not the slice's",
                )
                for i, size in enumerate(sizes)
            ]
        return requirements


class _Pad:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("tensor.PadOp", op)
        return [
            AtLeast(number, 0, f"{side} padding of dim {i} is negative")
            for side, dynamic in (("low", op.low), ("high", op.high))
            for i, number in enumerate(
                mixed_list(dynamic, static_list(op, f"static_{side}"))
            )
        ]


def register() -> None:
    attach(tensor.CastOp, _Cast())
    attach(tensor.DimOp, Dim())
    attach(tensor.EmptyOp, _New())
    attach(tensor.ExpandShapeOp, ExpandShape())
    attach(tensor.ExtractOp, Access(0))
    attach(tensor.ExtractSliceOp, _ExtractSlice())
    attach(tensor.GenerateOp, _New())
    attach(tensor.InsertOp, Access(1))
    attach(tensor.InsertSliceOp, _InsertSlice())
    attach(tensor.PadOp, _Pad())
    attach(tensor.SplatOp, _New())
