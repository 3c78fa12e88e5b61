"""The pass convert-bufferization-to-memref.

Lowers what buffer deallocation leaves of the bufferization dialect: `bufferization.clone`
becomes an allocation and a copy, `bufferization.dealloc` is lowered as by
bufferization-lower-deallocations. Tensors must be gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.builder import Builder, ImplicitBuilder
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
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
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.bufferization_lower_deallocations import (
    lower_deallocations,
)

Unranked: TypeAlias = UnrankedMemRefType[Attribute]


@dataclass(frozen=True)
class ConvertBufferizationToMemrefPass(ModulePass):
    """Lower `bufferization.clone` and `bufferization.dealloc` to memref, scf and arith.

    A clone of a buffer with a layout gets that layout if it is static or can be cast to
    from the identity layout.
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
    for op in list(module.walk()):
        if op.name == "bufferization.clone":
            _lower_clone(op)
        elif op.name.startswith("bufferization.") and not isinstance(
            op, bufferization.DeallocOp
        ):
            raise PassFailedException(
                f"convert-bufferization-to-memref: tensors are left, in\n  {op}\nRun "
                "one-shot-bufferize before, with bufferize-function-boundaries if they "
                "come from function arguments or calls."
            )
    lower_deallocations(module)


def _lower_clone(op: Operation) -> None:
    source, result = op.operands[0], op.results[0]
    if isinstance(result.type, UnrankedMemRefType):
        copy = _allocate_unranked(op, source, cast("Unranked", result.type))
    else:
        copy = _allocate(op, source, cast("MemRefType[Attribute]", result.type))
    assert op.parent is not None
    op.parent.insert_op_before(memref.CopyOp(source, copy), op)
    result.replace_all_uses_with(copy)
    op.parent.erase_op(op)


def _allocate(op: Operation, source: SSAValue, type: MemRefType[Attribute]) -> SSAValue:
    shape = type.get_shape()
    if not isinstance(type.layout, NoneAttr) and not _fits_identity(type):
        return _allocate_with_static_layout(op, type)
    sizes = [
        insert_before(op, memref.DimOp(source, insert_before(op, _constant(i))))
        for i, size in enumerate(shape)
        if size == DYNAMIC_INDEX
    ]
    plain = MemRefType(type.element_type, shape, NoneAttr(), type.memory_space)
    alloc = insert_before(op, memref.AllocOp(sizes, (), plain))
    return (
        alloc
        if plain == type
        else insert_before(op, memref.CastOp.build(operands=[alloc], result_types=[type]))
    )


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


def _allocate_with_static_layout(op: Operation, type: MemRefType[Attribute]) -> SSAValue:
    """As many elements as the layout spans, seen through it."""
    strides, offset, shape = type.get_strides(), type.get_offset(), type.get_shape()
    if strides is None or offset is None or None in strides or DYNAMIC_INDEX in shape:
        raise PassFailedException(
            f"convert-bufferization-to-memref: cannot allocate a buffer of type {type} "
            f"for\n  {op}\nA clone can have the identity layout, one that a buffer of "
            "the identity layout can be cast to, or a static strided layout."
        )
    static = cast("list[int]", list(strides))
    reach = sum((n - 1) * stride for n, stride in zip(shape, static, strict=True))
    length = offset + reach + 1 if 0 not in shape else 0
    flat = MemRefType(type.element_type, [length], NoneAttr(), type.memory_space)
    alloc = insert_before(op, memref.AllocOp((), (), flat))
    strided = MemRefType(
        type.element_type, shape, StridedLayoutAttr(static, offset), type.memory_space
    )
    view = memref.ReinterpretCastOp.from_dynamic(
        alloc, [offset], list(shape), static, strided
    )
    return insert_before(op, view)


def _allocate_unranked(op: Operation, source: SSAValue, type: Unranked) -> SSAValue:
    """The shape, read in a loop, then as many elements, seen in that shape."""
    index = IndexType()
    zero = insert_before(op, _constant(0))
    one = insert_before(op, _constant(1))
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


def _constant(value: int) -> Operation:
    return arith.ConstantOp(IntegerAttr(value, IndexType()))
