"""Apply the changes to xDSL (the table `xdsl_patches.py`) that the installed version
needs.

A patch disables itself, with a warning that states what is lost, if the code that it
changes or uses differs from the version that it was written for: a missing attribute, a
method with other parameters. With an untested version of xDSL, a patch is applied only
if a probe (`xdsl_probes.py`) finds that xDSL still needs it.

The patch of a module is applied when the module is imported, so that it adds nothing to
start-up.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import distribution
from importlib.util import find_spec
from inspect import getattr_static
from types import ModuleType
from typing import Any, NamedTuple, cast
from warnings import warn

TESTED_XDSL = ("0.74.0", "0.75.0")
"""The versions of xDSL that the tests of this package have run with."""

Change = Callable[[Any], Any]
"""Returns what replaces a function, given that function."""


class XDSLChangedWarning(UserWarning):
    """xDSL is no longer what a patch was written against, so that it is not applied."""


class Patch(NamedTuple):
    """A change to xDSL.

    Attributes:
        name: what its probe in `xdsl_probes.py` is named.
        module: the module of xDSL that is changed; where a target names another module,
            it is one that this one imports.
        changes: for each target what replaces it. A target is `Class.method(parameters)`,
            `function(parameters)`, or `Class.field` for a field of a dataclass, whose
            replacement gets None. `other.module:` may precede it.
        why: what xDSL does, and why that cannot be mended elsewhere.
        lost: what is lost without the patch.
        until: the xDSL that makes it superfluous.
        uses: other attributes of classes of the module that the replacements use.
    """

    name: str
    module: str
    changes: Mapping[str, Change]
    why: str
    lost: str
    until: str
    uses: Sequence[str] = ()


def apply_patches(patches: Sequence[Patch]) -> None:
    """Apply patches of modules that are imported now, others as soon as theirs is."""
    for patch in patches:
        if patch.module in sys.modules:
            _apply(patch)
        else:
            sys.meta_path.insert(0, _PatchingFinder(patch))


@cache
def xdsl_version() -> str:
    """Return the version of the xDSL that is installed."""
    # `importlib.metadata.version` would import a parser of emails, at every start.
    metadata = distribution("xdsl").read_text("METADATA") or ""
    for line in metadata.splitlines():
        if line.startswith("Version: "):
            return line.removeprefix("Version: ")
    return "unknown"


def is_tested() -> bool:
    """Return whether this package was tested with the xDSL that is installed."""
    return xdsl_version() in TESTED_XDSL


class _ChangedError(Exception):
    """Something in xDSL that a patch changes or uses is not what it was."""


def _apply(patch: Patch) -> None:
    try:
        places = [_find(patch.module, target) for target in patch.changes]
        for used in patch.uses:
            _attribute(patch.module, used)
        if not is_tested() and not _still_needed(patch):
            return
    except _ChangedError as changed:
        warn(
            f"xDSL {xdsl_version()} has changed {changed}, which xdsl-bufferization "
            f"amends. Until there is a version for this xDSL, {patch.lost}.",
            XDSLChangedWarning,
            stacklevel=2,
        )
        return
    for (owner, name, original), change in zip(
        places, patch.changes.values(), strict=True
    ):
        method: Any = getattr_static(owner, name, None)
        kind = type(cast(object, method))
        if kind in (staticmethod, classmethod):
            setattr(owner, name, cast(Any, kind)(change(method.__func__)))
        else:
            setattr(owner, name, change(original))


def _still_needed(patch: Patch) -> bool:
    # Probes are for an xDSL that is not known; others do not pay for their import.
    from xdsl_bufferization.xdsl_probes import PROBES

    try:
        return PROBES[patch.name]()
    except Exception as error:
        raise _ChangedError(f"what '{patch.name}' probes ({error})") from error


def _find(module: str, target: str) -> tuple[Any, str, Any]:
    """Return the owner, the name and the value of a target; of a field no value.

    Raises:
        _ChangedError: the target is not as its text says.
    """
    path, call, parameters = target.partition("(")
    owner, name, value = _attribute(module, path, is_field=not call)
    if not call:
        return owner, name, None
    function = value
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    if code is None or ", ".join(_parameters(code)) != parameters.rstrip(")"):
        raise _ChangedError(target)
    return owner, name, value


def _parameters(code: Any) -> Sequence[str]:
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _attribute(module: str, path: str, is_field: bool = False) -> tuple[Any, str, Any]:
    other, in_other, path = path.rpartition(":")
    *outer, name = path.split(".")
    owner: Any = import_module(other) if in_other else sys.modules[module]
    for part in outer:
        owner = getattr(owner, part, None)
    fields = getattr(owner, "__dataclass_fields__", ())
    if not (name in fields if is_field else hasattr(owner, name)):
        raise _ChangedError(path)
    return owner, name, getattr(owner, name, None)


class _PatchingFinder(MetaPathFinder):
    """Finds one module as Python would, and patches it when it is executed."""

    def __init__(self, patch: Patch) -> None:
        self.patch = patch

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname != self.patch.module:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            _patch_after_execution(spec.loader, self.patch)
        return spec


def _patch_after_execution(loader: Loader, patch: Patch) -> None:
    execute = loader.exec_module

    def execute_and_patch(module: ModuleType) -> None:
        execute(module)
        _apply(patch)

    loader.exec_module = execute_and_patch
