"""The arith dialect: xDSL's, with casts of tensors and vectors and the ops it lacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from typing_extensions import TypeIs
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    UnitAttr,
    UnrankedTensorType,
    VectorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IntSetConstraint,
    IRDLOperation,
    eq,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.lazy_formats import op_definition
from xdsl_bufferization.dialects.shapes import is_integer, is_memref, is_tensor, is_vector

from .definitions import CanonicalizedBy, refined_op_definition
from .shapes import same_dimensions
from .speculation import SpeculatableDivision

OpT = TypeVar("OpT", bound=IRDLOperation)

Container: TypeAlias = (
    VectorType[Attribute]
    | TensorType[Attribute]
    | UnrankedTensorType[Attribute]
    | MemRefType[Attribute]
)


def element_or_self(type: Attribute) -> Attribute:
    return type.element_type if _is_container(type) else type


def _is_container(type: Attribute) -> TypeIs[Container]:
    return isinstance(type, VectorType | TensorType | UnrankedTensorType | MemRefType)


def _ranked_shape(type: Attribute) -> tuple[int, ...] | None:
    if is_vector(type) or is_tensor(type) or is_memref(type):
        return type.get_shape()
    return None


def _same_container(a: Attribute, b: Attribute) -> bool:
    """Whether two types are both scalars, or containers of one kind and shape."""
    shape_a, shape_b = _ranked_shape(a), _ranked_shape(b)
    if shape_a is not None:
        same_kind = type(a) is type(b)
        return same_kind and shape_b is not None and same_dimensions(shape_a, shape_b)
    if isinstance(a, UnrankedTensorType):
        return isinstance(b, UnrankedTensorType | TensorType)
    return shape_b is None


def _verify_cast(op: Operation, valid: Callable[[Attribute, Attribute], bool]) -> None:
    source, result = op.operands[0].type, op.results[0].type
    if not _same_container(source, result) or not valid(
        element_or_self(source), element_or_self(result)
    ):
        raise VerifyException(
            f"'{op.name}' operand type {source} and result type {result} are cast "
            "incompatible"
        )


def _extends(source: Attribute, result: Attribute) -> bool:
    return (
        is_integer(source)
        and is_integer(result)
        and source.width.data < result.width.data
    )


def _truncates(source: Attribute, result: Attribute) -> bool:
    return _extends(result, source)


def _index_casts(source: Attribute, result: Attribute) -> bool:
    pair = {type(source), type(result)}
    return pair == {IndexType, IntegerType}


def _to_float(source: Attribute, result: Attribute) -> bool:
    return is_integer(source) and isinstance(result, AnyFloat)


def _from_float(source: Attribute, result: Attribute) -> bool:
    return _to_float(result, source)


def _widens(source: Attribute, result: Attribute) -> bool:
    return (
        isinstance(source, AnyFloat)
        and isinstance(result, AnyFloat)
        and source.bitwidth < result.bitwidth
    )


def _narrows(source: Attribute, result: Attribute) -> bool:
    return _widens(result, source)


@refined_op_definition
class ExtSIOp(arith.ExtSIOp):
    """Widens signed integers."""

    input = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    traits = traits_def(Pure())

    def verify_(self) -> None:
        _verify_cast(self, _extends)


@refined_op_definition
class ExtUIOp(arith.ExtUIOp):
    """Widens unsigned integers."""

    input = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    def verify_(self) -> None:
        _verify_cast(self, _extends)


@refined_op_definition
class TruncIOp(arith.TruncIOp):
    """Narrows integers."""

    overflow_flags = opt_prop_def(arith.IntegerOverflowAttr, prop_name="overflowFlags")
    input = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    @classmethod
    def parse(cls, parser: Parser) -> TruncIOp:
        return _parse_cast(cls, parser, overflow=True)

    def print(self, printer: Printer) -> None:
        _print_cast(printer, self)

    def verify_(self) -> None:
        _verify_cast(self, _truncates)


@refined_op_definition
class IndexCastOp(arith.IndexCastOp):
    """Casts between index and signed integers."""

    input = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    def verify_(self) -> None:
        _verify_cast(self, _index_casts)


@op_definition
class IndexCastUIOp(IRDLOperation):
    """Casts between index and unsigned integers."""

    name = "arith.index_castui"

    input = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    traits = traits_def(Pure())

    def __init__(self, input: SSAValue | Operation, result_type: Attribute):
        super().__init__(operands=(input,), result_types=(result_type,))

    def verify_(self) -> None:
        _verify_cast(self, _index_casts)


@refined_op_definition
class SIToFPOp(arith.SIToFPOp):
    """Signed integers as floats."""

    input = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    def verify_(self) -> None:
        _verify_cast(self, _to_float)


@refined_op_definition
class UIToFPOp(arith.UIToFPOp):
    """Unsigned integers as floats."""

    input = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    def verify_(self) -> None:
        _verify_cast(self, _to_float)


@refined_op_definition
class FPToSIOp(arith.FPToSIOp):
    """Floats as signed integers."""

    input = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    def verify_(self) -> None:
        _verify_cast(self, _from_float)


@refined_op_definition
class FPToUIOp(arith.FPToUIOp):
    """Floats as unsigned integers."""

    input = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    def verify_(self) -> None:
        _verify_cast(self, _from_float)


ROUNDING_MODES = (
    "to_nearest_even",
    "downward",
    "upward",
    "toward_zero",
    "to_nearest_away",
)
"""The rounding modes in the order of their numbers."""

NEAREST_EVEN = ROUNDING_MODES[0]

_ROUNDING_MODE = IntegerAttr.constr(
    eq(i32), value=IntSetConstraint(frozenset(range(len(ROUNDING_MODES))))
)


def rounding_mode(op: Operation) -> str:
    """The rounding mode of a cast; without an attribute that to the nearest."""
    mode = op.properties.get("roundingmode")
    return (
        ROUNDING_MODES[mode.value.data] if isinstance(mode, IntegerAttr) else NEAREST_EVEN
    )


def _parse_cast(cls: type[OpT], parser: Parser, *, overflow: bool = False) -> OpT:
    """Parse a cast that may name a rounding mode and flags after its operands."""
    operands = parser.parse_comma_separated_list(
        Parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    properties: dict[str, Attribute] = {}
    mode = parser.parse_optional_keyword_in(ROUNDING_MODES)
    if mode is not None:
        properties["roundingmode"] = IntegerAttr(ROUNDING_MODES.index(mode), i32)
    if overflow:
        if parser.parse_optional_keyword("overflow") is not None:
            flags = arith.IntegerOverflowAttr.parse_parameter(parser)
            properties["overflowFlags"] = arith.IntegerOverflowAttr(flags)
    elif parser.parse_optional_keyword("fastmath") is not None:
        flags = arith.FastMathFlagsAttr.parse_parameter(parser)
        properties["fastmath"] = arith.FastMathFlagsAttr(flags)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    pos = parser.pos
    types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
    parser.parse_keyword("to")
    return cls.build(
        operands=parser.resolve_operands(operands, types, pos),
        result_types=[parser.parse_type()],
        properties=properties,
        attributes=attributes,
    )


def _print_cast(printer: Printer, op: Operation) -> None:
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    if "roundingmode" in op.properties:
        printer.print_string(f" {rounding_mode(op)}")
    for keyword, name in (("fastmath", "fastmath"), ("overflow", "overflowFlags")):
        flags = op.properties.get(name)
        if flags is not None and getattr(flags, "data", ()):
            printer.print_string(f" {keyword}")
            flags.print_parameter(printer)  # pyright: ignore
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_list(op.operand_types, printer.print_attribute)
    printer.print_string(" to ")
    printer.print_attribute(op.results[0].type)


@refined_op_definition
class ExtFOp(arith.ExtFOp):
    """Widens floats."""

    fastmath = opt_prop_def(arith.FastMathFlagsAttr)
    input = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    @classmethod
    def parse(cls, parser: Parser) -> ExtFOp:
        return _parse_cast(cls, parser)

    def print(self, printer: Printer) -> None:
        _print_cast(printer, self)

    def verify_(self) -> None:
        _verify_cast(self, _widens)


@refined_op_definition
class TruncFOp(arith.TruncFOp):
    """Narrows floats, rounded as the rounding mode says."""

    roundingmode = opt_prop_def(_ROUNDING_MODE)
    fastmath = opt_prop_def(arith.FastMathFlagsAttr)
    input = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    @classmethod
    def parse(cls, parser: Parser) -> TruncFOp:
        return _parse_cast(cls, parser)

    def print(self, printer: Printer) -> None:
        _print_cast(printer, self)

    def verify_(self) -> None:
        _verify_cast(self, _narrows)


class _ScalingCast(IRDLOperation):
    """A cast of floats that share a scale, the second operand."""

    def __init__(self, input: SSAValue, scale: SSAValue, result_type: Attribute):
        super().__init__(operands=(input, scale), result_types=(result_type,))

    @classmethod
    def parse(cls, parser: Parser):
        return _parse_cast(cls, parser)

    def print(self, printer: Printer) -> None:
        _print_cast(printer, self)


@op_definition
class ScalingExtFOp(_ScalingCast):
    """Widens floats of a shared scale."""

    name = "arith.scaling_extf"

    input = operand_def(AnyAttr())
    scale = operand_def(AnyAttr())
    fastmath = opt_prop_def(arith.FastMathFlagsAttr)
    result = result_def(AnyAttr())

    traits = traits_def(Pure())

    def verify_(self) -> None:
        _verify_cast(self, _widens)


@op_definition
class ScalingTruncFOp(_ScalingCast):
    """Narrows floats to a shared scale."""

    name = "arith.scaling_truncf"

    input = operand_def(AnyAttr())
    scale = operand_def(AnyAttr())
    roundingmode = opt_prop_def(_ROUNDING_MODE)
    fastmath = opt_prop_def(arith.FastMathFlagsAttr)
    result = result_def(AnyAttr())

    traits = traits_def(Pure())

    def verify_(self) -> None:
        _verify_cast(self, _narrows)


_EXACT_FORMAT = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"


@refined_op_definition
class DivSIOp(arith.DivSIOp):
    """Divides signed integers; `exact` promises that there is no remainder."""

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")

    assembly_format = _EXACT_FORMAT


@refined_op_definition
class DivUIOp(arith.DivUIOp):
    """Divides unsigned integers; `exact` promises that there is no remainder."""

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")

    assembly_format = _EXACT_FORMAT


@refined_op_definition
class CeilDivSIOp(arith.CeilDivSIOp):
    """Divides signed integers and rounds up."""

    traits = traits_def(
        NoMemoryEffect(),
        SpeculatableDivision(signed=True),
        arith.SignlessIntegerBinaryOperationHasCanonicalizationPatternsTrait(),
    )


@refined_op_definition
class CeilDivUIOp(arith.CeilDivUIOp):
    """Divides unsigned integers and rounds up."""

    traits = traits_def(
        NoMemoryEffect(),
        SpeculatableDivision(signed=False),
        arith.SignlessIntegerBinaryOperationHasCanonicalizationPatternsTrait(),
    )


@refined_op_definition
class RemUIOp(arith.RemUIOp):
    """The remainder of unsigned integers."""

    traits = traits_def(Pure())


@refined_op_definition
class ShRSIOp(arith.ShRSIOp):
    """Shifts signed integers right; `exact` promises that only zeros go."""

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")

    assembly_format = _EXACT_FORMAT


@refined_op_definition
class ShRUIOp(arith.ShRUIOp):
    """Shifts unsigned integers right; `exact` promises that only zeros go."""

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")

    assembly_format = _EXACT_FORMAT


@op_definition
class RemFOp(arith.FloatingPointLikeBinaryOperation):
    """The remainder of a division of floats, of the sign of the dividend."""

    name = "arith.remf"

    traits = traits_def(Pure())


def booleans_like(type: Attribute) -> Attribute:
    """The type of the results of a comparison of values of the given type."""
    if is_vector(type):
        return VectorType(i1, type.shape, type.scalable_dims)
    if is_tensor(type):
        return TensorType(i1, type.shape, type.encoding)
    if isinstance(type, UnrankedTensorType):
        return UnrankedTensorType(i1)
    return i1


def _verify_comparison(op: Operation, predicates: int) -> None:
    lhs, rhs = (operand.type for operand in op.operands)
    if lhs != rhs or op.results[0].type != booleans_like(lhs):
        raise VerifyException(
            f"'{op.name}' failed to verify that result type has i1 element type and same "
            f"shape as operands, got {lhs}, {rhs} and {op.results[0].type}"
        )
    predicate = op.properties["predicate"]
    if not isinstance(predicate, IntegerAttr) or not (
        0 <= predicate.value.data < predicates
    ):
        raise VerifyException(f"'{op.name}' has an unknown predicate {predicate}")


def _parse_comparison(cls: type[OpT], parser: Parser, predicates: Sequence[str]) -> OpT:
    pos = parser.pos
    # The predicate may be quoted; older programs have it so.
    predicate = parser.parse_optional_str_literal()
    if predicate is None:
        predicate = parser.parse_keyword_in(predicates)
    elif predicate not in predicates:
        parser.raise_error(f"expected one of {', '.join(predicates)}", pos)
    properties: dict[str, Attribute] = {
        "predicate": IntegerAttr(predicates.index(predicate), 64)
    }
    parser.parse_punctuation(",")
    pos = parser.pos
    lhs = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    rhs = parser.parse_unresolved_operand()
    if parser.parse_optional_keyword("fastmath") is not None:
        flags = arith.FastMathFlagsAttr.parse_parameter(parser)
        properties["fastmath"] = arith.FastMathFlagsAttr(flags)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    return cls.build(
        operands=parser.resolve_operands([lhs, rhs], [type] * 2, pos),
        result_types=[booleans_like(type)],
        properties=properties,
        attributes=attributes,
    )


def _print_comparison(printer: Printer, op: Operation, predicates: Sequence[str]) -> None:
    predicate = op.properties["predicate"]
    assert isinstance(predicate, IntegerAttr)
    printer.print_string(f" {predicates[predicate.value.data]}, ")
    printer.print_list(op.operands, printer.print_ssa_value)
    flags = op.properties.get("fastmath")
    if isinstance(flags, arith.FastMathFlagsAttr) and flags.data:
        printer.print_string(" fastmath")
        flags.print_parameter(printer)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)


@refined_op_definition
class CmpfOp(arith.CmpfOp):
    """Compares floats."""

    result = result_def(AnyAttr())

    def __init__(
        self,
        operand1: SSAValue | Operation,
        operand2: SSAValue | Operation,
        arg: int | str,
        fastmath: arith.FastMathFlagsAttr | None = None,
    ):
        operand1 = SSAValue.get(operand1)
        if isinstance(arg, str):
            arg = arith.CMPF_COMPARISON_OPERATIONS.index(arg)
        IRDLOperation.__init__(
            self,
            operands=(operand1, operand2),
            result_types=(booleans_like(operand1.type),),
            properties={
                "predicate": IntegerAttr(arg, 64),
                "fastmath": fastmath or arith.FastMathFlagsAttr("none"),
            },
        )

    @classmethod
    def parse(cls, parser: Parser) -> CmpfOp:
        return _parse_comparison(cls, parser, arith.CMPF_COMPARISON_OPERATIONS)

    def print(self, printer: Printer) -> None:
        _print_comparison(printer, self, arith.CMPF_COMPARISON_OPERATIONS)

    def verify_(self) -> None:
        _verify_comparison(self, len(arith.CMPF_COMPARISON_OPERATIONS))


@refined_op_definition
class CmpiOp(arith.CmpiOp):
    """Compares integers."""

    lhs = operand_def(AnyAttr())
    rhs = operand_def(AnyAttr())
    result = result_def(AnyAttr())

    # xDSL's canonicalizations take the result for one i1.
    traits = traits_def(Pure(), CanonicalizedBy("arith"))

    def __init__(
        self,
        operand1: SSAValue | Operation,
        operand2: SSAValue | Operation,
        arg: int | str,
    ):
        operand1 = SSAValue.get(operand1)
        if isinstance(arg, str):
            arg = arith.CMPI_COMPARISON_OPERATIONS.index(arg)
        IRDLOperation.__init__(
            self,
            operands=(operand1, operand2),
            result_types=(booleans_like(operand1.type),),
            properties={"predicate": IntegerAttr(arg, 64)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> CmpiOp:
        return _parse_comparison(cls, parser, arith.CMPI_COMPARISON_OPERATIONS)

    def print(self, printer: Printer) -> None:
        _print_comparison(printer, self, arith.CMPI_COMPARISON_OPERATIONS)

    def verify_(self) -> None:
        compared = element_or_self(self.lhs.type)
        if not is_integer(compared) and not isinstance(compared, IndexType):
            raise VerifyException(
                f"'{self.name}' operands must be signless-integer-like, got "
                f"{self.lhs.type}"
            )
        _verify_comparison(self, len(arith.CMPI_COMPARISON_OPERATIONS))


@refined_op_definition
class SelectOp(arith.SelectOp):
    """One of two values, or, with a condition of their shape, of their elements."""

    cond = operand_def(AnyAttr())

    @classmethod
    def parse(cls, parser: Parser) -> SelectOp:
        pos = parser.pos
        operands = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        if len(operands) != 3:
            parser.raise_error("expected three operands", pos)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type: Attribute = parser.parse_type()
        condition: Attribute = IntegerType(1)
        if parser.parse_optional_punctuation(",") is not None:
            condition, type = type, parser.parse_type()
        op = cls(*parser.resolve_operands(operands, [condition, type, type], pos))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        condition = self.operands[0].type
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        if not is_integer(condition):
            printer.print_attribute(condition)
            printer.print_string(", ")
        printer.print_attribute(self.results[0].type)

    def verify_(self) -> None:
        condition, result = self.operands[0].type, self.results[0].type
        if element_or_self(condition) != IntegerType(1):
            raise VerifyException(
                f"'{self.name}' expects a condition of booleans, got {condition}"
            )
        if not is_integer(condition) and not _same_container(condition, result):
            raise VerifyException(
                f"'{self.name}' expected condition type to have the same shape as the "
                f"result type {result}, got {condition}"
            )


_OURS = {
    op.name: op
    for op in (
        CeilDivSIOp,
        CeilDivUIOp,
        CmpfOp,
        CmpiOp,
        DivSIOp,
        DivUIOp,
        ExtFOp,
        ExtSIOp,
        ExtUIOp,
        FPToSIOp,
        FPToUIOp,
        IndexCastOp,
        IndexCastUIOp,
        RemFOp,
        RemUIOp,
        SIToFPOp,
        ScalingExtFOp,
        ScalingTruncFOp,
        SelectOp,
        ShRSIOp,
        ShRUIOp,
        TruncFOp,
        TruncIOp,
        UIToFPOp,
    )
}

Arith = Dialect(
    "arith",
    [
        *(op for op in arith.Arith.operations if op.name not in _OURS),
        *_OURS.values(),
    ],
    list(arith.Arith.attributes),
    [arith.ArithConstantMaterializationInterface()],
)
