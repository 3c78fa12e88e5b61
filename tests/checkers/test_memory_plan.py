"""verify-memory-plan: right plans pass, and a buffer moved into a neighbour is found."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from random import Random
from types import FrameType
from typing import cast

import pytest
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, ModuleOp, i8
from xdsl.ir import Attribute
from xdsl.rewriter import InsertPoint, Rewriter

from tests.oracle.tools import parse
from tests.random_programs.program import LARGE, OBSERVED, random_program
from xdsl_bufferization.checkers.places import Unions, place_of, union
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.pipelines import BufferDeallocationPipeline
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
from xdsl_bufferization.transforms.plan_memory import (
    Arena,
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
    assert loop(0, 28, "memref.copy %0, %x : memref<8xf32> to memref<8xf32>")


def test_the_place_of_the_iteration_before_is_lost() -> None:
    """%a is the place that the iteration before made, at the same offset."""
    assert loop(0, 32, "memref.copy %a, %x : memref<8xf32> to memref<8xf32>")
    assert loop(0, 32, "memref.copy %a, %1 : memref<8xf32> to memref<8xf32>")


NEW_MEMORY = """
func.func @f(%first: memref<32xi8>, %x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.view %first[%c0][] : memref<32xi8> to memref<8xf32>
  memref.copy %x, %v : memref<8xf32> to memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %v) -> (memref<8xf32>) {
    %bytes = memref.alloc() : memref<32xi8>
    %w = memref.view %bytes[%c0][] : memref<32xi8> to memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%w : memref<8xf32>)
    memref.copy %old, %x : memref<8xf32> to memref<8xf32>
    END
    scf.yield %w : memref<8xf32>
  }
  return
}
"""


def test_a_place_in_memory_of_its_own_iteration_is_right() -> None:
    assert not wrong_in(NEW_MEMORY.replace("END", ""))
    freed = "memref.dealloc %bytes : memref<32xi8>"
    assert wrong_in(NEW_MEMORY.replace("END", freed))


def test_a_view_beyond_the_arena_is_found() -> None:
    assert loop(0, 96) == 0
    assert loop(0, 100)


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


STRAIGHT = """
func.func @f(%arena: memref<128xi8>, %x: memref<8xf32>, %n: index) {
  %first = arith.constant 0 : index
  %second = arith.constant 32 : index
  %a = memref.view %arena[%first][] : memref<128xi8> to memref<8xf32>
  %b = memref.view %arena[%second][] : memref<128xi8> to memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}
