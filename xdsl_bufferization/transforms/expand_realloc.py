"""The pass expand-realloc.

    %new = memref.realloc %old(%size) : memref<?xf32> to memref<?xf32>

allocates a new buffer and copies if the old one is too small, and otherwise reuses it:

    %old_size = memref.dim %old, %c0 : memref<?xf32>
    %too_small = arith.cmpi ult, %old_size, %size : index
    %new = scf.if %too_small -> (memref<?xf32>) {
      %alloc = memref.alloc(%size) : memref<?xf32>
      %part = memref.subview %alloc[0] [%old_size] [1]
      memref.copy %old, %part
      memref.dealloc %old
      scf.yield %alloc
    } else {
      %same = memref.reinterpret_cast %old to offset: [0], sizes: [%size], strides: [1]
      scf.yield %same
    }

If both sizes are static, there is no run-time check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.booleans import insert_before
from xdsl_bufferization.dialects.index_constants import index_constant
from xdsl_bufferization.dialects.op_lists import list_ops
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass

Size: TypeAlias = SSAValue | int
BufferType: TypeAlias = MemRefType[Attribute]


@dataclass(frozen=True)
class ExpandReallocPass(ModulePass):
    """Expand `memref.realloc` into allocation, copy and deallocation.

    Options:
    - emit-deallocs: free the old buffer when a new one replaces it. Without this
      option, buffer deallocation must free it.
    """

    name = "expand-realloc"

    emit_deallocs: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expand_reallocs(op, emit_deallocs=self.emit_deallocs)


def expand_reallocs(module: Operation, *, emit_deallocs: bool = True) -> None:
    """Expand all reallocs inside `module`."""
    for op in visiting(list_ops(module)):
        if isinstance(op, memref.ReallocOp):
            _expand(op, emit_deallocs)


def _expand(op: memref.ReallocOp, emit_deallocs: bool) -> None:
    source = op.operands[0]
    source_type = cast(BufferType, source.type)
    result_type = cast(BufferType, op.results[0].type)
    (old_size,), (new_size,) = source_type.get_shape(), result_type.get_shape()
    dynamic_size = op.operands[1] if len(op.operands) > 1 else None
    size: Size = new_size if dynamic_size is None else dynamic_size

    if DYNAMIC_INDEX not in (old_size, new_size):
        if old_size < new_size:
            ops = _build_copy(op, source, old_size, dynamic_size, emit_deallocs)
        else:
            ops = [_build_cast(source, size, result_type)]
        value = _insert_all(op, ops)
    else:
        from xdsl_bufferization.dialects import scf

        present: Size = old_size
        if old_size == DYNAMIC_INDEX:
            zero = insert_before(op, index_constant(0))
            present = insert_before(op, memref.DimOp(source, zero))
        limits = [
            value
            if isinstance(value, SSAValue)
            else insert_before(op, index_constant(value))
            for value in (present, size)
        ]
        too_small = insert_before(op, arith.CmpiOp(limits[0], limits[1], "ult"))
        copied = _build_copy(op, source, present, dynamic_size, emit_deallocs)
        kept = _build_cast(source, size, result_type)
        then = [*copied, scf.YieldOp(copied[0].results[0])]
        otherwise = [kept, scf.YieldOp(kept.results[0])]
        value = insert_before(op, scf.IfOp(too_small, [result_type], then, otherwise))
    op.results[0].replace_all_uses_with(value)
    assert op.parent is not None
    op.parent.erase_op(op)


def _build_copy(
    op: memref.ReallocOp,
    source: SSAValue,
    present: Size,
    dynamic_size: SSAValue | None,
    emit_deallocs: bool,
) -> list[Operation]:
    """Build the new buffer with the contents of the old one; its allocation comes
    first."""
    type = cast(BufferType, op.results[0].type)
    sizes = () if dynamic_size is None else (dynamic_size,)
    alloc = memref.AllocOp(sizes, (), type, op.properties.get("alignment"))
    length = present if isinstance(present, int) else DYNAMIC_INDEX
    part_type = MemRefType(
        type.element_type, [length], StridedLayoutAttr([1]), type.memory_space
    )
    part = memref.SubviewOp.get(alloc.results[0], [0], [present], [1], part_type)
    ops: list[Operation] = [alloc, part, memref.CopyOp(source, part.results[0])]
    if emit_deallocs:
        ops.append(memref.DeallocOp.get(source))
    return ops


def _build_cast(source: SSAValue, size: Size, type: BufferType) -> Operation:
    plain = MemRefType(type.element_type, type.shape, NoneAttr(), type.memory_space)
    return memref.ReinterpretCastOp.from_dynamic(source, [0], [size], [1], plain)


def _insert_all(place: Operation, ops: Sequence[Operation]) -> SSAValue:
    assert place.parent is not None
    place.parent.insert_ops_before(ops, place)
    return ops[0].results[0]
