"""Simplification of scf.if, scf.index_switch and scf.execute_region."""

from __future__ import annotations

from itertools import chain
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


def combine_ifs_in_a_row(op: Operation, worklist: Worklist) -> bool:
    """Ifs in a row on one condition, or on its negation, are one. All are combined at
    once: one after the other, the operands of its yields would be copied for each."""
    first = op
    while (before := first.prev_op) is not None and _order_of_branches(before, first):
        first = before
    row: list[tuple[Operation, tuple[int, int]]] = []
    order = (0, 1)
    last = first
    while (after := last.next_op) is not None:
        its_order = _order_of_branches(last, after)
        if its_order is None:
            break
        order = (its_order[order[0]], its_order[order[1]])
        row.append((after, order))
        last = after
    if not row:
        return False
    for number in range(2):
        branches = [(other, other.regions[order[number]]) for other, order in row]
        _append_branches(first, number, branches, worklist)
    results = list(first.results)
    for other, _ in row:
        for result in other.results:
            result.op = first
            result.index = len(results)
            results.append(result)
        other.results = SSAValues()
        worklist.erase(other)
    first.results = SSAValues(results)
    worklist.push(first)
    return True


def _order_of_branches(first: Operation, second: Operation) -> tuple[int, int] | None:
    """The branches of an if that run with the first and the second one of the other if
    before it; None if they are not on one condition."""
    if first.name != "scf.if" or second.name != "scf.if":
        return None
    condition, before = second.operands[0], first.operands[0]
    if condition is before:
        return (0, 1)
    if get_negated(condition) is before or get_negated(before) is condition:
        return (1, 0)
    return None


def _append_branches(
    first: Operation,
    number: int,
    branches: list[tuple[Operation, Region]],
    worklist: Worklist,
) -> None:
    """Append branches of the ifs that follow to a branch of the first one."""
    target = first.regions[number]
    block = target.blocks.first
    yielded: list[SSAValue] = []
    values: dict[SSAValue, SSAValue] = {}
    """By result of an if, its value in this branch."""
    if block is not None:
        assert block.last_op is not None
        yielded += block.last_op.operands
        values.update(zip(first.results, yielded, strict=True))
    for op, source in branches:
        added = source.blocks.first
        if added is None:
            continue
        for user in chain.from_iterable(map(walk, added.ops)):
            for index, operand in enumerate(user.operands):
                if operand in values:
                    worklist.push(user)
                    user.operands[index] = values[operand]
        if block is None:
            target.add_block(source.detach_block(added))
            block = added
            assert block.last_op is not None
            its_values = list(block.last_op.operands)
        else:
            assert block.last_op is not None
            its_values = worklist.inline_block(added, block.last_op)
        values.update(zip(op.results, its_values, strict=True))
        yielded += its_values
    if block is not None:
        assert block.last_op is not None
        worklist.set_operands(block.last_op, yielded)


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
