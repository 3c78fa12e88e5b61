"""What an op does with a buffer: accesses, frees, renames or keeps it."""

from __future__ import annotations

from functools import cache
from typing import cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    VectorType,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue, Use
from xdsl.traits import IsTerminator, is_side_effect_free

from xdsl_bufferization.analysis.facts.forwarded_values import (
    values_after_unknown_region,
)
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.branch import BRANCH
from xdsl_bufferization.interfaces.buffer_view_flow import BUFFER_VIEW_FLOW
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    get_allocations_and_frees,
    is_allocated,
    is_memref,
)
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
)
from xdsl_bufferization.interfaces.view_like import (
    PointerUse,
    is_forwarded_by,
    is_only_renamed,
    may_be_address,
    pointer_use,
)

_ASYNCHRONOUS = frozenset(("memref.dma_start", "affine.dma_start"))
_STORES = frozenset(("llvm.store", "llvm.intr.masked.store"))
"""Ops that store their first operand through a pointer."""

_AT_ONCE = frozenset(("linalg", "memref", "tensor", "scf", "affine", "shape", "func"))
"""Dialects without ops whose regions run on after the op."""


def classify_use(op: Operation, value: SSAValue) -> str:
    """Classify a use of a buffer: a view, a free, an access, an escape, or a use that
    does not need its contents: nothing, or a comparison of its address."""
    if is_only_renamed(op, value):
        return "view"
    if op.name == "memref.dealloc":
        return "free"
    if op.name in ("memref.dim", "memref.rank"):
        return "nothing"
    if isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
        if op.results[0].first_use is None:
            return "nothing"
        # One that is kept may be compared when another buffer is in the same place.
        return "compared" if pointer_use(op) is PointerUse.COMPARED else "escape"
    if BRANCH.lookup(op) is not None or REGION_BRANCH.lookup(op) is not None:
        return "access"
    if REGION_BRANCH_TERMINATOR.lookup(op) is not None or op.has_trait(IsTerminator):
        parent = op.parent_op()
        known = parent is not None and REGION_BRANCH.lookup(parent) is not None
        return "access" if known else "escape"
    if CALL.lookup(op) is not None or op.name == "arith.select":
        return "access"
    effects = get_allocations_and_frees(op)
    if (
        is_asynchronous(op)
        or effects is None
        or any(
            effect.kind is EffectKind.FREE and effect.value is value for effect in effects
        )
    ):
        return "escape"
    if any(may_refer_to_memory(result.type) for result in op.results) or puts_memory(op):
        return "escape"
    return "access"


def may_hide(op: Operation, value: SSAValue) -> bool:
    """Whether a buffer may be accessed later without a memref that is known to be it:
    through its pointer, what an op makes of it, be it by the end of a region, or by a
    transfer that goes on. What is stored, or kept by functions and unknown ops, does not
    count."""
    if is_asynchronous(op) or any(
        may_refer_to_memory(target.type) for target in values_after_unknown_region(op)
    ):
        return True
    if isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
        return pointer_use(op) is PointerUse.ACCESSED
    return not is_only_renamed(op, value) and makes_reference(op)


def may_hold(op: Operation) -> bool:
    """Whether an op may let something access its operands later, other than a name: what
    it returns, a transfer that goes on, or memory in which it stores a memref."""
    if is_asynchronous(op):
        return True
    return any(map(is_memref, op.operands)) and (puts_memory(op) or makes_reference(op))


def is_asynchronous(op: Operation) -> bool:
    """Whether an op accesses its operands after it has run, until another op waits for
    it."""
    return op.name in _ASYNCHRONOUS


def may_go_on(op: Operation) -> bool:
    """Whether the regions of an op may run after it: it is not known how they run, and
    the op returns something, such as a token, that may be waited for."""
    return (
        REGION_BRANCH.lookup(op) is None
        and op.name.partition(".")[0] not in _AT_ONCE
        and any(may_refer_to_memory(result.type) for result in op.results)
    )


def makes_reference(op: Operation) -> bool:
    """Whether an op may make something of its operands that refers to their memory, other
    than what calls, views and ops with known regions return."""
    return (
        CALL.lookup(op) is None
        and BUFFER_VIEW_FLOW.lookup(op) is None
        and REGION_BRANCH.lookup(op) is None
        and any(
            may_refer_to_memory(result.type) and not is_allocated(result)
            for result in op.results
        )
    )


def only_computes(op: Operation) -> bool:
    """Whether all that an op does with a pointer is to compute something else of it, as
    `pointer_uses` follows it: this neither accesses nor compares anything."""
    is_pure = is_side_effect_free(op) and not is_forwarded_by(op)
    return is_pure and all(map(may_be_address, op.results))


def keeps_pointer(use: Use) -> bool:
    """Whether an op may keep a pointer, or what is computed of one, where `pointer_uses`
    does not follow it: in memory, in a value that it forwards, or in a memref or another
    reference that it makes of it. What functions keep does not count."""
    op = use.operation
    if is_forwarded_by(op) or any(is_memref(result) for result in op.results):
        return True
    if CALL.lookup(op) is not None or is_side_effect_free(op):
        return False
    stored = op.operands[use.index]
    return (
        (op.name in _STORES and use.index == 0)
        or any(_element_type(each) == stored.type for each in op.operands)
        or any(
            may_refer_to_memory(result.type)
            and not isinstance(result.type, LLVMPointerType)
            for result in op.results
        )
    )


def puts_memory(op: Operation) -> bool:
    """Whether an op may put an operand into memory that itself refers to memory."""
    types = [operand.type for operand in op.operands]
    elements = map(_element_type, op.operands)
    held = [each for each in elements if each is not None and may_refer_to_memory(each)]
    return bool(held) and any(type_ in held for type_ in types)


def _element_type(value: SSAValue) -> Attribute | None:
    return getattr(value.type, "element_type", None)


def may_refer_to_memory(type_: Attribute) -> bool:
    """Whether a value of a type may refer to memory: any but numbers and vectors of
    numbers."""
    if isinstance(type_, VectorType):
        type_ = cast("VectorType[Attribute]", type_).element_type
    return not _is_number(type(type_))


@cache
def _is_number(type_class: type[Attribute]) -> bool:
    """Whether all types of a class are of numbers. Every use of a buffer is asked."""
    return issubclass(type_class, (IntegerType, IndexType, AnyFloat, ComplexType))
