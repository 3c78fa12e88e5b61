"""How control and values flow between an op and its regions.

A *point* in an op is either the op itself ("parent", written None) or the end of one of
its regions. From a point, control passes to *successors*: the start of a region, or
back to the parent. The values forwarded along such an edge become the successor's
inputs: the block arguments of the region, or the results of the op.

    %r = scf.for ... iter_args(%a = %init) { ... scf.yield %x }

    from the parent: to the region, (%init) as (%a); to the parent, (%init) as (%r)
    from the region: to the region, (%x) as (%a);    to the parent, (%x) as (%r)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from xdsl.ir import Operation, Region, SSAValue

from xdsl_bufferization.interfaces.model_errors import refuse
from xdsl_bufferization.interfaces.table import InterfaceTable
from xdsl_bufferization.records import record


@record
class RegionSuccessor:
    """Where control goes: a region, or the parent op (None); and the values it sets."""

    region: Region | None
    inputs: Sequence[SSAValue]


@runtime_checkable
class RegionBranchOpInterface(Protocol):
    """The control flow of an op with regions."""

    def get_successor_regions(
        self, op: Operation, point: Region | None
    ) -> Sequence[RegionSuccessor]:
        """Where control may go from `point`."""
        ...

    def get_entry_successor_operands(
        self, op: Operation, successor: Region | None
    ) -> Sequence[SSAValue]:
        """The operands of `op` that become the inputs of a successor of the parent."""
        ...

    def append_forwarded_operands(
        self, op: Operation, operands: Sequence[SSAValue]
    ) -> None:
        """Forward further values to the entry regions, after the present ones."""
        ...

    def erase_forwarded_operands(self, op: Operation, positions: Sequence[int]) -> None:
        """Forward less: `positions` count from the first forwarded operand."""
        ...


@runtime_checkable
class RegionBranchTerminatorOpInterface(Protocol):
    """A terminator that leaves a region for a successor of the op around it."""

    def get_returned_operand_range(self, op: Operation, point: Region | None) -> range:
        """The positions of the operands that are forwarded to the successor `point`."""
        ...


class RegionBranchModel:
    """Base of RegionBranchOpInterface models: all operands of the op are forwarded.

    Subclasses say where control goes, and which operands are forwarded when only the last
    ones are.
    """

    def get_entry_successor_operands(
        self, op: Operation, successor: Region | None
    ) -> Sequence[SSAValue]:
        return op.operands

    def append_forwarded_operands(
        self, op: Operation, operands: Sequence[SSAValue]
    ) -> None:
        op.operands = (*op.operands, *operands)

    def erase_forwarded_operands(self, op: Operation, positions: Sequence[int]) -> None:
        forwarded = self.get_entry_successor_operands(op, op.regions[0])
        first = len(op.operands) - len(forwarded)
        erased = {first + position for position in positions}
        op.operands = [x for i, x in enumerate(op.operands) if i not in erased]


class ReturnLike:
    """Model of a terminator that forwards its operands from the `first` to the last."""

    def __init__(self, first: int = 0):
        self.first = first

    def get_returned_operand_range(self, op: Operation, point: Region | None) -> range:
        return range(self.first, len(op.operands))


REGION_BRANCH = InterfaceTable(RegionBranchOpInterface)
REGION_BRANCH_TERMINATOR = InterfaceTable(RegionBranchTerminatorOpInterface)


def get_forwarded_values(
    model: RegionBranchOpInterface, op: Operation, point: Region | None
) -> list[tuple[Sequence[SSAValue], Sequence[SSAValue]]]:
    """The edges that leave `point`, each as the values sent and the values they set.

    Raises:
        ModelError: when models disagree about how many values there are on an edge.
    """
    edges: list[tuple[Sequence[SSAValue], Sequence[SSAValue]]] = []
    for successor in model.get_successor_regions(op, point):
        count = len(successor.inputs)
        if point is None:
            sent = model.get_entry_successor_operands(op, successor.region)
            if len(sent) != count:
                problem = f"gives {len(sent)} values for {count} inputs of a successor"
                raise refuse(op, model, "get_entry_successor_operands", problem)
            edges.append((sent, successor.inputs))
            continue
        for block in point.blocks:
            terminator = block.last_op
            if terminator is None:
                continue
            returns = REGION_BRANCH_TERMINATOR.lookup(terminator)
            if returns is None:
                continue
            positions = returns.get_returned_operand_range(terminator, successor.region)
            operands = terminator.operands
            if len(positions) != count or positions.stop > len(operands):
                problem = (
                    f"gives {positions} of {len(operands)} operands for {count} inputs"
                )
                raise refuse(
                    terminator,
                    returns,
                    "get_returned_operand_range",
                    f"{problem} of a successor",
                )
            edges.append(([operands[i] for i in positions], successor.inputs))
    return edges
