"""Builds the sdist and, from it, the wheel into dist/, and tries both.

The sdist must hold every file of the repository, and the wheel must work in a clean
environment, apart from the repository, with each version of xDSL that it supports.

    python scripts/try_wheel.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

from xdsl_bufferization.patching import TESTED_XDSL

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
ONLY_IN_CLONES = (".ci/", ".gitignore")
PIPELINE = (
    "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline"
)
CASE = """
from xdsl_bufferization.testing import OpCase

test_model = OpCase("%r = arith.constant dense<1.0> : tensor<4xf32>", {})
"""
WHERE = """
import pathlib, sys, xdsl_bufferization
package = pathlib.Path(xdsl_bufferization.__file__).parent
assert package.is_relative_to(sys.prefix), f"imported from {package}"
assert (package / "py.typed").exists(), "py.typed is missing"
"""


def main() -> int:
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT)
    (sdist,) = DIST.glob("*.tar.gz")
    (wheel,) = DIST.glob("*.whl")
    missing = missing_from(sdist)
    if missing:
        print(f"{sdist.name} lacks files of the repository:", *missing, sep="\n  ")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        try_wheel(wheel, Path(folder))
    print(f"{sdist.name} is complete, {wheel.name} works in a clean environment")
    return 0


def missing_from(sdist: Path) -> list[str]:
    """Files that git tracks and the sdist does not hold."""
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    return [
        name
        for name in tracked
        if name not in held and not name.startswith(ONLY_IN_CLONES)
    ]


def try_wheel(wheel: Path, folder: Path) -> None:
    """Run passes with the bare wheel; then install the extra `jit`, and run the demo;
    at last both with each supported version of xDSL, where a warning is an error."""
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "-q", "--disable-pip-version-check")
    install = (*pip, "--no-compile")
    examples = folder / "examples"
    shutil.copytree(ROOT / "examples", examples)

    run(*install, wheel)
    run(python, "-c", WHERE, cwd=folder)
    passes = (python.with_name("xdsl-opt"), "insert.mlir", "-p", PIPELINE)
    run(*passes, cwd=examples, stdout=subprocess.DEVNULL)

    run(*install, f"{wheel}[jit]")
    run(python, "demo.py", cwd=examples)

    run(*install, "pytest")
    (folder / "test_model.py").write_text(CASE)
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=folder)

    os.environ["PYTHONWARNINGS"] = "error::UserWarning"
    for version in TESTED_XDSL:
        run(*install, f"xdsl=={version}")
        run(*passes, cwd=examples, stdout=subprocess.DEVNULL)
        run(python, "demo.py", cwd=examples, stdout=subprocess.DEVNULL)


def run(*command: str | Path, cwd: Path = ROOT, stdout: int | None = None) -> None:
    subprocess.run(command, cwd=cwd, check=True, stdout=stdout)


if __name__ == "__main__":
    sys.exit(main())
