"""The pass convert-bufferization-to-memref.

Lowers the remaining ops of the bufferization dialect after buffer deallocation:
`bufferization.clone` becomes an allocation and a copy, `bufferization.dealloc` is
lowered as by bufferization-lower-deallocations. There must be no tensors left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.builder import Builder, ImplicitBuilder
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects import bufferization, memref, scf
from xdsl_bufferization.dialects.booleans import insert_before
from xdsl_bufferization.dialects.index_constants import index_constant
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.bufferization_lower_deallocations import (
    lower_deallocations,
)

Size: TypeAlias = SSAValue | int
Unranked: TypeAlias = UnrankedMemRefType[Attribute]


@dataclass(frozen=True)
class ConvertBufferizationToMemrefPass(ModulePass):
    """Lower `bufferization.clone` and `bufferization.dealloc` to memref, scf and arith.

    The clone of a buffer with a strided layout is allocated with the identity layout
    and cast, if that is possible; otherwise, the allocation spans as many elements as
    the layout. The clone of an unranked buffer is dense: a memref.reshape of an
    allocation to the shape of the buffer, which a loop reads.
    """

    name = "convert-bufferization-to-memref"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_bufferization_to_memref(op)


def convert_bufferization_to_memref(module: Operation) -> None:
    """Lower all ops of the bufferization dialect inside `module`.

    Raises:
        PassFailedException: when an op on tensors is left, or a clone has a layout that
            cannot be allocated.
    """
    for op in visiting(list(walk(module))):
        if op.name == "bufferization.clone":
            _lower_clone(op)
        elif op.name.startswith("bufferization.") and not isinstance(
            op, bufferization.DeallocOp
        ):
            raise PassFailedException(
                f"{op.name}: tensors are left for convert-bufferization-to-memref. Run "
                "one-shot-bufferize before, with bufferize-function-boundaries if they "
                f"come from function arguments or calls.{describe(op)}"
            )
    lower_deallocations(module)


def _lower_clone(op: Operation) -> None:
    source, result = op.operands[0], op.results[0]
    if isinstance(result.type, UnrankedMemRefType):
        copy = _allocate_unranked(op, source, cast("Unranked", result.type))
    else:
        copy = allocate_like(op, source, cast("MemRefType[Attribute]", result.type))
    assert op.parent is not None
    op.parent.insert_op_before(memref.CopyOp(source, copy), op)
    result.replace_all_uses_with(copy)
    op.parent.erase_op(op)


def allocate_like(
    op: Operation, source: SSAValue, type: MemRefType[Attribute]
) -> SSAValue:
    """Insert an allocation before an op, and return it as a memref of a type.

    Args:
        source: a memref of the same shape.

    Raises:
        PassFailedException: when the type has a layout that cannot be allocated.
    """
    shape = type.get_shape()
    sizes: list[Size] = [
        insert_before(op, memref.DimOp(source, insert_before(op, index_constant(i))))
        if size == DYNAMIC_INDEX
        else size
        for i, size in enumerate(shape)
    ]
    if not isinstance(type.layout, NoneAttr) and not _fits_identity(type):
        return _allocate_with_layout(op, type, sizes)
    plain = MemRefType(type.element_type, shape, NoneAttr(), type.memory_space)
    alloc = _insert_alloc(op, sizes, plain)
    return (
        alloc
        if plain == type
        else insert_before(op, memref.CastOp.build(operands=[alloc], result_types=[type]))
    )


def has_allocatable_layout(type: MemRefType[Attribute]) -> bool:
    """Whether a buffer of a type can be allocated: its strides are not negative."""
    strides = type.get_strides()
    return strides is not None and not any(s is not None and s < 0 for s in strides)


def _fits_identity(type: MemRefType[Attribute]) -> bool:
    """Whether a buffer with the identity layout can be cast to `type`."""
    strides = type.get_strides()
    if strides is None or type.get_offset() not in (0, None):
        return False
    plain = MemRefType(type.element_type, type.get_shape()).get_strides()
    return plain is not None and all(
        stride is None or stride == expected
        for stride, expected in zip(strides, plain, strict=True)
    )


def _allocate_with_layout(
    op: Operation, type: MemRefType[Attribute], sizes: Sequence[Size]
) -> SSAValue:
    """As many elements as the layout spans, seen through it.

    Dimensions of dynamic stride are laid out around those of static stride, the last one
    innermost; a dynamic offset is 0.
    """
    strides, offset = type.get_strides(), type.get_offset()
    if strides is None or not has_allocatable_layout(type):
        raise PassFailedException(
            f"{op.name}: convert-bufferization-to-memref cannot allocate a buffer of "
            f"type {type}. A clone can have the identity layout or a strided one, with "
            f"strides that are not negative.{describe(op)}"
        )
    known = [(n, s) for n, s in zip(sizes, strides, strict=True) if s is not None]
    span: Size = 1
    for size, stride in known:
        span = _add(op, span, _multiply(op, _add(op, size, -1), stride))
    if any(not isinstance(size, int) or size == 0 for size, _ in known):
        span = _maximum(op, span, 0)
    laid_out: list[Size] = []
    for size, stride in zip(reversed(sizes), reversed(strides), strict=True):
        laid_out.append(span if stride is None else stride)
        if stride is None:
            span = _multiply(op, span, size)
    laid_out.reverse()

    start = offset or 0
    length = _add(op, span, start)
    flat = MemRefType(
        type.element_type,
        [length if isinstance(length, int) else DYNAMIC_INDEX],
        NoneAttr(),
        type.memory_space,
    )
    alloc = _insert_alloc(op, [length], flat)
    strided = MemRefType(
        type.element_type,
        [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes],
        StridedLayoutAttr(
            [stride if isinstance(stride, int) else None for stride in laid_out], start
        ),
        type.memory_space,
    )
    view = insert_before(
        op,
        memref.ReinterpretCastOp.from_dynamic(alloc, [start], sizes, laid_out, strided),
    )
    if strided == type:
        return view
    return insert_before(op, memref.CastOp.build(operands=[view], result_types=[type]))


def _insert_alloc(
    op: Operation, sizes: Sequence[Size], type: MemRefType[Attribute]
) -> SSAValue:
    dynamic = [size for size in sizes if not isinstance(size, int)]
    return insert_before(op, memref.AllocOp(dynamic, (), type))


def _allocate_unranked(op: Operation, source: SSAValue, type: Unranked) -> SSAValue:
    """The shape, read in a loop, then as many elements, seen in that shape."""
    index = IndexType()
    zero = insert_before(op, index_constant(0))
    one = insert_before(op, index_constant(1))
    rank = insert_before(op, memref.RankOp(source))
    shape = insert_before(op, memref.AllocaOp.get(index, None, [DYNAMIC_INDEX], [rank]))
    body = Block(arg_types=[index, index])
    i, product = body.args
    with ImplicitBuilder(Builder(InsertPoint.at_end(body))):
        size = memref.DimOp(source, i).results[0]
        memref.StoreOp.get(size, shape, [i])
        scf.YieldOp(arith.MuliOp(product, size).results[0])
    count = insert_before(op, scf.ForOp(zero, rank, one, [one], Region(body)))
    flat = MemRefType(type.element_type, [DYNAMIC_INDEX], NoneAttr(), type.memory_space)
    alloc = insert_before(op, memref.AllocOp((count,), (), flat))
    return insert_before(op, memref.ReshapeOp(alloc, shape, type))


def _add(place: Operation, a: Size, b: Size) -> Size:
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if a == 0 or b == 0:
        return b if a == 0 else a
    return insert_before(place, arith.AddiOp(_value(place, a), _value(place, b)))


def _multiply(place: Operation, a: Size, b: Size) -> Size:
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    if a == 1 or b == 1:
        return b if a == 1 else a
    return insert_before(place, arith.MuliOp(_value(place, a), _value(place, b)))


def _maximum(place: Operation, a: Size, b: Size) -> Size:
    if isinstance(a, int) and isinstance(b, int):
        return max(a, b)
    return insert_before(place, arith.MaxSIOp(_value(place, a), _value(place, b)))


def _value(place: Operation, size: Size) -> SSAValue:
    return insert_before(place, index_constant(size)) if isinstance(size, int) else size