"""


def messages(text: str) -> list[str]:
    """Return what is said of a program, without the ops."""
    _, module = parse(text, allow_unregistered=True)
    found = [str(wrong).partition("\n  at")[0] for wrong in verify_memory_plan(module)]
    return [re.sub(r" \(at .*\)", "", message) for message in found]


def mutant(*changes: tuple[str, str]) -> list[str]:
    """Return what is said of STRAIGHT with parts of the text replaced."""
    text = STRAIGHT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return messages(text)


def test_an_overlap_names_both_buffers() -> None:
    assert mutant(("constant 32", "constant 16"))[0] == (
        "'linalg.exp' uses a buffer, but another one has been in its memory since it was "
        "used before: their offsets overlap\n"
        "  used: %a, 32 bytes at offset 0 of %arena\n"
        "  in its memory: %b, 32 bytes at offset 16 of %arena"
    )


def test_an_overlap_names_what_a_forwarded_buffer_is() -> None:
    text = LOOP.replace("FIRST", "0").replace("SECOND", "16")
    text = text.replace("USE", "memref.copy %a, %x : memref<8xf32> to memref<8xf32>")
    assert any("%a, which is " in message for message in messages(text))


def test_a_place_has_the_position_of_its_view() -> None:
    _, module = parse(STRAIGHT.replace("constant 32", "constant 16"))
    assert "of %arena (at " in str(verify_memory_plan(module)[0])


@pytest.mark.parametrize("offset", [-32, 100, 128])
def test_a_view_must_be_in_its_arena(offset: int) -> None:
    assert mutant(("constant 32", f"constant {offset}")) == [
        f"%b, 32 bytes at offset {offset} of %arena is not inside of its arena, which "
        "has 128 bytes"
    ]


def test_the_elements_of_a_view_must_be_aligned() -> None:
    assert mutant(("constant 32", "constant 34")) == [
        "%b is at offset 34 of %arena, but the elements of memref<8xf32> need a multiple "
        "of 4 bytes"
    ]
    assert not mutant(("constant 32", "constant 36"))


def test_a_vector_needs_its_alignment_and_its_padding() -> None:
    vectors = ("memref<8xf32>", "memref<2xvector<3xf32>>"), ("linalg.exp", "linalg.copy")
    assert not mutant(*vectors)
    (found,) = mutant(*vectors, ("constant 32", "constant 40"))
    assert "need a multiple of 16 bytes" in found
    overlap = mutant(*vectors, ("constant 32", "constant 16"))
    assert "%b, 32 bytes at offset 16 of %arena" in overlap[0]


@pytest.mark.parametrize(
    "arena",
    [
        "memref.alloc() {alignment = 8 : i64}",
        "memref.alloca() {alignment = 16 : i64}",
        "memref.alloca()",
    ],
)
def test_an_arena_must_be_aligned_as_its_elements(arena: str) -> None:
    text = STRAIGHT.replace("%arena: memref<128xi8>, ", "").replace(
        "  %first", f"  %arena = {arena} : memref<128xi8>\n  %first"
    )
    assert bool(messages(text)) == (arena == "memref.alloca()")
    text = text.replace("8xf32", "1xvector<8xf32>").replace(".exp", ".copy")
    known = 1 if arena == "memref.alloca()" else 16
    assert messages(text) == [
        f"{name}, at offset {offset} of %arena: the elements of memref<1xvector<8xf32>> "
        f"need a multiple of 32 bytes, but %arena is aligned to {known}"
        for name, offset in (("%a", 0), ("%b", 32))
    ]


def stated(sizes: str, alignments: str, *changes: tuple[str, str]) -> list[str]:
    """Return what is said of STRAIGHT with attributes of its arena, the last argument."""
    attributes = f"arena_bytes = {sizes}, arena_alignments = {alignments}"
    return mutant(
        ("%arena: memref<128xi8>, ", ""),
        (") {", f", %arena: memref<128xi8>) attributes {{{attributes}}} {{"),
        *changes,
    )


def test_the_attributes_of_a_function_must_be_true() -> None:
    assert not stated("[128 : i64]", "[16 : i64]")
    assert stated("[129 : i64]", "[16 : i64]") == [
        "arena_bytes of @f says that %arena has 129 bytes, but it has 128"
    ]
    assert stated("[60 : i64]", "[16 : i64]") == [
        "%b, 32 bytes at offset 32 of %arena is not inside of its arena, which has 60 "
        "bytes"
    ]
    assert stated("[128 : i64]", "[2 : i64]") == [
        f"{name}, at offset {offset} of %arena: the elements of memref<8xf32> need a "
        "multiple of 4 bytes, but %arena is aligned to 2"
        for name, offset in (("%a", 0), ("%b", 32))
    ]


@pytest.mark.parametrize(
    ("sizes", "alignments"),
    [
        ("128 : i64", "[16 : i64]"),
        ("[128 : i64]", "[0 : i64]"),
        ("[-1 : i64]", "[16 : i64]"),
        ("[1 : i64, 1 : i64, 128 : i64]", "[16 : i64]"),
        ("[128 : i64]", '["16"]'),
    ],
)
def test_attributes_that_are_no_sizes_or_alignments_are_refused(
    sizes: str, alignments: str
) -> None:
    (found,) = stated(sizes, alignments)
    assert "of @f must be an array with a number from" in found


def test_an_arena_of_dynamic_size_has_what_is_stated_of_it() -> None:
    dynamic = ("memref<128xi8>", "memref<?xi8>")
    assert not stated("[64 : i64]", "[16 : i64]", dynamic)
    assert stated("[60 : i64]", "[16 : i64]", dynamic)
    assert mutant(dynamic) == [
        f"it cannot be proved that {name} is inside of %arena and overlaps no other view "
        "of it: the size of %arena is not known"
        for name in ("%a", "%b")
    ]


def test_a_view_at_an_offset_that_is_not_constant_is_refused() -> None:
    assert mutant(("%arena[%second]", "%arena[%n]")) == [
        "it cannot be proved that %b is inside of %arena and overlaps no other view of "
        "it: its offset is not a constant (canonicalize first if it is computed)"
    ]
    sizes = ("[%second][] : memref<128xi8> to memref<8xf32>",)
    assert mutant(
        (*sizes, "[%second][%n] : memref<128xi8> to memref<?xf32>"),
        ("outs(%b : memref<8xf32>)", "outs(%b : memref<?xf32>)"),
    ) == [
        "it cannot be proved that %b is inside of %arena and overlaps no other view of "
        "it: its size is not known"
    ]


def test_the_only_view_of_a_buffer_may_be_anywhere() -> None:
    """It shares the memory with nothing."""
    assert not messages("""
    func.func @f(%bytes: memref<?xi8>, %x: memref<8xf32>, %n: index) {
      %a = memref.view %bytes[%n][%n] : memref<?xi8> to memref<?xf32>
      memref.copy %x, %a : memref<8xf32> to memref<?xf32>
      return
    }
    """)


CALL = """
func.func private @callee(%x: memref<8xf32>, %own: memref<64xi8>) {
  %c32 = arith.constant 32 : index
  %v = memref.view %own[%c32][] : memref<64xi8> to memref<1xvector<8xf32>>
  memref.copy %v, %v : memref<1xvector<8xf32>> to memref<1xvector<8xf32>>
  return
}
func.func private @between(%x: memref<8xf32>, %given: memref<128xi8>) {
  %c32 = arith.constant 32 : index
  %w = memref.view %given[%c32][] : memref<128xi8> to memref<64xi8>
  call @callee(%x, %w) : (memref<8xf32>, memref<64xi8>) -> ()
  return
}
func.func @caller(%x: memref<8xf32>) {
  %c = arith.constant OFFSET : index
  %arena = memref.alloc() {alignment = STATED : i64} : memref<256xi8>
  %given = memref.view %arena[%c][] : memref<256xi8> to memref<128xi8>
  call @between(%x, %given) : (memref<8xf32>, memref<128xi8>) -> ()
  memref.dealloc %arena : memref<256xi8>
  return
}
"""


def test_callers_pass_arenas_that_are_aligned() -> None:
    def found(offset: int, alignment: int) -> list[str]:
        text = CALL.replace("OFFSET", str(offset))
        return messages(text.replace("STATED", str(alignment)))

    assert not found(64, 32)
    assert found(48, 32) == [
        "%given is at offset 48 of %arena, but %given of @between needs a multiple of 32 "
        "bytes"
    ]
    assert found(64, 16) == [
        "%given, at offset 64 of %arena: %given of @between needs a multiple of 32 "
        "bytes, but %arena is aligned to 16"
    ]


def test_memory_in_which_all_offsets_are_computed_was_not_planned() -> None:
    """It is the program's own: its views may overlap as they like."""
    assert not messages("""
    func.func @f(%bytes: memref<64xi8>, %m: index, %n: index, %y: f32) {
      %c0 = arith.constant 0 : index
      %a = memref.view %bytes[%m][] : memref<64xi8> to memref<4xf32>
      %b = memref.view %bytes[%n][] : memref<64xi8> to memref<4xf32>
      memref.store %y, %a[%c0] : memref<4xf32>
      memref.store %y, %b[%c0] : memref<4xf32>
      return
    }
    """)


def test_bytes_may_be_at_any_offset() -> None:
    """What needs no alignment may be passed, or viewed again, at an unknown offset."""
    assert not messages("""
    func.func private @callee(%x: memref<8xi8>, %y: i8) {
      %c0 = arith.constant 0 : index
      memref.store %y, %x[%c0] : memref<8xi8>
      return
    }
    func.func @f(%bytes: memref<64xi8>, %n: index, %y: i8) {
      %c4 = arith.constant 4 : index
      %a = memref.view %bytes[%n][] : memref<64xi8> to memref<16xi8>
      %b = memref.view %a[%c4][] : memref<16xi8> to memref<8xi8>
      call @callee(%b, %y) : (memref<8xi8>, i8) -> ()
      return
    }
    """)


CAST = """
func.func @f(%arena: memref<128xi8>, %x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %second = arith.constant SECOND : index
  %any = memref.cast %arena : memref<128xi8> to memref<?xi8>
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  %b = memref.view %any[%second][] : memref<?xi8> to memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}
"""


def test_a_cast_of_an_arena_is_the_arena() -> None:
    assert not messages(CAST.replace("SECOND", "64"))
    assert messages(CAST.replace("SECOND", "80")) == [
        "%b, 64 bytes at offset 80 of %arena is not inside of its arena, which has 128 "
        "bytes"
    ]
    found = messages(CAST.replace("SECOND", "32"))
    assert found and all("their offsets overlap" in message for message in found)


