"""What checks cost while programs run: with `check=True`, the default, and without."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator

from benchmarks.code_quality import (
    BEST,
    LEAST_MICROSECONDS,
    LOWER,
    all_programs,
    call_in_turns,
)
from benchmarks.tables import decimal, table
from xdsl_bufferization import jit


def section(spent: Callable[[], bool], quick: bool = False) -> Iterator[str]:
    rows: list[tuple[str, float, float]] = []
    for program in all_programs()[: 3 if quick else None]:
        if spent():
            break
        modules = {
            name: jit.compile(program.text, f"{BEST},{LOWER}", check=name == "checked")
            for name in ("checked", "unchecked")
        }
        times = call_in_turns(program, modules)
        checked, unchecked = (1e6 * statistics.median(times[name]) for name in modules)
        if unchecked >= LEAST_MICROSECONDS:
            rows.append((program.name, checked, unchecked))
    if not rows:
        return
    rows.sort(key=lambda row: row[1] / row[2], reverse=True)
    mean = statistics.geometric_mean(
        checked / unchecked for _, checked, unchecked in rows
    )
    yield "\n## Checks\n"
    yield (
        "A call of each program of `examples/` and `tests/execution/programs/` that\n"
        f"takes {LEAST_MICROSECONDS} microseconds or more, with checks and without, in "
        f"turns: {mean:.3f} times as\nlong in geometric mean over {len(rows)} programs. "
        "The five with the largest overhead:\n"
    )
    yield from table(
        ("program", "checked, µs", "`check=False`, µs", "ratio"),
        (
            (name, decimal(checked), decimal(unchecked), f"{checked / unchecked:.2f}")
            for name, checked, unchecked in rows[:5]
        ),
    )
