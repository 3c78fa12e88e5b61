"""Running one tool on one program, with a time limit, and what it cost.

Times are processor seconds of the process and its children (user and system), which a
busy machine disturbs less than the clock does. Both tools run on one thread.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.worker import Stages
from tests.oracle.location import mlir_opt_path

TIMED_PASS = re.compile(r"^\s*([\d.]+) \(\s*[\d.]+%\)\s+(.+?)\s*$", re.MULTILINE)
NOT_A_PASS = {"root", "Parser", "Output", "Rest", "Total"}


@dataclass(frozen=True)
class Cost:
    """Processor seconds of a process, and the most memory it held at a time."""

    seconds: float
    megabytes: float
    passes: float | None = None
    """Seconds of its passes alone."""
    stages: Stages | None = None


@dataclass(frozen=True)
class Failure:
    """A run without a figure: why, in a few words that fit into a table."""

    reason: str
    broken: bool = False
    """The tool refused the program, rather than that time ran out."""


def run_ours(
    program: Path, pipeline: str, limit: float, profile: bool = False
) -> Cost | Failure:
    """The whole of xdsl-opt, once, and what each of its stages took."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as report:
        command = [sys.executable, "-m", "benchmarks.worker", str(program), pipeline]
        flags = ["--profile"] if profile else []
        done, _ = _run([*command, report.name, *flags], limit)
        if isinstance(done, Failure):
            return done
        stages = Stages(**json.load(report))
    whole = done.seconds - stages.extra
    return Cost(whole, done.megabytes, stages.passes, stages)


def run_mlir_opt(program: Path, flags: Sequence[str], limit: float) -> Cost | Failure:
    """The whole of mlir-opt, once; its own timing tells the share of its passes."""
    command = [
        mlir_opt_path(),
        str(program),
        *flags,
        "--mlir-disable-threading",
        "--mlir-timing",
        "--mlir-timing-display=list",
        "-o",
        os.devnull,
    ]
    done, log = _run(command, limit)
    if isinstance(done, Failure):
        return done
    timed = {name: float(took) for took, name in TIMED_PASS.findall(log)}
    total = timed.get("Total") or 1.0
    passes = sum(took for name, took in timed.items() if name not in NOT_A_PASS)
    return Cost(done.seconds, done.megabytes, done.seconds * passes / total)


def median(costs: Sequence[Cost]) -> Cost:
    """The run whose time is in the middle."""
    middle = statistics.median_low(cost.seconds for cost in costs)
    return next(cost for cost in costs if cost.seconds == middle)


def _run(command: Sequence[str], limit: float) -> tuple[Cost | Failure, str]:
    """One process, in a session of its own so that a time limit ends all of it.

    Returns what it cost and what it wrote to standard error.
    """
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
            preexec_fn=_limit_processor_time(limit),
        )
        # The limit counts processor time; the timer is for a process that only waits.
        timer = threading.Timer(4 * limit, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = code = os.waitstatus_to_exitcode(status)
        log.seek(0)
        errors = log.read()
    seconds = usage.ru_utime + usage.ru_stime
    if code == 0:
        return Cost(seconds, usage.ru_maxrss / 1024), errors
    if code in (-signal.SIGKILL, -signal.SIGXCPU):
        return Failure(f"> {limit:.0f} s"), errors
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    reason = f"fails: {lines[-1][:60]}" if lines else "fails"
    return Failure(reason, broken=True), errors


def _limit_processor_time(seconds: float) -> Callable[[], None]:
    def limit() -> None:
        whole = max(1, round(seconds))
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 2))

    return limit


def processor_seconds(
    command: Sequence[str], text: str, environment: dict[str, str]
) -> tuple[float, float]:
    """The processor time of a short command, and the time on the clock."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as source:
        source.write(text)
        source.seek(0)
        process = subprocess.Popen(
            command, stdin=source, stdout=subprocess.DEVNULL, env=environment
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start
