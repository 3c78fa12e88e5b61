"""The pass tosa-to-linalg."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.context import Context
from xdsl.dialects import arith, math, tosa
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.conversion.tosa_common import (
    BinaryOp,
    Scalars,
    as_type,
    ignores_nan,
    is_zero,
    largest,
    lowest,
    number,
)
from xdsl_bufferization.conversion.tosa_pooling import average_pool, max_pool
from xdsl_bufferization.conversion.tosa_scaling import rescale
from xdsl_bufferization.dialects import linalg, scf, tensor
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.decompose_tensor_concat import join
from xdsl_bufferization.transforms.tensor_builder import (
    TensorBuilder,
    dynamic_sizes,
    static_sizes,
)


@dataclass(frozen=True)
class TosaToLinalgPass(ModulePass):
    """Replace tosa ops by linalg, tensor and arith ops.

        %0 = tosa.matmul %a, %b, %zp, %zp : (tensor<1x4x8xf32>, tensor<1x8x16xf32>, ...)

    becomes

        %1 = tensor.empty() : tensor<1x4x16xf32>
        %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<1x4x16xf32>)
        %0 = linalg.batch_matmul ins(%a, %b : ...) outs(%2 : tensor<1x4x16xf32>)

    This is what mlir-opt does in tosa-to-linalg-named, tosa-to-linalg, tosa-to-tensor,
    tosa-to-scf and tosa-to-arith together, for all ops of tosa that xDSL has: matmul,
    add, sub, mul, sin, cos, reciprocal, clamp, rescale, reduce_*, max_pool2d, avg_pool2d,
    concat, cond_if and const. Sizes may be dynamic, but not those of add, sub and mul,
    where a size of one is broadcast, nor those of pools and rescale. Zero points of
    matmul and avg_pool2d must be zero, a product is not shifted, and what a rescale
    multiplies with and shifts by is constant.
    """

    name = "tosa-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        tosa_to_linalg(op)


def tosa_to_linalg(root: Operation) -> None:
    """Replace the tosa ops under `root`.

    Raises:
        PassFailedException: when an op asks for what is not supported.
    """
    constants: list[Operation] = []
    for op in list(walk(root)):
        if isinstance(op, tosa.ConstOp):
            constants.append(op)
        elif isinstance(op, tosa.MatMulOp):
            _replace(op, _matmul(op))
        elif isinstance(op, tosa.ConcatOp):
            along = op.axis.value.data
            _replace(op, join(op, along, TensorBuilder(op)))
        elif isinstance(op, tosa.MaxPool2DOp):
            _replace(op, max_pool(op))
        elif isinstance(op, tosa.AvgPool2DOp):
            _replace(op, average_pool(op))
        elif isinstance(op, tosa.RescaleOp):
            _replace(op, rescale(op))
        elif isinstance(op, tosa.IfOp):
            _branch(op)
        elif op.name in _REDUCTIONS:
            _replace(op, _reduce(op))
        elif op.name in _ELEMENTWISE:
            _replace(op, _elementwise(op))
    for op in constants:
        value = cast(DenseIntOrFPElementsAttr, op.properties["values"])
        _replace(op, TensorBuilder(op).insert(arith.ConstantOp(value)))


def _replace(op: Operation, result: SSAValue) -> None:
    Rewriter.replace_op(op, [], [result])


def _matmul(op: tosa.MatMulOp) -> SSAValue:
    for zero_point in (op.a_zp, op.b_zp):
        if not is_zero(zero_point):
            raise PassFailedException(
                f"{op.name}: a zero point that is not a constant zero is not supported. "
                f"Subtract it from the operand before.{describe(op)}"
            )
    builder = TensorBuilder(op)
    result_type = cast(TensorType, op.results[0].type)
    sizes = [
        builder.size(op.operands[0], 0),
        builder.size(op.operands[0], 1),
        builder.size(op.operands[1], 2),
    ]
    zero = builder.insert(number(result_type.element_type, 0))
    dest = builder.fill(zero, builder.empty(sizes, result_type))
    return builder.insert(linalg.BatchMatmulOp([*op.operands[:2]], [dest], [dest.type]))


def _branch(op: tosa.IfOp) -> None:
    builder = TensorBuilder(op)
    condition = builder.insert(tensor.ExtractOp(op.cond, [], i1))
    regions = [op.detach_region(region) for region in tuple(op.regions)]
    for region in regions:
        end = region.block.last_op
        assert end is not None, "verified"
        Rewriter.replace_op(end, scf.YieldOp(*end.operands))
    Rewriter.replace_op(op, scf.IfOp(condition, op.result_types, regions[0], regions[1]))


# ---------------------------------------------------------------------------------------
# Element by element

Body: TypeAlias = Callable[["Scalars", Operation, Sequence[SSAValue]], SSAValue]


def _binary(of_floats: BinaryOp, of_integers: BinaryOp) -> Body:
    def body(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
        return scalars.binary(of_floats, of_integers)(args[0], args[1])

    return body


def _unary(kind: Callable[[SSAValue], Operation]) -> Body:
    def body(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
        return scalars.add(kind(args[0]))

    return body


def _reciprocal(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    one = scalars.add(number(args[0].type, 1))
    return scalars.add(arith.DivfOp(one, args[0]))


def _clamp(scalars: Scalars, op: Operation, args: Sequence[SSAValue]) -> SSAValue:
    assert isinstance(op, tosa.ClampOp)
    low = scalars.add(arith.ConstantOp(op.min_val))
    high = scalars.add(arith.ConstantOp(op.max_val))
    if not isinstance(args[0].type, AnyFloat):
        at_least = scalars.add(arith.MaxSIOp(low, args[0]))
        return scalars.add(arith.MinSIOp(high, at_least))
    at_most = scalars.add(arith.MinimumfOp(args[0], high))
    clamped = scalars.add(arith.MaximumfOp(at_most, low))
    if not ignores_nan(op):
        return clamped
    is_nan = scalars.add(arith.CmpfOp(args[0], args[0], "uno"))
    return scalars.add(arith.SelectOp(is_nan, low, clamped))


_ELEMENTWISE: dict[str, tuple[int, Body]] = {
    # op: number of its tensor operands, body
    "tosa.add": (2, _binary(arith.AddfOp, arith.AddiOp)),
    "tosa.sub": (2, _binary(arith.SubfOp, arith.SubiOp)),
    "tosa.mul": (2, _binary(arith.MulfOp, arith.MuliOp)),
    "tosa.sin": (1, _unary(math.SinOp)),
    "tosa.cos": (1, _unary(math.CosOp)),
    "tosa.reciprocal": (1, _reciprocal),
    "tosa.clamp": (1, _clamp),
}


def _elementwise(op: Operation) -> SSAValue:
    count, body = _ELEMENTWISE[op.name]
    inputs = op.operands[:count]
    if isinstance(op, tosa.MulOp) and not is_zero(op.shift):
        raise PassFailedException(
            f"{op.name}: a shift that is not a constant zero is not supported. Shift "
            f"the product with another op.{describe(op)}"
        )
    result_type = cast(TensorType, op.results[0].type)
    shapes = [cast(TensorType, value.type).get_shape() for value in inputs]
    if count > 1 and any(DYNAMIC_INDEX in shape for shape in shapes):
        raise PassFailedException(
            f"{op.name}: operands of dynamic sizes are not supported, since it is not "
            f"known which of them are broadcast. Give them static sizes.{describe(op)}"
        )
    builder = TensorBuilder(op)
    if count == 1:
        sizes = builder.sizes(inputs[0])
    else:
        sizes = list(result_type.get_shape())
    dest = builder.empty(sizes, result_type)
    rank = len(sizes)
    maps = [
        AffineMapAttr(AffineMap(rank, 0, _broadcast(shape, static_sizes(sizes))))
        for shape in (*shapes, static_sizes(sizes))
    ]
    types = [cast(TensorType, value.type).element_type for value in (*inputs, dest)]
    block = Block(arg_types=types)
    scalars = Scalars(block)
    result = body(scalars, op, block.args)
    block.add_op(linalg.YieldOp(result))
    generic = linalg.GenericOp(
        inputs,
        [dest],
        Region(block),
        maps,
        [linalg.IteratorTypeAttr.parallel()] * rank,
        [dest.type],
    )
    return as_type(builder.insert(generic), result_type, builder)


def _broadcast(shape: Sequence[int], sizes: Sequence[int]) -> tuple[AffineExpr, ...]:
    """The element of an operand that belongs to an element of the result."""
    return tuple(
        AffineConstantExpr(0) if size == 1 and whole != 1 else AffineDimExpr(number)
        for number, (size, whole) in enumerate(zip(shape, sizes, strict=True))
    )


# ---------------------------------------------------------------------------------------
# Reductions


_REDUCTIONS: dict[str, tuple[Callable[[Attribute], float], BinaryOp, BinaryOp]] = {
    # op: the number that a reduction of nothing gives, op on floats, op on integers
    "tosa.reduce_sum": (lambda _: 0, arith.AddfOp, arith.AddiOp),
    "tosa.reduce_product": (lambda _: 1, arith.MulfOp, arith.MuliOp),
    "tosa.reduce_max": (lowest, arith.MaximumfOp, arith.MaxSIOp),
    "tosa.reduce_min": (largest, arith.MinimumfOp, arith.MinSIOp),
    "tosa.reduce_all": (lambda _: -1, arith.AndIOp, arith.AndIOp),
    "tosa.reduce_any": (lambda _: 0, arith.OrIOp, arith.OrIOp),
}


def _reduce(op: Operation) -> SSAValue:
    if ignores_nan(op):
        raise PassFailedException(
            f"{op.name}: nan_mode IGNORE is not supported. Replace the NaNs before."
            f"{describe(op)}"
        )
    start, of_floats, of_integers = _REDUCTIONS[op.name]
    source = op.operands[0]
    source_type = cast(TensorType, source.type)
    element_type = source_type.element_type
    axis = cast(IntegerAttr, op.properties["axis"]).value.data
    builder = TensorBuilder(op)
    rank = source_type.get_num_dims()
    kept = [number for number in range(rank) if number != axis]
    sizes = [builder.size(source, number) for number in kept]
    empty = builder.empty(sizes, source_type)
    initial = number(element_type, start(element_type))
    dest = builder.fill(builder.insert(initial), empty)
    block = Block(arg_types=[element_type, element_type])
    scalars = Scalars(block)
    combine = scalars.binary(of_floats, of_integers)
    block.add_op(linalg.YieldOp(combine(*block.args)))
    reduced = builder.insert(
        linalg.ReduceOp.build(
            operands=[[source], [dest]],
            result_types=[[dest.type]],
            properties={"dimensions": DenseArrayBase.from_list(i64, [axis])},
            regions=[Region(block)],
        )
    )
    result_type = cast(TensorType, op.results[0].type)
    expanded_sizes = builder.sizes(reduced)
    expanded_sizes.insert(axis, 1)
    expanded_type = TensorType(element_type, static_sizes(expanded_sizes))
    expanded = builder.insert(
        tensor.ExpandShapeOp.build(
            operands=[reduced, dynamic_sizes(expanded_sizes)],
            result_types=[expanded_type],
            properties={
                "reassociation": _with_unit_dimension(rank, axis),
                "static_output_shape": DenseArrayBase.from_list(
                    i64, static_sizes(expanded_sizes)
                ),
            },
        )
    )
    return as_type(expanded, result_type, builder)


def _with_unit_dimension(rank: int, axis: int) -> ArrayAttr[Attribute]:
    """Groups of dimensions, one a group but for the given one, which has a neighbour."""
    if rank == 1:
        return ArrayAttr([])
    first = axis if axis < rank - 1 else axis - 1
    groups = [[n] for n in range(first)]
    groups.append([first, first + 1])
    groups.extend([n] for n in range(first + 2, rank))
    return ArrayAttr(
        ArrayAttr(IntegerAttr(number, i64) for number in group) for group in groups
    )
