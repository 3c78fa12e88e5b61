"""The notebooks run as scripts, and marimo finds nothing wrong with them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("marimo", reason="marimo is part of the extra `dev`")

NOTEBOOKS = sorted((Path(__file__).parent.parent / "docs" / "notebooks").glob("*.py"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_as_a_script(notebook: Path, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, str(notebook)],
        check=False,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr


def test_marimo_accepts_the_notebooks() -> None:
    check = [sys.executable, "-m", "marimo", "check", "--strict"]
    run = subprocess.run(
        [*check, *map(str, NOTEBOOKS)], check=False, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
