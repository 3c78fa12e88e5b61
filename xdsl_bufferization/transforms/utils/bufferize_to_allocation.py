"""Bufferization of single ops, each into a new buffer for the operands that it writes.

    %0 = tensor.insert %f into %t[%i] : tensor<10xf32>

becomes

    %alloc = memref.alloc() : memref<10xf32>
    bufferization.materialize_in_destination %t in writable %alloc
    memref.store %f, %alloc[%i] : memref<10xf32>
    %0 = bufferization.to_tensor %alloc restrict writable : memref<10xf32>

A script can thus place a tensor in separate memory (for example, a scratchpad) before
One-Shot Bufferize bufferizes the rest of the program. The op's BufferizableOpInterface
determines the written operands: those that bufferize to a write, and those that a
result aliases. tensor.pad and bufferization.alloc_tensor, which make new tensors,
become buffers themselves, and vector.mask is bufferized with the op in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    MemRefType,
    NoneAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, Region, SSAValue, Use
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects import bufferization, linalg, memref, tensor, vector
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.buffer_type_inference import memref_type
from xdsl_bufferization.interfaces.bufferization_options import (
    BufferizationOptions,
)
from xdsl_bufferization.interfaces.bufferization_rewriter import (
    BufferizationRewriter,
    OperationT,
)
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import MEMREF_TYPES, TENSOR_TYPES
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.models.buffer_types import subview_type
from xdsl_bufferization.models.tensor.elements import take_element_body
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.rewrite_in_destination_passing_style import (
    padded_sizes,
    padding_element,
)
from xdsl_bufferization.transforms.utils.bufferize import advice
from xdsl_bufferization.transforms.utils.tensor_builder import (
    TensorBuilder,
    dynamic_sizes,
    mixed_sizes,
    static_sizes,
)


@dataclass(frozen=True)
class AllocationOptions:
    """How buffers are allocated, filled and freed.

    Attributes:
        memory_space: the memory space of the buffers.
        memcpy_op: what copies the tensor that is written into its buffer:
            bufferization.materialize_in_destination, memref.copy or linalg.copy.
        alloc_op: memref.alloc or memref.alloca.
        bufferize_destination_only: leave the op on tensors; only its destination is in a
            new buffer.
        emit_dealloc: free the buffer at the end of its block.
    """

    memory_space: Attribute = field(default_factory=NoneAttr)
    memcpy_op: str = bufferization.MaterializeInDestinationOp.name
    alloc_op: str = memref.AllocOp.name
    bufferize_destination_only: bool = False
    emit_dealloc: bool = False


@dataclass(frozen=True)
class Bufferized:
    """The result of bufferizing an op: the new buffer of its first written operand, and
    all new ops."""

    buffer: SSAValue
    new_ops: Sequence[Operation]


@on_program
def bufferize_to_allocation(
    op: Operation, options: AllocationOptions | None = None
) -> Bufferized:
    """Bufferize one op into new buffers.

    Raises:
        PassFailedException: when the op has no bufferization, or writes no tensor.
    """
    if isinstance(parent := op.parent_op(), vector.MaskOp):
        op = parent
    rewriter = _Rewriter(op, AllocationOptions() if options is None else options)
    with built_for(op):
        if isinstance(op, tensor.PadOp):
            buffer = _bufferize_pad(op, rewriter)
        elif isinstance(op, bufferization.AllocTensorOp):
            buffer = _bufferize_alloc_tensor(op, rewriter)
        else:
            buffer = _bufferize_destinations(op, rewriter)
    return Bufferized(buffer, [op for op in rewriter.new_ops if op.parent is not None])


class _Rewriter(BufferizationRewriter):
    """Builds buffers before one op, and gives its users tensors of them."""

    def __init__(self, op: Operation, allocation: AllocationOptions):
        options = BufferizationOptions()
        super().__init__(options, DefaultAnalysisState(options))
        self.op = op
        self.allocation = allocation
        self.new_ops: list[Operation] = []
        self.point = InsertPoint.before(op)

    def insert(self, op: OperationT) -> OperationT:
        self.new_ops.append(op)
        return super().insert(op)

    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        if op is self.op:
            values = [
                self.as_tensor(value, result.type)
                if isinstance(value.type, MEMREF_TYPES)
                and isinstance(result.type, TENSOR_TYPES)
                else value
                for value, result in zip(values, op.results, strict=True)
            ]
        super().replace(op, values)

    def insert_as_it_is(self, op: Operation) -> SSAValue:
        """Put in an op on tensors that is not bufferized now."""
        self.new_ops.append(op)
        assert self.point is not None and self.point.insert_before is not None
        self.point.block.insert_op_before(op, self.point.insert_before)
        return op.results[0] if op.results else op.operands[0]

    def as_tensor(self, buffer: SSAValue, type_: Attribute) -> SSAValue:
        """The tensor in a buffer that nothing else has access to."""
        return self.insert_as_it_is(
            bufferization.ToTensorOp.build(
                operands=[buffer],
                result_types=[type_],
                properties={"restrict": UnitAttr(), "writable": UnitAttr()},
            )
        )

    def allocate(self, type_: TensorType, sizes: Sequence[SSAValue]) -> SSAValue:
        """A new buffer for a tensor of this type."""
        buffer_type = memref_type(
            type_, "identity-layout-map", self.allocation.memory_space
        )
        on_stack = self.allocation.alloc_op == memref.AllocaOp.name
        op = (memref.AllocaOp if on_stack else memref.AllocOp).build(
            operands=[sizes, []], result_types=[buffer_type]
        )
        buffer = self.insert(op).results[0]
        if self.allocation.emit_dealloc and not on_stack:
            self._free_at_end(buffer)
        return buffer

    def _free_at_end(self, buffer: SSAValue) -> None:
        assert self.point is not None
        dealloc = memref.DeallocOp.build(operands=[buffer])
        self.new_ops.append(dealloc)
        last = self.point.block.last_op
        assert last is not None, "the op itself is in the block"
        self.point.block.insert_op_before(dealloc, last)

    def copy(self, source: SSAValue, buffer: SSAValue) -> None:
        """Copy a tensor into a buffer."""
        memcpy_op = self.allocation.memcpy_op
        if memcpy_op == bufferization.MaterializeInDestinationOp.name:
            self.insert_as_it_is(
                bufferization.MaterializeInDestinationOp.build(
                    operands=[source, buffer],
                    result_types=[[]],
                    properties={"writable": UnitAttr()},
                )
            )
            return
        type_ = memref_type(
            cast(TensorType, source.type), "fully-dynamic-layout-map", NoneAttr()
        )
        to_buffer = bufferization.ToBufferOp.build(
            operands=[source], result_types=[type_], properties={"read_only": UnitAttr()}
        )
        source_buffer = self.insert_as_it_is(to_buffer)
        if memcpy_op == memref.CopyOp.name:
            self.insert(memref.CopyOp.build(operands=[source_buffer, buffer]))
        else:
            self.insert(linalg.CopyOp([source_buffer], [buffer], []))


def _bufferize_destinations(op: Operation, rewriter: _Rewriter) -> SSAValue:
    state = rewriter.state
    target = _masked_op(op)
    for checked in {op: None, target: None}:
        if state.model(checked) is None:
            raise PassFailedException(
                f"{checked.name}: op was not bufferized: it does not implement "
                f"BufferizableOpInterface. {advice(checked)}.{describe(checked)}"
            )
    destinations = _destinations(target, state)
    if not destinations:
        raise PassFailedException(
            f"{target.name}: op was not bufferized: it writes no ranked tensor that it "
            "is given, so there is no destination to allocate. Give it a destination "
            f"first (rewrite_in_destination_passing_style).{describe(target)}"
        )
    only = rewriter.allocation.bufferize_destination_only
    if target.regions and not only and _has_tensors_inside(target):
        raise PassFailedException(
            f"{target.name}: an op with tensors in its regions is not bufferized alone. "
            "Give bufferize_destination_only, and bufferize it with the ops inside of it "
            f"later.{describe(target)}"
        )
    buffers: list[SSAValue] = []
    for operand in destinations:
        source = get(operand)
        type_ = cast(TensorType, source.type)
        buffer = rewriter.allocate(type_, rewriter.dynamic_sizes(source))
        if not _is_undefined(source, state):
            rewriter.copy(source, buffer)
        target.operands[operand.index] = rewriter.as_tensor(buffer, type_)
        buffers.append(buffer)
    if only:
        return buffers[0]
    tensors = [get(operand) for operand in destinations]
    rewriter.pending = []  # What led to sizes stays on tensors.
    if target is not op:
        _bufferize(target, rewriter)
    _bufferize(op, rewriter)
    for value in tensors:
        if value.first_use is None and isinstance(value, OpResult):
            rewriter.erase(value.op)
    return buffers[0]


def _masked_op(op: Operation) -> Operation:
    """The op in a vector.mask; any other op itself."""
    if isinstance(op, vector.MaskOp):
        masked = op.regions[0].block.first_op
        assert masked is not None, "verified"
        return masked
    return op


def _destinations(op: Operation, state: AnalysisState) -> list[Use]:
    """The operands of an op that need a buffer of their own: those it writes, and those
    that are a result."""
    model = state.model(op)
    assert model is not None, "checked by the caller"
    operands = operands_of(op)
    found: set[int] = set()
    for result in op.results:
        if not isinstance(result.type, TENSOR_TYPES):
            continue
        if model.bufferizes_to_allocation(op, result):
            return []
        for alias in state.aliasing_operands(result):
            if alias.operand.operation is op:
                found.add(alias.operand.index)
    for operand in operands:
        if isinstance(
            get(operand).type, TENSOR_TYPES
        ) and state.bufferizes_to_memory_write(operand):
            found.add(operand.index)
    return [
        operands[index]
        for index in sorted(found)
        if isinstance(get(operands[index]).type, TensorType)
    ]


def _is_undefined(value: SSAValue, state: AnalysisState) -> bool:
    """Return whether a tensor has undefined contents on every path: nothing to copy."""

    def is_empty(value: SSAValue) -> bool:
        op = value.owner
        return isinstance(op, tensor.EmptyOp) or (
            isinstance(op, bufferization.AllocTensorOp) and op.copy is None
        )

    origins = state.find_value_in_reverse_use_def_chain(
        value,
        lambda origin: is_empty(origin) or state.value_bufferizes_to_memory_write(origin),
    )
    return all(is_empty(origin) for origin in origins)


def _has_tensors_inside(op: Operation) -> bool:
    return any(
        isinstance(value.type, TENSOR_TYPES)
        for region in op.regions
        for inner in walk(region)
        for value in (*inner.operands, *inner.results)
    )


def _bufferize(op: Operation, rewriter: _Rewriter) -> None:
    """Bufferize one op, and what its model inserts on tensors."""
    worklist = [op]
    while worklist:
        current = worklist.pop(0)
        model = rewriter.state.model(current)
        if current.parent is None or model is None:
            continue
        rewriter.point = InsertPoint.before(current)
        model.bufferize(current, rewriter)
        worklist += rewriter.pending
        rewriter.pending = []


# ---------------------------------------------------------------------------------------
# Ops that make new tensors


def _bufferize_pad(op: tensor.PadOp, rewriter: _Rewriter) -> SSAValue:
    """A buffer of only padding, and the source in the middle of it."""
    builder = _Builder(op, rewriter)
    source, result_type = op.operands[0], cast(TensorType, op.results[0].type)
    sizes = padded_sizes(op, builder)
    buffer = rewriter.allocate(result_type, dynamic_sizes(sizes))
    element = padding_element(op)
    if element is not None:
        rewriter.insert(linalg.FillOp([element], [buffer], []))
    else:
        rank = result_type.get_num_dims()
        rewriter.insert(
            linalg.GenericOp(
                [],
                [buffer],
                Region(take_element_body(op)),
                [AffineMapAttr(AffineMap.identity(rank))],
                [linalg.IteratorTypeAttr.parallel()] * rank,
                [],
            )
        )
    low = mixed_sizes(op.static_low.get_values(), op.low)
    source_sizes = builder.sizes(source)
    starts, lengths, ones = static_sizes(low), static_sizes(source_sizes), [1] * len(low)
    place = memref.SubviewOp.build(
        operands=[buffer, dynamic_sizes(low), dynamic_sizes(source_sizes), []],
        result_types=[
            subview_type(
                cast(MemRefType, buffer.type), lengths, starts, lengths, ones, op
            )
        ],
        properties={
            "static_offsets": DenseArrayBase.from_list(i64, starts),
            "static_sizes": DenseArrayBase.from_list(i64, lengths),
            "static_strides": DenseArrayBase.from_list(i64, ones),
        },
    )
    rewriter.copy(source, rewriter.insert(place).results[0])
    rewriter.replace(op, [buffer])
    return buffer


class _Builder(TensorBuilder):
    """Build what leads to sizes, and notify the rewriter."""

    def __init__(self, before: Operation, rewriter: _Rewriter):
        super().__init__(before)
        self.rewriter = rewriter

    def insert(self, op: Operation) -> SSAValue:
        self.rewriter.new_ops.append(op)
        return super().insert(op)


def _bufferize_alloc_tensor(
    op: bufferization.AllocTensorOp, rewriter: _Rewriter
) -> SSAValue:
    result = op.results[0]
    source = op.copy
    if source is None:
        sizes: Sequence[SSAValue] = op.dynamic_sizes
    else:
        sizes = rewriter.dynamic_sizes(source)
    buffer = rewriter.allocate(cast(TensorType, result.type), sizes)
    if source is not None:
        rewriter.copy(source, buffer)
    rewriter.replace(op, [buffer])
    return buffer
