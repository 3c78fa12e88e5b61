"""The pass canonicalize-control-flow.

What MLIR's canonicalize does to control flow and i1 logic, in one pass over a worklist:
the clean-up that buffer deallocation relies on. Before the ownership is computed, buffers
that flow through dead results, invariant iteration arguments or constant conditions would
make it look less certain than it is; afterwards, many of the i1 values that were added
are constants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region

from xdsl_bufferization.analysis.block_graph import reachable_blocks
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.canonicalization_patterns import (
    allocations,
    booleans,
    branches,
    scf_conditionals,
    scf_loops,
)
from xdsl_bufferization.transforms.canonicalization_patterns.equal_ops import (
    merge_equal_ops,
)
from xdsl_bufferization.transforms.canonicalization_patterns.region_branch import (
    simplify_region_branch,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import (
    Rule,
    Worklist,
)

RULES: Mapping[str, Sequence[Rule]] = {
    "scf.if": (
        scf_conditionals.fold_constant_if,
        scf_conditionals.turn_negated_if,
        simplify_region_branch,
        scf_conditionals.select_outside_of_if,
        scf_conditionals.know_condition_inside,
        scf_conditionals.drop_empty_else,
        scf_conditionals.combine_with_previous_if,
        scf_conditionals.combine_nested_ifs,
    ),
    "scf.index_switch": (
        scf_conditionals.fold_constant_switch,
        simplify_region_branch,
    ),
    "scf.execute_region": (
        scf_conditionals.inline_execute_region,
        simplify_region_branch,
    ),
    "scf.for": (simplify_region_branch, scf_loops.unroll_trivial_for),
    "scf.while": (
        simplify_region_branch,
        scf_loops.know_while_condition,
        scf_loops.align_while_arguments,
    ),
    "cf.br": (branches.merge_with_only_predecessor, branches.pass_through),
    "cf.cond_br": (
        branches.fold_constant_cond_branch,
        branches.pass_through,
        branches.select_of_same_successor,
        branches.follow_same_condition,
        branches.know_condition_in_successors,
    ),
    "cf.switch": (branches.fold_constant_cf_switch, branches.pass_through),
    "cf.assert": (branches.drop_true_assert,),
    "memref.alloc": (allocations.erase_unread_allocation,),
    "memref.alloca": (allocations.erase_unread_allocation,),
    "memref.copy": (allocations.erase_self_copy,),
    "arith.andi": (booleans.simplify_and,),
    "arith.ori": (booleans.simplify_or,),
    "arith.xori": (booleans.simplify_xor,),
    "arith.select": (booleans.simplify_select,),
    "arith.cmpi": (booleans.fold_comparison,),
    "arith.addi": (booleans.fold_integers,),
    "arith.subi": (booleans.fold_integers,),
    "arith.muli": (booleans.fold_integers,),
}


@dataclass(frozen=True)
class CanonicalizeControlFlowPass(ModulePass):
    """Simplify structured and unstructured control flow and i1 logic, in linear time.

    Removes dead ops, results, iteration arguments and block arguments, ops on constant
    conditions and loops of no or one iteration; merges blocks, and ifs on one condition;
    turns ifs that only choose between values into selects.

    Options:
    - merge-equal-ops: replace ops without effects by equal ones that dominate them, as
      cse does, before all else (false).
    """

    name = "canonicalize-control-flow"

    merge_equal_ops: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        canonicalize_control_flow(op, merge_equal=self.merge_equal_ops)


def canonicalize_control_flow(module: Operation, *, merge_equal: bool = False) -> None:
    """Simplify the control flow of all functions inside `module`."""
    announce_models()
    for function in list_functions(module):
        if function.body.blocks.first is None:
            continue
        worklist = Worklist(function, RULES)
        if merge_equal:
            merge_equal_ops(function, worklist)
        ops = list_ops(function)
        worklist.push_all(ops)
        worklist.run()
        # No rule makes a region of several blocks where there was none.
        if _have_several_blocks((function, *ops)):
            while _simplify_blocks(function, worklist):
                worklist.run()


def _have_several_blocks(ops: Iterable[Operation]) -> bool:
    return any(
        region.first_block is not region.last_block for op in ops for region in op.regions
    )


def _simplify_blocks(function: func.FuncOp, worklist: Worklist) -> bool:
    """Remove unreachable blocks and dead block arguments; whether there were any."""
    changed = False
    # Inner regions first: a block that is removed takes the regions in it along.
    for op in reversed((function, *list_ops(function))):
        for region in op.regions:
            if region.first_block is not region.last_block:
                changed |= _simplify_region(region, worklist)
    return changed


def _simplify_region(region: Region, worklist: Worklist) -> bool:
    changed = branches.erase_unreachable_blocks(region, reachable_blocks(region))
    if changed:
        assert region.parent is not None
        worklist.push(region.parent)
        for block in region.blocks:
            if block.last_op is not None:
                worklist.push(block.last_op)
    return branches.erase_unused_arguments(region, worklist) or changed
