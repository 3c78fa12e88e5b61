"""Exact search: all plans that can be lower than the best one known.

Depth first over the choices of `beam`, cheapest first. A state is pruned when its
highest potential reaches the height of the best known plan. A search that ends within
its budget proves that the best plan is optimal.
"""

from __future__ import annotations

from xdsl_bufferization.planner.beam import Budget, Choice, Instance, State


def search_exactly(
    instance: Instance, below: int, budget: Budget
) -> tuple[list[int] | None, bool]:
    """Search for the lowest plan that is lower than `below`.

    Returns: its offsets, or None if none was found; and whether the search is complete.
    """
    best: list[int] | None = None
    start = instance.start()
    path: list[tuple[State, list[Choice]]] = [(start, _choices(instance, start))]
    while path:
        if budget.is_spent:
            return best, False
        state, choices = path[-1]
        if not choices or state.highest >= below:
            path.pop()
            continue
        after = instance.place(state, choices.pop())
        budget.spend(20 + instance.count // 4)
        if after.highest >= below:
            continue
        if after.remaining:
            path.append((after, _choices(instance, after)))
        else:
            best, below = instance.offsets(after), after.highest
            if below <= instance.bound:
                break
    return best, True


def _choices(instance: Instance, state: State) -> list[Choice]:
    """Return the choices, the cheapest last."""
    return sorted(instance.choices(state, 0), reverse=True)
