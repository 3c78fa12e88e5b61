"""generate-runtime-verification against mlir-opt: the same calls fail.

The checks differ, since what is known is not checked here. So both results are lowered
and called with the same arguments, of which some fit and some do not. Operands of linalg
are not empty: where there are no iterations, mlir-opt lets all other sizes differ.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tests.oracle.harness import mlir_opt, requires_mlir_opt
from xdsl_bufferization import jit

PASS = "generate-runtime-verification"
LOWER = "lower-to-llvm-pipeline"

Choose = random.Random


def vector(choose: Choose) -> Any:
    return np.zeros(choose.randint(0, 6), dtype="f")


def matrix(choose: Choose) -> Any:
    return np.zeros((choose.randint(1, 4), choose.randint(1, 4)), dtype="f")


def small_matrix(choose: Choose) -> Any:
    return np.zeros((choose.randint(1, 2), choose.randint(1, 2)), dtype="f")


def small_vector(choose: Choose) -> Any:
    return np.zeros(choose.randint(1, 3), dtype="f")


def number(choose: Choose) -> int:
    return choose.randint(-2, 7)


def length(choose: Choose) -> int:
    """Of a view: mlir-opt takes negative ones for empty."""
    return choose.randint(0, 6)


V, M = "memref<?xf32>", "memref<?x?xf32>"
STRIDED = "memref<?xf32, strided<[?], offset: ?>>"

PROGRAMS: dict[str, tuple[Sequence[Callable[[Choose], Any]], str]] = {
    # arguments, and a function @f of them
    "load": (
        (matrix, number, number),
        f"""func.func @f(%m: {M}, %i: index, %j: index) -> f32 {{
          %0 = memref.load %m[%i, %j] : {M}
          return %0 : f32
        }}""",
    ),
    "store": (
        (vector, number),
        f"""func.func @f(%m: {V}, %i: index) {{
          %0 = arith.constant 1.0 : f32
          memref.store %0, %m[%i] : {V}
          return
        }}""",
    ),
    "load_in_loop": (
        (vector, number, number),
        f"""func.func @f(%m: {V}, %a: index, %b: index) -> f32 {{
          %c1 = arith.constant 1 : index
          %x = arith.constant 0.0 : f32
          %r = scf.for %i = %a to %b step %c1 iter_args(%s = %x) -> f32 {{
            %0 = memref.load %m[%i] : {V}
            %1 = arith.addf %s, %0 : f32
            scf.yield %1 : f32
          }}
          return %r : f32
        }}""",
    ),
    "subview": (
        (vector, number, length),
        f"""func.func @f(%m: {V}, %i: index, %n: index) {{
          %0 = memref.subview %m[%i] [%n] [1]
              : {V} to memref<?xf32, strided<[1], offset: ?>>
          return
        }}""",
    ),
    "subview_of_static_size": (
        (vector, number),
        f"""func.func @f(%m: {V}, %i: index) {{
          %0 = memref.subview %m[%i] [3] [2]
              : {V} to memref<3xf32, strided<[2], offset: ?>>
          return
        }}""",
    ),
    "cast": (
        (matrix,),
        f"""func.func @f(%m: {M}) {{
          %0 = memref.cast %m : {M} to memref<2x?xf32>
          return
        }}""",
    ),
    "cast_of_layout": (
        (vector, number),
        f"""func.func @f(%m: {V}, %i: index) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %s = arith.maxsi %i, %c1 : index
          %0 = memref.reinterpret_cast %m to offset: [%c0], sizes: [%c1], strides: [%s]
              : {V} to {STRIDED}
          %1 = memref.cast %0 : {STRIDED} to memref<?xf32, strided<[2], offset: ?>>
          return
        }}""",
    ),
    "cast_of_unranked": (
        (matrix,),
        f"""func.func @f(%m: {M}) {{
          %0 = memref.cast %m : {M} to memref<*xf32>
          %1 = memref.cast %0 : memref<*xf32> to memref<?x3xf32>
          return
        }}""",
    ),
    "wrong_rank": (
        (matrix,),
        f"""func.func @f(%m: {M}) {{
          %0 = memref.cast %m : {M} to memref<*xf32>
          %1 = memref.cast %0 : memref<*xf32> to memref<?x?x?xf32>
          return
        }}""",
    ),
    "dim": (
        (matrix, number),
        f"""func.func @f(%m: {M}, %i: index) -> index {{
          %0 = memref.dim %m, %i : {M}
          return %0 : index
        }}""",
    ),
    "copy": (
        (matrix, matrix),
        f"""func.func @f(%a: {M}, %b: {M}) {{
          memref.copy %a, %b : {M} to {M}
          return
        }}""",
    ),
    "expand": (
        (vector,),
        f"""func.func @f(%m: {V}) {{
          %c0 = arith.constant 0 : index
          %c3 = arith.constant 3 : index
          %d = memref.dim %m, %c0 : {V}
          %n = arith.divui %d, %c3 : index
          %0 = memref.expand_shape %m [[0, 1]] output_shape [%n, 3]
              : {V} into memref<?x3xf32>
          return
        }}""",
    ),
    "matmul": (
        (small_matrix, small_matrix, small_matrix),
        f"""func.func @f(%a: {M}, %b: {M}, %c: {M}) {{
          linalg.matmul ins(%a, %b : {M}, {M}) outs(%c : {M})
          return
        }}""",
    ),
    "transposed_sum": (
        (matrix, matrix),
        f"""func.func @f(%a: {M}, %b: {M}) {{
          linalg.generic {{
            indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
            iterator_types = ["parallel", "parallel"]
          }} ins(%a : {M}) outs(%b : {M}) {{
          ^bb0(%x: f32, %y: f32):
            %z = arith.addf %x, %y : f32
            linalg.yield %z : f32
          }}
          return
        }}""",
    ),
    "broadcast": (
        (small_vector, matrix),
        f"""func.func @f(%a: {V}, %b: {M}) {{
          linalg.broadcast ins(%a : {V}) outs(%b : {M}) dimensions = [0]
          return
        }}""",
    ),
}


LOADS_SCF = "func.func private @loads_scf(%c: i1) { scf.if %c { } return }"
"""mlir-opt's pass makes ops of scf and crashes unless the program has one."""


@requires_mlir_opt
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_calls_fail(name: str) -> None:
    makers, text = PROGRAMS[name]
    theirs = mlir_opt([text + LOADS_SCF], f"--{PASS}")[0]
    assert theirs.accepted, theirs.error
    ours = jit.compile(text, f"{PASS},{LOWER}", check=False)
    reference = jit.compile(theirs.text, LOWER, check=False)
    choose = random.Random(name)
    outcomes: list[bool] = []
    for _ in range(60):
        arguments = [make(choose) for make in makers]
        outcomes.append(_fails(ours, arguments))
        assert outcomes[-1] == _fails(reference, arguments), [
            getattr(argument, "shape", argument) for argument in arguments
        ]
    assert any(outcomes)
    assert name == "wrong_rank" or not all(outcomes)


def _fails(module: jit.Module, arguments: Sequence[Any]) -> bool:
    try:
        module.f(*arguments)
    except jit.CheckError:
        return True
    return False
