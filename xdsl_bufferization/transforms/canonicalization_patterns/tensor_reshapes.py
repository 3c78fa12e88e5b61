"""Canonicalizations of tensor reshapes: of other reshapes, of constants, and to the
same shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.dialects.shapes import is_tensor, product, reassociation_groups
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    tensor_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    dense_constant,
    with_type,
)
from xdsl_bufferization.transforms.canonicalization_patterns.reassociation import (
    between,
    join_reshapes,
    reassociation_attribute,
    unions,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table

Reshape: TypeAlias = tensor.CollapseShapeOp | tensor.ExpandShapeOp


def _tensor(value: SSAValue) -> TensorType[Attribute]:
    assert is_tensor(value.type)
    return value.type


class SameShape(RewritePattern):
    """A reshape to the very same static shape, or back to it, does nothing."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source, type = op.operands[0], op.results[0].type
        if not is_tensor(type):
            return
        if source.type == type and (
            type.has_static_shape() or type.get_num_dims() == 1 or _keeps_rank(op)
        ):
            rewriter.replace(op, [], [source])
            return
        inner = source.owner
        if not isinstance(inner, Reshape) or inner.name == op.name:
            return
        if inner.operands[0].type == type and _splits_alike(inner, op):
            rewriter.replace(op, [], [inner.operands[0]])


def _keeps_rank(op: Operation) -> bool:
    """Whether every group of dimensions is one dimension."""
    return isinstance(op, Reshape) and all(
        len(group) == 1 for group in reassociation_groups(op.reassociation)
    )


def _splits_alike(inner: Operation, outer: Operation) -> bool:
    """Return whether a reshape is the inverse of the previous one.

    Expanding a collapsed tensor restores its sizes if they are static, except for one
    in each group. Collapsing an expanded tensor always does.
    """
    if inner.properties.get("reassociation") != outer.properties.get("reassociation"):
        return _tensor(outer.results[0]).has_static_shape()
    if isinstance(inner, tensor.ExpandShapeOp):
        return True
    shape = _tensor(outer.results[0]).get_shape()
    groups = reassociation_groups(outer.properties["reassociation"])
    return all(sum(shape[i] == DYNAMIC_INDEX for i in g) <= 1 for g in groups)


class SameReshape(RewritePattern):
    """Two collapses are one; so are two expansions."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, Reshape)
        joined = join_reshapes(op, collapses=isinstance(op, tensor.CollapseShapeOp))
        if joined is None:
            return
        (source, groups), type = joined, _tensor(op.results[0])
        if isinstance(op, tensor.CollapseShapeOp):
            rewriter.replace(op, tensor.CollapseShapeOp(source, groups, type))
        else:
            rewriter.replace(
                op,
                tensor.ExpandShapeOp(
                    source, op.dynamic_output_shape, groups, op.static_output_shape, type
                ),
            )


class OppositeReshape(RewritePattern):
    """A collapse of an expansion, or the reverse, is one of them if one would do."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = op.operands[0].owner
        if not isinstance(inner, Reshape) or inner.name == op.name:
            return
        source, type = inner.operands[0], _tensor(op.results[0])
        before, after = _tensor(source).get_shape(), type.get_shape()
        if not _tensor(source).has_static_shape() or not type.has_static_shape():
            return
        if len(before) > len(after):
            groups = between(before, after)
            if groups is not None:
                new = reassociation_attribute(groups)
                rewriter.replace(op, tensor.CollapseShapeOp(source, new, type))
        elif len(before) < len(after):
            groups = between(after, before)
            if groups is not None:
                new = reassociation_attribute(groups)
                rewriter.replace(op, tensor.ExpandShapeOp(source, [], new, after, type))


class CollapseOfExpansion(RewritePattern):
    """A collapse of dimensions together with all that they were expanded from collapses
    these."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.CollapseShapeOp)
        inner = op.operands[0].owner
        if not isinstance(inner, tensor.ExpandShapeOp):
            return
        groups = unions(
            reassociation_groups(inner.reassociation),
            reassociation_groups(op.reassociation),
        )
        if not groups or all(len(group) == 1 for group in groups):
            return
        new = tensor.CollapseShapeOp(
            inner.operands[0], reassociation_attribute(groups), _tensor(op.results[0])
        )
        _replace_if_valid(op, new, rewriter)


class ExpansionOfCollapse(RewritePattern):
    """Dimensions that were collapsed are expanded again where they were more, or fewer,
    while the others stay as they were."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.ExpandShapeOp)
        inner = op.operands[0].owner
        if not isinstance(inner, tensor.CollapseShapeOp):
            return
        source, type = inner.operands[0], _tensor(op.results[0])
        before, after = _tensor(source).get_shape(), type.get_shape()
        groups: list[list[int]] = []
        for joined, split in zip(
            reassociation_groups(inner.reassociation),
            reassociation_groups(op.reassociation),
            strict=True,
        ):
            if len(split) == 1:
                groups.append(list(joined))
            elif _are_same([before[i] for i in joined], [after[i] for i in split]):
                groups += [[i] for i in joined]
            else:
                return
        if all(len(group) == 1 for group in groups):
            return
        new = tensor.CollapseShapeOp(source, reassociation_attribute(groups), type)
        _replace_if_valid(op, new, rewriter)


def _are_same(before: Sequence[int], after: Sequence[int]) -> bool:
    """Whether sizes that have one product are the same: one may be dynamic."""
    if list(before) != list(after) or 0 in before:
        return False
    return before.count(DYNAMIC_INDEX) <= 1


