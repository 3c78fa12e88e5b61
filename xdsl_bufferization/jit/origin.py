"""The source of a compiled module, kept for `Module.explain`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from xdsl_bufferization.jit.options import Options, Source, read_source

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True)
class Origin:
    """What a module was compiled from.

    Attributes:
        source: the program, as it was.
        name: the name of its file.
        context: the context that it was compiled in; None for one with all dialects.
        in_python: the functions that are defined in Python.
    """

    source: Source
    name: str
    options: Options
    context: Context | None
    in_python: Collection[str]

    @staticmethod
    def of(
        source: Source,
        options: Options,
        context: Context | None,
        in_python: Collection[str],
    ) -> Origin:
        """Keep a source: the module or file may change later."""
        read = read_source(source)
        if read is None:
            kept, name = cast("ModuleOp", source).clone(), ""
        else:
            kept, name = read
        return Origin(kept, name, options, context, in_python)
