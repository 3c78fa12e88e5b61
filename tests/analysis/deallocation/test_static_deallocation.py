"""buffer-deallocation on random programs: no leak, no wrong free, and the same results.

Programs do not write, because a clone in place of a buffer could be told by that.
"""

from __future__ import annotations

import pytest

from tests.analysis.deallocation.random_programs import Generator
from tests.analysis.deallocation.test_random_programs import (
    PROGRAMS,
    execute,
    expected_contents,
)
from tests.oracle.tools import parse, run_passes

PIPELINES = ("buffer-deallocation", "buffer-deallocation,copy-removal")


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_random_program(seed: int) -> None:
    program = Generator(seed, writes=False).program()
    expected = expected_contents(program)
    for pipeline in PIPELINES:
        context, module = parse(program)
        run_passes(context, module, pipeline)
        for run, contents in expected.items():
            got = execute(module, run, deallocated=True, fuel=100_000)
            assert got == contents, f"{pipeline}, run {run}, of\n{program}"
