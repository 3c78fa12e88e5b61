"""Parallel loops: what one iteration writes, no other may access at the same time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xdsl_bufferization.analysis.buffer_contents_regions import Part, Region, same_part
from xdsl_bufferization.analysis.buffer_contents_state import Contents

NOT_SHARED = "a buffer that no other iteration writes"
"""What is expected in a parallel loop."""


@dataclass(frozen=True)
class Access:
    """An op that writes or reads a region."""

    is_write: bool
    region: Region
    op: Operation


def find_races(
    loop: Operation, accesses: Sequence[Access], contents: Contents
) -> Iterator[tuple[Access, Access]]:
    """Pairs of a write and a read by which iterations of a loop may meet."""
    shared = [access for access in accesses if not _is_inside(access.region.base, loop)]
    reads = [access for access in shared if not access.is_write]
    for write in shared:
        if not write.is_write:
            continue
        for read in reads:
            if contents.overlap(write.region, read.region) and not _is_own(
                write.region, read.region, loop
            ):
                yield write, read


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    inner = owner.parent_op() if isinstance(owner, Block) else owner
    return inner is not None and op.is_ancestor(inner)


def _is_own(first: Region, second: Region, op: Operation) -> bool:
    """Whether two accesses in different iterations never meet: to one slice, which
    depends on the iteration, or in the row of the iteration."""
    if first.base is not second.base:
        return False
    for one, other in zip(first.steps, second.steps, strict=False):
        if not isinstance(one, Part) or not isinstance(other, Part):
            return False
        if same_part(one, other):
            if any(_is_inside(value, op) for value in one.values()):
                return True
            continue
        return any(
            offset is one.offsets[dimension]
            and isinstance(offset, BlockArgument)
            and offset.block is op.regions[0].blocks.first
            and one.sizes[dimension] == other.sizes[dimension] == 1
            for dimension, offset in enumerate(other.offsets)
            if dimension < len(one.offsets)
        )
    return False
