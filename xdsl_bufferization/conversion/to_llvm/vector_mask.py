"""vector.mask: one op under a mask.

The lowerings of maskable ops take the mask as an additional argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.conversion.to_llvm.vector import Elements, Place, build, shape_of
from xdsl_bufferization.conversion.to_llvm.vector_memory import (
    gather,
    transfer_read,
    transfer_write,
)
from xdsl_bufferization.conversion.to_llvm.vector_reductions import (
    contract,
    multi_reduction,
    outer_product,
    reduction,
    select,
)

MaskedLowering: TypeAlias = "Callable[[Operation, FunctionLowering, SSAValue], None]"

_MASKED: dict[str, MaskedLowering] = {
    "vector.contract": contract,
    "vector.gather": gather,
    "vector.multi_reduction": multi_reduction,
    "vector.outerproduct": outer_product,
    "vector.reduction": reduction,
    "vector.transfer_read": transfer_read,
    "vector.transfer_write": transfer_write,
}


def _mask(op: Operation, to: FunctionLowering) -> None:
    *inner, last = op.regions[0].block.ops
    mask, *pass_through = op.operands
    for masked in inner:
        lowering = _MASKED.get(masked.name)
        if lowering is None:
            to.refuse(
                masked, "it has no lowering under a mask; select its result instead"
            )
        lowering(masked, to, mask)
    for result, value in zip(op.results, last.operands, strict=True):
        if pass_through and shape_of(value.type):
            to.set(result, _selected(to, mask, value, pass_through[0]))
        else:
            to.set(result, to.values[value])


def _selected(
    to: FunctionLowering, mask: SSAValue, value: SSAValue, other: SSAValue
) -> SSAValue:
    """The elements of one vector where a mask is set, those of another elsewhere."""
    flags, new, old = (Elements(to, v) for v in (mask, value, other))

    def element(place: Place) -> SSAValue:
        return select(to, flags[place], new[place], old[place])

    return build(to, value.type, element)


MASK_LOWERINGS: dict[str, Lowering] = {"vector.mask": _mask}
