"""Checks of the blocks in the regions of an op, and of what their terminators forward."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.utils.exceptions import VerifyException


def entry_block(op: Operation, region: Region, name: str) -> Block:
    """Return the only block of a region."""
    block = region.blocks.first
    if block is None or block.next_block is not None:
        raise VerifyException(f"'{op.name}' expects one block in its {name}")
    return block


def terminator_of(
    op: Operation, block: Block, name: str, kind: type[Operation]
) -> Operation:
    """Return the terminator of a block, which is of a given class."""
    last = block.last_op
    if not isinstance(last, kind):
        raise VerifyException(f"'{op.name}' expects its {name} to end with {kind.name}")
    return last


def verify_types(
    what: str, got: Sequence[Attribute], expected: Sequence[Attribute]
) -> None:
    if tuple(got) != tuple(expected):
        raise VerifyException(
            f"{what} of types ({', '.join(map(str, got))}), "
            f"expected ({', '.join(map(str, expected))})"
        )


def verify_yield(op: Operation, block: Block, kind: type[Operation], name: str) -> None:
    """Check that a block yields the op's results."""
    yielded = terminator_of(op, block, name, kind).operand_types
    verify_types(f"'{op.name}': {name} yields values", yielded, op.result_types)
