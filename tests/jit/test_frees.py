"""Programs that free buffers themselves are checked before they run."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization import jit

NO_DEALLOCATION = "lower-to-llvm-pipeline"

ALLOCATE = """
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xi32>
  memref.store %x, %m[%c0] : memref<?xi32>
"""
FREE = "  memref.dealloc %m : memref<?xi32>\n"
LOAD = "  %y = memref.load %m[%c0] : memref<?xi32>\n"


def program(body: str, result: str = "%y : i32") -> str:
    type_ = result.partition(" : ")[2]
    return (
        f"func.func @f(%n: index, %x: i32) -> {type_} {{{ALLOCATE}{body}"
        f"  return {result}\n}}"
    )


WRONG = {
    "freed twice": (program(LOAD + FREE + FREE), "frees an allocation that has been"),
    "used afterwards": (program(FREE + LOAD), "uses an allocation that has been freed"),
    "returned": (program(FREE, "%m : memref<?xi32>"), "returns an allocation that has"),
    "freed once more on a path": (
        program(
            LOAD + "  %c = arith.cmpi eq, %y, %x : i32\n  scf.if %c {\n" + FREE + "  }\n"
            "  memref.dealloc %m : memref<?xi32>\n"
        ),
        "frees an allocation that has been freed",
    ),
    "an argument": (
        "func.func @f(%m: memref<?xi32>) {\n" + FREE + "  return\n}",
        "frees memory that is not ours to free",
    ),
    "a constant": (
        'memref.global "private" constant @g : memref<2xi32> = dense<1>\n'
        "func.func @f() {\n  %m = memref.get_global @g : memref<2xi32>\n"
        "  memref.dealloc %m : memref<2xi32>\n  return\n}",
        "frees memory that is not ours to free",
    ),
    "on the stack": (
        "func.func @f() {\n  %m = memref.alloca() : memref<2xi32>\n"
        "  memref.dealloc %m : memref<2xi32>\n  return\n}",
        "frees memory that is not ours to free",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_deallocations_are_refused(name: str) -> None:
    text, message = WRONG[name]
    with pytest.raises(PassFailedException, match=message) as raised:
        jit.compile(text, NO_DEALLOCATION)
    assert str(raised.value).startswith("<text>:")
    assert "check=False" in str(raised.value)


def test_right_deallocations_are_kept() -> None:
    f = jit.compile(program(LOAD + FREE), NO_DEALLOCATION, count=True)
    assert f.f(3, 7) == 7
    assert f.stats().frees == 1


def test_leaks_and_returned_arguments_are_no_danger() -> None:
    text = program(LOAD) + (
        "\nfunc.func @g(%m: memref<?xi32>, %n: index) -> memref<?xi32> {\n"
        "  %o = memref.alloc(%n) : memref<?xi32>\n"
        "  memref.dealloc %o : memref<?xi32>\n"
        "  return %m : memref<?xi32>\n}"
    )
    module = jit.compile(text, NO_DEALLOCATION)
    array = np.arange(3, dtype="i4")
    assert module.g(array, 4).base is not None
    assert module.f(2, 5) == 5


def test_deallocation_mends_what_the_program_frees_too_early() -> None:
    assert jit.compile(program(FREE + LOAD)).f(3, 7) == 7


def test_what_passes_free_is_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(module: object) -> None:
        raise AssertionError(module)

    monkeypatch.setattr("xdsl_bufferization.jit.stages.check_frees", fail)
    assert jit.compile(program(LOAD)).f(3, 7) == 7
