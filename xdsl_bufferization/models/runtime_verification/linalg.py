"""Requirements of linalg: operands of the sizes that the indexing maps ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from xdsl_bufferization.dialects import linalg
from xdsl_bufferization.dialects.linalg import Linalg
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.interfaces.runtime_verifiable import (
    Affine,
    Equal,
    InBounds,
    Requirement,
    SizeOf,
    Term,
)
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.models.runtime_verification.memref import same_sizes


class _Structured:
    """The first operand with a dimension that a loop alone indexes tells how often the
    loop iterates. All others must agree, and all other expressions stay inside of their
    operand."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        maps = _indexing_maps(op)
        operands = list(zip(op.operands, maps, strict=False))
        if any(
            not isinstance(value.type, MemRefType) and map_.results
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
    if any(isinstance(part, AffineDimExpr) for part in low.post_order()) or (
        low.eval((), ()) < 0
    ):
        bounds.append(Affine(low, terms))
    return [InBounds(bound, size, reason, unless_empty=terms) for bound in bounds]


def _range(expression: AffineExpr) -> tuple[AffineExpr, AffineExpr]:
    """The least and the greatest value of an expression of indices, as expressions of the
    numbers of iterations."""
    if isinstance(expression, AffineDimExpr):
        return AffineConstantExpr(0), expression - 1
    if not isinstance(expression, AffineBinaryOpExpr):
        return expression, expression
    low, high = _range(expression.lhs)
    other_low, other_high = _range(expression.rhs)
    match expression.kind:
        case AffineBinaryOpKind.Add:
            return low + other_low, high + other_high
        case AffineBinaryOpKind.Mod:
            return AffineConstantExpr(0), other_high - 1
        case kind:
            first = AffineBinaryOpExpr(kind, low, other_low)
            last = AffineBinaryOpExpr(kind, high, other_high)
            falls = isinstance(other_low, AffineConstantExpr) and other_low.value < 0
            return (last, first) if falls else (first, last)


class _Softmax:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        assert isinstance(op, linalg.SoftmaxOp)
        if not isinstance(op.input.type, MemRefType):
            return ()
        return same_sizes(
            op.input, op.output, "size of dim {} of input and output differ"
        )


def register() -> None:
    for op in Linalg.operations:
        if hasattr(op, "get_indexing_maps"):
            attach(op, _Structured())
    attach(linalg.SoftmaxOp, _Softmax())
