"""Print, check and reduce random programs.

python -m tests.random_programs --seed 7                     print it
python -m tests.random_programs --seed 7 --check execution   check it
python -m tests.random_programs --seed 7 --check execution --reduce
                                             print a small one that fails as well
python -m tests.random_programs --seed 0 --count 20000 --check analysis
                                             check many, one after the other
python -m tests.random_programs --seed 0 --count 50000 --check mixed --jobs 2
                                             check many in all ways, side by side

`analysis` compares the analysis with its slow twin, `checkers` asks the checkers and
executes on watched memory, without a compiler; `execution` compiled code with the
interpreted program, and `passes` the same after random passes in random order.
`bufferization` is as `checkers`, without deallocation: for `--profile foreign`, programs
with ops that only pass through. `mixed`
goes by the seed: of 100 programs, one through `passes`, five through `execution`, half of
the rest through `analysis`, the others through `checkers`.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.oracle.tools import parse, to_text
from tests.random_programs.checks import (
    HEURISTICS,
    PIPELINES,
    check_analysis,
    check_bufferization,
    check_checkers,
    check_execution,
)
from tests.random_programs.interpreter import UNDEFINED
from tests.random_programs.pass_orders import check_pass_order
from tests.random_programs.program import (
    FOREIGN,
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
    "foreign": FOREIGN,
}
CHECKS = ("analysis", "checkers", "execution", "passes", "bufferization")
MIXED = "mixed"
CHUNK = 20
"""How many programs a process is given at a time."""


def mixed(seed: int) -> str:
    """How a program is checked when all ways are to be gone."""
    if seed % 100 == 0:
        return "passes"
    return "execution" if seed % 20 == 1 else CHECKS[seed % 2]


def check_seed(seed: int, check: str, profile: str) -> list[str]:
    """What goes wrong with the program of a seed."""
    sys.setrecursionlimit(10_000)
    way = mixed(seed) if check == MIXED else check
    return failures(random_program(seed, PROFILES[profile]), way, seed)


def all_found(
    seeds: range, check: str, profile: str, jobs: int
) -> Iterator[tuple[int, list[str]]]:
    """What goes wrong with each of many programs, in their order."""
    one = partial(check_seed, check=check, profile=profile)
    if jobs == 1:
        yield from ((seed, one(seed)) for seed in seeds)
        return
    with ProcessPoolExecutor(jobs) as processes:
        yield from zip(seeds, processes.map(one, seeds, chunksize=CHUNK), strict=True)


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
        if check == "bufferization":
            return check_bufferization(program)
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

    _, module = parse(program.text, allow_unregistered=True)
    return reduce_program(to_text(module), fails)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--profile", choices=PROFILES, default="small")
    parser.add_argument("--check", choices=(*CHECKS, MIXED))
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--reduce", action="store_true")
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    seeds = range(options.seed, options.seed + options.count)
    if options.check is None:
        for seed in seeds:
            program = random_program(seed, PROFILES[options.profile])
            sys.stdout.write(f"// called with {list(program.arguments)}\n")
            sys.stdout.write(program.text)
        return
    bad, start = 0, time.monotonic()
    for seed, found in all_found(seeds, options.check, options.profile, options.jobs):
        if found:
            bad += 1
            sys.stdout.write("\n".join([f"seed {seed}:", *found[:5], ""]))
        if found and options.reduce:
            program = random_program(seed, PROFILES[options.profile])
            way = mixed(seed) if options.check == MIXED else options.check
            sys.stdout.write(reduced(program, way, seed))
        sys.stdout.flush()
        done = seed - options.seed + 1
        if done % 500 == 0:
            sys.stderr.write(f"{done} programs, {bad} failed\n")
    taken = (time.monotonic() - start) / 60
    sys.stdout.write(f"{options.count} programs, {bad} failed, {taken:.1f} minutes\n")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
