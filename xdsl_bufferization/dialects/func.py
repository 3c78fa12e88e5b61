"""The func dialect: xDSL's, with the attributes of a declaration's arguments.

xDSL reads `func.func private @f(tensor<4xf32> {bufferization.access = "read"})` without
the attribute. What a function without a body does to its arguments is known from such
attributes only. And xDSL searches the module for the callee of each call; here a module
is searched once, so that a program of many functions is verified in linear time.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Dialect, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

from .bufferization_attributes import (
    verify_argument_attributes,
    verify_op_attributes,
)
from .definitions import (
    CanonicalizedBy,
    refined_op_definition,
    verifier_beyond_fields,
)
from .function_syntax import FUNCTION_SYNTAX, print_function, print_visibility
from .lazy_formats import op_definition
from .symbol_lookup import find_symbol, symbol_table_of

_VERIFY_FUNCTION = verifier_beyond_fields(func.FuncOp)
_VERIFY_RETURN = verifier_beyond_fields(func.ReturnOp)


@refined_op_definition
class FuncOp(func.FuncOp):
    """A function, or the declaration of one that is defined elsewhere."""

    traits = traits_def(*func.FuncOp.traits.traits, CanonicalizedBy("func"))

    def verify_(self) -> None:
        _VERIFY_FUNCTION(self)
        verify_argument_attributes(self.arg_attrs, is_external=not self.body.blocks)
        verify_op_attributes(self)

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        visibility = parser.parse_optional_visibility_keyword()
        name = parser.parse_symbol_name().data
        inputs = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, lambda: _parse_input(parser)
        )
        arguments = [argument for argument, _, _ in inputs if argument is not None]
        if arguments and len(arguments) != len(inputs):
            parser.raise_error(
                "expected all arguments to be named or all arguments to be unnamed"
            )
        outputs = _parse_outputs(parser)
        attributes = parser.parse_optional_attr_dict_with_keyword(FUNCTION_SYNTAX)
        region = parser.parse_optional_region(arguments if arguments else None)
        op = cls(
            name,
            FunctionType.from_lists(
                [type_ for _, type_, _ in inputs], [type_ for type_, _ in outputs]
            ),
            Region() if region is None else region,
            visibility,
            arg_attrs=_attributes_of([attrs for _, _, attrs in inputs]),
            res_attrs=_attributes_of([attrs for _, attrs in outputs]),
        )
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        print_visibility(printer, self.sym_visibility)
        if self.body.blocks or (self.arg_attrs is None and self.res_attrs is None):
            print_function(printer, self)
            return
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        _print_types(printer, self.function_type.inputs.data, self.arg_attrs)
        if self.function_type.outputs.data:
            printer.print_string(" -> ")
            if len(self.function_type.outputs.data) == 1 and self.res_attrs is None:
                printer.print_attribute(self.function_type.outputs.data[0])
            else:
                _print_types(printer, self.function_type.outputs.data, self.res_attrs)
        printer.print_op_attributes(
            self.attributes, reserved_attr_names=FUNCTION_SYNTAX, print_keyword=True
        )


class CalleeExists(SymbolUserOpInterface):
    """A call names a function of its module, and agrees with its type."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, func.CallOp)
        callee = _find_function(op, op.callee)
        if callee is None:
            raise VerifyException(f"'{op.callee}' does not reference a valid function")
        wanted = callee.function_type
        if len(wanted.inputs) != len(op.arguments):
            raise VerifyException(
                f"incorrect number of operands for callee: expected {len(wanted.inputs)}"
            )
        if len(wanted.outputs) != len(op.results):
            raise VerifyException(
                f"incorrect number of results for callee: expected {len(wanted.outputs)}"
            )
        for what, types, values in (
            ("operand", wanted.inputs, op.arguments),
            ("result", wanted.outputs, op.results),
        ):
            for number, (type_, value) in enumerate(zip(types, values, strict=True)):
                if type_ != value.type:
                    raise VerifyException(
                        f"{what} type mismatch: expected {what} type {type_}, but "
                        f"provided {value.type} for {what} number {number}"
                    )


