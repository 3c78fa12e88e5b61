"""The pass reorder-for-peak-memory: reorder ops so that fewer bytes are live.

    1. The ops of each block that access memory become tasks, which depend on others and
       use buffers (utils/block_tasks.py).
    2. A search finds an order of the tasks in which the simultaneously live buffers
       take few bytes (planner/task_order.py), and the block is reordered accordingly.
    3. The memory of the program is planned before and after. A function that does not
       need less gets its old order back.

Copies are ordinary ops, so none is added. A block with an allocation of dynamic size is
left unchanged, and one with a call of a function whose allocations are not part of an
arena of the caller.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.memory_layout import static_bytes
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.pass_options import Unsigned
from xdsl_bufferization.planner.task_order import DEFAULT_STEPS, order_tasks
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.plan_memory import planned_peaks
from xdsl_bufferization.transforms.utils.allocated_spaces import allocates
from xdsl_bufferization.transforms.utils.block_tasks import (
    BlockTasks,
    find_opaque_functions,
)
from xdsl_bufferization.transforms.utils.memory_slots import has_one_place
from xdsl_bufferization.transforms.utils.op_order import OpOrder


@dataclass(frozen=True)
class ReorderForPeakMemoryPass(ModulePass):
    """Reorder the ops of a block so that `plan-memory`, which runs next, needs fewer
    bytes.

        %a = memref.alloc() : memref<64xf32>
        %b = memref.alloc() : memref<64xf32>
        linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
        linalg.log ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
        %p = memref.alloc() : memref<f32>
        %q = memref.alloc() : memref<f32>
        linalg.reduce { arith.addf } ins(%a : memref<64xf32>) outs(%p : memref<f32>)
            dimensions = [0]
        linalg.reduce { arith.addf } ins(%b : memref<64xf32>) outs(%q : memref<f32>)
            dimensions = [0]
        memref.dealloc %a : memref<64xf32>
        memref.dealloc %b : memref<64xf32>

    becomes

        %a = memref.alloc() : memref<64xf32>
        linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
        %p = memref.alloc() : memref<f32>
        linalg.reduce { arith.addf } ins(%a : memref<64xf32>) outs(%p : memref<f32>)
            dimensions = [0]
        memref.dealloc %a : memref<64xf32>
        %b = memref.alloc() : memref<64xf32>
        linalg.log ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
        %q = memref.alloc() : memref<f32>
        linalg.reduce { arith.addf } ins(%b : memref<64xf32>) outs(%q : memref<f32>)
            dimensions = [0]
        memref.dealloc %b : memref<64xf32>

    and %a and %b can share their memory. Ops keep their order if one of them writes, or
    may write, memory that the other reads or writes. All arguments of a function count
    as one buffer here, because a caller may pass the same buffer twice. A block with an
    allocation of unknown size is left unchanged, and so is a function whose planned
    memory would not shrink. Run the pass after deallocation.

    Options:
        search-steps: the work to spend on the order of a block (100000).
    """

    name = "reorder-for-peak-memory"

    search_steps: Unsigned = DEFAULT_STEPS

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        reorder_for_peak_memory(op, search_steps=self.search_steps)


@on_program
def reorder_for_peak_memory(
    module: ModuleOp, *, search_steps: int = DEFAULT_STEPS
) -> None:
    """Reorder the ops of all functions of a module; see `ReorderForPeakMemoryPass`."""
    reordered = _find_orders(module, search_steps)
    if not reordered:
        return
    before = planned_peaks(module.clone())
    old_orders = {function: OpOrder(function) for function in reordered}
    for orders in reordered.values():
        for tasks, order in orders:
            tasks.place(order)
    # Where a callee gets its old order back, the memory of its callers may change.
    worse = list(old_orders)
    after: dict[str, int] = {}
    while worse:
        after = planned_peaks(module.clone())
        worse = [
            function
            for function in old_orders
            if after.get(name := function.sym_name.data, 0) >= before.get(name, 0)
        ]
        for function in worse:
            old_orders.pop(function).restore()
    if any(after.get(name, 0) > number for name, number in before.items()):
        for old_order in old_orders.values():
            old_order.restore()


def _find_orders(
    module: ModuleOp, search_steps: int
) -> dict[FuncOp, list[tuple[BlockTasks, list[int]]]]:
    """Return for functions the blocks with a better order of their tasks."""
    functions = FunctionTable(module)
    opaque = find_opaque_functions(module, functions)
    unknown = _functions_of_unknown_memory(functions)
    found: dict[FuncOp, list[tuple[BlockTasks, list[int]]]] = {}
    for function in list_functions(module):
        blocks = _blocks_with_buffers(function, functions, unknown)
        if not blocks:
            continue
        origins = BufferOrigins(function)
        for block in blocks:
            tasks = BlockTasks(block, origins, functions, opaque)
            order = order_tasks(tasks.tasks, search_steps)
            if order != sorted(order):
                found.setdefault(function, []).append((tasks, order))
    return found


def _blocks_with_buffers(
    function: FuncOp, functions: FunctionTable, unknown: set[FuncOp]
) -> list[Block]:
    """Return the blocks that allocate, if all that they allocate has a known size."""
    allocating: dict[Block, None] = {}
    of_unknown: set[Block] = set()
    for op in list_ops(function):
        if isinstance(op, memref.AllocOp) and op.parent is not None:
            allocating[op.parent] = None
        if _allocates_unknown(op, functions, unknown):
            block = op.parent
            while block is not None and block not in of_unknown:
                of_unknown.add(block)
                block = block.parent_block()
    return [block for block in allocating if block not in of_unknown]


def _allocates_unknown(
    op: Operation, functions: FunctionTable, unknown: set[FuncOp]
) -> bool:
    """Whether an op, by itself, may allocate bytes whose number is not known."""
    if isinstance(op, memref.AllocOp):
        return static_bytes(op.memref.type) is None
    if CALL.lookup(op) is not None:
        callee = functions.callee(op)
        return callee is None or callee in unknown
    return allocates(op)


def _functions_of_unknown_memory(functions: FunctionTable) -> set[FuncOp]:
    """Return the functions that may allocate bytes whose number is not known, or that are
    not in an arena of their caller: in recursions, in iterations that run in parallel,
    and for results."""
    found: set[FuncOp] = set()
    ordered, recursive = functions.find_recursive()
    for function in ordered:
        ops = list_ops(function)
        allocations = [op for op in ops if isinstance(op, memref.AllocOp)]
        has_results = any(map(is_memref, function.function_type.outputs))
        if (
            any(_allocates_unknown(op, functions, found) for op in ops)
            or (allocations and (has_results or function in recursive))
            or not all(has_one_place(op, function) for op in allocations)
        ):
            found.add(function)
    return found
