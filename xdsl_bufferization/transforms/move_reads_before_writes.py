"""The pass move-reads-before-writes."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Use
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.copy_costs import CopyCosts, is_operand
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.copy_estimates import estimate_copies
from xdsl_bufferization.transforms.utils.op_order import OpOrder
from xdsl_bufferization.transforms.utils.read_motion import ReadMotion


@dataclass(frozen=True)
class MoveReadsBeforeWritesPass(ModulePass):
    """Move reads of a tensor before the op that updates it, where that saves a copy.
    Run it before `one-shot-bufferize`.

    A tensor is a value: it makes no difference whether it is read before or after
    another tensor is computed from it. One-Shot Bufferize keeps the order of the
    program, however, so an update is out of place if its operand is read afterwards:

        %1 = tensor.insert %x into %t[%i] : tensor<8xf32>
        %2 = tensor.extract %t[%j] : tensor<8xf32>

    becomes

        %2 = tensor.extract %t[%j] : tensor<8xf32>
        %1 = tensor.insert %x into %t[%i] : tensor<8xf32>

    which is bufferized without a copy of %t.

    The pass considers the updates that One-Shot Analysis bufferizes out of place, the
    most expensive first (docs/copies.md explains the cost estimate). The ops that a
    read depends on move with it. If one of them updates a tensor in place, other reads
    of that tensor move too, to stay before the update. A read that needs the updated
    tensor stays. Nothing moves into or out of a loop or a branch, and ops with side
    effects keep their order.

    The program is analysed again afterwards. Moves are undone if their update is still
    out of place. All moves are undone if the estimate shows no fewer copied bytes, or
    if some execution may copy or allocate more.

    Functions that connect tensors with memory (bufferization.to_tensor, to_buffer and
    materialize_in_destination, ml_program) are left unchanged.
    """

    name = "move-reads-before-writes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        move_reads_before_writes(op)


@on_program
def move_reads_before_writes(root: ModuleOp) -> None:
    """Move reads before writes in the functions of a module. One that One-Shot Analysis
    refuses stays as it is: what bufferizes it says why."""
    try:
        analysis, costs = estimate_copies(root)
    except PassFailedException:
        return
    copied = _copied_by_function(costs)
    orders: dict[FuncOp, OpOrder] = {}
    for func, operands in copied.items():
        order = OpOrder(func)
        if operands and ReadMotion(func, analysis).move(operands):
            orders[func] = order
    if not orders:
        return
    _, moved_costs = estimate_copies(root)
    again = False
    for func, order in orders.items():
        now = moved_costs.by_function.get(func, {})
        spared = [use for use in copied[func] if use not in now]
        if len(spared) < len(copied[func]) and order.restore() and spared:
            # The analysis holds for the order that is restored.
            ReadMotion(func, analysis).move(spared)
            again = True
    if again:
        _, moved_costs = estimate_copies(root)
    restored = [
        order.restore()
        for func, order in orders.items()
        if not moved_costs.is_improvement(costs, func)
    ]
    if any(restored):
        _, moved_costs = estimate_copies(root)
    if len(restored) < len(orders) and not moved_costs.is_improvement(costs):
        for order in orders.values():
            order.restore()


def _copied_by_function(costs: CopyCosts) -> dict[FuncOp, list[Use]]:
    """The operands out of place whose copies cost something, the most expensive first, by
    the function that they are in."""
    found: dict[FuncOp, list[Use]] = {}
    for func, by_operand in costs.by_function.items():
        if isinstance(func, FuncOp):
            uses = [
                use
                for use, cost in by_operand.items()
                if cost.copied_bytes and is_operand(use)
            ]
            uses.sort(key=lambda use: -by_operand[use].copied_bytes)
            found[func] = uses
    return found
