"""docs/new-dialect.md: its code is installed as a plug-in of its own and run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "new-dialect.md"
PIPELINE = (
    "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline"
)


def blocks(kind: str) -> dict[str, str]:
    """The code blocks of the page whose first line ends in `kind`: the rest of that line,
    and the code."""
    found = re.findall(
        r"^```\w+ " + kind + r"(\S*)\n(.*?)^```", PAGE.read_text(), re.M | re.S
    )
    return dict(found)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages with the page's plug-in in it."""
    folder = tmp_path_factory.mktemp("new_dialect")
    files = blocks("file=")
    project = tomllib.loads(files["pyproject.toml"])["project"]
    info = f"{project['name']}-{project['version']}.dist-info"
    points = "\n".join(
        f"[{group}]\n" + "\n".join(f"{name} = {where}" for name, where in points.items())
        for group, points in project["entry-points"].items()
    )
    wheel = folder / f"{project['name']}-{project['version']}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            if name.endswith(".py"):
                archive.writestr(name, text)
        archive.writestr(f"{info}/entry_points.txt", points)
        archive.writestr(
            f"{info}/METADATA",
            f"Metadata-Version: 2.1\nName: {project['name']}\n"
            f"Version: {project['version']}\n",
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        archive.writestr(f"{info}/RECORD", "")
    target = folder / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*install, "--target", str(target), str(wheel)], check=True)
    for name in ("program.mlir", "power.mlir", "run.py"):
        (folder / name).write_text(files[name])
    return target


def run(site: Path, pipeline: str, program: str = "program.mlir") -> str:
    command = [str(Path(sys.executable).parent / "xdsl-opt"), "-p", pipeline]
    return subprocess.run(
        [*command, str(site.parent / program)],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_output_is_as_shown(site: Path) -> None:
    assert run(site, PIPELINE).strip() == blocks("output")[""].strip()


def test_the_program_that_is_run_prints_what_is_shown(site: Path) -> None:
    printed = subprocess.run(
        [sys.executable, "run.py"],
        cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.strip() == blocks("printed")[""].strip()


def test_page_shows_the_command() -> None:
    assert PIPELINE in PAGE.read_text()


@pytest.mark.parametrize(
    "name",
    [
        *("toy/axpy.py", "toy/choose.py", "toy/double.py", "toy/invoke.py"),
        *("toy/iota.py", "toy/minmax.py", "toy/repeat.py", "toy/tail.py"),
    ],
)
def test_an_op_takes_at_most_twenty_lines(name: str) -> None:
    lines = blocks("file=")[name].splitlines()
    code = [
        line
        for line in lines
        if line.strip() and not line.startswith(("from ", "import "))
    ]
    assert len(code) <= 20


def test_each_destination_has_a_buffer_of_its_own(site: Path) -> None:
    program = """
    func.func @f(%x: tensor<8xf32>) -> (tensor<f32>, tensor<f32>) {
      %e = tensor.empty() : tensor<f32>
      %r:2 = "toy.minmax"(%x, %e, %e)
        : (tensor<8xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      return %r#0, %r#1 : tensor<f32>, tensor<f32>
    }"""
    (site.parent / "minmax.mlir").write_text(program)
    text = run(site, PIPELINE, "minmax.mlir")
    assert text.count("memref.alloc()") == 2
    assert "memref.copy" not in text


def test_copy_where_the_destination_is_read_later(site: Path) -> None:
    text = (site.parent / "program.mlir").read_text()
    other = text.replace("tensor.extract %0", "tensor.extract %x")
    assert other != text
    (site.parent / "program.mlir").write_text(other)
    try:
        assert run(site, PIPELINE).count("memref.copy") == 1
    finally:
        (site.parent / "program.mlir").write_text(text)
