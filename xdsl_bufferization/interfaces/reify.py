"""Ops that compute the sizes of their results, as values or numbers, before they
run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.table import InterfaceTable

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter


@runtime_checkable
class ReifyRankedShapedTypeOpInterface(Protocol):
    """An op the sizes of whose tensor results follow from its operands. Of other ops the
    sizes are asked for with tensor.dim, once there is a result."""

    def reify_result_size(
        self, op: Operation, number: int, dimension: int, rewriter: BufferizationRewriter
    ) -> int | SSAValue:
        """The size of a dimension, dynamic in its type, of the result of this number;
        what computes it is inserted with the rewriter."""
        ...


REIFY = InterfaceTable(ReifyRankedShapedTypeOpInterface)
"""The ops of which the sizes of results are known."""
