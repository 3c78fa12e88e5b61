"""Op definitions whose assembly format is compiled late (late_formats.py)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from xdsl.irdl import IRDLOperation, OpDef
from xdsl.irdl.declarative_assembly_format import FormatProgram
from xdsl.irdl.operations import get_accessors_from_op_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from xdsl_bufferization.dialects.late_formats import LateFormat

OpT = TypeVar("OpT", bound=type[IRDLOperation])


def op_definition(cls: OpT) -> OpT:
    """Completes the class of a new op, as `irdl_op_definition` does."""
    definition = OpDef.from_pyrdl(cls)
    verify = getattr(cls, "verify_", None)
    for name, value in get_accessors(definition, verify).items():
        setattr(cls, name, value)
    return cls


def get_accessors(definition: OpDef, verify: Any | None) -> dict[str, Any]:
    """Return what a definition adds to the class of the op.

    Args:
        verify: the verifier to run after the constraints of the fields.
    """
    assembly_format = definition.assembly_format
    if assembly_format is None:
        return get_accessors_from_op_def(definition, verify)

    program = LateFormat(lambda: FormatProgram.from_str(assembly_format, definition))

    def get_irdl_definition(cls: type[IRDLOperation]) -> OpDef:
        return definition

    def parse(cls: type[IRDLOperation], parser: Parser) -> IRDLOperation:
        return program.parse(parser, cls)

    def print(self: IRDLOperation, printer: Printer) -> None:
        program.print(printer, self)

    without_format = replace(definition, assembly_format=None)
    return {
        **get_accessors_from_op_def(without_format, verify),
        "get_irdl_definition": classmethod(get_irdl_definition),
        "parse": classmethod(parse),
        "print": print,
    }
