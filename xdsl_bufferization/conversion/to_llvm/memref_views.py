"""memref: views of a buffer, which only compute another descriptor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IntegerType,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from xdsl_bufferization.analysis.facts.value_bounds import static_list
from xdsl_bufferization.conversion.to_llvm import descriptors
from xdsl_bufferization.conversion.to_llvm.builder import Index
from xdsl_bufferization.conversion.to_llvm.descriptors import MemRef, UnrankedMemRef
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.conversion.to_llvm.unranked import (
    in_memory,
    reshaped,
    size_in,
    to_unranked,
)
from xdsl_bufferization.conversion.utils.unranked import is_unranked
from xdsl_bufferization.dialects import llvm as llvm_ops
from xdsl_bufferization.dialects.shapes import (
    dropped_dimensions,
    element_type_of,
    reassociation_groups,
)


def _mixed(
    to: FunctionLowering, op: Operation, static: str, dynamic: Sequence[SSAValue]
) -> list[Index]:
    """A list of numbers of which some are given as an attribute, the rest as operands."""
    rest = iter(dynamic)
    numbers = cast("DenseArrayBase[IntegerType]", op.properties[static]).iter_values()
    return [
        to.index(next(rest)) if number == DYNAMIC_INDEX else int(number)
        for number in numbers
    ]


def _view(
    to: FunctionLowering,
    result: SSAValue,
    source: MemRef,
    offset: Index,
    sizes: Sequence[Index],
    strides: Sequence[Index],
) -> None:
    """Records a result on the source's pointers; what its type fixes is taken from
    there.
    """
    info = to.info(result)
    to.set(
        result,
        MemRef(
            info,
            source.allocated,
            source.aligned,
            offset if info.offset is None else info.offset,
            descriptors.static_or(info.sizes, sizes),
            descriptors.static_or(info.strides, strides),
        ),
    )


def _subview(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, memref.SubviewOp)
    source = to.memref(op.operands[0])
    offsets = _mixed(to, op, "static_offsets", op.offsets)
    sizes = _mixed(to, op, "static_sizes", op.sizes)
    steps = _mixed(to, op, "static_strides", op.strides)
    offset = source.offset
    for position, stride in zip(offsets, source.strides, strict=True):
        offset = to.add(offset, to.mul(position, stride))
    info = to.info(op.results[0])
    # As in the types, where a size that is an operand is unknown even if it is constant.
    static = static_list(op, "static_sizes")
    wanted = [DYNAMIC_INDEX if size is None else size for size in info.sizes]
    dropped = dropped_dimensions(static, wanted) or frozenset[int]()
    kept = [dim for dim in range(len(sizes)) if dim not in dropped]
    _view(
        to,
        op.results[0],
        source,
        offset,
        [sizes[dim] for dim in kept],
        [
            source.strides[dim]
            if info.strides[place] is not None
            else to.mul(source.strides[dim], steps[dim])
            for place, dim in enumerate(kept)
        ],
    )


def _reinterpret_cast(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, memref.ReinterpretCastOp)
    offsets = _mixed(to, op, "static_offsets", op.offsets)
    sizes = _mixed(to, op, "static_sizes", op.sizes)
    strides = _mixed(to, op, "static_strides", op.strides)
    source = to.values[op.operands[0]]
    info = to.info(op.results[0])
    if isinstance(source, UnrankedMemRef):
        descriptor = in_memory(to, op.operands[0])
        pointers = MemRef(info, descriptor.allocated, descriptor.aligned, 0, (), ())
    else:
        pointers = cast(MemRef, source)
    _view(to, op.results[0], pointers, offsets[0], sizes, strides)


def _transpose(op: Operation, to: FunctionLowering) -> None:
    source = to.memref(op.operands[0])
    map_ = cast(AffineMapAttr, op.properties["permutation"]).data
    order = [cast(AffineDimExpr, expr).position for expr in map_.results]
    _view(
        to,
        op.results[0],
        source,
        source.offset,
        [source.sizes[dim] for dim in order],
        [source.strides[dim] for dim in order],
    )


def _expand_shape(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, memref.ExpandShapeOp)
    source = to.memref(op.operands[0])
    sizes = _mixed(to, op, "static_output_shape", op.output_shape)
    groups = reassociation_groups(op.reassociation)
    strides: list[Index] = [1] * len(sizes)
    for stride, group in zip(source.strides, groups, strict=False):
        for place, dim in reversed(list(enumerate(group))):
            strides[dim] = stride
            if place:
                stride = to.mul(stride, sizes[dim])
    _view(to, op.results[0], source, source.offset, sizes, strides)


def _collapse_shape(op: Operation, to: FunctionLowering) -> None:
    """A group's stride is that of its innermost dimension that is not of size 1."""
    source = to.memref(op.operands[0])
    groups = reassociation_groups(op.properties["reassociation"])
    sizes: list[Index] = []
    strides: list[Index] = []
    for group in groups:
        sizes.append(descriptors.element_count(to, [source.sizes[dim] for dim in group]))
        wide = [dim for dim in group if source.sizes[dim] != 1]
        strides.append(source.strides[wide[-1] if wide else group[-1]])
    _view(to, op.results[0], source, source.offset, sizes, strides)


