"""Canonicalizations of memref: constant sizes, casts, dead buffers, empty copies."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    MemRefType,
    StridedLayoutAttr,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.known_sizes import dropped_by_subview, known_size
from xdsl_bufferization.dialects.memref import (
    cast_compatible,
    strides_and_offset_of,
    subview_strides_and_offset,
)
from xdsl_bufferization.dialects.shapes import IntArray, compatible_shapes, is_memref
from xdsl_bufferization.transforms.canonicalization_patterns import (
    memref_reshapes,
    memref_scopes,
    memref_views,
)
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    buffer_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.sizes import (
    ConstantRank,
    insert_constant,
    made_static,
    with_static_sizes,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table, joined
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


class ConstantSizes(RewritePattern):
    """An allocation with sizes that are constants has them in its type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not isinstance(op, memref.AllocOp | memref.AllocaOp):
            return
        found = with_static_sizes(op.memref.type, op.dynamic_sizes)
        if found is None:
            return
        type, sizes = found
        new = type_of(op)(sizes, op.symbol_operands, type, op.alignment)
        new.attributes |= op.attributes
        cast = memref.CastOp(new.results[0], op.results[0].type)
        rewriter.replace(op, [new, cast])


def type_of(
    op: memref.AllocOp | memref.AllocaOp,
) -> type[memref.AllocOp] | type[memref.AllocaOp]:
    return memref.AllocOp if isinstance(op, memref.AllocOp) else memref.AllocaOp


def erase_unread_allocation(op: Operation, worklist: Worklist) -> bool:
    """Remove an allocation that is only written and freed, with its stores."""
    users: list[Operation] = []
    for use in op.results[0].uses:
        user = use.operation
        is_write_to_it = user.name == "memref.store" and use.index == 1
        if not is_write_to_it and user.name != "memref.dealloc":
            return False
        users.append(user)
    for user in users:
        worklist.erase(user)
    worklist.erase(op)
    return True


class KnownDim(RewritePattern):
    """The size of a dimension that the type or the defining op states."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        dim = constant_of(op.operands[1])
        if dim is None:
            return
        size = known_size(op.operands[0], dim)
        if isinstance(size, int):
            rewriter.replace(op, [], [insert_constant(rewriter, size)])
        elif size is not None:
            rewriter.replace(op, [], [size])


class SkipCast(RewritePattern):
    """An access to a cast buffer may as well be one to the buffer before the cast."""

    def __init__(self, buffer: int = 0):
        self.buffer = buffer

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        cast = op.operands[self.buffer].owner
        if isinstance(cast, memref.CastOp) and is_memref(cast.operands[0].type):
            op.operands[self.buffer] = cast.operands[0]
            rewriter.notify_op_modified(op)


class CopyOfCasts(RewritePattern):
    """A copy between cast buffers is one between the buffers before the casts."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        old = list(op.operands)
        new = [buffer_before_cast(operand) or operand for operand in old]
        if new != old and compatible_shapes(new[0].type, new[1].type):
            op.operands = new
            rewriter.notify_op_modified(op)


class ComposeCasts(RewritePattern):
    """A cast of a cast is one cast, or none."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source = op.operands[0]
        if source.type == op.results[0].type:
            rewriter.replace(op, [], [source])
            return
        first = source.owner
        if not isinstance(first, memref.CastOp):
            return
        origin = first.operands[0]
        if origin.type == op.results[0].type:
            rewriter.replace(op, [], [origin])
        elif is_memref(origin.type) and cast_compatible(origin.type, op.results[0].type):
            rewriter.replace(op, memref.CastOp(origin, op.results[0].type))


def erase_pointless_copy(op: Operation, worklist: Worklist) -> bool:
    """Remove a copy of a buffer to itself, or of no elements."""
    source, target = op.operands
    is_empty = any(
        is_memref(value.type) and 0 in value.type.get_shape() for value in op.operands
    )
    if source is not target and not is_empty:
        return False
    worklist.erase(op)
    return True


class StaticSubview(RewritePattern):
    """Constant offsets, sizes and strides of a subview are in its type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not isinstance(op, memref.SubviewOp) or len(op.operands) == 1:
            return
        offsets, sizes, strides = (
            _static(op.static_offsets, op.offsets, 0),
            _static(op.static_sizes, op.sizes, 0),
            _static(op.static_strides, op.strides, None),
        )
        if len(offsets[1]) + len(sizes[1]) + len(strides[1]) == len(op.operands) - 1:
            return
        _replace_subview(op, op.operands[0], offsets, sizes, strides, rewriter)


