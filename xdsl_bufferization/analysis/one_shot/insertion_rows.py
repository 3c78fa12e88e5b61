"""Insertions in a row: each into the result of the one before, which nothing else uses.

%u = tensor.insert_slice %x into %t[0] [32] [1]
%w = tensor.insert_slice %y into %u[32] [32] [1]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.slices import Slice
from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.interfaces.subset import SUBSET, SUBSET_INSERTION


@runtime_checkable
class SliceModel(Protocol):
    """The model of an op that extracts or inserts a slice."""

    def subset_tensor(self, op: Operation) -> SSAValue: ...

    def accessed_slice(self, op: Operation) -> Slice | None: ...


class InsertionRow:
    """Insertions of one block, each into the result of the one before, which has no other
    use.

    Args:
        destination: the tensor that the first one inserts into.
    """

    def __init__(self, destination: SSAValue) -> None:
        self.destination = destination
        self.size = 0
        self._by_slice: dict[object, list[tuple[int, Operation]]] = {}

    def append(self, insertion: Operation) -> None:
        same = self._by_slice.setdefault(_written_form(insertion), [])
        same.append((self.size, insertion))
        self.size += 1

    def insertions_like(self, slicing: Operation, after: int) -> Iterator[Operation]:
        """The insertions after the one of a number whose slice is written as that of
        another op: with the same numbers and values."""
        for number, insertion in self._by_slice.get(_written_form(slicing), ()):
            if number > after:
                yield insertion


def _written_form(slicing: Operation) -> object:
    """The numbers and values that give a slice."""
    model = SUBSET.lookup(slicing)
    part = model.accessed_slice(slicing) if isinstance(model, SliceModel) else None
    if part is None:
        return None
    indices = (*part.offsets, *part.sizes, *part.strides)
    numbers = map(constant_of, indices)
    return tuple(
        index if number is None else number
        for index, number in zip(indices, numbers, strict=True)
    )


def next_in_row(insertion: Operation) -> Operation | None:
    if len(insertion.results) != 1:
        return None
    use = insertion.results[0].get_unique_use()
    if use is None or use.operation.parent is not insertion.parent:
        return None
    model = SUBSET_INSERTION.lookup(use.operation)
    if model is None or use != model.destination_operand(use.operation):
        return None
    return use.operation


def previous_in_row(insertion: Operation) -> Operation | None:
    model = SUBSET_INSERTION.lookup(insertion)
    assert model is not None
    owner = get(model.destination_operand(insertion)).owner
    if not isinstance(owner, Operation) or SUBSET_INSERTION.lookup(owner) is None:
        return None
    return owner if next_in_row(owner) is insertion else None