def _replace_if_valid(op: Operation, new: Operation, rewriter: PatternRewriter) -> None:
    try:
        new.verify_()
    except VerifyException:
        new.drop_all_references()
        return
    rewriter.replace(op, new)


class ReshapeOfConstant(RewritePattern):
    """A reshape of a constant is a constant."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        dense, type = dense_constant(op.operands[0]), op.results[0].type
        constant = None if dense is None else with_type(dense, type)
        if constant is not None:
            rewriter.replace(op, arith.ConstantOp(constant, type))


class ReshapeOfElements(RewritePattern):
    """A reshape of tensor.splat or tensor.from_elements makes such a tensor itself."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner, type = op.operands[0].owner, op.results[0].type
        if not is_tensor(type) or not type.has_static_shape():
            return
        if isinstance(inner, tensor.FromElementsOp):
            new = tensor.FromElementsOp(*inner.operands, result_type=type)
            rewriter.replace(op, new)
        elif isinstance(inner, tensor.SplatOp):
            rewriter.replace(op, tensor.SplatOp(inner.operands[0], [], type))


class CollapseOfCast(RewritePattern):
    """A cast tensor is collapsed before the cast."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.CollapseShapeOp)
        source = tensor_before_cast(op.operands[0])
        if source is None:
            return
        old, shape = _tensor(op.results[0]), _tensor(source).get_shape()
        sizes: list[int] = []
        for group in reassociation_groups(op.reassociation):
            dims = [shape[i] for i in group]
            sizes.append(DYNAMIC_INDEX if DYNAMIC_INDEX in dims else product(dims))
        type = TensorType(old.element_type, sizes, old.encoding)
        if type == old:
            op.operands[0] = source
            rewriter.notify_op_modified(op)
            return
        new = tensor.CollapseShapeOp(source, op.reassociation, type)
        rewriter.replace(op, [new, tensor.CastOp(new.results[0], old)])


class ExpandOfCast(RewritePattern):
    """A cast tensor is expanded before the cast, to sizes that are constants or follow
    from the size that is expanded."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, tensor.ExpandShapeOp)
        source = tensor_before_cast(op.operands[0])
        if source is None:
            return
        old = _tensor(op.results[0])
        operands = iter(op.dynamic_output_shape)
        sizes: list[int | SSAValue] = []
        for size in op.static_output_shape.get_values():
            operand = next(operands) if size == DYNAMIC_INDEX else size
            known = constant_of(operand)
            sizes.append(operand if known is None or known < 0 else known)
        groups = reassociation_groups(op.reassociation)
        for size, group in zip(_tensor(source).get_shape(), groups, strict=True):
            if not _complete(sizes, group, size):
                return
        shape = [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]
        rest = [size for size in sizes if not isinstance(size, int)]
        type = TensorType(old.element_type, shape, old.encoding)
        new = tensor.ExpandShapeOp(
            source, rest, reassociation_attribute(groups), shape, type
        )
        if type == old:
            rewriter.replace(op, new)
        else:
            rewriter.replace(op, [new, tensor.CastOp(new.results[0], old)])


def _complete(sizes: list[int | SSAValue], group: Sequence[int], whole: int) -> bool:
    """Compute the single unknown size of a group from its total size.

    Return False if the sizes are not those of a valid op.
    """
    known = product(size for i in group if isinstance(size := sizes[i], int))
    unknown = [i for i in group if not isinstance(sizes[i], int)]
    if whole == DYNAMIC_INDEX:
        return bool(unknown)
    if len(unknown) == 1 and known and whole % known == 0:
        sizes[unknown[0]] = whole // known
        return True
    return not unknown and known == whole


class ReshapeOfReshape(RewritePattern):
    """A tensor.reshape of a reshaped tensor is one of the original."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        inner = op.operands[0].owner
        if isinstance(inner, tensor.ReshapeOp):
            op.operands[0] = inner.operands[0]
            rewriter.notify_op_modified(op)


class ReshapeToOwnShape(RewritePattern):
    """A tensor.reshape to the sizes that the tensor has, asked for one by one."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source, shape = op.operands
        if source.type != op.results[0].type or not is_tensor(source.type):
            return
        if not isinstance(shape.owner, tensor.FromElementsOp):
            return
        sizes = source.type.get_shape()
        if all(
            constant_of(size) == sizes[i] != DYNAMIC_INDEX or _is_dim(size, source, i)
            for i, size in enumerate(shape.owner.operands)
        ):
            rewriter.replace(op, [], [source])


def _is_dim(value: SSAValue, source: SSAValue, number: int) -> bool:
    dim = value.owner
    return (
        isinstance(dim, tensor.DimOp)
        and dim.operands[0] is source
        and constant_of(dim.operands[1]) == number
    )


_BOTH = (SameShape(), SameReshape(), OppositeReshape(), ReshapeOfConstant())

PATTERNS: Table = {
    "tensor.collapse_shape": (
        *_BOTH,
        CollapseOfExpansion(),
        ReshapeOfElements(),
        CollapseOfCast(),
    ),
    "tensor.expand_shape": (
        *_BOTH,
        ExpansionOfCollapse(),
        ReshapeOfElements(),
        ExpandOfCast(),
    ),
    "tensor.reshape": (
        SameShape(),
        ReshapeOfConstant(),
        ReshapeOfReshape(),
        ReshapeToOwnShape(),
    ),
}
