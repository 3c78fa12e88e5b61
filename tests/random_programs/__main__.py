"""Print, check and reduce random programs.

python -m tests.random_programs --seed 7                     print it
python -m tests.random_programs --seed 7 --check execution   check it
python -m tests.random_programs --seed 7 --check execution --reduce
                                             print a small one that fails as well
python -m tests.random_programs --seed 0 --count 20000 --check analysis
                                             check many, one after the other
python -m tests.random_programs --seed 0 --count 50000 --check mixed --jobs 2
                                             check many in all ways, side by side

Many programs are checked by processes of their own, which tell how far they are
(`campaign`). One that takes more than --limit seconds is a finding. What is done is
written to a file, --state: after Ctrl-C the same command resumes; after a complete run,
and with --restart, it starts over.

`analysis` compares the analysis with a slow reference implementation, `checkers` asks
the checkers and executes on watched memory, without a compiler; `execution` compares
compiled code with the interpreted program, and `passes` the same after random passes in
random order. `bufferization` is as `checkers`, without deallocation: for `--profile
foreign`, programs with ops that only pass through; `callbacks` compiles and calls
programs of another kind, which call Python functions. `plan` plans the memory of
programs and compares results and peaks (`memory_plans`). `costs` and
`deallocation-costs` compare what is executed with mlir-opt's result, and
`pipeline-costs` what `bufferization-pipeline` gives with the plain passes (`costs`).
`mixed` goes by the seed: of 100 programs, one through each of `passes`, `callbacks`,
`costs` and `deallocation-costs`, four through `pipeline-costs`, five through
`execution`, five through `plan`, half of the rest through `analysis`, the others
through `checkers`.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

# Except while `run` handles it, Ctrl-C ends the process, without a traceback.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from tests.random_programs.campaign import (  # noqa: E402
    LOST,
    Progress,
    Record,
    StateError,
    duration,
    findings,
    run,
)
from tests.random_programs.program import random_program  # noqa: E402
from tests.random_programs.seeds import (  # noqa: E402
    CHECKS,
    MIXED,
    PROFILES,
    check_seed,
    reduced,
)

LIMIT = 120.0
"""Seconds that a program may take. Nearly all need less than one."""
INTERRUPTED = 130
"""The exit code of a run that was stopped, as shells have it."""


def show(seed: int, found: Sequence[str]) -> None:
    sys.stdout.write("\n".join([f"seed {seed}:", *found[:5], ""]))
    sys.stdout.flush()


def check_many(options: argparse.Namespace) -> int:
    """Check many programs, or what remains of them, and summarize. Return what the
    command returns.

    Raises:
        StateError: the file of state belongs to another run.
    """
    start, seed, count = time.monotonic(), options.seed, options.count
    check, profile, state = options.check, options.profile, options.state
    if state is None:
        name = check if profile is None else f"{check}-{profile}"
        state = Path("build", "fuzz", f"{name}-{seed}-{count}.json")
    parameters = {"check": check, "profile": profile, "seed": seed, "count": count}
    record = Record.start(parameters, seed, count)
    if state.exists() and not options.restart:
        record = resumed(record, state)
    complete = run(
        partial(check_seed, check=check, profile=profile),
        record,
        jobs=options.jobs,
        limit=options.limit,
        save=lambda: record.save(state),
        progress=Progress(record, sys.stderr),
        show=show,
    )
    seeds = ", ".join(str(seed) for seed in sorted(record.findings))
    sys.stdout.write(
        f"{record.done:,} of {record.total:,} programs, {findings(record.findings)}"
        f"{f' (seeds {seeds})' if seeds else ''}, {duration(time.monotonic() - start)}\n"
    )
    if not complete:
        sys.stdout.write(f"stopped; the same command resumes, from {state}\n")
        return INTERRUPTED
    if options.reduce:
        for seed, found in sorted(record.findings.items()):
            # What hangs or crashes would do so here.
            if not found[0].startswith(LOST):
                sys.stdout.write(reduced(seed, check, profile))
    return int(bool(record.findings))


def resumed(record: Record, state: Path) -> Record:
    """The run in a file of state, or `record` itself if that one is complete."""
    before = replace(record)
    before.load(state)
    if before.done == before.total:
        return record
    sys.stderr.write(f"resuming from {state}\n")
    for seed, found in sorted(before.findings.items()):
        show(seed, found)
    return before


def check_one(options: argparse.Namespace) -> int:
    """Check a program in this process, where a debugger sees it."""
    seed, profile = options.seed, options.profile
    found = check_seed(seed, options.check, profile)
    if not found:
        return 0
    show(seed, found)
    if options.reduce:
        sys.stdout.write(reduced(seed, options.check, profile))
    return 1


def parsed_options() -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs")
    parser.add_argument("--seed", type=int, required=True, help="of the first program")
    parser.add_argument("--count", type=int, default=1, help="how many programs")
    parser.add_argument(
        "--profile",
        choices=PROFILES,
        help="small, or for costs, the one that is measured, if not given",
    )
    parser.add_argument("--check", choices=(*CHECKS, MIXED))
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--reduce", action="store_true", help="print small programs")
    parser.add_argument(
        "--limit",
        type=float,
        default=LIMIT,
        help="seconds that a program may take, if there are many (default: %(default)g)",
    )
    parser.add_argument(
        "--state",
        type=Path,
        help="what is done of many programs (default: a file in build/fuzz/)",
    )
    parser.add_argument(
        "--restart", action="store_true", help="ignore what is done, start over"
    )
    options = parser.parse_args()
    if options.count < 1 or options.jobs < 1 or options.limit <= 0:
        parser.error("--count, --jobs and --limit must be positive")
    return parser, options


def main() -> None:
    parser, options = parsed_options()
    sys.setrecursionlimit(10_000)
    if options.check is None:
        for seed in range(options.seed, options.seed + options.count):
            program = random_program(seed, PROFILES[options.profile or "small"])
            sys.stdout.write(f"// called with {list(program.arguments)}\n")
            sys.stdout.write(program.text)
        return
    try:
        sys.exit(check_one(options) if options.count == 1 else check_many(options))
    except StateError as error:
        parser.error(f"{error}; name another file with --state, or pass --restart")


if __name__ == "__main__":
    main()
