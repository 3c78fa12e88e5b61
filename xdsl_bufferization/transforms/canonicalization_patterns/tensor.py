"""Canonicalizations of tensor: constant sizes, casts, sizes that are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.shapes import is_tensor, same_dimensions
from xdsl_bufferization.transforms.canonicalization_patterns import (
    destination_style,
    linalg_fill,
    tensor_dims,
    tensor_elements,
    tensor_pad,
    tensor_reshapes,
    tensor_slices,
)
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    is_more_precise_tensor,
    tensor_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.memref import KnownDim
from xdsl_bufferization.transforms.canonicalization_patterns.sizes import (
    with_shape,
    with_static_sizes,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table, joined


class ConstantEmptySizes(RewritePattern):
    """A tensor.empty with sizes that are constants has them in its type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        type = op.results[0].type
        assert is_tensor(type)
        found = with_static_sizes(type, op.operands)
        if found is not None:
            new = tensor.EmptyOp(found[1], found[0])
            rewriter.replace(op, [new, tensor.CastOp(new.results[0], type)])


class ComposeCasts(RewritePattern):
    """A cast of a cast is one cast, or none, unless the first one checks something."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source, result = op.operands[0], op.results[0].type
        if source.type == result:
            rewriter.replace(op, [], [source])
            return
        first = source.owner
        if not isinstance(first, tensor.CastOp):
            return
        origin = first.operands[0]
        if origin.type == result:
            rewriter.replace(op, [], [origin])
        elif is_more_precise_tensor(origin, source):
            assert is_tensor(origin.type)
            if not is_tensor(result) or same_dimensions(
                origin.type.get_shape(), result.get_shape()
            ):
                rewriter.replace(op, tensor.CastOp(origin, cast(Any, result)))
        elif is_tensor(result) and _checks_no_less(result, origin.type, source.type):
            rewriter.replace(op, tensor.CastOp(origin, result))


def _checks_no_less(result: Attribute, origin: Attribute, between: Attribute) -> bool:
    """Whether a cast from `origin` to `result` states each size that is in `between`."""
    if not is_tensor(result) or not is_tensor(between):
        return False
    rank = len(result.get_shape())
    known: Sequence[int] = [DYNAMIC_INDEX] * rank
    if is_tensor(origin):
        known = origin.get_shape()
        if origin.encoding != result.encoding or not same_dimensions(
            known, result.get_shape()
        ):
            return False
    if result.encoding != between.encoding or len(between.get_shape()) != rank:
        return False
    sizes = zip(between.get_shape(), result.get_shape(), known, strict=True)
    return all(
        size in (DYNAMIC_INDEX, stated) or (size == first and stated == DYNAMIC_INDEX)
        for size, stated, first in sizes
    )


class DimOfCast(RewritePattern):
    """A cast, whatever it knows of a tensor, does not change its sizes."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        cast = op.operands[0].owner
        if isinstance(cast, tensor.CastOp):
            op.operands[0] = cast.operands[0]
            rewriter.notify_op_modified(op)


class SkipCast(RewritePattern):
    """An element of a cast tensor is one of the tensor before the cast."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source = tensor_before_cast(op.operands[0])
        if source is not None:
            op.operands[0] = source
            rewriter.notify_op_modified(op)


class CastOfEmpty(RewritePattern):
    """A tensor.empty has the sizes of the type that it is cast to."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        empty, type = op.operands[0].owner, op.results[0].type
        if not isinstance(empty, tensor.EmptyOp) or not is_tensor(type):
            return
        before = empty.results[0].type
        assert is_tensor(before)
        sizes: list[SSAValue] = []
        operands = iter(empty.operands)
        for old, new in zip(before.get_shape(), type.get_shape(), strict=True):
            if old == DYNAMIC_INDEX:
                operand = next(operands)
                if new == DYNAMIC_INDEX:
                    sizes.append(operand)
            elif new != old:
                return
        rewriter.replace(op, tensor.EmptyOp(sizes, type))


class ComposeBitcasts(RewritePattern):
    """A bitcast of a bitcast is one bitcast, or none."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source = op.operands[0]
        if isinstance(source.owner, tensor.BitcastOp):
            op.operands[0] = source = source.owner.operands[0]
            rewriter.notify_op_modified(op)
        if source.type == op.results[0].type:
            rewriter.replace(op, [], [source])


class SimpleConcat(RewritePattern):
    """A concatenation of one tensor is the tensor; other ones have precise types."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.ConcatOp)
        type = op.results[0].type
        assert is_tensor(type)
        if len(op.operands) == 1:
            if op.operands[0].type == type:
                rewriter.replace(op, [], [op.operands[0]])
            else:
                rewriter.replace(op, tensor.CastOp(op.operands[0], type))
            return
        dim = op.dim.value.data
        shapes = [v.type.get_shape() for v in op.operands if is_tensor(v.type)]
        inferred = [
            next((size for size in sizes if size != DYNAMIC_INDEX), DYNAMIC_INDEX)
            for sizes in zip(type.get_shape(), *shapes, strict=True)
        ]
        along = [shape[dim] for shape in shapes]
        total = type.get_shape()[dim]
        inferred[dim] = total if DYNAMIC_INDEX in along else sum(along)
        self._make_precise(op, inferred, rewriter)

    @staticmethod
    def _make_precise(
        op: tensor.ConcatOp, inferred: list[int], rewriter: PatternRewriter
    ) -> None:
        dim, type = op.dim.value.data, op.results[0].type
        operands: list[SSAValue] = []
        for operand in op.operands:
            assert is_tensor(operand.type)
            shape = list(inferred)
            shape[dim] = operand.type.get_shape()[dim]
            precise = with_shape(operand.type, shape)
            assert is_tensor(precise)
            if precise != operand.type:
                operand = rewriter.insert(tensor.CastOp(operand, precise)).results[0]
            operands.append(operand)
        assert is_tensor(type)
        result = with_shape(type, inferred)
        if operands == list(op.operands) and result == type:
            return
        assert is_tensor(result)
        new = tensor.ConcatOp(operands, op.dim, result, op.attributes)
        if result == type:
            rewriter.replace(op, new)
        else:
            rewriter.replace(op, [new, tensor.CastOp(new.results[0], type)])


_OWN: Table = {
    "tensor.bitcast": (ComposeBitcasts(),),
    "tensor.cast": (ComposeCasts(), CastOfEmpty()),
    "tensor.concat": (SimpleConcat(),),
    "tensor.dim": (KnownDim(), DimOfCast()),
    "tensor.empty": (ConstantEmptySizes(),),
    "tensor.extract": (SkipCast(),),
}

PATTERNS: Table = joined(
    _OWN,
    tensor_elements.PATTERNS,
    tensor_slices.PATTERNS,
    tensor_reshapes.PATTERNS,
    tensor_pad.PATTERNS,
    tensor_dims.PATTERNS,
    destination_style.TENSOR,
    linalg_fill.TENSOR,
)
"""The patterns of every op of the dialect, by its name."""
