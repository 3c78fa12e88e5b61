"""The pass split-copying-edges."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import BlockInsertPoint, InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.block_graph import reachable_blocks
from xdsl_bufferization.dialects import cf
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.copy_estimates import estimate_copies

_BRANCHES = (cf.ConditionalBranchOp, cf.SwitchOp)


@dataclass(frozen=True)
class SplitCopyingEdgesPass(ModulePass):
    """Copy a tensor for a successor of a branch only if control goes there. Run it before
    `one-shot-bufferize`.

    Bufferization copies the operands of a branch before it, wherever it goes to. If it
    would copy a tensor for a cf.cond_br or cf.switch, each edge that passes tensors gets
    a block of its own, which only branches to the successor with the operands. The copies
    are then made there, on whichever of the edges the analysis decides.
    `canonicalize-control-flow` removes a block that no copy is made in.
    """

    name = "split-copying-edges"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        split_copying_edges(op)


@on_program
def split_copying_edges(root: ModuleOp) -> None:
    """Split the edges of the branches in a module for which tensors are copied. A module
    that One-Shot Analysis rejects stays as it is: the pass that bufferizes it reports
    why."""
    if not any(isinstance(op, _BRANCHES) for op in walk(root)):
        return
    try:
        _, costs = estimate_copies(root, cheapest=True)
    except PassFailedException:
        return
    branches = {
        use.operation: None
        for of_function in costs.by_function.values()
        for use, cost in of_function.items()
        if cost.copies and isinstance(use.operation, _BRANCHES)
    }
    reachable: dict[Region, set[Block]] = {}
    for branch in branches:
        # In a block that control never reaches, values need not dominate their uses.
        block = branch.parent
        assert block is not None and block.parent is not None
        region = block.parent
        if region not in reachable:
            reachable[region] = set(reachable_blocks(region))
        if block in reachable[region]:
            _split(branch)


def _split(branch: cf.ConditionalBranchOp | cf.SwitchOp) -> None:
    """Put blocks of their own on the edges of a branch that pass tensors."""
    targets = list(branch.successors)
    operands = _operands(branch)
    block = branch.parent
    assert block is not None
    with built_for(branch):
        for number in reversed(range(len(targets))):
            if any(isinstance(v.type, TENSOR_TYPES) for v in operands[number]):
                edge = Block([cf.BranchOp(targets[number], *operands[number])])
                Rewriter.insert_block(edge, BlockInsertPoint.after(block))
                targets[number], operands[number] = edge, []
        new = _rebuilt(branch, targets, operands)
    new.attributes |= branch.attributes
    Rewriter.insert_op(new, InsertPoint.before(branch))
    Rewriter.erase_op(branch)


def _operands(branch: cf.ConditionalBranchOp | cf.SwitchOp) -> list[list[SSAValue]]:
    """The operands that are passed to each successor."""
    if isinstance(branch, cf.SwitchOp):
        return [list(branch.default_operands), *map(list, branch.case_operand)]
    return [list(branch.then_arguments), list(branch.else_arguments)]


def _rebuilt(
    branch: cf.ConditionalBranchOp | cf.SwitchOp,
    targets: list[Block],
    operands: list[list[SSAValue]],
) -> Operation:
    if isinstance(branch, cf.SwitchOp):
        return cf.SwitchOp(
            branch.flag,
            targets[0],
            operands[0],
            branch.case_values,
            targets[1:],
            operands[1:],
        )
    new = cf.ConditionalBranchOp(
        branch.cond, targets[0], operands[0], targets[1], operands[1]
    )
    if branch.branch_weights is not None:
        new.properties["branch_weights"] = branch.branch_weights
    return new
