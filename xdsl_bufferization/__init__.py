"""MLIR's bufferization for xDSL: from tensors to memrefs, deallocation, the LLVM
dialect and running code.

    >>> import xdsl_bufferization
    >>> module = xdsl_bufferization.bufferize(text, bufferize_function_boundaries=True)
    >>> module = xdsl_bufferization.lower(xdsl_bufferization.deallocate(module))

docs/python.md describes these functions. Importing the package is almost free: every
function, dialect, model and pass is loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl_bufferization import jit as jit
    from xdsl_bufferization.api import (
        bufferize as bufferize,
        deallocate as deallocate,
        lower as lower,
        parse as parse,
        verify as verify,
    )
    from xdsl_bufferization.report.explanation import Report as Report, explain as explain

    __version__: str

__all__ = [
    "Report",
    "__version__",
    "bufferize",
    "deallocate",
    "explain",
    "jit",
    "lower",
    "parse",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("xdsl-bufferization")
    if name in __all__:
        from importlib import import_module

        if name == "jit":
            return import_module("xdsl_bufferization.jit")
        module = "report.explanation" if name in ("Report", "explain") else "api"
        return getattr(import_module(f"xdsl_bufferization.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
