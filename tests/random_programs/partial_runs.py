"""Random programs bufferized in two runs: of some dialects first, then of the rest."""

from __future__ import annotations

from random import Random

import numpy as np
from xdsl.utils.exceptions import PassFailedException

from tests.checkers.machine import Machine, WrongProgram
from tests.oracle.tools import parse, run_passes
from tests.random_programs.checks import ANALYSIS, READ_ONLY, REFUSED, arguments_for
from tests.random_programs.interpreter import Interpreter
from tests.random_programs.program import Program

PARTIAL = "partial"
_DIALECTS = ("bufferization", "scf", "tensor", "linalg", "cf", "func", "arith", "vector")


def check_partial_run(program: Program, seed: int) -> list[str]:
    """What is wrong after a run of random dialects and one of all: both are verified, and
    the result is executed on watched memory. Nothing is deallocated."""
    random = Random(seed)
    first = [d for d in _DIALECTS if random.random() < 0.5] or ["bufferization"]
    context, module = parse(program.text)
    expected = Interpreter(module).call("main", arguments_for(program))
    runs = (
        f"one-shot-bufferize{{dialect-filter={','.join(first)} "
        "allow-return-allocs-from-loops verify-result}",
        f"one-shot-bufferize{{{ANALYSIS} verify-result}}",
    )
    for run in runs:
        try:
            run_passes(context, module, run)
        except PassFailedException as error:
            if REFUSED in str(error) or READ_ONLY in str(error):
                return []
            return [f"{run}: {error}"]
    try:
        results = Machine(module, watch_leaks=False).run_main(arguments_for(program))
    except WrongProgram as error:
        return [f"execution after {runs[0]}: {error}"]
    return [
        f"after {runs[0]}, result {number}: expected {want}, got {got}"
        for number, (got, want) in enumerate(zip(results, expected, strict=True))
        if not np.array_equal(got, want)
    ]
