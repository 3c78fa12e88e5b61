"""Through which blocks values are live."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from xdsl.dialects import cf, func, test
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Region, SSAValue

from xdsl_bufferization.analysis.deallocation.liveness import (
    get_predecessors,
    mark_live,
)
from xdsl_bufferization.analysis.facts import live_blocks
from xdsl_bufferization.analysis.facts.live_blocks import (
    BlockFlow,
    Defined,
    LiveBlocks,
)


def region_of(successors: Sequence[Sequence[int]]) -> Region:
    """Return a region with a block for each list, which leads to those in the list."""
    blocks = [Block() for _ in successors]
    for block, after in zip(blocks, successors, strict=True):
        condition = test.TestOp(result_types=[i1])
        block.add_op(condition)
        match [blocks[number] for number in after]:
            case []:
                block.add_op(func.ReturnOp())
            case [only]:
                block.add_op(cf.BranchOp(only))
            case [one, other]:
                block.add_op(
                    cf.ConditionalBranchOp(condition.results[0], one, [], other, [])
                )
            case _:
                raise AssertionError
    return Region(blocks)


def expected(region: Region, value: Defined) -> LiveBlocks:
    """Follow a value back from each of its uses."""
    blocks = [*region.blocks]
    name = blocks[value.block].first_op
    assert name is not None
    predecessors = get_predecessors(region)
    live_in: dict[Block, dict[SSAValue, None]] = {block: {} for block in blocks}
    for number in value.used:
        mark_live(
            name.results[0],
            blocks[number],
            blocks[value.block],
            predecessors,
            live_in,
        )

    def leaves(block: Block) -> bool:
        last = block.last_op
        return last is not None and any(live_in[each] for each in last.successors)

    through = [i for i, each in enumerate(blocks) if live_in[each] and leaves(each)]
    starts = [i for i in through if i - 1 not in through]
    ends = [i for i in through if i + 1 not in through]
    runs = [*zip(starts, ends, strict=True)]
    return LiveBlocks(runs, leaves(blocks[value.block]))


@pytest.mark.parametrize("at_a_time", [1, 3, 4096])
@pytest.mark.parametrize("seed", range(40))
def test_any_control_flow(
    seed: int, at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_blocks, "AT_A_TIME", at_a_time)
    random = Random(seed)
    count = random.randint(2, 14)
    near = random.choice([2, count])

    def successor(number: int) -> int:
        low, high = max(0, number - near), min(count - 1, number + near)
        return random.randint(low, high)

    successors = [
        [successor(number) for _ in range(random.randint(0, 2))]
        for number in range(count)
    ]
    region = region_of(successors)
    values = [
        Defined(
            random.randrange(count),
            {random.randrange(count) for _ in range(random.randint(0, 3))},
        )
        for _ in range(8)
    ]
    found = BlockFlow(region).find_live(values)
    for value, live in zip(values, found, strict=True):
        want = expected(region, value)
        assert ([*live.through], live.leaves) == ([*want.through], want.leaves)


def test_many_values_that_are_live_throughout(monkeypatch: pytest.MonkeyPatch) -> None:
    """All values are followed together: each block is visited once."""
    visited: list[object] = []

    def count(heap: list[tuple[int, int]]) -> tuple[int, int]:
        visited.append(heap[0])
        return heapq.heappop(heap)

    monkeypatch.setattr(live_blocks, "heappop", count)
    length = 300
    # Diamonds: a block leads to the next two, and these to the one after them.
    successors: list[list[int]] = []
    for first in range(0, length, 3):
        successors += [[first + 1, first + 2], [first + 3], [first + 3]]
    successors.append([])
    values = [Defined(0, {length - i % 3}) for i in range(length)]
    found = BlockFlow(region_of(successors)).find_live(values)
    assert len(visited) <= len(successors)
    assert all(live.leaves for live in found)
    assert [*found[0].through] == [(1, length - 1)]
    assert all(a < b for live in found for (_, a), (b, _) in pairwise(live.through))
