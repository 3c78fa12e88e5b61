"""The math dialect: xDSL's, with the ops it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects import math
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure, SameOperandsAndResultType
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.lazy_formats import op_definition

from .arith import booleans_like

_NO_FLAGS = FastMathFlagsAttr("none")


class _UnaryFloatOp(IRDLOperation):
    """An op on floats, with flags of fast math."""

    def __init__(
        self, operand: SSAValue | Operation, fastmath: FastMathFlagsAttr | None = None
    ):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=(operand,),
            properties={"fastmath": fastmath},
            result_types=self.result_types_of(operand.type),
        )

    @staticmethod
    def result_types_of(type: Attribute) -> Sequence[Attribute]:
        """Return the types of the results for an operand."""
        raise NotImplementedError


class FloatClassificationOp(_UnaryFloatOp):
    """An op that classifies each float of a scalar, vector or tensor."""

    operand = operand_def(math.floatingPointLike)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)
    result = result_def(AnyAttr())

    @staticmethod
    def result_types_of(type: Attribute) -> Sequence[Attribute]:
        return (booleans_like(type),)

    @classmethod
    def parse(cls, parser: Parser):
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls(
            parser.resolve_operand(operand, parser.parse_type()),
            _taken_flags(parser, attributes),
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        attributes = self.attributes
        if self.fastmath != _NO_FLAGS:
            attributes = {"fastmath": self.fastmath} | attributes
        printer.print_string(" ")
        printer.print_operand(self.operands[0])
        printer.print_op_attributes(attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)

    def verify_(self) -> None:
        expected = booleans_like(self.operands[0].type)
        if self.results[0].type != expected:
            raise VerifyException(
                f"'{self.name}' result type must have i1 element type and the same "
                f"shape as the operands: expected {expected}, got {self.results[0].type}"
            )


def _taken_flags(
    parser: Parser, attributes: dict[str, Attribute]
) -> FastMathFlagsAttr | None:
    """The flags, taken out of the attribute dictionary: there is no other syntax."""
    flags = attributes.pop("fastmath", None)
    if flags is not None and not isinstance(flags, FastMathFlagsAttr):
        parser.raise_error(f"'fastmath' must be fast-math flags, got {flags}")
    return flags


@op_definition
class IsFiniteOp(FloatClassificationOp):
    """Neither infinite nor NaN."""

    name = "math.isfinite"

    traits = traits_def(Pure())


@op_definition
class IsInfOp(FloatClassificationOp):
    """Positive or negative infinity."""

    name = "math.isinf"

    traits = traits_def(Pure())


@op_definition
class IsNaNOp(FloatClassificationOp):
    """Not a number."""

    name = "math.isnan"

    traits = traits_def(Pure())


@op_definition
class IsNormalOp(FloatClassificationOp):
    """Neither zero, subnormal, infinite nor NaN."""

    name = "math.isnormal"

    traits = traits_def(Pure())


@op_definition
class ErfcOp(math.FloatingPointLikeUnaryMathOperation):
    """One minus the error function, exact where that is near to zero."""

    name = "math.erfc"

    traits = traits_def(Pure(), SameOperandsAndResultType())


@op_definition
class SincosOp(_UnaryFloatOp):
    """Sine and cosine of one value."""

    name = "math.sincos"

    T: ClassVar = VarConstraint("T", math.floatingPointLike)

    operand = operand_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)
    sin = result_def(T)
    cos = result_def(T)

    traits = traits_def(Pure())

    assembly_format = "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand)"

    @staticmethod
    def result_types_of(type: Attribute) -> Sequence[Attribute]:
        return (type, type)


@op_definition
class ClampFOp(IRDLOperation):
    """A value, or the bound that it is beyond."""

    name = "math.clampf"

    T: ClassVar = VarConstraint("T", math.floatingPointLike)

    value = operand_def(T)
    min = operand_def(T)
    max = operand_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=_NO_FLAGS)
    result = result_def(T)

    traits = traits_def(Pure(), SameOperandsAndResultType())

    assembly_format = (
        "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? "
        "attr-dict `:` type($result)"
    )

    def __init__(
        self,
        value: SSAValue | Operation,
        min: SSAValue | Operation,
        max: SSAValue | Operation,
        fastmath: FastMathFlagsAttr | None = None,
    ):
        value = SSAValue.get(value)
        super().__init__(
            operands=(value, min, max),
            properties={"fastmath": fastmath},
            result_types=(value.type,),
        )


Math = Dialect(
    "math",
    [
        *math.Math.operations,
        ClampFOp,
        ErfcOp,
        IsFiniteOp,
        IsInfOp,
        IsNaNOp,
        IsNormalOp,
        SincosOp,
    ],
)
