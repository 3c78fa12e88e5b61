"""tensor.gather, scatter and bitcast, which mlir-opt does not bufferize.

Gather and scatter address slices of a tensor by coordinates in another tensor: its last
dimension has one coordinate for each of `gather_dims`, and its other dimensions give
the position of the slice in the gathered tensor:

    %0 = tensor.gather %t[%c] gather_dims([1]) unique
        : (tensor<4x8xf32>, tensor<5x1xindex>) -> tensor<5x4xf32>
  is
    %0[i, j] = %t[j, %c[i, 0]]

A gathered tensor may also keep the indexed dimensions, of size 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerType,
    MemRefType,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.value_bounds import static_list
from xdsl_bufferization.dialects import memref, tensor
from xdsl_bufferization.dialects.shapes import element_type_of
from xdsl_bufferization.interfaces.base_models import SingleDestinationModel
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.element_bodies import (
    ElementBody,
    begin_map,
    finish_map,
    visit_elements,
)
from xdsl_bufferization.models.tensor.elements import AllocatingModel, allocate_result
from xdsl_bufferization.records import record


class Gather(AllocatingModel):
    """A new buffer; each of its elements is loaded from where its coordinates say."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = rewriter.get_buffer(op.operands[0])
        indices = rewriter.get_buffer(op.operands[1])
        dims = static_list(op, "gather_dims")
        sizes = list(_gathered_sizes(op, source, indices, rewriter))
        buffer = allocate_result(op, sizes, rewriter)
        body = begin_map(buffer)
        element = body.load(source, _place(body, indices, _rank(source), dims))
        finish_map(body, element, buffer, rewriter)
        rewriter.replace(op, [buffer])


def _gathered_sizes(
    op: Operation, source: SSAValue, indices: SSAValue, rewriter: BufferizationRewriter
) -> Iterator[SSAValue]:
    """The dynamic sizes of the gathered tensor."""
    shape = cast(TensorType, op.results[0].type).get_shape()
    leading = _rank(indices) - 1
    sliced = _sliced_dimensions(
        len(shape) - leading, _rank(source), static_list(op, "gather_dims")
    )
    for number, size in enumerate(shape):
        if size != DYNAMIC_INDEX:
            continue
        if number < leading:
            yield rewriter.create_dim(indices, number)
        else:
            yield rewriter.create_dim(source, sliced[number - leading])


@record
class Scatter(SingleDestinationModel):
    """Loops over the source; each element is stored where its coordinates say."""

    destination: int = 1

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source, dest, indices = (rewriter.get_buffer(value) for value in op.operands)
        dims = static_list(op, "scatter_dims")

        def move(body: ElementBody) -> None:
            element = body.load(source, body.coordinates)
            place = _place(body, indices, _rank(dest), dims)
            body.block.add_op(memref.StoreOp.create(operands=[element, dest, *place]))

        visit_elements(source, move, rewriter)
        rewriter.replace(op, [dest])


def _place(
    body: ElementBody, indices: SSAValue, rank: int, dims: Sequence[int]
) -> list[SSAValue]:
    """Where the element at the body's coordinates, those of a gathered tensor, is in the
    tensor of the given rank that is addressed by `indices`."""
    leading = _rank(indices) - 1
    outer, inner = body.coordinates[:leading], body.coordinates[leading:]
    place = dict(zip(_sliced_dimensions(len(inner), rank, dims), inner, strict=True))
    for number, dimension in enumerate(dims):
        place[dimension] = body.load_index(indices, [*outer, body.index(number)])
    return [place[dimension] for dimension in range(rank)]


def _sliced_dimensions(count: int, rank: int, dims: Sequence[int]) -> Sequence[int]:
    """The dimensions that `count` dimensions of a slice stand for: all, or all but the
    indexed ones."""
    if count == rank:
        return range(rank)
    return [dimension for dimension in range(rank) if dimension not in dims]


def _rank(buffer: SSAValue) -> int:
    return cast(MemRefType, buffer.type).get_num_dims()


class Bitcast(AllocatingModel):
    """A new buffer, filled with the elements under their new type: the old one cannot be
    seen as a buffer of other elements."""

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        from xdsl_bufferization.dialects import linalg

        result_type = op.results[0].type
        source_type = element_type_of(op.operands[0].type)
        element_type = element_type_of(result_type)
        if isinstance(result_type, UnrankedTensorType):
            raise PassFailedException(
                f"{op.name}: an unranked tensor cannot be copied, which is how this op "
                "is bufferized. Cast it to a ranked tensor (tensor.cast) first."
                f"{describe(op)}"
            )
        if not (_is_signless(source_type) and _is_signless(element_type)):
            raise PassFailedException(
                f"{op.name}: there is no op to cast {source_type} to {element_type}; use "
                f"signless integers.{describe(op)}"
            )
        source = rewriter.get_buffer(op.operands[0])
        buffer = allocate_result(op, rewriter.dynamic_sizes(source), rewriter)
        body = ElementBody(Block(arg_types=[source_type, element_type]))
        element = body.add(arith.BitcastOp(body.block.args[0], element_type))
        body.block.add_op(linalg.YieldOp(element))
        rewriter.insert(linalg.MapOp([source], buffer, Region(body.block)))
        rewriter.replace(op, [buffer])


def _is_signless(type_: Attribute) -> bool:
    return not isinstance(type_, IntegerType) or type_ == IntegerType(type_.bitwidth)


def register() -> None:
    attach(tensor.BitcastOp, Bitcast())
    attach(tensor.GatherOp, Gather())
    attach(tensor.ScatterOp, Scatter())
