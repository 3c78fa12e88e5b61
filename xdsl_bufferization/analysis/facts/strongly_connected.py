"""Reachability and strongly connected components of any graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

NodeT = TypeVar("NodeT", bound=Hashable)


def reachable(
    roots: Iterable[NodeT], successors: Callable[[NodeT], Iterable[NodeT]]
) -> dict[NodeT, None]:
    """Return the roots and all that can be reached from them."""
    found = dict.fromkeys(roots)
    worklist = list(found)
    while worklist:
        for node in successors(worklist.pop()):
            if node not in found:
                found[node] = None
                worklist.append(node)
    return found


def strongly_connected(
    roots: Iterable[NodeT], successors: Callable[[NodeT], Iterable[NodeT]]
) -> list[list[NodeT]]:
    """The strongly connected components of what can be reached from the roots, each after
    those that it can reach.

    Tarjan: Depth-First Search and Linear Graph Algorithms (1972), without recursion.
    """
    result: list[list[NodeT]] = []
    index: dict[NodeT, int] = {}
    low: dict[NodeT, int] = {}
    on_stack: set[NodeT] = set()
    path: list[NodeT] = []
    for root in roots:
        if root in index:
            continue
        work = [(root, iter(successors(root)))]
        index[root] = low[root] = len(index)
        path.append(root)
        on_stack.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    path.append(target)
                    on_stack.add(target)
                    work.append((target, iter(successors(target))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    component: list[NodeT] = []
                    while not component or component[-1] is not node:
                        component.append(path.pop())
                    on_stack.difference_update(component)
                    result.append(component)
    return result
