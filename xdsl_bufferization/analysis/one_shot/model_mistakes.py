"""Diagnostics for errors in models that make One-Shot Bufferize fail."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.model_errors import find_wrong_answer


@contextmanager
def naming_model_mistakes(
    root: Operation, options: BufferizationOptions
) -> Generator[None]:
    """Ask the models of all ops under `root` when the work on them fails.

    Raises:
        PassFailedException: in place of an exception that a mistake in a model explains;
            it names the op, the model and the method.
    """
    try:
        yield
    except DiagnosticException:
        raise
    except Exception as error:
        mistake = find_wrong_answer(walk(root), DefaultAnalysisState(options))
        if mistake is None:
            raise
        raise mistake from error
