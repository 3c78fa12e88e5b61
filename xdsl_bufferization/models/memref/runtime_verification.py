"""Requirements of memref: indices in bounds, views inside their source, equal sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    MemRefType,
    NoneAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.analysis.facts.value_bounds import (
    Index,
    constant_of,
    mixed_list,
    static_list,
)
from xdsl_bufferization.dialects import bufferization, memref, tensor
from xdsl_bufferization.dialects.memref import strides_and_offset_of
from xdsl_bufferization.dialects.shapes import is_memref, reassociation_groups, shape_of
from xdsl_bufferization.interfaces.runtime_verifiable import (
    Affine,
    Allocatable,
    AtLeast,
    AtMost,
    ElementOf,
    Equal,
    InBounds,
    InsideSpan,
    OffsetOf,
    Product,
    ProductAtMost,
    RankOf,
    Requirement,
    SizeOf,
    StrideOf,
    Term,
)
from xdsl_bufferization.interfaces.table import attach

_LEFT, _RIGHT = AffineDimExpr(0), AffineDimExpr(1)


@dataclass(frozen=True)
class Access:
    """An access of one element, whose indices follow the buffer operand."""

    buffer: int

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        buffer = op.operands[self.buffer]
        return in_bounds(buffer, op.operands[self.buffer + 1 :])


def in_bounds(buffer: SSAValue, indices: Sequence[Term]) -> list[Requirement]:
    """That an element of a buffer exists."""
    return [
        InBounds(index, SizeOf(buffer, i), f"out-of-bounds access of dimension {i}")
        for i, index in enumerate(indices)
    ]


class _Alloc:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("memref.AllocOp | memref.AllocaOp", op)
        type_ = cast("MemRefType[Attribute]", op.results[0].type)
        return allocatable(type_.get_shape(), op.dynamic_sizes)


class _Realloc:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        return allocatable((DYNAMIC_INDEX,), op.operands[1:])


def allocatable(shape: Sequence[int], dynamic: Sequence[SSAValue]) -> list[Requirement]:
    """That the dynamic sizes of something new of some shape are sizes."""
    static = prod(max(size, 1) for size in shape)
    limit = _LARGEST // static
    requirements: list[Requirement] = [
        Allocatable(size, limit, f"size {i} is negative or too large")
        for i, size in enumerate(dynamic)
    ]
    if len(dynamic) > 1:
        reason = "the sizes are too large"
        requirements.append(ProductAtMost(tuple(dynamic), limit, reason))
    return requirements


_LARGEST = 1 << 48
"""No machine has more bytes to address, and no count of elements up to this overflows."""


class _Cast:
    """A cast to a type that knows more must find that true."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        source, result = op.operands[0], op.results[0].type
        if not isinstance(result, MemRefType):
            return ()
        known = source.type if is_memref(source.type) else None
        return _has_type(source, known, cast("MemRefType[Attribute]", result))


def _has_type(
    source: SSAValue,
    known: MemRefType[Attribute] | None,
    wanted: MemRefType[Attribute],
) -> list[Requirement]:
    rank = wanted.get_num_dims()
    requirements: list[Requirement] = []
    if known is None:
        requirements.append(Equal(RankOf(source), rank, "rank mismatch"))
    of_source = [DYNAMIC_INDEX] * rank if known is None else known.get_shape()
    requirements += [
        Equal(SizeOf(source, i), size, f"size mismatch of dim {i}")
        for i, (old, size) in enumerate(zip(of_source, wanted.get_shape(), strict=True))
        if old == DYNAMIC_INDEX and size != DYNAMIC_INDEX
    ]
    layout = strides_and_offset_of(wanted)
    if layout is None or (known and _is_dense(known) and _is_dense(wanted)):
        return requirements
    strides, offset = layout
    old = None if known is None else strides_and_offset_of(known)
    old_strides, old_offset = ([None] * rank, None) if old is None else old
    if offset is not None and old_offset is None:
        requirements.append(Equal(OffsetOf(source, rank), offset, "offset mismatch"))
    requirements += [
        Equal(StrideOf(source, i, rank), stride, f"stride mismatch of dim {i}")
        for i, (old_stride, stride) in enumerate(zip(old_strides, strides, strict=True))
        if old_stride is None and stride is not None
    ]
    return requirements


