"""What the passes print is accepted by mlir-opt and read back, in both forms of syntax.

Every program of the comparisons in this folder is printed after the passes of its test,
and once after its lowering to LLVM: in the syntax of its ops, and in the generic form
(`--print-op-generic`). To mlir-opt both are the same program; to xDSL they are the one
that was printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException, ParseError

from tests.oracle.harness import (
    Comparison,
    mlir_opt,
    parse,
    requires_mlir_opt,
    run_passes,
)

pytestmark = pytest.mark.long

FOLDER = Path(__file__).parent
TO_LLVM = "lower-to-llvm-pipeline"


def _comparisons() -> Iterator[Comparison]:
    """All comparisons that the tests of this folder make."""
    for path in sorted(FOLDER.glob("test_*.py")):
        if path != Path(__file__):
            for test in vars(import_module(f"tests.oracle.{path.stem}")).values():
                for mark in getattr(test, "pytestmark", ()):
                    if mark.name == "parametrize" and mark.args[0] == "comparison":
                        yield from mark.args[1]


@cache
def _by_file() -> dict[str, list[Comparison]]:
    """The comparisons of each file of programs, each program and pipeline once."""
    found: dict[tuple[str, str], Comparison] = {}
    for comparison in _comparisons():
        found[comparison.program.text, comparison.passes] = comparison
    files: dict[str, list[Comparison]] = {}
    for comparison in found.values():
        name = str(comparison.program.path.relative_to(FOLDER))
        files.setdefault(name, []).append(comparison)
    return files


def _printed(ctx: Context, module: ModuleOp, *, generic: bool) -> str:
    stream = StringIO()
    printer = Printer(stream, print_generic_format=generic)
    printer.print_op(module)
    printer.print_metadata(ctx.loaded_dialects)
    return stream.getvalue()


def _stages(comparison: Comparison, lowered: set[str]) -> Iterator[tuple[str, ...]]:
    """Both forms of a program after its passes and, where it gets there, in LLVM, unless
    it is among those that have been lowered."""
    text = comparison.program.text
    try:
        ctx, module = parse(text, allow_unregistered=comparison.allow_unregistered)
        for passes in (comparison.passes, TO_LLVM):
            if passes == TO_LLVM and text in lowered:
                return
            run_passes(ctx, module, passes, verified=False)
            if passes == TO_LLVM:
                lowered.add(text)
            yield tuple(_printed(ctx, module, generic=form) for form in (False, True))
            if "test-analysis-only" in passes:
                return
    except (DiagnosticException, ParseError):
        return


@requires_mlir_opt
@pytest.mark.parametrize("file", _by_file())
def test_both_forms_are_accepted_and_read_back(file: str) -> None:
    lowered: set[str] = set()
    # Several comparisons of a program may give the same.
    forms = {
        texts: comparison
        for comparison in _by_file()[file]
        for texts in _stages(comparison, lowered)
    }
    pretty, generic = (
        mlir_opt([texts[form] for texts in forms], "--allow-unregistered-dialect")
        for form in (0, 1)
    )
    outcomes_of = zip(pretty, generic, strict=True)
    for (texts, comparison), outcomes in zip(forms.items(), outcomes_of, strict=True):
        for text, outcome in zip(texts, outcomes, strict=True):
            assert outcome.accepted, f"{comparison}\n{text}\n{outcome.error}"
        assert outcomes[0].text == outcomes[1].text, comparison
        for text in texts:
            ctx, module = parse(text, allow_unregistered=True)
            assert _printed(ctx, module, generic=False) == texts[0], comparison
