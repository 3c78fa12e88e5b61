"""What is checked of the program of a seed, and how a failing one is made small."""

from __future__ import annotations

import sys
import traceback

from tests.checkers.stages import STAGES
from tests.jit.random_callbacks import Program as CallbackProgram
from tests.oracle.tools import parse, to_text
from tests.random_programs.checks import (
    HEURISTICS,
    PIPELINES,
    check_analysis,
    check_bufferization,
    check_checkers,
    check_execution,
)
from tests.random_programs.costs import (
    COST_PROFILES,
    COSTS,
    DEALLOCATION_COSTS,
    PIPELINE_COSTS,
    check_costs,
)
from tests.random_programs.interpreter import UNDEFINED
from tests.random_programs.memory_plans import PLAN, check_plan
from tests.random_programs.partial_runs import PARTIAL, check_partial_run
from tests.random_programs.pass_orders import check_pass_order
from tests.random_programs.program import PROFILES, Program, random_program
from tests.random_programs.reduction import reduce_program

CALLBACKS = "callbacks"
CHECKS = (
    "analysis",
    "checkers",
    "execution",
    "passes",
    "bufferization",
    CALLBACKS,
    PARTIAL,
    PLAN,
    COSTS,
    DEALLOCATION_COSTS,
    PIPELINE_COSTS,
)
MIXED = "mixed"


def mixed(seed: int) -> str:
    """Return the kind of check that a seed gets when all kinds are run."""
    if seed % 100 == 0:
        return "passes"
    if seed % 100 == 50:
        return CALLBACKS
    if seed % 20 == 10:
        return PIPELINE_COSTS
    if seed % 100 in (25, 75):
        return COSTS if seed % 100 == 25 else DEALLOCATION_COSTS
    if seed % 20 == 15:
        return PARTIAL
    if seed % 20 in (1, 11):
        return "execution" if seed % 20 == 1 else PLAN
    return CHECKS[seed % 2]


def check_seed(seed: int, check: str, profile: str | None) -> list[str]:
    """What goes wrong with the program of a seed."""
    sys.setrecursionlimit(10_000)
    way = mixed(seed) if check == MIXED else check
    if way == CALLBACKS:
        return callback_failures(seed)
    return failures(program_of(seed, way, profile), way, seed)


def program_of(seed: int, check: str, profile: str | None) -> Program:
    """The program of a seed; without a profile, a small one, and for costs, one of those
    that are measured."""
    if profile is None:
        return random_program(seed, COST_PROFILES.get(check, PROFILES["small"]))
    return random_program(seed, PROFILES[profile])


def failures(program: Program, check: str, seed: int) -> list[str]:
    """What goes wrong. Which heuristic, and which way to code, depends on the seed."""
    try:
        if check == "analysis":
            heuristic = HEURISTICS[seed % len(HEURISTICS)]
            return check_analysis(program.text, sorted({"bottom-up", heuristic}))
        if check == "checkers":
            # The last way gives by far the longest programs.
            last = STAGES - 1
            stage = last if seed % 20 == last else seed % last
            return check_checkers(program, stage)
        if check == "bufferization":
            return check_bufferization(program)
        if check in COST_PROFILES:
            return check_costs(program, check)
        if check == PARTIAL:
            return check_partial_run(program, seed)
        if check == PLAN:
            return check_plan(program, seed)
        if check == "passes":
            return check_pass_order(program, seed)
        ways = list(PIPELINES)
        return check_execution(program, ways[seed % len(ways)], 2 * (seed % 4 == 0))
    except Exception:
        return [traceback.format_exc()]


def callback_failures(seed: int) -> list[str]:
    """What goes wrong with a program of its own kind that calls Python functions."""
    try:
        CallbackProgram(seed).check()
    except Exception:
        return [traceback.format_exc()]
    return []


def kind(found: list[str]) -> str:
    """What stays the same when a failing program is made smaller."""
    if not found:
        return ""
    lines = found[0].strip().splitlines()
    if not lines[0].startswith("Traceback"):
        # A result that is undefined means that the program is not valid.
        what = ":".join(lines[0].split(":")[:2])
        undefined = str(UNDEFINED) in found[0]
        return "" if undefined else "wrong results" if ", result" in what else what
    name = lines[-1].partition(":")[0]
    # An error of the interpreter or the verifier means that the program is not valid.
    return "" if "interpreter.py" in found[0] or name == "VerifyException" else lines[-1]


def reduced(seed: int, check: str, profile: str | None) -> str:
    """A smaller program that fails in the same way as that of a seed."""
    way = mixed(seed) if check == MIXED else check
    if way == CALLBACKS:  # these are small as they are
        return f"// seed {seed}\n{CallbackProgram(seed).text}"
    program = program_of(seed, way, profile)
    wanted = kind(failures(program, way, seed))

    def fails(text: str) -> bool:
        return kind(failures(Program(text, program.arguments), way, seed)) == wanted

    _, module = parse(program.text, allow_unregistered=True)
    return f"// seed {seed}\n{reduce_program(to_text(module), fails)}"
