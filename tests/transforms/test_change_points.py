"""The positions that a profile of memory visits."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import pytest
from xdsl.dialects import func
from xdsl.parser import Parser

from xdsl_bufferization.analysis.live_ranges import Positions
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.transforms.utils import change_points
from xdsl_bufferization.transforms.utils.change_points import ChangePoints
from xdsl_bufferization.universe import new_context

PROGRAM = """
func.func @main(%p: i1, %x: f32) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  scf.if %p {
    %b = memref.alloc() : memref<4xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
    memref.dealloc %b : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}
"""


def found_points() -> tuple[Positions, list[str], ChangePoints]:
    function = Parser(new_context(), PROGRAM).parse_module().body.block.first_op
    assert isinstance(function, func.FuncOp)
    positions = Positions.of(function)
    changes = [
        at
        for op, at in positions.enter.items()
        if isinstance(op, (memref.AllocOp, memref.DeallocOp))
    ]
    points = ChangePoints.of(function, positions, changes)
    at = {number: op.name for op, number in positions.enter.items()}
    return positions, [at.get(each, "end") for each in points.positions], points


def test_what_changes_nothing_is_not_visited() -> None:
    _, names, _ = found_points()
    assert names == [
        "memref.alloc",
        "scf.if",
        "memref.alloc",
        "memref.dealloc",
        "end",
        "memref.dealloc",
    ]


def test_points_know_their_blocks() -> None:
    _, _, points = found_points()
    assert points.block_at == [0, 0, 1, 1, 0, 0]
    assert points.around == [-1, 0]


def test_points_are_numbered_by_position() -> None:
    positions, _, points = found_points()
    assert [points.before(at) for at in points.positions] == [0, 1, 2, 3, 4, 5]
    assert points.before(max(positions.exit.values()) + 1) == 6


def test_blocks_are_not_visited_op_by_op(monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory space in which little happens takes few steps, however long the function:
    there may be as many memory spaces as ops."""
    ops = "\n".join(f"%a{i} = arith.addi %x, %x : i32" for i in range(300))
    program = f"func.func @main(%x: i32) {{\n{ops}\nreturn\n}}"
    function = Parser(new_context(), program).parse_module().body.block.first_op
    assert isinstance(function, func.FuncOp)
    positions = Positions.of(function)
    asked: list[int] = []

    def count(numbers: Sequence[int], at: int, *bounds: int) -> int:
        asked.append(at)
        return bisect_right(numbers, at, *bounds)

    monkeypatch.setattr(change_points, "bisect_right", count)
    points = ChangePoints.of(function, positions, [10, 200])
    assert points.positions == [1, 10, 200]
    assert len(asked) <= 10