def test_an_arena_may_be_another_one() -> None:
    def found(view: str) -> list[str]:
        return messages(f"""
        func.func @f(%a: memref<64xi8>, %b: memref<64xi8>, %c: memref<64xi8>, %p: i1) {{
          %c0 = arith.constant 0 : index
          %s = scf.if %p -> memref<64xi8> {{
            scf.yield %a : memref<64xi8>
          }} else {{
            scf.yield %b : memref<64xi8>
          }}
          %v = memref.view {view}[%c0][] : memref<64xi8> to memref<16xf32>
          %w = memref.view %s[%c0][] : memref<64xi8> to memref<16xf32>
          memref.copy %v, %w : memref<16xf32> to memref<16xf32>
          return
        }}
        """)

    assert not found("%c")
    assert found("%b") and all("their offsets overlap" in each for each in found("%b"))


def test_a_view_in_a_place_is_in_the_memory_of_both() -> None:
    """A buffer of bytes that is planned itself may have views: they are used instead."""
    text = """
    func.func @f(%arena: memref<128xi8>, %x: memref<8xf32>) {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %other = arith.constant OTHER : index
      %bytes = memref.view %arena[%c0][] : memref<128xi8> to memref<64xi8>
      %a = memref.view %bytes[%c0][] : memref<64xi8> to memref<8xf32>
      %b = memref.view %bytes[%c32][] : memref<64xi8> to memref<8xf32>
      %c = memref.view %arena[%other][] : memref<128xi8> to memref<8xf32>
      linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
      linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
      linalg.exp ins(%b : memref<8xf32>) outs(%c : memref<8xf32>)
      linalg.add ins(%USED, %c : memref<8xf32>, memref<8xf32>) outs(%x : memref<8xf32>)
      return
    }
    """
    assert not messages(text.replace("OTHER", "64").replace("USED", "a"))
    assert messages(text.replace("OTHER", "0").replace("USED", "a"))
    assert messages(text.replace("OTHER", "32").replace("USED", "b"))
    siblings = text.replace("OTHER", "64").replace("constant 32", "constant 16")
    assert messages(siblings.replace("USED", "a"))


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


@pytest.mark.parametrize("seed", [2, 7, 26, 33, 59])
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


def test_addresses_are_compared_while_the_buffers_have_their_memory() -> None:
    text = """
    func.func @f(%x: memref<4xf32>, %bytes: memref<64xi8>) -> i1 {
      %c0 = arith.constant 0 : index
      %at = arith.constant OFFSET : index
      %a = memref.view %bytes[%c0][] : memref<64xi8> to memref<4xf32>
      %b = memref.view %bytes[%at][] : memref<64xi8> to memref<4xf32>
      memref.copy %x, %a : memref<4xf32> to memref<4xf32>
      memref.copy %x, %b : memref<4xf32> to memref<4xf32>
      %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
      %q = memref.extract_aligned_pointer_as_index %b : memref<4xf32> -> index
      %0 = arith.cmpi eq, %p, %q : index
      return %0 : i1
    }
    """
    assert not messages(text.replace("OFFSET", "16"))
    (message,) = messages(text.replace("OFFSET", "0"))[:1]
    assert message.startswith("'arith.cmpi' uses a buffer, but another one has been in")


def test_a_planned_buffer_of_bytes_may_be_carried_and_viewed() -> None:
    assert not messages("""
    func.func @f(%bytes: memref<64xi8>, %n: index, %x: f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %a = memref.view %bytes[%c0][] : memref<64xi8> to memref<16xi8>
      %b = memref.view %bytes[%c16][] : memref<64xi8> to memref<16xi8>
      %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)
          -> (memref<16xi8>, memref<16xi8>) {
        %v = memref.view %p[%c0][] : memref<16xi8> to memref<4xf32>
        memref.store %x, %v[%c0] : memref<4xf32>
        scf.yield %p, %q : memref<16xi8>, memref<16xi8>
      }
      return
    }
    """)


@pytest.mark.parametrize(
    "loop",
    ["scf.parallel (%i) = (%c0) to (%n) step (%c1)", "scf.forall (%i) in (%n)"],
)
@pytest.mark.parametrize("inside", [False, True])
def test_parallel_iterations_share_no_arena_from_outside(loop: str, inside: bool) -> None:
    """An arena of its own for each iteration is right."""
    arena = "%arena = memref.alloc() {alignment = 64 : i64} : memref<128xi8>"
    end = "scf.reduce" if "parallel" in loop else ""
    text = f"""
    func.func @f(%x: memref<8xf32>, %n: index) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      {"" if inside else arena}
      {loop} {{
        {arena if inside else ""}
        scf.for %j = %c0 to %n step %c1 {{
          %0 = memref.view %arena[%c0][] : memref<128xi8> to memref<8xf32>
          linalg.exp ins(%x : memref<8xf32>) outs(%0 : memref<8xf32>)
        }}
        {end}
      }}
      return
    }}
    """
    assert wrong_in(text) == (0 if inside else 1)


@pytest.mark.parametrize("offset", [16, 32])
def test_each_get_global_of_a_name_is_the_same_arena(offset: int) -> None:
    text = f"""
    memref.global "private" @bytes : memref<128xi8> = uninitialized
    func.func @f(%x: memref<8xf32>) {{
      %c0 = arith.constant 0 : index
      %c = arith.constant {offset} : index
      %first = memref.get_global @bytes : memref<128xi8>
      %second = memref.get_global @bytes : memref<128xi8>
      %0 = memref.view %first[%c0][] : memref<128xi8> to memref<8xf32>
      %1 = memref.view %second[%c][] : memref<128xi8> to memref<8xf32>
      linalg.exp ins(%x : memref<8xf32>) outs(%0 : memref<8xf32>)
      linalg.exp ins(%x : memref<8xf32>) outs(%1 : memref<8xf32>)
      memref.copy %0, %x : memref<8xf32> to memref<8xf32>
      return
    }}
    """
    assert wrong_in(text) == (0 if offset == 32 else 1)


