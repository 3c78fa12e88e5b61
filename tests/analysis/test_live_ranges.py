"""Live ranges of allocations that many values in a row may be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from xdsl.dialects import func

from tests.oracle.tools import parse
from xdsl_bufferization.analysis import live_ranges
from xdsl_bufferization.analysis.live_ranges import LiveRanges
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.programs import program

LENGTH = 100
TYPE = "memref<4xf32>"

LOOP = f"""
    %{{new}} = scf.for %i = %c0 to %n step %c1 iter_args(%b = %{{old}}) -> {TYPE} {{{{
      %a = memref.alloc() : {TYPE}
      memref.copy %b, %a : {TYPE} to {TYPE}
      memref.dealloc %b : {TYPE}
      scf.yield %a : {TYPE}
    }}}}
"""
BRANCH = f"""
    %{{new}} = scf.if %c -> {TYPE} {{{{
      scf.yield %{{old}} : {TYPE}
    }}}} else {{{{
      memref.copy %x, %x : {TYPE} to {TYPE}
      memref.dealloc %{{old}} : {TYPE}
      %a = memref.alloc() : {TYPE}
      memref.copy %x, %a : {TYPE} to {TYPE}
      scf.yield %a : {TYPE}
    }}}}
"""


def chain(step: str) -> func.FuncOp:
    """Return a function with a buffer that each step passes on or replaces."""
    steps = "".join(
        step.format(old=f"v{index}", new=f"v{index + 1}") for index in range(LENGTH)
    )
    _, module = parse(f"""
    func.func @f(%x: {TYPE}, %n: index, %c: i1) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %v0 = memref.alloc() : {TYPE}
      memref.copy %x, %v0 : {TYPE} to {TYPE}
      {steps}
      memref.copy %v{LENGTH}, %x : {TYPE} to {TYPE}
      memref.dealloc %v{LENGTH} : {TYPE}
      return
    }}
    """)
    (function,) = (op for op in module.ops if isinstance(op, func.FuncOp))
    return function


@pytest.mark.parametrize("few", [0, 2, 64, 1000])
@pytest.mark.parametrize("step", [LOOP, BRANCH])
def test_a_chain_is_the_union_of_its_values(
    step: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_ranges, "FEW", few)
    function = chain(step)
    module = function.parent_op()
    assert module is not None
    allocations = [op for op in function.walk() if isinstance(op, memref.AllocOp)]
    frees = [op for op in function.walk() if isinstance(op, memref.DeallocOp)]
    with program(module):
        ranges = LiveRanges(function)
        enter, exit = ranges.positions.enter, ranges.positions.exit
        for number, allocation in enumerate(allocations):
            live = ranges.of(allocation.memref)
            # What step k allocates is freed in step k of a later iteration, or later.
            first = number if step is BRANCH or number == 0 else number - 1
            assert [*live.frees] == frees[first:]
            assert live.has_earlier == (step is LOOP and number > 0)
            assert not live.escapes
            last = function.body.block.last_op
            assert last is not None
            assert live.intervals[-1][1] == enter[frees[-1]]
            assert ranges.last_frees([allocation.memref]) == [exit[frees[-1]] + 1]
            # In each step after it there is a hole: the other branch, or the end of a
            # loop, which has a new one.
            assert len(live.intervals) == LENGTH - number + 1
            for (_, end), (start, _) in pairwise(live.intervals):
                assert end < start


def test_an_allocation_at_the_start_of_a_block_has_earlier_ones() -> None:
    """The argument of the block begins where the allocation does."""
    _, module = parse("""
    func.func @f(%x: memref<4xf32>, %c: i1) {
      cf.br ^loop(%x : memref<4xf32>)
    ^loop(%old: memref<4xf32>):
      %new = memref.alloc() : memref<4xf32>
      linalg.exp ins(%old : memref<4xf32>) outs(%new : memref<4xf32>)
      cf.cond_br %c, ^again, ^exit
    ^again:
      cf.br ^loop(%new : memref<4xf32>)
    ^exit:
      memref.copy %new, %x : memref<4xf32> to memref<4xf32>
      return
    }
    """)
    function = module.ops.first
    assert isinstance(function, func.FuncOp)
    with program(module):
        ranges = LiveRanges(function)
        (allocation,) = (op for op in function.walk() if isinstance(op, memref.AllocOp))
        assert ranges.of(allocation.memref).has_earlier
