"""Buffer deallocation of func.return: the function boundary ABI.

A function passes the ownership of its memref results on to the caller. So it returns a
buffer that it owns, or a clone:

    %own = ...
    %r = scf.if %own -> memref { yield %m } else { yield (bufferization.clone %m) }
    bufferization.dealloc ... retain (%r)
    return %r

In a public function, no two results are one buffer: a caller other than ours may free
each by itself. Where that is only known at run time, the second is cloned if it is.

A private function with dynamic ownership returns the ownership of each memref instead.
"""

from __future__ import annotations

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects import bufferization, memref, scf
from xdsl_bufferization.dialects.booleans import get_constant_bool, insert_before
from xdsl_bufferization.interfaces.buffer_deallocation import (
    BUFFER_DEALLOCATION,
    BufferDeallocationModel,
    DeallocationOptions,
    DeallocationState,
)
from xdsl_bufferization.interfaces.memory_effects import is_memref
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.view_like import get_comparable

PRIVATE = StringAttr("private")


def has_dynamic_ownership(function: func.FuncOp, options: DeallocationOptions) -> bool:
    """Whether a function returns the ownership of its memrefs with them."""
    return (
        options.private_function_dynamic_ownership
        and function.sym_visibility == PRIVATE
        and function.body.blocks.first is not None
    )


class _Return(BufferDeallocationModel):
    def process(
        self, op: Operation, state: DeallocationState, options: DeallocationOptions
    ) -> None:
        dynamic = has_dynamic_ownership(state.function, options)
        for i, value in enumerate(op.operands):
            # A view that moved its pointer cannot be recognised by the caller.
            if is_memref(value) and (not dynamic or get_comparable(value) is not value):
                op.operands[i] = _get_owned(value, op, state)
        _separate(op, state)
        ownerships = state.insert_dealloc_for_return_like(op, op.operands)
        if dynamic:
            op.operands = (*op.operands, *ownerships)


def _get_owned(value: SSAValue, place: Operation, state: DeallocationState) -> SSAValue:
    """`value`, or a copy of it where that is not owned."""
    owner = value.owner
    model = (
        BUFFER_DEALLOCATION.lookup(owner)
        if isinstance(owner, Operation) and owner.parent is place.parent
        else None
    )
    if model is not None:
        assert isinstance(owner, Operation)
        value, own = model.materialize_unique_ownership(owner, value, place, state)
    else:
        value, own = state.get_memref_with_unique_ownership(value, place)
    constant = get_constant_bool(own)
    if constant is True:
        return value
    if constant is False:
        return state.clone(value, place)[0]
    clone = bufferization.CloneOp(value)
    otherwise = [clone, scf.YieldOp(clone.results[0])]
    choice = scf.IfOp(own, [value.type], [scf.YieldOp(value)], otherwise)
    owned = insert_before(place, choice)
    state.add_memref_to_deallocate(owned, state.constants.get(True))
    return owned


def _separate(op: Operation, state: DeallocationState) -> None:
    """Clone what is returned a second time."""
    for pair in state.same_results.get(op, ()):
        first, second = op.operands[pair.first], op.operands[pair.second]
        if _is_clone(first) or _is_clone(second):
            continue
        op.operands[pair.second] = (
            state.clone(second, op)[0]
            if pair.always
            else _clone_if_same(second, first, op, state)
        )


def _is_clone(value: SSAValue) -> bool:
    return (
        isinstance(value.owner, Operation) and value.owner.name == "bufferization.clone"
    )


def _clone_if_same(
    value: SSAValue, other: SSAValue, place: Operation, state: DeallocationState
) -> SSAValue:
    pointers = [
        insert_before(
            place,
            memref.ExtractAlignedPointerAsIndexOp.build(
                operands=[get_comparable(v)], result_types=[IndexType()]
            ),
        )
        for v in (value, other)
    ]
    same = insert_before(place, arith.CmpiOp(pointers[0], pointers[1], "eq"))
    clone = bufferization.CloneOp(value)
    then = [clone, scf.YieldOp(clone.results[0])]
    choice = scf.IfOp(same, [value.type], then, [scf.YieldOp(value)])
    owned = insert_before(place, choice)
    state.add_memref_to_deallocate(owned, state.constants.get(True))
    return owned


def register() -> None:
    attach(func.ReturnOp, _Return())
