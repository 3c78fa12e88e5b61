"""Simplification of scf.for and scf.while."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValues

from xdsl_bufferization.interfaces.loop_like import static_trip_count
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def unroll_trivial_for(op: Operation, worklist: Worklist) -> bool:
    """A loop of no iteration is its initial values, one of one iteration is its body.

    One of several iterations that does nothing but yield values from outside is these.
    """
    trips = static_trip_count(op)
    if trips is None:
        return False
    lower, inits = op.operands[0], list(op.operands[3:])
    if trips == 0:
        worklist.replace(op, inits)
        return True
    body = op.regions[0].blocks.first
    assert body is not None
    if trips == 1:
        worklist.replace(op, worklist.inline_block(body, op, [lower, *inits]))
        return True
    if body.first_op is not body.last_op or body.last_op is None:
        return False
    values = list(body.last_op.operands)
    if any(isinstance(value.owner, Block) and value.owner is body for value in values):
        return False
    worklist.replace(op, values)
    return True


def know_while_condition(op: Operation, worklist: Worklist) -> bool:
    """In the body of a while, the condition that is passed on is true."""
    before, after = (region.blocks.first for region in op.regions)
    if before is None or after is None or before.last_op is None:
        return False
    condition, *forwarded = before.last_op.operands
    changed = False
    for value, argument in zip(forwarded, after.args, strict=True):
        if value is condition and argument.first_use is not None:
            worklist.replace_value(argument, worklist.constants.get(True))
            changed = True
    return changed


def align_while_arguments(op: Operation, worklist: Worklist) -> bool:
    """A while that passes on just its arguments passes them on in their order."""
    before, after = (region.blocks.first for region in op.regions)
    if before is None or after is None or before.last_op is None:
        return False
    condition, *forwarded = before.last_op.operands
    arguments = before.args
    if set(forwarded) != set(arguments) or len(forwarded) != len(arguments):
        return False
    if list(arguments) == forwarded:
        return False
    from_old = {argument: i for i, argument in enumerate(forwarded)}
    order = [from_old[argument] for argument in arguments]
    worklist.set_operands(before.last_op, [condition, *arguments])
    old = after.args
    for i in order:
        argument = after.insert_arg(old[i].type, len(after.args))
        worklist.replace_value(old[i], argument)
    for argument in old:
        after.erase_arg(argument)
    results = [op.results[i] for i in order]
    for index, result in enumerate(results):
        result.index = index
    op.results = SSAValues(results)
    return True
