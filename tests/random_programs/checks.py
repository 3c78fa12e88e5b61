"""What must hold for a random program: each check says what is wrong, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from tests.analysis.one_shot.comparison import differences
from tests.checkers.machine import Machine, WrongProgram
from tests.checkers.stages import OPTIONS, deallocate
from tests.execution.harness import call
from tests.oracle.tools import parse
from tests.random_programs.interpreter import Interpreter
from tests.random_programs.program import Program
from xdsl_bufferization import jit
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.checkers.contents.marks import Marks, remove_marks
from xdsl_bufferization.checkers.lifetimes.checker import check_lifetimes
from xdsl_bufferization.interfaces.bufferization_options import (
    AnalysisHeuristic,
    BufferizationOptions,
)
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)

REFUSED = "cannot avoid RaW conflict"
"""With materialize_in_destination, which must not be copied, a program may be refused."""
READ_ONLY = "would write to read-only buffer"
"""Likewise."""
ANALYSIS = "bufferize-function-boundaries allow-return-allocs-from-loops"
REST = "buffer-deallocation-pipeline,lower-to-llvm-pipeline"
HEURISTICS: Sequence[AnalysisHeuristic] = (
    "bottom-up",
    "top-down",
    "bottom-up-from-terminators",
    "fuzzer",
    "cheapest",
)
PIPELINES = {
    "fewest copies": "bufferization-pipeline,lower-to-llvm-pipeline",
    "in place": f"one-shot-bufferize{{{ANALYSIS}}},{REST}",
    "copy before write": f"one-shot-bufferize{{{ANALYSIS} copy-before-write}},{REST}",
    "random decisions": (
        f"one-shot-bufferize{{{ANALYSIS} analysis-heuristic=fuzzer "
        f"analysis-fuzzer-seed=7}},{REST}"
    ),
    "identity layouts": (
        f"one-shot-bufferize{{{ANALYSIS} "
        "function-boundary-type-conversion=identity-layout-map},"
        "buffer-deallocation-pipeline{private-function-dynamic-ownership},"
        "lower-to-llvm-pipeline"
    ),
    "copies, dynamic ownership": (
        f"one-shot-bufferize{{{ANALYSIS} copy-before-write}},"
        "buffer-deallocation-pipeline{private-function-dynamic-ownership},"
        "lower-to-llvm-pipeline"
    ),
    "bufferized in part before": (
        "one-shot-bufferize{dialect-filter=linalg,bufferization},"
        f"one-shot-bufferize{{{ANALYSIS}}},{REST}"
    ),
    "tensors bufferized before": (
        "one-shot-bufferize{dialect-filter=linalg,tensor,bufferization},"
        f"one-shot-bufferize{{{ANALYSIS}}},{REST}"
    ),
    "loops bufferized before": (
        "one-shot-bufferize{dialect-filter=scf,bufferization "
        "allow-return-allocs-from-loops},"
        f"one-shot-bufferize{{{ANALYSIS}}},{REST}"
    ),
    "without function boundaries before": (
        "one-shot-bufferize{allow-return-allocs-from-loops},"
        f"one-shot-bufferize{{{ANALYSIS}}},{REST}"
    ),
    "in place, planned memory": (
        f"one-shot-bufferize{{{ANALYSIS}}},"
        "buffer-deallocation-pipeline,plan-memory,lower-to-llvm-pipeline"
    ),
    "copies, planned memory": (
        f"one-shot-bufferize{{{ANALYSIS} copy-before-write buffer-alignment=0}},"
        "buffer-deallocation-pipeline,plan-memory{arena=stack alignment=4},"
        "lower-to-llvm-pipeline"
    ),
    "in place, freed early": (
        f"one-shot-bufferize{{{ANALYSIS}}},"
        "buffer-deallocation-pipeline{private-function-dynamic-ownership},"
        "optimize-allocation-liveness,lower-to-llvm-pipeline"
    ),
}
"""Ways from tensors to code that must all give the same numbers."""


def check_analysis(
    text: str, heuristics: Sequence[AnalysisHeuristic] = ("bottom-up",)
) -> list[str]:
    """Whether the analysis, by each of some heuristics, agrees with its reference
    implementation. Neither changes the program.
    """
    _, module = parse(text)
    return [
        found
        for heuristic in heuristics
        for found in differences(
            module,
            BufferizationOptions(
                bufferize_function_boundaries=True,
                allow_return_allocs_from_loops=True,
                analysis_heuristic=heuristic,
                analysis_fuzzer_seed=len(text),
                analyze_recursion=len(text) % 2 == 0,
            ),
        )
    ]


def arguments_for(program: Program) -> list[Any]:
    """What to call @main with: the same each time."""
    random = Random(len(program.text))
    return [
        np.array(
            [random.randint(-9, 9) for _ in range(int(np.prod(argument)))], "i4"
        ).reshape(argument)
        if isinstance(argument, tuple)
        else argument
        for argument in program.arguments
    ]


def check_checkers(program: Program, stage: int = 0) -> list[str]:
    """Whether the checkers of bufferization and deallocation find no fault, and are sure
    of it; and what executing on watched memory gives. Nothing is compiled."""
    context, module = parse(program.text)
    expected = Interpreter(module).call("main", arguments_for(program))
    options = replace(
        OPTIONS,
        analyze_recursion=stage == 4,
        disjoint_slices=stage % 2 == 0,
        early_copies=stage % 2 == 0,
        read_only_loops=stage % 2 == 0,
    )
    found = _bufferize(module, options)
    if found is not None:
        return found
    deallocate(context, module, stage)
    lifetimes = check_lifetimes(module)
    if lifetimes.wrong or lifetimes.undecided:
        return [f"lifetimes: {[*lifetimes.wrong, *lifetimes.undecided][0]}"]
    return _differences(Machine(module), program, expected)


def check_bufferization(program: Program) -> list[str]:
    """Whether the checker of bufferizations finds no fault, and what executing on watched
    memory gives. Nothing is deallocated: there may be any ops with regions."""
    _, module = parse(program.text, allow_unregistered=True)
    expected = Interpreter(module).call("main", arguments_for(program))
    found = _bufferize(module, OPTIONS)
    if found is not None:
        return found
    return _differences(Machine(module, watch_leaks=False), program, expected)


def _bufferize(module: ModuleOp, options: BufferizationOptions) -> list[str] | None:
    """Bufferize a program. Return what the checker finds; nothing if the program is
    refused, and None if all is well."""
    marks = Marks(module)
    try:
        run_one_shot_bufferize(module, replace(options, listeners=[marks]))
    except PassFailedException as error:
        if REFUSED in str(error) or READ_ONLY in str(error):
            return []
        raise
    wrong = check_contents(module, marks.described)
    remove_marks(module)
    return [f"contents: {wrong[0]}"] if wrong else None


def _differences(
    machine: Machine, program: Program, expected: Sequence[Any]
) -> list[str]:
    """Execute a program on watched memory, and compare its results."""
    try:
        results = machine.run_main(arguments_for(program))
    except WrongProgram as error:
        return [f"execution: {error}"]
    return [
        f"execution, result {number}: expected {want}, got {got}"
        for number, (got, want) in enumerate(zip(results, expected, strict=True))
        if not np.array_equal(got, want)
    ]


def check_execution(
    program: Program, way: str = "in place", opt_level: int = 0
) -> list[str]:
    """Whether compiled code computes what the tensor program means, frees each buffer
    once and touches none afterwards: memory is counted, and poisoned when it is freed.
    Most of the time would go into optimising code that runs once."""
    _, module = parse(program.text)
    expected = Interpreter(module).call("main", arguments_for(program))
    try:
        compiled = jit.compile(module, PIPELINES[way], count=True, opt_level=opt_level)
        done = call(compiled, "main", arguments_for(program))
    except PassFailedException as error:
        if REFUSED in str(error) or READ_ONLY in str(error):
            return []
        raise
    results = done.results
    return [
        f"{way}, result {number}: expected {want}, got {got}"
        for number, (got, want) in enumerate(zip(results, expected, strict=True))
        if not np.array_equal(got, want)
    ]
