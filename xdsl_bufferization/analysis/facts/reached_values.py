"""What holds for everything that can be reached from the nodes of a graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from xdsl_bufferization.analysis.facts.strongly_connected import strongly_connected

NodeT = TypeVar("NodeT", bound=Hashable)
ValueT = TypeVar("ValueT")


class ReachedValues(Generic[NodeT, ValueT]):
    """Join the values of all nodes that can be reached from a node, itself included.

    Each node is visited once, whatever number of nodes is asked about.

    Args:
        own: the value of a node alone.
        successors: the nodes that a node leads to.
        join: of any number of values; associative, commutative and idempotent.
    """

    def __init__(
        self,
        own: Callable[[NodeT], ValueT],
        successors: Callable[[NodeT], Iterable[NodeT]],
        join: Callable[[Iterable[ValueT]], ValueT],
    ):
        self._own = own
        self._successors = successors
        self._join = join
        self._known: dict[NodeT, ValueT] = {}

    def of(self, node: NodeT) -> ValueT:
        known = self._known
        if node in known:
            return known[node]
        followed: dict[NodeT, list[NodeT]] = {}

        def follow(visited: NodeT) -> list[NodeT]:
            followed[visited] = list(self._successors(visited))
            return [each for each in followed[visited] if each not in known]

        for component in strongly_connected([node], follow):
            values = [self._own(member) for member in component]
            values += [
                known[successor]
                for member in component
                for successor in followed[member]
                if successor in known
            ]
            joined = self._join(values)
            known.update(dict.fromkeys(component, joined))
        return known[node]
