"""python -m xdsl_bufferization.jit"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from tests.jit.programs import LOWER, SUM
from xdsl_bufferization.jit.__main__ import main

SCALE = """
func.func @scale(%x: memref<2x2xf32>, %by: f32, %flip: i1) -> (memref<2x2xf32>, f32) {
  %c0 = arith.constant 0 : index
  %e = memref.load %x[%c0, %c0] : memref<2x2xf32>
  %scaled = arith.mulf %e, %by : f32
  %negative = arith.negf %scaled : f32
  %new = arith.select %flip, %negative, %scaled : f32
  %m = memref.alloc() : memref<2x2xf32>
  memref.copy %x, %m : memref<2x2xf32> to memref<2x2xf32>
  memref.store %new, %m[%c0, %c0] : memref<2x2xf32>
  return %m, %new : memref<2x2xf32>, f32
}
"""


Done = subprocess.CompletedProcess[str]


def command(folder: Path, *arguments: str) -> Done:
    """Run the command in this process."""
    write_programs(folder)
    output, errors = StringIO(), StringIO()
    with chdir(folder), redirect_stdout(output), redirect_stderr(errors):
        code = main([*arguments, "-p", LOWER])
    return Done(arguments, code, output.getvalue(), errors.getvalue())


def process(folder: Path, *arguments: str) -> Done:
    """Run the command in a process of its own."""
    write_programs(folder)
    return subprocess.run(
        [sys.executable, "-m", "xdsl_bufferization.jit", *arguments, "-p", LOWER],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def write_programs(folder: Path) -> None:
    (folder / "sum.mlir").write_text(SUM)
    (folder / "scale.mlir").write_text(SCALE)


@pytest.mark.parametrize("call", [command, process])
def test_a_result_and_an_error(tmp_path: Path, call: Callable[..., Done]) -> None:
    done = call(tmp_path, "sum.mlir", "--call", "sum", "--arg", "[[1, 2], [3, 4]]")
    assert (done.returncode, done.stdout, done.stderr) == (0, "10.0\n", "")
    done = call(tmp_path, "none.mlir")
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot read none.mlir" in done.stderr and "Traceback" not in done.stderr


def test_arrays_from_files(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.arange(6, dtype="f").reshape(2, 3))
    done = command(tmp_path, "sum.mlir", "--call", "sum", "--arg", "x.npy")
    assert (done.stdout, done.stderr) == ("15.0\n", "")


def test_literals_and_saved_results(tmp_path: Path) -> None:
    call = ["scale.mlir", "--call", "scale", "--arg", "[[1, 2], [3, 4]]", "--arg", "3"]
    done = command(tmp_path, *call, "--arg", "true", "--save", "m.npy", "--stats")
    assert done.stdout == "-3.0\n"
    assert "allocations=1" in done.stderr and "copies=1" in done.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "m.npy"), [[-3, 2], [3, 4]])


def test_functions_are_listed(tmp_path: Path) -> None:
    assert "sum(%x: memref<?x?xf32" in command(tmp_path, "sum.mlir").stdout


def test_header_and_output(tmp_path: Path) -> None:
    done = command(tmp_path, "sum.mlir", "-o", "sum.ll", "--emit-header")
    assert "float _mlir_ciface_sum(memref_2d_f32 *x);" in done.stdout
    assert "define float @sum(" in (tmp_path / "sum.ll").read_text()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["sum.mlir", "--call", "product"], "no public function 'product'"),
        (["none.mlir"], "cannot read none.mlir"),
        (["sum.mlir", "--call", "sum"], "sum() missing 1 required positional argument"),
        (["sum.mlir", "--call", "sum", "--arg", "no.npy"], "--arg no.npy: "),
        (
            ["sum.mlir", "--call", "sum", "--arg", "?"],
            "neither a .npy file nor a literal",
        ),
        (
            ["sum.mlir", "--call", "sum", "--arg", "1", "--arg", "2"],
            "takes 1 positional argument but 2",
        ),
    ],
)
def test_errors_are_one_message(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    done = command(tmp_path, *arguments)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "argument, message",
    [
        ("[[1, 2], [3]]", "neither a .npy file nor a literal for memref<2x2xf32>"),
        ("[1,", "was never closed"),
        ("{}", "neither a .npy file nor a literal"),
        ("open('x')", "neither a .npy file nor a literal"),
        ("'text'", "could not convert string to float"),
        ("", "neither a .npy file nor a literal"),
        ("[" * 5000, "neither a .npy file nor a literal"),
        ("missing.npy", "missing.npy: .*No such file"),
        ("empty.npy", "empty.npy: "),
        (
            "nothing=3",
            "unexpected keyword argument 'nothing'. Its arguments are named: x, by, flip",
        ),
    ],
)
def test_malformed_arguments(tmp_path: Path, argument: str, message: str) -> None:
    (tmp_path / "empty.npy").write_text("")
    call = ["scale.mlir", "--call", "scale", "--arg", argument, "--arg", "3"]
    done = command(tmp_path, *call, "--arg", "true")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.search(message, done.stderr)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "options, message",
    [
        (["-o", "no/such/folder.o"], "cannot write no/such/folder.o: No such file"),
        (
            ["--call", "sum", "--arg", "[[1.0]]", "--save", "no/a.npy"],
            "--save no/a.npy: ",
        ),
        (
            ["--call", "sum", "--arg", "[[1]]", "--save", "a.npy", "--save", "b.npy"],
            r"--save b.npy: sum.* has 1 results",
        ),
        (["-O", "7"], "opt_level is 7"),
    ],
)
def test_paths_that_cannot_be_written(
    tmp_path: Path, options: list[str], message: str
) -> None:
    done = command(tmp_path, "sum.mlir", *options)
    assert done.returncode == 1
    assert re.search(message, done.stderr)
    assert "Traceback" not in done.stderr


def test_arguments_by_name_and_a_stub(tmp_path: Path) -> None:
    call = ["scale.mlir", "--call", "scale", "--arg", "by=3", "--arg", "flip=false"]
    done = command(tmp_path, *call, "--arg", "x=[[1, 2], [3, 4]]", "--emit-stub")
    assert "def scale(x: numpy" in done.stdout
    assert done.stdout.endswith("[[3. 2.]\n [3. 4.]]\n3.0\n")
