"""The pass expand-strided-metadata.

A buffer is described by a `Metadata`: a base buffer without dimensions, an offset, sizes
and strides, each a number or a value. The metadata of a view is computed from that of
its source, and so on up to a buffer that is not a view, whose metadata is extracted at
run time. Ops are visited in program order, so that the source of a view is described
first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    MemRefType,
    ModuleOp,
    NoneAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memref import (
    has_identity_layout,
    strides_and_offset_of,
)
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import reassociation_groups, shape_of
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.fold_memref_alias_ops import kept_dimensions
from xdsl_bufferization.transforms.utils.index_builder import IndexBuilder
from xdsl_bufferization.transforms.utils.tensor_builder import (
    Size,
    dynamic_sizes,
    mixed_sizes,
    static_sizes,
)


@dataclass(frozen=True)
class ExpandStridedMetadataPass(ModulePass):
    """Replace views of memrefs by the arithmetic of their offsets, sizes and strides.

        %v = memref.subview %m[%o, 2] [4, 4] [1, 3]
            : memref<8x16xf32> to memref<4x4xf32, strided<[16, 3], offset: ?>>

    becomes

        %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m
            : memref<8x16xf32> -> memref<f32>, index, index, index, index, index
        %0 = affine.apply affine_map<()[s0] -> (s0 * 16 + 2)>()[%o]
        %v = memref.reinterpret_cast %base
            to offset: [%0], sizes: [4, 4], strides: [16, 3]
            : memref<f32> to memref<4x4xf32, strided<[16, 3], offset: ?>>

    so that the arithmetic can be simplified and shared. The pass replaces subview,
    expand_shape and collapse_shape, and resolves extract_strided_metadata and
    extract_aligned_pointer_as_index of views and allocations. Views of buffers whose
    layout is not strided stay.
    """

    name = "expand-strided-metadata"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expand_strided_metadata(op)


def expand_strided_metadata(root: Operation) -> None:
    """Replace the views under `root`."""
    expansion = _Expansion()
    for op in visiting(list(walk(root))):
        if isinstance(op, _VIEWS):
            expansion.expand(op)
        elif isinstance(op, memref.ExtractStridedMetadataOp):
            expansion.resolve_metadata(op)
        elif isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
            _resolve_pointer(op)
        elif isinstance(op, memref.DimOp):
            expansion.resolve_size(op)


_View: TypeAlias = memref.SubviewOp | memref.ExpandShapeOp | memref.CollapseShapeOp
_VIEWS = (memref.SubviewOp, memref.ExpandShapeOp, memref.CollapseShapeOp)
_OF_SAME_POINTER = (
    memref.ExtractStridedMetadataOp,
    memref.ReinterpretCastOp,
    memref.SubviewOp,
)
_CASTS = (memref.CastOp, memref.ReinterpretCastOp, memref.MemorySpaceCastOp)
_ALLOCATIONS = (memref.AllocOp, memref.AllocaOp, memref.GetGlobalOp)


@dataclass(frozen=True)
class Metadata:
    """The components of a strided buffer."""

    base: SSAValue
    offset: Size
    sizes: Sequence[Size]
    strides: Sequence[Size]


@dataclass
class _Expansion:
    described: dict[SSAValue, Metadata] = field(default_factory=dict[SSAValue, Metadata])
    """Views that have been replaced; what they consist of dominates all their uses."""
    extracted: dict[tuple[SSAValue, Block | None], Metadata] = field(
        default_factory=dict[tuple[SSAValue, Block | None], Metadata]
    )
    """What was asked for in a block, of a buffer that is not a replaced view."""

    def expand(self, op: _View) -> None:
        source = op.operands[0]
        if strides_and_offset_of(source.type) is None:
            return
        builder = IndexBuilder(op)
        whole = self.metadata(source, builder)
        if isinstance(op, memref.SubviewOp):
            part = _of_subview(op, whole, builder)
        elif isinstance(op, memref.ExpandShapeOp):
            part = _of_expand_shape(op, whole, builder)
        else:
            part = _of_collapse_shape(op, whole, builder)
        view = _reinterpret(part, op.results[0].type, builder)
        Rewriter.replace_op(op, [], [view])
        self.described[view] = part

    def resolve_metadata(self, op: memref.ExtractStridedMetadataOp) -> None:
        source = op.operands[0]
        if not _is_resolvable(source):
            return
        builder = IndexBuilder(op)
        known = self.metadata(source, builder)
        values = [known.offset, *known.sizes, *known.strides]
        Rewriter.replace_op(op, [], [known.base, *map(builder.value, values)])

    def resolve_size(self, op: memref.DimOp) -> None:
        known = self.described.get(op.operands[0])
        number = constant_of(op.operands[1])
        if known is None or number is None:
            return
        if 0 <= number < len(known.sizes):
            size = IndexBuilder(op).value(known.sizes[number])
            Rewriter.replace_op(op, [], [size])

    def metadata(self, buffer: SSAValue, builder: IndexBuilder) -> Metadata:
        """What a buffer consists of, at the place of the builder."""
        if buffer in self.described:
            return self.described[buffer]
        key = buffer, builder.before.parent
        if key not in self.extracted:
            self.extracted[key] = self._extract(buffer, builder)
        return self.extracted[key]

    def _extract(self, buffer: SSAValue, builder: IndexBuilder) -> Metadata:
        if _is_resolvable(buffer):
            assert isinstance(buffer, OpResult)
            if isinstance(buffer.op, _ALLOCATIONS):
                return _of_allocation(buffer, builder)
            source = self.metadata(buffer.op.operands[0], builder)
            if isinstance(buffer.op, memref.ReinterpretCastOp):
                return _of_reinterpret_cast(buffer.op, source)
            if isinstance(buffer.op, memref.MemorySpaceCastOp):
                cast_op = memref.MemorySpaceCastOp.create(
                    operands=[source.base], result_types=[_base_type(buffer.type)]
                )
                base = builder.insert(cast_op)[0]
                return Metadata(base, source.offset, source.sizes, source.strides)
            return source
        values = builder.insert(memref.ExtractStridedMetadataOp(buffer))
        rank = (len(values) - 2) // 2
        return _with_static(
            buffer.type,
            Metadata(values[0], values[1], values[2 : 2 + rank], values[2 + rank :]),
        )


def _is_resolvable(buffer: SSAValue) -> bool:
    """Whether the metadata of a buffer is known without asking for it at run time."""
    if not isinstance(buffer, OpResult):
        return False
    if isinstance(buffer.op, _ALLOCATIONS):
        return has_identity_layout(cast("MemRefType[Attribute]", buffer.type))
    if not isinstance(buffer.op, _CASTS):
        return False
    type_ = buffer.op.operands[0].type
    return shape_of(type_) is not None and strides_and_offset_of(type_) is not None


def _with_static(type_: Attribute, known: Metadata) -> Metadata:
    """The metadata, with numbers where the type has them."""
    shape = cast("MemRefType[Attribute]", type_).get_shape()
    layout = strides_and_offset_of(type_)
    assert layout is not None, "asked for strided buffers only"
    return Metadata(
        known.base,
        known.offset if layout[1] is None else layout[1],
        [
            value if size == DYNAMIC_INDEX else size
            for value, size in zip(known.sizes, shape, strict=True)
        ],
        [
            value if stride is None else stride
            for value, stride in zip(known.strides, layout[0], strict=True)
        ],
    )


def _base_type(type_: Attribute) -> Attribute:
    buffer_type = cast("MemRefType[Attribute]", type_)
    return MemRefType(buffer_type.element_type, [], NoneAttr(), buffer_type.memory_space)


def _of_allocation(buffer: OpResult, builder: IndexBuilder) -> Metadata:
    """Return the metadata of an allocation, which is contiguous: none must be
    extracted."""
    type_ = cast("MemRefType[Attribute]", buffer.type)
    sizes = mixed_sizes(type_.get_shape(), buffer.op.operands)
    strides = [
        builder.sum_of_products([sizes[number + 1 :]]) for number in range(len(sizes))
    ]
    base_type = _base_type(type_)
    if base_type == type_:
        return Metadata(buffer, 0, sizes, strides)
    whole = Metadata(buffer, 0, [], [])
    return Metadata(_reinterpret(whole, base_type, builder), 0, sizes, strides)


def _of_reinterpret_cast(op: memref.ReinterpretCastOp, source: Metadata) -> Metadata:
    return Metadata(
        source.base,
        mixed_sizes(op.static_offsets.get_values(), op.offsets)[0],
        mixed_sizes(op.static_sizes.get_values(), op.sizes),
        mixed_sizes(op.static_strides.get_values(), op.strides),
    )


def _reinterpret(known: Metadata, type_: Attribute, builder: IndexBuilder) -> SSAValue:
    """The base buffer as a buffer of the given type, with the numbers that the type has
    and no others."""
    shape = cast("MemRefType[Attribute]", type_).get_shape()
    layout = strides_and_offset_of(type_)
    assert layout is not None, "views of strided buffers are strided"

    def operands(types: Sequence[int | None], values: Sequence[Size]) -> list[Size]:
        return [
            builder.value(value) if number is None else number
            for number, value in zip(types, values, strict=True)
        ]

    sizes = operands([None if n == DYNAMIC_INDEX else n for n in shape], known.sizes)
    strides = operands(layout[0], known.strides)
    offsets = operands([layout[1]], [known.offset])
    reinterpreted = memref.ReinterpretCastOp(
        known.base,
        dynamic_sizes(offsets),
        dynamic_sizes(sizes),
        dynamic_sizes(strides),
        DenseArrayBase.from_list(i64, static_sizes(offsets)),
        DenseArrayBase.from_list(i64, static_sizes(sizes)),
        DenseArrayBase.from_list(i64, static_sizes(strides)),
        type_,
    )
    return builder.insert(reinterpreted)[0]


# ---------------------------------------------------------------------------------------
# Views


def _of_subview(op: memref.SubviewOp, whole: Metadata, builder: IndexBuilder) -> Metadata:
    offsets = mixed_sizes(op.static_offsets.get_values(), op.offsets)
    sizes = mixed_sizes(op.static_sizes.get_values(), op.sizes)
    steps = mixed_sizes(op.static_strides.get_values(), op.strides)
    strides = [
        builder.sum_of_products([factors])
        for factors in zip(steps, whole.strides, strict=True)
    ]
    offset = builder.sum_of_products(
        [(whole.offset,), *zip(offsets, whole.strides, strict=True)]
    )
    kept = kept_dimensions(op)
    return _with_static(
        op.results[0].type,
        Metadata(
            whole.base,
            offset,
            [sizes[number] for number in kept],
            [strides[number] for number in kept],
        ),
    )


def _of_expand_shape(
    op: memref.ExpandShapeOp, whole: Metadata, builder: IndexBuilder
) -> Metadata:
    sizes = mixed_sizes(op.static_output_shape.get_values(), op.operands[1:])
    strides: list[Size] = []
    groups = reassociation_groups(op.reassociation)
    for group, size in zip(groups, whole.sizes, strict=False):
        known = [sizes[number] for number in group if isinstance(sizes[number], int)]
        if len(known) == len(group) - 1:
            # The size that is not known is what the others leave of the whole.
            rest = cast(int, builder.sum_of_products([known]))
            unknown = next(n for n in group if not isinstance(sizes[n], int))
            sizes[unknown] = builder.quotient(size, rest) if rest else sizes[unknown]
    for group, stride in zip(groups, whole.strides, strict=False):
        for number in group:
            inner = sizes[number + 1 : group[-1] + 1]
            strides.append(builder.sum_of_products([(*inner, stride)]))
    if not groups:
        strides = [1] * len(sizes)
    return _with_static(
        op.results[0].type, Metadata(whole.base, whole.offset, sizes, strides)
    )


def _of_collapse_shape(
    op: memref.CollapseShapeOp, whole: Metadata, builder: IndexBuilder
) -> Metadata:
    sizes: list[Size] = []
    strides: list[Size] = []
    for group in reassociation_groups(op.reassociation):
        sizes.append(builder.sum_of_products([[whole.sizes[n] for n in group]]))
        # The elements of a group lie evenly: as those of its last dimension that has
        # more than one.
        longer = [number for number in group if whole.sizes[number] != 1]
        strides.append(whole.strides[(longer or group)[-1]])
    return _with_static(
        op.results[0].type, Metadata(whole.base, whole.offset, sizes, strides)
    )


def _resolve_pointer(op: memref.ExtractAlignedPointerAsIndexOp) -> None:
    """A view begins at the same pointer as its source; only the offset differs."""
    source = op.operands[0]
    while isinstance(source, OpResult) and isinstance(source.op, _OF_SAME_POINTER):
        source = source.op.operands[0]
    if isinstance(source.type, MemRefType):
        op.operands[0] = source
