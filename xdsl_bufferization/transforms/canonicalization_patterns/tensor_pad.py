"""Canonicalizations of tensor.pad: constant paddings, none at all, casts."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.analysis.facts.value_bounds import mixed_list
from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.shapes import IntArray, is_tensor
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    tensor_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    are_equal_scalars,
)
from xdsl_bufferization.transforms.canonicalization_patterns.sizes import made_static
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table


def _tensor(value: SSAValue) -> TensorType[Attribute]:
    assert is_tensor(value.type)
    return value.type


class NoPadding(RewritePattern):
    """A tensor without padding is the tensor, unless a copy is asked for."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.PadOp)
        paddings = (*op.static_low.get_values(), *op.static_high.get_values())
        source, type = op.operands[0], _tensor(op.results[0])
        # Paddings are not negative: sizes that stay have none.
        is_none = type.has_static_shape() and source.type == type
        if (any(paddings) and not is_none) or op.nofold is not None:
            return
        if source.type == type:
            rewriter.replace(op, [], [source])
        else:
            rewriter.replace(op, tensor.CastOp(source, type))


class PreciseSource(RewritePattern):
    """A cast tensor is padded before the cast."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.PadOp)
        source = tensor_before_cast(op.operands[0])
        if source is None:
            return
        low = (list(op.static_low.get_values()), list(op.low))
        high = (list(op.static_high.get_values()), list(op.high))
        _replace(op, source, low, high, rewriter)


class ConstantPadding(RewritePattern):
    """Constant paddings are static, and in the type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.PadOp)
        lows, highs = op.static_low.get_values(), op.static_high.get_values()
        low, high = made_static(lows, op.low), made_static(highs, op.high)
        if low is not None or high is not None:
            _replace(
                op,
                op.operands[0],
                low or (list(lows), list(op.low)),
                high or (list(highs), list(op.high)),
                rewriter,
            )


def _replace(
    op: tensor.PadOp,
    source: SSAValue,
    low: tuple[list[int], list[SSAValue]],
    high: tuple[list[int], list[SSAValue]],
    rewriter: PatternRewriter,
) -> None:
    """Replace a pad by a more precise one, cast to the old type."""
    old = _tensor(op.results[0])
    sizes: list[int] = []
    for size, before, after, known in zip(
        _tensor(source).get_shape(), low[0], high[0], old.get_shape(), strict=True
    ):
        inferred = (
            DYNAMIC_INDEX
            if DYNAMIC_INDEX in (size, before, after)
            else size + before + after
        )
        if known not in (inferred, DYNAMIC_INDEX) and inferred != DYNAMIC_INDEX:
            return
        sizes.append(known if inferred == DYNAMIC_INDEX else inferred)
    type = TensorType(old.element_type, sizes, old.encoding)
    body = rewriter.move_region_contents_to_new_regions(op.region)
    new = tensor.PadOp(
        source, low[1], high[1], body, low[0], high[0], type, op.nofold, op.attributes
    )
    if type == old:
        rewriter.replace(op, new)
    else:
        rewriter.replace(op, [new, tensor.CastOp(new.results[0], old)])


class CastOfPad(RewritePattern):
    """A padded tensor has the sizes of the type that it is cast to."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        pad, type = op.operands[0].owner, op.results[0].type
        if (
            not isinstance(pad, tensor.PadOp)
            or not is_tensor(type)
            or not pad.results[0].has_one_use()
        ):
            return
        before = _tensor(pad.results[0]).get_shape()
        if all(
            b in (a, DYNAMIC_INDEX) for b, a in zip(before, type.get_shape(), strict=True)
        ):
            new = rewriter.replace_value_with_new_type(pad.results[0], type)
            rewriter.replace(op, [], [new])


class PadOfPad(RewritePattern):
    """A tensor that is padded twice with one value is padded once."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.PadOp)
        inner = op.operands[0].owner
        if (
            not isinstance(inner, tensor.PadOp)
            or op.nofold is not None
            or inner.nofold is not None
        ):
            return
        if not are_equal_scalars(padding_of(op), padding_of(inner)):
            return
        low = _sum(op.static_low, op.low, inner.static_low, inner.low)
        high = _sum(op.static_high, op.high, inner.static_high, inner.high)
        if low is None or high is None:
            return
        body = rewriter.move_region_contents_to_new_regions(op.region)
        type = _tensor(op.results[0])
        source = inner.operands[0]
        new = tensor.PadOp(
            source, low[1], high[1], body, low[0], high[0], type, None, op.attributes
        )
        rewriter.replace(op, new)


def padding_of(pad: tensor.PadOp) -> SSAValue:
    """Return the value that the body of a pad yields."""
    last = pad.region.block.last_op
    assert last is not None
    return last.operands[0]


def _sum(
    static: IntArray,
    operands: Sequence[SSAValue],
    inner_static: IntArray,
    inner_operands: Sequence[SSAValue],
) -> tuple[list[int], list[SSAValue]] | None:
    """Return the sums of two lists of paddings, None if one must be computed at run
    time."""
    sizes: list[int] = []
    values: list[SSAValue] = []
    outer = mixed_list(operands, static.get_values())
    inner = mixed_list(inner_operands, inner_static.get_values())
    for a, b in zip(outer, inner, strict=True):
        if isinstance(a, int) and isinstance(b, int):
            sizes.append(a + b)
        elif isinstance(a, SSAValue) and b == 0:
            sizes.append(DYNAMIC_INDEX)
            values.append(a)
        elif isinstance(b, SSAValue) and a == 0:
            sizes.append(DYNAMIC_INDEX)
            values.append(b)
        else:
            return None
    return sizes, values


PATTERNS: Table = {
    "tensor.cast": (CastOfPad(),),
    "tensor.pad": (NoPadding(), ConstantPadding(), PreciseSource(), PadOfPad()),
}
