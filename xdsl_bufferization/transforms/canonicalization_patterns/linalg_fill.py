"""Canonicalizations of linalg.fill: ops on a filled tensor become fills themselves."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, i64
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.analysis.facts.slices import Slice, are_disjoint
from xdsl_bufferization.analysis.facts.value_bounds import Index, mixed_list
from xdsl_bufferization.dialects import linalg, tensor
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    are_equal_scalars,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table
from xdsl_bufferization.transforms.canonicalization_patterns.tensor_pad import padding_of


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
    """Remove a fill before a fill or copy of the complete buffer."""

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


class InsertOfPad(RewritePattern):
    """A padded tensor that is inserted where the padding is already, because all of the
    destination was filled with it, needs no padding."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.InsertSliceOp)
        pad, dest = op.operands[0].owner, op.operands[1]
        if not isinstance(pad, tensor.PadOp) or pad.nofold is not None:
            return
        source = pad.operands[0].type
        if not is_tensor(source) or not source.has_static_shape():
            return
        if not is_tensor(dest.type) or source.get_num_dims() != dest.type.get_num_dims():
            return
        place = _slice_of(op)
        lows = mixed_list(pad.low, pad.static_low.get_values())
        offsets = [_sum(a, b) for a, b in zip(place.offsets, lows, strict=True)]
        if None in offsets or any(stride != 1 for stride in place.strides):
            return
        fill = _fill_before(dest, place)
        if fill is None or not are_equal_scalars(fill.operands[0], padding_of(pad)):
            return
        numbers = [o if isinstance(o, int) else DYNAMIC_INDEX for o in offsets]
        values = [o for o in offsets if isinstance(o, SSAValue)]
        ones = [1] * source.get_num_dims()
        lists = {
            "static_offsets": numbers,
            "static_sizes": source.get_shape(),
            "static_strides": ones,
        }
        new = tensor.InsertSliceOp.build(
            operands=[pad.operands[0], dest, values, [], []],
            result_types=[dest.type],
            properties={
                name: DenseArrayBase.from_list(i64, list(given))
                for name, given in lists.items()
            },
        )
        new.attributes |= op.attributes
        rewriter.replace(op, new)


_MOST_INSERTIONS = 16
"""How many insertions before another one are looked through."""


def _fill_before(dest: SSAValue, place: Slice) -> Operation | None:
    """The fill of a tensor into which slices apart from `place` were inserted since."""
    for _ in range(_MOST_INSERTIONS):
        insertion = dest.owner
        if not isinstance(insertion, tensor.InsertSliceOp):
            break
        if not are_disjoint(place, _slice_of(insertion)):
            return None
        dest = insertion.operands[1]
    return fill_of(dest)


def _slice_of(op: tensor.InsertSliceOp) -> Slice:
    return Slice(
        mixed_list(op.offsets, op.static_offsets.get_values()),
        mixed_list(op.sizes, op.static_sizes.get_values()),
        mixed_list(op.strides, op.static_strides.get_values()),
    )


def _sum(a: Index, b: Index) -> Index | None:
    """Return the sum of two indices, None if it must be computed at run time."""
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    return a if b == 0 else b if a == 0 else None


FILL: Table = {
    "linalg.copy": (CopyOfFill(), OverwrittenFill()),
    "linalg.fill": (OverwrittenFill(),),
    "linalg.transpose": (CopyOfFill(),),
}

TENSOR: Table = {
    "tensor.collapse_shape": (ReshapeOfFill(),),
    "tensor.concat": (ConcatOfFills(),),
    "tensor.expand_shape": (ReshapeOfFill(),),
    "tensor.insert_slice": (InsertOfPad(),),
    "tensor.pad": (PadOfFill(),),
}
