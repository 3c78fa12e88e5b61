"""Ops that repeat their regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from xdsl.ir import Operation, Region, SSAValue

from xdsl_bufferization.interfaces.table import InterfaceTable


@runtime_checkable
class LoopLikeOpInterface(Protocol):
    """A loop: regions that are executed any number of times."""

    def get_loop_regions(self, op: Operation) -> Sequence[Region]: ...

    def get_inits(self, op: Operation) -> Sequence[SSAValue]:
        """The values that the first iteration starts with."""
        ...

    def get_region_iter_args(self, op: Operation) -> Sequence[SSAValue]:
        """The block arguments that hold the values carried between iterations."""
        ...


LOOP_LIKE = InterfaceTable(LoopLikeOpInterface)
