"""What installing this package costs every start of xdsl-opt.

Two folders of links to the installed packages, one without this package: xdsl-opt runs
on an empty module with the one and with the other, in turns. Installed for development
(`pip install -e`), the package costs more than this, by the import hook of setuptools.
"""

from __future__ import annotations

import os
import statistics
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import xdsl_bufferization
from benchmarks.measure import processor_seconds

RUN = "from xdsl.tools.xdsl_opt import main; main()"
OURS = "xdsl_bufferization"


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


def measure(runs: int = 41) -> StartUp:
    with tempfile.TemporaryDirectory() as folder:
        without, with_us = Path(folder, "without"), Path(folder, "with")
        for place in (without, with_us):
            place.mkdir()
            _link_installed(place)
        os.symlink(Path(xdsl_bufferization.__file__).parent, with_us / OURS)
        environments = [
            {**os.environ, "PYTHONPATH": str(place)} for place in (without, with_us)
        ]
        command = [sys.executable, "-S", "-P", "-c", RUN]
        times: list[list[tuple[float, float]]] = [[], []]
        for _ in range(runs + 2):
            for environment, taken in zip(environments, times, strict=True):
                taken.append(processor_seconds(command, "builtin.module {}", environment))
    medians = [
        statistics.median(1000 * run[kind] for run in taken[2:])  # the first fill caches
        for kind in range(2)
        for taken in times
    ]
    return StartUp(*medians, runs)


def _link_installed(place: Path) -> None:
    """Links to all that is installed; this package only by name, in one of the two."""
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        ours = entry.name.startswith(OURS) or OURS in entry.name
        metadata = entry.name.endswith(".dist-info")
        if not ours or (metadata and place.name == "with"):
            os.symlink(entry, place / entry.name)


def section(runs: int) -> Iterator[str]:
    start_up = measure(runs)
    yield "\n## Start-up\n"
    yield (
        f"`xdsl-opt` on an empty module takes {start_up.without:.0f} ms without this "
        f"package and\n{start_up.with_us:.0f} ms with it: {start_up.ratio:.2f} times as "
        f"long (medians of {start_up.runs} runs each, in turns)."
    )


if __name__ == "__main__":
    result = measure()
    print(
        f"without: {result.without:.1f} ms, with: {result.with_us:.1f} ms, "
        f"ratio {result.ratio:.3f} (processor time, medians of {result.runs} runs; "
        f"clock {result.clock_without:.1f} and {result.clock_with_us:.1f} ms)"
    )
