"""Runs mlp.mlir from tensors to numbers: `make demo`."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from xdsl_bufferization import jit

PROGRAM = Path(__file__).parent / "mlp.mlir"
CALLS = 200


def numpy_mlp(x, w1, b1, w2, b2, w3, b3):
    h1 = np.maximum(x @ w1 + b1, 0)
    h2 = np.maximum(h1 @ w2 + b2, 0)
    logits = h2 @ w3 + b3
    exps = np.exp(logits - logits.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


def main() -> int:
    numbers = np.random.default_rng(0)
    shapes = [(32, 784), (784, 256), (256,), (256, 128), (128,), (128, 10), (10,)]
    arguments = [numbers.normal(0, 0.1, shape).astype("f") for shape in shapes]

    print("A perceptron, 784 -> 256 -> 128 -> 10, on a batch of 32: examples/mlp.mlir\n")
    for number, name in enumerate(jit.DEFAULT_PIPELINE.split(",")):
        print(f"     {name}" if number else f"  -p {name}")

    print("\nTime of each stage, loading its code included")
    module = jit.compile(PROGRAM, functional=True)
    for stage, seconds in module.seconds.items():
        print(f"  {stage:32}{seconds * 1e3:10.1f} ms")
    calls: list[float] = []
    for _ in range(CALLS):
        start = perf_counter()
        result = module.main(*arguments)
        calls.append(perf_counter() - start)
    print(f"  {f'call (median of {CALLS})':32}{np.median(calls) * 1e3:10.3f} ms")

    expected = numpy_mlp(*arguments)
    difference = float(np.abs(result - expected).max())
    print(f"\nResult: {result.dtype}, {result.shape}, within {difference:.1e} of NumPy's")

    checks = jit.DEFAULT_PIPELINE.replace(
        "bufferization-pipeline", "bufferization-pipeline{verify-result}"
    )
    counted = jit.compile(PROGRAM, checks, count=True, functional=True)
    print("Checked: every op reads what the program says; every buffer is freed once")
    held = counted.main(*arguments)
    stats = counted.stats()
    print("\nMemory of one call, counted")
    print(f"  allocations {stats.allocations:14,}")
    print(f"  copies      {stats.copies:14,}    {stats.bytes_copied:,} bytes")
    print(f"  peak        {stats.peak_bytes:14,} bytes")
    print(f"  returned    {stats.returned_bytes:14,} bytes, the result's")
    del held
    leaked = counted.stats().live_bytes
    print(f"  leaked      {leaked:14,} bytes")

    good = difference < 1e-5 and leaked == 0 and stats.invalid_frees == 0
    print("\nok" if good else "\nFAILED")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