ARENA_ITSELF = """
func.func @f(%x: memref<8xf32>, %n: index, %c: i1, %byte: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %other = memref.alloc() : memref<32xi8>
  %first = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
  %second = memref.view %arena[%c32][] : memref<64xi8> to memref<8xf32>
  %third = memref.view %other[%c0][] : memref<32xi8> to memref<8xf32>
  BEFORE
  linalg.exp ins(%x : memref<8xf32>) outs(%first : memref<8xf32>)
  linalg.exp ins(%x : memref<8xf32>) outs(%third : memref<8xf32>)
  BETWEEN
  AFTER
  return
}
"""
BYTES_ACCESSED = {
    "store": "memref.store %byte, %arena[%c0] : memref<64xi8>",
    "subview": """
      %s = memref.subview %arena[8] [16] [1]
          : memref<64xi8> to memref<16xi8, strided<[1], offset: 8>>
      linalg.fill ins(%byte : i8) outs(%s : memref<16xi8, strided<[1], offset: 8>>)""",
    "cast": """
      %s = memref.cast %arena : memref<64xi8> to memref<?xi8>
      memref.store %byte, %s[%c0] : memref<?xi8>""",
    "in a branch": """
      scf.if %c {
        memref.store %byte, %arena[%c0] : memref<64xi8>
      }""",
}
USED = {
    "place": "linalg.exp ins(%first : memref<8xf32>) outs(%x : memref<8xf32>)",
    "view": """
      %r = memref.expand_shape %first [[0, 1]] output_shape [2, 4]
          : memref<8xf32> into memref<2x4xf32>
      %y = memref.load %r[%c0, %c0] : memref<2x4xf32>""",
    "chosen": """
      %r = arith.select %c, %first, %third : memref<8xf32>
      memref.copy %r, %x : memref<8xf32> to memref<8xf32>""",
}


def arena_itself(before: str, between: str, after: str) -> list[str]:
    text = ARENA_ITSELF.replace("BEFORE", before).replace("BETWEEN", between)
    return messages(text.replace("AFTER", after))


@pytest.mark.parametrize("used", USED)
@pytest.mark.parametrize("access", BYTES_ACCESSED)
def test_an_access_to_an_arena_is_one_to_all_buffers_in_it(
    access: str, used: str
) -> None:
    """What is written after it is right, and so is another arena."""
    accessed = BYTES_ACCESSED[access]
    assert not arena_itself(accessed, "", USED[used])
    other = "linalg.exp ins(%third : memref<8xf32>) outs(%x : memref<8xf32>)"
    assert not arena_itself("", accessed, other)
    (message,) = arena_itself("", accessed, USED[used])
    assert "%first, 32 bytes at offset 0 of %arena" in message
    assert "has accessed the arena itself since" in message


@pytest.mark.parametrize("used", USED)
def test_no_buffer_is_used_after_its_arena_is_freed(used: str) -> None:
    """Whether it has been used before or not."""
    free = "memref.dealloc %arena : memref<64xi8>"
    assert not arena_itself("", USED[used], free)
    (message,) = arena_itself("", free, USED[used])
    assert "has freed the arena" in message
    (message,) = arena_itself(
        "", free, "linalg.exp ins(%second : memref<8xf32>) outs(%x : memref<8xf32>)"
    )
    assert "%second, 32 bytes at offset 32 of %arena" in message


def test_an_arena_of_each_iteration_is_freed_in_it() -> None:
    assert not messages("""
    func.func @f(%x: memref<8xf32>, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %arena = memref.alloc() : memref<64xi8>
        %first = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
        linalg.exp ins(%x : memref<8xf32>) outs(%first : memref<8xf32>)
        memref.dealloc %arena : memref<64xi8>
      }
      return
    }
    """)


FREED = """
func.func private @drop(%bytes: memref<?xi8>) {
  memref.dealloc %bytes : memref<?xi8>
  return
}
func.func private @pass(%bytes: memref<32xi8>) {
  %any = memref.cast %bytes : memref<32xi8> to memref<?xi8>
  call @drop(%any) : (memref<?xi8>) -> ()
  return
}
func.func private @same(%bytes: memref<32xi8>) -> memref<32xi8> {
  return %bytes : memref<32xi8>
}
func.func private @new(%bytes: memref<32xi8>) -> memref<32xi8> {
  %0 = memref.alloc() : memref<32xi8>
  memref.copy %bytes, %0 : memref<32xi8> to memref<32xi8>
  return %0 : memref<32xi8>
}
func.func @f(%x: memref<8xf32>, %n: index, %c: i1, %byte: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<32xi8>
  BODY
  return
}
"""
FREES = {
    "here": "memref.dealloc %arena : memref<32xi8>",
    "in a branch": """
      scf.if %c {
        memref.dealloc %arena : memref<32xi8>
      }""",
    "by a function": "call @pass(%arena) : (memref<32xi8>) -> ()",
    "a result": """
      %r = call @same(%arena) : (memref<32xi8>) -> memref<32xi8>
      memref.dealloc %r : memref<32xi8>""",
    "a cast": """
      %u = builtin.unrealized_conversion_cast %arena : memref<32xi8> to memref<?xi8>
      memref.dealloc %u : memref<?xi8>""",
}
VIEWED = """
      %v = memref.view %arena[%c0][] : memref<32xi8> to memref<8xf32>
      memref.copy %x, %v : memref<8xf32> to memref<8xf32>"""


@pytest.mark.parametrize("free", FREES)
def test_no_view_is_made_of_an_arena_that_was_freed(free: str) -> None:
    assert not messages(FREED.replace("BODY", VIEWED + FREES[free]))
    view, copy = messages(FREED.replace("BODY", FREES[free] + VIEWED))
    assert "'memref.view' uses %arena, but " in view
    assert "'memref.copy' uses %v, 32 bytes at offset 0 of %arena" in copy
    assert "has freed the arena; free it after the last use" in copy


def test_an_arena_is_not_freed_twice_nor_accessed_itself() -> None:
    free = FREES["here"]
    (message,) = messages(FREED.replace("BODY", VIEWED + free + "\n" + free))
    assert "'memref.dealloc' uses %arena" in message
    store = "\nmemref.store %byte, %arena[%c0] : memref<32xi8>"
    (message,) = messages(FREED.replace("BODY", VIEWED + free + store))
    assert "'memref.store' uses %arena" in message


def test_an_arena_is_not_freed_in_an_iteration_before() -> None:
    loop = """
      scf.for %i = %c0 to %n step %c1 {
        ALLOC
        VIEWED
        memref.dealloc %arena : memref<32xi8>
      }"""
    body = loop.replace("VIEWED", VIEWED)
    assert messages(FREED.replace("BODY", body.replace("ALLOC", "")))
    again = body.replace("ALLOC", "%own = memref.alloc() : memref<32xi8>")
    assert not messages(FREED.replace("BODY", again.replace("%arena", "%own")))


