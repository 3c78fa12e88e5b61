"""Loops that carry a *spare* buffer: one that an iteration reuses instead of allocating.

A loop without a spare buffer at its start also carries a flag for whether it has one:

    %new = scf.if %has { yield %spare } else { yield memref.alloc(%n) }
"""

from __future__ import annotations

from typing import TypeAlias

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects import memref, scf
from xdsl_bufferization.dialects.booleans import get_constant_bool, insert_before

Loop: TypeAlias = scf.ForOp | scf.WhileOp
"""A loop that can carry a spare buffer."""
LOOPS = (scf.ForOp, scf.WhileOp)


def allocate_without_spare(
    allocation: memref.AllocOp, spare: SSAValue, has_spare: SSAValue
) -> None:
    """Let an op allocate only if there is no spare buffer, and else use that.

    Args:
        spare: a memref that can be cast to the type of the allocation.
        has_spare: an i1, whether `spare` is a spare buffer.
    """
    if get_constant_bool(has_spare) is False:
        return
    buffer = allocation.results[0]
    otherwise, taken = Block(), Block()
    branch = scf.IfOp(has_spare, [buffer.type], Region(taken), Region(otherwise))
    buffer.replace_all_uses_with(branch.results[0])
    Rewriter.insert_op(branch, InsertPoint.before(allocation))
    end = scf.YieldOp(spare)
    taken.add_op(end)
    end.operands[0] = cast_before(end, spare, buffer.type)
    allocation.detach()
    otherwise.add_ops([allocation, scf.YieldOp(buffer)])


def cast_before(place: Operation, buffer: SSAValue, type_: Attribute) -> SSAValue:
    """Return a buffer in a type to which it can be cast, before an op."""
    if buffer.type == type_:
        return buffer
    cast = memref.CastOp.build(operands=[buffer], result_types=[type_])
    return insert_before(place, cast)


def add_inits(loop: Loop, inits: list[SSAValue]) -> Loop:
    """Let a loop start with further values, and return the new loop.

    Its blocks have arguments for them already, and its terminators yield them.
    """
    if isinstance(loop, scf.ForOp):
        new: Loop = scf.ForOp(
            loop.lb,
            loop.ub,
            loop.step,
            [*loop.iter_args, *inits],
            loop.detach_region(loop.body),
            unsigned_cmp="unsignedCmp" in loop.properties,
        )
    else:
        new = scf.WhileOp(
            [*loop.operands, *inits],
            [*loop.result_types, *(init.type for init in inits)],
            *(loop.detach_region(region) for region in tuple(loop.regions)),
        )
    new.attributes.update(loop.attributes)
    Rewriter.insert_op(new, InsertPoint.before(loop))
    for old, result in zip(loop.results, new.results, strict=False):
        old.replace_all_uses_with(result)
    Rewriter.erase_op(loop)
    return new
