"""The types of buffers, now or after the program is bufferized."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    UnregisteredAttr,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.interfaces.aliasing import BufferRelation
from xdsl_bufferization.interfaces.base_models import BufferizableModel
from xdsl_bufferization.interfaces.bufferization_options import (
    BufferizationOptions,
    LayoutMapOption,
    TensorLike,
)
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.operands import get, op_of
from xdsl_bufferization.interfaces.types import MEMREF_TYPES, BufferType

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState


class BufferTypes:
    """Infers the memref types of tensors, on demand.

    Attributes:
        options: the options of this run.
        state: answers about the tensor IR that do not depend on decisions.
        visited: the op that is being bufferized.
    """

    def __init__(self, options: BufferizationOptions, state: AnalysisState):
        self.options = options
        self.state = state
        self.visited: Operation | None = None
        self._types: dict[SSAValue, BufferType] = {}
        self._guesses = 0
        self._guessed: set[SSAValue] = set()
        self._widened: dict[SSAValue, BufferType] = {}

    def visit(self, op: Operation) -> None:
        """Turn to the next op that is bufferized, and forget what follows from types that
        are not known: more may be known by now."""
        self.visited = op
        if self._guessed:
            for value in self._guessed:
                self._types.pop(value, None)
            self._guessed.clear()
            self._widened.clear()

    def get_buffer_type(self, value: SSAValue) -> BufferType:
        """The memref type of the buffer of `value`, now or, as far as that can be told,
        once it is bufferized.

        An op that is not bufferized yet may get a buffer of another layout than is
        predicted: one of which more is known. What follows from such a guess is forgotten
        when the next op is visited, all else is inferred once.
        """
        while True:
            type_ = value.type
            if isinstance(type_, MEMREF_TYPES):
                return cast(BufferType, type_)
            if (known := self._types.get(value)) is not None:
                if value in self._guessed:
                    self._guesses += 1
                return known
            op = op_of(value)
            assert op is not None
            model = self.state.model(op)
            if model is None:
                return self.unknown_buffer_type(type_, op)
            if self.is_copied(value):
                return self.identity_buffer_type(type_)
            # A chain of ops that pass a buffer on is followed in a loop: it may be long.
            if (
                isinstance(value, OpResult)
                and model.__class__.buffer_type is BufferizableModel.buffer_type
            ):
                aliases = model.aliasing_operands(op, value, self.state)
                if aliases and aliases[0].relation is BufferRelation.EQUIVALENT:
                    value = get(aliases[0].operand)
                    continue
            break
        guesses = self._guesses
        buffer_type = model.buffer_type(op, value, self)
        if self._guesses != guesses:
            self._guessed.add(value)
        self._types[value] = buffer_type
        return buffer_type

    def is_copied(self, value: SSAValue) -> bool:
        """Whether a value is going to be in a new buffer instead of that of an operand.
        Where types are inferred to change a program, its copies are ops already."""
        return False

    # The type of a value carried around a loop depends on itself. It is inferred by
    # assuming one and seeing whether it holds; if it does not, all that was inferred
    # since is forgotten. What holds stays known, however deep loops nest.
    #
    # An assumption is the most that can be known of a type. If it does not hold, less is
    # known, also of all that depends on the value. So the assumption about a value fails
    # once, whatever is assumed of others, and is not made again: the number of failures
    # is that of the values, not that of the combinations of their types.

    def loop_carried_type(
        self, value: SSAValue, init: SSAValue, next_value: SSAValue, what: str
    ) -> BufferType:
        """Infer the type of a value carried around a loop: that of the value it starts
        with, if the next one then is of that type too.

        Args:
            init: what it starts with.
            next_value: what it is in the next iteration.
            what: names both in an error.

        Raises:
            PassFailedException: when they are in different memory spaces.
        """
        if (widened := self._widened.get(value)) is not None:
            return widened
        init_type = self.get_buffer_type(init)
        mark = self.mark_types()
        self.assume_type(value, init_type)
        next_type = self.get_buffer_type(next_value)
        if next_type == init_type:
            return init_type
        self.forget_types(mark)
        widened = self.common_buffer_type(value, init_type, next_type, what)
        self._widened[value] = widened
        return widened

    def mark_types(self) -> int:
        """A moment in the inference of types, to go back to."""
        return len(self._types)

    def assume_type(self, value: SSAValue, type_: BufferType) -> None:
        """Infer what follows as if `value` had this type."""
        self._types[value] = type_

    def forget_types(self, mark: int) -> None:
        """Forget what was assumed and inferred since `mark`."""
        while len(self._types) > mark:
            self._types.popitem()

    def common_buffer_type(
        self, value: SSAValue, first: BufferType, second: BufferType, what: str
    ) -> BufferType:
        """The type of a value that is now one buffer, now another: theirs when it is the
        same, otherwise the one with a fully dynamic layout.

        Args:
            what: names the buffers in an error.

        Raises:
            PassFailedException: when they are in different memory spaces.
        """
        if first == second:
            return first
        if first.memory_space != second.memory_space:
            op = op_of(value)
            assert op is not None
            raise PassFailedException(
                f"{op.name}: {what} are in different memory spaces, "
                f"{first.memory_space} and {second.memory_space}. Copy one of them into "
                "the other's with bufferization.alloc_tensor copy(...) {memory_space = "
                f"...}}.{describe(op)}"
            )
        return memref_type(
            cast(TensorLike, value.type), "fully-dynamic-layout-map", first.memory_space
        )

    def unknown_buffer_type(self, type_: Attribute, op: Operation) -> BufferType:
        """The type of a buffer whose layout nothing determines (yet)."""
        self._guesses += 1
        tensor_type = cast(TensorLike, type_)
        memory_space = self.memory_space(tensor_type, op)
        if self.options.unknown_type_converter_fn is not None:
            return self.options.unknown_type_converter_fn(
                tensor_type, memory_space, self.options
            )
        return memref_type(
            tensor_type, self.options.unknown_type_conversion, memory_space
        )

    def identity_buffer_type(
        self, type_: Attribute, memory_space: Attribute | None = None
    ) -> BufferType:
        """The type of a contiguous row-major buffer."""
        tensor_type = cast(TensorLike, type_)
        if memory_space is None:
            memory_space = self.memory_space(tensor_type, None)
        return memref_type(tensor_type, "identity-layout-map", memory_space)

    def memory_space(self, type_: TensorLike, op: Operation | None) -> Attribute:
        """The default memory space for a tensor.

        Raises:
            PassFailedException: when the options demand that it be inferred.
        """
        encoding = type_.encoding if isinstance(type_, TensorType) else NoneAttr()
        if _is_sparse(encoding):
            raise PassFailedException(
                f"{'' if op is None else op.name + ': '}a tensor of sparse encoding "
                f"{encoding} has no buffer. Sparse tensors are to be lowered before "
                f"bufferization.{'' if op is None else describe(op)}"
            )
        memory_space = self.options.default_memory_space(type_)
        if memory_space is None:
            where = "" if op is None else f"{op.name}: "
            raise PassFailedException(
                f"{where}could not infer memory space of a tensor of type {type_}. "
                "Give it one with bufferization.alloc_tensor {memory_space = ...}, or "
                "run without must-infer-memory-space."
                + ("" if op is None else describe(op))
            )
        return memory_space


def is_layout_at_least(
    source: MemRefType[Attribute], target: MemRefType[Attribute]
) -> bool:
    """Whether offset and strides of `source` are known wherever those of `target` are, so
    that a cast to `target` cannot fail (nor lose what it promises)."""
    if source.layout == target.layout:
        return True
    source_layout, target_layout = (
        _strides_and_offset(source),
        _strides_and_offset(target),
    )
    if source_layout is None or target_layout is None:
        return False
    return all(
        wanted is None or wanted == known
        for known, wanted in zip(source_layout, target_layout, strict=True)
    )


def _strides_and_offset(type_: MemRefType) -> list[int | None] | None:
    """The strides, then the offset; None where they are dynamic."""
    layout = type_.layout
    if isinstance(layout, StridedLayoutAttr):
        numbers = [*layout.strides.data, layout.offset]
        return [n.data if isinstance(n, IntAttr) else None for n in numbers]
    if not isinstance(layout, NoneAttr):
        return None
    result: list[int | None] = [0]
    stride: int | None = 1
    for size in reversed(type_.get_shape()):
        result.insert(0, stride)
        stride = None if stride is None or size == DYNAMIC_INDEX else stride * size
    return result


def has_fully_dynamic_layout(type_: BufferType) -> bool:
    """Whether nothing is known of the layout: offset and all strides are dynamic."""
    if isinstance(type_, UnrankedMemRefType):
        return True
    layout = type_.layout
    return isinstance(layout, StridedLayoutAttr) and all(
        isinstance(number, NoneAttr) for number in (layout.offset, *layout.strides)
    )


def _is_sparse(encoding: Attribute) -> bool:
    """Whether a tensor encoding is one of MLIR's sparse_tensor dialect."""
    name = encoding.name
    if isinstance(encoding, UnregisteredAttr):
        name = encoding.attr_name.data
    return name.startswith("sparse_tensor.")


@lru_cache(maxsize=1024)
def memref_type(
    type_: TensorLike, layout: LayoutMapOption, memory_space: Attribute
) -> BufferType:
    """The memref type for a tensor type, with no layout (identity) or with dynamic offset
    and strides (otherwise)."""
    if isinstance(type_, UnrankedTensorType):
        return UnrankedMemRefType.from_type(type_.element_type, memory_space)
    if layout == "identity-layout-map":
        return MemRefType(type_.element_type, type_.shape, NoneAttr(), memory_space)
    return MemRefType(
        type_.element_type,
        type_.shape,
        StridedLayoutAttr([None] * type_.get_num_dims(), None),
        memory_space,
    )
