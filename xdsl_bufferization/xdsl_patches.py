"""Changes to xDSL that must be made when the plug-in is loaded.

Each patch says what it mends and why it cannot be done elsewhere. A patch of a module
that is not imported yet waits until it is, so that start-up costs nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import wraps
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from itertools import chain
from types import ModuleType
from typing import Any

from xdsl.ir import Operation, core
from xdsl.passes import ModulePass as XDSLModulePass

from xdsl_bufferization.dialects.late_formats import compile_formats_late
from xdsl_bufferization.error_positions import (
    name_place_of_verification_errors,
    without_traceback,
)
from xdsl_bufferization.locations import (
    lines_before,
    location_of_new_op,
    record_locations,
)


def patch_locations() -> None:
    """Let ops know where they come from (locations.py).

    xDSL's parser knows the location of an op only from an explicit `loc(...)`, and an op
    has an unknown location unless its builder names one. Neither can be changed from
    outside: the parser is made by the driver, and ops are built everywhere.
    """
    core._unknown_loc = location_of_new_op  # pyright: ignore[reportPrivateUsage]
    _when_imported("xdsl.parser.core", record_locations)
    _when_imported("xdsl.xdsl_opt_main", _count_lines_of_earlier_chunks)


def _count_lines_of_earlier_chunks(driver: ModuleType) -> None:
    """--split-input-file parses the chunks of a file one by one."""
    parse_chunk = driver.xDSLOptMain.parse_chunk

    @wraps(parse_chunk)
    def parse_counted(
        self: Any, chunk: Any, file_extension: str, start_offset: int = 0
    ) -> Any:
        with lines_before(start_offset):
            return parse_chunk(self, chunk, file_extension, start_offset)

    driver.xDSLOptMain.parse_chunk = parse_counted


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


def patch_driver() -> None:
    """Let --print-between-passes and --time-passes show the passes inside of pipelines.

    xDSL's driver calls back between the passes of the command line, and a pass cannot see
    who runs it. With these options a pipeline is replaced by its passes; without them it
    stays one pass, for the driver verifies the program after each.
    """
    _when_imported("xdsl.xdsl_opt_main", _expand_pipelines)


def _expand_pipelines(driver: ModuleType) -> None:
    set_up = driver.xDSLOptMain.setup_pipeline

    @wraps(set_up)
    def set_up_and_expand(self: Any) -> None:
        set_up(self)
        if self.args.print_between_passes or self.args.time_passes:
            passes = chain.from_iterable(map(_passes_inside, self.pipeline.passes))
            self.pipeline = replace(self.pipeline, passes=tuple(passes))

    driver.xDSLOptMain.setup_pipeline = set_up_and_expand


def patch_formats(dialects: Container[str]) -> None:
    """Let xDSL compile the assembly formats of these dialects when they are first used.

    It does so when a dialect is imported, which is most of what the import takes. A
    program has few ops of a dialect, and most that are built are never parsed.
    """
    _when_imported(
        "xdsl.irdl.declarative_assembly_format",
        lambda module: compile_formats_late(module, dialects),
    )


def patch_errors() -> None:
    """Let errors say where in the program they are, and without a traceback.

    What xDSL says of an op that does not verify, and how its driver ends, helps the
    developers of xDSL. Both change only when something of this package is in use.
    """
    name_place_of_verification_errors()
    _when_imported("xdsl.xdsl_opt_main", _show_diagnostics_alone)


def _show_diagnostics_alone(driver: ModuleType) -> None:
    set_up = driver.xDSLOptMain.setup_pipeline

    @wraps(set_up)
    def show_and_set_up(self: Any) -> None:
        sys.excepthook = without_traceback(sys.excepthook)
        set_up(self)

    driver.xDSLOptMain.setup_pipeline = show_and_set_up


def _passes_inside(module_pass: XDSLModulePass) -> Sequence[XDSLModulePass]:
    expand = getattr(module_pass, "expand", None)
    return (module_pass,) if expand is None else expand()


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
