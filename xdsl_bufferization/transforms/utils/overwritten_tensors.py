"""Operands of ops on tensors that a result replaces, element by element or entirely.

    %y = vector.transfer_write %v, %x[%c0] : vector<8xf32>, tensor<8xf32>

The op writes the buffer of %x but reads nothing of it, so it may write any other buffer.
So may one that computes each element from the old one, if it can read that elsewhere
(elementwise_updates.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue, Use

from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.interfaces.aliasing import BufferRelation
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH
from xdsl_bufferization.records import record
from xdsl_bufferization.transforms.utils.elementwise_updates import is_elementwise_update


@record
class Overwritten:
    """A tensor that a result replaces.

    Attributes:
        output: the operand.
        result: the result.
        is_elementwise: whether the old elements may be used, each for the new one.
    """

    output: Use
    result: SSAValue
    is_elementwise: bool


def find_overwritten(op: Operation, state: DefaultAnalysisState) -> Sequence[Overwritten]:
    """Return the tensors that an op replaces by its results: none of a call, or of an op
    that branches."""
    if not any(is_tensor(result.type) for result in op.results):
        return ()
    if is_elementwise_update(op):
        output = operands_of(op)[len(op.operands) - 1]
        return (Overwritten(output, op.results[0], True),)
    if REGION_BRANCH.lookup(op) or CALL.lookup(op) or state.model(op) is None:
        return ()
    if isinstance(op, bufferization.MaterializeInDestinationOp):
        return ()  # The destination is the point of it.
    found: list[Overwritten] = []
    for operand in operands_of(op):
        if (
            is_tensor(get(operand).type)
            and state.bufferizes_to_memory_write(operand)
            and not state.bufferizes_to_memory_read(operand)
        ):
            match state.aliasing_values(operand):
                case [alias] if alias.relation is BufferRelation.EQUIVALENT:
                    found.append(Overwritten(operand, alias.value, False))
                case _:
                    pass
    return found
