"""The same program gives the same text in every process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SEEDS = range(7_000, 7_005)

SCRIPT = f"""
import sys
sys.setrecursionlimit(10_000)
from tests.oracle.tools import parse, run_passes, to_text
from tests.random_programs.seeds import program_of

PIPELINES = (
    "one-shot-bufferize{{bufferize-function-boundaries allow-return-allocs-from-loops}},"
    "buffer-deallocation-pipeline",
    "bufferization-pipeline",
    "bufferization-pipeline{{plan-memory reorder-for-peak-memory}}",
)
for seed in range({SEEDS.start}, {SEEDS.stop}):
    context, module = parse(program_of(seed, "pipeline-costs", None).text)
    for pipeline in PIPELINES:
        # Elsewhere in memory, what is hashed by its address has another order.
        elsewhere = [object() for _ in range(int(sys.argv[1]) * (seed % 100))]
        result = module.clone()
        run_passes(context, result, pipeline)
        print("// program", seed, "after", pipeline)
        print(to_text(result))
"""


def test_text_does_not_depend_on_the_process() -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, objects],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        for hash_seed, objects in (("1", "3"), ("2", "1001"))
    ]
    done = [process.communicate() for process in processes]
    for process, (_, errors) in zip(processes, done, strict=True):
        assert process.returncode == 0, errors
    first, second = (output.split("// program") for output, _ in done)
    assert len(first) == 3 * len(SEEDS) + 1
    for one, other in zip(first, second, strict=True):
        if one != other:
            pytest.fail(f"two results:\n{one}\n{other}")
