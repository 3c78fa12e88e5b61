"""Simplification of the values that flow between an op and its regions.

The *inputs* of an op with regions are its results and its regions' arguments. The
values that may flow into each, from the op's operands and the regions' terminators,
permit three simplifications:

- an input into which only one value from outside flows is replaced by that value; so is
  an i1 into which only false flows, if false implies false;
- two inputs of one region (or two results) into which the same values flow are merged;
- unused inputs can be removed, together with all inputs that receive a value from the
  same operands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue, SSAValues

from xdsl_bufferization.analysis.facts.equivalence_sets import EquivalenceSets
from xdsl_bufferization.dialects.booleans import get_constant_bool
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
    RegionBranchOpInterface,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


@dataclass
class _Source:
    """Operands that flow, by position, into the inputs of one or several successors."""

    op: Operation
    first: int
    operands: Sequence[SSAValue]
    successors: list[Sequence[SSAValue]]


def simplify_region_branch(op: Operation, worklist: Worklist) -> bool:
    control_flow = REGION_BRANCH.lookup(op)
    if control_flow is None:
        return False
    sources = _get_sources(op, control_flow)
    if sources is None or not any(source.operands for source in sources):
        return False
    incoming: dict[SSAValue, list[tuple[Operation, SSAValue]]] = {}
    for source in sources:
        for inputs in source.successors:
            for value, into in zip(source.operands, inputs, strict=True):
                incoming.setdefault(into, []).append((source.op, value))
    changed = _replace_by_single_value(op, incoming, worklist)
    changed |= _replace_never_true(incoming, worklist)
    changed |= _replace_duplicates(incoming, worklist)
    return _erase_unused(op, control_flow, sources, worklist) or changed


def erase_unused_inputs(op: Operation, worklist: Worklist) -> bool:
    """Remove inputs that nothing uses, and no others."""
    control_flow = REGION_BRANCH.lookup(op)
    sources = None if control_flow is None else _get_sources(op, control_flow)
    if control_flow is None or sources is None:
        return False
    return _erase_unused(op, control_flow, sources, worklist)


def _get_sources(
    op: Operation, control_flow: RegionBranchOpInterface
) -> list[_Source] | None:
    """Where values come from, or None when some of it is not understood."""
    sources: list[_Source] = []
    forwarded: Sequence[SSAValue] = ()
    inputs: list[Sequence[SSAValue]] = []
    for successor in control_flow.get_successor_regions(op, None):
        operands = control_flow.get_entry_successor_operands(op, successor.region)
        if len(operands) != len(successor.inputs):
            return None
        if operands:
            forwarded = operands
            inputs.append(successor.inputs)
    sources.append(_Source(op, len(op.operands) - len(forwarded), forwarded, inputs))
    for region in op.regions:
        for block in region.blocks:
            terminator = block.last_op
            if terminator is None:
                return None
            if terminator.successors:
                continue
            returns = REGION_BRANCH_TERMINATOR.lookup(terminator)
            if returns is None:
                return None
            successors = control_flow.get_successor_regions(op, region)
            positions = returns.get_returned_operand_range(terminator, None)
            operands = terminator.operands[positions.start : positions.stop]
            inputs = [successor.inputs for successor in successors]
            if any(len(into) not in (0, len(operands)) for into in inputs):
                return None
            inputs = [into for into in inputs if into]
            sources.append(_Source(terminator, positions.start, operands, inputs))
    return sources


def _replace_by_single_value(
    op: Operation,
    incoming: dict[SSAValue, list[tuple[Operation, SSAValue]]],
    worklist: Worklist,
) -> bool:
    changed = False
    for into in incoming:
        if into.first_use is None:
            continue
        value = _get_single_value(into, incoming)
        if value is not None and not _is_inside(value, op):
            worklist.replace_value(into, value)
            changed = True
    return changed


def _get_single_value(
    into: SSAValue, incoming: dict[SSAValue, list[tuple[Operation, SSAValue]]]
) -> SSAValue | None:
    """The one value that reaches `into`, through other inputs or not."""
    found: SSAValue | None = None
    seen = {into}
    stack = [into]
    while stack:
        for _, value in incoming[stack.pop()]:
            if value in incoming:
                if value not in seen:
                    seen.add(value)
                    stack.append(value)
            elif found is None:
                found = value
            elif value is not found:
                return None
    return found


def _replace_never_true(
    incoming: dict[SSAValue, list[tuple[Operation, SSAValue]]], worklist: Worklist
) -> bool:
    """Replace i1 inputs into which only false flows, and values that are false if they
    are.

    This folds the ownership that a loop carries but never acquires.
    """
    false = {
        into
        for into, values in incoming.items()
        if into.type == i1
        and into.first_use is not None
        and any(get_constant_bool(value) is False for _, value in values)
    }
    while True:
        unproved = {
            into
            for into in false
            if not all(_is_false_if(value, false) for _, value in incoming[into])
        }
        if not unproved:
            break
        false -= unproved
    for into in false:
        worklist.replace_value(into, worklist.constants.get(False))
    return bool(false)


def _is_false_if(value: SSAValue, false: set[SSAValue]) -> bool:
    """Whether `value` is false when all of `false` are."""
    if value in false or get_constant_bool(value) is False:
        return True
    op = value.owner
    if isinstance(op, arith.OrIOp):
        return all(_is_false_if(operand, false) for operand in op.operands)
    return False


def _replace_duplicates(
    incoming: dict[SSAValue, list[tuple[Operation, SSAValue]]], worklist: Worklist
) -> bool:
    changed = False
    first: dict[tuple[object, ...], SSAValue] = {}
    for into in sorted(incoming, key=_get_index):
        key = (into.owner, *sorted(incoming[into], key=lambda pair: id(pair[0])))
        original = first.setdefault(key, into)
        if original is not into and into.first_use is not None:
            worklist.replace_value(into, original)
            changed = True
    return changed


def _get_index(value: SSAValue) -> int:
    assert isinstance(value, OpResult | BlockArgument)
    return value.index


def _erase_unused(
    op: Operation,
    control_flow: RegionBranchOpInterface,
    sources: Sequence[_Source],
    worklist: Worklist,
) -> bool:
    # Inputs at one position can only be removed together.
    tied = EquivalenceSets()
    inputs: dict[SSAValue, None] = {}
    for source in sources:
        for position in zip(*source.successors, strict=True):
            for into in position:
                tied.union(position[0], into)
                inputs[into] = None
    unused = {
        value
        for group in tied.groups(inputs)
        if all(into.first_use is None for into in group)
        for value in group
    }
    if not unused:
        return False
    for source in sources:
        if not source.successors:
            continue
        erased = [i for i, into in enumerate(source.successors[0]) if into in unused]
        if not erased:
            continue
        if source.op is op:
            for i in erased:
                worklist.push_definition(source.operands[i])
            control_flow.erase_forwarded_operands(op, erased)
        else:
            positions = {source.first + i for i in erased}
            operands = source.op.operands
            worklist.set_operands(
                source.op, [x for i, x in enumerate(operands) if i not in positions]
            )
    for value in unused:
        if isinstance(value, BlockArgument):
            value.block.erase_arg(value)
    erase_results(op, {value for value in unused if isinstance(value, OpResult)})
    worklist.push(op)
    return True


def _is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether `value` is defined by `op` or inside its regions."""
    owner = value.owner
    at: Operation | None = owner.parent_op() if isinstance(owner, Block) else owner
    while at is not None:
        if at is op:
            return True
        at = at.parent_op()
    return False


def erase_results(op: Operation, erased: set[OpResult]) -> None:
    """Remove results of `op`, in place."""
    if not erased:
        return
    kept = [result for result in op.results if result not in erased]
    for index, result in enumerate(kept):
        result.index = index
    op.results = SSAValues(kept)
