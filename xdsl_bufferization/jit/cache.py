"""Compiled modules in a folder: `compile(..., cache=True)`.

The key of an entry covers everything that affects the generated code: the module's
text, the options, the given functions, this machine's CPU, the versions of all packages
involved, and the source files of this package and of every plug-in, so that a change to
a pass makes a new entry. Text is hashed without parsing it.

Any number of processes may use one folder. An entry is written to a separate file and
then renamed, so that no process sees a partial entry; its first bytes are a checksum of
the rest, and an entry that does not match is compiled again. A folder that cannot be
written only causes a warning. Entries hold machine code, so the folder must be the
user's own.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.metadata import PackageNotFoundError, entry_points, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xdsl.utils.exceptions import JITException

from xdsl_bufferization.jit.build import Functions
from xdsl_bufferization.jit.callbacks import given_address
from xdsl_bufferization.jit.compiled import Compiled
from xdsl_bufferization.jit.engine import describe_machine
from xdsl_bufferization.jit.options import Options, Source, read_source

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

_FORMAT = 2
"""To be raised when entries are written in another way."""


@dataclass(frozen=True)
class Entry:
    """Where a compiled module is, or would be."""

    path: Path

    def read(self) -> Compiled | None:
        """Return what is kept; None if that is nothing, or damaged."""
        try:
            data = self.path.read_bytes()
        except OSError:
            return None
        checksum, content = data[:32], data[32:]
        if hashlib.sha256(content).digest() != checksum:
            return None
        return Compiled.from_bytes(content)

    def write(self, compiled: Compiled) -> None:
        """Keep a compiled module, or warn that it cannot be kept."""
        content = compiled.to_bytes()
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.path.parent, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(content).digest() + content)
                os.replace(name, self.path)
            except BaseException:
                os.unlink(name)
                raise
        except OSError as error:
            warnings.warn(
                f"the compiled module cannot be kept in {self.path.parent}: {error}",
                RuntimeWarning,
                stacklevel=4,
            )


def find(
    folder: bool | str | os.PathLike[str],
    source: Source,
    options: Options,
    functions: Functions,
) -> Entry | None:
    """Return the entry of a module; None if what a pass does cannot be told by a key."""
    if not isinstance(cast(object, folder), bool | str | os.PathLike):
        raise JITException(
            f"cache is {folder!r}; it must be True, False or the path of a folder."
        )
    passes = _describe_pipeline(options)
    if passes is None:
        return None
    read = read_source(source)
    decisive = fields(options)
    in_c = [name for name, function in functions.items() if given_address(function)]
    key: list[Any] = [
        _FORMAT,
        str(source) if read is None else read[0],
        [passes if f.name == "pipeline" else getattr(options, f.name) for f in decisive],
        sorted(in_c),
        sorted(functions.keys() - in_c),
        describe_machine(),
        _versions(),
    ]
    digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()
    parent = default_folder() if isinstance(folder, bool) else Path(folder)
    return Entry(parent / f"{digest}.jit")


def default_folder() -> Path:
    """Return the folder of `cache=True`: that of the XDG base directory specification."""
    base = os.environ.get("XDG_CACHE_HOME")
    parent = Path(base) if base and os.path.isabs(base) else Path.home() / ".cache"
    return parent / "xdsl-bufferization" / "jit"


def _describe_pipeline(options: Options) -> Any:
    if isinstance(options.pipeline, str):
        return options.pipeline
    described = [_describe_pass(stage) for stage in options.pipeline]
    return None if None in described else described


def _describe_pass(stage: ModulePass) -> Any:
    """A pass, its options, and the version of its source; None if it has no source."""
    module = sys.modules.get(type(stage).__module__)
    file = getattr(module, "__file__", None)
    if file is None:
        return None
    return [type(stage).__qualname__, str(stage.pipeline_pass_spec()), _stamp(file)]


@cache
def _versions() -> Sequence[Any]:
    """The versions of all that takes part in compiling."""
    packages = ["xdsl", "llvmlite", "ml_dtypes"]
    roots = {"xdsl_bufferization"}
    for point in entry_points(group="xdsl.universe"):
        roots.add(point.module.partition(".")[0])
        if point.dist is not None:
            packages.append(point.dist.name)
    stamps = [
        [str(file), *_stamp(file)]
        for root in sorted(roots)
        for file in sorted(_source_files(root))
    ]
    return [[name, _version(name)] for name in sorted(set(packages))] + stamps


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _source_files(package: str) -> Iterator[str]:
    spec = find_spec(package)
    for folder in spec.submodule_search_locations or () if spec else ():
        for path, _, names in os.walk(folder):
            yield from (os.path.join(path, name) for name in names if name[-3:] == ".py")


def _stamp(file: str) -> tuple[int, int]:
    status = os.stat(file)
    return status.st_size, status.st_mtime_ns