def test_what_frees_other_memory_frees_no_arena() -> None:
    """Neither the result of a function that returns new memory, nor the buffer of the
    iteration before."""
    new = """
      %r = call @new(%arena) : (memref<32xi8>) -> memref<32xi8>
      memref.dealloc %r : memref<32xi8>"""
    assert not messages(FREED.replace("BODY", new + VIEWED))
    carried = """
      %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first)
          -> (memref<32xi8>) {
        %next = memref.alloc() : memref<32xi8>
        %v = memref.view %next[%c0][] : memref<32xi8> to memref<8xf32>
        memref.copy %x, %v : memref<8xf32> to memref<8xf32>
        memref.dealloc FREED : memref<32xi8>
        memref.copy %v, %x : memref<8xf32> to memref<8xf32>
        scf.yield %next : memref<32xi8>
      }"""
    init = "%first = memref.alloc() : memref<32xi8>"
    freed = FREED.replace("BODY", init + carried)
    assert messages(freed.replace("FREED", "%next"))
    rotated = carried.replace("iter_args(%old = %first)", "iter_args(%old = %arena)")
    assert not messages(FREED.replace("BODY", rotated.replace("FREED", "%old")))


@pytest.mark.parametrize(
    "part",
    [
        """
        %s = memref.subview %arena[0] [64] [1]
            : memref<128xi8> to memref<64xi8, strided<[1]>>
        %part = memref.cast %s : memref<64xi8, strided<[1]>> to memref<64xi8>""",
        """
        %part = memref.reinterpret_cast %arena to offset: [0], sizes: [64], strides: [1]
            : memref<128xi8> to memref<64xi8>""",
        """
        %part = builtin.unrealized_conversion_cast %arena
            : memref<128xi8> to memref<64xi8>""",
    ],
)
def test_a_part_of_an_arena_is_the_arena(part: str) -> None:
    """Two views are in it, through different ops: at different offsets or not."""
    body = (
        part
        + """
        %a = memref.view %part[%second][] : memref<64xi8> to memref<8xf32>"""
    )
    old = "\n  %a = memref.view %arena[%first][] : memref<128xi8> to memref<8xf32>"
    assert not mutant((old, body), ("%arena[%second]", "%arena[%first]"))
    found = mutant((old, body))
    assert "in its memory: %b, 32 bytes at offset 32 of %arena" in found[0]
    (outside,) = mutant(
        (old, body), ("constant 32", "constant 64"), ("%arena[%second]", "%arena[%first]")
    )
    assert "is not inside of its arena, which has 64 bytes" in outside


OWN_BUFFERS = """
memref.global "private" @bytes : memref<32xi8> = uninitialized
memref.global "private" constant @weights : memref<32xi8> = dense<0>
func.func private @fills(%x: memref<32xi8>, %bytes: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %arena = memref.cast %bytes : memref<?xi8> to memref<32xi8>
  %v = memref.view %arena[%c0][] : memref<32xi8> to memref<32xi8>
  memref.copy %x, %v : memref<32xi8> to memref<32xi8>
  return
}
func.func private @passes(%x: memref<32xi8>, %arena: memref<32xi8>) {
  %any = memref.cast %arena : memref<32xi8> to memref<?xi8>
  call @fills(%x, %any) : (memref<32xi8>, memref<?xi8>) -> ()
  return
}
func.func private @reads(%x: memref<32xi8>, %y: memref<32xi8>) {
  memref.copy %x, %x : memref<32xi8> to memref<32xi8>
  memref.copy %y, %y : memref<32xi8> to memref<32xi8>
  return
}
func.func private @global(%x: memref<32xi8>) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @bytes : memref<32xi8>
  %v = memref.view %g[%c0][] : memref<32xi8> to memref<32xi8>
  memref.copy %x, %v : memref<32xi8> to memref<32xi8>
  return
}
func.func private @constant(%x: memref<32xi8>) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @weights : memref<32xi8>
  %v = memref.view %g[%c0][] : memref<32xi8> to memref<32xi8>
  memref.copy %v, %x : memref<32xi8> to memref<32xi8>
  return
}
func.func @f(%x: memref<32xi8>, %arena: memref<64xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  BODY
  return
}
"""


def own_buffers(body: str) -> list[str]:
    return messages(OWN_BUFFERS.replace("BODY", body))


PARALLEL = """
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    BODY
    scf.reduce
  }"""


def test_parallel_iterations_pass_no_arena_from_outside_to_a_function() -> None:
    call = "func.call @passes(%x, %a) : (memref<32xi8>, memref<32xi8>) -> ()"
    alloc = "%a = memref.alloc() : memref<32xi8>"
    assert not own_buffers(PARALLEL.replace("BODY", f"{alloc}\n{call}"))
    (message,) = own_buffers(alloc + PARALLEL.replace("BODY", call))
    assert "'scf.parallel' run at the same time, and share %a" in message
    read = call.replace("@passes", "@reads")
    assert not own_buffers(alloc + PARALLEL.replace("BODY", read))
    (message,) = own_buffers(
        PARALLEL.replace("BODY", "func.call @global(%x) : (memref<32xi8>) -> ()")
    )
    assert "share @bytes, in which @global puts its buffers" in message
    assert not own_buffers(
        PARALLEL.replace("BODY", "func.call @constant(%x) : (memref<32xi8>) -> ()")
    )


@pytest.mark.parametrize("callee", ["passes", "reads"])
@pytest.mark.parametrize("operands", ["%a, %b", "%b, %b", "%inner, %b", "%b, %inner"])
def test_no_argument_is_in_the_arena_of_a_function(callee: str, operands: str) -> None:
    found = own_buffers(f"""
      %a = memref.view %arena[%c0][] : memref<64xi8> to memref<32xi8>
      %b = memref.view %arena[%c32][] : memref<64xi8> to memref<32xi8>
      %inner = memref.view %b[%c0][] : memref<32xi8> to memref<32xi8>
      memref.copy %x, %a : memref<32xi8> to memref<32xi8>
      memref.copy %x, %b : memref<32xi8> to memref<32xi8>
      call @{callee}({operands}) : (memref<32xi8>, memref<32xi8>) -> ()""")
    is_right = callee == "reads" or operands == "%a, %b"
    assert bool(found) != is_right
    assert is_right or "puts buffers of its own in argument 1" in found[0]


