"""Verification of regions of many blocks in linear time.

To verify the last op of a block, xDSL 0.74 asks whether its region has one block or more,
and counts them all. A function of 200,000 blocks, which is what 70,000 loops become in
the LLVM dialect, would take hours. While a region is verified nothing changes it, so its
blocks are counted once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from xdsl.ir import Region
from xdsl.ir.core import RegionBlocks

_counts: dict[Region, int] = {}
"""The number of blocks of each region that is being verified and has several."""


def known_or_counted(
    count_blocks: Callable[[RegionBlocks], int],
) -> Callable[[RegionBlocks], int]:
    """Return `RegionBlocks.__len__` that knows the number while a region is verified."""

    @wraps(count_blocks)
    def count_once(self: RegionBlocks) -> int:
        known = _counts.get(self._region) if _counts else None  # pyright: ignore[reportPrivateUsage]
        return count_blocks(self) if known is None else known

    return count_once


def verify_with_known_number_of_blocks(
    verify: Callable[[Region], None],
) -> Callable[[Region], None]:
    """Return `Region.verify` that counts the blocks once."""

    @wraps(verify)
    def verify_counted(self: Region) -> None:
        if self.first_block is self.last_block:
            verify(self)
            return
        _counts[self] = len(self.blocks)
        try:
            verify(self)
        finally:
            _counts.pop(self, None)

    return verify_counted
