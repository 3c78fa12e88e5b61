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
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import IsTerminator

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
)
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
)
from xdsl_bufferization.interfaces.view_like import (
    PointerUse,
    is_only_renamed,
    pointer_use,
)

_ASYNCHRONOUS = frozenset(("memref.dma_start", "affine.dma_start"))
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


def puts_memory(op: Operation) -> bool:
    """Whether an op may put an operand into memory that itself refers to memory."""
    types = [operand.type for operand in op.operands]
    elements = [getattr(type_, "element_type", None) for type_ in types]
    held = [each for each in elements if each is not None and may_refer_to_memory(each)]
    return bool(held) and any(type_ in held for type_ in types)


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
