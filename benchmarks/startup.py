"""What installing this package costs every start of xdsl-opt, and what using it costs.

Two folders of links to the installed packages, one without this package: xdsl-opt runs
on an empty module with the one and with the other, in turns. Installed for development
(`pip install -e`), the package costs more than this, by the import hook of setuptools.

Complete runs with passes are compared with runs that only parse, verify and print the
same program, in turns as well, and with what xDSL alone takes for that.
"""

from __future__ import annotations

import os
import statistics
import sys
import sysconfig
import tempfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import xdsl_bufferization
from benchmarks.measure import processor_seconds
from benchmarks.programs import perceptron

RUN = "from xdsl.tools.xdsl_opt import main; main()"
OURS = "xdsl_bufferization"
PASSES = "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline"
EXAMPLE = Path(__file__).parent.parent / "examples" / "mlp.mlir"
INSERT = """
func.func @f(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""


@dataclass(frozen=True)
class StartUp:
    """Medians, in milliseconds of processor time and of the clock."""

    without: float
    with_us: float
    clock_without: float
    clock_with_us: float
    runs: int

    @property
    def ratio(self) -> float:
        return self.with_us / self.without


@dataclass(frozen=True)
class CompleteRun:
    """Medians of processor time, in milliseconds, of processes of xdsl-opt."""

    program: str
    xdsl_alone: float
    """Without this package."""
    read_and_print: float
    with_passes: float
    ratio_to_xdsl: float
    """The median of the ratios of runs next to each other; likewise the next one."""
    ratio: float
    runs: int


COMMAND = (sys.executable, "-S", "-P", "-c", RUN)


@contextmanager
def installations() -> Generator[tuple[dict[str, str], dict[str, str]]]:
    """The environments of processes without this package and with it, as installed."""
    with tempfile.TemporaryDirectory() as folder:
        without, with_us = Path(folder, "without"), Path(folder, "with")
        for place in (without, with_us):
            place.mkdir()
            _link_installed(place)
        os.symlink(Path(xdsl_bufferization.__file__).parent, with_us / OURS)
        # The bytecode of modules is kept, as it is for an installed package.
        kept = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
        yield (
            {**kept, "PYTHONPATH": str(without)},
            {**kept, "PYTHONPATH": str(with_us)},
        )


def measure(runs: int = 41) -> StartUp:
    with installations() as environments:
        times = _in_turns(
            [(COMMAND, environment) for environment in environments],
            "builtin.module {}",
            runs,
        )
    medians = [
        statistics.median(1000 * run[kind] for run in taken)
        for kind in range(2)
        for taken in times
    ]
    return StartUp(*medians, runs)


def measure_passes(program: str, text: str, runs: int) -> CompleteRun:
    """Compare xdsl-opt with the two passes to xdsl-opt without any, and to xDSL alone."""
    with installations() as (without, with_us):
        commands = (
            (COMMAND, without),
            (COMMAND, with_us),
            ((*COMMAND, "-p", PASSES), with_us),
        )
        xdsl, plain, ours = (
            [1000 * seconds for seconds, _ in taken]
            for taken in _in_turns(commands, text, runs)
        )
    ratios = (
        [mine / other for mine, other in zip(ours, base, strict=True)]
        for base in (xdsl, plain)
    )
    medians = map(statistics.median, (xdsl, plain, ours, *ratios))
    return CompleteRun(program, *medians, runs)


def _in_turns(
    commands: Sequence[tuple[Sequence[str], dict[str, str]]], text: str, runs: int
) -> list[list[tuple[float, float]]]:
    """The times of each command, with its environment; the first runs fill caches."""
    times: list[list[tuple[float, float]]] = [[] for _ in commands]
    for run in range(runs + 1):
        for (command, environment), taken in zip(commands, times, strict=True):
            cost = processor_seconds(command, text, environment)
            if run:
                taken.append(cost)
    return times


def _link_installed(place: Path) -> None:
    """Links to all that is installed; this package only by name, in one of the two."""
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        ours = entry.name.startswith(OURS) or OURS in entry.name
        metadata = entry.name.endswith(".dist-info")
        if not ours or (metadata and place.name == "with"):
            os.symlink(entry, place / entry.name)


def complete_runs(runs: int) -> Iterator[CompleteRun]:
    yield measure_passes("one tensor.insert", INSERT, runs)
    yield measure_passes("`examples/mlp.mlir`", EXAMPLE.read_text(), runs)
    yield measure_passes("`perceptron` of 1,000 layers", perceptron(1000), min(runs, 3))


def section(runs: int) -> Iterator[str]:
    yield from text_of(measure(runs), complete_runs(min(runs, 15)))


def text_of(start_up: StartUp, complete: Iterable[CompleteRun]) -> Iterator[str]:
    yield "\n## Start-up\n"
    yield (
        f"`xdsl-opt` on an empty module takes {start_up.without:.0f} ms without this "
        f"package and\n{start_up.with_us:.0f} ms with it: {start_up.ratio:.2f} times as "
        f"long (medians of {start_up.runs} runs each, in turns)."
    )
    yield (
        "\nComplete runs of `xdsl-opt` with\n"
        f"`-p {PASSES}`\n"
        "compared with runs that only parse, verify and print the same program, by xDSL\n"
        "alone and with this package installed, which parses and verifies faster:\n"
        "median milliseconds, and medians of the ratios of consecutive runs.\n"
    )
    yield (
        "| program | xDSL alone | without passes | with passes | ratio to xDSL | "
        "to without passes | runs |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for run in complete:
        yield (
            f"| {run.program} | {run.xdsl_alone:,.0f} | {run.read_and_print:,.0f} | "
            f"{run.with_passes:,.0f} | {run.ratio_to_xdsl:.2f} | {run.ratio:.2f} | "
            f"{run.runs} |"
        )


if __name__ == "__main__":
    for line in section(41):
        print(line)
