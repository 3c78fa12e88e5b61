"""verify-memory-plan: buffers that loops exchange, and places that are chosen."""

from __future__ import annotations

import pytest

from tests.oracle.tools import parse
from xdsl_bufferization.transforms.verify_memory_plan import verify_memory_plan

EXCHANGED = """
func.func @f(%arena: memref<128xi8>, %x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %offset = arith.constant OFFSET : index
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%offset][] : memref<128xi8> to memref<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a, %new = %b)
      -> (memref<8xf32>, memref<8xf32>) {
    linalg.exp ins(%old : memref<8xf32>) outs(%new : memref<8xf32>)
    scf.yield %new, %old : memref<8xf32>, memref<8xf32>
  }
  memref.copy %r#0, %x : memref<8xf32> to memref<8xf32>
  return
}
"""

ONE_NAME = """
func.func @f(%arena: memref<128xi8>, %x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %second = arith.constant 32 : index
  %bytes = arith.constant 32 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %x) -> (memref<8xf32>) {
    %a = memref.view %arena[%c0][] : memref<128xi8> to memref<8xf32>
    %b = memref.view %arena[%second][] : memref<128xi8> to memref<8xf32>
    %at = memref.extract_aligned_pointer_as_index %old : memref<8xf32> -> index
    %from = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    %distance = arith.subi %at, %from : index
    %inside = arith.cmpi ult, %distance, %bytes : index
    %new = arith.select %inside, %b, %a : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%new : memref<8xf32>)
    linalg.add ins(%old, %new : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
    scf.yield %new : memref<8xf32>
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}
"""

TWO_NAMES = """
func.func @f(%arena: memref<128xi8>, %x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %second = arith.constant 32 : index
  %third = arith.constant 64 : index
  %bytes = arith.constant 32 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%older = %x, %old = %x)
      -> (memref<8xf32>, memref<8xf32>) {
    %a = memref.view %arena[%c0][] : memref<128xi8> to memref<8xf32>
    %b = memref.view %arena[%second][] : memref<128xi8> to memref<8xf32>
    %c = memref.view %arena[%third][] : memref<128xi8> to memref<8xf32>
    %p = memref.extract_aligned_pointer_as_index %old : memref<8xf32> -> index
    %q = memref.extract_aligned_pointer_as_index %older : memref<8xf32> -> index
    %in_a = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
    %in_b = memref.extract_aligned_pointer_as_index %b : memref<8xf32> -> index
    %pa = arith.subi %p, %in_a : index
    %qa = arith.subi %q, %in_a : index
    %pb = arith.subi %p, %in_b : index
    %qb = arith.subi %q, %in_b : index
    %p_in_a = arith.cmpi ult, %pa, %bytes : index
    %q_in_a = arith.cmpi ult, %qa, %bytes : index
    %p_in_b = arith.cmpi ult, %pb, %bytes : index
    %q_in_b = arith.cmpi ult, %qb, %bytes : index
    %is_a = arith.ori %p_in_a, %q_in_a : i1
    %is_b = arith.ori %p_in_b, %q_in_b : i1
    %b_or_c = arith.select %is_b, %c, %b : memref<8xf32>
    %new = arith.select %is_a, %b_or_c, %a : memref<8xf32>
    linalg.add ins(%old, %older : memref<8xf32>, memref<8xf32>)
      outs(%new : memref<8xf32>)
    scf.yield %old, %new : memref<8xf32>, memref<8xf32>
  }
  memref.copy %r#0, %x : memref<8xf32> to memref<8xf32>
  return
}
"""


def errors(text: str, *changes: tuple[str, str]) -> list[str]:
    """Return what is said of a program with parts of its text replaced."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    _, module = parse(text)
    return list(map(str, verify_memory_plan(module)))


@pytest.mark.parametrize("offset", [32, 64, 96])
def test_buffers_that_a_loop_exchanges_are_in_different_places(offset: int) -> None:
    assert not errors(EXCHANGED, ("OFFSET", str(offset)))


@pytest.mark.parametrize("offset", [4, 16, 28])
def test_buffers_that_a_loop_exchanges_must_not_overlap(offset: int) -> None:
    found = errors(EXCHANGED, ("OFFSET", str(offset)))
    assert any("%r, which is %a, 32 bytes at offset 0 of %arena" in e for e in found)


@pytest.mark.parametrize("text", [ONE_NAME, TWO_NAMES])
def test_a_place_that_no_name_is_in(text: str) -> None:
    assert not errors(text)


@pytest.mark.parametrize(
    "change",
    [
        # The wrong one of two places.
        ("select %inside, %b, %a", "select %inside, %a, %b"),
        ("_pointer_as_index %a", "_pointer_as_index %b"),
        # Another name, another condition, or another size.
        ("_pointer_as_index %old", "_pointer_as_index %x"),
        ("cmpi ult", "cmpi ule"),
        ("cmpi ult", "cmpi slt"),
        ("%bytes = arith.constant 32", "%bytes = arith.constant 31"),
        ("%distance = arith.subi", "%distance = arith.addi"),
        ("subi %at, %from", "subi %from, %at"),
        # Places that overlap.
        ("%second = arith.constant 32", "%second = arith.constant 28"),
        ("%second = arith.constant 32", "%second = arith.constant 0"),
    ],
)
def test_a_choice_of_a_place_that_may_be_taken_is_found(change: tuple[str, str]) -> None:
    assert errors(ONE_NAME, change)


@pytest.mark.parametrize(
    "change",
    [
        ("select %is_a, %b_or_c, %a", "select %is_a, %a, %b_or_c"),
        ("select %is_b, %c, %b", "select %is_b, %b, %c"),
        ("select %is_b, %c, %b", "select %is_b, %c, %a"),
        ("ori %p_in_a, %q_in_a", "andi %p_in_a, %q_in_a"),
        ("ori %p_in_a, %q_in_a", "ori %p_in_a, %p_in_a"),
        ("ori %p_in_b, %q_in_b", "ori %p_in_b, %p_in_b"),
        ("ori %p_in_b, %q_in_b", "ori %p_in_b, %q_in_a"),
        ("subi %q, %in_b", "subi %q, %in_a"),
        (
            "extract_aligned_pointer_as_index %older",
            "extract_aligned_pointer_as_index %x",
        ),
        ("%third = arith.constant 64", "%third = arith.constant 60"),
        ("%third = arith.constant 64", "%third = arith.constant 32"),
        ("%third = arith.constant 64", "%third = arith.constant 0"),
        # Only what is chosen last is in another place than both.
        ("outs(%new : memref<8xf32>)", "outs(%b_or_c : memref<8xf32>)"),
        ("scf.yield %old, %new", "scf.yield %old, %b_or_c"),
    ],
)
def test_each_of_two_names_is_compared_with_each_place(change: tuple[str, str]) -> None:
    assert errors(TWO_NAMES, change)
