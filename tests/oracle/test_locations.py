"""Ops that bufferization builds are where mlir-opt says they are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.parser import Parser
from xdsl.utils.arg_spec import parse_pipeline

from tests.oracle.tools import SEPARATOR, mlir_flags, mlir_opt
from xdsl_bufferization.universe import BUFFERIZATION_UNIVERSE, new_context

FUNCTIONS = "one-shot-bufferize{bufferize-function-boundaries}"
PROGRAMS = (Path(__file__).parent / "locations.mlir").read_text().split(SEPARATOR)
PRINTED = "what mlir-opt has printed"

Place = tuple[str, int, int]


def places(module: ModuleOp) -> Counter[Place]:
    """Name, line and column of the ops that come from the program."""
    return Counter(
        (op.name, op.location.line.data, op.location.column.data)
        for op in module.walk()
        if isinstance(op.location, FileLineColLoc)
        and not isinstance(op, ModuleOp)
        # Where mlir-opt has a cast at the buffer, ours is at the op that needs it.
        and op.name != "memref.cast"
        # mlir-opt says not where the op in the body of a named linalg op comes from.
        and op.location.filename.data != PRINTED
    )


@pytest.mark.parametrize("program", PROGRAMS)
def test_ops_are_where_mlir_opt_says(program: str) -> None:
    ours = Parser(new_context(), program).parse_module()
    for spec in parse_pipeline(FUNCTIONS):
        passes = BUFFERIZATION_UNIVERSE.all_passes[spec.name]()
        passes.from_spec(spec).apply(new_context(), ours)
    (reference,) = mlir_opt(
        [program],
        *mlir_flags(FUNCTIONS),
        "--mlir-print-debuginfo",
        "--mlir-print-local-scope",
    )
    theirs = places(Parser(new_context(), reference.text, PRINTED).parse_module())
    assert theirs
    assert places(ours) >= theirs