def _is_dense(type_: MemRefType[Attribute]) -> bool:
    """Whether the sizes tell the strides."""
    return isinstance(type_.layout, NoneAttr)


class _Copy:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        source, target = op.operands
        return same_sizes(source, target, "size of dim {} of source and target differ")


def same_sizes(first: SSAValue, second: SSAValue, reason: str) -> list[Requirement]:
    """That two buffers have the same shape.

    Args:
        reason: why not, with `{}` for the dimension.
    """
    shapes = shape_of(first.type), shape_of(second.type)
    rank = next((len(shape) for shape in shapes if shape is not None), None)
    if rank is None:
        return [Equal(RankOf(first), RankOf(second), "ranks differ")]
    requirements: list[Requirement] = [
        Equal(RankOf(value), rank, "ranks differ")
        for value, shape in zip((first, second), shapes, strict=True)
        if shape is None
    ]
    return requirements + [
        Equal(SizeOf(first, i), SizeOf(second, i), reason.format(i)) for i in range(rank)
    ]


class Dim:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        source, index = op.operands
        shape = shape_of(source.type)
        rank = RankOf(source) if shape is None else len(shape)
        return [InBounds(index, rank, "index is out of bounds")]


class _Subview:
    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("memref.SubviewOp", op)
        return slices_inside(op, op.source, "subview")


def slices_inside(
    op: memref.SubviewOp | tensor.ExtractSliceOp | tensor.InsertSliceOp,
    source: SSAValue,
    what: str,
) -> list[Requirement]:
    """That what an op names by offsets, sizes and strides is inside of a value.

    Args:
        what: how messages call it.
    """
    offsets = mixed_list(op.offsets, static_list(op, "static_offsets"))
    sizes = mixed_list(op.sizes, static_list(op, "static_sizes"))
    strides = mixed_list(op.strides, static_list(op, "static_strides"))
    requirements: list[Requirement] = []
    for i, (offset, size, stride) in enumerate(zip(offsets, sizes, strides, strict=True)):
        reason = f"{what} runs out-of-bounds along dimension {i}"
        requirements += _slice_inside(source, i, offset, size, stride, reason)
    return requirements


def _slice_inside(
    source: SSAValue, i: int, offset: Index, size: Index, stride: Index, out: str
) -> list[Requirement]:
    """That a slice of one dimension is inside of it.

    No sum and no product of what has been checked before can overflow.
    """
    whole = SizeOf(source, i)
    outside = f"offset {i} is out-of-bounds"
    off = AtMost(offset, whole, outside)
    known = constant_of(stride)
    if known == 1:
        return [off, AtMost(size, _minus(whole, offset), out)]
    last = Affine(_LEFT + _RIGHT, (offset, Product(_minus(size, 1), stride)))
    requirements: list[Requirement] = [off, AtMost(size, whole, out)]
    if known is None or known < 0:
        # The other elements are before the first one, which may not be just past the end.
        requirements.append(InBounds(offset, whole, outside, unless_empty=(size,)))
    if known is None or abs(known) > _SMALL_STRIDE:
        second = Affine(_LEFT + _RIGHT, (offset, stride))
        few = (size, _minus(size, 1))
        requirements.append(InBounds(second, whole, out, unless_empty=few))
    return [*requirements, InBounds(last, whole, out, unless_empty=(size,))]


_SMALL_STRIDE = 1 << 15
"""Up to this stride, no slice that is not larger than its buffer ends at an overflow."""


def _minus(left: Term, right: Term) -> Term:
    return left if right == 0 else Affine(_LEFT - _RIGHT, (left, right))