def test_a_function_that_is_called_may_use_a_global() -> None:
    text = """
      %g = memref.get_global @GLOBAL : memref<32xi8>
      %a = memref.view %g[%c0][] : memref<32xi8> to memref<32xi8>
      memref.copy %a, %x : memref<32xi8> to memref<32xi8>
      call @CALLEE(%x) : (memref<32xi8>) -> ()
      memref.copy %a, %x : memref<32xi8> to memref<32xi8>"""
    variable, constant = (text.replace("GLOBAL", g) for g in ("bytes", "weights"))
    (message,) = own_buffers(variable.replace("CALLEE", "global"))
    assert "%a, 32 bytes at offset 0 of %g has accessed the arena itself" in message
    assert not own_buffers(variable.replace("CALLEE", "constant"))
    assert not own_buffers(constant.replace("CALLEE", "constant"))


HELD = """
func.func @f(%x: memref<8xf32>, %arena: memref<64xi8>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant OFFSET : index
  %tag = memref.alloc() : memref<1xi32>
  %list = memref.alloc() : memref<1xmemref<8xf32>>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  HOLD
  %b = memref.view %arena[%c32][] : memref<64xi8> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  return
}
"""
HOLDS = {
    "memref.dma_start": """
      memref.dma_start %x[%c0], %a[%c0], %n, %tag[%c0]
          : memref<8xf32>, memref<8xf32>, memref<1xi32>""",
    "memref.store": "memref.store %a, %list[%c0] : memref<1xmemref<8xf32>>",
    "bufferization.to_tensor": """
      %t = bufferization.to_tensor %a : memref<8xf32> to tensor<8xf32>""",
    "builtin.unrealized_conversion_cast": """
      %t = builtin.unrealized_conversion_cast %a : memref<8xf32> to !test.pointer""",
    "test.start": """%t = "test.start"(%a) : (memref<8xf32>) -> !test.token""",
    "test.execute": """
      %t = "test.execute"() ({
        scf.if %c {
          %r = memref.cast %a : memref<8xf32> to memref<?xf32>
          memref.copy %x, %r : memref<8xf32> to memref<?xf32>
        }
        "test.yield"() : () -> ()
      }) : () -> !test.token""",
}


@pytest.mark.parametrize("op", HOLDS)
def test_what_an_op_may_use_later_is_not_overwritten(op: str) -> None:
    text = HELD.replace("HOLD", HOLDS[op])
    assert not messages(text.replace("OFFSET", "32"))
    _, module = parse(text.replace("OFFSET", "0"), allow_unregistered=True)
    (wrong,) = verify_memory_plan(module)
    assert wrong.op.name == "memref.copy"
    assert f"but '{op}'" in wrong.what
    assert "may go on using what is there: %a, 32 bytes at offset 0" in wrong.what


def test_an_op_that_makes_numbers_does_not_go_on() -> None:
    for op in (
        """%t = "test.start"(%a) : (memref<8xf32>) -> vector<4xf32>""",
        """"test.execute"() ({
             "test.use"(%a) : (memref<8xf32>) -> ()
           }) : () -> ()""",
    ):
        assert not messages(HELD.replace("HOLD", op).replace("OFFSET", "0"))


def test_a_transfer_of_the_iteration_before_may_go_on() -> None:
    """Unless the iteration has an arena of its own."""
    loop = """
    func.func @f(%x: memref<8xf32>, %n: index, %tag: memref<1xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      OUTSIDE
      scf.for %i = %c0 to %n step %c1 {
        INSIDE
        %a = memref.view %arena[%c0][] : memref<32xi8> to memref<8xf32>
        memref.dma_start %x[%c0], %a[%c0], %n, %tag[%c0]
            : memref<8xf32>, memref<8xf32>, memref<1xi32>
        memref.dma_wait %tag[%c0], %n : memref<1xi32>
      }
      return
    }
    """
    alloc = "%arena = memref.alloc() : memref<32xi8>"
    (message,) = messages(loop.replace("OUTSIDE", alloc).replace("INSIDE", ""))
    assert "'memref.view' uses the memory of an earlier buffer" in message
    inside = loop.replace("OUTSIDE", "").replace("INSIDE", alloc)
    free = "memref.dealloc %arena : memref<32xi8>\n      }\n      return"
    assert not messages(inside)
    assert not messages(inside.replace("}\n      return", free))


ADDRESS = """
func.func private @use(!llvm.ptr, index)
func.func private @advance(!llvm.ptr) -> !llvm.ptr
func.func private @address(%m: memref<?xf32>) -> index {
  %0 = memref.extract_aligned_pointer_as_index %m : memref<?xf32> -> index
  return %0 : index
}
func.func private @address_plus(%m: memref<?xf32>, %n: index) -> index {
  %0 = func.call @address(%m) : (memref<?xf32>) -> index
  %1 = arith.addi %0, %n : index
  return %1 : index
}
func.func @f(%x: memref<8xf32>, %arena: memref<64xi8>, %n: index, %one: f32, %c: i1,
    %list: memref<1xindex>, %cell: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %at = arith.constant OFFSET : index
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
  %index = memref.extract_aligned_pointer_as_index BUFFER -> index
  %number = arith.index_cast %index : index to i64
  %p = llvm.inttoptr %number : i64 to !llvm.ptr
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  BEFORE
  %b = memref.view %arena[%at][] : memref<64xi8> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  AFTER
  return
}
"""
BUFFERS = ["%a : memref<8xf32>", "%arena : memref<64xi8>"]
POINTER_USES = {
    "load": "%v = llvm.load %p : !llvm.ptr -> f32",
    "store": "llvm.store %one, %p : f32, !llvm.ptr",
    "call": "func.call @use(%p, %c0) : (!llvm.ptr, index) -> ()",
    "call of a number": "func.call @use(%cell, %index) : (!llvm.ptr, index) -> ()",
    "unknown op": '"test.use"(%p) : (!llvm.ptr) -> ()',
    "of one beside it": """
      %next = arith.addi %index, %n : index
      %cast = arith.index_cast %next : index to i64
      %q = llvm.inttoptr %cast : i64 to !llvm.ptr
      llvm.store %one, %q : f32, !llvm.ptr""",
    "of what a function returns": """
      %q = func.call @advance(%p) : (!llvm.ptr) -> !llvm.ptr
      llvm.store %one, %q : f32, !llvm.ptr""",
    "in a loop": """
      scf.for %i = %c0 to %n step %c1 {
        llvm.store %one, %p : f32, !llvm.ptr
      }""",
}
POINTER_KEEPERS = {
    "memref.store": "memref.store %index, %list[%c0] : memref<1xindex>",
    "llvm.store": "llvm.store %number, %cell : i64, !llvm.ptr",
    "scf.for": """
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%each = %number) -> (i64) {
        scf.yield %each : i64
      }""",
    "scf.yield": """
      %r = scf.if %c -> (i64) {
        scf.yield %number : i64
      } else {
        %other = arith.constant 0 : i64
        scf.yield %other : i64
      }""",
    "cf.br": """
        cf.br ^next(%p : !llvm.ptr)
      ^next(%q: !llvm.ptr):""",
    "builtin.unrealized_conversion_cast": """
      %m = builtin.unrealized_conversion_cast %number : i64 to memref<8xf32>""",
    "func.call": """
      %dynamic = memref.cast %a : memref<8xf32> to memref<?xf32>
      %q = func.call @address_plus(%dynamic, %n) : (memref<?xf32>, index) -> index""",
    "test.start": '%t = "test.start"(%p) : (!llvm.ptr) -> !test.token',
}


