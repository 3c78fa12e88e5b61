"""After xDSL's canonicalize and cse, IR is as small as after mlir-opt's: the same ops.

A program with a line `// DIFFERS: why` has other ops, at most as many.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from xdsl.dialects.arith import ConstantOp

from tests.oracle.harness import Outcome, mlir_opt, parse, requires_mlir_opt, xdsl_opt

SEPARATOR = "\n// -----\n"
FOLDER = Path(__file__).parent / "transforms" / "canonicalization_patterns"


def _programs() -> dict[str, str]:
    programs: dict[str, str] = {}
    for file in sorted(FOLDER.glob("*.mlir")):
        for program in file.read_text().split(SEPARATOR):
            _, _, text = program.partition("func.func @")
            name = text.partition("(")[0]
            assert name and name not in programs, name
            programs[name] = program
    return programs


PROGRAMS = _programs()


@cache
def _references() -> dict[str, str]:
    outcomes = mlir_opt(list(PROGRAMS.values()), "--canonicalize", "--cse")
    rejected = [o.error for o in outcomes if not o.accepted]
    assert not rejected, rejected
    return dict(zip(PROGRAMS, [outcome.text for outcome in outcomes], strict=True))


@cache
def _ours() -> dict[str, Outcome]:
    return {name: xdsl_opt(text, "canonicalize,cse") for name, text in PROGRAMS.items()}


@cache
def _read_back() -> dict[str, Outcome]:
    """What mlir-opt says to our programs."""
    return dict(zip(PROGRAMS, mlir_opt([o.text for o in _ours().values()]), strict=True))


def _signatures(text: str) -> Counter[str]:
    """Every op with the types of its operands and results; constants with their value."""
    _, module = parse(text)
    return Counter(
        f"{op.name} {list(map(str, op.operand_types))} {list(map(str, op.result_types))}"
        f"{op.value if isinstance(op, ConstantOp) else ''}"
        for op in module.walk()
    )


@requires_mlir_opt
@pytest.mark.parametrize("name", PROGRAMS)
def test_same_ops(name: str) -> None:
    ours = _ours()[name]
    assert ours.accepted, ours.error
    mine, theirs = _signatures(ours.text), _signatures(_references()[name])
    if "// DIFFERS: " in PROGRAMS[name]:
        assert mine != theirs and mine.total() <= theirs.total()
    else:
        assert mine == theirs
    back = _read_back()[name]
    assert back.accepted, back.error
