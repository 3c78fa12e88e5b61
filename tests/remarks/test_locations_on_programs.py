"""Each pass keeps locations on all programs of the tests against mlir-opt: with
loc("model.py":N:1) on every op, every op has such a location afterwards."""

from __future__ import annotations

from functools import cache

import pytest
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import PassPipeline
from xdsl.universe import Universe
from xdsl.utils.exceptions import (
    ArgSpecParseError,
    DiagnosticException,
    ParseError,
    VerifyException,
)

from tests.remarks.programs import DEALLOCATED, parse, sources
from xdsl_bufferization.universe import BUFFERIZATION_UNIVERSE, new_context

FILE = StringAttr("model.py")
LOWERED = ("lower-to-llvm-pipeline", f"{DEALLOCATED},lower-to-llvm-pipeline")


@cache
def programs() -> list[tuple[str, ModuleOp]]:
    """One of ten programs that are sampled: there are many passes."""
    found: list[tuple[str, ModuleOp]] = []
    for source in sources()[::10]:
        try:
            module = parse(source.text)
        except (DiagnosticException, ParseError, VerifyException):
            continue  # a program that is to be refused
        place(module)
        found.append((source.name, module))
    return found


@pytest.mark.parametrize("passes", [*BUFFERIZATION_UNIVERSE.all_passes, *LOWERED])
@pytest.mark.filterwarnings("ignore")
def test_no_pass_loses_a_location(passes: str) -> None:
    known = dict(Universe.get_multiverse().all_passes)
    lost: list[str] = []
    for name, program in programs():
        module = program.clone()
        try:
            PassPipeline.parse_spec(known, passes).apply(new_context(), module)
        except (DiagnosticException, VerifyException, ArgSpecParseError):
            continue  # a program that is not for this pass
        lost += (
            f"{name}: {op.name} at {op.location}"
            for op in module.walk()
            if not is_placed(op)
        )
    assert not lost, "\n".join(lost)


def place(module: ModuleOp) -> None:
    """Give each op a location of its own."""
    for number, op in enumerate(module.walk(), 1):
        op.location = FileLineColLoc(FILE, IntAttr(number), IntAttr(1))


def is_placed(op: Operation) -> bool:
    location = op.location
    return isinstance(location, FileLineColLoc) and location.filename == FILE