def address_messages(before: str, after: str, buffer: str, offset: int = 0) -> list[str]:
    text = ADDRESS.replace("BEFORE", before).replace("AFTER", after)
    text = text.replace("BUFFER", buffer).replace("OFFSET", str(offset))
    _, module = parse(text, allow_unregistered=True)
    return [wrong.what for wrong in verify_memory_plan(module)]


@pytest.mark.parametrize("use", POINTER_USES)
def test_what_is_computed_of_an_address_keeps_the_buffer_live(use: str) -> None:
    op = POINTER_USES[use]
    own, arena = BUFFERS
    assert not address_messages(op, "", own)
    assert not address_messages("", op, own, 32)
    message, *_ = address_messages("", op, own)
    assert "uses a buffer, but another one has been in its memory" in message
    assert "used: %a, 32 bytes at offset 0" in message
    # Through the address of the arena, all of its buffers are accessed.
    read = "memref.copy %b, %x : memref<8xf32> to memref<8xf32>"
    assert not address_messages(op, read, arena)
    (message,) = address_messages("", f"{op}\n{read}", arena, 32)
    assert "has accessed the arena itself since" in message


@pytest.mark.parametrize("buffer", BUFFERS)
@pytest.mark.parametrize("keeper", POINTER_KEEPERS)
def test_an_address_that_is_kept_keeps_the_buffer_live(keeper: str, buffer: str) -> None:
    op = POINTER_KEEPERS[keeper]
    assert not address_messages(op, "", buffer, 32)
    messages = address_messages(op, "", buffer)
    assert any(
        f"but '{keeper}' (at" in message
        and "may go on using what is there: %a, 32 bytes at offset 0" in message
        for message in messages
    )


def test_to_compute_of_an_address_is_no_access() -> None:
    own, _ = BUFFERS
    compute = """
      %next = arith.addi %index, %n : index
      %cast = arith.index_cast %next : index to i64
      %q = llvm.inttoptr %cast : i64 to !llvm.ptr"""
    assert not address_messages("", compute, own)
    # What has been loaded is not where it was.
    load = "%v = llvm.load %p : !llvm.ptr -> i64"
    use = "llvm.store %v, %cell : i64, !llvm.ptr"
    assert not address_messages(load, use, own)


BYTES_OF_A_FUNCTION = """
func.func private @g(%bytes: memref<64xi8>, %n: index) -> memref<RESULT> {
  %new = memref.alloc(OPERAND) : memref<RESULT>
  return RETURNED : memref<RESULT>
}
func.func @f(%arena: memref<128xi8>, %x: memref<16xf32>, %y: memref<4xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %part = memref.view %arena[%c0][] : memref<128xi8> to memref<64xi8>
  %r = func.call @g(%part, %n) : (memref<64xi8>, index) -> memref<RESULT>
  %c1 = arith.constant 1 : i8
  memref.store %c1, %r[%c0] : memref<RESULT>
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %v = memref.view %r[%c0][] : memref<RESULT> to memref<4xf32>
  %0 = memref.load %v[%c0] : memref<4xf32>
  return
}
"""


@pytest.mark.parametrize("size", ["?", "64"])
def test_the_bytes_that_a_function_returns_are_no_arena_that_it_is_given(
    size: str,
) -> None:
    text = BYTES_OF_A_FUNCTION.replace("RESULT", f"{size}xi8")
    text = text.replace("OPERAND", "%n" if size == "?" else "")
    assert not messages(text.replace("RETURNED", "%new"))
    if size == "64":
        found = messages(text.replace("RETURNED", "%bytes"))
        assert any("their offsets overlap" in message for message in found)


def test_a_function_returns_what_an_unknown_one_does() -> None:
    text = BYTES_OF_A_FUNCTION.replace("RESULT", "64xi8").replace("OPERAND", "")
    call = """
      %u = func.call @unknown(%bytes) : (memref<64xi8>) -> memref<64xi8>
      return %u"""
    unknown = "func.func private @unknown(memref<64xi8>) -> memref<64xi8>"
    found = messages(unknown + text.replace("return RETURNED", call))
    assert any("their offsets overlap" in message for message in found)


def test_a_function_returns_a_view_of_bytes() -> None:
    text = """
    func.func private @g(%bytes: memref<64xi8>) -> memref<8xf32> {
      %c0 = arith.constant 0 : index
      %0 = memref.view %bytes[%c0][] : memref<64xi8> to memref<8xf32>
      return %0 : memref<8xf32>
    }
    func.func @f(%arena: memref<128xi8>, %x: memref<8xf32>) {
      %c0 = arith.constant 0 : index
      %at = arith.constant OFFSET : index
      %part = memref.view %arena[%c0][] : memref<128xi8> to memref<64xi8>
      %r = func.call @g(%part) : (memref<64xi8>) -> memref<8xf32>
      %a = memref.view %arena[%at][] : memref<128xi8> to memref<8xf32>
      memref.copy %x, %r : memref<8xf32> to memref<8xf32>
      memref.copy %x, %a : memref<8xf32> to memref<8xf32>
      memref.copy %r, %x : memref<8xf32> to memref<8xf32>
      return
    }
    """
    assert not messages(text.replace("OFFSET", "64"))
    assert messages(text.replace("OFFSET", "32"))


