"""Branches between the blocks of a region."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.table import InterfaceTable


@runtime_checkable
class BranchOpInterface(Protocol):
    """A terminator that goes to one of its successor blocks, forwarding operands.

    The forwarded operands become the block arguments of the successor, all of them.
    """

    def get_successor_operand_range(self, op: Operation, successor: int) -> range:
        """The positions of the operands forwarded to a successor."""
        ...

    def append_successor_operands(
        self, op: Operation, successor: int, operands: Sequence[SSAValue]
    ) -> None:
        """Forward further values to a successor, after the present ones."""
        ...

    def erase_successor_operands(
        self, op: Operation, successor: int, positions: Sequence[int]
    ) -> None:
        """Forward less: `positions` count from the first operand forwarded there."""
        ...


BRANCH = InterfaceTable(BranchOpInterface)


def get_successor_operands(
    model: BranchOpInterface, op: Operation, successor: int
) -> list[SSAValue]:
    operands = op.operands
    return [operands[i] for i in model.get_successor_operand_range(op, successor)]
