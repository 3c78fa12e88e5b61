"""Known values of a condition after a branch on it.

    cf.cond_br %c, ^bb1, ^bb2           // %c is true in ^bb1, false in ^bb2
    scf.if %c { ... } else { ... }      // and likewise in the branches of an if

This also holds in the regions of ops there.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.booleans import get_constant_bool
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def replace_known_condition(op: Operation, worklist: Worklist) -> bool:
    """A condition is a constant where cf.cond_br or scf.if has decided it.

    All uses of the condition are looked at once, whichever op has decided it, and again
    only if it got further ones.
    """
    condition = op.operands[0]
    if condition in worklist.settled or get_constant_bool(condition) is not None:
        return False
    worklist.settled[condition] = op
    changed = False
    for use in list(condition.uses):
        known = _known_at(use.operation, condition)
        if known is not None:
            worklist.push(use.operation)
            use.operation.operands[use.index] = worklist.constants.get(known)
            changed = True
    return changed


def _known_at(op: Operation, condition: SSAValue) -> bool | None:
    """Return the value of a condition at an op, if a branch on it determines this
    value."""
    block = op.parent
    while block is not None:
        entry = block.get_unique_use()
        if (
            entry is not None
            and entry.operation.name == "cf.cond_br"
            and entry.operation.operands[0] is condition
        ):
            return entry.index == 0
        around = block.parent_op()
        if around is None:
            return None
        if around.name == "scf.if" and around.operands[0] is condition:
            return block.parent is around.regions[0]
        block = around.parent
    return None
