"""Where the tools of MLIR 22 are: mlir-opt, mlir-runner and the runner's libraries.

`XDSL_MLIR_OPT` names mlir-opt, as in xDSL's own tests. Without it, the first of
`mlir-opt-22` and `mlir-opt` on PATH that is version 22 is used. This module imports
nothing but the standard library, because lit's configuration reads it as well.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path

MLIR_VERSION = "22"
VARIABLE = "XDSL_MLIR_OPT"


@functools.cache
def find_mlir_opt() -> tuple[str | None, str]:
    """The path of mlir-opt 22, or None and the reason why there is none."""
    if path := os.environ.get(VARIABLE):
        fault = _fault_of(path)
        return (None, f"{VARIABLE}={path} {fault}") if fault else (path, "")
    for name in (f"mlir-opt-{MLIR_VERSION}", "mlir-opt"):
        found = shutil.which(name)
        if found and _fault_of(found) is None:
            return found, ""
    return None, (
        f"no mlir-opt {MLIR_VERSION} on PATH: install it, or set {VARIABLE} to its path"
    )


def _fault_of(path: str) -> str | None:
    try:
        version = subprocess.run(
            [path, "--version"], check=False, capture_output=True, text=True, timeout=60
        ).stdout
    except OSError as error:
        return f"does not run: {error}"
    if f"version {MLIR_VERSION}." not in version:
        return f"is not version {MLIR_VERSION}"
    return None


def missing_oracle() -> str | None:
    """Why mlir-opt cannot be asked, or None when it can."""
    return find_mlir_opt()[1] or None


def mlir_opt_path() -> str:
    """The path of mlir-opt 22. Raises FileNotFoundError when there is none."""
    path, reason = find_mlir_opt()
    if path is None:
        raise FileNotFoundError(reason)
    return path


def mlir_tool(name: str) -> str:
    """The path of another tool of the same MLIR build, such as `mlir-runner`."""
    folder, file = os.path.split(mlir_opt_path())
    return os.path.join(folder, file.replace("mlir-opt", name))


def runner_library(name: str = "libmlir_c_runner_utils") -> Path | None:
    """A shared library of the same MLIR build, or None when it is not installed.

    Debian's packages install it under its version alone (`libX.so.22.1`); the
    unversioned name, where it exists, comes first.
    """
    build = Path(os.path.realpath(mlir_opt_path())).parent.parent
    return next(iter(sorted((build / "lib").glob(f"{name}.so*"))), None)
