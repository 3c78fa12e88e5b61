"""Canonicalizations of bufferization: inverse conversions, clones, sizes."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.traits import MemoryEffectKind, get_effects

from xdsl_bufferization.dialects import bufferization, memref, tensor
from xdsl_bufferization.dialects.memref import cast_compatible
from xdsl_bufferization.dialects.shapes import compatible_shapes, is_memref, is_tensor
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    tensor_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.destination_style import (
    set_result_type,
)
from xdsl_bufferization.transforms.canonicalization_patterns.sizes import (
    insert_constant,
    with_static_sizes,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table


class ToTensorOfToBuffer(RewritePattern):
    """to_tensor right after the to_buffer of a tensor is the tensor.

    Between the two, something could write to the buffer.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        buffer = op.operands[0].owner
        if isinstance(buffer, bufferization.ToBufferOp) and buffer.next_op is op:
            origin = buffer.operands[0]
            if origin.type == op.results[0].type:
                rewriter.replace(op, [], [origin])


class ToBufferOfToTensor(RewritePattern):
    """to_buffer of the to_tensor of a buffer is the buffer, cast if its type differs, or
    a copy of it if the layout or memory space asked for is not the buffer's."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source = op.operands[0].owner
        if not isinstance(source, bufferization.ToTensorOp):
            return
        buffer, type = source.operands[0], op.results[0].type
        if buffer.type == type:
            rewriter.replace(op, [], [buffer])
        elif _is_sure_cast(buffer.type, type):
            rewriter.replace(op, memref.CastOp(buffer, type))
        elif is_memref(buffer.type) and is_memref(type) and _is_allocatable(type):
            alloc = memref.AllocOp(_dynamic_sizes(buffer, rewriter), (), type)
            copy = memref.CopyOp(buffer, alloc.results[0])
            rewriter.replace(op, [alloc, copy], alloc.results)


def _is_allocatable(type: MemRefType) -> bool:
    """Whether the layout depends on the shape only, not on strides or offsets that are
    known at run time."""
    layout = type.layout
    if isinstance(layout, AffineMapAttr):
        return layout.data.num_symbols == 0
    if isinstance(layout, StridedLayoutAttr):
        return None not in layout.get_strides() and layout.get_offset() is not None
    return isinstance(layout, NoneAttr)


def _dynamic_sizes(buffer: SSAValue, rewriter: PatternRewriter) -> list[SSAValue]:
    assert is_memref(buffer.type)
    sizes: list[SSAValue] = []
    for number, size in enumerate(buffer.type.get_shape()):
        if size == DYNAMIC_INDEX:
            dim = memref.DimOp(buffer, insert_constant(rewriter, number))
            rewriter.insert(dim)
            sizes.append(dim.results[0])
    return sizes


def _is_sure_cast(source: object, result: object) -> bool:
    """Whether a cast cannot fail at run time: it forgets, but claims nothing new."""
    from xdsl_bufferization.dialects.memref import strides_and_offset_of

    if not is_memref(source) or not cast_compatible(source, result):  # pyright: ignore
        return False
    if isinstance(result, UnrankedMemRefType):
        return True
    assert is_memref(result)
    before, after = strides_and_offset_of(source), strides_and_offset_of(result)
    if before is None or after is None:
        return False
    pairs = zip((*before[0], before[1]), (*after[0], after[1]), strict=True)
    return all(y is None or x == y for x, y in pairs)


class ToBufferOfCast(RewritePattern):
    """The buffer of a cast tensor is the cast buffer of the tensor."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        cast = op.operands[0].owner
        type = op.results[0].type
        if not isinstance(cast, tensor.CastOp) or not is_memref(type):
            return
        source = cast.operands[0]
        if not is_tensor(source.type):
            return
        buffer_type = MemRefType(
            type.element_type, source.type.shape, type.layout, type.memory_space
        )
        buffer = bufferization.ToBufferOp(source, buffer_type)
        rewriter.replace(op, [buffer, memref.CastOp(buffer.results[0], type)])


