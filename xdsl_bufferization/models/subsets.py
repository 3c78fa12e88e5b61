"""SubsetOpInterface: code shared by the models of several dialects."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue, Use

from xdsl_bufferization.analysis.facts.slices import Slice, are_disjoint, are_equal
from xdsl_bufferization.interfaces.operands import operands_of
from xdsl_bufferization.interfaces.subset import SUBSET, Equivalence


class HyperrectangularSubset(ABC):
    """A subset that is a slice: two are compared by offsets, sizes and strides."""

    @abstractmethod
    def subset_tensor(self, op: Operation) -> SSAValue:
        """The tensor that the op takes a slice of, or changes one of."""

    @abstractmethod
    def accessed_slice(self, op: Operation) -> Slice | None:
        """The slice; None if its sizes are not known."""

    def operates_on_equivalent_subset(
        self, op: Operation, other: Operation, equivalence: Equivalence
    ) -> bool:
        slices = self._slices(op, other, equivalence)
        return slices is not None and are_equal(*slices)

    def operates_on_disjoint_subset(
        self, op: Operation, other: Operation, equivalence: Equivalence
    ) -> bool:
        slices = self._slices(op, other, equivalence)
        return slices is not None and are_disjoint(*slices)

    def _slices(
        self, op: Operation, other: Operation, equivalence: Equivalence
    ) -> tuple[Slice, Slice] | None:
        """The slices of both ops, if they are slices of the same tensor."""
        model = SUBSET.lookup(other)
        if not isinstance(model, HyperrectangularSubset):
            return None
        if not equivalence(self.subset_tensor(op), model.subset_tensor(other)):
            return None
        first, second = self.accessed_slice(op), model.accessed_slice(other)
        return None if first is None or second is None else (first, second)


class InsertionIntoSecond:
    """An op that inserts its first operand into its second."""

    def source_operand(self, op: Operation) -> Use:
        return operands_of(op)[0]

    def destination_operand(self, op: Operation) -> Use:
        return operands_of(op)[1]


class WholeDestinationSubset(InsertionIntoSecond):
    """An op that replaces all of its second operand by its first."""

    def subset_tensor(self, op: Operation) -> SSAValue:
        return op.operands[1]

    def operates_on_equivalent_subset(
        self, op: Operation, other: Operation, equivalence: Equivalence
    ) -> bool:
        return False

    def operates_on_disjoint_subset(
        self, op: Operation, other: Operation, equivalence: Equivalence
    ) -> bool:
        return False

    def is_equivalent_subset(
        self, op: Operation, candidate: SSAValue, equivalence: Equivalence
    ) -> bool:
        return equivalence(candidate, op.operands[1])

    def values_needed_to_build_subset_extraction(
        self, op: Operation
    ) -> Sequence[SSAValue]:
        return op.operands[1:]
