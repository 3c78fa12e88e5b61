"""The rewriter with which models turn tensors into buffers.

Bufferization changes values in place. A block argument or a result of an op that is
kept (scf.for, func.func) gets its memref type with `set_type`; uses of an op that is
replaced are redirected to the new values with `replace`. An op that is visited later
has memrefs instead of tensors as operands, and `get_buffer` returns them unchanged.
Block arguments become memrefs after the ops that use them: until then, a
bufferization.to_buffer of the predicted type stands for them. It is later folded, or
becomes a memref.cast if the prediction was not exact. to_buffer and to_tensor remain
only where a tensor is used by an op that is not bufferized. Each op is thus visited
once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
    UnrankedTensorType,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization import locations
from xdsl_bufferization.dialects import bufferization, memref, tensor
from xdsl_bufferization.dialects.known_sizes import known_size
from xdsl_bufferization.interfaces.buffer_type_inference import (
    BufferTypes,
    is_layout_at_least,
)
from xdsl_bufferization.interfaces.bufferization_options import (
    BufferizationOptions,
)
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.layout_hints import argument_layout_hint
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.reify import REIFY
from xdsl_bufferization.interfaces.types import (
    MEMREF_CLASSES,
    MEMREF_TYPES,
    TENSOR_CLASSES,
    TENSOR_TYPES,
    BufferType,
    has_tensor_semantics,
)
from xdsl_bufferization.remarks.active import active_log

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState
    from xdsl_bufferization.remarks.model import Cause

OperationT = TypeVar("OperationT", bound=Operation)

_VALUES = frozenset((OpResult, BlockArgument))


class BufferizationRewriter:
    """Builds the memref program around the op that is being bufferized.

    Attributes:
        options: the options of this run.
        state: answers about the tensor IR that do not depend on decisions.
        types: the types of buffers, now and predicted.
        point: where `insert` puts ops; before the op that is visited, to begin with.
        pending: ops on tensors that models have inserted, still to be bufferized.
        kept: ops that stay on tensors.
        num_buffer_allocs: how many allocations were built.
    """

    def __init__(self, options: BufferizationOptions, state: AnalysisState):
        self.options = options
        self.state = state
        self.types = BufferTypes(options, state)
        self.point: InsertPoint | None = None
        self.pending: list[Operation] = []
        self.kept: set[Operation] = set()
        self.num_buffer_allocs = 0
        self._to_buffers: dict[SSAValue, SSAValue] = {}
        self._log = active_log()
        self._visited: Operation | None = None
        self._cause: Cause | None = None

    def visit(self, op: Operation) -> None:
        """Turn to the next op: build before it, and predict types again where more is
        known by now."""
        locations.visit(op)
        self._visited = op
        if op.parent is not None:
            self.point = InsertPoint.before(op)
        self.types.visit(op)

    # Insertion.

    def insert(self, op: OperationT) -> OperationT:
        """Put a new op at the insertion point."""
        point = self.point
        assert point is not None, "an insertion point is set before models run"
        if point.insert_before is None:
            point.block.add_op(op)
        else:
            point.block.insert_op_before(op, point.insert_before)
        if has_tensor_semantics(op):
            self.pending.append(op)
            self._note(op, "new-tensor")
        return op

    @contextmanager
    def insert_at(self, point: InsertPoint) -> Generator[None]:
        """Insert elsewhere for a while."""
        previous, self.point = self.point, point
        try:
            yield
        finally:
            self.point = previous

    # Changing the op that is bufferized.

    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """Replace the op: one value a result, a memref where the result was a tensor.

        Raises:
            PassFailedException: when these are not the values that take its place.
        """
        if len(values) != len(op.results):
            raise PassFailedException(
                f"{op.name}: rewriter.replace got {len(values)} values for "
                f"{len(op.results)} results; give one for each.{describe(op)}"
            )
        for result, value in zip(op.results, values, strict=True):
            if value.__class__ not in _VALUES or (
                result.type.__class__ in TENSOR_CLASSES
                and value.type.__class__ not in MEMREF_CLASSES
                and value.type.__class__ not in TENSOR_CLASSES
            ):
                raise PassFailedException(_not_a_replacement(op, result, value))
            if value.name_hint is None:
                value.name_hint = result.name_hint
            if self.kept:
                self._keep_tensor(result, value, self.point)
            self.replace_value(result, value)
        self.erase(op)

    def replace_value(self, old: SSAValue, new: SSAValue) -> None:
        """Let all ops use another value, that stands for the same tensor."""
        old.replace_all_uses_with(new)
        self.notify_replaced(old, new)

    def notify_replaced(self, old: SSAValue, new: SSAValue) -> None:
        """Tell the listeners that `new` stands for what `old` stood for: to be called
        where uses are changed one by one."""
        for listener in self.options.listeners:
            listener.value_replaced(old, new)

    def erase(self, op: Operation) -> None:
        """Remove an op whose results are no longer used."""
        parent = op.parent
        assert parent is not None
        if self.point is not None and self.point.insert_before is op:
            self.point = InsertPoint(parent, op.next_op)
        parent.erase_op(op)

    def set_operand(self, op: Operation, index: int, value: SSAValue) -> None:
        """Exchange one operand of an op that is kept."""
        if op.operands[index] is not value:
            op.operands[index] = value

    def set_type(self, value: SSAValue, type_: Attribute) -> None:
        """Let a block argument, or a result of an op that is kept, be a memref."""
        tensor_type = value.type
        value._type = type_  # pyright: ignore[reportPrivateUsage]
        if self.kept:
            self._keep_tensor(value, value, _point_after(value), tensor_type)
        if (buffer := self._to_buffers.pop(value, None)) is not None:
            self._fold_cast(buffer)

    def bufferize_operands(self, op: Operation) -> None:
        """Exchange every tensor operand of an op that is kept for its buffer."""
        for operand in operands_of(op):
            value = get(operand)
            if isinstance(value.type, TENSOR_TYPES):
                op.operands[operand.index] = self.get_buffer(value)

    # Buffers and their types.

    def get_buffer(self, value: SSAValue) -> SSAValue:
        """The memref that holds `value`. Where its producer is not bufferized (yet), a
        bufferization.to_buffer stands for it, right after the value.

        Raises:
            PassFailedException: when no memory space can be inferred for it.
        """
        if isinstance(value.type, MEMREF_TYPES):
            return value
        if (buffer := self._to_buffers.get(value)) is not None:
            return buffer
        owner = value.owner
        if isinstance(owner, bufferization.ToTensorOp):
            return owner.operands[0]
        op = bufferization.ToBufferOp.create(
            operands=[value], result_types=[self.get_buffer_type(value)]
        )
        Rewriter.insert_op(op, _point_after(value))
        buffer = op.results[0]
        self._to_buffers[value] = buffer
        return buffer

    def existing_buffer(self, value: SSAValue) -> SSAValue | None:
        """The memref that holds `value`, if there is one by now."""
        owner = value.owner
        if isinstance(owner, Operation) and owner.parent is None:
            return None
        if isinstance(value.type, MEMREF_TYPES):
            return value
        if isinstance(owner, bufferization.ToTensorOp):
            return owner.operands[0]
        buffer = self._to_buffers.get(value)
        return None if buffer is None else self.existing_buffer(buffer)

    def get_buffer_at_boundary(self, value: SSAValue, type_: BufferType) -> SSAValue:
        """The memref that holds `value`, where it leaves a function: of `type_` if no op
        of the pass decides, else of the type that it has."""
        owner = value.owner
        if (
            isinstance(owner, Operation)
            and isinstance(value.type, TENSOR_TYPES)
            and not isinstance(owner, bufferization.ToTensorOp)
            and self.state.model(owner) is None
        ):
            op = bufferization.ToBufferOp.create(operands=[value], result_types=[type_])
            return self.insert(op).results[0]
        return self.get_buffer(value)

    def get_buffer_type(self, value: SSAValue) -> BufferType:
        """Return the type of the buffer of `value` (`BufferTypes.get_buffer_type`)."""
        return self.types.get_buffer_type(value)

    # Building ops on memrefs.

    def create_alloc(
        self, type_: MemRefType, dynamic_sizes: Sequence[SSAValue]
    ) -> SSAValue:
        """Allocate a buffer, aligned as the options say.

        Raises:
            PassFailedException: when nothing of this type can be allocated: its layout
                has strides or an offset that are not known, or there is not one size for
                each dynamic dimension.
        """
        if (
            type_.layout.__class__ is StridedLayoutAttr
            or len(dynamic_sizes) != type_.get_shape().count(DYNAMIC_INDEX)
        ) and (problem := _why_not_allocated(type_, dynamic_sizes)):
            visited = self.types.visited
            raise PassFailedException(
                f"{'' if visited is None else f'{visited.name}: '}rewriter.create_alloc: "
                f"{problem}{'' if visited is None else describe(visited)}"
            )
        self.num_buffer_allocs += 1
        if self.options.allocation_fn is not None:
            buffer = self.options.allocation_fn(self, type_, dynamic_sizes)
            if isinstance(buffer.owner, Operation):
                self._note(buffer.owner, "new-tensor")
            return buffer
        properties: dict[str, Attribute] = {}
        if self.options.buffer_alignment:
            properties["alignment"] = IntegerAttr(self.options.buffer_alignment, i64)
        alloc = memref.AllocOp.build(
            operands=[dynamic_sizes, []],
            result_types=[type_],
            properties=properties,
        )
        self._note(alloc, "new-tensor")
        return self.insert(alloc).results[0]

    def create_memcpy(self, source: SSAValue, target: SSAValue) -> None:
        """Copy a buffer into another of the same shape."""
        if self.options.memcpy_fn is not None:
            self.options.memcpy_fn(self, source, target)
        else:
            copy = self.insert(memref.CopyOp.build(operands=[source, target]))
            self._note(copy, "contents", source)

    def create_cast(self, buffer: SSAValue, type_: BufferType) -> SSAValue:
        """The buffer under another memref type that it can be cast to."""
        if buffer.type == type_:
            return buffer
        if self.options.cast_fn is not None:
            return self.options.cast_fn(self, buffer, type_)
        cast_op = memref.CastOp.build(operands=[buffer], result_types=[type_])
        return self.insert(cast_op).results[0]

    def cast_or_reallocate(self, buffer: SSAValue, type_: BufferType) -> SSAValue:
        """The buffer under another memref type: cast where the cast cannot fail when the
        program runs, otherwise copied into a new buffer of that type, which may be in
        another memory space."""
        source = cast(BufferType, buffer.type)
        if source == type_:
            return buffer
        if (
            not isinstance(source, MemRefType)
            or not isinstance(type_, MemRefType)
            or (
                source.memory_space == type_.memory_space
                and is_layout_at_least(source, type_)
            )
        ):
            return self.create_cast(buffer, type_)
        row_major = MemRefType(
            type_.element_type, type_.shape, memory_space=type_.memory_space
        )
        may_be_cast = isinstance(type_.layout, StridedLayoutAttr) and is_layout_at_least(
            row_major, type_
        )
        with self.reallocating(buffer, type_):
            copy = self.create_alloc(
                row_major if may_be_cast else type_, self.dynamic_sizes(buffer)
            )
            self.create_memcpy(buffer, copy)
        return self.create_cast(copy, type_)

    # Remarks.

    def _note(self, new: Operation, code: str, value: SSAValue | None = None) -> None:
        """Note why a new op was made: for the reason of what is visited, which may be a
        copy that was inserted for another op, or else with this code."""
        log, visited = self._log, self._visited
        if log is None or visited is None:
            return
        cause = self._cause or log.cause_of(visited)
        log.note(new, log.cause(code, visited, value) if cause is None else cause)

    @contextmanager
    def because(
        self,
        code: str,
        op: Operation,
        value: SSAValue,
        wanted: Attribute | None = None,
        hint: Callable[[], str | None] | None = None,
    ) -> Generator[None]:
        """Make copies inside for a reason, a key of `REASONS`, if remarks are wanted.

        Args:
            wanted: the type that is asked for.
            hint: returns what would avoid the copies, if that is known.
        """
        previous = self._cause
        if self._log is not None and previous is None:
            text = "" if wanted is None else str(wanted)
            avoided = None if hint is None else hint()
            self._cause = self._log.cause(code, op, value, text, avoided)
        try:
            yield
        finally:
            self._cause = previous

    @contextmanager
    def reallocating(self, buffer: SSAValue, type_: BufferType) -> Generator[None]:
        """Copy a buffer inside because it cannot be cast to a type."""
        if self._visited is None:
            yield
            return

        def hint() -> str | None:
            return argument_layout_hint(buffer, type_, self.options)

        with self.because("layout", self._visited, buffer, type_, hint):
            yield

    # Copies of tensors.

    def allocate_tensor(self, value: SSAValue, copy: bool = True) -> SSAValue:
        """A new tensor of the shape of `value` (bufferization.alloc_tensor), with its
        contents when `copy`."""
        dynamic_sizes: list[SSAValue] = []
        properties: dict[str, Attribute] = {}
        if not copy:
            dynamic_sizes = self.reified_sizes(value)
            space = self.get_buffer_type(value).memory_space
            if not isinstance(space, NoneAttr):
                properties["memory_space"] = space
        op = bufferization.AllocTensorOp.build(
            operands=[dynamic_sizes, [value] if copy else [], []],
            result_types=[value.type],
            properties=properties,
        )
        if self._log is not None and self._cause is not None:
            self._log.note(op, self._cause)
        return self.insert(op).results[0]

    def dynamic_sizes(self, value: SSAValue) -> list[SSAValue]:
        """The sizes of the dynamic dimensions of a ranked tensor or memref, as index
        values."""
        type_ = cast(TensorType | MemRefType, value.type)
        sizes: list[SSAValue] = []
        for dimension, size in enumerate(type_.get_shape()):
            if size == DYNAMIC_INDEX:
                sizes.append(self.create_dim(value, dimension))
        return sizes

    def reified_sizes(self, value: SSAValue) -> list[SSAValue]:
        """The sizes of the dynamic dimensions of a ranked tensor, computed by the op that
        makes it from its operands where that can be."""
        model = REIFY.lookup(value.op) if isinstance(value, OpResult) else None
        if model is None:
            return self.dynamic_sizes(value)
        assert isinstance(value, OpResult)
        shape = cast(TensorType, value.type).get_shape()
        sizes = [
            model.reify_result_size(value.op, value.index, dimension, self)
            for dimension, size in enumerate(shape)
            if size == DYNAMIC_INDEX
        ]
        return [self.create_index(n) if isinstance(n, int) else n for n in sizes]

    def create_dim(self, value: SSAValue, dimension: int) -> SSAValue:
        """The size of one dimension of a tensor or memref, as an index value.

        The size of a buffer is taken from the op that makes it, if that op has it: asking
        for it would keep a buffer alive that nothing else may need.
        """
        is_tensor = isinstance(value.type, TENSOR_TYPES)
        known = None if is_tensor else known_size(value, dimension)
        if known is not None:
            return self.create_index(known) if isinstance(known, int) else known
        index = self.create_index(dimension)
        dim_op = tensor.DimOp if is_tensor else memref.DimOp
        dim = dim_op.build(operands=[value, index], result_types=[index.type])
        return self.insert(dim).results[0]

    def create_index(self, number: int) -> SSAValue:
        """An index constant."""
        from xdsl.dialects.arith import ConstantOp

        return self.insert(ConstantOp(IntegerAttr.from_index_int_value(number))).results[
            0
        ]

    def resolve_operand_conflicts(self, op: Operation, state: AnalysisState) -> None:
        """Copy what is out of place: the operand before the op, or the result after it
        (`AnalysisState.copied_value`).

        Raises:
            PassFailedException: when an unranked tensor would have to be copied.
        """
        operands: list[Use] = []
        results: list[tuple[Use, SSAValue]] = []
        for operand in operands_of(op):
            type_ = get(operand).type
            if not isinstance(type_, TENSOR_TYPES) or state.is_in_place(operand):
                continue
            if isinstance(type_, UnrankedTensorType):
                raise PassFailedException(
                    f"{op.name}: operand {operand.index} has to be copied, but an "
                    "unranked tensor cannot be. Cast it to a ranked tensor (tensor.cast) "
                    "before "
                    f"it is written.{describe(op)}"
                )
            copied_value = state.copied_value(operand)
            if copied_value is get(operand):
                operands.append(operand)
            else:
                results.append((operand, copied_value))
        copied = {use for use in operands if not state.can_omit_tensor_copy(use)}
        copied |= {use for use, _ in results if not state.can_omit_tensor_copy(use)}
        with self.insert_at(InsertPoint.before(op)):
            for operand in operands:
                with self._out_of_place(operand):
                    new_value = self.allocate_tensor(get(operand), operand in copied)
                op.operands[operand.index] = new_value
        for operand, result in results:
            uses = list(result.uses)
            with self.insert_at(InsertPoint.after(op)), self._out_of_place(operand):
                new_value = self.allocate_tensor(result, operand in copied)
            for use in uses:
                if not isinstance(use.operation, tensor.DimOp):
                    use.operation.operands[use.index] = new_value
            self.notify_replaced(result, new_value)

    @contextmanager
    def _out_of_place(self, operand: Use) -> Generator[None]:
        """Copy inside because of the decision on an operand."""
        if self._log is None:
            yield
            return
        previous = self._cause
        self._cause = self._log.causes_of_copies.get(operand)
        with self.because("unanalyzed", operand.operation, get(operand)):
            yield
        self._cause = previous

    # Ends of the bufferized part.

    def to_tensor(self, buffer: SSAValue, type_: Attribute) -> SSAValue:
        """A tensor for an op that is not bufferized, standing for this buffer."""
        op = bufferization.ToTensorOp.build(operands=[buffer], result_types=[type_])
        # Not `insert`: the cast is not bufferized in turn.
        assert self.point is not None
        Rewriter.insert_op(op, self.point)
        return op.results[0]

    def _keep_tensor(
        self,
        value: SSAValue,
        buffer: SSAValue,
        point: InsertPoint | None,
        type_: Attribute | None = None,
    ) -> None:
        """Let ops that stay on tensors use a tensor, where the value becomes a buffer."""
        type_ = value.type if type_ is None else type_
        if not isinstance(type_, TENSOR_TYPES):
            return
        uses = [use for use in value.uses if use.operation in self.kept]
        if uses:
            assert point is not None
            with self.insert_at(point):
                tensor = self.to_tensor(buffer, type_)
            for use in uses:
                use.operation.operands[use.index] = tensor

    def fold_casts(self) -> None:
        """Remove every to_buffer whose tensor has become a memref since."""
        for buffer in self._to_buffers.values():
            self._fold_cast(buffer)

    def _fold_cast(self, value: SSAValue) -> None:
        op = value.owner
        assert isinstance(op, Operation)
        if op.parent is None or not isinstance(op.operands[0].type, MEMREF_TYPES):
            return
        with self.insert_at(InsertPoint.before(op)):
            buffer = self.create_cast(op.operands[0], cast(BufferType, value.type))
        self.replace_value(value, buffer)
        op.parent.erase_op(op)


def _point_after(value: SSAValue) -> InsertPoint:
    """The first place where a value can be used."""
    owner = value.owner
    return (
        InsertPoint.at_start(owner)
        if isinstance(owner, Block)
        else InsertPoint.after(owner)
    )


def _not_a_replacement(op: Operation, result: OpResult, value: object) -> str:
    if isinstance(value, (OpResult, BlockArgument)):
        found = f"a value of type {cast(SSAValue, value).type}"
        hint = "a tensor becomes a memref"
    else:
        is_op = isinstance(value, Operation)
        found = f"the op {value.name}" if is_op else repr(value)
        hint = "pass a value: of an op that is inserted, its result (op.results[0])"
    return (
        f"{op.name}: rewriter.replace got {found} for result #{result.index} of type "
        f"{result.type}; {hint}.{describe(op)}"
    )


def _why_not_allocated(
    type_: MemRefType, dynamic_sizes: Sequence[SSAValue]
) -> str | None:
    """What keeps a memref type from being allocated with these sizes."""
    layout = type_.layout
    if isinstance(layout, StridedLayoutAttr) and None in (
        *layout.get_strides(),
        layout.get_offset(),
    ):
        return (
            f"{type_} cannot be allocated: its strides or offset are not known. Allocate "
            "a memref without a layout, and cast it with rewriter.create_cast; and have "
            "bufferizes_to_allocation return True for the result."
        )
    expected = type_.get_shape().count(DYNAMIC_INDEX)
    if len(dynamic_sizes) != expected:
        return (
            f"{type_} has {expected} dynamic dimensions, but {len(dynamic_sizes)} sizes "
            "are given; rewriter.reified_sizes returns those of a tensor, "
            "rewriter.dynamic_sizes those of a buffer."
        )
    return None
