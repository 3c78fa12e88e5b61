"""Parsing and printing that several dialects share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerType,
    i64,
)
from xdsl.dialects.utils import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from xdsl_bufferization.dialects.shapes import IntArray

INDEX = IndexType()


def parse_optional_types(parser: Parser) -> list[Attribute]:
    """Parse `-> type` or `-> (types)`, or nothing."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    return parse_type_or_types(parser)


def parse_type_or_types(parser: Parser) -> list[Attribute]:
    """Parse one type, or a list of types in parentheses."""
    types: list[Attribute] | None = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.PAREN, parser.parse_type
    )
    return [parser.parse_type()] if types is None else types


def print_optional_types(printer: Printer, types: Sequence[Attribute]) -> None:
    """Print ` -> (types)`, or nothing when there are none."""
    if types:
        printer.print_string(" -> (")
        printer.print_list(types, printer.print_attribute)
        printer.print_string(")")


def print_type_or_types(printer: Printer, types: Sequence[Attribute]) -> None:
    """Print ` -> type` or ` -> (types)`, or nothing when there are none."""
    if len(types) == 1:
        printer.print_string(" -> ")
        printer.print_attribute(types[0])
    else:
        print_optional_types(printer, types)


def parse_operands(
    parser: Parser, delimiter: Parser.Delimiter
) -> list[UnresolvedOperand]:
    return parser.parse_comma_separated_list(delimiter, parser.parse_unresolved_operand)


def parse_index_operands(parser: Parser, delimiter: Parser.Delimiter) -> list[SSAValue]:
    return [
        parser.resolve_operand(operand, INDEX)
        for operand in parse_operands(parser, delimiter)
    ]


def parse_optional_typed_operands(parser: Parser) -> list[SSAValue]:
    """Parse `(operands : types)`, or nothing."""
    if parser.parse_optional_punctuation("(") is None:
        return []
    pos = parser.pos
    operands = parse_operands(parser, Parser.Delimiter.NONE)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return list(parser.resolve_operands(operands, types, pos))


def parse_arguments(
    parser: Parser, delimiter: Parser.Delimiter = Parser.Delimiter.PAREN
) -> list[Parser.UnresolvedArgument]:
    """Parse block arguments without their types."""
    return parser.parse_comma_separated_list(
        delimiter, lambda: parser.parse_argument(expect_type=False)
    )


def parse_assignments(
    parser: Parser,
) -> tuple[list[Parser.UnresolvedArgument], list[UnresolvedOperand]]:
    """Parse `(%argument = %operand, ...)`."""
    arguments: list[Parser.UnresolvedArgument] = []
    operands: list[UnresolvedOperand] = []

    def parse_assignment() -> None:
        arguments.append(parser.parse_argument(expect_type=False))
        parser.parse_punctuation("=")
        operands.append(parser.parse_unresolved_operand())

    parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_assignment)
    return arguments, operands


def print_assignments(
    printer: Printer, arguments: Iterable[SSAValue], operands: Iterable[SSAValue]
) -> None:
    """Print `(%argument = %operand, ...)`."""
    printer.print_string("(")
    for i, (argument, operand) in enumerate(zip(arguments, operands, strict=True)):
        if i:
            printer.print_string(", ")
        printer.print_ssa_value(argument)
        printer.print_string(" = ")
        printer.print_ssa_value(operand)
    printer.print_string(")")


def resolve_arguments(
    parser: Parser,
    arguments: Sequence[Parser.UnresolvedArgument],
    types: Sequence[Attribute],
) -> list[Parser.Argument]:
    if len(arguments) != len(types):
        parser.raise_error(
            f"expected as many types as arguments: {len(arguments)}, got {len(types)}"
        )
    return [arg.resolve(type) for arg, type in zip(arguments, types, strict=True)]


def parse_mixed_indices(
    parser: Parser, delimiter: Parser.Delimiter = Parser.Delimiter.SQUARE
) -> tuple[list[SSAValue], IntArray]:
    """Parse a list of integers and index operands into the operands and the integers, a
    marker in place of each operand."""
    operands, static = parse_dynamic_index_list_without_types(
        parser, DYNAMIC_INDEX, delimiter=delimiter
    )
    return (
        [parser.resolve_operand(operand, INDEX) for operand in operands],
        int_array(parser, static),
    )


def int_array(parser: Parser, values: Sequence[int], type: IntegerType = i64) -> IntArray:
    """A dense array of parsed numbers, which may be too large for one."""
    try:
        return DenseArrayBase.from_list(type, list(values))
    except ValueError as error:
        parser.raise_error(str(error))


def print_mixed_indices(
    printer: Printer,
    operands: Sequence[SSAValue],
    static: IntArray,
    delimiter: Parser.Delimiter = Parser.Delimiter.SQUARE,
) -> None:
    print_dynamic_index_list(
        printer, DYNAMIC_INDEX, operands, static.iter_values(), delimiter=delimiter
    )


def ensure_terminated(region: Region, terminator: Callable[[], Operation]) -> Region:
    """Add the terminator that the syntax leaves out to the last block of a region."""
    block = region.blocks.last
    if block is None:
        block = Block()
        region.add_block(block)
    last = block.last_op
    if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
        block.add_op(terminator())
    return region


def print_body(
    printer: Printer, region: Region, *, print_terminators: bool = True
) -> None:
    """Print ` {...}` without the arguments of the entry block."""
    printer.print_string(" ")
    printer.print_region(
        region,
        print_entry_block_args=False,
        print_empty_block=False,
        print_block_terminators=print_terminators,
    )
