"""After xDSL's canonicalize and cse, IR is as small as after mlir-opt's: the same ops."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.oracle.harness import mlir_opt, parse, requires_mlir_opt, xdsl_opt

SEPARATOR = "\n// -----\n"


def _programs() -> dict[str, str]:
    text = (Path(__file__).parent / "dialects_canonicalize.mlir").read_text()
    programs: dict[str, str] = {}
    for program in text.split(SEPARATOR):
        first = next(word for word in program.split() if word.startswith("@"))
        programs[first[1:].partition("(")[0]] = program
    return programs


PROGRAMS = _programs()


@cache
def _references() -> dict[str, str]:
    outcomes = mlir_opt(list(PROGRAMS.values()), "--canonicalize", "--cse")
    return dict(zip(PROGRAMS, [outcome.text for outcome in outcomes], strict=True))


def _signatures(text: str) -> Counter[str]:
    """Every op with the types of its operands and results and its properties."""
    _, module = parse(text)
    return Counter(
        f"{op.name} {list(map(str, op.operand_types))} {list(map(str, op.result_types))}"
        for op in module.walk()
    )


@requires_mlir_opt
@pytest.mark.parametrize("name", PROGRAMS)
def test_same_ops(name: str) -> None:
    ours = xdsl_opt(PROGRAMS[name], "canonicalize,cse")
    assert ours.accepted, ours.error
    assert _signatures(ours.text) == _signatures(_references()[name])
    [back] = mlir_opt([ours.text])
    assert back.accepted, back.error
