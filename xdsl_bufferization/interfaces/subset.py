"""SubsetOpInterface and SubsetInsertionOpInterface: ops that touch part of a tensor.

A subset extraction (tensor.extract_slice) returns a part of a tensor, a subset
insertion (tensor.insert_slice) replaces a part. Two subset ops on the same tensor
operate on *equivalent* subsets if they touch exactly the same elements, and on
*disjoint* ones if they share none. The analysis uses this to prove that a tile may be
updated in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from xdsl.ir import Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.interfaces.table import InterfaceTable

Equivalence: TypeAlias = Callable[[SSAValue, SSAValue], bool]
"""Whether two tensor values are the same buffer."""


@runtime_checkable
class SubsetOpInterface(Protocol):
    """An op that extracts or inserts a subset."""

    def subset_tensor(self, op: Operation) -> SSAValue:
        """The tensor whose subset is extracted or overwritten."""
        ...

    def operates_on_equivalent_subset(
        self, op: Operation, other: Operation, equivalence: Equivalence
    ) -> bool:
        """Whether `other`, a subset op, touches exactly the elements that `op` does."""
        ...

    def operates_on_disjoint_subset(
        self, op: Operation, other: Operation, equivalence: Equivalence
    ) -> bool:
        """Whether `other`, a subset op, surely touches none of the elements of `op`."""
        ...


@runtime_checkable
class SubsetInsertionOpInterface(Protocol):
    """An op that writes a source into a subset of a destination."""

    def source_operand(self, op: Operation) -> Use: ...

    def destination_operand(self, op: Operation) -> Use: ...

    def is_equivalent_subset(
        self, op: Operation, candidate: SSAValue, equivalence: Equivalence
    ) -> bool:
        """Whether `candidate` is exactly the subset that `op` overwrites."""
        ...

    def values_needed_to_build_subset_extraction(
        self, op: Operation
    ) -> Sequence[SSAValue]:
        """The values that `build_subset_extraction` uses."""
        ...

    def build_subset_extraction(
        self, op: Operation, point: InsertPoint
    ) -> SSAValue | None:
        """Build an op at `point` that gives, as a tensor, the subset that `op` is going
        to overwrite; None when no op can."""
        ...


SUBSET = InterfaceTable(SubsetOpInterface)
SUBSET_INSERTION = InterfaceTable(SubsetInsertionOpInterface)
