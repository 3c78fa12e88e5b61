"""Canonicalizations of linalg: ops that only forward an operand, fills, and transposing
copies."""

from __future__ import annotations

from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.dialects import linalg, tensor
from xdsl_bufferization.dialects.linalg.structured import output_count
from xdsl_bufferization.dialects.shapes import is_memref, is_tensor, same_dimensions
from xdsl_bufferization.transforms.canonicalization_patterns.linalg_fill import FILL
from xdsl_bufferization.transforms.canonicalization_patterns.linalg_relayout import (
    RELAYOUT,
)
from xdsl_bufferization.transforms.canonicalization_patterns.sizes import (
    insert_constant,
)
from xdsl_bufferization.transforms.canonicalization_patterns.structured_loops import (
    BuffersOfCasts,
    StaticLoops,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table, joined


class Identity(RewritePattern):
    """An op whose body only yields elements from the same place has the operands that
    they come from as its results."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, LinalgStructuredOperation)
        forwarded = _forwarded(op)
        if not forwarded or len(op.results) != len(forwarded):
            return
        values: list[SSAValue] = []
        for value, result in zip(forwarded, op.results, strict=True):
            if not _can_be_cast(value, result):
                return
            values.append(value)
        for i, result in enumerate(op.results):
            assert is_tensor(result.type)
            if values[i].type != result.type:
                new = tensor.CastOp(values[i], result.type)
                values[i] = rewriter.insert(new).results[0]
        rewriter.replace(op, [], values)


class WriteToItself(RewritePattern):
    """An op that only writes the elements of its outputs to where they are does
    nothing."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, LinalgStructuredOperation)
        outputs = list(op.operands[len(op.operands) - output_count(op) :])
        if _forwarded(op) == outputs:
            rewriter.replace(op, [], outputs if op.results else [])


def _forwarded(op: LinalgStructuredOperation) -> list[SSAValue]:
    """The operands whose elements the body yields, if it does nothing else, and every
    iteration accesses the same place of all operands."""
    block = op.regions[0].blocks.first
    if block is None or block.first_op is not block.last_op or block.last_op is None:
        return []
    values: list[SSAValue] = []
    for yielded in block.last_op.operands:
        if not isinstance(yielded, BlockArgument) or yielded.block is not block:
            return []
        values.append(op.operands[yielded.index])
    maps = {attribute.data for attribute in op.get_indexing_maps()}
    return values if len(maps) == 1 else []


def _can_be_cast(value: SSAValue, result: SSAValue) -> bool:
    before, after = value.type, result.type
    return (
        is_tensor(before)
        and is_tensor(after)
        and before.element_type == after.element_type
        and before.encoding == after.encoding
        and same_dimensions(before.get_shape(), after.get_shape())
    )


class NoIterations(RewritePattern):
    """An op on buffers without elements does nothing."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not op.results and any(
            is_memref(operand.type) and 0 in operand.type.get_shape()
            for operand in op.operands
        ):
            rewriter.erase(op)


class TransposeOfTranspose(RewritePattern):
    """A transposed transpose is one transpose."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = op.operands[0].owner
        if not isinstance(inner, linalg.TransposeOp) or not op.results:
            return
        assert isinstance(op, linalg.TransposeOp)
        first = inner.permutation.get_values()
        order = [first[i] for i in op.permutation.get_values()]
        rewriter.replace(op, linalg.TransposeOp(inner.operands[0], op.operands[1], order))


class TransposeOfBroadcast(RewritePattern):
    """A transposed broadcast adds the dimensions where they are to be.

    The dimensions that were there before are transposed first if their order changes.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = op.operands[0].owner
        if not isinstance(inner, linalg.BroadcastOp) or not op.results:
            return
        assert isinstance(op, linalg.TransposeOp)
        order = op.permutation.get_values()
        added = inner.dimensions.get_values()
        kept = [i for i in range(len(order)) if i not in added]
        if [i for i in order if i not in added] != kept:
            return
        places = [place for place, i in enumerate(order) if i in added]
        rewriter.replace(
            op, linalg.BroadcastOp(inner.operands[0], op.operands[1], places)
        )


class BroadcastOfBroadcast(RewritePattern):
    """A broadcast of a broadcast is one broadcast."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = op.operands[0].owner
        if not isinstance(inner, linalg.BroadcastOp) or not op.results:
            return
        assert isinstance(op, linalg.BroadcastOp)
        type = op.operands[1].type
        assert is_tensor(type)
        added = op.dimensions.get_values()
        kept = [i for i in range(type.get_num_dims()) if i not in added]
        places = sorted([*added, *(kept[i] for i in inner.dimensions.get_values())])
        rewriter.replace(
            op, linalg.BroadcastOp(inner.operands[0], op.operands[1], places)
        )


class UnitIndex(RewritePattern):
    """The iteration number of a loop of one iteration is zero."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        parent = op.parent_op()
        if not isinstance(parent, LinalgStructuredOperation):
            return
        assert isinstance(op, linalg.IndexOp)
        number = op.dim.value.data
        for operand, map in zip(parent.operands, parent.get_indexing_maps(), strict=True):
            type = operand.type
            if not (is_tensor(type) or is_memref(type)):
                continue
            for size, expression in zip(type.get_shape(), map.data.results, strict=True):
                if size == 1 and str(expression) == f"d{number}":
                    rewriter.replace(op, [], [insert_constant(rewriter, 0)])
                    return


_STRUCTURED = (StaticLoops(), BuffersOfCasts(), NoIterations())
_NAMES = [
    op.name
    for op in linalg.Linalg.operations
    if issubclass(op, LinalgStructuredOperation)
]

PATTERNS: Table = joined(
    {
        f"linalg.{name}": (Identity(),)
        for name in ("broadcast", "generic", "map", "transpose")
    },
    {
        f"linalg.{name}": (WriteToItself(),)
        for name in ("broadcast", "copy", "generic", "map", "transpose")
    },
    {
        "linalg.transpose": (TransposeOfTranspose(), TransposeOfBroadcast()),
        "linalg.broadcast": (BroadcastOfBroadcast(),),
        "linalg.index": (UnitIndex(),),
    },
    FILL,
    RELAYOUT,
    dict.fromkeys(_NAMES, _STRUCTURED),
)
