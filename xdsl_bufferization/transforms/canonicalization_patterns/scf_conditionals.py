"""Simplification of scf.if, scf.index_switch and scf.execute_region."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType
from xdsl.ir import Block, Operation, Region, SSAValue, SSAValues
from xdsl.traits import ConstantLike

from xdsl_bufferization.dialects.booleans import (
    build_and,
    build_select,
    get_constant_bool,
    get_negated,
)
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def fold_constant_if(op: Operation, worklist: Worklist) -> bool:
    condition = get_constant_bool(op.operands[0])
    if condition is None:
        return False
    region = op.regions[0 if condition else 1]
    values: list[SSAValue] = []
    if region.blocks.first is not None:
        values = worklist.inline_block(region.blocks.first, op)
    worklist.replace(op, values)
    return True


def turn_negated_if(op: Operation, worklist: Worklist) -> bool:
    """`if not c {A} else {B}` is `if c {B} else {A}`."""
    negated = get_negated(op.operands[0])
    then, otherwise = op.regions
    if negated is None or otherwise.blocks.first is None:
        return False
    worklist.push_definition(op.operands[0])
    op.operands[0] = negated
    then_block, else_block = then.detach_block(0), otherwise.detach_block(0)
    then.add_block(else_block)
    otherwise.add_block(then_block)
    return True


def select_outside_of_if(op: Operation, worklist: Worklist) -> bool:
    """A result that is one of two values from outside needs no if, but a select."""
    if not op.results:
        return False
    then, otherwise = (region.blocks.first for region in op.regions)
    if then is None or otherwise is None:
        return False
    assert then.last_op is not None and otherwise.last_op is not None
    changed = False
    for i, result in enumerate(op.results):
        if result.first_use is None:
            continue
        true, false = then.last_op.operands[i], otherwise.last_op.operands[i]
        if _is_defined_in(true, then) or _is_defined_in(false, otherwise):
            continue
        worklist.replace_value(result, build_select(op, op.operands[0], true, false))
        changed = True
    return changed


def _is_defined_in(value: SSAValue, block: Block) -> bool:
    owner = value.owner
    return owner is block if isinstance(owner, Block) else owner.parent is block


def drop_empty_else(op: Operation, worklist: Worklist) -> bool:
    otherwise = op.regions[1].blocks.first
    if op.results or otherwise is None or otherwise.first_op is not otherwise.last_op:
        return False
    if otherwise.last_op is not None:
        worklist.drop(otherwise.last_op)
    op.regions[1].erase_block(otherwise)
    return True


def combine_with_previous_if(op: Operation, worklist: Worklist) -> bool:
    """Two ifs in a row on one condition, or on its negation, are one."""
    previous = op.prev_op
    if previous is None or previous.name != "scf.if":
        return False
    condition, before = op.operands[0], previous.operands[0]
    if condition is before:
        order = (0, 1)
    elif get_negated(condition) is before or get_negated(before) is condition:
        order = (1, 0)
    else:
        return False
    for i in range(2):
        target, source = previous.regions[i], op.regions[order[i]]
        _append_branch(previous, target, source, worklist)
    moved = list(op.results)
    for result in moved:
        result.op = previous
        result.index += len(previous.results)
    start = len(previous.results)
    previous.results = SSAValues((*previous.results, *moved))
    for index, result in enumerate(moved, start):
        result.index = index
    op.results = SSAValues()
    worklist.erase(op)
    worklist.push(previous)
    return True


def _append_branch(
    previous: Operation, target: Region, source: Region, worklist: Worklist
) -> None:
    block = source.blocks.first
    if block is None:
        return
    first = target.blocks.first
    if first is None:
        target.add_block(source.detach_block(block))
        return
    end = first.last_op
    assert end is not None
    yielded = list(end.operands)
    inside = set[Operation]()
    for op in block.ops:
        inside.update(walk(op))
    for result, value in zip(previous.results, yielded, strict=True):
        for use in list(result.uses):
            if use.operation in inside:
                worklist.push(use.operation)
                use.operation.operands[use.index] = value
    values = worklist.inline_block(block, end)
    worklist.set_operands(end, [*yielded, *values])


def combine_nested_ifs(op: Operation, worklist: Worklist) -> bool:
    """`if a { if b {A} }` is `if a and b {A}`."""
    then, otherwise = (region.blocks.first for region in op.regions)
    if op.results or otherwise is not None or then is None:
        return False
    inner = then.first_op
    if (
        inner is None
        or inner.name != "scf.if"
        or inner.results
        or inner.regions[1].blocks.first is not None
        or inner.next_op is not then.last_op
    ):
        return False
    body = inner.regions[0].blocks.first
    assert body is not None
    both = build_and(op, op.operands[0], inner.operands[0])
    worklist.push_definition(both)
    worklist.set_operands(op, [both])
    worklist.inline_block(body, inner)
    worklist.erase(inner)
    return True


def fold_constant_switch(op: Operation, worklist: Worklist) -> bool:
    """scf.index_switch of a constant."""
    flag = op.operands[0]
    constant = ConstantLike.get_constant_value(flag)
    if not isinstance(constant, IntegerAttr):
        return False
    values = cast("DenseArrayBase[IntegerType]", op.properties["cases"])
    cases = list(values.get_values())
    value = constant.value.data
    region = op.regions[cases.index(value) + 1 if value in cases else 0]
    block = region.blocks.first
    assert block is not None
    worklist.replace(op, worklist.inline_block(block, op))
    return True


def inline_execute_region(op: Operation, worklist: Worklist) -> bool:
    """scf.execute_region of a single block, or directly inside of a function."""
    region = op.regions[0]
    if "no_inline" in op.properties or "no_inline" in op.attributes:
        return False
    first = region.blocks.first
    assert first is not None and op.parent is not None
    if first is region.blocks.last:
        worklist.replace(op, worklist.inline_block(first, op))
        return True
    parent = op.parent_op()
    if parent is None or parent.name not in ("func.func", "scf.execute_region"):
        return False
    _inline_blocks(op, region, worklist)
    return True


def _inline_blocks(op: Operation, region: Region, worklist: Worklist) -> None:
    from xdsl_bufferization.dialects import cf

    before = op.parent
    assert before is not None and before.parent is not None
    after = before.split_before(op, arg_types=[result.type for result in op.results])
    for block in region.blocks:
        end = block.last_op
        if end is not None and end.name == "scf.yield":
            branch = cf.BranchOp(after, *end.operands)
            worklist.insert_before(end, branch)
            worklist.drop(end)
    first = region.blocks.first
    assert first is not None
    entry = cf.BranchOp(first)
    before.add_op(entry)
    worklist.push(entry)
    region.move_blocks_before(after)
    for result, argument in zip(list(op.results), after.args, strict=True):
        worklist.replace_value(result, argument)
    worklist.erase(op)
