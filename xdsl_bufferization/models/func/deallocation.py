"""Buffer deallocation of func.return: the function boundary ABI.

A function passes ownership of its memref results to the caller. It therefore returns a
buffer that it owns, or a clone:

    %own = ...
    %r = scf.if %own -> memref { yield %m } else { yield (bufferization.clone %m) }
    bufferization.dealloc ... retain (%r)
    return %r

In a public function, no two results are the same buffer: an external caller may free
each separately. If aliasing is known only at run time, the second result is cloned if
it is the same buffer.

A private function with dynamic ownership returns the ownership of each memref instead,
but never a global itself: the caller may write the result. With static ownership, it
does so only for results that are neither always new nor always arguments.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.dialects.booleans import (
    build_and,
    build_not,
    get_constant_bool,
    insert_before,
)
from xdsl_bufferization.interfaces.buffer_deallocation import (
    BUFFER_DEALLOCATION,
    BufferDeallocationModel,
    DeallocationOptions,
    DeallocationState,
    ReturnedOwnership,
    SameResults,
)
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.view_like import get_comparable
from xdsl_bufferization.remarks.active import note_made_for

DYNAMIC = ReturnedOwnership.DYNAMIC


class _Return(BufferDeallocationModel):
    def process(
        self, op: Operation, state: DeallocationState, options: DeallocationOptions
    ) -> None:
        if not options.owns_call_results and DYNAMIC not in state.returned:
            _return_copies(op, state)
            return
        if options.static_ownership:
            _return_what_is_owned(op, state)
            return
        owned: dict[int, SSAValue] = {}
        for i, value in enumerate(op.operands):
            if is_memref(value) and (
                state.returned[i] is ReturnedOwnership.OWNED or _is_replaced(op, i, state)
            ):
                op.operands[i], owned[i] = _get_unique_ownership(value, op, state)
        for pair in state.same_results.get(op, ()):
            owned[pair.second] = _own_once(pair, owned, op, state)
        for i, own in owned.items():
            op.operands[i] = _clone_unless(own, op.operands[i], op, state)
        _return_with_ownership(op, _retain_operands(op, state), state)


def _return_what_is_owned(op: Operation, state: DeallocationState) -> None:
    """Return copies only of what turns out not to be owned under any name."""
    for i, value in enumerate(op.operands):
        if is_memref(value) and _is_replaced(op, i, state):
            op.operands[i], own = _get_unique_ownership(value, op, state)
            op.operands[i] = _clone_unless(own, op.operands[i], op, state)
    owned = _retain_operands(op, state)
    for i in state.owned_operands.get(op, ()):
        owned[i] = state.constants.get(True)
    for pair in state.same_results.get(op, ()):
        owned[pair.second] = _own_once(pair, owned, op, state)
    for i, own in owned.items():
        if state.returned[i] is ReturnedOwnership.OWNED:
            op.operands[i] = _clone_unless(own, op.operands[i], op, state)
    _return_with_ownership(op, owned, state)


def _is_replaced(op: Operation, i: int, state: DeallocationState) -> bool:
    """Whether an operand must not be returned as it is: a view that moved its pointer
    cannot be recognised by the caller, and a constant must not be written by it."""
    value = op.operands[i]
    return get_comparable(value) is not value or i in state.constant_results.get(op, ())


def _retain_operands(op: Operation, state: DeallocationState) -> dict[int, SSAValue]:
    """Free what is not returned; the ownership of each memref that is."""
    memrefs = [i for i, value in enumerate(op.operands) if is_memref(value)]
    ownerships = state.insert_dealloc_for_return_like(op, op.operands)
    return dict(zip(memrefs, ownerships, strict=True))


def _return_with_ownership(
    op: Operation, owned: Mapping[int, SSAValue], state: DeallocationState
) -> None:
    returned = [own for i, own in owned.items() if state.returned[i] is DYNAMIC]
    op.operands = (*op.operands, *returned)


def _return_copies(op: Operation, state: DeallocationState) -> None:
    """Return copies of what is of another kind than the one that callers free."""
    block = op.parent
    assert block is not None
    false = state.constants.get(False)
    for i, value in enumerate(op.operands):
        if not is_memref(value):
            continue
        own = state.get_ownership(value, block)
        if isinstance(own, SSAValue) and get_constant_bool(own) is False:
            continue
        clone = bufferization.CloneOp(value)
        note_made_for(clone, "ownership", op, value)
        if isinstance(own, SSAValue) and get_constant_bool(own) is None:
            from xdsl_bufferization.dialects import scf

            then = [clone, scf.YieldOp(clone.results[0])]
            choice = scf.IfOp(own, [value.type], then, [scf.YieldOp(value)])
            given = insert_before(op, choice)
        else:
            given = insert_before(op, clone)
        state.set_ownership(given, false)
        op.operands[i] = given
    state.insert_dealloc_for_return_like(op, op.operands)


def _get_unique_ownership(
    value: SSAValue, place: Operation, state: DeallocationState
) -> tuple[SSAValue, SSAValue]:
    owner = value.owner
    if isinstance(owner, Operation) and owner.parent is place.parent:
        model = BUFFER_DEALLOCATION.lookup(owner)
        if model is not None:
            return model.materialize_unique_ownership(owner, value, place, state)
    return state.get_memref_with_unique_ownership(value, place)


def _own_once(
    pair: SameResults,
    owned: dict[int, SSAValue],
    op: Operation,
    state: DeallocationState,
) -> SSAValue:
    """Whether the second result is owned, and is not the first, which is owned too."""
    given = owned[pair.first]
    if (
        get_constant_bool(given) is False
        or get_constant_bool(owned[pair.second]) is False
    ):
        return owned[pair.second]
    if not pair.always:
        pointers = [
            insert_before(
                op,
                memref.ExtractAlignedPointerAsIndexOp.build(
                    operands=[get_comparable(op.operands[i])], result_types=[IndexType()]
                ),
            )
            for i in (pair.first, pair.second)
        ]
        same = insert_before(op, arith.CmpiOp(pointers[0], pointers[1], "eq"))
        given = build_and(op, same, given)
    return build_and(op, owned[pair.second], build_not(op, given, state.constants))


def _clone_unless(
    own: SSAValue, value: SSAValue, place: Operation, state: DeallocationState
) -> SSAValue:
    """`value` where that is owned, and else a copy of it, which is."""
    constant = get_constant_bool(own)
    if constant is True:
        return value
    if constant is False:
        return state.clone(value, place)[0]
    from xdsl_bufferization.dialects import scf

    clone = bufferization.CloneOp(value)
    note_made_for(clone, "ownership", place, value)
    otherwise = [clone, scf.YieldOp(clone.results[0])]
    choice = scf.IfOp(own, [value.type], [scf.YieldOp(value)], otherwise)
    owned = insert_before(place, choice)
    state.add_memref_to_deallocate(owned, state.constants.get(True))
    return owned


def register() -> None:
    attach(func.ReturnOp, _Return())
