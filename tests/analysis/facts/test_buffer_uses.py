"""What an op does with a buffer: uses of its pointer."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.oracle.tools import parse
from xdsl_bufferization.analysis.facts.buffer_uses import classify_use, may_hide
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.view_like import PointerUse, pointer_use


class Case(NamedTuple):
    """What is done with a pointer %p, and what that is for the two analyses."""

    body: str
    use: PointerUse
    classified: str
    hides: bool


CASES = {
    "nothing": Case("", PointerUse.COMPARED, "nothing", False),
    "compared": Case(
        "%0 = arith.cmpi eq, %p, %q : index", PointerUse.COMPARED, "compared", False
    ),
    "computed with, then compared": Case(
        """
        %0 = arith.remui %p, %q : index
        %1 = arith.index_cast %0 : index to i64
        %2 = arith.cmpi eq, %1, %1 : i64
        %3 = scf.if %2 -> i1 {
          scf.yield %2 : i1
        } else {
          scf.yield %2 : i1
        }
        """,
        PointerUse.KEPT,
        "escape",
        False,
    ),
    "stored in a list": Case(
        """
        %0 = arith.cmpi eq, %p, %q : index
        memref.store %p, %list[%q] : memref<?xindex>
        """,
        PointerUse.KEPT,
        "escape",
        False,
    ),
    "computed with, then returned": Case(
        "%r = arith.addi %p, %q : index", PointerUse.KEPT, "escape", False
    ),
    "a pointer again": Case(
        """
        memref.store %p, %list[%q] : memref<?xindex>
        %0 = arith.index_cast %p : index to i64
        %1 = llvm.inttoptr %0 : i64 to !llvm.ptr
        """,
        PointerUse.ACCESSED,
        "escape",
        True,
    ),
    "an index": Case(
        "%0 = memref.load %list[%p] : memref<?xindex>",
        PointerUse.ACCESSED,
        "escape",
        True,
    ),
    "passed on": Case(
        """
        %0 = scf.if %c -> index {
          scf.yield %p : index
        } else {
          scf.yield %q : index
        }
        """,
        PointerUse.ACCESSED,
        "escape",
        True,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_use_of_a_pointer(name: str) -> None:
    case = CASES[name]
    returned = "%r" if "%r =" in case.body else "%q"
    _, module = parse(
        f"""
        func.func @f(%m: memref<4xi32>, %list: memref<?xindex>, %q: index, %c: i1)
            -> index {{
          %p = memref.extract_aligned_pointer_as_index %m : memref<4xi32> -> index
          {case.body}
          return {returned} : index
        }}
        """
    )
    (op,) = [
        op
        for op in module.walk()
        if isinstance(op, memref.ExtractAlignedPointerAsIndexOp)
    ]
    assert pointer_use(op) is case.use
    assert classify_use(op, op.operands[0]) == case.classified
    assert may_hide(op, op.operands[0]) is case.hides
