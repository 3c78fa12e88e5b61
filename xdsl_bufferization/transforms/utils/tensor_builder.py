"""Building of ops on tensors with partially static sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.dialects.affine import ApplyOp
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects import linalg, tensor

Size: TypeAlias = int | SSAValue
"""A size or offset, static or dynamic."""


def static_sizes(sizes: Sequence[Size]) -> list[int]:
    """The sizes as attributes and types list them."""
    return [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]


def dynamic_sizes(sizes: Sequence[Size]) -> list[SSAValue]:
    """The sizes as operands list them."""
    return [size for size in sizes if not isinstance(size, int)]


def mixed_sizes(static: Sequence[int], dynamic: Sequence[SSAValue]) -> list[Size]:
    """Sizes from the two lists that an op has of them."""
    operands = iter(dynamic)
    return [next(operands) if size == DYNAMIC_INDEX else size for size in static]


@dataclass
class TensorBuilder:
    """Inserts ops before another one."""

    before: Operation

    def insert(self, op: Operation) -> SSAValue:
        """Insert an op, and return its first result."""
        Rewriter.insert_op(op, InsertPoint.before(self.before))
        return op.results[0]

    def index(self, value: int) -> SSAValue:
        return self.insert(ConstantOp(IntegerAttr.from_index_int_value(value)))

    def size(self, value: SSAValue, number: int) -> Size:
        """The size of a dimension."""
        size = cast(TensorType, value.type).get_shape()[number]
        if size != DYNAMIC_INDEX:
            return size
        return self.insert(tensor.DimOp(value, self.index(number)))

    def sizes(self, value: SSAValue) -> list[Size]:
        """The sizes of all dimensions."""
        rank = cast(TensorType, value.type).get_num_dims()
        return [self.size(value, number) for number in range(rank)]

    def sum(self, sizes: Sequence[Size]) -> Size:
        """A sum, in one affine.apply if it is not known."""
        dynamic = dynamic_sizes(sizes)
        constant = sum(size for size in sizes if isinstance(size, int))
        if not dynamic:
            return constant
        if len(dynamic) == 1 and not constant:
            return dynamic[0]
        total = AffineExpr.symbol(0)
        for position in range(1, len(dynamic)):
            total += AffineExpr.symbol(position)
        if constant:
            total += constant
        map_ = AffineMapAttr(AffineMap(0, len(dynamic), (total,)))
        return self.insert(ApplyOp(dynamic, map_))

    def empty(self, sizes: Sequence[Size], like: TensorType) -> SSAValue:
        """An empty tensor of the given sizes, and what else the type says."""
        type_ = TensorType(like.element_type, static_sizes(sizes), like.encoding)
        return self.insert(tensor.EmptyOp(dynamic_sizes(sizes), type_))

    def fill(self, element: SSAValue, dest: SSAValue) -> SSAValue:
        return self.insert(linalg.FillOp([element], [dest], [dest.type]))

    def extract_slice(
        self, source: SSAValue, offsets: Sequence[Size], sizes: Sequence[Size]
    ) -> SSAValue:
        """tensor.extract_slice with unit strides."""
        type_ = cast(TensorType, source.type)
        extraction = tensor.ExtractSliceOp.build(
            operands=[source, dynamic_sizes(offsets), dynamic_sizes(sizes), []],
            result_types=[TensorType(type_.element_type, static_sizes(sizes))],
            properties={
                "static_offsets": DenseArrayBase.from_list(i64, static_sizes(offsets)),
                "static_sizes": DenseArrayBase.from_list(i64, static_sizes(sizes)),
                "static_strides": DenseArrayBase.from_list(i64, [1] * len(offsets)),
            },
        )
        return self.insert(extraction)

    def expand_shape(
        self, source: SSAValue, reassociation: Attribute, sizes: Sequence[Size]
    ) -> SSAValue:
        type_ = cast(TensorType, source.type)
        known = static_sizes(sizes)
        expansion = tensor.ExpandShapeOp.build(
            operands=[source, dynamic_sizes(sizes)],
            result_types=[TensorType(type_.element_type, known)],
            properties={
                "reassociation": reassociation,
                "static_output_shape": DenseArrayBase.from_list(i64, known),
            },
        )
        return self.insert(expansion)

    def insert_slice(
        self,
        source: SSAValue,
        dest: SSAValue,
        offsets: Sequence[Size],
        sizes: Sequence[Size],
    ) -> SSAValue:
        """tensor.insert_slice with unit strides."""
        insertion = tensor.InsertSliceOp.build(
            operands=[source, dest, dynamic_sizes(offsets), dynamic_sizes(sizes), []],
            result_types=[dest.type],
            properties={
                "static_offsets": DenseArrayBase.from_list(i64, static_sizes(offsets)),
                "static_sizes": DenseArrayBase.from_list(i64, static_sizes(sizes)),
                "static_strides": DenseArrayBase.from_list(i64, [1] * len(offsets)),
            },
        )
        return self.insert(insertion)
