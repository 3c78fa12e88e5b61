"""Assembly formats that are compiled when an op is first parsed or printed.

xDSL compiles the format of every op of a dialect when the dialect is imported, which is
most of what defining an op takes. A program has few of these ops.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import wraps
from typing import TYPE_CHECKING, Any

from xdsl.irdl import IRDLOperation, OpDef
from xdsl.parser import Parser
from xdsl.printer import Printer

if TYPE_CHECKING:
    from xdsl.irdl.declarative_assembly_format import FormatProgram


class LateFormat:
    """A format that parses and prints as the one that `compile_format` returns."""

    def __init__(self, compile_format: Callable[[], FormatProgram]) -> None:
        self._compile = compile_format
        self._program: FormatProgram | None = None

    @property
    def program(self) -> FormatProgram:
        if self._program is None:
            self._program = self._compile()
        return self._program

    def parse(self, parser: Parser, op_class: type[IRDLOperation]) -> IRDLOperation:
        return self.program.parse(parser, op_class)

    def print(self, printer: Printer, op: IRDLOperation) -> None:
        self.program.print(printer, op)


def compile_formats_late(
    dialects: Container[str], compile_format: Callable[[str, OpDef], FormatProgram]
) -> Callable[[str, OpDef], Any]:
    """Return `FormatProgram.from_str` that compiles the formats of some dialects late.

    Args:
        dialects: names of dialects whose formats are known to be valid.
    """

    @wraps(compile_format)
    def from_str(input: str, op_def: OpDef) -> Any:
        if op_def.name.partition(".")[0] not in dialects:
            return compile_format(input, op_def)
        return LateFormat(lambda: compile_format(input, op_def))

    return from_str
