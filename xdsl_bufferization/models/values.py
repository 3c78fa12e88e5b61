"""Facts about SSA values for several models."""

from __future__ import annotations

from xdsl.ir import BlockArgument, OpResult, SSAValue


def number_of(value: SSAValue) -> int:
    """The number of a result, or of a block argument."""
    assert isinstance(value, (OpResult, BlockArgument))
    return value.index
