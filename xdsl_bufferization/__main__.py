"""`python -m xdsl_bufferization --version`: print the installed versions."""

from __future__ import annotations

from argparse import ArgumentParser
from importlib.metadata import version

from xdsl_bufferization.patching import TESTED_XDSL, is_tested, xdsl_version


def _versions() -> str:
    installed = (
        f"xdsl-bufferization {version('xdsl-bufferization')}, xDSL {xdsl_version()}"
    )
    if is_tested():
        return installed
    return f"{installed} (untested; tested with {', '.join(TESTED_XDSL)})"


def main() -> None:
    parser = ArgumentParser(
        prog="python -m xdsl_bufferization",
        description="The passes are run by xdsl-opt: `xdsl-opt FILE -p "
        "bufferization-pipeline`. Other commands: python -m xdsl_bufferization.jit, "
        ".report, .planner, .testing.",
    )
    parser.add_argument(
        "--version",
        action="version",
        version=_versions(),
        help="print the versions of this package and of xDSL, and whether they were "
        "tested together",
    )
    parser.parse_args()
    parser.print_help()


if __name__ == "__main__":
    main()
