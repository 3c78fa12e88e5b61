"""The states of the contents checker are a lattice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import IndexType, MemRefType, i32
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.slices import Slice
from xdsl_bufferization.checkers.contents.state import State
from xdsl_bufferization.checkers.contents.views import View

MAKER = test.TestOp(result_types=[MemRefType(i32, [4])] * 3 + [IndexType()])
FIRST, SECOND, THIRD, INDEX = MAKER.results
WRITE: Operation = test.TestOp()


def at(index: int | SSAValue) -> Slice:
    return Slice((index,), (1,), (1,))


def state(
    tensors: dict[tuple[SSAValue, int], Sequence[Slice]],
    roots: dict[SSAValue, set[SSAValue]] | None = None,
) -> State:
    """A state with tensors in buffers, what is damaged of each, and roots."""
    made = State()
    for (base, tensor), damage in tensors.items():
        made.put(View(base), tensor, dict.fromkeys(damage, WRITE))
    for base, found in (roots or {}).items():
        made.set_roots(base, frozenset(found))
    return made


STATES = {
    "nothing": state({}),
    "a tensor": state({(FIRST, 1): ()}),
    "two": state({(FIRST, 1): (), (SECOND, 2): ()}),
    "elsewhere": state({(SECOND, 1): ()}),
    "damaged": state({(FIRST, 1): (at(0),)}),
    "damaged otherwise": state({(FIRST, 1): (at(1),)}),
    "another buffer": state({(FIRST, 1): ()}, {SECOND: {FIRST}}),
    "one of two": state({}, {SECOND: {FIRST, THIRD}}),
}


def joined(first: State, second: State) -> State:
    result = first.copy()
    result.join(second)
    return result


@pytest.mark.parametrize("second", STATES.values(), ids=list(STATES))
@pytest.mark.parametrize("first", STATES.values(), ids=list(STATES))
def test_join_is_the_most_that_both_imply(first: State, second: State) -> None:
    join = joined(first, second)
    assert join.is_implied_by(first)
    assert join.is_implied_by(second)
    other = joined(second, first)
    assert join.is_implied_by(other)
    assert other.is_implied_by(join)
    for state in STATES.values():
        if state.is_implied_by(first) and state.is_implied_by(second):
            assert state.is_implied_by(join)


@pytest.mark.parametrize("state", STATES.values(), ids=list(STATES))
def test_join_with_itself_changes_nothing(state: State) -> None:
    assert not state.copy().join(state).anything


def test_facts_are_intersected() -> None:
    join = joined(STATES["two"], STATES["damaged"])
    assert join.damage(1, View(FIRST)) == {at(0): WRITE}
    assert join.damage(2, View(SECOND)) is None
    assert joined(STATES["one of two"], STATES["another buffer"]).roots_of(SECOND) == {
        FIRST,
        THIRD,
    }


def test_a_copy_is_another_value() -> None:
    original = state({(FIRST, 1): ()})
    copy = original.copy()
    copy.put(View(FIRST), 2, {})
    original.forget([1])
    assert original.damage(2, View(FIRST)) is None
    assert copy.damage(1, View(FIRST)) == {}


@pytest.mark.parametrize("is_in_loop", [False, True])
def test_slice_that_is_another_one_in_the_next_iteration(is_in_loop: bool) -> None:
    """Along an edge back, damage at an induction variable is damage of all."""
    head = state({(FIRST, 1): ()})
    end = state({(FIRST, 1): (at(INDEX),)})
    assert head.join(end, lambda value: is_in_loop and value is INDEX).anything
    expected = None if is_in_loop else {at(INDEX): WRITE}
    assert head.damage(1, View(FIRST)) == expected


def test_sets_of_roots_that_are_equal_but_another_object_are_no_change() -> None:
    first, second = state({}), state({})
    for base in (FIRST, SECOND):
        # Of more than one element: Python may share smaller ones.
        first.set_roots(base, frozenset([base, *(FIRST, SECOND, THIRD)]))
        second.set_roots(base, frozenset([*(THIRD, SECOND, FIRST), base]))
    change = first.join(second)
    assert not change.anything and not change.roots
