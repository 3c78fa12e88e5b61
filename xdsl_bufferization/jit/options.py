"""The options of `compile`, checked before any work is done.

A new option is a field here and a parameter of `compile`. Everything that affects the
generated code is a field, so that the cache distinguishes modules by it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from xdsl.utils.exceptions import JITException

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

DEFAULT_PIPELINE = (
    "noalias-tensor-arguments,bufferization-pipeline,lower-to-llvm-pipeline"
)

Source: TypeAlias = "ModuleOp | str | os.PathLike[str]"
PipelineSpec: TypeAlias = "str | Sequence[ModulePass]"


_ARENA_HINT = (
    " For an arena from the caller, or on the stack, plan in the pipeline: "
    "'bufferization-pipeline{plan-memory arena=argument},lower-to-llvm-pipeline'."
)


@dataclass(frozen=True)
class Options:
    """The options of `compile` that decide what code comes out."""

    pipeline: PipelineSpec = DEFAULT_PIPELINE
    opt_level: int = 2
    count: bool = False
    functional: bool = False
    check: bool = True
    plan_memory: bool = False

    def __post_init__(self) -> None:
        if self.opt_level not in (0, 1, 2, 3):
            raise JITException(
                f"opt_level is {self.opt_level!r}; it must be 0, 1, 2 or 3."
            )
        for name in ("count", "functional", "check", "plan_memory"):
            value = getattr(self, name)
            if not isinstance(value, bool):
                hint = _ARENA_HINT if name == "plan_memory" else ""
                raise JITException(
                    f"{name} is {value!r}; it must be True or False.{hint}"
                )


def is_path(source: object) -> bool:
    """Whether a source is the path of a file: a string is one if it ends in .mlir, names
    something that exists, or has a slash and nothing that separates words of MLIR."""
    if isinstance(source, os.PathLike):
        return True
    if not isinstance(source, str) or "\n" in source or len(source) > 4096:
        return False
    if source.endswith(".mlir") or os.path.exists(source):
        return True
    return os.sep in source and not re.search(r"[\s\"{}@%#]|^//", source)


def read_source(source: Source) -> tuple[str, str] | None:
    """Return the text of a source and the name of what it is from; None for a ModuleOp.

    Raises:
        JITException: when it is nothing that could be compiled.
    """
    if is_path(source):
        name = str(source)
        try:
            with open(name, encoding="utf-8") as file:
                return file.read(), name
        except OSError as error:
            raise JITException(f"cannot read {name}: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise JITException(f"cannot read {name}: it is no text: {error}") from None
    if isinstance(source, str):
        return source, "<text>"
    # Without an import of xDSL: only who has imported it can have a ModuleOp.
    if any(base.__name__ == "ModuleOp" for base in type(source).__mro__):
        return None
    raise JITException(
        f"cannot compile {source!r} of type {type(source).__name__}; expected a "
        "ModuleOp, MLIR text, or the path of an MLIR file."
    )
