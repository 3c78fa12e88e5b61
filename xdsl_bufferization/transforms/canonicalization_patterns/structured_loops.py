"""Casts around structured linalg ops, which iterate over their operands together: a
static size of one operand applies to all operands that the same loop indexes.

`destination_style` contains the part common to all destination-style ops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects import memref, tensor
from xdsl_bufferization.dialects.linalg.structured import output_count
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    buffer_before_cast,
    tensor_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.destination_style import (
    set_result_type,
)
from xdsl_bufferization.transforms.canonicalization_patterns.sizes import with_shape


class StaticLoops(RewritePattern):
    """Give all operands of a structured op on tensors the static sizes of its loops."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, LinalgStructuredOperation)
        if not op.results or not any(
            isinstance(operand.owner, tensor.CastOp)
            or (is_tensor(operand.type) and not operand.type.has_static_shape())
            for operand in op.operands
        ):
            return
        maps = [attribute.data for attribute in op.get_indexing_maps()]
        sizes = _loop_sizes(op, maps)
        if sizes is None:
            return
        operands = [
            _precise(operand, map, sizes, rewriter)
            for operand, map in zip(op.operands, maps, strict=True)
        ]
        if operands == list(op.operands):
            return
        op.operands = operands
        rewriter.notify_op_modified(op)
        first = len(operands) - output_count(op)
        for result, init in zip(list(op.results), operands[first:], strict=True):
            set_result_type(result, init.type, rewriter)


def _loop_sizes(
    op: LinalgStructuredOperation, maps: Sequence[AffineMap]
) -> dict[int, int] | None:
    """The static number of iterations of each loop that has one; None if the operands
    contradict one another."""
    sizes: dict[int, int] = {}
    first = len(op.operands) - output_count(op)
    for number, (operand, map) in enumerate(zip(op.operands, maps, strict=True)):
        shapes = [operand.type, (tensor_before_cast(operand) or operand).type]
        if number >= first:
            shapes.append(_cast_type(op.results[number - first]))
        for type in shapes:
            if not is_tensor(type):
                continue
            for size, expression in zip(type.get_shape(), map.results, strict=True):
                if size == DYNAMIC_INDEX or not isinstance(expression, AffineDimExpr):
                    continue
                if sizes.setdefault(expression.position, size) != size:
                    return None
    return sizes


def _cast_type(result: SSAValue) -> Attribute:
    """The type that a result is cast to by its only user, if that is a cast."""
    user = result.get_user_of_unique_use()
    if isinstance(user, tensor.CastOp):
        return user.results[0].type
    return result.type


def _precise(
    operand: SSAValue, map: AffineMap, sizes: dict[int, int], rewriter: PatternRewriter
) -> SSAValue:
    """The operand, before a cast or cast, with all sizes that are known."""
    source = tensor_before_cast(operand) or operand
    type = source.type
    if not is_tensor(type):
        return operand
    shape = [
        sizes.get(expression.position, size)
        if isinstance(expression, AffineDimExpr)
        else size
        for size, expression in zip(type.get_shape(), map.results, strict=True)
    ]
    precise = with_shape(type, shape)
    if precise == type:
        return source
    new = tensor.CastOp(source, cast("TensorType[Attribute]", precise))
    return rewriter.insert(new).results[0]


class BuffersOfCasts(RewritePattern):
    """A structured op works on the buffers before casts, if those fit to one another."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not any(isinstance(operand.owner, memref.CastOp) for operand in op.operands):
            return
        old = list(op.operands)
        new = [buffer_before_cast(operand) or operand for operand in old]
        if new == old:
            return
        op.operands = new
        try:
            op.verify_()
        except VerifyException:
            op.operands = old
            return
        rewriter.notify_op_modified(op)
