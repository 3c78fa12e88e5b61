"""Module.save() and header(): compiled code outside of this process."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from xdsl.transforms.mlir_opt import MLIROptPass
from xdsl.utils.exceptions import DiagnosticException

from tests.jit.programs import MAKE, SUM, lower
from tests.oracle.harness import requires_mlir_opt
from tests.oracle.location import mlir_opt_path
from xdsl_bufferization import jit

MLIR_LOWERING = ("--convert-to-llvm", "--reconcile-unrealized-casts")

needs_c = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

PROGRAM = (
    SUM
    + MAKE
    + """
func.func @flip(%b: i1, %while: i8) -> i1 {
  %true = arith.constant true
  %r = arith.xori %b, %true : i1
  return %r : i1
}
func.func @plane(%z: complex<f32>) { return }
"""
)

MAIN = r"""
#include <stdio.h>
#include <stdlib.h>
#include "kernels.h"

int main(void) {
  float numbers[6] = {1, 2, 3, 4, 5, 6};
  memref_2d_f32 odd_columns = {numbers, numbers, 0, {2, 2}, {3, 2}};
  printf("%g\n", _mlir_ciface_sum(&odd_columns));
  make_results made;
  _mlir_ciface_make(&made, 2, 1.5f);
  printf("%d %g %g\n", (int)made.result0.sizes[0], made.result0.aligned[3],
         *made.result1.aligned);
  free(made.result0.allocated);
  free(made.result1.allocated);
  printf("%d %d\n", _mlir_ciface_flip(true, 0), _mlir_ciface_flip(false, 0));
  return 0;
}
"""


def run_main(folder: Path, *objects: str) -> str:
    (folder / "main.c").write_text(MAIN)
    command = ["cc", "-Wall", "-Werror", "-o", "main", "main.c", *objects, "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    done = subprocess.run(
        ["./main"], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


@needs_c
@pytest.mark.parametrize("file", ["kernels.so", "kernels.o", "kernels.s"])
def test_c_program(tmp_path: Path, file: str) -> None:
    module = lower(PROGRAM)
    module.save(tmp_path / file)
    (tmp_path / "kernels.h").write_text(module.header())
    assert run_main(tmp_path, f"./{file}") == "14\n2 1.5 1.5\n0 1\n"


@needs_c
@pytest.mark.parametrize("file", ["constant.so", "constant.o"])
def test_large_constants_are_filled_when_the_code_is_loaded(
    tmp_path: Path, file: str
) -> None:
    module = jit.compile("""
        func.func @last() -> f32 {
          %i = arith.constant 999999 : index
          %0 = arith.constant dense<1.5> : tensor<1000000xf32>
          %1 = tensor.extract %0[%i] : tensor<1000000xf32>
          return %1 : f32
        }""")
    module.save(tmp_path / file)
    (tmp_path / "main.c").write_text(
        "float _mlir_ciface_last(void);\n"
        "int main(void) { return _mlir_ciface_last() != 1.5f; }\n"
    )
    command = ["cc", "-o", "main", "main.c", f"./{file}", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run(["./main"], cwd=tmp_path, check=True)


def test_header() -> None:
    header = lower(PROGRAM).header()
    assert "float _mlir_ciface_sum(memref_2d_f32 *x);" in header
    assert "void _mlir_ciface_make(make_results *result, int64_t n, float x);" in header
    assert "bool _mlir_ciface_flip(bool b, int8_t arg1);" in header
    assert "// plane(%z: complex<f32>) -> ()\n// Not callable from C" in header
    assert header.count("} memref_2d_f32;") == 1


def test_own_c_interface_is_kept(tmp_path: Path) -> None:
    module = lower(
        "func.func @f(%x: i32) -> i32 attributes {llvm.emit_c_interface} "
        "{ return %x : i32 }"
    )
    module.save(tmp_path / "f.ll")
    text = (tmp_path / "f.ll").read_text()
    assert text.count("@_mlir_ciface_f(") == 1
    assert "jit." not in text


@needs_c
@requires_mlir_opt
def test_library_needs_nothing_else(tmp_path: Path) -> None:
    """MLIR's own lowering calls its runtime library; what we save has that inside."""
    module = jit.compile(
        """
        func.func @copy(%x: memref<*xf32>, %y: memref<*xf32>) {
          memref.copy %x, %y : memref<*xf32> to memref<*xf32>
          return
        }
        """,
        [MLIROptPass(executable=mlir_opt_path(), arguments=MLIR_LOWERING)],
    )
    module.save(tmp_path / "copy.o")
    symbols = subprocess.run(
        ["nm", "-u", "copy.o"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {name for name in symbols if "memref" in name.lower()}
    to = np.zeros((4, 5, 6), "f")
    source = np.arange(120, dtype="f").reshape(6, 5, 4).T
    module.copy(source, to)
    np.testing.assert_array_equal(source, to)


def test_other_ends_of_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticException, match=r"'f.exe' what to save.*\.so, .*\.o"):
        lower(SUM).save(tmp_path / "f.exe")


def test_counted_code_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticException, match="compile without count=True"):
        lower(SUM, count=True).save(tmp_path / "f.o")


def test_missing_c_compiler_is_named(tmp_path: Path) -> None:
    with pytest.raises(DiagnosticException, match="'no-such-cc' is not found"):
        lower(SUM).save(tmp_path / "f.so", compiler="no-such-cc")
