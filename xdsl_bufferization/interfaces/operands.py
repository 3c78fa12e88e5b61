"""Operands as uses, as MLIR's OpOperand, and the owners of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.ir import Block, BlockArgument, Operation, SSAValue, Use


def operands_of(op: Operation) -> tuple[Use, ...]:
    """Return the op's operands as uses, in order. They stay the same objects until the
    op's operands are set again."""
    return op._operand_uses  # pyright: ignore[reportPrivateUsage]


def own_operand(operand: Use) -> Use | None:
    """Return the use that the op itself has for an operand; None if it has no such
    operand. Uses are compared, and found in dictionaries, by identity, but a model may
    build one from an op and a number."""
    own = operands_of(operand.operation)
    return own[operand.index] if 0 <= operand.index < len(own) else None


def get(operand: Use) -> SSAValue:
    """Return the value of an operand."""
    return _item(operand._operation._operands, operand._index)  # pyright: ignore[reportPrivateUsage]


_item = cast("Callable[[tuple[SSAValue, ...], int], SSAValue]", tuple.__getitem__)
"""Index a tuple without the check for slices that xDSL's tuples of values begin with."""


def op_of(value: SSAValue) -> Operation | None:
    """Return the op that defines a result, or the op whose region a block argument is
    in."""
    owner = value.owner
    return owner.parent_op() if isinstance(owner, Block) else owner


def is_entry_argument(value: SSAValue) -> bool:
    """Return whether the value is an argument of the first block of its region."""
    if not isinstance(value, BlockArgument):
        return False
    region = value.block.parent
    return region is not None and region.blocks.first is value.block
