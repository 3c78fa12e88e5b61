"""The checker of contents does not compare each with each."""

from __future__ import annotations

import random
from collections.abc import Callable, Set

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import MemRefType, i32
from xdsl.ir import SSAValue

from tests.oracle.tools import parse, run_passes
from xdsl_bufferization.analysis.facts.slices import Slice
from xdsl_bufferization.checkers.contents import views
from xdsl_bufferization.checkers.contents.memory import Returned
from xdsl_bufferization.checkers.contents.placed import Placed
from xdsl_bufferization.checkers.contents.state import State
from xdsl_bufferization.checkers.contents.views import OtherView, View, are_apart
from xdsl_bufferization.checkers.contents.visit import Visit

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


def _indirect_calls(number: int) -> str:
    """Each takes what the call before returned."""
    calls = "\n".join(
        f"%v{k + 1} = func.call_indirect %fn(%v{k}) : ({ONE}) -> {ONE}"
        for k in range(number)
    )
    return f"""func.func @f(%v0: {ONE}) -> {ONE} {{
      %fn = func.constant @g : ({ONE}) -> {ONE}
      {calls}
      return %v{number} : {ONE}
    }}
    func.func private @g(%a: {ONE}) -> {ONE} {{
      %b = linalg.exp ins(%a : {ONE}) outs(%a : {ONE}) -> {ONE}
      return %b : {ONE}
    }}"""


def _external_calls(number: int) -> str:
    """Each takes something new as well."""
    calls = "\n".join(
        f"""%n{k} = tensor.splat %x : {ONE}
        %v{k + 1} = func.call @g(%v{k}, %n{k}) : ({ONE}, {ONE}) -> {ONE}"""
        for k in range(number)
    )
    return f"""func.func private @g({ONE}, {ONE}) -> {ONE}
    func.func @f(%v0: {ONE}, %x: f32) -> {ONE} {{
      {calls}
      return %v{number} : {ONE}
    }}"""


def _calls_in_blocks(number: int) -> str:
    calls = "\n".join(
        f"""%v{k + 1} = func.call @g(%v{k}) : ({ONE}) -> {ONE}
        cf.cond_br %c, ^a{k}, ^b{k}
        ^a{k}:
        cf.br ^b{k}
        ^b{k}:"""
        for k in range(number)
    )
    return f"""func.func private @g({ONE}) -> {ONE}
    func.func @f(%v0: {ONE}, %c: i1) -> {ONE} {{
      {calls}
      return %v{number} : {ONE}
    }}"""


@pytest.mark.parametrize("make", [_indirect_calls, _external_calls, _calls_in_blocks])
def test_unknown_calls_in_a_row(
    make: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they return may be what the first one was given. Neither it nor all that was
    returned since gets the names of all that is returned later."""
    work: list[int] = []
    set_roots, all_roots = State.set_roots, Visit.all_roots

    def counted_set(state: State, base: object, roots: frozenset[object]) -> None:
        work.append(len(roots))
        set_roots(state, base, roots)

    def counted_all(visit: Visit, view: View) -> Set[object]:
        found = all_roots(visit, view)
        work.append(len(found))
        return found

    monkeypatch.setattr(State, "set_roots", counted_set)
    monkeypatch.setattr(Visit, "all_roots", counted_all)
    counts: list[int] = []
    for number in (30, 60):
        context, module = parse(make(number))
        work.clear()
        run_passes(context, module, ONE_SHOT)
        counts.append(sum(work))
    assert counts[1] < 2.2 * counts[0]


def test_names_of_returned_memory_are_found_when_they_are_needed() -> None:
    """A state in which all that may be some memory is given its new name at once says
    the same about what overlaps."""
    maker = test.TestOp(result_types=[MemRefType(i32, [4])] * 8)
    bases = maker.results
    choose = random.Random(1)

    def given(state: State) -> frozenset[object]:
        return state.roots_of(choose.choice(bases)) | state.roots_of(choose.choice(bases))

    for _ in range(200):
        states = [State()]
        for base in bases:
            states[0].allocate(base)
        others: list[dict[SSAValue, set[object]]] = [{base: {base} for base in bases}]
        for number in range(20):
            which = choose.randrange(len(states))
            state, other = states[which], others[which]
            kind = choose.random()
            if kind < 0.5:
                roots, result = given(state), choose.choice(bases)
                name = Returned(maker, number)
                state.extend_roots(roots, frozenset((name,)))
                for base in bases:
                    if not roots.isdisjoint(other[base]):
                        other[base].add(name)
                state.set_roots(result, frozenset((name,)))
                other[result] = {name}
            elif kind < 0.65:
                root = choose.choice(
                    sorted(state.roots_of(choose.choice(bases)), key=str)
                )
                before = state.renew(root)
                for base in bases:
                    if root in other[base]:
                        other[base] = other[base] - {root} | {before}
            elif kind < 0.8 or len(states) == 1:
                states.append(state.copy())
                others.append({base: set(roots) for base, roots in other.items()})
            else:
                joined, also = states.pop(), others.pop()
                states[0].join(joined)
                for base in bases:
                    others[0][base] |= also[base]
            for state, other in zip(states, others, strict=True):
                for one in bases:
                    for two in bases:
                        overlap = state.overlap(View(one), View(two, (OtherView(maker),)))
                        if one is not two:
                            assert overlap == (not other[one].isdisjoint(other[two]))
