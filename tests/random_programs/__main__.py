"""Print, check and reduce random programs.

python -m tests.random_programs --seed 7                     print it
python -m tests.random_programs --seed 7 --check execution   check it
python -m tests.random_programs --seed 7 --check execution --reduce
                                             print a small one that fails as well
python -m tests.random_programs --seed 0 --count 20000 --check analysis
                                             check many, one after the other

`analysis` compares the analysis with its slow twin, `checkers` asks the checkers and
executes on watched memory, without a compiler; `execution` compiled code with the
interpreted program, and `passes` the same after random passes in random order.
"""

from __future__ import annotations

import argparse
import sys
import traceback

from tests.oracle.tools import parse, to_text
from tests.random_programs.checks import (
    HEURISTICS,
    PIPELINES,
    check_analysis,
    check_checkers,
    check_execution,
)
from tests.random_programs.interpreter import UNDEFINED
from tests.random_programs.pass_orders import check_pass_order
from tests.random_programs.program import (
    LARGE,
    LIKE_MLIR,
    OBSERVED,
    SMALL,
    Program,
    random_program,
)
from tests.random_programs.reduction import reduce_program
from tests.verify.stages import STAGES

PROFILES = {
    "small": SMALL,
    "large": LARGE,
    "like-mlir": LIKE_MLIR,
    "observed": OBSERVED,
}
CHECKS = ("analysis", "checkers", "execution", "passes")


def failures(program: Program, check: str, seed: int) -> list[str]:
    """What goes wrong. Which heuristic, and which way to code, depends on the seed."""
    try:
        if check == "analysis":
            return check_analysis(program.text) + check_analysis(
                program.text, HEURISTICS[seed % len(HEURISTICS)]
            )
        if check == "checkers":
            # The last way gives by far the longest programs.
            last = STAGES - 1
            stage = last if seed % 20 == last else seed % last
            return check_checkers(program, stage)
        if check == "passes":
            return check_pass_order(program, seed)
        ways = list(PIPELINES)
        return check_execution(program, ways[seed % len(ways)], 2 * (seed % 4 == 0))
    except Exception:
        return [traceback.format_exc()]


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


def reduced(program: Program, check: str, seed: int) -> str:
    """A smaller program that fails in the same way."""
    wanted = kind(failures(program, check, seed))

    def fails(text: str) -> bool:
        return kind(failures(Program(text, program.arguments), check, seed)) == wanted

    _, module = parse(program.text)
    return reduce_program(to_text(module), fails)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--profile", choices=PROFILES, default="small")
    parser.add_argument("--check", choices=CHECKS)
    parser.add_argument("--reduce", action="store_true")
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    bad = 0
    for seed in range(options.seed, options.seed + options.count):
        program = random_program(seed, PROFILES[options.profile])
        if options.check is None:
            sys.stdout.write(f"// called with {list(program.arguments)}\n")
            sys.stdout.write(program.text)
            continue
        found = failures(program, options.check, seed)
        if found:
            bad += 1
            sys.stdout.write("\n".join([f"seed {seed}:", *found[:5], ""]))
        if found and options.reduce:
            sys.stdout.write(reduced(program, options.check, seed))
        sys.stdout.flush()
        done = seed - options.seed + 1
        if done % 500 == 0:
            sys.stderr.write(f"{done} programs, {bad} failed\n")
    if options.check is not None:
        sys.stdout.write(f"{options.count} programs, {bad} failed\n")
        sys.exit(bad > 0)


if __name__ == "__main__":
    main()
