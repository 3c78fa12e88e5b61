"""Diagnostics for ops that their models are not for."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from xdsl.ir import Operation
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import (
    DiagnosticException,
    PassFailedException,
    VerifyException,
)

from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.types import has_tensor_semantics


@contextmanager
def naming_model_mistakes(root: Operation) -> Generator[None]:
    """Let the models of all ops under `root` verify these when the work on them fails.
    The verifier of an op does so too, but only where the model is one of its traits and
    not attached from outside.

    Raises:
        PassFailedException: in place of an exception that a wrong model explains; it
            names the op and the model.
    """
    try:
        yield
    except DiagnosticException:
        raise
    except Exception as error:
        misfit = _find_misfit(walk(root))
        if misfit is None:
            raise
        raise misfit from error


def _find_misfit(ops: Iterable[Operation]) -> PassFailedException | None:
    for op in ops:
        model = BUFFERIZABLE.lookup(op)
        if isinstance(model, OpTrait) and has_tensor_semantics(op):
            try:
                model.verify(op)
            except VerifyException as error:
                return PassFailedException(f"{error}{describe(op)}")
    return None
