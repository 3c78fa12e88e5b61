"""The fixpoint takes a number of visits that is proportional to the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.checkers.mutation import bufferized
from tests.oracle.tools import parse
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.checkers.contents.solver import Solver

TENSOR = "tensor<8xf32>"


def chain(
    count: int, back: Callable[[int], int], stays: bool = True, tensors: int = 1
) -> str:
    """A chain of blocks that insert into tensors, each with an edge back.

    Args:
        back: by number of a block, the one that it goes back to.
        stays: whether it goes back with what it was given, and on with what it inserts.
        tensors: how many there are; each block forwards them in another order.
    """
    types = ", ".join([TENSOR] * tensors)

    def names(prefix: str, turn: int = 0) -> str:
        found = [f"%{prefix}_{(n + turn) % tensors}" for n in range(tensors)]
        return f"{', '.join(found)} : {types}"

    text = f"""
        func.func @f(%t: {TENSOR}, %x: f32, %i: index, %c: i1) -> {TENSOR} {{
          cf.br ^b0({", ".join(["%t"] * tensors)} : {types})"""
    for k in range(count):
        arguments = ", ".join(f"%a{k}_{n}: {TENSOR}" for n in range(tensors))
        text += f"\n^b{k}({arguments}):"
        for n in range(tensors):
            text += f"\n%w{k}_{n} = tensor.insert %x into %a{k}_{n}[%i] : {TENSOR}"
        on, again = (f"w{k}", f"a{k}") if stays else (f"a{k}", f"w{k}")
        text += f"""
            cf.cond_br %c, ^b{k + 1}({names(on, 1)}), ^b{back(k)}({names(again)})"""
    last = ", ".join(f"%z{n}: {TENSOR}" for n in range(tensors))
    return f"{text}\n^b{count}({last}):\nreturn %z0 : {TENSOR}\n}}"


def visits(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many stretches the checker visits for a program, which is right."""
    count = 0
    visit = Solver._visit  # pyright: ignore[reportPrivateUsage]

    def counted(*args: Any) -> Any:
        nonlocal count
        count += 1
        return visit(*args)

    program, _ = bufferized(parse(text)[1], None)
    assert program.described is not None
    with monkeypatch.context() as patch:
        patch.setattr(Solver, "_visit", counted)
        assert check_contents(program.module, program.described) == []
    return count


def before(number: int) -> int:
    return max(0, number - 1)


def first(number: int) -> int:
    return 0


@pytest.mark.parametrize(
    ("back", "stays", "tensors"),
    [(before, True, 1), (first, True, 1), (before, False, 1), (before, True, 3)],
)
def test_blocks_with_edges_back_take_linear_work(
    back: Callable[[int], int], stays: bool, tensors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The head of a loop was visited for each value made in the loop."""
    few, many = (
        visits(chain(count, back, stays, tensors), monkeypatch) for count in (15, 30)
    )
    assert many <= 2.5 * few
