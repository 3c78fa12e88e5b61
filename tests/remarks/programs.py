"""All programs of tests/oracle and tests/execution/programs, to be explained.

`make test` takes every thirteenth of them; with XDSL_BUFFERIZATION_ALL_PROGRAMS=1 in the
environment, all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException

from tests.execution.programs.program import PROGRAMS
from tests.oracle.tools import SEPARATOR
from xdsl_bufferization.remarks.active import collecting
from xdsl_bufferization.remarks.model import Remark
from xdsl_bufferization.universe import new_context

TESTS = Path(__file__).parent.parent
_SAMPLED = 1 if os.environ.get("XDSL_BUFFERIZATION_ALL_PROGRAMS") else 13

DEALLOCATED = (
    "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline"
)
PIPELINES = (DEALLOCATED, "bufferization-pipeline")


class Source(NamedTuple):
    name: str
    text: str


@cache
def sources() -> tuple[Source, ...]:
    """The programs to be explained, in an order that does not change."""
    for file in sorted((TESTS / "execution" / "programs").glob("*.py")):
        import_module(f"tests.execution.programs.{file.stem}")
    found = [Source(program.name, program.text) for program in PROGRAMS]
    for file in sorted((TESTS / "oracle").rglob("*.mlir")):
        texts = re.split(f"^{SEPARATOR}.*$", file.read_text(), flags=re.MULTILINE)
        name = str(file.relative_to(TESTS))
        found += (Source(f"{name}#{n}", text) for n, text in enumerate(texts))
    return tuple(found[::_SAMPLED])


class Explained(NamedTuple):
    """A program that passes have worked on, and the remarks on it."""

    module: ModuleOp
    remarks: list[Remark]


def parse(text: str) -> ModuleOp:
    module = Parser(new_context(), text, "p.mlir").parse_module()
    module.verify()
    return module


def run(module: ModuleOp, passes: str) -> Explained:
    """Run passes on a program, which changes, and collect the remarks."""
    known = dict(Universe.get_multiverse().all_passes)
    with collecting(module) as log:
        PassPipeline.parse_spec(known, passes).apply(new_context(), module)
        return Explained(module, log.remarks(module))


def explained(passes: str) -> Iterator[tuple[Source, Explained]]:
    """Run passes on each program that they accept."""
    for source in sources():
        try:
            yield source, run(parse(source.text), passes)
        except (DiagnosticException, ParseError, VerifyException):
            continue  # a program that is to be refused, or is not for these passes
