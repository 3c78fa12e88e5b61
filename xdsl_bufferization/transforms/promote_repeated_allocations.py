"""The pass promote-repeated-allocations: small buffers of loops move to the stack.

A function that is called in a loop allocates temporary memory in each call: for
example, the scalar in which a linalg.dot accumulates. hoist-loop-allocations cannot
move this buffer, because it is not in the loop; it also leaves buffers in a loop if
moving them might raise the peak of memory in use. A small buffer that is freed in the
block of its allocation fits into the stack frame of the function.

The stack must not grow with the number of iterations or of calls in progress:

- The memref.alloca is at the start of the function: it is executed once per call,
  however often the buffer is used. This is correct because ops run sequentially: in the
  next iteration, the buffer of the previous iteration has been freed.
- Recursive functions, also indirectly recursive ones, keep their allocations.
- Buffers of more than a few bytes stay on the heap, and so do those that no longer fit
  into the frame.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp, NoneAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.facts.block_graph import cycles
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.strongly_connected import (
    reachable,
    strongly_connected,
)
from xdsl_bufferization.dialects import affine, memref, scf
from xdsl_bufferization.dialects.memory_layout import static_bytes
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.pass_options import Unsigned
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.allocation_placement import is_loop
from xdsl_bufferization.transforms.utils.buffer_lifetimes import (
    Lifetime,
    find_deallocation,
)
from xdsl_bufferization.transforms.utils.stack_buffers import (
    move_to_stack,
    stack_alignment,
)

MOST_BYTES_OF_FRAME = 1024
"""What the pass puts on the stack in one function, with alignment."""

_ONE_AFTER_ANOTHER = (
    affine.ForOp,
    affine.IfOp,
    scf.ExecuteRegionOp,
    scf.ForOp,
    scf.IfOp,
    scf.IndexSwitchOp,
    scf.WhileOp,
)
"""Ops that run their regions within the call of the function around, one at a time."""


@dataclass(frozen=True)
class PromoteRepeatedAllocationsPass(ModulePass):
    """Allocate small buffers of loops, and of functions that loops call, on the stack.

        func.func @f(%a: memref<?xf64>, %s: memref<?xf64>, %n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.for %i = %c0 to %n step %c1 {
            %0 = memref.alloc() : memref<f64>
            linalg.dot ins(%a, %a : memref<?xf64>, memref<?xf64>) outs(%0 : memref<f64>)
            %x = memref.load %0[] : memref<f64>
            memref.store %x, %s[%i] : memref<?xf64>
            memref.dealloc %0 : memref<f64>
          }
          return
        }

    becomes

        func.func @f(%a: memref<?xf64>, %s: memref<?xf64>, %n: index) {
          %0 = memref.alloca() : memref<f64>
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.for %i = %c0 to %n step %c1 {
            linalg.dot ins(%a, %a : memref<?xf64>, memref<?xf64>) outs(%0 : memref<f64>)
            %x = memref.load %0[] : memref<f64>
            memref.store %x, %s[%i] : memref<?xf64>
          }
          return
        }

    Buffers of functions that loops call, directly or indirectly, also move to the
    stack.

    The allocation and its deallocation must be in the same block, and its sizes must be
    static. Recursive functions keep their allocations, and so do functions that call an
    external function or a function value which may call them again. Each function uses
    at most 1,024 bytes of stack in this way. Buffers in memory spaces, in loops whose
    iterations may run in parallel, and those that are allocated only once stay on the
    heap. Run the pass after buffer deallocation.

    Options:
        max-alloc-size-in-bytes: the largest buffer to move, 64 by default.
    """

    name = "promote-repeated-allocations"

    max_alloc_size_in_bytes: Unsigned = 64

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        promote_repeated_allocations(op, self.max_alloc_size_in_bytes)


@on_program
def promote_repeated_allocations(module: ModuleOp, max_size_in_bytes: int = 64) -> None:
    """Move small buffers of loops, and of functions that loops call, to the stack."""
    candidates: dict[FuncOp, list[memref.AllocOp]] = {}
    order = _Order()
    for function in list_functions(module):
        found = [
            op
            for op in list_ops(function)
            if isinstance(op, memref.AllocOp)
            and _frame_bytes(op, max_size_in_bytes) is not None
            and order.is_sequential(op)
        ]
        if found:
            candidates[function] = found
    if not candidates:
        return
    calls = _Calls(module, order)
    for function in visiting(candidates):
        if function not in calls.known or function in calls.recursive:
            continue
        allocations = [
            op
            for op in candidates[function]
            if function in calls.repeated or order.is_repeated(op)
        ]
        if allocations:
            _promote(function, allocations, max_size_in_bytes)


def _frame_bytes(op: memref.AllocOp, max_size_in_bytes: int) -> int | None:
    """What a buffer takes on the stack, with the bytes to align it; None if it stays."""
    type_ = cast("MemRefType[Attribute]", op.results[0].type)
    if op.operands or not (
        isinstance(type_.memory_space, NoneAttr) and isinstance(type_.layout, NoneAttr)
    ):
        return None
    size = static_bytes(type_)
    if size is None or size > max_size_in_bytes:
        return None
    alignment = stack_alignment(op) or 1
    return -(-max(size, 1) // alignment) * alignment


def _promote(
    function: FuncOp, allocations: Iterable[memref.AllocOp], max_size_in_bytes: int
) -> None:
    """Move those allocations of a function to the stack that are freed in their block."""
    room = MOST_BYTES_OF_FRAME
    promoted: list[Lifetime] = []
    positions: dict[Block, dict[Operation, int]] = {}
    origins = BufferOrigins(function, list_ops(function))
    for allocation in allocations:
        size = _frame_bytes(allocation, max_size_in_bytes)
        block = allocation.parent
        assert block is not None and size is not None
        if size > room:
            continue
        if block not in positions:
            positions[block] = {op: number for number, op in enumerate(block.ops)}
        deallocation = find_deallocation(allocation, origins, positions[block])
        if deallocation is not None:
            promoted.append(Lifetime(allocation, deallocation))
            room -= size
    entry = function.body.blocks.first
    assert entry is not None
    start = entry.first_op
    assert start is not None
    for op in visiting([lifetime.allocation for lifetime in promoted]):
        alloca = move_to_stack(op)
        Rewriter.insert_op(alloca, InsertPoint.before(start))
        if op is start:
            start = alloca
        Rewriter.replace_op(op, [], alloca.results)
    for lifetime in promoted:
        Rewriter.erase_op(lifetime.deallocation)


class _Order:
    """How one call of a function executes its blocks."""

    def __init__(self) -> None:
        self._cycles: dict[Block, bool] = {}
        self._known: dict[Block, tuple[bool, bool]] = {}
        """By block, whether it may be executed several times, and whether one execution
        of it ends before the next begins."""

    def is_repeated(self, op: Operation) -> bool:
        """Whether an op may be executed several times."""
        return self._describe(op)[0]

    def is_sequential(self, op: Operation) -> bool:
        """Whether one execution of the block of an op ends before the next begins."""
        return self._describe(op)[1]

    def _describe(self, op: Operation) -> tuple[bool, bool]:
        path: list[Block] = []
        block = op.parent
        while block is not None and block not in self._known:
            path.append(block)
            around = block.parent_op()
            if around is None or isinstance(around, FuncOp):
                break
            block = around.parent
        for block in reversed(path):
            around = block.parent_op()
            repeated, sequential = self._is_on_cycle(block), True
            if around is not None and not isinstance(around, FuncOp):
                outer = around.parent
                above = (False, False) if outer is None else self._known[outer]
                repeated |= above[0] or is_loop(around)
                sequential = above[1] and isinstance(around, _ONE_AFTER_ANOTHER)
            self._known[block] = repeated, sequential
        return (False, False) if op.parent is None else self._known[op.parent]

    def _is_on_cycle(self, block: Block) -> bool:
        if block not in self._cycles:
            assert block.parent is not None
            blocks = list(block.parent.blocks)
            on_cycles = cycles(blocks, None) if len(blocks) > 1 else ()
            self._cycles.update((other, other in on_cycles) for other in blocks)
        return self._cycles[block]


class _Unknown:
    """A function that is not in the module: it may call all that others can call."""


class _Calls:
    """What is executed again and again.

    Attributes:
        known: the functions whose callers are found.
        recursive: the functions that may be called while a call of them is in progress.
        repeated: the functions that are called in a loop, or by functions that are.
    """

    def __init__(self, module: ModuleOp, order: _Order) -> None:
        functions = FunctionTable(module)
        self.known = set(functions.functions)
        unknown = _Unknown()
        callees: dict[Hashable, dict[Hashable, None]] = {
            function: {} for function in functions.functions
        }
        callees[unknown] = {
            function: None
            for function in functions.functions
            if function.body.blocks and not functions.has_known_calls(function)
        }
        in_loops: dict[Hashable, None] = {}
        for function in functions.functions:
            for op in list_ops(function):
                if CALL.lookup(op) is None:
                    continue
                callee: Hashable = functions.callee(op)
                if not isinstance(callee, FuncOp) or not callee.body.blocks:
                    callee = unknown
                callees[function][callee] = None
                if callee not in in_loops and order.is_repeated(op):
                    in_loops[callee] = None
        self.recursive = {
            node
            for component in strongly_connected(callees, callees.__getitem__)
            for node in component
            if len(component) > 1 or node in callees[node]
        }
        self.repeated = reachable([*in_loops, *self.recursive], callees.__getitem__)
