"""The changes to xDSL: each is needed, mends what it says, and is applied only then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from xdsl_bufferization.patching import xdsl_version
from xdsl_bufferization.xdsl_patches import all_patches
from xdsl_bufferization.xdsl_probes import PROBES

pytestmark = pytest.mark.long

PATCHES = {patch.name: patch for patch in all_patches(own_formats=())}

NEEDED_STILL = {
    # The change shows only when the driver ends, or there is nothing in xDSL to see.
    "diagnostics without a traceback",
    "lines of chunks",
    "passes inside pipelines",
}

PROGRAM = """
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
COMMAND = (
    "import sys, warnings\n"
    "warnings.simplefilter('always')\n"
    "from xdsl.tools.xdsl_opt import main\n"
    "sys.argv = ['xdsl-opt', '-p', 'bufferization-pipeline']\n"
    "main()\n"
)


def run(script: str, program: str = "") -> tuple[str, str]:
    """The output and the errors of a new process of Python."""
    process = subprocess.run(
        [sys.executable, "-c", script],
        input=program,
        capture_output=True,
        text=True,
        check=True,
    )
    return process.stdout, process.stderr


def needed(set_up: str) -> set[str]:
    probe_all = (
        "from xdsl_bufferization.xdsl_probes import PROBES\n"
        "print(*(name for name, probe in PROBES.items() if probe()), sep='\\n')\n"
    )
    return set(run(set_up + probe_all)[0].splitlines())


def test_each_patch_has_a_probe() -> None:
    assert PROBES.keys() == PATCHES.keys()


def test_xdsl_needs_every_patch() -> None:
    assert needed("") == PATCHES.keys()


def test_patches_mend_what_the_probes_find() -> None:
    load = (
        "import xdsl_bufferization.universe\n"
        "from xdsl_bufferization.guest import take_over\n"
        "take_over()\n"
    )
    assert needed(load) == NEEDED_STILL


@pytest.mark.parametrize("half", [0, 1], ids=["even", "odd"])
def test_patches_of_what_has_changed_switch_themselves_off(half: int) -> None:
    """xDSL's functions take other parameters: they stay as they are, a warning for each
    says what is lost, the other patches are applied, and the main job works."""
    changed = {
        next(target for target in patch.changes if "(" in target): patch
        for patch in [*PATCHES.values()][half::2]
    }
    change = (
        "from importlib import import_module\n"
        "def change(module, path):\n"
        "    owner = import_module(module)\n"
        "    *outer, name = path.split('.')\n"
        "    for part in outer:\n"
        "        owner = getattr(owner, part)\n"
        "    inside = vars(owner).get(name)\n"
        "    is_method = isinstance(inside, staticmethod | classmethod)\n"
        "    original = inside.__func__ if is_method else getattr(owner, name)\n"
        "    def changed(*args, other=None, **kwargs):\n"
        "        return original(*args, **kwargs)\n"
        "    setattr(owner, name, type(inside)(changed) if is_method else changed)\n"
    )
    for target, patch in changed.items():
        change += f"change({patch.module!r}, {target.partition('(')[0]!r})\n"
    output, errors = run(change + COMMAND, PROGRAM)
    for target in changed:
        path = target.partition("(")[0]
        assert f"XDSLChangedWarning: xDSL {xdsl_version()} has changed {path}" in errors
    lost = {name for name, patch in PATCHES.items() if f"{patch.lost}." in errors}
    assert lost == {
        name
        for name, patch in PATCHES.items()
        if not changed.keys().isdisjoint(patch.changes)
    }
    assert "memref.store" in output


def test_an_untested_xdsl_gets_the_patches_that_it_needs() -> None:
    script = "from xdsl_bufferization import patching\npatching.TESTED_XDSL = ()\n"
    output, errors = run(script + COMMAND, PROGRAM)
    assert "memref.store" in output
    assert not errors


def test_an_xdsl_that_mends_something_itself_is_left_alone() -> None:
    script = (
        "from xdsl.dialects.builtin import DenseIntOrFPElementsAttr\n"
        "from xdsl_bufferization import patching, xdsl_probes\n"
        "patching.TESTED_XDSL = ()\n"
        "xdsl_probes.PROBES['large constants'] = lambda: False\n"
        "before = DenseIntOrFPElementsAttr.from_list\n"
        "import xdsl_bufferization.universe\n"
        "print(DenseIntOrFPElementsAttr.from_list is before)\n"
    )
    assert run(script) == ("True\n", "")


def test_version_says_whether_xdsl_was_tested() -> None:
    script = (
        "import sys\n"
        "from xdsl_bufferization import patching\n"
        "{}"
        "from xdsl_bufferization.__main__ import main\n"
        "sys.argv = ['xdsl_bufferization', '--version']\n"
        "main()\n"
    )
    tested, _ = run(script.format(""))
    assert "untested" not in tested
    untested, _ = run(script.format("patching.TESTED_XDSL = ('0.74.1',)\n"))
    assert "(untested; tested with 0.74.1)" in untested


def test_the_documents_list_every_patch() -> None:
    text = (Path(__file__).parents[1] / "docs" / "guest.md").read_text()
    section = text.partition("## Changes to xDSL itself")[2].partition("\n## ")[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if "|" in line]
    assert set(rows[2:]) == PATCHES.keys()
