"""A kit that tests the model of an op: whether its answers match the observed
behaviour.

    >>> from xdsl_bufferization.testing import OpCase, check_model
    >>> case = OpCase(
    ...     '%r = "toy.axpy"(%a, %x, %y) : (f32, tensor<4xf32>, tensor<4xf32>)'
    ...     " -> tensor<4xf32>",
    ...     {"%a": "f32", "%x": "tensor<4xf32>", "%y": "tensor<4xf32>"},
    ...     lowering=[LowerToyPass()],
    ...     meaning=lambda a, x, y: a * x + y,
    ... )
    >>> check_model(case)
    []

The op is executed on memory that is poisoned until it is written, and each answer of
its model is compared with the behaviour of the op. Then small programs around it are
compiled, and their results, frees and leaks are checked. Needs llvmlite and NumPy: `pip
install 'xdsl-bufferization[jit]'`. docs/model-testing.md describes the details.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl_bufferization.testing.answers import WrongAnswer as WrongAnswer
    from xdsl_bufferization.testing.case import OpCase as OpCase
    from xdsl_bufferization.testing.check import (
        assert_model as assert_model,
        check_model as check_model,
    )

__all__ = ["OpCase", "WrongAnswer", "assert_model", "check_model"]

_MODULES = {
    "OpCase": "case",
    "WrongAnswer": "answers",
    "assert_model": "check",
    "check_model": "check",
}


def __getattr__(name: str) -> Any:
    # Lazily: pytest imports this package for its plugin, in every project.
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