class ExpandShape:
    """The sizes that a group is split into have the size of the group as product."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        source, *dynamic_sizes = op.operands
        sizes = mixed_list(dynamic_sizes, static_list(op, "static_output_shape"))
        requirements: list[Requirement] = []
        for i, group in enumerate(reassociation_groups(op.properties["reassociation"])):
            product = _product([sizes[dimension] for dimension in group])
            reason = f"sizes of group {i} do not have the size of dim {i} as product"
            dynamic = [d for d in group if not isinstance(sizes[d], int)]
            requirements += [
                AtLeast(sizes[d], 0, f"size {d} is negative") for d in dynamic
            ]
            if len(dynamic) > 1:
                factors = tuple(sizes[dimension] for dimension in group)
                requirements.append(ProductAtMost(factors, _LARGEST, reason))
            requirements.append(Equal(product, SizeOf(source, i), reason))
        return requirements


class _CollapseShape:
    """Dimensions that are merged are contiguous: each stride is the next one times that
    one's size, but for dimensions of one element."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        source = op.operands[0]
        known = cast("MemRefType[Attribute]", source.type)
        if _is_dense(known):
            return ()
        shape = known.get_shape()
        rank = len(shape)
        requirements: list[Requirement] = []
        for group in reassociation_groups(op.properties["reassociation"]):
            wide = [dim for dim in group if shape[dim] != 1]
            if not wide:
                continue
            expected: Term = StrideOf(source, wide[-1], rank)
            for dim, inner in reversed(list(pairwise(wide))):
                expected = Product(expected, SizeOf(source, inner))
                void = tuple((SizeOf(source, i), 0) for i in range(rank) if i != dim)
                requirements.append(
                    Equal(
                        StrideOf(source, dim, rank),
                        expected,
                        f"dim {dim} is merged with the next one but is not contiguous",
                        ((SizeOf(source, dim), 1), *void),
                    )
                )
        return requirements


class _ReinterpretCast:
    """All elements are between the first and the last one of the buffer that the source
    is a view of, as far as that can be seen: what a function got is what it may use. The
    view without sizes of an unranked buffer that deallocations compare has any rank.
    """

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("memref.ReinterpretCastOp", op)
        if shape_of(op.source.type) is None and _is_never_accessed(op.result):
            return ()
        offset, *_ = mixed_list(op.offsets, static_list(op, "static_offsets"))
        sizes = mixed_list(op.sizes, static_list(op, "static_sizes"))
        strides = mixed_list(op.strides, static_list(op, "static_strides"))
        requirements: list[Requirement] = [
            AtLeast(size, 0, f"size {i} is negative") for i, size in enumerate(sizes)
        ]
        buffer = _viewed_buffer(op.operands[0])
        shape = shape_of(buffer.type)
        rank = len(sizes) if shape is None else len(shape)
        if shape is None:
            reason = "rank mismatch; cast the source to its rank first"
            requirements.append(Equal(RankOf(buffer), rank, reason))
        reason = "the result reaches outside of the source's buffer"
        span = InsideSpan(offset, tuple(sizes), tuple(strides), buffer, rank, reason)
        return [*requirements, span]


