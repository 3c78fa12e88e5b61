"""Canonicalizations of tensor: constant sizes, casts, sizes that are known."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.shapes import (
    IntArray,
    dropped_dimensions,
    is_tensor,
    same_dimensions,
)
from xdsl_bufferization.transforms.canonicalization_patterns.memref import KnownDim
from xdsl_bufferization.transforms.canonicalization_patterns.sizes import (
    made_static,
    with_static_sizes,
)


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
        elif _is_more_precise(origin, source) and is_tensor(result):
            assert is_tensor(origin.type)
            if same_dimensions(origin.type.get_shape(), result.get_shape()):
                rewriter.replace(op, tensor.CastOp(origin, result))


def _is_more_precise(source: SSAValue, cast: SSAValue) -> bool:
    """Whether a cast only forgets sizes of a ranked tensor."""
    before, after = source.type, cast.type
    if not is_tensor(before):
        return False
    return not is_tensor(after) or (
        before.encoding == after.encoding
        and all(
            b != DYNAMIC_INDEX or a == DYNAMIC_INDEX
            for b, a in zip(before.get_shape(), after.get_shape(), strict=True)
        )
    )


class SkipCast(RewritePattern):
    """A dim or extract of a cast tensor is one of the tensor before the cast."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        cast = op.operands[0].owner
        if isinstance(cast, tensor.CastOp) and _is_more_precise(
            cast.operands[0], op.operands[0]
        ):
            op.operands[0] = cast.operands[0]
            rewriter.notify_op_modified(op)


class StaticSlice(RewritePattern):
    """Constant offsets, sizes and strides of a slice are static, and in its type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.ExtractSliceOp | tensor.InsertSliceOp)
        lists = [
            _static(op.static_offsets, op.offsets, 0),
            _static(op.static_sizes, op.sizes, 0),
            _static(op.static_strides, op.strides, None),
        ]
        left = sum(len(operands) for _, operands in lists)
        if left == len(op.offsets) + len(op.sizes) + len(op.strides):
            return
        part = op.results[0] if isinstance(op, tensor.ExtractSliceOp) else op.operands[0]
        type = part.type
        assert is_tensor(type)
        dropped = dropped_dimensions(op.static_sizes.get_values(), type.get_shape())
        if dropped is None:
            return
        sizes = [size for i, size in enumerate(lists[1][0]) if i not in dropped]
        new_type = TensorType(type.element_type, sizes, type.encoding)
        head: list[SSAValue] = [op.operands[0]]
        if isinstance(op, tensor.InsertSliceOp):
            if new_type != type:
                cast = tensor.CastOp(op.operands[0], new_type)
                rewriter.insert(cast)
                head = [cast.results[0]]
            head.append(op.operands[1])
            new_type = op.operands[1].type
        assert is_tensor(new_type)
        new = type_of(op).build(
            operands=[*head, *(operands for _, operands in lists)],
            result_types=[new_type],
            properties={
                name: DenseArrayBase.from_list(i64, values)
                for name, (values, _) in zip(
                    ("static_offsets", "static_sizes", "static_strides"),
                    lists,
                    strict=True,
                )
            },
            attributes=op.attributes,
        )
        if new_type == op.results[0].type:
            rewriter.replace(op, new)
        else:
            rewriter.replace(op, [new, tensor.CastOp(new.results[0], type)])


def type_of(
    op: tensor.ExtractSliceOp | tensor.InsertSliceOp,
) -> type[tensor.ExtractSliceOp] | type[tensor.InsertSliceOp]:
    if isinstance(op, tensor.ExtractSliceOp):
        return tensor.ExtractSliceOp
    return tensor.InsertSliceOp


def _static(
    static: IntArray, operands: Sequence[SSAValue], least: int | None
) -> tuple[list[int], list[SSAValue]]:
    values = list(static.iter_values())
    return made_static(values, operands, least=least) or (values, list(operands))


class WholeSlice(RewritePattern):
    """The slice that is the whole tensor is the tensor; inserted, it is the source."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.ExtractSliceOp | tensor.InsertSliceOp)
        part = op.results[0] if isinstance(op, tensor.ExtractSliceOp) else op.operands[0]
        whole = (
            op.operands[0] if isinstance(op, tensor.ExtractSliceOp) else op.operands[1]
        )
        type = whole.type
        assert is_tensor(type)
        shape = type.get_shape()
        if (
            part.type == type
            and DYNAMIC_INDEX not in shape
            and op.static_sizes.get_values() == shape
            and not any(op.static_offsets.iter_values())
            and all(stride == 1 for stride in op.static_strides.iter_values())
        ):
            rewriter.replace(op, [], [op.operands[0]])


_SLICE = (WholeSlice(), StaticSlice())

PATTERNS: dict[str, tuple[RewritePattern, ...]] = {
    "tensor.cast": (ComposeCasts(),),
    "tensor.dim": (KnownDim(), SkipCast()),
    "tensor.empty": (ConstantEmptySizes(),),
    "tensor.extract": (SkipCast(),),
    "tensor.extract_slice": _SLICE,
    "tensor.insert_slice": _SLICE,
}
