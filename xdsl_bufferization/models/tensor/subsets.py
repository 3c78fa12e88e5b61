"""SubsetOpInterface of ops on slices: what tensor slices and vector transfers share."""

from __future__ import annotations

from abc import ABC, abstractmethod

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.value_bounds import Slice, are_disjoint, are_equal
from xdsl_bufferization.interfaces.subset import SUBSET, Equivalence


class HyperrectangularSubset(ABC):
    """A subset that is a slice: two are compared by offsets, sizes and strides."""

    @abstractmethod
    def subset_tensor(self, op: Operation) -> SSAValue:
        """The tensor that the op takes a slice of, or changes one of."""

    @abstractmethod
    def accessed_slice(self, op: Operation) -> Slice:
        """The slice."""

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
        return self.accessed_slice(op), model.accessed_slice(other)
