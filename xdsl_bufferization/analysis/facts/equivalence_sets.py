"""Disjoint sets of values (union by size, with path compression)."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import SSAValue


class EquivalenceSets:
    """Values in disjoint sets: those that are known to be the same buffer, or that only
    change together. A value that was never united is alone."""

    def __init__(self) -> None:
        self._parent: dict[SSAValue, SSAValue] = {}
        self._size: dict[SSAValue, int] = {}

    def find(self, value: SSAValue) -> SSAValue:
        parent = self._parent
        root = value
        while (above := parent.get(root)) is not None:
            root = above
        while value is not root:
            above = parent[value]
            parent[value] = root
            value = above
        return root

    def union(self, first: SSAValue, second: SSAValue) -> None:
        first, second = self.find(first), self.find(second)
        if first is second:
            return
        size = self._size
        if size.get(first, 1) < size.get(second, 1):
            first, second = second, first
        self._parent[second] = first
        size[first] = size.get(first, 1) + size.get(second, 1)

    def are_equivalent(self, first: SSAValue, second: SSAValue) -> bool:
        return first is second or self.find(first) is self.find(second)

    def groups(self, values: Iterable[SSAValue]) -> list[list[SSAValue]]:
        """Return some values by set, in their order."""
        found: dict[SSAValue, list[SSAValue]] = {}
        for value in values:
            found.setdefault(self.find(value), []).append(value)
        return list(found.values())
