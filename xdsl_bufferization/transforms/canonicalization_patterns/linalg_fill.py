"""Canonicalizations of linalg.fill: what is made of a fill is a fill itself."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.dialects import linalg, tensor
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    scalar_constant,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table


def fill_of(value: SSAValue) -> Operation | None:
    """The fill that defines a tensor."""
    owner = value.owner
    return owner if isinstance(owner, linalg.FillOp) and owner.results else None


def filled(fill: Operation, dest: SSAValue) -> Operation:
    """A fill of another destination with the same value."""
    return linalg.FillOp([fill.operands[0]], [dest])


class ReshapeOfFill(RewritePattern):
    """A reshaped fill fills the reshaped destination."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        fill = fill_of(op.operands[0])
        if fill is None:
            return
        reshape = op.clone()
        reshape.operands[0] = fill.operands[1]
        rewriter.replace(op, [reshape, filled(fill, reshape.results[0])])


class CopyOfFill(RewritePattern):
    """A copy or transpose of a fill fills its destination."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not op.results:
            return
        fill = fill_of(op.operands[0])
        type = op.results[0].type
        if (
            fill is not None
            and is_tensor(type)
            and fill.operands[0].type == type.element_type
        ):
            rewriter.replace(op, filled(fill, op.operands[1]))


class OverwrittenFill(RewritePattern):
    """What is filled or copied to as a whole needs no fill before."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        fill = fill_of(op.operands[1])
        if fill is not None:
            op.operands[1] = fill.operands[1]
            rewriter.notify_op_modified(op)


class ConcatOfFills(RewritePattern):
    """A concatenation of fills with one value fills the concatenated destinations."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.ConcatOp)
        fills: list[Operation] = []
        for operand in op.operands:
            fill = fill_of(operand)
            if fill is None or (fills and fill.operands[0] is not fills[0].operands[0]):
                return
            fills.append(fill)
        type = op.results[0].type
        assert is_tensor(type)
        dests = [fill.operands[1] for fill in fills]
        new = tensor.ConcatOp(dests, op.dim, type)
        rewriter.replace(op, [new, filled(fills[0], new.results[0])])


class PadOfFill(RewritePattern):
    """A fill that is padded with the same value is a larger fill."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.PadOp)
        fill, type = fill_of(op.operands[0]), op.results[0].type
        last = op.region.block.last_op
        if (
            fill is not None
            and is_tensor(type)
            and type.has_static_shape()
            and op.nofold is None
            and last is not None
            and are_equal_scalars(last.operands[0], fill.operands[0])
        ):
            empty = tensor.EmptyOp([], type)
            rewriter.replace(op, [empty, filled(fill, empty.results[0])])


def are_equal_scalars(a: SSAValue, b: SSAValue) -> bool:
    """Whether two scalars are one value or the same constant."""
    known = scalar_constant(a)
    return a is b or (known is not None and known == scalar_constant(b))


FILL: Table = {
    "linalg.copy": (CopyOfFill(), OverwrittenFill()),
    "linalg.fill": (OverwrittenFill(),),
    "linalg.transpose": (CopyOfFill(),),
}

TENSOR: Table = {
    "tensor.collapse_shape": (ReshapeOfFill(),),
    "tensor.concat": (ConcatOfFills(),),
    "tensor.expand_shape": (ReshapeOfFill(),),
    "tensor.pad": (PadOfFill(),),
}
