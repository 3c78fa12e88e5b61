"""Models of this package pass the kit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.ir import Operation

from tests.testing.own_cases import CASES, UNTESTED
from xdsl_bufferization.dialects.linalg.named import NamedOp
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.testing import OpCase
from xdsl_bufferization.testing.plugin import check_bufferization as check_bufferization
from xdsl_bufferization.universe import BUFFERIZATION_UNIVERSE

pytestmark = pytest.mark.long


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_models_of_this_package_pass(
    case: OpCase, check_bufferization: Callable[[OpCase], None]
) -> None:
    check_bufferization(case)


def ops_with_models() -> set[str]:
    announce_models()
    return {
        op.name
        for load in BUFFERIZATION_UNIVERSE.all_dialects.values()
        for op in load().operations
        if BUFFERIZABLE.lookup(op.create()) is not None and not is_like_generic(op)
    }


def is_like_generic(op: type[Operation]) -> bool:
    """Whether an op of linalg is one of the table of named ops, which differ in what
    they compute and in nothing else."""
    return issubclass(op, NamedOp)


def test_every_op_with_a_model_is_in_a_case() -> None:
    tested = {
        op.name
        for case in CASES.values()
        for op in walk(case.parse(case.function("main", case.text)))
    }
    assert ops_with_models() - tested == UNTESTED.keys()
