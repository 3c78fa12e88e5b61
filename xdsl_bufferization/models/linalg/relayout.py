"""linalg.pack and linalg.unpack, which must be decomposed before bufferization in MLIR.

Each element of the destination is loaded from its position in the source. Packing
splits dimension d of the source, by tiles of size t, into position // t and position %
t; the positions inside of tiles become the last dimensions:

    linalg.pack %source inner_dims_pos = [0] inner_tiles = [4] into %dest
        : tensor<8xf32> -> tensor<2x4xf32>
  becomes
    linalg.map outs(%dest) {
      %i = linalg.index 0
      %j = linalg.index 1
      %place = %i * 4 + %j
      %element = memref.load %source[%place]
      linalg.yield %element
    }
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue, Use

from xdsl_bufferization.analysis.facts.value_bounds import static_list
from xdsl_bufferization.dialects import linalg
from xdsl_bufferization.interfaces.base_models import SingleDestinationModel
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.element_bodies import (
    ElementBody,
    begin_map,
    finish_map,
)
from xdsl_bufferization.records import record

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState


@record
class Relayout(SingleDestinationModel):
    """Operand 0 is read, operand 1, the destination, is overwritten."""

    destination: int = 1

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return operand.index == 0

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        assert isinstance(op, linalg.PackOp | linalg.UnPackOp)
        source = rewriter.get_buffer(op.operands[0])
        dest = rewriter.get_buffer(op.operands[1])
        body = begin_map(dest)
        if isinstance(op, linalg.UnPackOp):
            element = body.load(source, _packed_place(op, body))
        elif op.padding_value is None:
            element = body.load(source, _unpacked_place(op, body))
        else:
            place = _unpacked_place(op, body)
            tiled = static_list(op, "inner_dims_pos")
            element = body.load_within(source, place, tiled, op.padding_value)
        finish_map(body, element, dest, rewriter)
        rewriter.replace(op, [dest] if op.results else [])


def _tiles(op: linalg.PackOp | linalg.UnPackOp, body: ElementBody) -> dict[int, SSAValue]:
    """The size of the tiles of each tiled dimension."""
    dynamic = iter(op.inner_tiles)
    return {
        dimension: next(dynamic) if size == DYNAMIC_INDEX else body.index(size)
        for dimension, size in zip(
            static_list(op, "inner_dims_pos"),
            static_list(op, "static_inner_tiles"),
            strict=True,
        )
    }


def _outer_order(op: linalg.PackOp | linalg.UnPackOp, rank: int) -> Sequence[int]:
    """The dimension that each of the outer packed dimensions stands for."""
    if "outer_dims_perm" in op.properties and (
        order := static_list(op, "outer_dims_perm")
    ):
        return order
    return range(rank)


def _unpacked_place(op: linalg.PackOp, body: ElementBody) -> list[SSAValue]:
    """Where the element at the body's coordinates, packed ones, is in the source."""
    tiles = _tiles(op, body)
    rank = len(body.coordinates) - len(tiles)
    outer, inner = body.coordinates[:rank], body.coordinates[rank:]
    place = dict(zip(_outer_order(op, rank), outer, strict=True))
    for (dimension, size), offset in zip(tiles.items(), inner, strict=True):
        begin = body.add(arith.MuliOp(place[dimension], size))
        place[dimension] = body.add(arith.AddiOp(begin, offset))
    return [place[dimension] for dimension in range(rank)]


def _packed_place(op: linalg.UnPackOp, body: ElementBody) -> list[SSAValue]:
    """Where the element at the body's coordinates, unpacked ones, is in the source."""
    tiles = _tiles(op, body)
    outer = list(body.coordinates)
    inner: list[SSAValue] = []
    for dimension, size in tiles.items():
        inner.append(body.add(arith.RemUIOp(outer[dimension], size)))
        outer[dimension] = body.add(arith.DivUIOp(outer[dimension], size))
    return [*(outer[dimension] for dimension in _outer_order(op, len(outer))), *inner]


def register() -> None:
    attach(linalg.PackOp, Relayout())
    attach(linalg.UnPackOp, Relayout())