_Mixed = tuple[list[int], list[SSAValue]]


def _static(static: IntArray, operands: Sequence[SSAValue], least: int | None) -> _Mixed:
    values = list(static.iter_values())
    return made_static(values, operands, least=least) or (values, list(operands))


def _replace_subview(
    op: memref.SubviewOp,
    source: SSAValue,
    offsets: _Mixed,
    sizes: _Mixed,
    strides: _Mixed,
    rewriter: PatternRewriter,
) -> None:
    """Replace a subview by a more precise one and a cast to the old type."""
    source_type, old = source.type, op.results[0].type
    assert is_memref(source_type) and is_memref(old)
    layout = strides_and_offset_of(source_type)
    dropped = dropped_by_subview(op)
    if layout is None or dropped is None:
        return
    new_strides, offset = subview_strides_and_offset(layout, offsets[0], strides[0])
    kept = [i for i in range(len(sizes[0])) if i not in dropped]
    type = MemRefType(
        old.element_type,
        [sizes[0][i] for i in kept],
        StridedLayoutAttr([new_strides[i] for i in kept], offset),
        old.memory_space,
    )
    if type.get_shape() == old.get_shape() and strides_and_offset_of(
        type
    ) == strides_and_offset_of(old):
        type = old
    new = memref.SubviewOp(
        source,
        offsets[1],
        sizes[1],
        strides[1],
        DenseArrayBase.from_list(i64, offsets[0]),
        DenseArrayBase.from_list(i64, sizes[0]),
        DenseArrayBase.from_list(i64, strides[0]),
        type,
    )
    new.attributes |= op.attributes
    try:
        new.verify_()
    except VerifyException:
        # A slice that is out of bounds stays unknown: the op would be refused.
        new.drop_all_references()
        return
    if type == old:
        rewriter.replace(op, new)
    else:
        rewriter.replace(op, [new, memref.CastOp(new.results[0], old)])


class SubviewOfCast(RewritePattern):
    """A subview of a cast buffer is a subview of the buffer before the cast."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source = buffer_before_cast(op.operands[0])
        if isinstance(op, memref.SubviewOp) and source is not None:
            _replace_subview(
                op,
                source,
                (list(op.static_offsets.iter_values()), list(op.offsets)),
                (list(op.static_sizes.iter_values()), list(op.sizes)),
                (list(op.static_strides.iter_values()), list(op.strides)),
                rewriter,
            )


class WholeSubview(RewritePattern):
    """Replace a subview of the complete buffer by the buffer, or a cast of it."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source, result = op.operands[0], op.results[0].type
        type = source.type
        assert isinstance(op, memref.SubviewOp) and is_memref(type) and is_memref(result)
        if (
            type.get_num_dims() != result.get_num_dims()
            or any(op.static_offsets.iter_values())
            or any(stride != 1 for stride in op.static_strides.iter_values())
        ):
            return
        sizes = iter(op.sizes)
        for number, size in enumerate(op.static_sizes.get_values()):
            given = next(sizes) if size == DYNAMIC_INDEX else size
            if given != known_size(source, number):
                return
        if type == result:
            rewriter.replace(op, [], [source])
        elif type.get_shape() == result.get_shape():
            rewriter.replace(op, memref.CastOp(source, result))


_SKIP_CAST = (SkipCast(),)
_ALLOCATION = (erase_unread_allocation, ConstantSizes())

_OWN: Table = {
    "memref.alloc": _ALLOCATION,
    "memref.alloca": _ALLOCATION,
    "memref.atomic_rmw": (SkipCast(1),),
    "memref.cast": (ComposeCasts(),),
    "memref.copy": (CopyOfCasts(), erase_pointless_copy),
    "memref.dealloc": _SKIP_CAST,
    "memref.dim": (KnownDim(), SkipCast()),
    "memref.extract_aligned_pointer_as_index": _SKIP_CAST,
    "memref.generic_atomic_rmw": _SKIP_CAST,
    "memref.load": _SKIP_CAST,
    "memref.prefetch": _SKIP_CAST,
    "memref.rank": (ConstantRank(),),
    "memref.store": (SkipCast(1),),
    "memref.subview": (WholeSubview(), StaticSubview(), SubviewOfCast()),
}

PATTERNS: Table = joined(
    _OWN, memref_reshapes.PATTERNS, memref_views.PATTERNS, memref_scopes.PATTERNS
)
"""The patterns of every op of the dialect, by its name."""
