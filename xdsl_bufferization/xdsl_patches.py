"""Changes to xDSL that must be made when the plug-in is loaded.

Each patch says what it mends and why it cannot be done elsewhere. A patch of a module
that is not imported yet waits until it is, so that start-up costs nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from xdsl.ir import Operation


def patch_interpreter() -> None:
    """Let xDSL's interpreter run refined ops.

    It looks up the implementation of an op by the op's exact class, so that it knows none
    of the subclasses by which this package refines xDSL's ops. An op whose class has no
    implementation takes the one of its nearest base class.
    """
    _when_imported("xdsl.interpreter", _look_up_base_classes)


def _look_up_base_classes(interpreter: ModuleType) -> None:
    implementations = interpreter._InterpreterFunctionImpls
    for method, table in (("run", "_impl_dict"), ("call", "_callable_impl_dict")):
        original = getattr(implementations, method)
        setattr(implementations, method, _with_inherited(original, table))


def _with_inherited(method: Callable[..., Any], table: str) -> Callable[..., Any]:
    @wraps(method)
    def call(self: Any, interpreter: Any, op: Operation, args: Any) -> Any:
        known: dict[type[Operation], Any] = getattr(self, table)
        if type(op) not in known:
            for base in type(op).__mro__[1:]:
                if base in known:
                    known[type(op)] = known[base]
                    break
        return method(self, interpreter, op, args)

    return call


def _when_imported(name: str, patch: Callable[[ModuleType], None]) -> None:
    """Apply `patch` to a module of xDSL, now or as soon as it is imported."""
    if (module := sys.modules.get(name)) is not None:
        patch(module)
    else:
        sys.meta_path.insert(0, _PatchingFinder(name, patch))


class _PatchingFinder(MetaPathFinder):
    """Finds one module as Python would, and patches it when it is executed."""

    def __init__(self, name: str, patch: Callable[[ModuleType], None]) -> None:
        self.name, self.patch = name, patch

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            _patch_after_execution(spec.loader, self.patch)
        return spec


def _patch_after_execution(loader: Loader, patch: Callable[[ModuleType], None]) -> None:
    execute = loader.exec_module

    def execute_and_patch(module: ModuleType) -> None:
        execute(module)
        patch(module)

    loader.exec_module = execute_and_patch
