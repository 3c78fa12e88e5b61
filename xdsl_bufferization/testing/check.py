"""The kit as functions."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.interfaces.model_errors import ModelError
from xdsl_bufferization.programs import program
from xdsl_bufferization.testing.answers import WrongAnswer, find_wrong_answers
from xdsl_bufferization.testing.case import OpCase, find_op
from xdsl_bufferization.testing.elementwise import find_wrong_elementwise_access
from xdsl_bufferization.testing.observation import OPTIONS, Probe
from xdsl_bufferization.testing.programs import find_wrong_numbers, find_wrong_programs


def check_model(case: OpCase) -> list[WrongAnswer]:
    """Test the model of an op. Return its wrong answers, each with the program that shows
    it; none, if the model passes.

    The op runs on arrays, in this process. Programs around it run only where each answer
    is right.
    """
    return [
        replace(wrong, program=wrong.program + case.functions)
        for wrong in _find_wrong(case)
    ]


def _find_wrong(case: OpCase) -> list[WrongAnswer]:
    try:
        probe = Probe(case)
    except ModelError as error:
        return [WrongAnswer("model", str(error), case.function("main", case.text))]
    except DiagnosticException as error:
        text = case.function("main", case.text)
        return [WrongAnswer("bufferize", f"it does not compile: {error}", text)]
    try:
        wrong = _find_wrong_answers(case, probe)
    except ModelError as error:
        return [WrongAnswer("model", str(error), probe.program)]
    if wrong:
        return wrong
    numbers = find_wrong_numbers(case, probe)
    if numbers is not None:
        return [numbers]
    return find_wrong_programs(case, probe)


def _find_wrong_answers(case: OpCase, probe: Probe) -> list[WrongAnswer]:
    module = case.parse(probe.program)
    seen = probe.observe()
    with program(module):
        op = find_op(module)
        state = _state_of(case, module)
        return find_wrong_answers(op, seen, state) or find_wrong_elementwise_access(
            op, case, probe
        )


def _state_of(case: OpCase, module: ModuleOp) -> DefaultAnalysisState:
    """What the analysis knows of the functions that the op calls."""
    if case.functions:
        with suppress(DiagnosticException):
            return DefaultAnalysisState(OPTIONS, analyze(module, OPTIONS).functions)
    return DefaultAnalysisState(OPTIONS)


def assert_model(case: OpCase) -> None:
    """Test the model of an op, as a test does.

    Raises:
        AssertionError: when an answer is wrong; the message shows all that are, with
            their programs.
    """
    wrong = check_model(case)
    if wrong:
        raise AssertionError("\n\n".join(map(str, wrong)))
