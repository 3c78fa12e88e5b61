"""The checker of contents does not compare each with each."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import MemRefType, i32

from tests.oracle.tools import parse, run_passes
from xdsl_bufferization.analysis.facts.slices import Slice
from xdsl_bufferization.checkers.contents import views
from xdsl_bufferization.checkers.contents.placed import Placed
from xdsl_bufferization.checkers.contents.state import State
from xdsl_bufferization.checkers.contents.views import View, are_apart

ONE_SHOT = "one-shot-bufferize{bufferize-function-boundaries verify-result}"
ONE = "tensor<1xf32>"


def _concat(number: int, at: Callable[[int], int]) -> str:
    whole = f"tensor<{2 * number}xf32>"
    slices = "\n".join(
        f"%s{k} = tensor.extract_slice %t[{at(k)}] [1] [1] : {whole} to {ONE}"
        for k in range(number)
    )
    names = ", ".join(f"%s{k}" for k in range(number))
    types = ", ".join([ONE] * number)
    return f"""func.func @f(%t: {whole}) -> tensor<{number}xf32> {{
      {slices}
      %r = tensor.concat dim(0) {names} : ({types}) -> tensor<{number}xf32>
      return %r : tensor<{number}xf32>
    }}"""


def _apart(number: int) -> int:
    return 2 * number


def _repeated(number: int) -> int:
    return number % 20


@pytest.mark.parametrize("at", [_apart, _repeated])
def test_parts_of_a_concat(
    at: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the places that the parts are copied to are compared with each other, nor
    those that they come from."""
    steps: list[None] = []
    same_step, damage = views.same_step, State.damage

    def counted_step(*args: object) -> object:
        steps.append(None)
        return same_step(*args)  # pyright: ignore[reportArgumentType]

    def counted_damage(*args: object) -> object:
        steps.append(None)
        return damage(*args)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(views, "same_step", counted_step)
    monkeypatch.setattr(State, "damage", counted_damage)
    counts: list[int] = []
    for number in (100, 200):
        context, module = parse(_concat(number, at))
        steps.clear()
        run_passes(context, module, ONE_SHOT)
        counts.append(len(steps))
    assert counts[1] < 2.2 * counts[0]


def test_views_that_are_not_near_are_apart() -> None:
    """Views are added and removed; some are no slices, or begin where nobody knows."""
    maker = test.TestOp(
        result_types=[MemRefType(i32, [40, 40]), MemRefType(i32, [40])]
        + [test.TestType("index")] * 2
    )
    base, _, *unknown = maker.results
    choose = random.Random(0)

    def view() -> View:
        rank = choose.choice([2, 2, 2, 1])
        offsets = [choose.randrange(40) for _ in range(rank)]
        numbers = [
            tuple(
                choose.choice(unknown) if choose.random() < 0.1 else o for o in offsets
            ),
            tuple(choose.randrange(5) for _ in range(rank)),
            tuple(choose.choice([1, 2, 0, -1]) for _ in range(rank)),
        ]
        steps = (Slice(*numbers), Slice((0,), (1,), (1,)))
        return View(base, steps[: choose.choice([0, 1, 1, 1, 1, 2])])

    for _ in range(20):
        placed = Placed()
        is_skipped = False
        for _ in range(100):
            if len(placed) > 20 and choose.random() < 0.3:
                del placed[choose.choice(list(placed))]
            placed[view()] = {}
            asked = view()
            near = set(placed.near(asked))
            assert near <= placed.keys()
            elsewhere = placed.keys() - near
            assert all(are_apart(other, asked) for other in elsewhere)
            is_skipped |= bool(elsewhere)
        assert is_skipped
