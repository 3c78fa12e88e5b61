"""The effects of ops on the allocation that is followed: one rule for each kind of op.

A rule takes the state before an op, and yields the possible states after it, or the
fault. The solver handles calls and returns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.checkers.lifetimes.domain import Domain
from xdsl_bufferization.checkers.lifetimes.flow import has_known_flow, is_end
from xdsl_bufferization.checkers.lifetimes.state import Outcome, State
from xdsl_bufferization.checkers.lifetimes.uses import (
    Concern,
    concern,
    is_opaque,
)
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
)
from xdsl_bufferization.interfaces.view_like import PointerUse, get_renamed, pointer_use

USED_AFTER_FREE = "uses an allocation that has been freed"
USED_AFTER_SCOPE = "uses memory of the stack that has been taken back"
FREED_TWICE = "frees an allocation that has been freed"
NOT_OURS = "frees memory that is not ours to free"
HIDDEN = "it is not known what becomes of the allocation"

Rule: TypeAlias = Callable[[Domain, Any, State], Iterable[Outcome]]


def transfer(domain: Domain, op: Operation, state: State) -> Iterable[Outcome]:
    """Return what may be the case after an op."""
    if op.successors or has_known_flow(op) or is_end(op):
        return _follow_edges(domain, op, state)
    return _RULES.get(op.name, _other)(domain, op, state)


def fault_of_use(state: State) -> str | None:
    """Return what is wrong with an access to the allocation, if anything is."""
    if not state.is_freed:
        return None
    return USED_AFTER_FREE if state.is_owned else USED_AFTER_SCOPE


def _follow_edges(domain: Domain, op: Operation, state: State) -> Iterator[Outcome]:
    """Branches, ends of regions, and ops with regions: to where control may go."""
    edges = domain.flow.edges(op)
    if not edges:
        yield Outcome(state, fault=HIDDEN)
    for edge in edges:
        for is_taken, decided, choices in domain.decide_edge(state, edge):
            if is_taken:
                yield Outcome(decided, choices, "" if choices else edge.note, edge)


def _dealloc(
    domain: Domain, op: bufferization.DeallocOp, state: State
) -> Iterator[Outcome]:
    """By its definition: owned memrefs that are not retained are freed, and each result
    states whether a retained memref was owned."""
    conditions = [
        condition
        for buffer, condition in zip(op.memrefs, op.conditions, strict=True)
        if buffer in state.inside
    ]
    retained = [
        result
        for result, value in zip(op.results, op.retained, strict=True)
        if value in state.inside
    ]
    for is_owned, decided, choices in domain.decide_any(state, conditions):
        known = {domain.condition(result, is_owned) for result in retained}
        following = replace(decided, known=decided.known | known)
        if is_owned and not retained:
            yield _freed(op, following, choices)
        else:
            yield Outcome(following, choices)


def _select(domain: Domain, op: arith.SelectOp, state: State) -> Iterator[Outcome]:
    """A select: the result is in the allocation if the selected operand is."""
    first, second = (operand in state.inside for operand in op.operands[1:])
    for truth, decided, choices in domain.decide(state, op.operands[0]):
        if first if truth else second:
            decided = replace(decided, inside=decided.inside | {op.results[0]})
        yield Outcome(decided, choices)


def _other(domain: Domain, op: Operation, state: State) -> Iterator[Outcome]:
    """Views, ops that free or access memory, and unknown ops."""
    renamed = get_renamed(op)
    if renamed is not None:
        # The shape of a memref.reshape is read.
        reads = any(each in state.inside for each in op.operands if each is not renamed)
        if renamed in state.inside:
            state = replace(state, inside=state.inside | {op.results[0]})
        yield Outcome(state, fault=fault_of_use(state) if reads else None)
        return
    effects = get_allocations_and_frees(op) or ()
    allocated = {e.value for e in effects if e.kind is EffectKind.ALLOCATE}
    if any(e.kind is EffectKind.FREE and e.value in state.inside for e in effects):
        yield _freed(op, state)
    elif not _is_used(op, state):
        yield Outcome(state)
    elif op.regions and _controls_inside(op, state):
        yield Outcome(state, fault=HIDDEN)
    elif state.is_freed and concern(op) is not Concern.NONE:
        yield Outcome(state, fault=fault_of_use(state))
    elif _hides(op, allocated):
        yield Outcome(state, fault=HIDDEN)
    else:
        is_stored = isinstance(op, memref.StoreOp) and op.operands[0] in state.inside
        yield Outcome(state, fault=HIDDEN if is_stored else None)


_RULES: Mapping[str, Rule] = {
    arith.SelectOp.name: _select,
    bufferization.DeallocOp.name: _dealloc,
}
"""All others are `_other`."""


def _hides(op: Operation, allocated: Collection[SSAValue]) -> bool:
    """Whether the allocation may be used through a result of an op, unseen."""
    if isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
        return pointer_use(op) is PointerUse.ACCESSED
    return any(is_opaque(r.type) for r in op.results if r not in allocated)


def _freed(op: Operation, state: State, choices: tuple[Any, ...] = ()) -> Outcome:
    if not state.is_owned:
        return Outcome(state, choices, fault=NOT_OURS)
    if state.is_freed:
        return Outcome(state, choices, fault=FREED_TWICE)
    return Outcome(replace(state, is_freed=True), choices, f"freed by {op.name}")


def _is_used(op: Operation, state: State) -> bool:
    """Whether an op, or one inside it, uses the allocation."""
    if any(operand in state.inside for operand in op.operands):
        return True
    return bool(op.regions) and any(
        operand in state.inside for inner in walk(op) for operand in inner.operands
    )


def _controls_inside(op: Operation, state: State) -> bool:
    """Whether an op inside one whose control flow is not known frees, renames or forwards
    the allocation."""
    return any(
        concern(inner) is Concern.CONTROL
        for inner in walk(op)
        if inner is not op and any(operand in state.inside for operand in inner.operands)
    )
