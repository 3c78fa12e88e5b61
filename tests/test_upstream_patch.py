"""The patches offered to xDSL apply to the version tested, and do what they say."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import xdsl

PATCHES = sorted((Path(__file__).parents[1] / "docs/upstream").glob("*.patch"))
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
    for patch in PATCHES:
        subprocess.run(
            ["patch", "-p1", "--fuzz=0", "-i", str(patch)],
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
    result = run(patched, ["-m", "xdsl.tools.xdsl_opt", "-p", passes], program)
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr.startswith(message)


def test_success_is_as_before(patched: Path) -> None:
    result = run(patched, ["-m", "xdsl.tools.xdsl_opt"], PROGRAM)
    assert result.returncode == 0
    assert "arith.addf" in result.stdout


VERIFICATION = """
import sys
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func
from xdsl.irdl import operations
from xdsl.parser import Parser
context = Context()
for dialect in (arith.Arith, builtin.Builtin, func.Func):
    context.load_dialect(dialect)
module = Parser(context, sys.stdin.read()).parse_module()
module.verify()
slow, calls = operations.verify_variadic_size, []
operations.verify_variadic_size = lambda *args: calls.append(args) or slow(*args)
module.verify()
print(len(calls))
for op in module.walk():
    if isinstance(op, arith.AddfOp):
        op.operands = op.operands[:1]
module.verify()
"""


def test_verification_by_plans(patched: Path) -> None:
    result = run(patched, ["-c", VERIFICATION], PROGRAM)
    assert result.stdout == "0\n"
    assert "Expected 2 operands, but got 1" in result.stderr


def run(
    patched: Path, arguments: list[str], program: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with the patched xDSL."""
    return subprocess.run(
        [sys.executable, *arguments],
        input=program,
        env={**os.environ, "PYTHONPATH": str(patched)},
        cwd=patched,
        capture_output=True,
        text=True,
        check=False,
    )
