"""Random programs in planned memory: the same results, and no higher peak.

A program is compiled twice, without a plan and with one. Memory is counted, and poisoned
when it is allocated and freed, so that an op which reads what is no longer there computes
something else. `verify-memory-plan` and the contents checker must accept what is planned.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from tests.checkers.stages import OPTIONS
from tests.execution.harness import call_with_outs
from tests.oracle.tools import parse, run_passes
from tests.random_programs.checks import ANALYSIS, READ_ONLY, REFUSED, arguments_for
from tests.random_programs.interpreter import Interpreter
from tests.random_programs.program import Program
from xdsl_bufferization import jit
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.checkers.contents.marks import Marks
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.plan_memory import plan_memory
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)

PLAN = "plan"
BEFORE = (
    "bufferization-pipeline",
    f"one-shot-bufferize{{{ANALYSIS}}},buffer-deallocation-pipeline",
    "bufferization-pipeline{buffer-alignment=0}",
    f"one-shot-bufferize{{{ANALYSIS} copy-before-write}},buffer-deallocation-pipeline",
    f"one-shot-bufferize{{{ANALYSIS}}},"
    "buffer-deallocation-pipeline{private-function-dynamic-ownership}",
    "bufferization-pipeline{results-to-out-params}",
)
PLANS = (
    "plan-memory",
    "plan-memory{arena=argument}",
    "plan-memory{alignment=4 search-steps=0}",
    "plan-memory{arena=stack}",
    "reorder-for-peak-memory,plan-memory",
    "reorder-for-peak-memory{search-steps=0},plan-memory{arena=argument}",
)


def check_plan(program: Program, seed: int) -> list[str]:
    """What planning the memory of a program breaks."""
    before = BEFORE[seed % len(BEFORE)]
    plan = PLANS[seed // len(BEFORE) % len(PLANS)]
    context, module = parse(program.text)
    # A function that anyone may call takes an arena for the worst case, whoever calls it.
    has_worst_case = "arena=argument" in plan and "func.func @helper" in program.text
    if seed % 3 == 0:
        _reverse_blocks(module)
    expected = Interpreter(module).call("main", arguments_for(program))
    tensors = module.clone()
    combined = _combined(before, plan) if seed // len(BEFORE) // len(PLANS) % 2 else None
    try:
        if combined is None:
            run_passes(context, module, before)
            unplanned = _run(program, module.clone())
        else:
            unplanned = _run(program, module.clone(), before)
            before, plan = "", combined
        planned = _run(program, module, f"{plan},verify-memory-plan")
    except PassFailedException as error:
        if REFUSED in str(error) or READ_ONLY in str(error):
            return []
        return [f"{before},{plan}: {error}"]
    found = [
        f"{plan} after {before}, result {number}: expected {want}, got {got}"
        for number, (got, want) in enumerate(zip(planned.results, expected, strict=True))
        if not np.array_equal(got, want)
    ]
    if _loses_contents(tensors, seed):
        found.append(f"{plan}: the contents checker rejects what is planned")
    if planned.stats.peak_bytes > unplanned.stats.peak_bytes and not has_worst_case:
        found.append(
            f"peak: {planned.stats.peak_bytes} bytes with {plan} after {before}, "
            f"{unplanned.stats.peak_bytes} without"
        )
    return found


def _reverse_blocks(module: ModuleOp) -> None:
    """Put the blocks of each region, but for the first one, in the reverse order: where
    they are in the text tells nothing of when they are executed."""
    for op in module.walk():
        for region in op.regions:
            for block in [*region.blocks][1:]:
                region.detach_block(block)
                region.insert_block(block, 1)


def _combined(before: str, plan: str) -> str | None:
    """Return a pipeline that does both, if there is one."""
    first, _, given = before.partition("{")
    second, _, wanted = plan.partition("{")
    if first != "bufferization-pipeline" or "alignment" in wanted or "}," in wanted:
        return None
    options = [*reversed(second.split(",")), wanted.rstrip("}"), given.rstrip("}")]
    return f"{first}{{{' '.join(filter(None, options))}}}"


def _loses_contents(module: ModuleOp, seed: int) -> bool:
    """Whether the contents checker accepts a program, bufferized, but not its plan.

    Change the module."""
    marks = Marks(module)
    options = replace(
        OPTIONS, listeners=[marks], copy_before_write=seed % 2 == 0, buffer_alignment=0
    )
    try:
        run_one_shot_bufferize(module, options)
    except PassFailedException:
        return False
    if on_program(check_contents)(module, marks.described):
        return False
    plan_memory(module, alignment=4)
    return bool(on_program(check_contents)(module, marks.described))


def _run(program: Program, module: ModuleOp, passes: str = "") -> Any:
    """Compile after some passes and call @main. Change the module."""
    pipeline = f"{passes},lower-to-llvm-pipeline".lstrip(",")
    compiled = jit.compile(module, pipeline, count=True, opt_level=0)
    arguments = arguments_for(program)
    return call_with_outs(compiled, "main", arguments, program.text)
