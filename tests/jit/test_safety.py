"""No call reads or writes past an array, whatever it is given."""

from __future__ import annotations

import ast
import subprocess
import sys

import numpy as np
import pytest

from tests.jit.programs import lower
from xdsl_bufferization import jit
from xdsl_bufferization.jit import function as function_module

CALLS = 2000


def test_random_calls_on_watched_memory() -> None:
    """In a process of its own, which an access past the arrays would end."""
    done = subprocess.run(
        [
            *(sys.executable, "-X", "faulthandler", "-m", "tests.jit.random_calls"),
            *("--seed", "0", "--count", str(CALLS)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    outcomes = [ast.literal_eval(line) for line in done.stdout.splitlines()]
    assert sum(sum(o.values()) for o in outcomes) == CALLS
    # Neither outcome is rare.
    assert all(count > CALLS // 10 for o in outcomes for count in o.values())


STRIDED = "memref<?x?xi32, strided<[?, ?], offset: ?>>"
SET_FIRST = f"""
func.func @main(%m: {STRIDED}, %n: memref<?x?xi32>, %by: i8, %k: memref<2xi32>)
    -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %m[%c1, %c0] : {STRIDED}
  %b = memref.load %n[%c0, %c1] : memref<?x?xi32>
  %c = arith.extsi %by : i8 to i32
  %d = memref.load %k[%c1] : memref<2xi32>
  %e = arith.addi %a, %b : i32
  %f = arith.addi %c, %d : i32
  %g = arith.addi %e, %f : i32
  memref.store %g, %m[%c0, %c0] : {STRIDED}
  return %g : i32
}}
"""


@pytest.fixture(scope="module")
def module() -> jit.Module:
    return lower(SET_FIRST)


def views(base: np.ndarray) -> list[np.ndarray]:
    """Arrays of three by four in some ways."""
    return [
        base[:3, :4].copy(),
        base[:3, :4],
        base[1:4, 2:6],
        base[:4, :3].T,
        base[3:0:-1, 7:3:-1],
        base[:3, ::2],
        base.astype("u4")[:3, :4],
        base[:3, :4].reshape(3, 1, 4)[:, 0],
    ]


@pytest.mark.parametrize("number", range(8))
def test_short_path_packs_what_the_slow_path_packs(
    module: jit.Module, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both fill frames alike, so both compute the same."""
    results: list[object] = []
    for available in (True, False):
        array = views(np.arange(40, dtype="i4").reshape(5, 8))[number]
        other = np.arange(6, dtype="i4").reshape(2, 3)
        last = np.array([7, 9], "u4")
        if not available:
            monkeypatch.setattr(function_module, "marshal", lambda: None)
        results.append(module.main(array, other, -3, last))
        assert array[0, 0] == results[-1]
        assert (
            results[-1]
            == views(np.arange(40, dtype="i4").reshape(5, 8))[number][1, 0] + 1 - 3 + 9
        )
    assert results[0] == results[1]


def test_subclass_and_equal_dtype(module: jit.Module) -> None:
    """What the short path does not know goes the other."""
    other, last = np.zeros((1, 2), "i4"), np.zeros(2, "i4")
    plain = np.ones((2, 2), "i4")
    for array in (
        plain.view(np.recarray),
        plain.astype(np.dtype("i4", metadata={"a": 1})),
    ):
        assert module.main(array, other, 0, last) == 1
