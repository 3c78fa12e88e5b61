"""Syntax of enum attributes, which several dialects share."""

from __future__ import annotations

from typing import Any

from xdsl.parser import AttrParser
from xdsl.printer import Printer


class EnumInAngleBrackets:
    """An enum attribute printed as `#dialect.kind<value>`."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        with parser.in_angle_brackets():
            return parser.parse_str_enum(cls.enum_type)  # pyright: ignore

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)  # pyright: ignore
