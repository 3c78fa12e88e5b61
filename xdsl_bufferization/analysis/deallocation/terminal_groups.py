"""Terminals of memrefs in groups, as integers with a bit for each terminal.

In a chain of n loops or branches, a memref may come from up to n allocations, so a walk
over the terminals of every memref would take the square of n.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from xdsl.ir import SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.facts.bits import numbers_of

KeyT = TypeVar("KeyT", bound=Hashable)


class TerminalGroups(Generic[KeyT]):
    """The terminals that have a key in common.

    Args:
        origins: where memrefs come from.
        key_of: the key of a terminal.
    """

    def __init__(self, origins: BufferOrigins, key_of: Callable[[SSAValue], KeyT]):
        self._origins = origins
        self._key_of = key_of
        self._groups: dict[KeyT, int] = {}
        self._grouped = 0

    def all_of(self, value: SSAValue) -> int:
        """All terminals of a memref."""
        return self._origins.get_origin(value).bits

    def of(self, value: SSAValue, key: KeyT) -> int:
        """The terminals of a memref that have a key."""
        found = self.all_of(value)
        terminals = self._origins.terminals
        for number in range(self._grouped, len(terminals)):
            its_key = self._key_of(terminals[number])
            self._groups[its_key] = self._groups.get(its_key, 0) | 1 << number
        self._grouped = len(terminals)
        return found & self._groups.get(key, 0)

    def values_of(self, terminals: int) -> list[SSAValue]:
        """The terminals that have a bit, in order."""
        return [self._origins.terminals[number] for number in numbers_of(terminals)]