EXCHANGED_BYTES = """
func.func @f(%x: memref<16xi8>, %arena: memref<64xi8>, %n: index, %k: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %at = arith.constant OFFSET : index
  %a = FIRST
  %b = SECOND
  memref.copy %x, %a : memref<16xi8> to memref<16xi8>
  memref.copy %x, %b : memref<16xi8> to memref<16xi8>
  %start = memref.view %a[%c0][] : memref<16xi8> to memref<4xf32>
  memref.store %k, %start[%c0] : memref<4xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b, %e = %start)
      -> (memref<16xi8>, memref<16xi8>, memref<4xf32>) {
    %v = memref.view %p[%c0][] : memref<16xi8> to memref<4xf32>
    %w = memref.view %q[%c0][] : memref<16xi8> to memref<4xf32>
    BEFORE
    scf.for %j = %c0 to %n step %c1 {
      %y = memref.load %v[%j] : memref<4xf32>
      memref.store %y, %w[%j] : memref<4xf32>
    }
    AFTER
    scf.yield YIELD : memref<16xi8>, memref<16xi8>, memref<4xf32>
  }
  %u = memref.view %r#0[%c0][] : memref<16xi8> to memref<4xf32>
  %z = memref.load %u[%c0] : memref<4xf32>
  return %z : f32
}
"""
IN_ARENA = "memref.view %arena[{}][] : memref<64xi8> to memref<16xi8>"
NEW = "memref.alloc() : memref<16xi8>"


@pytest.mark.parametrize(
    ("first", "second"),
    [(IN_ARENA.format("%c0"), IN_ARENA.format("%at")), (NEW, NEW)],
)
def test_buffers_of_bytes_that_a_loop_exchanges_may_be_viewed(
    first: str, second: str
) -> None:
    def found(
        yielded: str = "%q, %p, %start", before: str = "", after: str = ""
    ) -> list[str]:
        text = EXCHANGED_BYTES.replace("FIRST", first).replace("SECOND", second)
        text = text.replace("OFFSET", "16").replace("YIELD", yielded)
        return messages(text.replace("BEFORE", before).replace("AFTER", after))

    assert not found()
    assert not found("%p, %q, %start")
    # They are one buffer from the second iteration on.
    assert any("their offsets overlap" in each for each in found("%p, %p, %start"))
    # What the iteration before has in one of them is overwritten through the other one.
    use = "memref.store %k, %e[%c0] : memref<4xf32>"
    assert found("%q, %p, %w", after=use)
    # Two views of one buffer.
    other = "%o = memref.view %p[%c0][] : memref<16xi8> to memref<4xf32>"
    store = "memref.store %k, %o[%c0] : memref<4xf32>"
    load = "%l = memref.load %v[%c0] : memref<4xf32>"
    assert any(
        "their offsets overlap" in e for e in found(after=f"{other}\n{store}\n{load}")
    )


def test_exchanged_buffers_of_bytes_do_not_overlap() -> None:
    text = EXCHANGED_BYTES.replace("FIRST", IN_ARENA.format("%c0"))
    text = text.replace("SECOND", IN_ARENA.format("%at")).replace("BEFORE", "")
    text = text.replace("AFTER", "").replace("YIELD", "%q, %p, %start")
    assert not messages(text.replace("OFFSET", "16"))
    assert any(
        "their offsets overlap" in e for e in messages(text.replace("OFFSET", "8"))
    )


CARRIED_BYTES = """
func.func @f(%x: memref<16xi8>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xi8>
  memref.copy %x, %a : memref<16xi8> to memref<16xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<16xi8>) {
    %b = memref.alloc() : memref<16xi8>
    BEFORE
    %w = memref.view %p[%c0][] : memref<16xi8> to memref<4xf32>
    %k = memref.load %w[%c0] : memref<4xf32>
    %v = memref.view %b[%c0][] : memref<16xi8> to memref<4xf32>
    memref.store %k, %v[%c0] : memref<4xf32>
    memref.dealloc FREED : memref<16xi8>
    scf.yield YIELDED : memref<16xi8>
  }
  %w = memref.view %r[%c0][] : memref<16xi8> to memref<4xf32>
  %z = memref.load %w[%c0] : memref<4xf32>
  memref.dealloc %r : memref<16xi8>
  return %z : f32
}
"""


@pytest.mark.parametrize("arena", [None, "allocate", "argument", "stack"])
def test_bytes_that_each_iteration_allocates_and_frees_are_viewed(
    arena: Arena | None,
) -> None:
    def found(freed: str, yielded: str, before: str = "") -> list[str]:
        text = CARRIED_BYTES.replace("FREED", freed).replace("YIELDED", yielded)
        _, module = parse(text.replace("BEFORE", before))
        if arena is not None:
            plan_memory(module, arena=arena)
        return [wrong.what for wrong in verify_memory_plan(module)]

    assert not found("%p", "%b")
    assert not found("%b", "%p")
    if arena is None:
        for yielded in ("%p", "%b"):
            assert any("has freed the arena" in e for e in found(yielded, yielded))
        early = "memref.dealloc %p : memref<16xi8>"
        assert any("has freed the arena" in e for e in found("%b", "%b", early))


def test_unions_are_those_of_the_keys() -> None:
    rng = Random(0)
    for size in range(9):
        keys = [1 << each for each in rng.sample(range(12), size)]
        items = {key: rng.getrandbits(16) for key in keys}
        unions = Unions(items.items())
        for _ in range(50):
            asked = rng.getrandbits(12)
            expected = union(found for key, found in items.items() if key & asked)
            assert unions.of(asked) == expected


def test_many_choices_go_on_with_one_another() -> None:
    """A chain is one rotation, found once: 400 links would take 80,000 steps."""
    number = 400
    bytes_ = f"memref<{32 * number}xi8>"
    chosen = ["%v0", *(f"%s{i}" for i in range(1, number))]
    views = "".join(
        f"%o{i} = arith.constant {32 * i} : index\n"
        f"%v{i} = memref.view %arena[%o{i}][] : {bytes_} to memref<8xf32>\n"
        for i in range(number)
    )
    choices = "".join(
        f"%s{i} = arith.select %c, {chosen[i - 1]}, %v{i} : memref<8xf32>\n"
        for i in range(1, number)
    )
    _, module = parse(f"""
    func.func @f(%arena: {bytes_}, %x: memref<8xf32>, %c: i1) {{
      {views}
      {choices}
      memref.copy %x, %s{number - 1} : memref<8xf32> to memref<8xf32>
      return
    }}
    """)
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code is place_of.__code__

    sys.setprofile(count)
    try:
        assert not verify_memory_plan(module)
    finally:
        sys.setprofile(None)
    assert calls < 10 * number
