"""Types and attributes of the tosa dialect: xDSL's, with shapes and modes of resize."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.dialects.builtin import IntAttr
from xdsl.dialects.tosa import NanMode, NanModeAttr, RoundingMode, RoundingModeAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


@irdl_attr_definition
class ShapeType(ParametrizedAttribute, TypeAttribute):
    """`!tosa.shape<3>`: a list of sizes, known when the program is compiled."""

    name = "tosa.shape"

    rank: IntAttr = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            return [IntAttr(parser.parse_integer(allow_negative=False))]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.rank.data))


class ResizeMode(StrEnum):
    NEAREST_NEIGHBOR = "NEAREST_NEIGHBOR"
    BILINEAR = "BILINEAR"


@irdl_attr_definition
class ResizeModeAttr(EnumAttribute[ResizeMode]):
    """How tosa.resize computes an element between others."""

    name = "tosa.resize_mode"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ResizeMode:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(ResizeMode)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)


ModeAttr: TypeAlias = NanModeAttr | RoundingModeAttr | ResizeModeAttr

_MODES: dict[str, ModeAttr] = {
    **{mode.value: NanModeAttr(mode) for mode in NanMode},
    **{mode.value: RoundingModeAttr(mode) for mode in RoundingMode},
    **{mode.value: ResizeModeAttr(mode) for mode in ResizeMode},
}


def parse_attributes(parser: AttrParser) -> dict[str, Attribute]:
    """Parse an optional attribute dictionary, whose modes may be bare keywords."""
    attributes: dict[str, Attribute] = {}

    def parse_entry() -> None:
        pos = parser.pos
        name = parser.parse_identifier_or_str_literal()
        if name in attributes:
            parser.raise_error(f"attribute {name!r} is given twice", pos, parser.pos)
        if parser.parse_optional_punctuation("=") is None:
            parser.raise_error(f"attribute {name!r} has no value", pos, parser.pos)
        for keyword, mode in _MODES.items():
            if parser.parse_optional_keyword(keyword) is not None:
                attributes[name] = mode
                return
        attributes[name] = parser.parse_attribute()

    parser.parse_optional_comma_separated_list(parser.Delimiter.BRACES, parse_entry)
    return attributes


def print_attributes(printer: Printer, attributes: dict[str, Attribute]) -> None:
    """Print an attribute dictionary in the order of its names, modes as keywords."""
    if not attributes:
        return

    def print_entry(entry: tuple[str, Attribute]) -> None:
        name, value = entry
        printer.print_identifier_or_string_literal(name)
        printer.print_string(" = ")
        if isinstance(value, ModeAttr):
            printer.print_string(value.data)
        else:
            printer.print_attribute(value)

    printer.print_string(" {")
    printer.print_list(sorted(attributes.items()), print_entry)
    printer.print_string("}")
