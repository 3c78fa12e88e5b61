"""Plots of the tables of compile time and code quality, as SVG files beside the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from benchmarks.compile_time import Benchmark, Row
from benchmarks.measure import Cost, Failure

SERIES: dict[str, Callable[[Row], tuple[Cost | Failure | None, str]]] = {
    "xdsl-bufferization": lambda row: (row.ours, "o-"),
    "mlir-opt": lambda row: (row.mlir, "s--"),
}


def plot(rows: Sequence[Row], folder: Path) -> Iterator[tuple[str, Path]]:
    """One figure a benchmark with at least two sizes: the passes' time over the number of
    ops. Yields names and files."""
    _prepare(folder)
    for benchmark in dict.fromkeys(row.benchmark for row in rows):
        points = [row for row in rows if row.benchmark == benchmark]
        if len(points) < 2:
            continue
        file = folder / f"{benchmark.name}.svg"
        draw(benchmark, points).savefig(file, metadata={"Date": None})
        yield benchmark.name, file


def plot_quality(ratios: Sequence[tuple[str, float]], folder: Path) -> tuple[str, Path]:
    """How long a call takes relative to mlir-opt's result, by program, the fastest first.
    Returns the name and the file."""
    _prepare(folder)
    figure = Figure(figsize=(5, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.plot(sorted(value for _, value in ratios), "o", markersize=3)
    axes.axhline(1, color="gray", linestyle=":")
    axes.set(yscale="log", xlabel="programs", ylabel="time of a call, ratio")
    axes.set_title("bufferization-pipeline ÷ mlir-opt", fontsize=10)
    axes.grid(alpha=0.3)
    file = folder / "code_quality.svg"
    figure.savefig(file, metadata={"Date": None})
    return "time of a call with bufferization-pipeline", file


def _prepare(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    mpl.rcParams["svg.fonttype"] = "none"  # text as text: a page's own letters
    mpl.rcParams["svg.hashsalt"] = "xdsl-bufferization"  # the same file for the same data


def draw(benchmark: Benchmark, rows: Sequence[Row]) -> Figure:
    figure = Figure(figsize=(5, 3.2), layout="constrained")
    axes = figure.subplots()
    for name, of in SERIES.items():
        costs = [(row.size, *of(row)) for row in rows]
        line = [(n, cost.passes) for n, cost, _ in costs if isinstance(cost, Cost)]
        if line:
            axes.plot(*zip(*line, strict=True), costs[0][2], label=name, markersize=4)
    xdsl = [
        (row.size, row.ours.stages.parse_verify_print)
        for row in rows
        if isinstance(row.ours, Cost) and row.ours.stages
    ]
    if xdsl:
        axes.plot(
            *zip(*xdsl, strict=True),
            ":",
            color="gray",
            label="xDSL: parse, verify, print",
        )
    axes.set(xscale="log", yscale="log", xlabel="n", ylabel="processor seconds")
    axes.set_title(f"{benchmark.name}: the passes", fontsize=10)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    return figure
