"""tensor.expand_shape, collapse_shape, reshape and bitcast: the same elements, another
type.

Most need no copy. But if the buffer is a slice, the elements to be collapsed into one
dimension may not be evenly spaced; then they are copied to a new, contiguous buffer.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    TensorType,
)
from xdsl.ir import Operation, SSAValue, Use
from xdsl.ir.affine import AffineExpr, AffineMap

from xdsl_bufferization.dialects import memref, tensor
from xdsl_bufferization.dialects.memref import has_identity_layout
from xdsl_bufferization.dialects.shapes import reassociation_groups
from xdsl_bufferization.interfaces.aliasing import AliasingValue
from xdsl_bufferization.interfaces.base_models import AliasingModel
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.types import BufferType
from xdsl_bufferization.models.buffer_types import (
    collapsed_type,
    expanded_type,
    identity_type,
)

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState


class ExpandShape(AliasingModel):
    """memref.expand_shape, always without a copy."""

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        return self._type(op, types.get_buffer_type(op.operands[0]))

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = rewriter.get_buffer(op.operands[0])
        expand = memref.ExpandShapeOp.create(
            operands=[source, *op.operands[1:]],
            result_types=[self._type(op, cast(BufferType, source.type))],
            properties={
                "reassociation": op.properties["reassociation"],
                "static_output_shape": op.properties["static_output_shape"],
            },
        )
        rewriter.replace(op, rewriter.insert(expand).results)

    def reify_result_size(
        self, op: Operation, number: int, dimension: int, rewriter: BufferizationRewriter
    ) -> int | SSAValue:
        shape = cast(TensorType, op.results[0].type).get_shape()
        return op.operands[1 + shape[:dimension].count(DYNAMIC_INDEX)]

    def _type(self, op: Operation, source: BufferType) -> MemRefType:
        shape = cast("TensorType | MemRefType", op.results[0].type).get_shape()
        groups = reassociation_groups(op.properties["reassociation"])
        return expanded_type(source, shape, groups, op)


class CollapseShape(AliasingModel):
    """memref.collapse_shape, of a copy where the dimensions of a group might not be
    contiguous. Because of that copy it counts as a read."""

    reads = True

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        source = types.get_buffer_type(op.operands[0])
        if (type_ := self._type(op, source)) is not None:
            return type_
        return types.identity_buffer_type(value.type, source.memory_space)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = rewriter.get_buffer(op.operands[0])
        type_ = self._type(op, cast(BufferType, source.type))
        if type_ is None:
            source = create_contiguous_copy(source, rewriter)
            type_ = self._type(op, cast(MemRefType, source.type))
            assert type_ is not None, "contiguous"
        collapse = memref.CollapseShapeOp.create(
            operands=[source],
            result_types=[type_],
            properties={"reassociation": op.properties["reassociation"]},
        )
        rewriter.replace(op, rewriter.insert(collapse).results)

    def copied_for_layout(self, op: Operation, types: BufferTypes) -> Sequence[Use]:
        source = operands_of(op)[0]
        type_ = self._type(op, types.get_buffer_type(get(source)))
        return (source,) if type_ is None else ()

    def _type(self, op: Operation, source: BufferType) -> MemRefType | None:
        shape = cast("TensorType | MemRefType", op.results[0].type).get_shape()
        groups = reassociation_groups(op.properties["reassociation"])
        return collapsed_type(source, shape, groups, op)

    def reify_result_size(
        self, op: Operation, number: int, dimension: int, rewriter: BufferizationRewriter
    ) -> int | SSAValue:
        """The product of the sizes of the dimensions that are joined, if one of them is
        dynamic: of more it is not computed."""
        source = op.operands[0]
        shape = cast("TensorType | MemRefType", source.type).get_shape()
        group = reassociation_groups(op.properties["reassociation"])[dimension]
        dynamic = [joined for joined in group if shape[joined] == DYNAMIC_INDEX]
        if len(dynamic) > 1:
            return rewriter.create_dim(op.results[number], dimension)
        size = rewriter.create_dim(source, dynamic[0])
        factor = prod(shape[joined] for joined in group if joined != dynamic[0])
        if factor == 1:
            return size
        from xdsl.dialects.affine import ApplyOp

        map_ = AffineMapAttr(AffineMap(0, 1, (AffineExpr.symbol(0) * factor,)))
        return rewriter.insert(ApplyOp([size], map_)).results[0]


class Reshape(AliasingModel):
    """memref.reshape, of a copy where the source has a layout. The new shape, the second
    operand, is read."""

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return operand.index == 1

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        if operand.index != 0:
            return ()
        return (AliasingValue(op.results[0], self.relation),)

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        source = types.get_buffer_type(op.operands[0])
        return types.identity_buffer_type(value.type, source.memory_space)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = rewriter.get_buffer(op.operands[0])
        shape = rewriter.get_buffer(op.operands[1])
        type_ = rewriter.get_buffer_type(op.results[0])
        if _has_layout(cast(BufferType, source.type)):
            source = create_contiguous_copy(source, rewriter)
        reshape = memref.ReshapeOp(source, shape, type_)
        rewriter.replace(op, rewriter.insert(reshape).results)

    def copied_for_layout(self, op: Operation, types: BufferTypes) -> Sequence[Use]:
        source = operands_of(op)[0]
        return (source,) if _has_layout(types.get_buffer_type(get(source))) else ()


def _has_layout(type_: BufferType) -> bool:
    return isinstance(type_, MemRefType) and not has_identity_layout(type_)


def create_contiguous_copy(source: SSAValue, rewriter: BufferizationRewriter) -> SSAValue:
    """A new buffer without layout, with the contents of `source`."""
    type_ = identity_type(cast(MemRefType, source.type))
    with rewriter.reallocating(source, type_):
        buffer = rewriter.create_alloc(type_, rewriter.dynamic_sizes(source))
        rewriter.create_memcpy(source, buffer)
    return buffer


def register() -> None:
    attach(tensor.CollapseShapeOp, CollapseShape())
    attach(tensor.ExpandShapeOp, ExpandShape())
    attach(tensor.ReshapeOp, Reshape())
