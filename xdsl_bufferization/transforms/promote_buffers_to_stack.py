"""The pass promote-buffers-to-stack."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IndexType,
    MemRefType,
    ModuleOp,
)
from xdsl.ir import Attribute, Operation, OpResult
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.one_shot.program_order import OpNode
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.allocation_scopes import is_automatic_allocation_scope
from xdsl_bufferization.dialects.shapes import is_complex, is_vector
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.pass_options import Unsigned
from xdsl_bufferization.transforms.utils.allocation_placement import (
    Placement,
    is_known_control_flow,
    is_loop,
)
from xdsl_bufferization.transforms.utils.stack_buffers import move_to_stack


@dataclass(frozen=True)
class PromoteBuffersToStackPass(ModulePass):
    """Allocate small buffers that do not outlive their function on the stack.

        func.func @f(%m: memref<4xf32>) {
          %0 = memref.alloc() : memref<4xf32>
          linalg.exp ins(%m : memref<4xf32>) outs(%0 : memref<4xf32>)
          linalg.exp ins(%0 : memref<4xf32>) outs(%m : memref<4xf32>)
          return
        }

    becomes

        func.func @f(%m: memref<4xf32>) {
          %0 = memref.alloca() : memref<4xf32>
          linalg.exp ins(%m : memref<4xf32>) outs(%0 : memref<4xf32>)
          linalg.exp ins(%0 : memref<4xf32>) outs(%m : memref<4xf32>)
          return
        }

    which need not be freed. Run it before deallocation: an allocation that is already
    freed in the program stays on the heap, and so does one that leaves the scope at whose
    end the stack is taken back: a function, a loop or a `memref.alloca_scope`.

    Options:
        max-alloc-size-in-bytes: the largest buffer to move, 1024 by default.
        max-rank-of-allocated-memref: a buffer of dynamic sizes moves only up to this
            rank, and only if all its sizes are ranks of memrefs, which are small. 1 by
            default.
    """

    name = "promote-buffers-to-stack"

    max_alloc_size_in_bytes: Unsigned = 1024
    max_rank_of_allocated_memref: Unsigned = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        promote_buffers_to_stack(
            op, self.max_alloc_size_in_bytes, self.max_rank_of_allocated_memref
        )


def promote_buffers_to_stack(
    root: Operation, max_size_in_bytes: int = 1024, max_rank: int = 1
) -> None:
    """Replace memref.alloc by memref.alloca where that is safe and the buffer small."""
    placement = Placement(root)
    promoted = [
        node.op
        for node in placement.allocations(memref.AllocOp.name)
        if _is_small(node.op, max_size_in_bytes, max_rank)
        and _ends_with_scope(node, placement)
    ]
    for op in visiting(promoted):
        alloca = move_to_stack(cast(memref.AllocOp, op))
        Rewriter.insert_op(alloca, InsertPoint.before(op))
        Rewriter.replace_op(op, [], alloca.results)


def _is_small(op: Operation, max_size_in_bytes: int, max_rank: int) -> bool:
    type_ = cast("MemRefType[Attribute]", op.results[0].type)
    shape = type_.get_shape()
    if DYNAMIC_INDEX in shape:
        return len(shape) <= max_rank and all(
            isinstance(size, OpResult) and size.op.name == memref.RankOp.name
            for size in op.operands
        )
    bits = _bits(type_.element_type)
    return bits is not None and prod(shape) * bits <= max_size_in_bytes * 8


def _bits(type_: Attribute) -> int | None:
    """The size of an element in MLIR's default data layout, without padding after it."""
    if isinstance(type_, IndexType):
        return 64
    if is_complex(type_):
        part = _bits(type_.element_type)
        return (
            None if part is None else _align(part, _power_of_two(_bytes(part)) * 8) + part
        )
    if is_vector(type_):
        element = _bits(type_.element_type)
        if element is None:
            return None
        *outer, last = type_.get_shape() or (1,)
        return prod(outer) * _power_of_two(last) * _bytes(element) * 8
    return type_.bitwidth if isinstance(type_, FixedBitwidthType) else None


def _bytes(bits: int) -> int:
    return -(-bits // 8)


def _align(size: int, alignment: int) -> int:
    """The smallest multiple of `alignment` that is not less than `size`."""
    return -(-size // alignment) * alignment


def _power_of_two(number: int) -> int:
    """The smallest power of two that is not less than a positive number."""
    return 1 << (number - 1).bit_length()


def _ends_with_scope(node: OpNode, placement: Placement) -> bool:
    """Whether the buffer stays within an op at whose end the stack is taken back, with no
    loop in between that would take the stack again and again."""
    fate = placement.fate(node)
    if fate.is_stored:
        return False
    inner, outer = node, node.parent
    while outer is not None:
        region = placement.block_of(inner).block.parent
        assert region is not None
        if is_automatic_allocation_scope(outer.op):
            return region not in fate.handed_out
        if is_loop(outer.op) or not is_known_control_flow(outer.op):
            return False
        inner, outer = outer, outer.parent
    return False
