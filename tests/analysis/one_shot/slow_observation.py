"""A slow reference implementation of `unobserved_reads`: follows what a read leads to, op
by op, until nothing more is reached or something observes it."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue, Use
from xdsl.traits import IsTerminator, is_side_effect_free

from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
)
from xdsl_bufferization.interfaces.subset import SUBSET_INSERTION
from xdsl_bufferization.interfaces.types import is_tensor

_COPIES = (
    "tensor.insert",
    "tensor.pad",
    "tensor.concat",
    "bufferization.alloc_tensor",
    "bufferization.materialize_in_destination",
)


def is_observed(read: Use, state: DefaultAnalysisState) -> bool:
    """Whether anybody looks at the contents that an op reads."""
    reached: set[SSAValue] = set()
    uses = [read]
    while uses:
        following = _following(uses.pop(), state)
        if following is None:
            return True
        for value in following - reached:
            reached.add(value)
            uses.extend(value.uses)
    return False


def writes_back(op: Operation, state: DefaultAnalysisState) -> bool:
    """Whether an op inserts what it finds there, if both tensors are what they were."""
    model = SUBSET_INSERTION.lookup(op)
    if model is None:
        return False
    source, into = model.source_operand(op), model.destination_operand(op)
    if get(source) is get(into):
        return False
    if op.results and not state.bufferizes_to_memory_read(into):
        return False
    return model.is_equivalent_subset(op, get(source), lambda a, b: a is b)


def _following(use: Use, state: DefaultAnalysisState) -> set[SSAValue] | None:
    """What a tensor becomes at a use; None if its contents are looked at."""
    op = use.operation
    model = state.model(op)
    if model is None:
        return None
    found: set[SSAValue] = set()
    if op.successors:
        branch = BRANCH.lookup(op)
        for number, block in enumerate(op.successors):
            if branch is not None:
                positions = branch.get_successor_operand_range(op, number)
                found |= {
                    argument
                    for argument, position in zip(block.args, positions, strict=True)
                    if position == use.index
                }
        return found or None
    around = op.parent_op()
    if op.has_trait(IsTerminator):
        flow, end = REGION_BRANCH.lookup(around), REGION_BRANCH_TERMINATOR.lookup(op)
        if flow is None or end is None:
            return None
        for successor in flow.get_successor_regions(around, op.parent_region()):
            positions = end.get_returned_operand_range(op, successor.region)
            for position, value in zip(positions, successor.inputs, strict=True):
                if position == use.index:
                    found.add(value)
        return found or None
    flow = REGION_BRANCH.lookup(op)
    if flow is not None:
        for successor in flow.get_successor_regions(op, None):
            sent = flow.get_entry_successor_operands(op, successor.region)
            for source, value in zip(sent, successor.inputs, strict=True):
                if source is get(use):
                    found.add(value)
        return found or None
    reads, writes = (
        model.bufferizes_to_memory_read(op, use, state),
        model.bufferizes_to_memory_write(op, use, state),
    )
    if writes and not reads:
        return found
    if op.name == "bufferization.to_buffer" and not list(op.results[0].uses):
        return set()
    if not op.results or not all(is_tensor(r.type) for r in op.results):
        return None
    if op.name in _COPIES:
        return set(op.results)
    if op.regions:
        return None
    shown = {alias.value for alias in model.aliasing_values(op, use, state)}
    insertion = SUBSET_INSERTION.lookup(op)
    if insertion is not None:
        if writes_back(op, state):
            return None
        is_part = use.index == insertion.source_operand(op).index
        is_whole = use.index == insertion.destination_operand(op).index
        if is_part or is_whole:
            return set(op.results)
    is_pure = not reads or is_side_effect_free(op)
    is_view = shown >= set(op.results) and is_pure and not writes
    return set(op.results) if is_view else None