def _bytes_view(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, memref.ViewOp)
    source = to.memref(op.operands[0])
    info = to.info(op.results[0])
    rest: Iterator[SSAValue] = iter(op.sizes)
    sizes = tuple(to.index(next(rest)) if s is None else s for s in info.sizes)
    byte = IntegerType(8)
    start = to.add(source.offset, to.index(op.operands[1]))
    aligned = to.gep(source.aligned, byte, (start,))
    moved = MemRef(info, source.allocated, aligned, 0, (), ())
    _view(to, op.results[0], moved, 0, sizes, descriptors.row_major(to, sizes))


def _cast(op: Operation, to: FunctionLowering) -> None:
    source, result = to.values[op.operands[0]], op.results[0]
    if isinstance(source, UnrankedMemRef):
        if is_unranked(result):
            to.set(result, source)
        else:
            info = to.info(result)
            struct = to.load(source.descriptor, info.descriptor)
            to.set(result, descriptors.unpack(to, info, struct))
        return
    ranked = cast(MemRef, source)
    if is_unranked(result):
        to.set(result, to_unranked(to, ranked, result))
    else:
        _view(to, result, ranked, ranked.offset, ranked.sizes, ranked.strides)


def _memory_space_cast(op: Operation, to: FunctionLowering) -> None:
    source, result = to.values[op.operands[0]], op.results[0]
    if isinstance(source, UnrankedMemRef):
        to.refuse(op, "its operand is unranked; cast a ranked memref")
    ranked, info = cast(MemRef, source), to.info(result)

    def pointer_cast(pointer: SSAValue) -> SSAValue:
        if pointer.type == info.pointer:
            return pointer
        return to.value(llvm_ops.AddrSpaceCastOp, (pointer,), info.pointer)

    allocated, aligned = pointer_cast(ranked.allocated), pointer_cast(ranked.aligned)
    moved = MemRef(info, allocated, aligned, 0, (), ())
    _view(to, result, moved, ranked.offset, ranked.sizes, ranked.strides)


def _reshape(op: Operation, to: FunctionLowering) -> None:
    """The sizes come out of a memref; the strides are those of a dense array."""
    source, shape = to.values[op.operands[0]], to.memref(op.operands[1])
    result = op.results[0]
    if isinstance(source, UnrankedMemRef):
        descriptor = in_memory(to, op.operands[0])
        element = to.types(element_type_of(result.type))
        aligned = to.gep(descriptor.aligned, element, (descriptor.offset,))
        allocated = descriptor.allocated
    else:
        ranked = cast(MemRef, source)
        allocated, aligned = ranked.allocated, descriptors.data_pointer(to, ranked)
    if is_unranked(result):
        to.set(result, reshaped(to, result, (allocated, aligned), shape))
        return
    info = to.info(result)
    sizes = [
        size_in(to, shape, dim) if known is None else known
        for dim, known in enumerate(info.sizes)
    ]
    pointers = MemRef(info, allocated, aligned, 0, (), ())
    _view(to, result, pointers, 0, sizes, descriptors.row_major(to, sizes))


def _extract_strided_metadata(op: Operation, to: FunctionLowering) -> None:
    source = to.memref(op.operands[0])
    rank = source.info.rank
    base = to.info(op.results[0])
    to.set(op.results[0], MemRef(base, source.allocated, source.aligned, 0, (), ()))
    to.set(op.results[1], source.offset)
    for place in range(rank):
        to.set(op.results[2 + place], source.sizes[place])
        to.set(op.results[2 + rank + place], source.strides[place])


def _extract_pointer(op: Operation, to: FunctionLowering) -> None:
    source = to.values[op.operands[0]]
    if isinstance(source, UnrankedMemRef):
        pointer = in_memory(to, op.operands[0]).aligned
    else:
        pointer = cast(MemRef, source).aligned
    to.set(op.results[0], to.pointer_to_index(pointer))


VIEW_LOWERINGS: dict[str, Lowering] = {
    "memref.cast": _cast,
    "memref.collapse_shape": _collapse_shape,
    "memref.expand_shape": _expand_shape,
    "memref.extract_aligned_pointer_as_index": _extract_pointer,
    "memref.extract_strided_metadata": _extract_strided_metadata,
    "memref.memory_space_cast": _memory_space_cast,
    "memref.reinterpret_cast": _reinterpret_cast,
    "memref.reshape": _reshape,
    "memref.subview": _subview,
    "memref.transpose": _transpose,
    "memref.view": _bytes_view,
}
