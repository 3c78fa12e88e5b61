"""DestinationStyleOpInterface: ops whose tensor results are tied to "outs" operands.

Result number i of a destination-style op is the updated destination operand number i.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from xdsl.ir import Operation, SSAValue, Use

from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.table import InterfaceTable
from xdsl_bufferization.interfaces.types import TENSOR_TYPES


@runtime_checkable
class DestinationStyleOpInterface(Protocol):
    """Which operands of an op are destinations."""

    def dps_inits(self, op: Operation) -> Sequence[Use]:
        """The destination operands, in the order of the results they are tied to.
        Destinations that are memrefs have no tied result.

        Each is a `Use`, not a value: return a slice of `operands_of(op)`."""
        ...


DESTINATION_STYLE = InterfaceTable(DestinationStyleOpInterface)


def destinations(model: DestinationStyleOpInterface, op: Operation) -> Sequence[Use]:
    """Return the destination operands that a model names; the model may be `self`.

    Raises:
        PassFailedException: when a model of a user's dialect raises an exception, or
            returns something else than operands of the op.
    """
    return DESTINATION_STYLE.checked(model).dps_inits(op)


def tied_result(
    model: DestinationStyleOpInterface, op: Operation, operand: Use
) -> SSAValue | None:
    """The result tied to a destination operand, or None for another operand."""
    number = 0
    for init in destinations(model, op):
        is_tensor = isinstance(get(init).type, TENSOR_TYPES)
        if init is operand:
            return op.results[number] if is_tensor else None
        number += is_tensor
    return None


def tied_operand(
    model: DestinationStyleOpInterface, op: Operation, value: SSAValue
) -> Use | None:
    """The destination operand tied to a result."""
    number = 0
    for init in destinations(model, op):
        if isinstance(get(init).type, TENSOR_TYPES):
            if op.results[number] is value:
                return init
            number += 1
    return None


def last_operand(op: Operation) -> tuple[Use, ...]:
    """The destinations of an op whose only destination is its last operand."""
    return operands_of(op)[-1:]
