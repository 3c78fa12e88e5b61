"""How to free and to copy the allocation of an op."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.table import InterfaceTable


@runtime_checkable
class AllocationOpInterface(Protocol):
    """The ops that belong to an allocation op. They are returned, not yet inserted.

    Ops without a model are freed by memref.dealloc and copied by bufferization.clone.
    """

    def build_dealloc(self, op: Operation, alloc: SSAValue) -> Sequence[Operation]:
        """The ops that free `alloc`, a result of `op`."""
        ...

    def build_clone(self, op: Operation, alloc: SSAValue) -> Sequence[Operation]:
        """The ops that copy `alloc`; the first result of the last is the copy."""
        ...


ALLOCATION = InterfaceTable(AllocationOpInterface)
