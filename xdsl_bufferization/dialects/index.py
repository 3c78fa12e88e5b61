"""The index dialect: arithmetic on integers of the width of an address."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    BoolAttr,
    IndexType,
    IndexTypeConstr,
    IntegerAttr,
    IntegerType,
    i1,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Dialect, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_attr_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, NoMemoryEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.dialects.lazy_formats import op_definition

INDEX = IndexType()


class IndexCmpPredicate(StrEnum):
    EQ = "eq"
    NE = "ne"
    SLT = "slt"
    SLE = "sle"
    SGT = "sgt"
    SGE = "sge"
    ULT = "ult"
    ULE = "ule"
    UGT = "ugt"
    UGE = "uge"


@irdl_attr_definition
class IndexCmpPredicateAttr(
    EnumAttribute[IndexCmpPredicate], SpacedOpaqueSyntaxAttribute
):
    """How index.cmp compares."""

    name = "index.cmp_predicate"


class _BinaryOp(IRDLOperation):
    lhs = operand_def(IndexTypeConstr)
    rhs = operand_def(IndexTypeConstr)
    result = result_def(INDEX)

    assembly_format = "$lhs `,` $rhs attr-dict"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=(lhs, rhs), result_types=(INDEX,))


class _PureBinaryOp(_BinaryOp):
    traits = traits_def(Pure())


class _DivisionOp(_BinaryOp):
    """Undefined for a divisor of zero, so that it must not be moved before a branch."""

    traits = traits_def(NoMemoryEffect())


@op_definition
class AddOp(_PureBinaryOp):
    name = "index.add"


@op_definition
class SubOp(_PureBinaryOp):
    name = "index.sub"


@op_definition
class MulOp(_PureBinaryOp):
    name = "index.mul"


@op_definition
class DivSOp(_DivisionOp):
    name = "index.divs"


@op_definition
class DivUOp(_DivisionOp):
    name = "index.divu"


@op_definition
class CeilDivSOp(_DivisionOp):
    name = "index.ceildivs"


@op_definition
class CeilDivUOp(_DivisionOp):
    name = "index.ceildivu"


@op_definition
class FloorDivSOp(_DivisionOp):
    name = "index.floordivs"


@op_definition
class RemSOp(_DivisionOp):
    name = "index.rems"


@op_definition
class RemUOp(_DivisionOp):
    name = "index.remu"


@op_definition
class MaxSOp(_PureBinaryOp):
    name = "index.maxs"


@op_definition
class MaxUOp(_PureBinaryOp):
    name = "index.maxu"


@op_definition
class MinSOp(_PureBinaryOp):
    name = "index.mins"


@op_definition
class MinUOp(_PureBinaryOp):
    name = "index.minu"


@op_definition
class ShlOp(_PureBinaryOp):
    name = "index.shl"


@op_definition
class ShrSOp(_PureBinaryOp):
    name = "index.shrs"


@op_definition
class ShrUOp(_PureBinaryOp):
    name = "index.shru"


@op_definition
class AndOp(_PureBinaryOp):
    name = "index.and"


@op_definition
class OrOp(_PureBinaryOp):
    name = "index.or"


@op_definition
class XOrOp(_PureBinaryOp):
    name = "index.xor"


class _CastOp(IRDLOperation):
    input = operand_def(IndexTypeConstr | base(IntegerType))
    output = result_def(IndexTypeConstr | base(IntegerType))

    assembly_format = "$input attr-dict `:` type($input) `to` type($output)"

    traits = traits_def(Pure())

    def __init__(self, input: SSAValue, output_type: Attribute):
        super().__init__(operands=(input,), result_types=(output_type,))

    def verify_(self) -> None:
        if (self.input.type == INDEX) == (self.output.type == INDEX):
            raise VerifyException(
                f"'{self.name}' must cast between index and an integer, got "
                f"{self.input.type} and {self.output.type}"
            )


@op_definition
class CastSOp(_CastOp):
    """To or from an integer type, sign-extending."""

    name = "index.casts"


@op_definition
class CastUOp(_CastOp):
    """To or from an integer type, extending with zeros."""

    name = "index.castu"


@op_definition
class CmpOp(IRDLOperation):
    name = "index.cmp"

    pred = prop_def(IndexCmpPredicateAttr)
    lhs = operand_def(IndexTypeConstr)
    rhs = operand_def(IndexTypeConstr)
    result = result_def(i1)

    traits = traits_def(Pure())

    def __init__(self, pred: IndexCmpPredicate, lhs: SSAValue, rhs: SSAValue):
        super().__init__(
            operands=(lhs, rhs),
            result_types=(i1,),
            properties={"pred": IndexCmpPredicateAttr(pred)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> CmpOp:
        predicate = parser.parse_str_enum(IndexCmpPredicate)
        parser.parse_punctuation("(")
        lhs = parser.resolve_operand(parser.parse_unresolved_operand(), INDEX)
        parser.parse_punctuation(",")
        rhs = parser.resolve_operand(parser.parse_unresolved_operand(), INDEX)
        parser.parse_punctuation(")")
        op = cls(predicate, lhs, rhs)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.pred.data.value}")
        with printer.in_parens():
            printer.print_list(self.operands, printer.print_operand)
        printer.print_op_attributes(self.attributes)


@op_definition
class SizeOfOp(IRDLOperation):
    """The width of the index type in bits."""

    name = "index.sizeof"

    result = result_def(INDEX)

    assembly_format = "attr-dict"

    traits = traits_def(Pure())


@op_definition
class ConstantOp(IRDLOperation):
    name = "index.constant"

    value = prop_def(IntegerAttr[IndexType])
    result = result_def(INDEX)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: int):
        super().__init__(
            result_types=(INDEX,), properties={"value": IntegerAttr(value, INDEX)}
        )

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        attributes = parser.parse_optional_attr_dict()
        op = cls(parser.parse_integer())
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(f" {self.value.value.data}")


@op_definition
class BoolConstantOp(IRDLOperation):
    name = "index.bool.constant"

    value = prop_def(BoolAttr)
    result = result_def(i1)

    assembly_format = "attr-dict $value"

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: bool):
        super().__init__(
            result_types=(i1,), properties={"value": BoolAttr.from_bool(value)}
        )


Index = Dialect(
    "index",
    [
        *(AddOp, SubOp, MulOp, DivSOp, DivUOp, CeilDivSOp, CeilDivUOp, FloorDivSOp),
        *(RemSOp, RemUOp, MaxSOp, MaxUOp, MinSOp, MinUOp, ShlOp, ShrSOp, ShrUOp),
        *(AndOp, OrOp, XOrOp, CastSOp, CastUOp, CmpOp, SizeOfOp),
        *(ConstantOp, BoolConstantOp),
    ],
    [IndexCmpPredicateAttr],
)
