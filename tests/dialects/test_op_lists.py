"""Going through the ops of a program."""

from __future__ import annotations

from tests.oracle.tools import parse
from tests.random_programs.program import random_program
from xdsl_bufferization.dialects.op_lists import list_ops, postorder, walk


def test_orders_are_those_of_xdsl() -> None:
    followed = 0
    for seed in range(20):
        _, module = parse(random_program(seed).text)
        ops = list(module.walk())
        assert len(ops) > 10
        assert list(walk(module)) == ops
        assert list_ops(module) == ops[1:]
        assert list(walk(module.regions[0])) == ops[1:]
        assert postorder(module) == list(module.walk(region_first=True))
        function = ops[1]
        followed += function.next_op is not None
        assert list(walk(function)) == list(function.walk())
        assert postorder(function) == list(function.walk(region_first=True))
    assert followed > 5


def test_the_op_given_last_may_be_erased() -> None:
    _, module = parse("func.func @f() { return } func.func @g() { return }")
    for op in walk(module.regions[0]):
        if op.name == "func.func":
            op.detach()
    assert list_ops(module) == []
