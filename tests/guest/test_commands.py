"""Commands of xDSL alone print what they print without this package.

Each test starts a process of its own: what a process has used decides how it prints.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

PLAIN = (
    "import sys, xdsl.universe as u\n"
    "u.Universe.get_multiverse = classmethod(lambda cls: u.XDSL_UNIVERSE)\n"
    "from xdsl.tools.xdsl_opt import main\n"
    "main()\n"
)
INSTALLED = "from xdsl.tools.xdsl_opt import main\nmain()\n"


def xdsl_opt(program: str, *flags: str, script: str = INSTALLED) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *flags],
        input=program,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


COPY = """
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  "memref.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
"""
UNKNOWN_TO_XDSL = """
func.func @f(%a: f32, %b: f32) -> f32 {
  %0 = "arith.remf"(%a, %b) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  return %0 : f32
}
"""
DEAD_LOAD = """
func.func @f(%m: memref<4xf32>, %i: index) {
  %0 = vector.load %m[%i] : memref<4xf32>, vector<2xf32>
  return
}
"""
LOOP = """
func.func @f(%n: index, %m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<?xf32>
  }
  return
}
"""
IF = """
func.func @f(%c: i1, %x: f32, %y: f32) -> f32 {
  %0 = scf.if %c -> (f32) {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }
  return %0 : f32
}
"""
NAMED_BLOCKS = """
func.func @f(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  return
^b:
  return
}
"""
APPLY = """
func.func @f(%i: index) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 * 4 + 1)>(%i)
  return %0 : index
}
"""
MATMUL = """
func.func @f(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
  return
}
"""
ADD = """
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.add ins(%a, %a : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
  return
}
"""
WRONG_OFFSET = """
%m = "{source}"() : () -> memref<8xf32>
%v = "memref.subview"(%m) <{{
  operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2>,
  static_sizes = array<i64: 4>, static_strides = array<i64: 1>
}}> : (memref<8xf32>) -> memref<4xf32>
"""
"""MLIR has a layout with an offset here, some passes of xDSL do not."""


@pytest.mark.parametrize(
    "program, flags",
    [
        (COPY, ("-p", "cse")),
        (UNKNOWN_TO_XDSL, ("-p", "cse", "--allow-unregistered-dialect")),
        (DEAD_LOAD, ("-p", "dce")),
        (DEAD_LOAD, ("-p", "convert-vector-to-ptr")),
        (IF, ("-p", "convert-scf-to-cf")),
        (LOOP, ("-p", "convert-scf-to-cf")),
        (NAMED_BLOCKS, ("-p", "convert-scf-to-cf")),
        (APPLY, ("-p", "lower-affine")),
        (MATMUL, ("-p", "convert-linalg-to-loops")),
        (MATMUL, ("-p", "linalg-generalize-named-ops")),
        (ADD, ("-p", "convert-linalg-to-memref-stream")),
        (WRONG_OFFSET.format(source="test.op"), ()),
    ],
)
def test_same_output_as_without_this_package(
    program: str, flags: tuple[str, ...]
) -> None:
    assert xdsl_opt(program, *flags) == xdsl_opt(program, *flags, script=PLAIN)


def test_own_forms_are_printed_once_one_was_read() -> None:
    text = COPY.replace(
        '"memref.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()',
        "memref.copy %a, %b : memref<4xf32> to memref<4xf32>",
    )
    assert "memref.copy %a, %b" in xdsl_opt(text)


def test_own_forms_are_printed_with_a_pass_of_ours() -> None:
    assert "memref.copy %a, %b" in xdsl_opt(COPY, "-p", "expand-realloc")


def test_our_pass_runs_where_xdsls_leaves_ops_behind() -> None:
    program = """
    func.func @f(%a: memref<4x8xf32>, %b: memref<8x4xf32>) {
      linalg.transpose ins(%a : memref<4x8xf32>) outs(%b : memref<8x4xf32>)
        permutation = [1, 0]
      return
    }
    """
    assert "linalg" not in xdsl_opt(program, "-p", "convert-linalg-to-loops")


def test_what_mlir_rejects_is_rejected_in_programs_that_mlir_reads() -> None:
    program = WRONG_OFFSET.format(source="ub.poison").replace(
        '"ub.poison"()', '"ub.poison"() <{value = #ub.poison}>'
    )
    with pytest.raises(AssertionError, match="expected result offset 2"):
        xdsl_opt(program)


def test_interpreter_runs_our_ops(tmp_path: Path) -> None:
    program = tmp_path / "program.mlir"
    program.write_text(
        """
        func.func @main() -> i32 {
          %0 = arith.constant 7 : i32
          return %0 : i32
        }
        """
    )
    script = "from xdsl.tools.xdsl_run import main\nmain()\n"
    done = subprocess.run(
        [sys.executable, "-c", script, str(program), "--verbose"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "7" in done.stdout
