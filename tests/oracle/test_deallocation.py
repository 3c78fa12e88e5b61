"""Buffer deallocation: each pass alone, and the pipeline, give what mlir-opt gives.

Every program is taken through the stages by mlir-opt; each pass of ours gets the input
that mlir-opt's pass gets. Compared is the IR after mlir-opt's canonicalize and cse, pure
ops in any order (normal_form.py).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.oracle.deallocation_matrix import make_programs
from tests.oracle.harness import (
    Comparison,
    Outcome,
    compare,
    count_ops,
    mlir_flags,
    mlir_opt,
    read_programs,
    rename_generated_symbols,
    requires_mlir_opt,
    xdsl_opt,
)
from tests.oracle.normal_form import normal_form

pytestmark = pytest.mark.long

FOLDER = Path(__file__).parent / "analysis" / "deallocation"
PROGRAMS = {
    re.findall(r"func\.func (?:private )?@(\w+)", program.text)[-1]: program.text
    for program in [
        *make_programs(),
        *(
            program
            for name in ("calls", "blocks", "regions", "allocations")
            for program in read_programs(FOLDER / f"{name}.mlir")
        ),
    ]
}

DYNAMIC = "{private-function-dynamic-ownership=true}"
OWNERSHIP = "ownership-based-buffer-deallocation"
SIMPLIFICATION = "buffer-deallocation-simplification"
LOWERING = "bufferization-lower-deallocations"
PIPELINE = "buffer-deallocation-pipeline"

STAGES: dict[str, Sequence[str]] = {
    # pass under test: what mlir-opt does before
    "expand-realloc": (),
    OWNERSHIP: ("--expand-realloc=emit-deallocs=false",),
    OWNERSHIP + DYNAMIC: ("--expand-realloc=emit-deallocs=false",),
    SIMPLIFICATION: (
        "--expand-realloc=emit-deallocs=false",
        f"--{OWNERSHIP}",
        "--canonicalize",
    ),
    LOWERING: (
        "--expand-realloc=emit-deallocs=false",
        f"--{OWNERSHIP}",
        "--canonicalize",
        f"--{SIMPLIFICATION}",
    ),
    "convert-bufferization-to-memref": (
        "--expand-realloc=emit-deallocs=false",
        f"--{OWNERSHIP}",
        "--canonicalize",
    ),
    "optimize-allocation-liveness": (f"--{PIPELINE}",),
    PIPELINE: (),
    PIPELINE + DYNAMIC: (),
}


ONLY_HERE = {
    # mlir-opt does not lower clones of buffers with an offset in their layout.
    ("convert-bufferization-to-memref", "view_of_argument_is_cloned"),
}

DIFFERS = {
    (
        "optimize-allocation-liveness",
        "transposed",
    ): "mlir-opt does not know that memref.transpose gives a view, and frees too early",
}


@cache
def run_stage(stage: str) -> dict[str, tuple[str, Outcome, Outcome]]:
    """For each program: the input of the pass, mlir-opt's result, ours; cleaned up."""
    inputs = [
        outcome.text for outcome in mlir_opt(list(PROGRAMS.values()), *STAGES[stage])
    ]
    clean = ("--canonicalize", "--cse")
    reference = mlir_opt(inputs, *mlir_flags(stage), *clean)
    ours = [xdsl_opt(text, stage, parse_once=True) for text in inputs]
    cleaned = mlir_opt([outcome.text for outcome in ours], *clean)
    results = [c if o.accepted else o for o, c in zip(ours, cleaned, strict=True)]
    outcomes = zip(inputs, reference, results, strict=True)
    return dict(zip(PROGRAMS, outcomes, strict=True))


@requires_mlir_opt
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("stage", STAGES)
def test_same_ir(stage: str, name: str) -> None:
    program, reference, ours = run_stage(stage)[name]
    if (stage, name) in ONLY_HERE:
        assert not reference.accepted
        assert ours.accepted, ours.error
        return
    assert reference.accepted, reference.error
    if not ours.accepted:
        pytest.fail(f"{ours.error}\n\nof\n{program}", pytrace=False)
    texts = [
        rename_generated_symbols(outcome.text, program) for outcome in (reference, ours)
    ]
    if texts[0] != texts[1]:
        texts = [normal_form(text) for text in texts]
    if (stage, name) in DIFFERS:
        assert texts[0] != texts[1], f"no longer differs: {DIFFERS[stage, name]}"
        return
    if texts[0] != texts[1]:
        lines = [text.splitlines() for text in texts]
        diff = difflib.unified_diff(*lines, "mlir-opt", "ours", lineterm="")
        pytest.fail("\n".join([*diff, "", program]), pytrace=False)


COSTS = (
    "bufferization.clone",
    "memref.dealloc",
    "memref.extract_aligned_pointer_as_index",
    "func.call",  # of the helper function, which compares lists of pointers
    "scf.if",
)


@requires_mlir_opt
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("pipeline", [PIPELINE, PIPELINE + DYNAMIC])
def test_costs_at_run_time(pipeline: str, name: str) -> None:
    """Never more copies, frees, comparisons of pointers or branches than mlir-opt."""
    _, reference, ours = run_stage(pipeline)[name]
    assert ours.accepted, ours.error
    theirs, costs = count_ops(reference.text), count_ops(ours.text)
    assert "func.return" in costs
    for op in COSTS:
        assert costs[op] <= theirs[op], op


@compare("analysis/deallocation/accepted.mlir")
def test_accepted(comparison: Comparison) -> None:
    comparison.same_ir()


def test_enough_programs() -> None:
    assert len(PROGRAMS) >= 180
