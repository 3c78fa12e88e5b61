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

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, cast, runtime_checkable

from xdsl.dialects.builtin import (
    MemRefType,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue, Use

from xdsl_bufferization.interfaces.table import InterfaceTable

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState
    from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
    from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter

TENSOR_TYPES: tuple[type[Attribute], ...] = (TensorType, UnrankedTensorType)
MEMREF_TYPES: tuple[type[Attribute], ...] = (MemRefType, UnrankedMemRefType)
# Asking whether a class is in a set is several times faster than isinstance, which asks
# the abstract base classes whenever the answer is no.
TENSOR_CLASSES: frozenset[type[Attribute]] = frozenset(TENSOR_TYPES)
MEMREF_CLASSES: frozenset[type[Attribute]] = frozenset(MEMREF_TYPES)

BufferType: TypeAlias = MemRefType | UnrankedMemRefType


class BufferRelation(Enum):
    """How the buffer of a value relates to the buffer of an operand it aliases."""

    UNKNOWN = 0
    """The buffers may overlap."""
    EQUIVALENT = 1
    """The buffers are the same memref: same base, offset, sizes and strides."""


class AliasingValue(NamedTuple):
    """A value that may share the buffer of an operand when the op works in place."""

    value: SSAValue
    relation: BufferRelation
    is_definite: bool = True
    """False when it depends on what happens at run time (arith.select)."""


class AliasingOperand(NamedTuple):
    """An operand whose buffer a value may share when the op works in place."""

    operand: Use
    relation: BufferRelation
    is_definite: bool = True


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

    def supports_unstructured_control_flow(self) -> bool:
        """Whether regions of the op may have several blocks."""
        ...

    def prepare(self, op: Operation, state: AnalysisState) -> None:
        """Change the tensor program, before it is analysed, to one of the same meaning in
        which the answers of this model hold. Asked of ops with regions only."""
        ...

    def verify_analysis(self, op: Operation, state: AnalysisState) -> None:
        """Check the decisions made for this op.

        Raises:
            PassFailedException: when the op cannot be bufferized this way; the message
                names the op and says what to do.
        """
        ...

    def copied_besides(self, op: Operation, state: AnalysisState) -> Sequence[Use]:
        """The operands of terminators inside the op that `resolve_conflicts` of this op
        copies, although they are in place."""
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


def is_tensor(type_: Attribute) -> bool:
    """Whether a value of this type is bufferized."""
    return isinstance(type_, TENSOR_TYPES)


def operands_of(op: Operation) -> tuple[Use, ...]:
    """The op's operands as uses, in order. They stay the same objects until the op's
    operands are set again."""
    return op._operand_uses  # pyright: ignore[reportPrivateUsage]


def get(operand: Use) -> SSAValue:
    """The value of an operand."""
    return _item(operand._operation._operands, operand._index)  # pyright: ignore[reportPrivateUsage]


_item = cast("Callable[[tuple[SSAValue, ...], int], SSAValue]", tuple.__getitem__)
"""What xDSL's tuples of values look for slices before."""


def op_of(value: SSAValue) -> Operation | None:
    """The op that defines a result, or the op whose region a block argument is in."""
    owner = value.owner
    return owner.parent_op() if isinstance(owner, Block) else owner


def has_tensor_semantics(op: Operation) -> bool:
    """Whether the op has a tensor operand or result, or a tensor as a block argument."""
    for value in op._operands:  # pyright: ignore[reportPrivateUsage]
        if value.type.__class__ in TENSOR_CLASSES:
            return True
    for result in op.results:
        if result.type.__class__ in TENSOR_CLASSES:
            return True
    return bool(op.regions) and any(
        argument.type.__class__ in TENSOR_CLASSES
        for region in op.regions
        for block in region.blocks
        for argument in block.args
    )


def is_entry_argument(value: SSAValue) -> bool:
    """Whether the value is an argument of the first block of its region."""
    if not isinstance(value, BlockArgument):
        return False
    region = value.block.parent
    return region is not None and region.blocks.first is value.block
