"""Whatever mlir-opt prints is read, verified and printed back to the same IR.

The programs in `dialects/` have each op in each form of its syntax. Each is read as it is
written and in mlir-opt's pretty and generic form, and printed in ours; mlir-opt reads
both back.
"""

from __future__ import annotations

import re
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from xdsl.printer import Printer

from tests.oracle.harness import mlir_opt, parse, requires_mlir_opt

SEPARATOR = "\n// -----\n"
FORMS = {"pretty": (), "generic": ("--mlir-print-op-generic",)}


def _programs() -> dict[str, str]:
    programs: dict[str, str] = {}
    for path in sorted((Path(__file__).parent / "dialects").glob("*.mlir")):
        for i, program in enumerate(path.read_text().split(SEPARATOR)):
            first = next(word for word in program.split() if word.startswith("@"))
            name = first[1:].partition("(")[0].rstrip(":")
            programs[f"{path.stem}-{i}-{name}"] = program
    return programs


PROGRAMS = _programs()


@cache
def _references(form: str) -> dict[str, str]:
    """What mlir-opt prints of each program, or the program as it is written."""
    if form == "written":
        return PROGRAMS
    outcomes = mlir_opt(list(PROGRAMS.values()), *FORMS[form])
    for name, outcome in zip(PROGRAMS, outcomes, strict=True):
        assert outcome.accepted, f"{name}: {outcome.error}"
    return {name: o.text for name, o in zip(PROGRAMS, outcomes, strict=True)}


def _printed(program: str, form: str) -> str:
    ctx, module = parse(program)
    stream = StringIO()
    printer = Printer(stream, print_generic_format=form == "generic")
    printer.print_op(module)
    printer.print_metadata(ctx.loaded_dialects)
    return stream.getvalue()


@cache
def _read_back(read: str, printed: str) -> dict[str, str]:
    """What mlir-opt makes of our print of each of its programs, or an error."""
    texts: dict[str, str] = {}
    results: dict[str, str] = {}
    for name, program in _references(read).items():
        try:
            texts[name] = _printed(program, printed)
        except Exception as error:
            results[name] = f"not accepted: {error}"
    outcomes = mlir_opt(list(texts.values()))
    for name, outcome in zip(texts, outcomes, strict=True):
        results[name] = outcome.text if outcome.accepted else f"{outcome.error}"
    return results


@requires_mlir_opt
@pytest.mark.parametrize("printed", FORMS)
@pytest.mark.parametrize("read", ("written", *FORMS))
@pytest.mark.parametrize("name", PROGRAMS)
def test_round_trip(name: str, read: str, printed: str) -> None:
    ours, theirs = _read_back(read, printed)[name], _references("pretty")[name]
    assert _same_resources(ours) == _same_resources(theirs)


def _same_resources(text: str) -> str:
    """Both tools number the resources of all programs read in one process, and xDSL keeps
    no blob under a second number: the program is compared, not the blobs."""
    text = re.sub(r"\n*\{-#.*#-\}\n*", "\n", text, flags=re.DOTALL)
    return re.sub(r"\bfoo_\d+", "foo", text)
