"""The patch offered to xDSL applies to the version tested, and does what it says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import xdsl

PATCH = (
    Path(__file__).parents[1] / "docs/upstream/xdsl-diagnostics-without-traceback.patch"
)
PROGRAM = """
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %t, %t : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


@pytest.fixture(scope="module")
def patched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("patch") is None:
        pytest.skip("the command patch, which the test applies a patch with, is missing")
    folder = tmp_path_factory.mktemp("patched")
    shutil.copytree(Path(xdsl.__file__).parent, folder / "xdsl")
    subprocess.run(
        ["patch", "-p1", "--fuzz=0", "-i", str(PATCH)],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder


@pytest.mark.parametrize(
    ("program", "passes", "message"),
    [
        (PROGRAM, "one-shot-bufferize", "stdin:3:8: error: arith.addf: op"),
        (PROGRAM, "one-shot-bufferize{buffer-alignment=3}", "one-shot-bufferize: buffer"),
        (PROGRAM, "one-shot-bufferize{", "Error parsing pass pipeline"),
        ("func.func @f( {", "", "stdin:1:15"),
    ],
)
def test_errors_have_no_traceback(
    patched: Path, program: str, passes: str, message: str
) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "xdsl.tools.xdsl_opt", "-p", passes],
        input=program,
        env={**os.environ, "PYTHONPATH": str(patched)},
        cwd=patched,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.startswith(message)


def test_success_is_as_before(patched: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "xdsl.tools.xdsl_opt"],
        input=PROGRAM,
        env={**os.environ, "PYTHONPATH": str(patched)},
        cwd=patched,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0
    assert "arith.addf" in result.stdout
