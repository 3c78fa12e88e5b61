"""The interpreter sees what it is there to see."""

from __future__ import annotations

import pytest

from tests.analysis.deallocation.interpreter import (
    DoubleFree,
    Leak,
    Machine,
    UseAfterFree,
)
from tests.oracle.tools import parse

TEMPLATE = """
func.func @main() {{
  %a = memref.alloc() : memref<2xf32>
  %b = memref.cast %a : memref<2xf32> to memref<?xf32>
  %i = arith.constant 1 : index
  {body}
  return
}}
"""


def run(body: str) -> None:
    _, module = parse(TEMPLATE.format(body=body))
    machine = Machine(module)
    machine.call("main", [])
    machine.check_no_leak()


def test_leak() -> None:
    with pytest.raises(Leak):
        run("")


def test_double_free_through_an_alias() -> None:
    with pytest.raises(DoubleFree):
        run("memref.dealloc %a : memref<2xf32>\n  memref.dealloc %b : memref<?xf32>")


def test_use_after_free() -> None:
    with pytest.raises(UseAfterFree):
        run(
            "memref.dealloc %b : memref<?xf32>\n  %x = memref.load %a[%i] : memref<2xf32>"
        )


def test_nothing_wrong() -> None:
    run("memref.dealloc %a : memref<2xf32>")
