"""What the conversions of tosa ops share: ops on scalars, and what ops say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.dialects import arith, tosa
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.transforms.tensor_builder import TensorBuilder

BinaryOp: TypeAlias = Callable[[SSAValue, SSAValue], Operation]


@dataclass
class Scalars:
    """Appends ops on scalars to a block."""

    block: Block

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def binary(
        self, of_floats: BinaryOp, of_integers: BinaryOp
    ) -> Callable[[SSAValue, SSAValue], SSAValue]:
        """A binary op, by the type of its operands."""

        def apply(lhs: SSAValue, rhs: SSAValue) -> SSAValue:
            kind = of_floats if isinstance(lhs.type, AnyFloat) else of_integers
            return self.add(kind(lhs, rhs))

        return apply


def is_zero(value: SSAValue) -> bool:
    """Whether a tensor is a constant zero."""
    if not isinstance(value, OpResult) or not isinstance(value.op, tosa.ConstOp):
        return False
    return all(element == 0 for element in value.op.values.iter_values())


def number(type_: Attribute, value: float) -> arith.ConstantOp:
    """A scalar of the given type."""
    if isinstance(type_, AnyFloat):
        return arith.ConstantOp(FloatAttr(value, type_))
    return arith.ConstantOp(IntegerAttr(int(value), cast(IntegerType, type_)))


def lowest(type_: Attribute) -> float:
    """A number that is not greater than any other of the type."""
    if isinstance(type_, AnyFloat):
        return -largest(type_)
    return -(1 << (cast(IntegerType, type_).bitwidth - 1))


def largest(type_: Attribute) -> float:
    """A number that is not less than any other of the type that is finite."""
    if not isinstance(type_, AnyFloat):
        return (1 << (cast(IntegerType, type_).bitwidth - 1)) - 1
    fractions = {"bf16": (8, 127), "f16": (11, 15), "f32": (24, 127), "f64": (53, 1023)}
    digits, exponent = fractions[type_.name]
    return (2.0 - 2.0 ** (1 - digits)) * 2.0**exponent


def ignores_nan(op: Operation) -> bool:
    mode = op.properties.get("nan_mode")
    return isinstance(mode, tosa.NanModeAttr) and mode.data == tosa.NanMode.IGNORE


def as_type(value: SSAValue, type_: TensorType, builder: TensorBuilder) -> SSAValue:
    return value if value.type == type_ else builder.insert(tensor.CastOp(value, type_))


def elements(value: SSAValue) -> list[int] | None:
    """The elements of a constant tensor of integers; None for any other tensor."""
    if not isinstance(value, OpResult) or not isinstance(value.op, tosa.ConstOp):
        return None
    values = cast("DenseIntOrFPElementsAttr[IntegerType]", value.op.values)
    return list(values.get_values())
