"""Buffers that an iteration allocates while that of an earlier one is needed.

    ^loop(%old: memref<8xf32>):
      %new = memref.alloc()          // %old may be what an iteration before allocated
      ... reads %old, writes %new ...
      cf.cond_br %c, ^loop(%new), ^exit

No constant offset in an arena is right for such an allocation. But whatever is needed of
earlier ones has a name when it allocates: here, nothing but %old. It gets a *cell* more
than there are names, and takes the first one that no name is in:

    %one, %other = two views of the arena
    %in_one = arith.cmpi ult, "address of %old" - "address of %one", 32
    %new = arith.select %in_one, %other, %one

This holds for any control flow, as the names are those of live memrefs: what an arena
holds, without a live name, is not accessed any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.deallocation.live_memrefs import LiveMemrefs
from xdsl_bufferization.analysis.live_ranges import LiveRanges
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.booleans import build_or, insert_before
from xdsl_bufferization.interfaces.view_like import get_view_base

MOST_NAMES = 8
"""An allocation with more names of earlier ones is not planned."""

MOST_ALIASES = 1_000
"""Nor is one that is forwarded to more values: each takes time."""


class Rotations:
    """Finds the names of earlier allocations, in one function as long as it does not
    change."""

    def __init__(self, ranges: LiveRanges):
        self._ranges = ranges

    @cached_property
    def _live(self) -> LiveMemrefs:
        # A buffer that is compared later must be where no other is until then.
        return LiveMemrefs(self._ranges.function, with_pointers=True)

    def find_names(self, allocation: memref.AllocOp) -> Sequence[SSAValue] | None:
        """Return the memrefs that are needed after an allocation, and may be what it
        allocated earlier. None if there are too many."""
        work: list[SSAValue] = [allocation.memref]
        aliases = set(work)
        for value in work:
            for dependent in self._ranges.origins.direct_dependents(value):
                if dependent not in aliases:
                    aliases.add(dependent)
                    work.append(dependent)
            if len(work) > MOST_ALIASES:
                return None
        names: dict[SSAValue, None] = {}
        for value in self._live.after(allocation):
            base = get_view_base(value)
            if base in aliases and base is not allocation.memref:
                names[base] = None
                if len(names) > MOST_NAMES:
                    return None
        return [*names]


def choose_cell(
    place: Operation, cells: Sequence[SSAValue], names: Sequence[SSAValue], size: int
) -> SSAValue:
    """Build before an op the first of some views, of `size` bytes each, that no name is
    in. There is one view more than there are names."""
    *others, chosen = cells
    if not others:
        return chosen
    bytes_ = arith.ConstantOp.from_int_and_width(size, IndexType())
    insert_before(place, bytes_)
    addresses = [_address_of(place, name) for name in names]
    for cell in reversed(others):
        start = _address_of(place, cell)
        taken: SSAValue | None = None
        for address in addresses:
            distance = insert_before(place, arith.SubiOp(address, start))
            inside = insert_before(place, arith.CmpiOp(distance, bytes_.result, "ult"))
            taken = inside if taken is None else build_or(place, taken, inside)
        assert taken is not None
        chosen = insert_before(place, arith.SelectOp(taken, chosen, cell))
    return chosen


def _address_of(place: Operation, buffer: SSAValue) -> SSAValue:
    return insert_before(
        place,
        memref.ExtractAlignedPointerAsIndexOp.build(
            operands=[buffer], result_types=[IndexType()]
        ),
    )
