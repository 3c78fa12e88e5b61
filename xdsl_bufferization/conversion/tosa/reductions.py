"""tosa ops that reduce a tensor along an axis: reduce_* and argmax."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    BFloat16Type,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    TensorType,
    f32,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.conversion.tosa.common import (
    BinaryOp,
    Scalars,
    as_type,
    converted,
    generic,
    largest,
    lowest,
    number,
    scalar_type,
    shape,
)
from xdsl_bufferization.conversion.tosa.properties import axis_of, ignores_nan
from xdsl_bufferization.dialects import linalg
from xdsl_bufferization.dialects.shapes import is_integer
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.transforms.utils.tensor_builder import (
    Size,
    TensorBuilder,
    static_sizes,
)

REDUCTIONS: dict[str, tuple[Callable[[Attribute], float], BinaryOp, BinaryOp]] = {
    # op: the result of a reduction of no elements, op on floats, op on integers
    "tosa.reduce_sum": (lambda _: 0, arith.AddfOp, arith.AddiOp),
    "tosa.reduce_product": (lambda _: 1, arith.MulfOp, arith.MuliOp),
    "tosa.reduce_max": (lowest, arith.MaximumfOp, arith.MaxSIOp),
    "tosa.reduce_min": (largest, arith.MinimumfOp, arith.MinSIOp),
    "tosa.reduce_all": (lambda _: -1, arith.AndIOp, arith.AndIOp),
    "tosa.reduce_any": (lambda _: 0, arith.OrIOp, arith.OrIOp),
}


def reduce(op: Operation) -> SSAValue:
    """Replace a tosa.reduce_*.

    Sums of bf16 are computed in f32. A reduction that ignores NaNs has NaN as its result
    where all elements are.

    Raises:
        PassFailedException: for a logical reduction of floats.
    """
    source = op.operands[0]
    source_type = cast(TensorType, source.type)
    element_type = source_type.element_type
    logical = op.name in ("tosa.reduce_all", "tosa.reduce_any")
    if logical and not is_integer(element_type):
        raise PassFailedException(
            f"{op.name}: is for booleans, got elements of {element_type}. Compare them "
            f"with zero before.{describe(op)}"
        )
    axis = axis_of(op)
    builder = TensorBuilder(op)
    sizes = _sizes_without(source, axis, builder)
    if ignores_nan(op) and isinstance(element_type, AnyFloat):
        reduced = _ignoring_nan(op, source, sizes, builder)
    else:
        sums = op.name == "tosa.reduce_sum" and isinstance(element_type, BFloat16Type)
        acc_type = f32 if sums else element_type
        reduced = _reduced(op, source, sizes, acc_type, builder)
    if scalar_type(reduced) != element_type:
        reduced = generic(
            builder,
            [reduced],
            builder.empty(sizes, source_type),
            lambda scalars, args: converted(args[0], element_type, scalars),
        )
    result_type = cast(TensorType, op.results[0].type)
    return as_type(_expanded(reduced, axis, builder), result_type, builder)


def _sizes_without(source: SSAValue, axis: int, builder: TensorBuilder) -> list[Size]:
    rank = len(shape(source))
    return [builder.size(source, number) for number in range(rank) if number != axis]


def _start(
    op: Operation, acc_type: Attribute, sizes: list[Size], builder: TensorBuilder
) -> SSAValue:
    """The tensor that the reduction begins with."""
    start, _, _ = REDUCTIONS[op.name]
    like = TensorType(acc_type, static_sizes(sizes))
    empty = builder.empty(sizes, like)
    return builder.fill(builder.insert(number(acc_type, start(acc_type))), empty)


def _reduced(
    op: Operation,
    source: SSAValue,
    sizes: list[Size],
    acc_type: Attribute,
    builder: TensorBuilder,
) -> SSAValue:
    _, of_floats, of_integers = REDUCTIONS[op.name]
    dest = _start(op, acc_type, sizes, builder)
    block = Block(arg_types=[scalar_type(source), acc_type])
    scalars = Scalars(block)
    combine = scalars.binary(of_floats, of_integers)
    wide = converted(block.args[0], acc_type, scalars)
    block.add_op(linalg.YieldOp(combine(wide, block.args[1])))
    return builder.insert(_reduce_op([source], [dest], block, axis_of(op)))


def _reduce_op(
    sources: list[SSAValue], dests: list[SSAValue], block: Block, axis: int
) -> Operation:
    return linalg.ReduceOp.build(
        operands=[sources, dests],
        result_types=[[dest.type for dest in dests]],
        properties={"dimensions": DenseArrayBase.from_list(i64, [axis])},
        regions=[Region(block)],
    )


def _ignoring_nan(
    op: Operation, source: SSAValue, sizes: list[Size], builder: TensorBuilder
) -> SSAValue:
    """Reduce the elements that are no NaN, and note where there is none."""
    element_type = scalar_type(source)
    _, of_floats, _ = REDUCTIONS[op.name]
    dest = _start(op, element_type, sizes, builder)
    flags = builder.empty(sizes, TensorType(i1, static_sizes(sizes)))
    flags = builder.fill(builder.insert(number(i1, -1)), flags)
    block = Block(arg_types=[element_type, element_type, element_type, i1])
    scalars = Scalars(block)
    value, _, result, all_nan = block.args
    combined = scalars.add(of_floats(value, result))
    is_nan = scalars.add(arith.CmpfOp(value, value, "uno"))
    combined = scalars.add(arith.SelectOp(is_nan, result, combined))
    block.add_op(linalg.YieldOp(combined, scalars.add(arith.AndIOp(all_nan, is_nan))))
    reduced = _reduce_op([source, source], [dest, flags], block, axis_of(op))
    builder.insert(reduced)
    return generic(
        builder,
        [reduced.results[1], reduced.results[0]],
        builder.empty(sizes, cast(TensorType, dest.type)),
        lambda scalars, args: scalars.add(
            arith.SelectOp(args[0], scalars.number(float("nan"), element_type), args[1])
        ),
    )


def _expanded(reduced: SSAValue, axis: int, builder: TensorBuilder) -> SSAValue:
    """The reduced tensor with a dimension of size one for the axis."""
    sizes = builder.sizes(reduced)
    sizes.insert(axis, 1)
    return builder.expand_shape(reduced, _with_unit_dimension(len(sizes), axis), sizes)


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


def argmax(op: Operation) -> SSAValue:
    """Replace a tosa.argmax: the index of the first of the greatest elements.

    A NaN is greater than any number, unless NaNs are to be ignored.
    """
    source = op.operands[0]
    axis = axis_of(op)
    builder = TensorBuilder(op)
    sizes = _sizes_without(source, axis, builder)
    element_type = scalar_type(source)
    index_type = cast(IntegerType, scalar_type(op.results[0]))
    dests: list[SSAValue] = []
    for type_, start in ((index_type, 0.0), (element_type, lowest(element_type))):
        empty = builder.empty(sizes, TensorType(type_, static_sizes(sizes)))
        dests.append(builder.fill(builder.insert(number(type_, start)), empty))
    block = Block(arg_types=[element_type, index_type, element_type])
    scalars = Scalars(block)
    value, best_index, best = block.args
    index = scalars.add(linalg.IndexOp(axis))
    index = scalars.add(arith.IndexCastOp(index, index_type))
    greater = _is_greater(op, value, best, scalars)
    best = scalars.add(arith.SelectOp(greater, value, best))
    best_index = scalars.add(arith.SelectOp(greater, index, best_index))
    block.add_op(linalg.YieldOp(best_index, best))
    rank = len(sizes) + 1
    kept = tuple(AffineDimExpr(number) for number in range(rank) if number != axis)
    reduced = AffineMapAttr(AffineMap(rank, 0, kept))
    iterators = [linalg.IteratorTypeAttr.parallel()] * rank
    iterators[axis] = linalg.IteratorTypeAttr.reduction()
    result = builder.insert(
        linalg.GenericOp(
            [source],
            dests,
            Region(block),
            [AffineMapAttr(AffineMap.identity(rank)), reduced, reduced],
            iterators,
            [dest.type for dest in dests],
        )
    )
    return as_type(result, cast(TensorType, op.results[0].type), builder)


def _is_greater(
    op: Operation, value: SSAValue, best: SSAValue, scalars: Scalars
) -> SSAValue:
    if not isinstance(value.type, AnyFloat):
        return scalars.add(arith.CmpiOp(value, best, "sgt"))
    if ignores_nan(op):
        return scalars.add(arith.CmpfOp(value, best, "ogt"))
    greater = scalars.add(arith.CmpfOp(value, best, "ugt"))
    no_nan_yet = scalars.add(arith.CmpfOp(best, best, "ord"))
    return scalars.add(arith.AndIOp(greater, no_nan_yet))