class LoadOfToBuffer(RewritePattern):
    """An element loaded from the buffer of a tensor is extracted from the tensor."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        buffer, *indices = op.operands
        source = buffer.owner
        if isinstance(source, bufferization.ToBufferOp):
            origin = source.operands[0]
            rewriter.replace(op, tensor.ExtractOp(origin, indices, op.results[0].type))


class DimOfToTensor(RewritePattern):
    """The size of a tensor of a buffer is that of the buffer."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        source = op.operands[0].owner
        if isinstance(source, bufferization.ToTensorOp):
            rewriter.replace(op, memref.DimOp(source.operands[0], op.operands[1]))


class ConstantAllocTensorSizes(RewritePattern):
    """An alloc_tensor with sizes that are constants has them in its type."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, bufferization.AllocTensorOp)
        type = op.results[0].type
        if op.copy is not None or not is_tensor(type):
            return
        found = with_static_sizes(type, op.dynamic_sizes)
        if found is None:
            return
        new = bufferization.AllocTensorOp(
            found[0], found[1], None, op.size_hint, op.memory_space
        )
        new.attributes |= op.attributes
        rewriter.replace(op, [new, tensor.CastOp(new.results[0], type)])


class MaterializedCast(RewritePattern):
    """What is materialized may be the tensor before a cast, and so may the destination
    that is a tensor."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        old = list(op.operands)
        new = [tensor_before_cast(operand) or operand for operand in old]
        if new == old or not compatible_shapes(new[0].type, new[1].type):
            return
        op.operands = new
        rewriter.notify_op_modified(op)
        if op.results:
            set_result_type(op.results[0], new[1].type, rewriter)


class CloneOfCast(RewritePattern):
    """A clone may change the type itself."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        cast = op.operands[0].owner
        if isinstance(cast, memref.CastOp):
            origin = cast.operands[0]
            rewriter.replace(op, bufferization.CloneOp(origin, op.results[0].type))


class UselessClone(RewritePattern):
    """Remove a clone whose only use is its dealloc. Also remove one if the original (or
    the clone) is freed in its block: the original replaces both."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        clone = op.results[0]
        users = [use.operation for use in clone.uses]
        if all(isinstance(user, memref.DeallocOp) for user in users):
            for user in users:
                rewriter.erase(user)
            rewriter.erase(op)
            return
        source = op.operands[0]
        clone_dealloc = _dealloc_in(op, clone)
        source_dealloc = _dealloc_in(op, source)
        dealloc = clone_dealloc or source_dealloc
        if dealloc is None or (clone_dealloc is None) == (source_dealloc is None):
            return
        if not dealloc.is_before_in_block(op) and not _frees_between(op, dealloc):
            result = source
            if source.type != clone.type:
                cast = memref.CastOp(source, clone.type)
                rewriter.insert(cast)
                result = cast.results[0]
            rewriter.erase(dealloc)
            rewriter.replace(op, [], [result])


def _dealloc_in(op: Operation, value: SSAValue) -> Operation | None:
    """The only dealloc of a value, if it is in the op's block."""
    deallocs = [
        use.operation for use in value.uses if isinstance(use.operation, memref.DeallocOp)
    ]
    if len(deallocs) == 1 and deallocs[0].parent is op.parent:
        return deallocs[0]
    return None


_CALLS = ("func.call", "func.call_indirect")
"""A callee frees none of its arguments (see the function boundary ABI)."""


def _frees_between(first: Operation, last: Operation) -> bool:
    """Whether anything between two ops may free a buffer."""
    op = first.next_op
    while op is not None and op is not last:
        if op.name not in _CALLS:
            effects = get_effects(op)
            if effects is None or any(e.kind is MemoryEffectKind.FREE for e in effects):
                return True
        op = op.next_op
    return False


PATTERNS: Table = {
    "bufferization.alloc_tensor": (ConstantAllocTensorSizes(),),
    "bufferization.clone": (UselessClone(), CloneOfCast()),
    "bufferization.materialize_in_destination": (MaterializedCast(),),
    "bufferization.to_buffer": (ToBufferOfToTensor(), ToBufferOfCast()),
    "bufferization.to_tensor": (ToTensorOfToBuffer(),),
    "memref.load": (LoadOfToBuffer(),),
    "tensor.dim": (DimOfToTensor(),),
}
