"""The pass decompose-tensor-concat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects.affine import ApplyOp
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IntegerAttr,
    ModuleOp,
    TensorType,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.module_pass import ModulePass


@dataclass(frozen=True)
class DecomposeTensorConcatPass(ModulePass):
    """Replace tensor.concat by insertions into a new tensor.

    tensor.concat has no bufferization of its own. Run this pass before
    `one-shot-bufferize`, or earlier: `eliminate-empty-tensors` can then compute the parts
    in their place in the result.

        %0 = tensor.concat dim(0) %a, %b
            : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>

    becomes

        %1 = tensor.empty() : tensor<6x3xf32>
        %2 = tensor.insert_slice %a into %1[0, 0] [2, 3] [1, 1]
        %0 = tensor.insert_slice %b into %2[2, 0] [4, 3] [1, 1]
    """

    name = "decompose-tensor-concat"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        decompose_tensor_concat(op)


def decompose_tensor_concat(root: Operation) -> None:
    """Replace every tensor.concat under `root`."""
    for op in list(root.walk()):
        if isinstance(op, tensor.ConcatOp):
            _decompose(op)


Size: TypeAlias = int | SSAValue


def _decompose(op: tensor.ConcatOp) -> None:
    builder = _Builder(InsertPoint.before(op))
    result_type = cast(TensorType, op.results[0].type)
    rank = result_type.get_num_dims()
    along = op.dim.value.data
    # Where each part begins, along the dimension, and the sizes of each part.
    parts: list[tuple[SSAValue, Size, list[Size]]] = []
    end: Size = 0
    for value in op.operands:
        sizes = [builder.size(value, number) for number in range(rank)]
        parts.append((value, end, sizes))
        end = builder.sum(end, sizes[along])
    shape = [
        end if number == along else _common_size([sizes[number] for _, _, sizes in parts])
        for number in range(rank)
    ]
    joined_type = TensorType(
        result_type.element_type, map(_static, shape), result_type.encoding
    )
    joined = builder.insert(tensor.EmptyOp(_dynamic(shape), joined_type))
    for value, begin, sizes in parts:
        offsets = [begin if number == along else 0 for number in range(rank)]
        joined = builder.insert_part(value, joined, offsets, sizes)
    if joined_type != result_type:
        joined = builder.insert(tensor.CastOp(joined, result_type))
    Rewriter.replace_op(op, [], [joined])


def _common_size(sizes: Sequence[Size]) -> Size:
    """The size that all parts have, static if it is known of any."""
    return next((size for size in sizes if isinstance(size, int)), sizes[0])


def _static(size: Size) -> int:
    return size if isinstance(size, int) else DYNAMIC_INDEX


def _dynamic(sizes: Sequence[Size]) -> list[SSAValue]:
    return [size for size in sizes if not isinstance(size, int)]


@dataclass
class _Builder:
    point: InsertPoint

    def insert(self, op: Operation) -> SSAValue:
        Rewriter.insert_op(op, self.point)
        return op.results[0]

    def size(self, value: SSAValue, number: int) -> Size:
        """The size of a dimension."""
        size = cast(TensorType, value.type).get_shape()[number]
        if size != DYNAMIC_INDEX:
            return size
        index = self.insert(ConstantOp(IntegerAttr.from_index_int_value(number)))
        return self.insert(tensor.DimOp(value, index))

    def sum(self, left: Size, right: Size) -> Size:
        if isinstance(left, int) and isinstance(right, int):
            return left + right
        dynamic = _dynamic([left, right])
        constant = sum(size for size in (left, right) if isinstance(size, int))
        if len(dynamic) == 1 and not constant:
            return dynamic[0]
        total = AffineExpr.symbol(0)
        total += AffineExpr.symbol(1) if len(dynamic) == 2 else constant
        map_ = AffineMapAttr(AffineMap(0, len(dynamic), (total,)))
        return self.insert(ApplyOp(dynamic, map_))

    def insert_part(
        self,
        part: SSAValue,
        dest: SSAValue,
        offsets: Sequence[Size],
        sizes: Sequence[Size],
    ) -> SSAValue:
        strides = DenseArrayBase.from_list(i64, [1] * len(offsets))
        insertion = tensor.InsertSliceOp.build(
            operands=[part, dest, _dynamic(offsets), _dynamic(sizes), []],
            result_types=[dest.type],
            properties={
                "static_offsets": DenseArrayBase.from_list(i64, [*map(_static, offsets)]),
                "static_sizes": DenseArrayBase.from_list(i64, [*map(_static, sizes)]),
                "static_strides": strides,
            },
        )
        return self.insert(insertion)
