"""Canonicalizations of views of buffers: constant numbers, casts, and views of views."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.index_constants import index_constant
from xdsl_bufferization.dialects.memref import permutation_of, strides_and_offset_of
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    buffer_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.sizes import (
    insert_constant,
    made_static,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table


def buffer_type(value: SSAValue) -> MemRefType[Attribute]:
    """Return the type of a ranked buffer."""
    assert is_memref(value.type)
    return value.type


def replace_by_precise(op: Operation, new: Operation, rewriter: PatternRewriter) -> None:
    """Replace an op by one whose result may be more precise."""
    type = op.results[0].type
    if new.results[0].type == type:
        rewriter.replace(op, new)
    else:
        rewriter.replace(op, [new, memref.CastOp(new.results[0], type)])


def is_valid(op: Operation) -> bool:
    """Return whether an op that is about to be inserted passes its verifier."""
    try:
        op.verify_()
    except VerifyException:
        return False
    return True


class StaticView(RewritePattern):
    """Constant sizes of a memref.view are in its type; a cast of its source is not
    needed, nor a view of all of it."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, memref.ViewOp)
        source = buffer_before_cast(op.operands[0])
        old = buffer_type(op.results[0])
        found = made_static(old.get_shape(), op.sizes)
        if (
            op.operands[0].type == old
            and old.has_static_shape()
            and constant_of(op.operands[1]) == 0
        ):
            rewriter.replace(op, [], [op.operands[0]])
        elif source is not None:
            if isinstance(buffer_type(source).layout, NoneAttr):
                op.operands[0] = source
                rewriter.notify_op_modified(op)
        elif found is not None:
            type = MemRefType(old.element_type, found[0], old.layout, old.memory_space)
            new = memref.ViewOp(op.operands[0], op.operands[1], found[1], type)
            replace_by_precise(op, new, rewriter)


class StaticReinterpretation(RewritePattern):
    """Constant numbers of a memref.reinterpret_cast are in its type; one that changes
    none does nothing."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, memref.ReinterpretCastOp)
        old = buffer_type(op.results[0])
        lists = [
            (
                static.get_values(),
                operands,
                made_static(static.get_values(), operands, least=least),
            )
            for static, operands, least in (
                (op.static_offsets, op.offsets, 0),
                (op.static_sizes, op.sizes, 0),
                (op.static_strides, op.strides, None),
            )
        ]
        if len(op.operands) == 1 and _is_static(old) and op.operands[0].type == old:
            rewriter.replace(op, [], [op.operands[0]])
            return
        if all(found is None for _, _, found in lists):
            return
        (offsets, sizes, strides) = (
            found or (list(static), list(operands)) for static, operands, found in lists
        )
        layout = StridedLayoutAttr(
            [None if s == DYNAMIC_INDEX else s for s in strides[0]],
            None if offsets[0][0] == DYNAMIC_INDEX else offsets[0][0],
        )
        type = MemRefType(old.element_type, sizes[0], layout, old.memory_space)
        if type.get_shape() == old.get_shape() and strides_and_offset_of(
            type
        ) == strides_and_offset_of(old):
            type = old
        new = memref.ReinterpretCastOp.build(
            operands=[op.operands[0], offsets[1], sizes[1], strides[1]],
            result_types=[type],
            properties={
                "static_offsets": DenseArrayBase.from_list(i64, offsets[0]),
                "static_sizes": DenseArrayBase.from_list(i64, sizes[0]),
                "static_strides": DenseArrayBase.from_list(i64, strides[0]),
            },
            attributes=op.attributes,
        )
        replace_by_precise(op, new, rewriter)


def _is_static(type: MemRefType[Attribute]) -> bool:
    """Whether sizes, strides and offset are all in a type."""
    layout = strides_and_offset_of(type)
    return (
        layout is not None
        and type.has_static_shape()
        and None not in (*layout[0], layout[1])
    )


class ReinterpretationOfView(RewritePattern):
    """What is reinterpreted is the memory: casts, other reinterpretations, subviews from
    the first element on, and a buffer that was taken apart do not matter."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        view = op.operands[0].owner
        if (
            isinstance(view, memref.CastOp | memref.ReinterpretCastOp)
            or (
                isinstance(view, memref.SubviewOp)
                and not any(view.static_offsets.get_values())
            )
            or (
                isinstance(view, memref.ExtractStridedMetadataOp)
                and op.operands[0] is view.results[0]
            )
        ):
            source = view.operands[0]
            if is_memref(source.type):
                op.operands[0] = source
                rewriter.notify_op_modified(op)