class _ExtractStridedMetadata:
    """The element at the aligned pointer exists, if anything may access it."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        op = cast("memref.ExtractStridedMetadataOp", op)
        if _is_base_only(op.results[0]):
            return ()
        buffer = _viewed_buffer(op.operands[0])
        rank = len(shape_of(buffer.type) or ())
        reason = "the base buffer's element is outside of the source"
        return [InsideSpan(0, (), (), buffer, rank, reason)]


def _is_base_only(buffer: SSAValue) -> bool:
    return all(isinstance(use.operation, _BASE_USERS) for use in buffer.uses)


def _is_never_accessed(buffer: SSAValue) -> bool:
    """Whether a buffer is only freed and compared, under its own name or as its base."""
    return all(
        isinstance(use.operation, _OWNERSHIP_OPS)
        or (
            isinstance(use.operation, memref.ExtractStridedMetadataOp)
            and all(
                isinstance(inner.operation, _OWNERSHIP_OPS)
                for inner in use.operation.results[0].uses
            )
        )
        for use in buffer.uses
    )


_OWNERSHIP_OPS = (
    bufferization.DeallocOp,
    memref.DeallocOp,
    memref.ExtractAlignedPointerAsIndexOp,
)
_BASE_USERS = (memref.ReinterpretCastOp, *_OWNERSHIP_OPS)
_SAME_POINTER = (
    memref.CastOp,
    memref.CollapseShapeOp,
    memref.ExpandShapeOp,
    memref.ExtractStridedMetadataOp,
    memref.MemorySpaceCastOp,
    memref.ReinterpretCastOp,
    memref.ReshapeOp,
    memref.SubviewOp,
    memref.TransposeOp,
)
"""Views that have the aligned pointer of what they view."""


def _viewed_buffer(view: SSAValue) -> SSAValue:
    """What a value is a view of, with the same aligned pointer, as far as can be seen.

    Every view on the way was checked, so all of them are inside of it."""
    while isinstance(view.owner, _SAME_POINTER):
        view = view.owner.operands[0]
    return view


class _Reshape:
    """The new sizes, which are elements of a buffer, have as product the number of
    elements of the source."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        source, shape = op.operands
        of_source, of_shape = shape_of(source.type), shape_of(shape.type)
        if of_source is None or of_shape is None or of_shape[0] == DYNAMIC_INDEX:
            return ()
        sizes = [ElementOf(shape, i) for i in range(of_shape[0])]
        requirements: list[Requirement] = [
            Equal(new, size, f"size mismatch of dim {i}")
            for i, (new, size) in enumerate(
                zip(sizes, shape_of(op.results[0].type) or (), strict=False)
            )
            if size != DYNAMIC_INDEX
        ]
        whole = [SizeOf(source, i) for i in range(len(of_source))]
        reason = "the new shape has another number of elements"
        return [
            *(AtLeast(n, 0, f"new size {i} is negative") for i, n in enumerate(sizes)),
            *requirements,
            ProductAtMost(tuple(sizes), _LARGEST, reason),
            Equal(_product(sizes), _product(whole), reason),
        ]


class _View:
    """The elements, from a number of bytes on, are inside of the bytes."""

    def get_runtime_requirements(self, op: Operation) -> Sequence[Requirement]:
        source, shift, *dynamic = op.operands
        result = cast("MemRefType[Attribute]", op.results[0].type)
        element = result.element_type
        if not isinstance(element, FixedBitwidthType):
            return ()
        sizes = mixed_list(dynamic, result.get_shape())
        size = Product(_product(sizes), element.size)
        whole = SizeOf(source, 0)
        reason = "the sizes are too large"
        return [
            *(AtLeast(n, 0, f"size {i} is negative") for i, n in enumerate(dynamic)),
            ProductAtMost((*sizes, element.size), _LARGEST, reason),
            AtMost(shift, whole, "the shift is out-of-bounds"),
            AtMost(size, _minus(whole, shift), "the view runs out-of-bounds"),
        ]


def _product(factors: Sequence[Term]) -> Term:
    product: Term = 1
    for factor in factors:
        product = factor if product == 1 else Product(product, factor)
    return product


def register() -> None:
    attach(memref.LoadOp, Access(0))
    attach(memref.StoreOp, Access(1))
    attach(memref.AtomicRMWOp, Access(1))
    attach(memref.GenericAtomicRMWOp, Access(0))
    attach(memref.AllocOp, _Alloc())
    attach(memref.AllocaOp, _Alloc())
    attach(memref.ReallocOp, _Realloc())
    attach(memref.CastOp, _Cast())
    attach(memref.CopyOp, _Copy())
    attach(memref.DimOp, Dim())
    attach(memref.SubviewOp, _Subview())
    attach(memref.ExpandShapeOp, ExpandShape())
    attach(memref.CollapseShapeOp, _CollapseShape())
    attach(memref.ReinterpretCastOp, _ReinterpretCast())
    attach(memref.ExtractStridedMetadataOp, _ExtractStridedMetadata())
    attach(memref.ReshapeOp, _Reshape())
    attach(memref.ViewOp, _View())
