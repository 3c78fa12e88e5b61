"""Simplification of the branches of cf, and of the blocks they connect."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import ConstantLike

from xdsl_bufferization.dialects.booleans import build_select, get_constant_bool
from xdsl_bufferization.interfaces.branch import BRANCH, get_successor_operands
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def merge_with_only_predecessor(op: Operation, worklist: Worklist) -> bool:
    """Merge a block with its only successor, of which it is the only predecessor."""
    block = op.parent
    target = op.successors[0]
    if target is block or not target.has_one_use() or target.parent is None:
        return False
    assert block is not None
    if target.parent.blocks.first is target:
        return False
    arguments = list(op.operands)
    for argument, value in zip(target.args, arguments, strict=True):
        worklist.replace_value(argument, value)
    worklist.drop(op)
    ops = list(target.ops)
    for moved in ops:
        moved.detach()
    block.add_ops(ops)
    region = target.parent
    region.erase_block(target)
    if region.parent is not None:
        worklist.push(region.parent)
    if block.last_op is not None:
        worklist.push(block.last_op)
    worklist.push_branches_to_empty(block.first_op)
    worklist.push_all(ops)
    return True


def pass_through(op: Operation, worklist: Worklist) -> bool:
    """Redirect a branch to a block that only branches to another one."""
    branch = BRANCH.lookup(op)
    assert branch is not None
    changed = False
    for i, target in enumerate(op.successors):
        on = target.first_op
        if on is None or on.name != "cf.br" or on.successors[0] is target:
            continue
        if any(
            use.operation is not on for argument in target.args for use in argument.uses
        ):
            continue
        forwarded = get_successor_operands(branch, op, i)
        known = dict[SSAValue, SSAValue](zip(target.args, forwarded, strict=True))
        operands = [known.get(value, value) for value in on.operands]
        positions = branch.get_successor_operand_range(op, i)
        branch.erase_successor_operands(op, i, range(len(positions)))
        branch.append_successor_operands(op, i, operands)
        op.successors[i] = on.successors[0]
        worklist.push_branches_to(on.successors[0])
        worklist.push_branches_to(target)
        changed = True
    return changed


def fold_constant_cond_branch(op: Operation, worklist: Worklist) -> bool:
    condition = get_constant_bool(op.operands[0])
    if condition is None:
        return False
    _replace_by_branch(op, 0 if condition else 1, worklist)
    return True


def _replace_by_branch(op: Operation, successor: int, worklist: Worklist) -> None:
    from xdsl_bufferization.dialects import cf

    branch = BRANCH.lookup(op)
    assert branch is not None
    operands = get_successor_operands(branch, op, successor)
    _replace_terminator(op, cf.BranchOp(op.successors[successor], *operands), worklist)


def _replace_terminator(op: Operation, new: Operation, worklist: Worklist) -> None:
    worklist.insert_before(op, new)
    worklist.erase(op)
    if new.prev_op is None:
        worklist.push_branches_to_empty(new)


def select_of_same_successor(op: Operation, worklist: Worklist) -> bool:
    """Simplify a cf.cond_br whose two successors are the same block."""
    from xdsl_bufferization.dialects import cf

    first, second = op.successors
    if first is not second:
        return False
    branch = BRANCH.lookup(op)
    assert branch is not None
    true = get_successor_operands(branch, op, 0)
    false = get_successor_operands(branch, op, 1)
    if true != false and any(use.operation is not op for use in first.uses):
        return False
    values = [
        build_select(op, op.operands[0], a, b) for a, b in zip(true, false, strict=True)
    ]
    _replace_terminator(op, cf.BranchOp(first, *values), worklist)
    return True


def follow_same_condition(op: Operation, worklist: Worklist) -> bool:
    """A block that cf.cond_br enters knows the condition it was entered on."""
    block = op.parent
    assert block is not None
    use = block.get_unique_use()
    if use is None or use.operation.name != "cf.cond_br":
        return False
    if use.operation.operands[0] is not op.operands[0]:
        return False
    _replace_by_branch(op, use.index, worklist)
    return True


def fold_constant_cf_switch(op: Operation, worklist: Worklist) -> bool:
    """cf.switch of a constant, or without cases."""
    if len(op.successors) == 1:
        _replace_by_branch(op, 0, worklist)
        return True
    constant = ConstantLike.get_constant_value(op.operands[0])
    if not isinstance(constant, IntegerAttr):
        return False
    cases = op.properties.get("case_values")
    assert isinstance(cases, DenseIntOrFPElementsAttr)
    values = list(cases.get_values())
    value = constant.value.data
    _replace_by_branch(op, values.index(value) + 1 if value in values else 0, worklist)
    return True


def drop_true_assert(op: Operation, worklist: Worklist) -> bool:
    if get_constant_bool(op.operands[0]) is not True:
        return False
    worklist.erase(op)
    return True


def erase_unreachable_blocks(
    region: Region,
    reachable: Sequence[Block],
    on_erasure: Callable[[Operation], None] = lambda op: None,
) -> bool:
    """Erase the blocks that are not in `reachable`; whether there were any.

    `on_erasure` is called with each op in them first.
    """
    kept = set(reachable)
    unreachable = [block for block in region.blocks if block not in kept]
    for block in unreachable:
        region.detach_block(block)
        block.drop_all_references()
    # Only now: a listener that is notified of an op may look at other uses of its
    # operands.
    for block in unreachable:
        for op in block.ops:
            on_erasure(op)
        block.erase(safe_erase=False)
    return bool(unreachable)


def erase_unused_arguments(region: Region, worklist: Worklist) -> bool:
    """Remove block arguments that only feed each other."""
    forwarded: dict[SSAValue, list[SSAValue]] = {}
    live: list[SSAValue] = []
    blocks = list(region.blocks)[1:]
    for block in blocks:
        for argument in block.args:
            for use in argument.uses:
                target = _get_forwarded_to(use.operation, use.index, region)
                if target is None:
                    live.append(argument)
                else:
                    forwarded.setdefault(target, []).append(argument)
    seen = set(live)
    while live:
        for source in forwarded.get(live.pop(), ()):
            if source not in seen:
                seen.add(source)
                live.append(source)
    changed = False
    for block in blocks:
        dead = [argument for argument in block.args if argument not in seen]
        if dead:
            changed = True
            positions = [argument.index for argument in dead]
            for use in list(block.uses):
                branch = BRANCH.lookup(use.operation)
                assert branch is not None
                operands = get_successor_operands(branch, use.operation, use.index)
                for position in positions:
                    worklist.push_definition(operands[position])
                branch.erase_successor_operands(use.operation, use.index, positions)
                worklist.push(use.operation)
    for block in blocks:
        for argument in [a for a in block.args if a not in seen]:
            block.erase_arg(argument)
    return changed


def _get_forwarded_to(op: Operation, index: int, region: Region) -> SSAValue | None:
    """The block argument of `region` that an operand of a branch becomes. In a region
    inside, an argument is for itself: who looks at `region` does not erase it."""
    branch = BRANCH.lookup(op)
    if branch is None or op.parent_region() is not region:
        return None
    for i, successor in enumerate(op.successors):
        positions = branch.get_successor_operand_range(op, i)
        if index in positions:
            return successor.args[index - positions.start]
    return None
