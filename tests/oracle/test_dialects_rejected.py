"""The verifiers reject what mlir-opt rejects, with a message of the same substance."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.oracle.harness import mlir_opt, requires_mlir_opt, xdsl_opt

SEPARATOR = "\n// -----\n"
REJECTED = re.compile(r"// REJECTED: (.*)")


def _programs() -> dict[str, str]:
    text = (Path(__file__).parent / "dialects_rejected.mlir").read_text()
    programs: dict[str, str] = {}
    for program in text.split(SEPARATOR):
        first = next(word for word in program.split() if word.startswith("@"))
        programs[first[1:].partition("(")[0]] = program
    return programs


PROGRAMS = _programs()


@cache
def _by_mlir_opt() -> dict[str, bool]:
    outcomes = mlir_opt(list(PROGRAMS.values()))
    return dict(zip(PROGRAMS, [o.accepted for o in outcomes], strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_rejected(name: str) -> None:
    outcome = xdsl_opt(PROGRAMS[name])
    assert not outcome.accepted and not outcome.crashed, outcome.error
    expected = REJECTED.search(PROGRAMS[name])
    assert expected is not None
    # The last lines have the message; those before it print the program again.
    assert re.search(expected[1], outcome.error or "", re.IGNORECASE), outcome.error


@requires_mlir_opt
@pytest.mark.parametrize("name", PROGRAMS)
def test_mlir_opt_rejects_it_too(name: str) -> None:
    assert not _by_mlir_opt()[name]
