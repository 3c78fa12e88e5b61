"""The op to free with, when allocations are of several kinds."""

from __future__ import annotations

import pytest
from xdsl.dialects import test
from xdsl.utils.exceptions import PassFailedException

from tests.oracle.tools import parse
from xdsl_bufferization.transforms.bufferization_lower_deallocations import (
    LowerDeallocationsOptions,
    LowerDeallocationsPass,
    lower_deallocations,
)

DEALLOC = """func.func @f(%m: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return
}"""


def test_own_op_to_free_with() -> None:
    _, module = parse(DEALLOC)
    lower_deallocations(
        module, LowerDeallocationsOptions(lambda value: (test.TestOp([value]),))
    )
    assert '"test.op"(%m)' in str(module)
    assert "memref.dealloc" not in str(module)


def test_op_given_by_name() -> None:
    context, module = parse(DEALLOC)
    LowerDeallocationsPass(dealloc_op="test.op").apply(context, module)
    assert '"test.op"(%m)' in str(module)


def test_unknown_op() -> None:
    context, module = parse(DEALLOC)
    with pytest.raises(PassFailedException, match=r"no op 'my\.free'"):
        LowerDeallocationsPass(dealloc_op="my.free").apply(context, module)
