"""The ml_program dialect: xDSL's, with access to globals and external values."""

from __future__ import annotations

from xdsl.dialects import ml_program
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.dialects.ml_program import GlobalOp
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    param_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from .definitions import standalone_op_definition


@irdl_attr_definition
class ExternAttr(ParametrizedAttribute):
    """A value of a given type that another module has."""

    name = "ml_program.extern"

    type: Attribute = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        parser.parse_punctuation(":")
        return [parser.parse_type()]

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(" : ")
        printer.print_attribute(self.type)


@standalone_op_definition
class GlobalLoadConstOp(ml_program.GlobalLoadConstantOp):
    """The value of an immutable global."""

    name = "ml_program.global_load_const"

    global_attr = prop_def(SymbolRefAttr, prop_name="global")
    result = result_def(AnyAttr())

    traits = traits_def(Pure())

    assembly_format = "$global `:` type($result) attr-dict"

    def __init__(self, global_attr: str | Attribute, result_type: Attribute | None):
        if isinstance(global_attr, str):
            global_attr = SymbolRefAttr(global_attr)
        IRDLOperation.__init__(
            self, properties={"global": global_attr}, result_types=(result_type,)
        )


@irdl_op_definition
class GlobalLoadOp(IRDLOperation):
    """The value that a global has now."""

    name = "ml_program.global_load"

    global_attr = prop_def(SymbolRefAttr, prop_name="global")
    result = result_def(AnyAttr())

    traits = traits_def(MemoryReadEffect())

    assembly_format = "$global `:` type($result) attr-dict"

    def __init__(self, symbol: str | SymbolRefAttr, result_type: Attribute):
        if isinstance(symbol, str):
            symbol = SymbolRefAttr(symbol)
        super().__init__(properties={"global": symbol}, result_types=(result_type,))


@irdl_op_definition
class GlobalStoreOp(IRDLOperation):
    """Gives a global another value."""

    name = "ml_program.global_store"

    value = operand_def(AnyAttr())
    global_attr = prop_def(SymbolRefAttr, prop_name="global")

    traits = traits_def(MemoryWriteEffect())

    assembly_format = "$global `=` $value `:` type($value) attr-dict"

    def __init__(self, symbol: str | SymbolRefAttr, value: SSAValue | Operation):
        if isinstance(symbol, str):
            symbol = SymbolRefAttr(symbol)
        super().__init__(operands=(value,), properties={"global": symbol})


GlobalLoadConstantOp = GlobalLoadConstOp

MLProgram = Dialect(
    "ml_program",
    [GlobalLoadConstOp, GlobalLoadOp, GlobalOp, GlobalStoreOp],
    [ExternAttr, *ml_program.MLProgram.attributes],
)
