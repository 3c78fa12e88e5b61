"""What a call from Python costs beside the compiled code.

Functions that do next to nothing are called with small arrays, so that the time is that
of the call: checking the arguments, packing them, and making arrays of results. And what
importing the jit costs, beside NumPy and llvmlite, which it needs.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import timeit
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.tables import decimal, table
from xdsl_bufferization import jit

PROGRAM = """
func.func @number(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %first = tensor.extract %a[%c0, %c0] : tensor<?x?xf32>
  return %first : f32
}
func.func @new(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<1xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1xf32>
  %new = linalg.fill ins(%zero : f32) outs(%empty : tensor<1xf32>) -> tensor<1xf32>
  return %new : tensor<1xf32>
}
func.func @update(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: memref<1xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  memref.store %zero, %c[%c0] : memref<1xf32>
  return
}
func.func @numbers(%x: f32, %y: f64, %i: index) -> f32 {
  return %x : f32
}
"""

NEEDED, OURS = "import numpy, llvmlite.binding", "import xdsl_bufferization.jit"


def microseconds(call: Callable[[], Any], runs: int) -> float:
    """The median over some runs of the time of one call."""
    calls = 2000
    times = timeit.repeat(call, timer=time.process_time, number=calls, repeat=runs)
    return statistics.median(times) / calls * 1e6


def import_seconds(runs: int) -> Sequence[float]:
    """Medians of what a process that imports the needed packages takes, and the jit, each
    less what an empty process takes."""
    commands = ["pass", NEEDED, OURS]
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(runs + 1):
        for command, taken in zip(commands, times, strict=True):
            run = [sys.executable, "-c", command]
            taken.append(
                timeit.timeit(lambda run=run: subprocess.run(run, check=True), number=1)
            )
    empty, *others = (statistics.median(taken[1:]) for taken in times)
    return [seconds - empty for seconds in others]


def calls_of(module: jit.Module) -> dict[str, Callable[[], Any]]:
    a, b, c = (np.zeros((4, 4), "f") for _ in range(3))
    d, e, f = (np.zeros((4, 8), "f").T[::2] for _ in range(3))
    one = np.zeros(1, "f")
    return {
        "three arrays, a number returned": lambda: module.number(a, b, c),
        "three strided arrays, a number returned": lambda: module.number(d, e, f),
        "three arrays, an array returned": lambda: module.new(a, b, c),
        "three arrays, one updated": lambda: module.update(a, b, one),
        "three arrays by name": lambda: module.number(a=a, b=b, c=c),
        "three numbers": lambda: module.numbers(1.0, 2.0, 3),
    }


def section(runs: int) -> Iterator[str]:
    rows: list[list[str]] = []
    for check in (True, False):
        module = jit.compile(PROGRAM, check=check)
        calls = calls_of(module)
        for index, (name, call) in enumerate(calls.items()):
            figure = decimal(microseconds(call, runs))
            if check:
                rows.append([name, figure])
            else:
                rows[index].append(figure)
    needed, ours = import_seconds(runs)
    yield "\n## Calls\n"
    yield (
        "The overhead of a call: functions that do almost nothing, in "
        f"microseconds\nof CPU time (medians of {runs} runs of 2,000 calls).\n"
    )
    yield from table(["call", "default", "`check=False`"], rows)
    yield (
        f"\n`import xdsl_bufferization.jit` takes {ours:.2f} s, of which NumPy and "
        f"llvmlite take {needed:.2f} s."
    )
