"""verify-memory-plan: right plans pass, and a buffer moved into a neighbour is found."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import cast

import pytest
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, ModuleOp, i8
from xdsl.ir import Attribute
from xdsl.rewriter import InsertPoint, Rewriter

from tests.oracle.tools import parse
from tests.random_programs.program import LARGE, OBSERVED, random_program
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.pipelines import BufferDeallocationPipeline
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
from xdsl_bufferization.transforms.plan_memory import (
    FunctionPlan,
    Placement,
    plan_memory,
)
from xdsl_bufferization.transforms.verify_memory_plan import verify_memory_plan

LOOP = """
func.func @f(%arena: memref<128xi8>, %x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = arith.constant FIRST : index
  %second = arith.constant SECOND : index
  %0 = memref.view %arena[%first][] : memref<128xi8> to memref<8xf32>
  memref.copy %x, %0 : memref<8xf32> to memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (memref<8xf32>) {
    memref.copy %a, %x : memref<8xf32> to memref<8xf32>
    %1 = memref.view %arena[%second][] : memref<128xi8> to memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%1 : memref<8xf32>)
    USE
    scf.yield %1 : memref<8xf32>
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}
"""


def wrong_in(text: str) -> int:
    _, module = parse(text)
    return len(verify_memory_plan(module))


def loop(first: int, second: int, use: str = "") -> int:
    text = LOOP.replace("FIRST", str(first)).replace("SECOND", str(second))
    return wrong_in(text.replace("USE", use))


def test_a_place_of_its_own_is_right() -> None:
    assert loop(0, 32) == 0


def test_an_overlap_is_found_through_a_loop() -> None:
    assert loop(0, 16, "memref.copy %a, %x : memref<8xf32> to memref<8xf32>")
    assert not loop(0, 32, "memref.copy %0, %x : memref<8xf32> to memref<8xf32>")
    assert loop(0, 31, "memref.copy %0, %x : memref<8xf32> to memref<8xf32>")


def test_the_place_of_the_iteration_before_is_lost() -> None:
    """%a is the place that the iteration before made, at the same offset."""
    assert loop(0, 32, "memref.copy %a, %x : memref<8xf32> to memref<8xf32>")
    assert loop(0, 32, "memref.copy %a, %1 : memref<8xf32> to memref<8xf32>")


def test_a_view_beyond_the_arena_is_found() -> None:
    assert loop(0, 96) == 0
    assert loop(0, 97)


def test_exclusive_branches_share_and_what_follows_does_not() -> None:
    text = """
    func.func @f(%arena: memref<128xi8>, %x: memref<8xf32>, %c: i1) {
      %c0 = arith.constant 0 : index
      %0 = memref.view %arena[%c0][] : memref<128xi8> to memref<8xf32>
      memref.copy %x, %0 : memref<8xf32> to memref<8xf32>
      scf.if %c {
        %1 = memref.view %arena[%c0][] : memref<128xi8> to memref<8xf32>
        memref.copy %x, %1 : memref<8xf32> to memref<8xf32>
      } else {
        memref.copy %0, %x : memref<8xf32> to memref<8xf32>
      }
      AFTER
      return
    }
    """
    assert not wrong_in(text.replace("AFTER", ""))
    assert wrong_in(
        text.replace("AFTER", "memref.copy %0, %x : memref<8xf32> to memref<8xf32>")
    )


def test_blocks_are_followed_around_a_cycle() -> None:
    text = """
    func.func @f(%arena: memref<128xi8>, %x: memref<8xf32>, %c: i1) {
      %c0 = arith.constant 0 : index
      %other = arith.constant OFFSET : index
      %0 = memref.view %arena[%c0][] : memref<128xi8> to memref<8xf32>
      memref.copy %x, %0 : memref<8xf32> to memref<8xf32>
      cf.br ^one
    ^one:
      memref.copy %0, %x : memref<8xf32> to memref<8xf32>
      %1 = memref.view %arena[%other][] : memref<128xi8> to memref<8xf32>
      memref.copy %x, %1 : memref<8xf32> to memref<8xf32>
      cf.cond_br %c, ^one, ^end
    ^end:
      return
    }
    """
    assert not wrong_in(text.replace("OFFSET", "32"))
    assert wrong_in(text.replace("OFFSET", "8"))


def planned_program(seed: int) -> ModuleOp:
    context, module = parse(random_program(seed, LARGE).text)
    OneShotBufferizePass(
        bufferize_function_boundaries=True,
        allow_return_allocs_from_loops=True,
        buffer_alignment=0,
        copy_before_write=seed % 2 == 0,
    ).apply(context, module)
    BufferDeallocationPipeline().apply(context, module)
    plan_memory(module, alignment=4)
    return module


@pytest.mark.parametrize("seed", [2, 5, 26, 33, 59])
def test_plans_of_random_programs_are_right(seed: int) -> None:
    assert not verify_memory_plan(planned_program(seed))


def neighbours(
    function: func.FuncOp, plan: FunctionPlan
) -> Iterator[tuple[memref.ViewOp, Placement]]:
    """Yield the buffers of an arena, each with those that are live together with it.
    Those that a loop carries are left out: that of the iteration before is live then."""
    views = [
        op
        for op in function.walk()
        if isinstance(op, memref.ViewOp)
        and cast("MemRefType[Attribute]", op.results[0].type).element_type != i8
    ]
    placed = [
        (view, place)
        for view, place in zip(views, plan.placements, strict=False)
        if not any(use.operation.name.startswith("scf.") for use in view.results[0].uses)
    ]
    for view, own in placed:
        for _, other in placed:
            if own.size and other.size and own.offset != other.offset:
                (a, b), (c, d) = own.intervals[0], other.intervals[0]
                if max(a, c) < min(b, d):
                    yield view, other


def moved(module: ModuleOp, view: memref.ViewOp, offset: int) -> int:
    """Return how many errors are found with a buffer at another offset."""
    before = view.operands[1]
    shift = arith.ConstantOp.from_int_and_width(offset, IndexType())
    Rewriter.insert_op(shift, InsertPoint.before(view))
    view.operands[1] = shift.result
    wrong = verify_memory_plan(module)
    view.operands[1] = before
    Rewriter.erase_op(shift)
    return len(wrong)


def test_buffers_of_random_programs_moved_into_a_neighbour_are_found() -> None:
    programs = mutants = 0
    for seed in range(30):
        context, module = parse(random_program(seed, OBSERVED).text)
        OneShotBufferizePass(
            bufferize_function_boundaries=True,
            allow_return_allocs_from_loops=True,
            buffer_alignment=0,
            copy_before_write=True,
        ).apply(context, module)
        BufferDeallocationPipeline().apply(context, module)
        plans = plan_memory(module, alignment=4, arena="argument")
        assert not verify_memory_plan(module)
        pairs = [
            pair
            for function in module.walk()
            if isinstance(function, func.FuncOp)
            for plan in plans
            if plan.function == function.sym_name.data
            for pair in neighbours(function, plan)
        ]
        programs += bool(pairs)
        for view, other in Random(seed).sample(pairs, min(8, len(pairs))):
            mutants += 1
            assert moved(module, view, other.offset), f"seed {seed}"
    assert programs >= 20 and mutants >= 100


def test_buffers_moved_into_a_neighbour_are_found() -> None:
    """Every buffer of a chain is needed by the op after the next: to move one by any
    number of bytes puts it into a neighbour, or out of the arena."""
    lines = [
        f"%{i} = memref.alloc() : memref<8xf32>\n"
        f"linalg.add ins(%{i - 1}, %{i - 2} : memref<8xf32>, memref<8xf32>) "
        f"outs(%{i} : memref<8xf32>)"
        for i in range(2, 12)
    ]
    text = (
        "func.func @f(%0: memref<8xf32>, %1: memref<8xf32>) {\n"
        + "\n".join(lines)
        + "\nmemref.copy %11, %0 : memref<8xf32> to memref<8xf32>\nreturn\n}"
    )
    rng = Random(0)
    for number in range(10):
        _, module = parse(text)
        (plan,) = plan_memory(module)
        assert plan.height == 96
        assert not verify_memory_plan(module)
        views = [op for op in module.walk() if isinstance(op, memref.ViewOp)]
        shift = views[number].operands[1].owner
        assert isinstance(shift, arith.ConstantOp)
        assert isinstance(shift.value, IntegerAttr)
        moved = shift.value.value.data + rng.choice([-4, 4, -16, 16])
        shift.properties["value"] = IntegerAttr(moved, IndexType())
        assert verify_memory_plan(module)
