"""Make a module report the bytes of each copy and allocation: see `counting`.

    memref.copy %a, %b : memref<4x?xf32> to memref<4x?xf32>

becomes

    %op = arith.constant 3 : index
    %n = memref.dim %a, %c1 : memref<4x?xf32>
    %bytes = arith.muli %n, %c16 : index
    func.call @jit.count.copy(%op, %bytes) : (index, index) -> ()
    memref.copy %a, %b : memref<4x?xf32> to memref<4x?xf32>

Copies between unranked memrefs are not counted, as their shape is known only at run
time; neither are copies of elements that are pointers or memrefs.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    MemRefType,
    ModuleOp,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memory_layout import element_bytes, static_bytes
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.jit.counting import COUNT_ALLOCATION, COUNT_COPY
from xdsl_bufferization.locations import built_for

COPYING_OPS = ("memref.copy", "bufferization.clone")
_ALLOCATING_OPS = ("memref.alloc",)


def list_counted(module: ModuleOp) -> list[Operation]:
    """Return the ops that `count_memory` lets report, in the order of their numbers."""
    return [
        op
        for op in walk(module)
        if op.name in COPYING_OPS or op.name in _ALLOCATING_OPS
        if isinstance(type := _counted_value(op).type, MemRefType)
        if element_bytes(cast(MemRefType[Attribute], type).element_type) is not None
    ]


def count_memory(module: ModuleOp) -> int:
    """Put a call of a counting function before each copy and allocation in the module.
    Return how many there are."""
    counted = list_counted(module)
    for number, op in enumerate(counted):
        with built_for(op):
            _count(op, number)
    index = IndexType()
    for name in (COUNT_COPY, COUNT_ALLOCATION) if counted else ():
        module.body.block.add_op(func.FuncOp.external(name, (index, index), ()))
    return len(counted)


def _counted_value(op: Operation) -> SSAValue:
    return op.operands[0] if op.name in COPYING_OPS else op.results[0]


def _count(op: Operation, number: int) -> None:
    value = _counted_value(op)
    type = cast(MemRefType[Attribute], value.type)
    is_copy = op.name in COPYING_OPS
    new_ops: list[Operation] = []

    def add(new_op: Operation) -> SSAValue:
        new_ops.append(new_op)
        return new_op.results[0]

    known = None if is_copy else static_bytes(type)
    sizes: list[SSAValue] = []
    if known is None:
        # Of a layout with dynamic sizes, only the elements count.
        known = element_bytes(type.element_type)
        assert known is not None, "only such ops are counted"
        if isinstance(op, memref.AllocOp):
            sizes += op.dynamic_sizes
        for dim, size in enumerate(type.get_shape()):
            if size != DYNAMIC_INDEX:
                known *= size
            elif is_copy:
                position = add(_constant(dim))
                sizes.append(add(memref.DimOp(value, position)))
    total = add(_constant(known))
    for size in sizes:
        total = add(arith.MuliOp(total, size))
    name = COUNT_COPY if is_copy else COUNT_ALLOCATION
    new_ops.append(func.CallOp(name, [add(_constant(number)), total], ()))
    Rewriter.insert_op(new_ops, InsertPoint.before(op))


def _constant(value: int) -> arith.ConstantOp:
    return arith.ConstantOp.from_int_and_width(value, IndexType())
