"""The pass convert-elementwise-to-linalg."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp, TensorType
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region,
    SSAValue,
)
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.analysis.deallocation.buffer_origin import is_function_argument
from xdsl_bufferization.analysis.one_shot.model_mistakes import naming_model_mistakes
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects import linalg
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import element_type_of, shape_of
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.interfaces.types import is_tensor
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.tensor_builder import TensorBuilder

_DIALECTS = ("arith", "math")
"""Dialects whose ops on tensors are the ops on scalars, element by element."""


@dataclass(frozen=True)
class ConvertElementwiseToLinalgPass(ModulePass):
    """Replace arith and math ops on tensors by linalg.generic with the op on scalars.

        %0 = arith.addf %a, %b : tensor<4xf32>

    becomes

        %0 = linalg.generic {
            indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                             affine_map<(i) -> (i)>],
            iterator_types = ["parallel"]}
            ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) {
        ^bb0(%x: f32, %y: f32, %out: f32):
          %1 = arith.addf %x, %y : f32
          linalg.yield %1 : f32
        } -> tensor<4xf32>

    The destination is the first operand of the result's type, so that its buffer may be
    reused, or an empty tensor if there is none. A constant, or another tensor that is
    never written, is a destination only if all operands of that type are.
    """

    name = "convert-elementwise-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_elementwise_to_linalg(op)


@on_program
def convert_elementwise_to_linalg(root: Operation) -> None:
    """Replace every elementwise op on ranked tensors under `root`."""
    options = BufferizationOptions(bufferize_function_boundaries=True)
    read_only = _ReadOnlyTensors(DefaultAnalysisState(options))
    with naming_model_mistakes(root):
        for op in visiting(list(walk(root))):
            if is_elementwise(op):
                _convert(op, read_only)
            else:
                read_only.add_results(op)


def is_elementwise(op: Operation) -> bool:
    """Whether the pass replaces an op."""
    if op.dialect_name() not in _DIALECTS or isinstance(op, ConstantOp):
        return False
    return any(isinstance(operand.type, TensorType) for operand in op.operands) and all(
        isinstance(result.type, TensorType) for result in op.results
    )


class _ReadOnlyTensors:
    """Tensors whose buffer is never written: those of constants, of a
    bufferization.to_tensor that is not writable, of arguments that a function must not
    write; and views of these. Another value, such as a result of an unknown op or of
    control flow, is not known to be one.
    """

    def __init__(self, state: DefaultAnalysisState) -> None:
        self._state = state
        self._views: set[SSAValue] = set()

    def add_results(self, op: Operation) -> None:
        """Find out about the results of an op. Those that define its operands must have
        been added before."""
        if op.regions or not any(operand in self for operand in op.operands):
            return
        self._views.update(
            result
            for result in op.results
            if is_tensor(result.type) and self._is_view(result)
        )

    def __contains__(self, value: SSAValue) -> bool:
        if not is_tensor(value.type):
            return False
        if isinstance(value, BlockArgument):
            return is_function_argument(value) and not self._state.is_writable(value)
        assert isinstance(value, OpResult)
        return value in self._views or (
            not value.op.regions
            and self._state.model(value.op) is not None
            and not self._state.is_writable(value)
        )

    def _is_view(self, result: SSAValue) -> bool:
        sources = self._state.aliasing_operands(result)
        return bool(sources) and all(
            get(source.operand) in self
            and not self._state.bufferizes_to_memory_write(source.operand)
            for source in sources
        )


def _convert(op: Operation, read_only: Container[SSAValue]) -> None:
    builder = TensorBuilder(op)
    dests = _destinations(op, builder, read_only)
    rank = cast(TensorType, _first_tensor(op).type).get_num_dims()
    element = AffineMapAttr(AffineMap.identity(rank))
    scalar = AffineMapAttr(AffineMap(rank, 0, ()))
    generic = linalg.GenericOp(
        op.operands,
        dests,
        _body(op, dests),
        [
            element if isinstance(value.type, TensorType) else scalar
            for value in (*op.operands, *dests)
        ],
        [linalg.IteratorTypeAttr.parallel()] * rank,
        op.result_types,
    )
    builder.insert(generic)
    Rewriter.replace_op(op, [], generic.results)


def _destinations(
    op: Operation, builder: TensorBuilder, read_only: Container[SSAValue]
) -> list[SSAValue]:
    """For each result the first operand of its type that may be written, or else the
    first one of its type, or an empty tensor."""
    dests: list[SSAValue] = []
    for result in op.results:
        same_type = [value for value in op.operands if value.type == result.type]
        writable = (value for value in same_type if value not in read_only)
        if same_type:
            dests.append(next(writable, same_type[0]))
        else:
            dests.append(_empty(op, result, builder))
    return dests


def _empty(op: Operation, result: SSAValue, builder: TensorBuilder) -> SSAValue:
    """An empty tensor of the type of the result and the sizes of the operands."""
    type_ = cast(TensorType, result.type)
    shaped = _first_tensor(op)
    sizes = [
        (builder.size(shaped, number) if size < 0 else size)
        for number, size in enumerate(type_.get_shape())
    ]
    return builder.empty(sizes, type_)


def _first_tensor(op: Operation) -> SSAValue:
    return next(value for value in op.operands if isinstance(value.type, TensorType))


def _body(op: Operation, dests: Sequence[SSAValue]) -> Region:
    block = Block(arg_types=[_element(value.type) for value in (*op.operands, *dests)])
    computed = type(op).create(
        operands=block.args[: len(op.operands)],
        result_types=[_element(result.type) for result in op.results],
        properties=op.properties.copy(),
        attributes=op.attributes.copy(),
    )
    block.add_ops((computed, linalg.YieldOp(*computed.results)))
    return Region(block)


def _element(type_: Attribute) -> Attribute:
    return type_ if shape_of(type_) is None else element_type_of(type_)
