"""The kit as a command: `python -m xdsl_bufferization.testing toy.cases`.

It tests every OpCase that a module or a Python file defines, prints wrong answers, and
exits with status 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from xdsl_bufferization.testing.case import OpCase
from xdsl_bufferization.testing.check import check_model


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_bufferization.testing", description=__doc__
    )
    parser.add_argument(
        "module", nargs="+", help="a module, or a .py file, that defines OpCase objects"
    )
    sys.path.insert(0, "")
    failed = 0
    for name in parser.parse_args(arguments).module:
        module = _load(name)
        if module is None:
            parser.error(f"there is no module or file {name}")
        cases = {
            key: value for key, value in vars(module).items() if isinstance(value, OpCase)
        }
        if not cases:
            print(f"{name}: it defines no OpCase")
            failed += 1
        for key, case in cases.items():
            wrong = check_model(case)
            print(f"{name}: {key}: {f'{len(wrong)} wrong' if wrong else 'right'}")
            for answer in wrong:
                print(f"\n{answer}\n")
            failed += bool(wrong)
    return 1 if failed else 0


def _load(name: str) -> ModuleType | None:
    """A module by its name or its file; None if there is no such module."""
    if name.endswith(".py"):
        path = Path(name)
        spec = spec_from_file_location(path.stem, path) if path.is_file() else None
        if spec is None or spec.loader is None:
            return None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            return None
        raise


if __name__ == "__main__":
    sys.exit(main())
