"""Programs that several tests compile, most on memrefs, without bufferization."""

from __future__ import annotations

from typing import Any

from xdsl_bufferization import jit

LOWER = "convert-scf-to-cf,convert-to-llvm"


def lower(text: str, **options: Any) -> jit.Module:
    return jit.compile(text, options.pop("pipeline", LOWER), **options)


MATMUL = """
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
                     outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""

SUM = """
func.func @sum(%x: memref<?x?xf32, strided<[?, ?], offset: ?>>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %x, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %columns = memref.dim %x, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %sum = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %zero) -> (f32) {
    %row = scf.for %j = %c0 to %columns step %c1 iter_args(%b = %a) -> (f32) {
      %e = memref.load %x[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
      %c = arith.addf %b, %e : f32
      scf.yield %c : f32
    }
    scf.yield %row : f32
  }
  return %sum : f32
}
"""

MAKE = """
func.func @make(%n: index, %x: f32) -> (memref<?x2xf32>, memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?x2xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i, %c0] : memref<?x2xf32>
    memref.store %x, %m[%i, %c1] : memref<?x2xf32>
  }
  %z = memref.alloc() {alignment = 128} : memref<f32>
  memref.store %x, %z[] : memref<f32>
  return %m, %z : memref<?x2xf32>, memref<f32>
}
"""
