"""Makes a module report the bytes of each copy it executes: see `counting`.

    memref.copy %a, %b : memref<4x?xf32> to memref<4x?xf32>

becomes

    %n = memref.dim %a, %c1 : memref<4x?xf32>
    %bytes = arith.muli %n, %c16 : index
    func.call @jit.count.copy(%bytes) : (index) -> ()
    memref.copy %a, %b : memref<4x?xf32> to memref<4x?xf32>

Copies between unranked memrefs are not counted: their shape is known only inside; nor
are those of elements that are pointers or memrefs.
"""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ComplexType,
    FixedBitwidthType,
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.jit.counting import COUNT_COPY
from xdsl_bufferization.jit.elements import INDEX_BITS

COPYING_OPS = ("memref.copy", "bufferization.clone")


def count_copies(module: ModuleOp) -> None:
    """Puts a call of the counting function before each copy in the module."""
    copying = [op for op in walk(module) if op.name in COPYING_OPS]
    if not copying:
        return
    for op in copying:
        _count(op)
    index = FunctionType.from_lists([IndexType()], [])
    module.body.block.add_op(func.FuncOp.external(COUNT_COPY, index.inputs.data, ()))


def _count(op: Operation) -> None:
    source = op.operands[0]
    if not isinstance(source.type, MemRefType):
        return
    type = cast(MemRefType[Attribute], source.type)
    static_bytes = _bytes(type.element_type)
    if static_bytes is None:
        return
    new_ops: list[Operation] = []

    def add(new_op: Operation) -> SSAValue:
        new_ops.append(new_op)
        return new_op.results[0]

    sizes: list[SSAValue] = []
    for dim, size in enumerate(type.get_shape()):
        if size == DYNAMIC_INDEX:
            position = add(_constant(dim))
            sizes.append(add(memref.DimOp(source, position)))
        else:
            static_bytes *= size
    total = add(_constant(static_bytes))
    for size in sizes:
        total = add(arith.MuliOp(total, size))
    new_ops.append(func.CallOp(COUNT_COPY, [total], ()))
    Rewriter.insert_op(new_ops, InsertPoint.before(op))


def _bytes(element: Attribute) -> int | None:
    """The bytes an element takes up in memory; None where only the target knows."""
    match element:
        case IndexType():
            return INDEX_BITS // 8
        case ComplexType():
            part = _bytes(element.element_type)
            return None if part is None else 2 * part
        case VectorType():
            part = _bytes(element.element_type)
            return None if part is None else part * prod(element.get_shape())
        case FixedBitwidthType():
            size = 1
            while 8 * size < element.bitwidth:
                size *= 2
            return size
        case _:
            return None


def _constant(value: int) -> arith.ConstantOp:
    return arith.ConstantOp.from_int_and_width(value, IndexType())
