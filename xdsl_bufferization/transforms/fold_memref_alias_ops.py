"""The pass fold-memref-alias-ops.

Accesses and subviews are visited in program order. For each, the chain of views that
defines its buffer is followed upwards, rewriting the indices, up to a source that is
not a view or must not be folded. A subview is thus folded into its source before its
users are visited, so that a chain of subviews takes one step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IntegerType,
    MemRefType,
    ModuleOp,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects import affine, memref
from xdsl_bufferization.dialects.memref import (
    strides_and_offset_of,
    subview_strides_and_offset,
)
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import reassociation_groups
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.index_builder import IndexBuilder
from xdsl_bufferization.transforms.utils.tensor_builder import (
    Size,
    dynamic_sizes,
    mixed_sizes,
    static_sizes,
)


@dataclass(frozen=True)
class FoldMemrefAliasOpsPass(ModulePass):
    """Replace loads and stores of a view by loads and stores of its source buffer.

        func.func @f(%m: memref<8x16xf32>, %o: index, %i: index, %j: index) -> f32 {
          %v = memref.subview %m[%o, 2] [4, 4] [1, 3]
              : memref<8x16xf32> to memref<4x4xf32, strided<[16, 3], offset: ?>>
          %x = memref.load %v[%i, %j] : memref<4x4xf32, strided<[16, 3], offset: ?>>
          return %x : f32
        }

    becomes

        func.func @f(%m: memref<8x16xf32>, %o: index, %i: index, %j: index) -> f32 {
          %0 = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%o, %i]
          %1 = affine.apply affine_map<()[s0] -> (s0 * 3 + 2)>()[%j]
          %x = memref.load %m[%0, %1] : memref<8x16xf32>
          return %x : f32
        }

    Views are subview, expand_shape, collapse_shape and cast; accesses are load and store
    of memref, and load, store, maskedload, maskedstore, transfer_read and transfer_write
    of vector. A subview of a subview becomes one subview if all strides are 1. Views
    without remaining uses are erased.

    A vector access stays on the view if it would touch other elements in the buffer: if
    the vector has several dimensions and the view is a reshape, if it may leave the
    view, or if it runs along a strided dimension. As in MLIR, a transfer_write to a
    reshape and a transfer_read of a collapse_shape stay too.
    """

    name = "fold-memref-alias-ops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fold_memref_alias_ops(op)


def fold_memref_alias_ops(root: Operation) -> None:
    """Fold views into the accesses under `root`."""
    replaced: list[SSAValue] = []
    for op in visiting(list(walk(root))):
        position = _ACCESSES.get(op.name)
        if position is not None:
            _fold_access(op, position, replaced)
        elif isinstance(op, memref.SubviewOp):
            _fold_subview(op, replaced)
    # A view is made from values before it: the last views are erased first.
    for view in reversed(replaced):
        _erase_unused(view)


_ACCESSES = {
    # op: number of its buffer operand, which the indices follow
    "memref.load": 0,
    "memref.store": 1,
    "vector.load": 0,
    "vector.store": 1,
    "vector.maskedload": 0,
    "vector.maskedstore": 0,
    "vector.transfer_read": 0,
    "vector.transfer_write": 1,
}
_TRANSFERS = (vector.TransferReadOp, vector.TransferWriteOp)
_VIEWS = (
    memref.SubviewOp,
    memref.ExpandShapeOp,
    memref.CollapseShapeOp,
    memref.CastOp,
)


def _erase_unused(value: SSAValue) -> None:
    while (
        isinstance(value, OpResult)
        and isinstance(op := value.op, _VIEWS)
        and op.parent is not None
        and value.first_use is None
    ):
        value = op.operands[0]
        Rewriter.erase_op(op)


# ---------------------------------------------------------------------------------------
# Accesses


def _fold_access(op: Operation, position: int, replaced: list[SSAValue]) -> None:
    buffer = op.operands[position]
    while isinstance(buffer, OpResult):
        view = buffer.op
        type_ = buffer.type
        if not isinstance(view, _VIEWS) or not isinstance(type_, MemRefType):
            return
        source = view.operands[0]
        if not isinstance(source.type, MemRefType):
            return
        first = position + 1
        end = first + type_.get_num_dims()
        indices = op.operands[first:end]
        dimensions = _dimensions_after(op, view)
        if dimensions is None:
            return
        folded = _source_indices(op, view, indices)
        op.operands = (
            *op.operands[:position],
            source,
            *folded,
            *op.operands[end:],
        )
        _update_properties(op, position, len(folded), dimensions)
        replaced.append(buffer)
        buffer = source


def _source_indices(
    op: Operation, view: Operation, indices: Sequence[SSAValue]
) -> list[SSAValue]:
    """The indices in the source of the element that has these indices in the view."""
    builder = IndexBuilder(op)
    if isinstance(view, memref.SubviewOp):
        return _through_subview(view, indices, builder)
    if isinstance(view, memref.ExpandShapeOp):
        # Vectors may begin in front of the buffer where they are masked.
        scalar = op.name.startswith("memref.")
        return _through_expand_shape(view, indices, scalar, builder)
    if isinstance(view, memref.CollapseShapeOp):
        return _through_collapse_shape(view, indices, builder)
    return list(indices)


def _through_subview(
    view: memref.SubviewOp, indices: Sequence[SSAValue], builder: IndexBuilder
) -> list[SSAValue]:
    offsets = mixed_sizes(view.static_offsets.get_values(), view.offsets)
    strides = mixed_sizes(view.static_strides.get_values(), view.strides)
    index_of: dict[int, Size] = dict(zip(kept_dimensions(view), indices, strict=True))
    return [
        builder.value(
            builder.sum_of_products([(offset,), (index_of.get(number, 0), stride)])
        )
        for number, (offset, stride) in enumerate(zip(offsets, strides, strict=True))
    ]


def kept_dimensions(view: memref.SubviewOp) -> list[int]:
    """The dimensions of a subview's source that its result has, in order.

    Of several dimensions of size one that may have been dropped, the last ones are kept,
    as in MLIR.
    """
    source = cast("MemRefType[Attribute]", view.operands[0].type)
    result = cast("MemRefType[Attribute]", view.results[0].type)
    sizes = view.static_sizes.get_values()
    shape = result.get_shape()
    if len(sizes) == len(shape):
        return list(range(len(sizes)))
    before, after = strides_and_offset_of(source), strides_and_offset_of(result)
    assert before is not None and after is not None, "verified"
    strides, _ = subview_strides_and_offset(
        before, view.static_offsets.get_values(), view.static_strides.get_values()
    )
    kept: list[int] = []
    number = len(sizes)
    for wanted in reversed(list(zip(shape, after[0], strict=True))):
        number -= 1
        while (sizes[number], strides[number]) != wanted:
            number -= 1
        kept.append(number)
    kept.reverse()
    return kept


def _through_expand_shape(
    view: memref.ExpandShapeOp,
    indices: Sequence[SSAValue],
    in_bounds: bool,
    builder: IndexBuilder,
) -> list[SSAValue]:
    sizes = mixed_sizes(view.static_output_shape.get_values(), view.operands[1:])
    folded: list[SSAValue] = []
    for group in reassociation_groups(view.reassociation):
        if len(group) == 1:
            folded.append(indices[group[0]])
            continue
        basis = [sizes[number] for number in group]
        linearize = affine.LinearizeIndexOp.build(
            operands=[[indices[number] for number in group], dynamic_sizes(basis)],
            result_types=[indices[group[0]].type],
            properties={
                "static_basis": DenseArrayBase.from_list(i64, static_sizes(basis)),
                "disjoint": UnitAttr() if in_bounds else None,
            },
        )
        folded.append(builder.insert(linearize)[0])
    return folded


def _through_collapse_shape(
    view: memref.CollapseShapeOp, indices: Sequence[SSAValue], builder: IndexBuilder
) -> list[SSAValue]:
    source = view.operands[0]
    type_ = cast("MemRefType[Attribute]", source.type)
    shape = type_.get_shape()
    groups = reassociation_groups(view.reassociation)
    if not groups:
        zero = builder.value(0) if shape else None
        return [] if zero is None else [zero] * len(shape)
    sizes: list[Size] = list(shape)
    if any(DYNAMIC_INDEX in [shape[i] for i in group] for group in groups if group[1:]):
        metadata = builder.insert(memref.ExtractStridedMetadataOp(source))
        sizes = [
            metadata[2 + number] if size == DYNAMIC_INDEX else size
            for number, size in enumerate(shape)
        ]
    folded: list[SSAValue] = []
    for index, group in zip(indices, groups, strict=True):
        if len(group) == 1:
            folded.append(index)
            continue
        basis = [sizes[number] for number in group]
        delinearize = affine.DelinearizeIndexOp.build(
            operands=[index, dynamic_sizes(basis)],
            result_types=[[index.type] * len(group)],
            properties={
                "static_basis": DenseArrayBase.from_list(i64, static_sizes(basis))
            },
        )
        folded.extend(builder.insert(delinearize))
    return folded


# ---------------------------------------------------------------------------------------
# Accesses of vectors


def _dimensions_after(op: Operation, view: Operation) -> Sequence[int] | None:
    """Return the dimension of the source for each dimension of the view; for a reshape,
    the one in which its elements are adjacent. Return None if the access must not be
    folded, because its vector has other elements in the source.
    """
    rank = cast("MemRefType[Attribute]", view.results[0].type).get_num_dims()
    if isinstance(view, memref.CastOp):
        return range(rank)
    if isinstance(view, memref.SubviewOp):
        dimensions = kept_dimensions(view)
    else:
        dimensions = _last_of_groups(view)
    if op.name.startswith("memref."):
        return dimensions
    vector_dimensions = _vector_dimensions(op, rank)
    if vector_dimensions is None:
        return None
    if isinstance(view, memref.SubviewOp):
        strides = view.static_strides.get_values()
        source_rank = len(strides)
        along = [dimensions[number] for number in vector_dimensions]
        if any(strides[number] != 1 for number in along):
            return None
        if isinstance(op, _TRANSFERS):
            return dimensions if all(stride == 1 for stride in strides) else None
        return dimensions if along == [*range(source_rank)][-len(along) :] else None
    if isinstance(op, vector.TransferWriteOp) or (
        isinstance(op, vector.TransferReadOp) and isinstance(view, memref.CollapseShapeOp)
    ):
        return None
    # Across a reshape, elements in a row stay in a row, but rows do not.
    return dimensions if list(vector_dimensions) in ([], [rank - 1]) else None


def _last_of_groups(view: Operation) -> list[int]:
    """For each dimension of a reshape's result one of the source's."""
    if isinstance(view, memref.ExpandShapeOp):
        groups = reassociation_groups(view.reassociation)
        return [number for number, group in enumerate(groups) for _ in group]
    assert isinstance(view, memref.CollapseShapeOp)
    return [group[-1] for group in reassociation_groups(view.reassociation)]


def _vector_dimensions(op: Operation, rank: int) -> list[int] | None:
    """Return the dimensions of the view that the vector spans, in the order of the
    vector; None if the vector may leave the view."""
    if not isinstance(op, _TRANSFERS):
        # What is read is the result, what is stored the first operand or the last.
        values = (*op.results, op.operands[0], op.operands[-1])
        of_vector = next(v for v in values if isinstance(v.type, VectorType))
        count = cast("VectorType[Attribute]", of_vector.type).get_num_dims()
        return list(range(rank - count, rank)) if count <= rank else None
    if not all(bool(flag.value.data) for flag in op.in_bounds):
        return None
    dimensions: list[int] = []
    for expr in op.permutation_map.data.results:
        if isinstance(expr, AffineDimExpr):
            dimensions.append(expr.position)
        elif not isinstance(expr, AffineConstantExpr):
            return None
    return dimensions


def _update_properties(
    op: Operation, position: int, index_count: int, dimensions: Sequence[int]
) -> None:
    """Update the properties of a transfer for its new indices and dimensions."""
    if not isinstance(op, _TRANSFERS):
        return
    segments = cast("DenseArrayBase[IntegerType]", op.properties["operandSegmentSizes"])
    counts = [*segments.get_values()]
    counts[position + 1] = index_count
    op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, counts)
    results = tuple(
        AffineDimExpr(dimensions[expr.position])
        if isinstance(expr, AffineDimExpr)
        else expr
        for expr in op.permutation_map.data.results
    )
    op.properties["permutation_map"] = AffineMapAttr(AffineMap(index_count, 0, results))


# ---------------------------------------------------------------------------------------
# Subviews of subviews


def _fold_subview(op: memref.SubviewOp, replaced: list[SSAValue]) -> None:
    buffer = op.operands[0]
    view = buffer.owner
    if not isinstance(view, memref.SubviewOp):
        return
    for subview in (op, view):
        if any(stride != 1 for stride in subview.static_strides.get_values()):
            return
    builder = IndexBuilder(op)
    offsets = mixed_sizes(view.static_offsets.get_values(), view.offsets)
    sizes: list[Size] = [1] * len(offsets)
    for number, offset, size in zip(
        kept_dimensions(view),
        mixed_sizes(op.static_offsets.get_values(), op.offsets),
        mixed_sizes(op.static_sizes.get_values(), op.sizes),
        strict=True,
    ):
        offsets[number] = builder.sum_of_products([(offsets[number],), (offset,)])
        sizes[number] = size
    result_type = op.results[0].type
    merged = memref.SubviewOp(
        view.operands[0],
        dynamic_sizes(offsets),
        dynamic_sizes(sizes),
        [],
        DenseArrayBase.from_list(i64, static_sizes(offsets)),
        DenseArrayBase.from_list(i64, static_sizes(sizes)),
        DenseArrayBase.from_list(i64, [1] * len(offsets)),
        result_type,
    )
    builder.insert(merged)
    Rewriter.replace_op(op, [], merged.results)
    replaced.append(buffer)
