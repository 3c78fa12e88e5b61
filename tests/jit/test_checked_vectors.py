"""Vectors are read and written inside of their buffer, whatever a mask selects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.jit.programs import lower
from xdsl_bufferization import jit

PLANE, VECTOR = "memref<?x?xf32>", "vector<2x4xf32>"
ARGUMENTS = f"(%a: {PLANE}, %i: index, %j: index, %n: index)"


def masked(body: str) -> str:
    return f"""{ARGUMENTS} {{
      %m = vector.create_mask %n, %n : vector<2x4xi1>
      %v = arith.constant dense<0.0> : {VECTOR}
      %p = arith.constant 0.0 : f32
      {body}
      return
    }}
    """


PROGRAM = f"""
func.func @load {
    masked(f'''
      %0 = vector.maskedload %a[%i, %j], %m, %v
        : {PLANE}, vector<2x4xi1>, {VECTOR} into {VECTOR}
      vector.print %0 : {VECTOR}''')
}
func.func @store {
    masked(f'''
      vector.maskedstore %a[%i, %j], %m, %v : {PLANE}, vector<2x4xi1>, {VECTOR}''')
}
func.func @write {
    masked(f'''
      vector.transfer_write %v, %a[%i, %j], %m {{in_bounds = [true, true]}}
        : {VECTOR}, {PLANE}''')
}
func.func @write_part {
    masked(f'''
      vector.transfer_write %v, %a[%i, %j], %m : {VECTOR}, {PLANE}''')
}
func.func @write_in_mask {
    masked(f'''
      vector.mask %m {{
        vector.transfer_write %v, %a[%i, %j] {{in_bounds = [true, true]}}
          : {VECTOR}, {PLANE}
      }} : vector<2x4xi1>''')
}
func.func @scatter {
    masked(f'''
      %ix = vector.broadcast %j : index to vector<2x4xindex>
      %c0 = arith.constant 0 : index
      vector.scatter %a[%i, %c0] [%ix], %m, %v
        : {PLANE}, vector<2x4xindex>, vector<2x4xi1>, {VECTOR}''')
}
func.func @compress {ARGUMENTS} {{
  %m = vector.create_mask %n : vector<4xi1>
  %v = arith.constant dense<0.0> : vector<4xf32>
  vector.compressstore %a[%i, %j], %m, %v : {PLANE}, vector<4xi1>, vector<4xf32>
  return
}}
func.func @affine {ARGUMENTS} {{
  %v = arith.constant dense<0.0> : vector<4xf32>
  affine.vector_store %v, %a[%i, %j] : {PLANE}, vector<4xf32>
  return
}}
func.func @insert {ARGUMENTS} {{
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %0 = vector.load %a[%c0, %c0] : {PLANE}, {VECTOR}
  %1 = vector.insert %p, %0[%i, %j] : f32 into {VECTOR}
  vector.store %1, %a[%c0, %c0] : {PLANE}, {VECTOR}
  return
}}
"""

FAR = 10**9


@pytest.fixture(scope="module")
def module() -> jit.Module:
    return lower(PROGRAM, pipeline="lower-to-llvm-pipeline")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("store", (2, 1, 4)),
        ("store", (3, 4, 1)),
        ("store", (FAR, FAR, 0)),
        ("write", (3, 4, 1)),
        ("write_part", (3, 4, 4)),
        ("write_in_mask", (3, 4, 1)),
        ("scatter", (3, 4, 1)),
        ("scatter", (FAR, FAR, 0)),
        ("compress", (3, 2, 3)),
        ("compress", (FAR, FAR, 0)),
        ("affine", (3, 1, 0)),
        ("insert", (1, 3, 0)),
    ],
)
def test_inside(module: jit.Module, name: str, arguments: Any) -> None:
    module[name](np.ones((4, 5), "f"), *arguments)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("load", (3, 0, 2)),
        ("load", (FAR, 0, 4)),
        ("store", (3, 1, 2)),
        ("store", (2, 2, 4)),
        ("store", (-1, 0, 4)),
        ("write", (3, 0, 2)),
        ("write", (0, 4, 2)),
        ("write", (-FAR, 0, 2)),
        ("write_part", (-1, 0, 4)),
        ("write_part", (0, -FAR, 4)),
        ("write_in_mask", (3, 0, 2)),
        ("write_in_mask", (0, FAR, 1)),
        ("scatter", (4, 0, 1)),
        ("scatter", (0, 5, 1)),
        ("compress", (3, 3, 3)),
        ("compress", (0, -1, 1)),
        ("affine", (3, 2, 0)),
        ("affine", (4, 0, 0)),
        ("insert", (2, 0, 0)),
        ("insert", (0, -FAR, 0)),
    ],
)
def test_outside(module: jit.Module, name: str, arguments: Any) -> None:
    with pytest.raises(jit.CheckError, match=r"out-of-bounds|outside of the vector"):
        module[name](np.ones((4, 5), "f"), *arguments)


def test_alignments_that_the_program_states_are_not_relied_on() -> None:
    program = """
    func.func @f(%a: memref<?xf32>) {
      %c0 = arith.constant 0 : index
      %b = memref.assume_alignment %a, 64 : memref<?xf32>
      %0 = vector.load %b[%c0] {alignment = 64} : memref<?xf32>, vector<16xf32>
      %1 = arith.addf %0, %0 : vector<16xf32>
      vector.store %1, %b[%c0] {alignment = 64} : memref<?xf32>, vector<16xf32>
      return
    }
    """
    assert "align 64" not in lower(program).llvm_ir
    assert "align 64" in lower(program, check=False).llvm_ir
    array = np.ones(40, "f")[3:]
    lower(program).f(array)
    assert array[15] == 2
