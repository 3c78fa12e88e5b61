"""Where the time goes: one program, stage by stage and part by part."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import programs
from benchmarks.compile_time import DEALLOCATION, ONE_SHOT
from benchmarks.measure import Failure, run_ours
from benchmarks.tables import decimal, table

LAYERS = 1_000
PIPELINE = f"{ONE_SHOT},{DEALLOCATION},lower-to-llvm-pipeline"
LIMIT = 300
PARTS = 15


def section(quick: bool = False) -> Iterator[str]:
    layers = 10 if quick else LAYERS
    yield "\n## Where the time goes\n"
    yield (
        f"`perceptron` of {layers:,} layers through `{PIPELINE}`,\nCPU seconds of "
        "each stage of xdsl-opt:\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program.mlir")
        program.write_text(programs.perceptron(layers))
        whole = run_ours(program, PIPELINE, LIMIT)
        profiled = run_ours(program, ONE_SHOT, LIMIT, profile=True)
    if isinstance(whole, Failure) or not whole.stages:
        yield f"not measured: {whole}"
        return
    stages = whole.stages
    rows = {
        "parse": stages.parse,
        "verify before the passes": stages.verify,
        **stages.passes_by_name,
        "verify after the passes": stages.verify_after,
        "print": stages.print_after,
    }
    rows["start, and the rest"] = whole.seconds - sum(rows.values())
    shares = (
        (name, decimal(taken), f"{taken / whole.seconds:.0%}")
        for name, taken in rows.items()
    )
    yield from table(("stage", "seconds", "share"), shares)
    if isinstance(profiled, Failure) or not profiled.stages:
        return
    parts = profiled.stages.profile
    total = sum(parts.values())
    yield (
        "\nInside one-shot-bufferize, by the part of the code, without callees (under\n"
        "Python's profiler, which overstates the cost of many small calls):\n"
    )
    largest = ((name, f"{own / total:.1%}") for name, own in list(parts.items())[:PARTS])
    yield from table(("part", "share"), largest)