class ReinterpretationOfOwnMetadata(RewritePattern):
    """A buffer put together from all that it was taken apart into is that buffer."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, memref.ReinterpretCastOp)
        parts = op.operands[0].owner
        if (
            not isinstance(parts, memref.ExtractStridedMetadataOp)
            or op.operands[0] is not parts.results[0]
            or len(parts.sizes) != len(op.static_sizes)
        ):
            return
        source = parts.operands[0]
        layout = strides_and_offset_of(source.type)
        if layout is None:
            return
        known = (layout[1], *buffer_type(source).get_shape(), *layout[0])
        given: list[int | SSAValue] = []
        for static, operands in (
            (op.static_offsets, op.offsets),
            (op.static_sizes, op.sizes),
            (op.static_strides, op.strides),
        ):
            rest = iter(operands)
            given += [
                next(rest) if n == DYNAMIC_INDEX else n for n in static.get_values()
            ]
        for number, part, value in zip(known, parts.results[1:], given, strict=True):
            constant = constant_of(value)
            if value is not part and (constant is None or constant != number):
                return
        type = op.results[0].type
        if source.type == type:
            rewriter.replace(op, [], [source])
        else:
            rewriter.replace(op, memref.CastOp(source, type))


class KnownMetadata(RewritePattern):
    """Static sizes, strides and offset of a buffer are constants, and a cast does not
    change any of them."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, memref.ExtractStridedMetadataOp)
        self._know(op, rewriter)
        cast = op.operands[0].owner
        if isinstance(cast, memref.CastOp) and is_memref(cast.operands[0].type):
            op.operands[0] = cast.operands[0]
            rewriter.notify_op_modified(op)

    @staticmethod
    def _know(op: memref.ExtractStridedMetadataOp, rewriter: PatternRewriter) -> None:
        type = buffer_type(op.operands[0])
        layout = strides_and_offset_of(type)
        if layout is None:
            return
        known = (layout[1], *type.get_shape(), *layout[0])
        for number, result in zip(known, op.results[1:], strict=True):
            if number in (None, DYNAMIC_INDEX) or result.first_use is None:
                continue
            constant = insert_constant(rewriter, number)
            rewriter.replace_all_uses_with(result, constant)


class ComposeSpaceCasts(RewritePattern):
    """A cast to a memory space of such a cast is one, or none."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source = op.operands[0]
        if isinstance(source.owner, memref.MemorySpaceCastOp):
            op.operands[0] = source = source.owner.operands[0]
            rewriter.notify_op_modified(op)
        if source.type == op.results[0].type:
            rewriter.replace(op, [], [source])


class IdentityTranspose(RewritePattern):
    """A transpose that changes no order is a cast, or nothing."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, memref.TransposeOp)
        order = permutation_of(op.permutation)
        source, type = op.operands[0], buffer_type(op.results[0])
        if order is None or order != sorted(order):
            return
        if source.type == type:
            rewriter.replace(op, [], [source])
        else:
            rewriter.replace(op, memref.CastOp(source, type))


class TransposeOfTranspose(RewritePattern):
    """A transposed transpose is one transpose."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, memref.TransposeOp)
        inner = op.operands[0].owner
        if not isinstance(inner, memref.TransposeOp):
            return
        first, second = permutation_of(inner.permutation), permutation_of(op.permutation)
        if first is None or second is None:
            return
        order = AffineMap(len(first), 0, tuple(AffineDimExpr(first[i]) for i in second))
        new = type(op)(inner.operands[0], AffineMapAttr(order), op.results[0].type)
        rewriter.replace(op, new)


class SameAlignment(RewritePattern):
    """An alignment that was promised before need not be promised again."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, memref.AssumeAlignmentOp)
        inner = op.operands[0].owner
        if (
            isinstance(inner, memref.AssumeAlignmentOp)
            and inner.alignment == op.alignment
        ):
            rewriter.replace(op, [], [op.operands[0]])


class DimOfReshape(RewritePattern):
    """The size of a memref.reshape is loaded from the shape that it is given.

    Where the reshape is, since the shape may be written to afterwards.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        reshape = op.operands[0].owner
        if not isinstance(reshape, memref.ReshapeOp):
            return
        shape = reshape.operands[1]
        type = buffer_type(shape)
        if not isinstance(type.element_type, IndexType):
            return
        index = op.operands[1]
        number = constant_of(index)
        if number is not None:
            length = type.get_shape()[0]
            if number < 0 or (length != DYNAMIC_INDEX and number >= length):
                return
            constant = index_constant(number)
            rewriter.insert(constant, InsertPoint.before(reshape))
            index = constant.results[0]
        elif not _is_argument_around(index, reshape):
            return
        load = memref.LoadOp.get(shape, [index])
        rewriter.insert(load, InsertPoint.before(reshape))
        rewriter.replace(op, [], [load.results[0]])


def _is_argument_around(value: SSAValue, op: Operation) -> bool:
    """Whether a value is an argument of a block that an op is in."""
    block = op.parent
    while block is not None and value.owner is not block:
        parent = block.parent_op()
        block = None if parent is None else parent.parent
    return block is not None


PATTERNS: Table = {
    "memref.assume_alignment": (SameAlignment(),),
    "memref.dim": (DimOfReshape(),),
    "memref.extract_strided_metadata": (KnownMetadata(),),
    "memref.memory_space_cast": (ComposeSpaceCasts(),),
    "memref.reinterpret_cast": (
        ReinterpretationOfOwnMetadata(),
        ReinterpretationOfView(),
        StaticReinterpretation(),
    ),
    "memref.transpose": (IdentityTranspose(), TransposeOfTranspose()),
    "memref.view": (StaticView(),),
}
