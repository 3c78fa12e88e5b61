"""Canonicalizations of expand_shape and collapse_shape on buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memref import cast_compatible, strides_and_offset_of
from xdsl_bufferization.dialects.shapes import product, reassociation_groups
from xdsl_bufferization.dialects.strides import expanded_strides
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    buffer_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.memref_views import (
    buffer_type,
    is_valid,
    replace_by_precise,
)
from xdsl_bufferization.transforms.canonicalization_patterns.reassociation import (
    between,
    join_reshapes,
    reassociation_attribute,
)
from xdsl_bufferization.transforms.canonicalization_patterns.sizes import made_static
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table

Reshape: TypeAlias = memref.CollapseShapeOp | memref.ExpandShapeOp


class SameShape(RewritePattern):
    """A reshape to the very same type, or back to it, does nothing."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, Reshape)
        source, type = op.operands[0], buffer_type(op.results[0])
        groups = reassociation_groups(op.reassociation)
        if source.type == type and all(len(group) == 1 for group in groups):
            rewriter.replace(op, [], [source])
            return
        inner = source.owner
        if (
            isinstance(inner, Reshape)
            and inner.name != op.name
            and buffer_type(inner.operands[0]).get_shape() == type.get_shape()
            and cast_compatible(inner.operands[0].type, type)
            and inner.reassociation == op.reassociation
            and (
                isinstance(inner, memref.ExpandShapeOp)
                or all(
                    sum(type.get_shape()[i] == DYNAMIC_INDEX for i in group) <= 1
                    for group in groups
                )
            )
        ):
            if inner.operands[0].type == type:
                rewriter.replace(op, [], [inner.operands[0]])
            else:
                rewriter.replace(op, memref.CastOp(inner.operands[0], type))


class SameReshape(RewritePattern):
    """Two collapses are one; so are two expansions."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, Reshape)
        joined = join_reshapes(op, collapses=isinstance(op, memref.CollapseShapeOp))
        if joined is None:
            return
        (source, groups), type = joined, buffer_type(op.results[0])
        if isinstance(op, memref.CollapseShapeOp):
            new: Operation = memref.CollapseShapeOp(source, groups, type)
        else:
            new = memref.ExpandShapeOp(
                source, groups, op.operands[1:], op.static_output_shape, type
            )
        if is_valid(new):
            rewriter.replace(op, new)
        else:
            new.drop_all_references()


class OppositeReshape(RewritePattern):
    """A collapse of an expansion, or the reverse, is one of them if one would do.

    Only of buffers without gaps, whose layout follows from their shape.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = op.operands[0].owner
        if not isinstance(inner, Reshape) or inner.name == op.name:
            return
        source, type = inner.operands[0], buffer_type(op.results[0])
        for each in (buffer_type(source), type):
            if not isinstance(each.layout, NoneAttr) or not each.has_static_shape():
                return
        before, after = buffer_type(source).get_shape(), type.get_shape()
        if len(before) > len(after):
            groups = between(before, after)
            if groups is not None:
                new = reassociation_attribute(groups)
                rewriter.replace(op, memref.CollapseShapeOp(source, new, type))
        elif len(before) < len(after):
            groups = between(after, before)
            if groups is not None:
                new = reassociation_attribute(groups)
                shape = DenseArrayBase.from_list(i64, after)
                rewriter.replace(op, memref.ExpandShapeOp(source, new, (), shape, type))


class CollapseOfCast(RewritePattern):
    """A cast buffer without gaps is collapsed before the cast."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, memref.CollapseShapeOp)
        source = buffer_before_cast(op.operands[0])
        if source is None or not isinstance(buffer_type(source).layout, NoneAttr):
            return
        shape, old = buffer_type(source).get_shape(), buffer_type(op.results[0])
        sizes: list[int] = []
        for group in reassociation_groups(op.reassociation):
            dims = [shape[i] for i in group]
            sizes.append(DYNAMIC_INDEX if DYNAMIC_INDEX in dims else product(dims))
        type = MemRefType(old.element_type, sizes, NoneAttr(), old.memory_space)
        replace_by_precise(
            op, memref.CollapseShapeOp(source, op.reassociation, type), rewriter
        )


class StaticExpansion(RewritePattern):
    """An expansion states the sizes that are constants, or that follow from the size that
    is expanded, which a cast may have forgotten."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, memref.ExpandShapeOp)
        source = buffer_before_cast(op.operands[0]) or op.operands[0]
        sizes = list(op.static_output_shape.get_values())
        values = list(op.operands[1:])
        found = made_static(sizes, values)
        if found is not None:
            sizes, values = found
        groups = reassociation_groups(op.reassociation)
        wholes = buffer_type(source).get_shape()
        for group, whole in zip(groups, wholes, strict=False):
            _complete(group, whole, sizes, values)
        old = buffer_type(op.results[0])
        if source is op.operands[0] and len(values) == len(op.operands) - 1:
            return
        layout = strides_and_offset_of(source.type)
        if layout is None:
            return
        strides = expanded_strides(layout[0], sizes, groups)
        is_contiguous = isinstance(buffer_type(source).layout, NoneAttr)
        type = MemRefType(
            old.element_type,
            sizes,
            NoneAttr() if is_contiguous else StridedLayoutAttr(strides, layout[1]),
            old.memory_space,
        )
        shape = DenseArrayBase.from_list(i64, sizes)
        new = memref.ExpandShapeOp(source, op.reassociation, values, shape, type)
        if is_valid(new):
            replace_by_precise(op, new, rewriter)
        else:
            new.drop_all_references()


def _complete(
    group: Sequence[int], whole: int, sizes: list[int], values: list[SSAValue]
) -> None:
    """Find the only size of a group that is not known, if the product of all is."""
    unknown = [number for number in group if sizes[number] == DYNAMIC_INDEX]
    others = product([sizes[n] for n in group if sizes[n] != DYNAMIC_INDEX])
    if whole == DYNAMIC_INDEX or len(unknown) != 1 or not others or whole % others:
        return
    del values[sum(size == DYNAMIC_INDEX for size in sizes[: unknown[0]])]
    sizes[unknown[0]] = whole // others


_RESHAPE = (SameShape(), SameReshape(), OppositeReshape())

PATTERNS: Table = {
    "memref.collapse_shape": (*_RESHAPE, CollapseOfCast()),
    "memref.expand_shape": (*_RESHAPE, StaticExpansion()),
}
