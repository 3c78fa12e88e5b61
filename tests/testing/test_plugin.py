"""The kit as a plugin of pytest and as a command."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from xdsl_bufferization.testing.__main__ import main

ROOT = Path(__file__).parent.parent.parent
PLUGIN = "xdsl_bufferization.testing.plugin"
HEAD = "from xdsl_bufferization.testing import OpCase\n"
CASE = "'%r = arith.constant dense<1.0> : tensor<4xf32>', {}"
RIGHT = f"OpCase({CASE})"
WRONG = f"OpCase({CASE}, meaning=lambda: [2.0] * 4)"


def run_pytest(folder: Path, text: str) -> str:
    (folder / "test_cases.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-rA"]
    run = subprocess.run(
        [*command, "-p", PLUGIN, "test_cases.py"],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
    )
    return run.stdout


def test_a_case_is_a_test(tmp_path: Path) -> None:
    cases = f"test_one = {RIGHT}\ntest_two = {WRONG}\nother = {WRONG}\n"
    printed = run_pytest(tmp_path, HEAD + cases)
    assert "PASSED test_cases.py::test_one" in printed
    assert "FAILED test_cases.py::test_two" in printed
    assert "1 failed, 1 passed" in printed
    assert "not what the op means" in printed
    assert "Traceback" not in printed


def test_the_fixture_checks_a_case(tmp_path: Path) -> None:
    use = f"""
def test_right(check_bufferization):
    check_bufferization({RIGHT})

def test_wrong(check_bufferization):
    check_bufferization({WRONG})
"""
    assert "1 failed, 1 passed" in run_pytest(tmp_path, HEAD + use)


def test_pytest_finds_the_plugin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}


def test_the_plugin_imports_nothing_but_pytest() -> None:
    script = (
        f"import sys, pytest; before = set(sys.modules); import {PLUGIN}; "
        "print(sorted(set(sys.modules) - before))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    loaded = ["xdsl_bufferization", "xdsl_bufferization.testing", PLUGIN]
    assert run.stdout.strip() == str(loaded)


@pytest.mark.parametrize("name", ["cases", "cases.py"])
def test_the_command_prints_what_is_wrong(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    file = f"{name.removesuffix('.py')}.py"
    (tmp_path / f"right_{file}").write_text(f"{HEAD}one = {RIGHT}\n")
    (tmp_path / f"wrong_{file}").write_text(f"{HEAD}two = {WRONG}\n")
    assert main([f"right_{name}"]) == 0
    assert f"right_{name}: one: right" in capsys.readouterr().out
    assert main([f"wrong_{name}"]) == 1
    printed = capsys.readouterr().out
    assert f"wrong_{name}: two: 1 wrong" in printed
    assert "not what the op means" in printed


@pytest.mark.parametrize("name", ["no_such_module", "no_such_file.py", "json.no_such"])
def test_the_command_names_what_is_not_there(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([name])
    assert f"no module or file {name}" in capsys.readouterr().err
