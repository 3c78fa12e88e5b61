"""Random programs: same results as without deallocation, no leak, no wrong free; and the
checker of deallocations finds no fault.

`RANDOM_PROGRAMS` in the environment says how many, instead of 12.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.analysis.deallocation.interpreter import Allocation, Machine, OutOfFuel
from tests.analysis.deallocation.random_programs import Generator
from tests.oracle.tools import parse, run_passes
from xdsl_bufferization.checkers.lifetimes.checker import TOO_MANY, check_lifetimes

PROGRAMS = int(os.environ.get("RANDOM_PROGRAMS", "12"))
RUNS = 3

OWNERSHIP = "ownership-based-buffer-deallocation"
PIPELINES = (
    OWNERSHIP,
    f"{OWNERSHIP},bufferization-lower-deallocations",
    "buffer-deallocation-pipeline",
    "buffer-deallocation-pipeline{private-function-dynamic-ownership},"
    "optimize-allocation-liveness",
    f"{OWNERSHIP}{{static-ownership}}",
    "drop-equivalent-buffer-results{through-control-flow},"
    "buffer-deallocation-pipeline{static-ownership},optimize-allocation-liveness",
)


def execute(
    module: ModuleOp,
    seed: int,
    *,
    deallocated: bool,
    fuel: int,
    machine_class: type[Machine] = Machine,
) -> list[Any]:
    """Runs @main; the contents of its results and arguments afterwards."""
    choices = random.Random(seed)
    machine = machine_class(
        module,
        {
            "coin": lambda: [choices.random() < 0.5],
            "dice": lambda: [choices.randint(0, 2)],
        },
        fuel,
    )
    arguments = [machine.allocate("argument", [8]) for _ in range(2)]
    machine.allocations.clear()
    for k, buffer in enumerate(arguments):
        for i in range(8):
            machine.store(10.0 * k + i, buffer, [i])
    scalars = random.Random(seed + 1)
    results = machine.call(
        "main",
        [
            *arguments,
            scalars.randint(0, 3),
            scalars.random() < 0.5,
            scalars.random() < 0.5,
            *(0, scalars.randint(0, 3), 1),
        ],
    )
    contents = [machine.contents(buffer) for buffer in (*results, *arguments)]
    if deallocated:
        given: set[Allocation] = {buffer.allocation for buffer in results}
        assert len(given) == len(results), "a buffer is returned twice"
        assert not given & {buffer.allocation for buffer in arguments}
        for buffer in results:
            machine.free(buffer)
        machine.check_no_leak()
    return contents


def expected_contents(program: str) -> dict[int, list[Any]]:
    """What the buffers of a program hold after each run that ends, before any pass."""
    _, module = parse(program)
    expected: dict[int, list[Any]] = {}
    for run in range(RUNS):
        try:
            expected[run] = execute(module, run, deallocated=False, fuel=5_000)
        except OutOfFuel:
            continue
    return expected


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_random_program(seed: int) -> None:
    program = Generator(seed).program()
    expected = expected_contents(program)
    for pipeline in PIPELINES:
        context, module = parse(program)
        run_passes(context, module, pipeline)
        found = check_lifetimes(module)
        assert not found.wrong, f"{pipeline}: {found.wrong[0]}, of\n{program}"
        # Many buffers that many conditions choose from are more than it follows.
        undecided = [u for u in found.undecided if u.what != TOO_MANY]
        assert not undecided, f"{pipeline}: {undecided[0]}, of\n{program}"
        for run, contents in expected.items():
            try:
                got = execute(module, run, deallocated=True, fuel=300_000)
            except OutOfFuel:
                continue
            assert got == contents, f"{pipeline}, run {run}, of\n{program}"
