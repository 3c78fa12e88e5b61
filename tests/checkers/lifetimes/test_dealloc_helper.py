"""The helper function of lowered deallocations is recognised by what it does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from tests.oracle.tools import parse, run_passes
from xdsl_bufferization.checkers.lifetimes.recognition import is_dealloc_helper

PROGRAM = """
func.func @main(%a: memref<2xf32>, %b: memref<2xf32>, %c: i1, %r: memref<2xf32>) -> i1 {
  %0 = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %c)
    retain (%r : memref<2xf32>)
  return %0 : i1
}
"""


def _helper(module: ModuleOp) -> FuncOp:
    return next(
        op
        for op in module.ops
        if isinstance(op, FuncOp) and op.sym_name.data == "dealloc_helper"
    )


def _lowered() -> str:
    context, module = parse(PROGRAM)
    run_passes(context, module, "bufferization-lower-deallocations")
    return str(_helper(module))


def _faulty() -> Iterator[tuple[str, str, int]]:
    """What to replace in the helper, at which of its places."""
    text = _lowered()
    for old, new in (
        ("cmpi eq", "cmpi ne"),
        ("cmpi ne", "cmpi eq"),
        ("arith.andi", "arith.ori"),
        ("arith.ori", "arith.andi"),
        ("constant true", "constant false"),
        ("constant false", "constant true"),
        ("constant 1 : index", "constant 2 : index"),
        ("constant 0 : index", "constant 1 : index"),
    ):
        for number in range(text.count(old)):
            yield old, new, number


@pytest.mark.parametrize("passes", ["", "canonicalize", "cse,canonicalize"])
def test_helper_is_recognised(passes: str) -> None:
    context, module = parse(PROGRAM)
    run_passes(context, module, "bufferization-lower-deallocations")
    if passes:
        run_passes(context, module, passes)
    assert is_dealloc_helper(_helper(module))


@pytest.mark.parametrize(("old", "new", "number"), list(_faulty()))
def test_faulty_helper_is_not(old: str, new: str, number: int) -> None:
    parts = _lowered().split(old)
    before, after = old.join(parts[: number + 1]), old.join(parts[number + 1 :])
    _, module = parse(f"{before}{new}{after}")
    assert not is_dealloc_helper(_helper(module))
