"""Requirements of linalg: operands have the sizes that the indexing maps require."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, MemRefType, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xdsl_bufferization.analysis.facts.value_bounds import mixed_list
from xdsl_bufferization.dialects import linalg
from xdsl_bufferization.dialects.affine_expressions import is_symbolic
from xdsl_bufferization.dialects.linalg import Linalg
from xdsl_bufferization.dialects.linear_forms import fold_expression
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.interfaces.runtime_verifiable import (
    Affine,
    AtLeast,
    AtMost,
    Equal,
    InBounds,
    Product,
    Requirement,
    SizeOf,
    Term,
)
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.memref.runtime_verification import same_sizes

_Range: TypeAlias = tuple[AffineExpr, AffineExpr]


class _Structured:
    """The first operand with a dimension that a loop alone indexes says how often the
    loop iterates. All others must agree, and all other expressions stay inside of their
    operand."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        maps = _indexing_maps(op)
        operands = list(zip(op.operands, maps, strict=False))
        if any(
            not isinstance(value.type, MemRefType | TensorType) and map_.results
            for value, map_ in operands
        ):
            return ()
        extents = _extents(operands)
        requirements: list[Requirement] = []
        for number, (value, map_) in enumerate(operands):
            for i, expression in enumerate(map_.results):
                size = SizeOf(value, i)
                reason = (
                    f"dimension #{i} of input/output operand #{number} is incompatible "
                    "with inferred dimension size"
                )
                if isinstance(expression, AffineDimExpr):
                    extent = extents.get(expression.position)
                    if extent is not None and extent != size:
                        requirements.append(Equal(size, extent, reason))
                else:
                    reason = (
                        f"operand #{number} is too small: its dimension {i} is accessed "
                        f"at {expression}"
                    )
                    requirements += _inside(expression, size, extents, reason)
        return requirements


def _indexing_maps(op: Operation) -> Sequence[AffineMap]:
    get_indexing_maps = getattr(op, "get_indexing_maps", None)
    if get_indexing_maps is None:
        return ()
    maps = cast("Sequence[AffineMapAttr]", get_indexing_maps())
    return [map_.data for map_ in maps]


def _extents(operands: Sequence[tuple[SSAValue, AffineMap]]) -> dict[int, SizeOf]:
    """How often each loop iterates: a static size, or else the first."""
    extents: dict[int, SizeOf] = {}
    static: set[int] = set()
    for value, map_ in operands:
        shape = shape_of(value.type) or ()
        for i, expression in enumerate(map_.results):
            if not isinstance(expression, AffineDimExpr):
                continue
            loop = expression.position
            if shape[i] != DYNAMIC_INDEX and loop not in static:
                static.add(loop)
                extents[loop] = SizeOf(value, i)
            extents.setdefault(loop, SizeOf(value, i))
    return extents


def _inside(
    expression: AffineExpr, size: SizeOf, extents: dict[int, SizeOf], reason: str
) -> list[Requirement]:
    """That an expression of the loops' indices is an index of a dimension, in all
    iterations if there are any."""
    loops = sorted(extents)
    if loops != list(range(len(loops))):
        return []
    terms: tuple[Term, ...] = tuple(extents[loop] for loop in loops)
    low, high = _range(expression)
    bounds = [Affine(high, terms)]
    if not is_symbolic(low) or _is_negative(low):
        bounds.append(Affine(low, terms))
    return [InBounds(bound, size, reason, unless_empty=terms) for bound in bounds]


def _range(expression: AffineExpr) -> _Range:
    """Return the least and the greatest value of an expression of indices, as expressions
    of the numbers of iterations."""
    zero = AffineExpr.constant(0)
    return fold_expression(
        expression,
        lambda value: _same(AffineExpr.constant(value)),
        lambda position: (zero, AffineExpr.dimension(position) - 1),
        lambda position: _same(AffineExpr.symbol(position)),
        _combined_range,
    )


def _is_negative(expression: AffineExpr) -> bool:
    """Return whether an expression without symbols is a negative constant."""
    return is_symbolic(expression) and expression.eval((), ()) < 0


def _same(expression: AffineExpr) -> _Range:
    return expression, expression


def _combined_range(kind: AffineBinaryOpKind, lhs: _Range, rhs: _Range) -> _Range:
    match kind:
        case AffineBinaryOpKind.Add:
            return lhs[0] + rhs[0], lhs[1] + rhs[1]
        case AffineBinaryOpKind.Mod:
            return AffineExpr.constant(0), rhs[1] - 1
        case _:
            first = AffineBinaryOpExpr(kind, lhs[0], rhs[0])
            last = AffineBinaryOpExpr(kind, lhs[1], rhs[1])
            return (last, first) if _is_negative(rhs[0]) else (first, last)


class _Softmax:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("linalg.SoftmaxOp", op)
        return same_sizes(
            op.input, op.output, "size of dim {} of input and output differ"
        )


@dataclass(frozen=True)
class _Relayout:
    """The tiles of the packed operand are as large as the op says, and enough of them.

    Attributes:
        packed: which operand the tiles are of: the destination of a pack, the source of
            an unpack.
    """

    packed: int

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("linalg.PackOp | linalg.UnPackOp", op)
        packed, plain = op.operands[self.packed], op.operands[1 - self.packed]
        tiles = mixed_list(op.inner_tiles, op.static_inner_tiles.get_values())
        rank = len(shape_of(plain.type) or ())
        order = op.outer_dims_perm
        outer = range(rank) if order is None else order.get_values()
        places = {dim: place for place, dim in enumerate(outer)}
        tile_of = dict(zip(op.inner_dims_pos.get_values(), tiles, strict=True))
        requirements: list[Requirement] = []
        for i, tile in enumerate(tiles):
            requirements += [
                AtLeast(tile, 1, f"inner tile {i} is not positive"),
                Equal(
                    SizeOf(packed, rank + i),
                    tile,
                    f"dim {rank + i} of the packed operand is not the size of tile {i}",
                ),
            ]
        is_exact = isinstance(op, linalg.PackOp) and op.padding_value is None
        for dim in range(rank):
            size, room = SizeOf(plain, dim), SizeOf(packed, places[dim])
            tile = tile_of.get(dim)
            whole = room if tile is None else Product(room, tile)
            if tile is None or is_exact:
                reason = f"the tiles of dim {dim} are not as large as the dim together"
                requirements.append(Equal(whole, size, reason))
            else:
                reason = f"too few tiles for dim {dim}"
                requirements.append(AtMost(size, whole, reason))
        return requirements


def register() -> None:
    attach(linalg.PackOp, _Relayout(1))
    attach(linalg.UnPackOp, _Relayout(0))
    for op in Linalg.operations:
        if hasattr(op, "get_indexing_maps"):
            attach(op, _Structured())
    attach(linalg.SoftmaxOp, _Softmax())
