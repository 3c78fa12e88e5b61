"""arith.constant, arith.index_cast and arith.select on tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast
from weakref import WeakKeyDictionary

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue, Use
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.aliasing import (
    AliasingOperand,
    AliasingValue,
    BufferRelation,
)
from xdsl_bufferization.interfaces.base_models import AliasingModel, BufferizableModel
from xdsl_bufferization.interfaces.buffer_type_inference import BufferTypes
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.interfaces.types import MEMREF_TYPES, TENSOR_TYPES, BufferType

if TYPE_CHECKING:
    from xdsl_bufferization.interfaces.analysis_state import AnalysisState


class Constant(BufferizableModel):
    """memref.get_global of a constant global of the module, which must not be written."""

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        return ()

    def is_writable(self, op: Operation, value: SSAValue, state: AnalysisState) -> bool:
        return False

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        result_type = op.results[0].type
        if isinstance(result_type, UnrankedTensorType):
            raise PassFailedException(
                f"{op.name}: a constant needs a ranked tensor type.{describe(op)}"
            )
        type_ = cast(MemRefType, rewriter.types.identity_buffer_type(result_type))
        value = _contents(op)
        name = _globals(op, rewriter).name_of(value, type_)
        rewriter.replace(op, rewriter.insert(memref.GetGlobalOp(name, type_)).results)


def _contents(op: Operation) -> Attribute:
    """The value of a constant; its type without encoding, which buffers do not have."""
    value = op.properties["value"]
    type_ = cast(TensorType, op.results[0].type)
    if isinstance(type_.encoding, NoneAttr) or not isinstance(
        value, DenseIntOrFPElementsAttr
    ):
        return value
    plain = TensorType(type_.element_type, type_.shape)
    return DenseIntOrFPElementsAttr.new([plain, value.data])


@dataclass
class ConstantGlobals:
    """The constant globals of a module, by contents. Built once a run, so that a constant
    costs the same in a small module and in a large one."""

    module: ModuleOp
    alignment: int
    names: dict[tuple[Attribute, Attribute], str] = field(default_factory=dict)
    symbols: set[str] = field(default_factory=set)
    counters: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for op in self.module.body.block.ops:
            if isinstance(name := op.properties.get("sym_name"), StringAttr):
                self.symbols.add(name.data)
                if isinstance(op, memref.GlobalOp):
                    self._remember(op, name.data)

    def _remember(self, op: memref.GlobalOp, name: str) -> None:
        value, alignment = op.initial_value, op.alignment
        given = alignment.value.data if isinstance(alignment, IntegerAttr) else 0
        # One that is not constant may hold something else by the time it is read.
        if op.constant is not None and value is not None and given == self.alignment:
            self.names.setdefault((value, op.properties["type"]), name)

    def name_of(self, value: Attribute, type_: MemRefType) -> str:
        """The name of the global with this value, a new one at need."""
        name = self.names.get((value, type_))
        if name is None:
            name = self.names[value, type_] = self._unused_name(type_)
            self.symbols.add(name)
            global_op = memref.GlobalOp(
                name,
                type_,
                value,
                sym_visibility="private",
                constant=True,
                alignment=self.alignment or None,
            )
            block = self.module.body.block
            first = block.first_op
            assert first is not None, "the constant is in it"
            block.insert_op_before(global_op, first)
        return name

    def _unused_name(self, type_: MemRefType) -> str:
        sizes = "x".join(map(str, type_.get_shape()))
        base = name = f"__constant_{sizes}x{type_.element_type}"
        while name in self.symbols:
            count = self.counters.get(base, 0)
            self.counters[base] = count + 1
            name = f"{base}_{count}"
        return name


_GLOBALS: WeakKeyDictionary[BufferizationRewriter, dict[ModuleOp, ConstantGlobals]] = (
    WeakKeyDictionary()
)


def _globals(op: Operation, rewriter: BufferizationRewriter) -> ConstantGlobals:
    module = op.parent_op()
    while module is not None and not isinstance(module, ModuleOp):
        module = module.parent_op()
    if module is None:
        raise PassFailedException(
            f"{op.name}: a tensor constant becomes a global, and needs a module around "
            f"it to hold it.{describe(op)}"
        )
    modules = _GLOBALS.setdefault(rewriter, {})
    if (known := modules.get(module)) is None:
        alignment = rewriter.options.buffer_alignment
        known = modules[module] = ConstantGlobals(module, alignment)
    return known


class IndexCast(AliasingModel):
    """The same op on memrefs of the same layout."""

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        source = types.get_buffer_type(op.operands[0])
        element = cast("TensorType | UnrankedTensorType", value.type).element_type
        if isinstance(source, UnrankedMemRefType):
            return UnrankedMemRefType.from_type(element, source.memory_space)
        return MemRefType(element, source.shape, source.layout, source.memory_space)

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        source = rewriter.get_buffer(op.operands[0])
        type_ = rewriter.get_buffer_type(op.results[0])
        index_cast = type(op).create(operands=[source], result_types=[type_])
        rewriter.replace(op, rewriter.insert(index_cast).results)


class Select(BufferizableModel):
    """The same op on memrefs. Which of both buffers the result is only shows at run time;
    when their layouts differ, both are cast to the fully dynamic layout first."""

    reads = False

    def aliasing_values(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> Sequence[AliasingValue]:
        return (
            AliasingValue(op.results[0], BufferRelation.EQUIVALENT, is_definite=False),
        )

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> Sequence[AliasingOperand]:
        return [
            AliasingOperand(operand, BufferRelation.EQUIVALENT, is_definite=False)
            for operand in operands_of(op)
            if isinstance(get(operand).type, TENSOR_TYPES)
        ]

    def buffer_type(
        self, op: Operation, value: SSAValue, types: BufferTypes
    ) -> BufferType:
        _, if_true, if_false = op.operands
        return types.common_buffer_type(
            value,
            types.get_buffer_type(if_true),
            types.get_buffer_type(if_false),
            "the buffers to select from",
        )

    def bufferize(self, op: Operation, rewriter: BufferizationRewriter) -> None:
        condition, if_true, if_false = op.operands
        if isinstance(condition.type, (*TENSOR_TYPES, *MEMREF_TYPES)):
            raise PassFailedException(
                f"{op.name}: only i1 condition values are supported. Turn an elementwise "
                "selection into a linalg.generic (convert-elementwise-to-linalg in "
                f"mlir-opt) before bufferization.{describe(op)}"
            )
        buffers = [rewriter.get_buffer(if_true), rewriter.get_buffer(if_false)]
        if buffers[0].type != buffers[1].type:
            type_ = rewriter.get_buffer_type(op.results[0])
            buffers = [rewriter.create_cast(buffer, type_) for buffer in buffers]
        select = arith.SelectOp(condition, *buffers)
        rewriter.replace(op, rewriter.insert(select).results)


def register() -> None:
    attach(arith.ConstantOp, Constant())
    attach(arith.IndexCastOp, IndexCast())
    attach(arith.SelectOp, Select())
