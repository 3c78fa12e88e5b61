"""The kit as a command: `python -m xdsl_bufferization.testing toy.cases`.

It tests every OpCase that a module defines, prints what is wrong, and exits with status 1
if anything is.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from xdsl_bufferization.testing.case import OpCase
from xdsl_bufferization.testing.check import check_model


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_bufferization.testing", description=__doc__
    )
    parser.add_argument("module", nargs="+", help="a module that defines OpCase objects")
    sys.path.insert(0, "")
    failed = 0
    for name in parser.parse_args(arguments).module:
        cases = {
            key: value
            for key, value in vars(import_module(name)).items()
            if isinstance(value, OpCase)
        }
        if not cases:
            print(f"{name}: it defines no OpCase")
            failed += 1
        for key, case in cases.items():
            wrong = check_model(case)
            print(f"{name}.{key}: {f'{len(wrong)} wrong' if wrong else 'right'}")
            for answer in wrong:
                print(f"\n{answer}\n")
            failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
