"""Diagnostics for errors in models of user-defined dialects: they name the op, the model
and the method.

Exceptions in models of this package are bugs of the package, and are not converted.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.error_positions import name_of
from xdsl_bufferization.interfaces.diagnostics import describe

_PACKAGE = __name__.partition(".")[0]


class ModelError(PassFailedException):
    """A method of a model returns or does what its interface does not allow."""


def is_of_this_package(model: object) -> bool:
    """Whether a model comes with this package, rather than with a dialect of a user's."""
    return is_of_package(model.__class__)


def is_of_package(class_: type) -> bool:
    """Whether a class is one of this package."""
    return class_.__module__.partition(".")[0] == _PACKAGE


def method_of(model: object, method: str) -> str:
    """A method of a model, as an error names it."""
    return f"{model.__class__.__name__}.{method}"


def refuse(op: Operation, model: object, method: str, problem: str) -> ModelError:
    """The error for what a method of a model does wrong."""
    return ModelError(
        f"{name_of(op)}: {method_of(model, method)} {problem}{describe(op)}"
    )
