"""Run xDSL's own FileCheck tests with this package installed.

    python -m tests.guest.xdsl_suite [--list]

The tests come with xDSL's source package, which pip fetches at the version that is
installed. A test may differ for a reason that docs/guest.md gives in its table, one row a
test; any other failure, and a row whose test passes, is an error.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path

from tests.preloaded.server import preloaded_commands

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guest.md"
ROW = re.compile(r"^\| `([\w/-]+\.mlir)` \|", re.MULTILINE)


def fetch_source(xdsl_version: str) -> Path:
    """Return the folder of xDSL's source package, fetched once."""
    build = ROOT / "build"
    folder = build / f"xdsl-{xdsl_version}"
    if not folder.exists():
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps")
        source = ("--no-binary", ":all:", f"xdsl=={xdsl_version}")
        subprocess.run([*pip, *source, "--dest", str(build)], check=True)
        with tarfile.open(build / f"xdsl-{xdsl_version}.tar.gz") as archive:
            archive.extractall(build, filter="data")
    return folder


def failing_tests(source: Path) -> set[str]:
    """Return the paths of the tests that fail, below tests/filecheck."""
    results = source.parent / "xdsl-suite.json"
    tools = str(Path(sys.executable).parent)
    # xDSL's own limit, 20 s, is short for a machine with other work.
    options = ("-q", "--timeout", "300", "-o", results)
    os.environ["PYTHONHASHSEED"] = "0"  # llvmlite prints sets of flags
    with preloaded_commands("xdsl.dialects", "xdsl.transforms") as scripts:
        path = os.pathsep.join((str(scripts), tools, os.environ["PATH"]))
        subprocess.run(
            [os.path.join(tools, "lit"), *options, "tests/filecheck"],
            cwd=source,
            env={**os.environ, "PATH": path},
            stdout=subprocess.DEVNULL,
            check=False,
        )
    tests = json.loads(results.read_text())["tests"]
    failed = {test["name"] for test in tests if test["code"] not in PASSING}
    print(f"{len(tests)} tests of xDSL, {len(failed)} do not pass")
    return {name.removeprefix("xDSL :: ") for name in failed}


PASSING = ("PASS", "XFAIL", "UNSUPPORTED")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.guest.xdsl_suite")
    parser.add_argument("--list", action="store_true", help="print what does not pass")
    arguments = parser.parse_args()
    failed = failing_tests(fetch_source(version("xdsl")))
    if arguments.list:
        print("\n".join(sorted(failed)))
    explained = set(ROW.findall(PAGE.read_text()))
    for name in sorted(failed - explained):
        print(f"fails, and docs/guest.md gives no reason: {name}")
    for name in sorted(explained - failed):
        print(f"passes, so its row in docs/guest.md must go: {name}")
    return 0 if failed == explained else 1


if __name__ == "__main__":
    sys.exit(main())
