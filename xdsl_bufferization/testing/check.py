"""The kit as functions."""

from __future__ import annotations

from xdsl.utils.exceptions import DiagnosticException

from xdsl_bufferization.programs import program
from xdsl_bufferization.testing.answers import WrongAnswer, find_wrong_answers
from xdsl_bufferization.testing.case import OpCase, find_op
from xdsl_bufferization.testing.elementwise import find_wrong_elementwise_access
from xdsl_bufferization.testing.observation import Probe
from xdsl_bufferization.testing.programs import find_wrong_numbers, find_wrong_programs


def check_model(case: OpCase) -> list[WrongAnswer]:
    """Test the model of an op. Return its wrong answers, each with the program that shows
    it; none, if the model passes.

    The op runs on arrays, in this process. Programs around it run only where each answer
    is right.
    """
    try:
        probe = Probe(case)
    except DiagnosticException as error:
        text = case.function("main", case.text)
        return [WrongAnswer("bufferize", f"it does not compile: {error}", text)]
    module = case.parse(probe.program)
    seen = probe.observe()
    with program(module):
        op = find_op(module)
        wrong = find_wrong_answers(op, seen)
        wrong = wrong or find_wrong_elementwise_access(op, case, probe)
    if wrong:
        return wrong
    numbers = find_wrong_numbers(case, probe)
    if numbers is not None:
        return [numbers]
    return find_wrong_programs(case, probe)


def assert_model(case: OpCase) -> None:
    """Test the model of an op, as a test does.

    Raises:
        AssertionError: when an answer is wrong; the message shows all that are, with
            their programs.
    """
    wrong = check_model(case)
    if wrong:
        raise AssertionError("\n\n".join(map(str, wrong)))
