"""Code from both compilers links: the same signatures, and calls from one into the
other.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.oracle.conversion_runs import (
    LOWERING,
    REFERENCE_PASSES,
    Function,
    compile_ir,
    lower,
    mlir,
)
from tests.oracle.tools import requires_mlir_opt

SIGNATURES = Path(__file__).parent / "conversion" / "abi.mlir"


def declarations(text: str) -> list[str]:
    """The functions and globals of LLVM dialect text as mlir-opt prints it."""
    found = re.findall(r"^  (llvm\.(?:func|mlir\.global) .*?)(?: \{)?$", text, re.M)
    # The type of an initial value of indices is not part of the interface.
    return sorted(re.sub(r"x(index|i\d+)>\) \{", "x_>) {", line) for line in found)


@requires_mlir_opt
@pytest.mark.parametrize(
    "options", ["", "use-aligned-alloc", "use-generic-functions", "index-bitwidth=32"]
)
def test_signatures(options: str) -> None:
    text = SIGNATURES.read_text()
    width = options if options.startswith("index-bitwidth") else ""
    expected = mlir(
        text,
        f"--finalize-memref-to-llvm={options}",
        "--convert-arith-to-llvm",
        "--convert-complex-to-llvm",
        "--convert-vector-to-llvm",
        f"--convert-func-to-llvm={width}",
        "--reconcile-unrealized-casts",
    )
    # mlir-opt drops `llvm.noalias` of a memref argument.
    ours = mlir(lower(text, f"convert-to-llvm{{{options}}}"))
    ours = ours.replace(" {llvm.noalias}", "")
    assert declarations(ours) == declarations(expected)


CALLEE = """
func.func @shift(%m: memref<?x3xi64, strided<[?, 1], offset: ?>>, %by: i64)
    -> (memref<?x3xi64, strided<[?, 1], offset: ?>>, i64) attributes
    {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %m, %c0 : memref<?x3xi64, strided<[?, 1], offset: ?>>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (i64) {
    %t = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %a) -> (i64) {
      %x = memref.load %m[%i, %j] : memref<?x3xi64, strided<[?, 1], offset: ?>>
      %y = arith.addi %x, %by : i64
      memref.store %y, %m[%i, %j] : memref<?x3xi64, strided<[?, 1], offset: ?>>
      %z = arith.addi %b, %x : i64
      scf.yield %z : i64
    }
    scf.yield %t : i64
  }
  return %m, %s : memref<?x3xi64, strided<[?, 1], offset: ?>>, i64
}

func.func @make(%n: index) -> memref<*xi64> attributes {llvm.emit_c_interface} {
  %c1 = arith.constant 1 : index
  %v = arith.constant 77 : i64
  %m = memref.alloc(%n) {alignment = 64} : memref<?xi64>
  memref.store %v, %m[%c1] : memref<?xi64>
  %u = memref.cast %m : memref<?xi64> to memref<*xi64>
  return %u : memref<*xi64>
}
"""

CALLER = """
func.func private @shift(memref<?x3xi64, strided<[?, 1], offset: ?>>, i64)
    -> (memref<?x3xi64, strided<[?, 1], offset: ?>>, i64) ATTRIBUTES
func.func private @make(index) -> memref<*xi64> ATTRIBUTES

func.func @main(%x: i64) -> i64 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4x6xi64>
  linalg.fill ins(%x : i64) outs(%m : memref<4x6xi64>)
  %v = memref.subview %m[1, 2] [2, 3] [2, 1]
    : memref<4x6xi64> to memref<2x3xi64, strided<[12, 1], offset: 8>>
  %d = memref.cast %v : memref<2x3xi64, strided<[12, 1], offset: 8>>
    to memref<?x3xi64, strided<[?, 1], offset: ?>>
  %r:2 = call @shift(%d, %x) : (memref<?x3xi64, strided<[?, 1], offset: ?>>, i64)
    -> (memref<?x3xi64, strided<[?, 1], offset: ?>>, i64)
  %a = memref.load %r#0[%c1, %c2] : memref<?x3xi64, strided<[?, 1], offset: ?>>
  %u = call @make(%c4) : (index) -> memref<*xi64>
  %w = memref.cast %u : memref<*xi64> to memref<?xi64>
  %b = memref.load %w[%c1] : memref<?xi64>
  %c = arith.addi %a, %b : i64
  %e = arith.muli %c, %r#1 : i64
  memref.dealloc %m : memref<4x6xi64>
  memref.dealloc %w : memref<?xi64>
  return %e : i64
}
"""


def ir_of_ours(text: str) -> str:
    return lower(text, LOWERING, target="llvm")


def ir_of_mlir(text: str) -> str:
    return mlir(mlir(text, *REFERENCE_PASSES), "--mlir-to-llvmir", tool="mlir-translate")


@requires_mlir_opt
@pytest.mark.parametrize("c_interface", [False, True], ids=["direct", "c_interface"])
@pytest.mark.parametrize("ours_calls", [False, True], ids=["mlir_calls", "ours_calls"])
def test_calls_across(ours_calls: bool, c_interface: bool) -> None:
    attributes = "attributes {llvm.emit_c_interface}" if c_interface else ""
    caller = CALLER.replace("ATTRIBUTES", attributes)
    if ours_calls:
        modules = ir_of_ours(caller), ir_of_mlir(CALLEE)
    else:
        modules = ir_of_mlir(caller), ir_of_ours(CALLEE)
    main = Function("main", ("i64",), "i64")
    assert compile_ir(*modules).call(main, (5,)) == (5 + 5 + 77) * (6 * 5)
