"""The programs in examples/: results, memory, and agreement with mlir-opt."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.harness import EXAMPLES, check, random
from xdsl_bufferization import jit

F32, F64 = 4, 8


def softmax(x: np.ndarray) -> np.ndarray:
    exps = np.exp(x - x.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


def mlp_arguments() -> list[np.ndarray]:
    shapes = [(32, 784), (784, 256), (256,), (256, 128), (128,), (128, 10), (10,)]
    return [random(*shape, seed=i) for i, shape in enumerate(shapes)]


def mlp(x, w1, b1, w2, b2, w3, b3) -> np.ndarray:
    h1 = np.maximum(x @ w1 + b1, 0)
    h2 = np.maximum(h1 @ w2 + b2, 0)
    return softmax(h2 @ w3 + b3)


def test_mlp() -> None:
    arguments = mlp_arguments()
    stats = check(EXAMPLES / "mlp.mlir", arguments, mlp(*arguments), rtol=1e-3)
    assert stats.allocations == 5
    assert stats.copies == 0
    assert stats.returned_bytes >= 32 * 10 * F32


def test_mlp_reads_views_of_any_layout() -> None:
    arguments = mlp_arguments()
    expected = mlp(*arguments)
    transposed = [np.asfortranarray(array) for array in arguments]
    every_other = [np.repeat(array, 2, axis=-1)[..., ::2] for array in arguments]
    module = jit.compile(EXAMPLES / "mlp.mlir")
    for views in (transposed, every_other):
        np.testing.assert_allclose(module.main(*views), expected, rtol=1e-3, atol=1e-3)


def test_tiled_matmul() -> None:
    a, b = random(128, 96, dtype="f8"), random(96, 160, dtype="f8")
    stats = check(EXAMPLES / "tiled_matmul.mlir", [a, b], a @ b)
    assert stats.allocations == 1
    assert stats.copies == 0


def heat(u: np.ndarray, steps: int, r: float) -> np.ndarray:
    u = u.copy()
    for _ in range(steps):
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        u[1:-1, 1:-1] += r * (around - 4 * u[1:-1, 1:-1])
    return u


@pytest.mark.parametrize("steps", [0, 1, 50])
def test_heat(steps: int) -> None:
    plate = random(24, 17, dtype="f8")
    before = plate.copy()
    expected = heat(plate, steps, 0.2)
    stats = check(EXAMPLES / "heat.mlir", [plate, steps, 0.2], expected)
    np.testing.assert_array_equal(plate, before)
    assert stats.allocations == 1 + (steps > 0)
    assert stats.copies == 1 + steps
    assert stats.bytes_copied == F64 * (24 * 17 + steps * 22 * 15)


def test_heat_peak_does_not_grow_with_the_steps() -> None:
    plate = random(24, 17, dtype="f8")
    few, many = (
        check(EXAMPLES / "heat.mlir", [plate, steps, 0.2], heat(plate, steps, 0.2))
        for steps in (2, 40)
    )
    assert few.peak_bytes == many.peak_bytes


@pytest.mark.parametrize("batch, queries, keys", [(1, 1, 1), (3, 17, 40), (2, 0, 5)])
def test_attention(batch: int, queries: int, keys: int) -> None:
    q = random(batch, queries, 64, seed=1)
    k = random(batch, keys, 64, seed=2)
    v = random(batch, keys, 64, seed=3)
    expected = softmax(q @ k.transpose(0, 2, 1) / np.float32(8)) @ v
    stats = check(EXAMPLES / "attention.mlir", [q, k, v], expected, rtol=1e-4)
    assert stats.allocations == 4
    assert stats.copies == 0


def inserted(t: np.ndarray, index: int) -> np.ndarray:
    t = t.copy()
    t[index] = 5
    return t


@pytest.mark.parametrize("function", ["test", "test_call"])
def test_insert_in_place(function: str) -> None:
    t = random(8)
    expected = inserted(t, 3)
    check(EXAMPLES / "insert.mlir", [t, 3], expected, function=function)
    np.testing.assert_array_equal(t, expected)


def test_insert_leaves_a_read_only_argument_alone() -> None:
    t = random(8)
    t.flags.writeable = False
    expected = inserted(t, 3)
    stats = check(EXAMPLES / "insert.mlir", [t, 3], expected, function="test_read_only")
    assert (stats.allocations, stats.copies) == (1, 1)