def _find_function(call: Operation, name: SymbolRefAttr) -> func.FuncOp | None:
    """The function a call names."""
    found = find_symbol(call, name)
    return found if isinstance(found, func.FuncOp) else None


@refined_op_definition
class CallOp(func.CallOp):
    """A call of a function of the same module."""

    traits = traits_def(CalleeExists())


@refined_op_definition
class ReturnOp(func.ReturnOp):
    """The end of a function."""

    def verify_(self) -> None:
        parent = self.parent_op()
        if not isinstance(parent, func.FuncOp):
            raise VerifyException("func.return must be directly inside a func.func")
        _VERIFY_RETURN(self)


def _parse_input(
    parser: Parser,
) -> tuple[Parser.Argument | None, Attribute, dict[str, Attribute]]:
    """An argument with a name, or the type of one; with its attributes."""
    argument = parser.parse_optional_argument()
    type_ = parser.parse_type() if argument is None else argument.type
    attributes = parser.parse_optional_dictionary_attr_dict()
    location = parser.parse_optional_location()
    if argument is not None:
        argument.location = location
    return argument, type_, attributes


def _parse_outputs(
    parser: Parser,
) -> Sequence[tuple[Attribute, dict[str, Attribute]]]:
    if parser.parse_optional_punctuation("->") is None:
        return []
    outputs = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.PAREN,
        lambda: (parser.parse_type(), parser.parse_optional_dictionary_attr_dict()),
    )
    return [(parser.parse_type(), {})] if outputs is None else outputs


def _attributes_of(
    attributes: list[dict[str, Attribute]],
) -> ArrayAttr[DictionaryAttr] | None:
    if not any(attributes):
        return None
    return ArrayAttr(DictionaryAttr(data) for data in attributes)


def _print_types(
    printer: Printer,
    types: tuple[Attribute, ...],
    attributes: ArrayAttr[DictionaryAttr] | None,
) -> None:
    with printer.in_parens():
        for index, type_ in enumerate(types):
            if index:
                printer.print_string(", ")
            printer.print_attribute(type_)
            if attributes is not None and attributes.data[index].data:
                printer.print_op_attributes(attributes.data[index].data)


@op_definition
class ConstantOp(IRDLOperation):
    """A function as a value."""

    name = "func.constant"

    value = prop_def(SymbolRefAttr)
    result = result_def(FunctionType)

    traits = traits_def(Pure())

    assembly_format = "attr-dict $value `:` type($result)"

    def verify_(self) -> None:
        if symbol_table_of(self) is None:
            return
        found = find_symbol(self, self.value)
        if not isinstance(found, func.FuncOp):
            raise VerifyException(
                f"'{self.name}' reference to undefined function {self.value}"
            )
        if found.function_type != self.result.type:
            raise VerifyException(
                f"'{self.name}' {self.value} has type {found.function_type}, not "
                f"{self.result.type}"
            )


@op_definition
class CallIndirectOp(IRDLOperation):
    """A call of a function that is a value."""

    name = "func.call_indirect"

    callee = operand_def(FunctionType)
    callee_operands = var_operand_def()
    res = var_result_def()

    traits = traits_def(CanonicalizedBy("func"))

    @classmethod
    def parse(cls, parser: Parser) -> CallIndirectOp:
        callee = parser.parse_unresolved_operand()
        operands = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        type_ = parser.parse_function_type()
        return cls.create(
            operands=[
                parser.resolve_operand(callee, type_),
                *parser.resolve_operands(operands, type_.inputs.data, position),
            ],
            result_types=type_.outputs.data,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        callee, *operands = self.operands
        printer.print_string(" ")
        printer.print_operand(callee)
        with printer.in_parens():
            printer.print_list(operands, printer.print_operand)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(callee.type)

    def verify_(self) -> None:
        type_ = self.operands[0].type
        given = FunctionType.from_lists(
            [operand.type for operand in self.operands[1:]],
            [result.type for result in self.results],
        )
        if type_ != given:
            raise VerifyException(
                f"'{self.name}' calls a function of type {type_} as one of type {given}"
            )


Func = Dialect("func", [FuncOp, CallOp, CallIndirectOp, ConstantOp, ReturnOp], [])
