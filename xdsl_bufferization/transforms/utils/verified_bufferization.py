"""One-Shot Bufferize together with the checker of its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.model_mistakes import naming_model_mistakes
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.checkers.contents.marks import Marks, remove_marks, without_marks
from xdsl_bufferization.checkers.contents.report import WrongRead
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.diagnostics import list_faults
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.bufferize import (
    BufferizationStatistics,
)
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)


def verify_bufferization(
    module: ModuleOp, options: BufferizationOptions
) -> Sequence[WrongRead]:
    """Bufferize a copy of a tensor program and check it: the reads that go wrong.

    Raises:
        PassFailedException: when the program cannot be bufferized.
    """
    options = replace(
        options, test_analysis_only=False, print_conflicts=False, dump_alias_sets=False
    )
    return bufferize_and_verify(module.clone(), options)[1]


@on_program
def bufferize_and_verify(
    module: ModuleOp, options: BufferizationOptions
) -> tuple[BufferizationStatistics, Sequence[WrongRead]]:
    """Bufferize a tensor program and check the result: the reads that go wrong.

    Raises:
        PassFailedException: when the program cannot be bufferized.
    """
    with naming_model_mistakes(module):
        marks = Marks(module, DefaultAnalysisState(options))
    try:
        statistics = run_one_shot_bufferize(
            module, replace(options, listeners=[*options.listeners, marks])
        )
    except PassFailedException as error:
        error.args = (without_marks(str(error.args[0])), *error.args[1:])
        raise
    wrong = check_contents(module, marks.described)
    remove_marks(module)
    return statistics, wrong


def demand_right_contents(wrong: Sequence[WrongRead], name: str) -> None:
    """Raise PassFailedException, for the pass of this name, when there are reads that go
    wrong."""
    if wrong:
        raise PassFailedException(list_faults(name, wrong))
