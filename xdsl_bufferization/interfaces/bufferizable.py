"""BufferizableOpInterface: how an op with tensors behaves once tensors are buffers.

The analysis asks about *operands*: an operand is a `Use` (an op and an operand number),
MLIR's OpOperand. `operands_of(op)` returns those of an op. For each tensor operand, the
interface states whether the future buffer is read, whether it is written if the op
works in place, and which values may then share that buffer. The rewrite calls the
interface to replace the op by one on memrefs.

The names are MLIR's, in snake_case. A model derives from one of the base models in
`base_models`, which have MLIR's defaults, and overrides the answers that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from xdsl.ir import Operation, SSAValue, Use

from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.operands import (
    get,
    is_entry_argument,
    op_of,
    operands_of,
)
from xdsl_bufferization.interfaces.table import InterfaceTable
from xdsl_bufferization.interfaces.types import (
    MEMREF_TYPES,
    TENSOR_TYPES,
    BufferType,
    has_tensor_semantics,
    is_tensor,
)

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState
    from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
    from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter

__all__ = [
    "BUFFERIZABLE",
    "MEMREF_TYPES",
    "TENSOR_TYPES",
    "AliasingOperand",
    "AliasingValue",
    "BufferRelation",
    "BufferType",
    "BufferizableOpInterface",
    "get",
    "has_tensor_semantics",
    "is_entry_argument",
    "is_tensor",
    "op_of",
    "operands_of",
]
"""The vocabulary of a model, from one module."""


@runtime_checkable
class BufferizableOpInterface(Protocol):
    """What One-Shot Bufferize asks an op with tensors.

    All methods take the op first. `operand` is one of the op's tensor operands; `value`
    one of its tensor results or a tensor block argument of its regions. Answers must not
    depend on the decisions of the analysis, except in `verify_analysis`,
    `resolve_conflicts` and `bufferize`.
    """

    def bufferizes_to_allocation(self, op: Operation, value: SSAValue) -> bool:
        """Whether the buffer of this result is a new allocation."""
        ...

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        """Whether the op reads the buffer of the operand."""
        ...

    def bufferizes_to_memory_write(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        """Whether the op, working in place, writes the buffer of the operand."""
        ...

    def result_bufferizes_to_memory_write(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> bool:
        """Whether the result defines the contents of its buffer. False for a result with
        undefined contents (tensor.empty) and for one that only renames a buffer."""
        ...

    def must_bufferize_in_place(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        """Whether the operand has to be decided in place before the analysis starts."""
        ...

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        """The values that may share the operand's buffer when the op works in place."""
        ...

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        """The operands whose buffer the value may share when the op works in place. An
        operand may belong to a terminator inside the op (scf.if)."""
        ...

    def results_sharing_buffers(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[tuple[SSAValue, SSAValue]]:
        """Pairs of results, or block arguments, whose buffers may overlap whatever is
        decided (a call of a function that returns one buffer twice)."""
        ...

    def bufferizes_to_elementwise_access(
        self, op: Operation, operands: Sequence[Use], state: AnalysisState
    ) -> bool:
        """Whether the op touches these buffers element by element: each element is read
        before the element at the same position is written."""
        ...

    def is_not_conflicting(
        self, op: Operation, read: Use, write: Use, state: AnalysisState
    ) -> bool:
        """The op's own word that this read and this write cannot conflict."""
        ...

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        """Whether the buffer of this result or block argument may be written."""
        ...

    def is_repetitive_region(self, op: Operation, index: int) -> bool:
        """Whether the region may run more than once each time the op runs."""
        ...

    def is_parallel_region(self, op: Operation, index: int) -> bool:
        """Whether several instances of the region may run at the same time."""
        ...

    def has_tensor_semantics(self, op: Operation) -> bool:
        """Whether the op has anything to bufferize."""
        ...

    def supports_unstructured_control_flow(self, op: Operation) -> bool:
        """Whether regions of the op may have several blocks."""
        ...

    def prepare(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[tuple[Use, SSAValue]]:
        """Replace operands in the tensor program, before it is analysed, to get one of
        the same meaning in which the answers of this model hold. Asked of ops with
        regions only.

        Returns:
            The operands that were replaced, each with what it was, in this order.
        """
        ...

    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        """Check the decisions made for this op.

        Raises:
            PassFailedException: when the op cannot be bufferized this way; the message
                names the op and says what to do.
        """
        ...

    def values_to_be_shared(
        self, op: Operation, state: AnalysisState
    ) -> Sequence[tuple[SSAValue, SSAValue]]:
        """The pairs of values for which `copied_besides` asks whether they may have one
        buffer. The question is answered when all decisions are made."""
        ...

    def copied_besides(self, op: Operation, state: AnalysisState) -> Sequence[Use]:
        """The operands of terminators inside the op that `resolve_conflicts` of this op
        copies, although they are in place."""
        ...

    def copies_last_use(self, op: Operation, operand: Use, state: AnalysisState) -> bool:
        """Whether nothing uses the buffer of an operand of `copied_besides` after it has
        been copied, so that another pass may remove the copy. For estimates of what is
        copied."""
        ...

    def copied_for_layout(self, op: Operation, types: BufferTypes) -> Sequence[Use]:
        """The operands that `bufferize` copies, although they are in place, because of
        the layout of their buffers. For estimates of what is copied."""
        ...

    def resolve_conflicts(
        self, op: Operation, rewriter: BufferizationRewriter, state: AnalysisState
    ) -> None:
        """Insert copies of tensors (bufferization.alloc_tensor) so that afterwards every
        operand can be bufferized in place."""
        ...

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        """The memref type that `value` will have, predicted without changing the IR."""
        ...

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        """Replace the op by one on memrefs. Every operand may be written in place by now.

        Operands are taken with `rewriter.get_buffer`; the op is replaced with
        `rewriter.replace`, or changed in place with `rewriter.set_operand` and
        `rewriter.set_type`.
        """
        ...


BUFFERIZABLE = InterfaceTable(BufferizableOpInterface)
