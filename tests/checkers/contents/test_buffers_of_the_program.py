"""Buffers that the tensor program uses itself: it uses them rightly, by definition."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checkers.mutation import OPTIONS, mutants
from tests.execution.harness import EXAMPLES
from tests.oracle.tools import parse, run_passes
from tests.random_programs.program import random_program
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.transforms.utils.verified_bufferization import (
    verify_bufferization,
)

CONSTANT = """
    memref.global "private" constant @k : memref<4xi32> = dense<[1, 2, 3, 4]>
"""

RIGHT = {
    "buffers that a loop exchanges": """
        func.func @main(%a: memref<3x3xf32>, %b: memref<3x3xf32>, %n: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
              -> (memref<3x3xf32>, memref<3x3xf32>) {
            linalg.matmul ins(%x, %x : memref<3x3xf32>, memref<3x3xf32>)
                outs(%y : memref<3x3xf32>)
            scf.yield %y, %x : memref<3x3xf32>, memref<3x3xf32>
          }
          return
        }
        """,
    "a constant that is replaced before the first write": CONSTANT
    + """
        func.func @main(%n: index, %x: i32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %true = arith.constant true
          %false = arith.constant false
          %k = memref.get_global @k : memref<4xi32>
          scf.for %i = %c0 to %n step %c1 iter_args(%b = %k, %own = %false)
              -> (memref<4xi32>, i1) {
            %c = scf.if %own -> (memref<4xi32>) {
              scf.yield %b : memref<4xi32>
            } else {
              %e = memref.alloc() : memref<4xi32>
              scf.yield %e : memref<4xi32>
            }
            linalg.fill ins(%x : i32) outs(%c : memref<4xi32>)
            memref.store %x, %c[%i] : memref<4xi32>
            scf.yield %c, %true : memref<4xi32>, i1
          }
          return
        }
        """,
    "a constant that a masked op would write": CONSTANT
    + """
        func.func @main(%c: i1, %v: vector<4xi32>, %m: vector<4xi1>) {
          %c0 = arith.constant 0 : index
          %k = memref.get_global @k : memref<4xi32>
          %n = memref.alloc() : memref<4xi32>
          %b = arith.select %c, %k, %n : memref<4xi32>
          vector.mask %m {
            vector.transfer_write %v, %b[%c0] {in_bounds = [true]}
                : vector<4xi32>, memref<4xi32>
          } : vector<4xi1>
          return
        }
        """,
    "a constant that a call would write": CONSTANT
    + """
        func.func private @set(%m: memref<4xi32>, %t: tensor<4xi32>, %x: i32)
            -> tensor<4xi32> {
          linalg.fill ins(%x : i32) outs(%m : memref<4xi32>)
          return %t : tensor<4xi32>
        }
        func.func @main(%t: tensor<4xi32>, %c: i1, %x: i32) -> tensor<4xi32> {
          %k = memref.get_global @k : memref<4xi32>
          %n = memref.alloc() : memref<4xi32>
          %m = arith.select %c, %k, %n : memref<4xi32>
          %0 = func.call @set(%m, %t, %x)
              : (memref<4xi32>, tensor<4xi32>, i32) -> tensor<4xi32>
          return %0 : tensor<4xi32>
        }
        """,
}

WRONG = {
    "a constant of the tensor program, as a buffer": """
        func.func @main(%i: index, %x: i32) {
          %t = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
          %m = bufferization.to_buffer %t : tensor<4xi32> to memref<4xi32>
          memref.store %x, %m[%i] : memref<4xi32>
          return
        }
        """,
    "a constant buffer, as a tensor": CONSTANT
    + """
        func.func @main(%i: index, %x: i32) -> tensor<4xi32> {
          %k = memref.get_global @k : memref<4xi32>
          %t = bufferization.to_tensor %k restrict : memref<4xi32> to tensor<4xi32>
          %0 = tensor.insert %x into %t[%i] : tensor<4xi32>
          return %0 : tensor<4xi32>
        }
        """,
    "a constant buffer, as a tensor and a buffer again": CONSTANT
    + """
        func.func @main(%i: index, %x: i32) {
          %k = memref.get_global @k : memref<4xi32>
          %t = bufferization.to_tensor %k restrict : memref<4xi32> to tensor<4xi32>
          %m = bufferization.to_buffer %t : tensor<4xi32> to memref<4xi32>
          memref.store %x, %m[%i] : memref<4xi32>
          return
        }
        """,
}


@pytest.mark.parametrize("name", RIGHT)
def test_use_by_the_program_causes_no_alarm(name: str) -> None:
    _, module = parse(RIGHT[name])
    assert verify_bufferization(module, OPTIONS) == []


@pytest.mark.parametrize("name", WRONG)
def test_memory_of_tensors_is_checked(name: str) -> None:
    _, module = parse(WRONG[name])
    assert verify_bufferization(module, OPTIONS) == []
    found = list(mutants(WRONG[name]))
    assert found
    for mutant in found:
        assert mutant.described is not None
        wrong = check_contents(mutant.module, mutant.described)
        assert wrong, f"{mutant.what} in {mutant.module}"


def bufferize_again(text: str) -> None:
    """Check the result of the pipeline, whose passes know their buffers better than the
    checker does."""
    context, module = parse(text)
    run_passes(
        context,
        module,
        "bufferization-pipeline,"
        "one-shot-bufferize{bufferize-function-boundaries verify-result}",
    )


def test_result_of_the_pipeline_is_right() -> None:
    """The loop begins with a constant, and reuses its buffers."""
    bufferize_again(
        """
        func.func @main(%a: tensor<3x3xf32>, %n: index) -> tensor<3x3xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %f0 = arith.constant 0.0 : f32
          %k = arith.constant dense<2.0> : tensor<3x3xf32>
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %k) -> tensor<3x3xf32> {
            %e = tensor.empty() : tensor<3x3xf32>
            %z = linalg.fill ins(%f0 : f32) outs(%e : tensor<3x3xf32>)
                -> tensor<3x3xf32>
            %m = linalg.matmul ins(%x, %a : tensor<3x3xf32>, tensor<3x3xf32>)
                outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
            %p = linalg.matmul ins(%m, %a : tensor<3x3xf32>, tensor<3x3xf32>)
                outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
            scf.yield %p : tensor<3x3xf32>
          }
          return %r : tensor<3x3xf32>
        }
        """
    )


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*.mlir")), ids=lambda p: p.stem)
def test_examples(example: Path) -> None:
    bufferize_again(example.read_text())


def test_random_programs() -> None:
    for seed in range(10):
        bufferize_again(random_program(seed).text)
