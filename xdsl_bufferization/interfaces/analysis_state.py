"""The queries that an op's model may make to the analysis (MLIR's AnalysisState)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from xdsl.ir import Operation, SSAValue, Use

from xdsl_bufferization.interfaces.aliasing import AliasingOperand, AliasingValue
from xdsl_bufferization.interfaces.bufferizable import BufferizableOpInterface
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.records import record

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.function_summary import CalledFunctions


@record
class TraversalConfig:
    """How `find_value_in_reverse_use_def_chain` walks; MLIR's TraversalConfig."""

    always_include_leaves: bool = True
    """Values at which the walk ends are part of the answer."""
    follow_in_place_only: bool = False
    follow_equivalent_only: bool = False
    follow_unknown_ops: bool = False
    follow_same_type_or_casts_only: bool = False


class AnalysisState(Protocol):
    """The decisions so far, and the questions about tensors that need only the IR."""

    options: BufferizationOptions
    read_only_loops: bool
    """Whether loops that only read what they carry count as reads."""

    @property
    def functions(self) -> CalledFunctions:
        """The functions that calls may refer to."""
        ...

    def model(self, op: Operation) -> BufferizableOpInterface | None:
        """The op's model; None when it has none or the options leave the op out."""
        ...

    def is_in_place(self, operand: Use) -> bool: ...

    def are_equivalent(self, first: SSAValue, second: SSAValue) -> bool:
        """Whether both values will be the same memref."""
        ...

    def are_aliasing(self, first: SSAValue, second: SSAValue) -> bool:
        """Whether the buffers of both values may overlap."""
        ...

    def aliases_of(self, value: SSAValue) -> Iterable[SSAValue]:
        """All values whose buffers may overlap that of `value`, itself included."""
        ...

    def has_alias(
        self, value: SSAValue, is_wanted: Callable[[SSAValue, AnalysisState], bool]
    ) -> bool:
        """Whether something holds for one of the aliases. It must not depend on
        decisions: each alias is asked once."""
        ...

    def alias_key(self, value: SSAValue) -> object:
        """Something that two values have in common when their buffers may overlap."""
        ...

    def may_share_buffer(self, first: SSAValue, second: SSAValue) -> bool:
        """Whether two values, of those that a model asks about
        (`values_to_be_shared`), could have one buffer if their contents were equal: no
        write to one comes before a read of the other."""
        ...

    def bufferizes_to_memory_read(self, operand: Use) -> bool: ...

    def bufferizes_to_memory_write(self, operand: Use) -> bool: ...

    def value_bufferizes_to_memory_write(self, value: SSAValue) -> bool:
        """Whether the value defines the contents of its buffer."""
        ...

    def bufferizes_to_alias_only(self, operand: Use) -> bool:
        """Whether the buffer is neither read nor written, only passed on."""
        ...

    def aliasing_values(self, operand: Use) -> Sequence[AliasingValue]: ...

    def aliasing_operands(self, value: SSAValue) -> Sequence[AliasingOperand]: ...

    def is_value_read(self, value: SSAValue) -> bool:
        """Whether the value, or an alias made without a write, is read by an op."""
        ...

    def is_value_written(self, value: SSAValue) -> bool:
        """Whether the buffer of the value is written in place, through any alias."""
        ...

    def is_writable(self, value: SSAValue) -> bool: ...

    def has_undefined_contents(self, operand: Use) -> bool: ...

    def can_omit_tensor_copy(self, operand: Use) -> bool:
        """Whether an operand out of place needs no copy of the old contents."""
        ...

    def copied_value(self, operand: Use) -> SSAValue:
        """The value that is copied for an operand out of place: the operand, or, where
        the op only makes one alias of it (tensor.extract_slice), the result, which may be
        smaller."""
        ...

    def find_definitions(self, value: SSAValue) -> Sequence[SSAValue]:
        """The values that define the contents of `value`, found backwards through ops
        that only pass a buffer on."""
        ...

    def find_value_in_reverse_use_def_chain(
        self,
        value: SSAValue,
        condition: Callable[[SSAValue], bool],
        config: TraversalConfig = ...,
    ) -> Sequence[SSAValue]:
        """The nearest values that satisfy `condition` on each path back from `value`."""
        ...
