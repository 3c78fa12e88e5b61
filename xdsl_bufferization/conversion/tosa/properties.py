"""What the properties and constant operands of a tosa op are."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects import tosa
from xdsl_bufferization.interfaces.diagnostics import describe


def numbers(op: Operation, name: str) -> tuple[int, ...]:
    """The elements of a property that is an array of integers."""
    return tuple(cast("DenseArrayBase[IntegerType]", op.properties[name]).get_values())


def axis_of(op: Operation) -> int:
    return cast(IntegerAttr, op.properties["axis"]).value.data


def _constant_values(value: SSAValue) -> DenseIntOrFPElementsAttr | None:
    if not isinstance(value, OpResult):
        return None
    if isinstance(value.op, tosa.ConstOp):
        values = value.op.properties["values"]
    elif isinstance(value.op, arith.ConstantOp):
        values = value.op.value
    else:
        return None
    return values if isa(values, DenseIntOrFPElementsAttr) else None


def is_zero(value: SSAValue) -> bool:
    """Whether a tensor is a constant zero."""
    values = _constant_values(value)
    return values is not None and all(element == 0 for element in values.iter_values())


def elements(value: SSAValue) -> list[int] | None:
    """The elements of a constant tensor of integers; None for any other tensor."""
    values = _constant_values(value)
    if values is None or not isinstance(values.get_element_type(), IntegerType):
        return None
    return list(cast("DenseIntOrFPElementsAttr[IntegerType]", values).get_values())


def element(value: SSAValue) -> float | None:
    """The only element of a constant tensor; None if it is not constant."""
    values = _constant_values(value)
    if values is None:
        return None
    number = next(iter(values.iter_values()), None)
    return None if isinstance(number, tuple) else number


def zero_point(op: Operation, value: SSAValue) -> int:
    """The zero point that an operand of `op` is.

    Raises:
        PassFailedException: when it is not constant, or is no zero of floats.
    """
    if is_zero(value):
        return 0
    constants = elements(value)
    if not constants:
        raise PassFailedException(
            f"{op.name}: a zero point that is not a constant integer, or zero, is "
            f"not supported. Subtract it from the operand before.{describe(op)}"
        )
    return constants[0]


def require_static(op: Operation) -> None:
    """Refuse tensors of dynamic sizes.

    Raises:
        PassFailedException: when `op` takes or returns one.
    """
    types = [value.type for value in (*op.operands, *op.results)]
    if any(isa(t, TensorType) and DYNAMIC_INDEX in t.get_shape() for t in types):
        raise PassFailedException(
            f"{op.name}: dynamic sizes are not supported. Give operands and result "
            f"static sizes.{describe(op)}"
        )


def ignores_nan(op: Operation) -> bool:
    mode = op.properties.get("nan_mode")
    return isinstance(mode, tosa.NanModeAttr) and mode.data == tosa.NanMode.IGNORE
