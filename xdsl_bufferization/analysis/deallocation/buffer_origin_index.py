"""Which of many memrefs may be the same allocation as a given one?

Comparing a memref with each memref of a list takes linear time, and comparing all pairs
quadratic time. `OriginIndex` sorts the list by origin once; a query then takes time
linear in its result, plus one bit operation for each memref with many terminals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    NEVER,
    Origin,
    OriginKind,
    Traced,
    compare_traced,
    is_allocated_inside,
)


class _Entry(NamedTuple):
    """A memref of the list, by its position."""

    position: int
    traced: Traced


class OriginIndex:
    """A list of memrefs, indexed by the allocations that they may share with others.

    Two memrefs *may share* an allocation when the analysis does not exclude it, and
    neither is allocated in a block of which the other is an argument: such a block
    argument exists before the allocation.
    """

    def __init__(self, memrefs: Sequence[Traced]):
        self._entries = [_Entry(i, traced) for i, traced in enumerate(memrefs)]
        self._by_terminal: dict[int, list[_Entry]] = {}
        self._of_many: list[_Entry] = []
        self._by_kind: dict[OriginKind, list[_Entry]] = {kind: [] for kind in OriginKind}
        for entry in self._entries:
            origin = entry.traced.origin
            self._by_kind[origin.kind].append(entry)
            if origin.few is None:
                self._of_many.append(entry)
            for terminal in origin.few or ():
                self._by_terminal.setdefault(terminal, []).append(entry)

    @cached_property
    def _by_base(self) -> dict[SSAValue, list[_Entry]]:
        by_base: dict[SSAValue, list[_Entry]] = {}
        for entry in self._entries:
            by_base.setdefault(entry.traced.base, []).append(entry)
        return by_base

    @cached_property
    def _not_allocated(self) -> int:
        return sum(not entry.traced.is_new for entry in self._entries)

    @cached_property
    def _arguments_of_any_origin(self) -> Counter[Block]:
        """The number of arguments of each block with unknown terminals."""
        return Counter(
            base.block
            for _, (base, _, _) in self._by_kind[OriginKind.ANYTHING]
            if isinstance(base, BlockArgument)
        )

    def get_same(self, memref: Traced) -> list[int]:
        """The positions of those that must be the same allocation as `memref`."""
        base, origin, _ = memref
        same = {entry.position for entry in self._by_base.get(base, ())}
        if origin.few is not None and len(origin.few) == 1:
            (terminal,) = origin.few
            for entry in self._by_terminal.get(terminal, ()):
                if entry.traced.origin.is_single:
                    same.add(entry.position)
        return sorted(same)

    def is_certain(self, memref: Traced, same: Sequence[int]) -> bool:
        """Whether all but the `same` ones are never the same allocation as `memref`."""
        origin = memref.origin
        certain = set(same)
        kinds = _kinds_never_excluded(origin.kind)
        undecided = sum(len(self._by_kind[kind]) for kind in kinds)
        if undecided > len(certain):
            return False
        return all(
            entry.position in certain for entry in self._get_candidates(origin, kinds)
        )

    def may_share(self, memref: Traced, position: int | None = None) -> bool:
        """Whether any other than the one at `position` may share an allocation."""
        base, origin, is_new = memref
        others = len(self._entries) - (position is not None)
        kinds = _kinds_never_excluded(origin.kind)
        if is_new:
            # Of any origin, only arguments of the blocks around are excluded.
            assert isinstance(base.owner, Operation)
            arguments = self._arguments_of_any_origin
            earlier = (
                sum(arguments[block] for block in _get_blocks_around(base.owner))
                if arguments
                else 0
            )
            if len(self._by_kind[OriginKind.ANYTHING]) > earlier:
                return True
            kinds = ()
        elif origin.kind is OriginKind.ANYTHING:
            # Only allocations inside the block of an argument are excluded.
            if not isinstance(base, BlockArgument):
                return others > 0
            if self._not_allocated - (position is not None) > 0:
                return True
        elif sum(len(self._by_kind[kind]) for kind in kinds) > (
            position is not None and origin.kind in kinds
        ):
            return True
        return any(
            entry.position != position and not _are_distinct(memref, entry.traced)
            for entry in self._get_candidates(origin, kinds)
        )

    def get_sharing(self, memref: Traced) -> list[int]:
        """The positions of all that may share an allocation with `memref`."""
        origin = memref.origin
        candidates = self._get_candidates(origin, _kinds_never_excluded(origin.kind))
        return sorted(
            {
                entry.position
                for entry in candidates
                if not _are_distinct(memref, entry.traced)
            }
        )

    def get_with_common_terminal(self, origin: Origin) -> list[int]:
        """The positions of all that may come from where `origin` comes from."""
        return sorted({entry.position for entry in self._get_candidates(origin, ())})

    def _get_candidates(
        self, origin: Origin, kinds: Sequence[OriginKind]
    ) -> Iterator[_Entry]:
        """Those with a common terminal, and those of kinds that are never excluded."""
        if origin.few is not None:
            for terminal in origin.few:
                yield from self._by_terminal.get(terminal, ())
        else:
            for terminal, entries in self._by_terminal.items():
                if origin.many >> terminal & 1:
                    yield from entries
        for entry in self._of_many:
            if entry.traced.origin.has_common_terminal(origin):
                yield entry
        for kind in kinds:
            yield from self._by_kind[kind]


def _are_distinct(a: Traced, b: Traced) -> bool:
    return (
        (isinstance(b.base, BlockArgument) and is_allocated_inside(a, b.base.block))
        or (isinstance(a.base, BlockArgument) and is_allocated_inside(b, a.base.block))
        or compare_traced(a, b) is NEVER
    )


def _kinds_never_excluded(kind: OriginKind) -> tuple[OriginKind, ...]:
    """The kinds of origin that may share with `kind` even when no terminal is common."""
    if kind is OriginKind.ALLOCATIONS:
        return (OriginKind.ANYTHING,)
    if kind is OriginKind.ALLOCATIONS_OR_ARGUMENTS:
        return (OriginKind.ALLOCATIONS_OR_ARGUMENTS, OriginKind.ANYTHING)
    return tuple(OriginKind)


def _get_blocks_around(op: Operation) -> Iterator[Block]:
    block = op.parent
    while block is not None:
        yield block
        block = block.parent_block()
