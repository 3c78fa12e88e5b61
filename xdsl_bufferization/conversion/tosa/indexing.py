"""tosa ops that compute which elements to read: gather, table, resize; and scatter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerType,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.conversion.tosa.common import (
    Scalars,
    as_type,
    converted,
    generic,
    scalar_type,
    shape,
)
from xdsl_bufferization.conversion.tosa.properties import require_static
from xdsl_bufferization.conversion.tosa.shapes import constant_shape
from xdsl_bufferization.dialects import linalg, scf, tensor, tosa
from xdsl_bufferization.transforms.utils.tensor_builder import TensorBuilder

_INDEX = IndexType()


def gather(op: Operation) -> SSAValue:
    """Replace a tosa.gather: in each batch, the rows of the given numbers."""
    builder = TensorBuilder(op)
    values, indices = op.operands
    sizes = [
        builder.size(values, 0),
        builder.size(indices, 1),
        builder.size(values, 2),
    ]

    def row_element(scalars: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        batch = scalars.add(linalg.IndexOp(0))
        row = scalars.add(arith.IndexCastOp(args[0], _INDEX))
        column = scalars.add(linalg.IndexOp(2))
        return scalars.add(
            tensor.ExtractOp(values, [batch, row, column], scalar_type(values))
        )

    dest = builder.empty(sizes, cast(TensorType, op.results[0].type))
    rows = AffineMap(3, 0, (AffineDimExpr(0), AffineDimExpr(1)))
    result = generic(builder, [indices], dest, row_element, [rows])
    return as_type(result, cast(TensorType, op.results[0].type), builder)


def table(op: Operation) -> SSAValue:
    """Replace a tosa.table: of i8, its element; of i16, between two of its elements."""
    builder = TensorBuilder(op)
    source, entries = op.operands

    def entry(index: SSAValue, scalars: Scalars) -> SSAValue:
        return scalars.add(tensor.ExtractOp(entries, [index], scalar_type(entries)))

    def element_of_i8(scalars: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        index = scalars.add(arith.IndexCastOp(args[0], _INDEX))
        return entry(scalars.add(arith.AddiOp(index, scalars.index(128))), scalars)

    def element_of_i16(scalars: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        """The upper nine bits choose two entries, the lower seven a place in between."""
        seven = scalars.number(7, i32)
        extended = scalars.add(arith.ExtSIOp(args[0], i32))
        position = scalars.add(arith.AddiOp(extended, scalars.number(32768, i32)))
        index = scalars.add(arith.ShRUIOp(position, seven))
        fraction = scalars.add(arith.AndIOp(position, scalars.number(127, i32)))
        index = scalars.add(arith.IndexCastOp(index, _INDEX))
        next_index = scalars.add(arith.AddiOp(index, scalars.index(1)))
        base = scalars.add(arith.ExtSIOp(entry(index, scalars), i32))
        following = scalars.add(arith.ExtSIOp(entry(next_index, scalars), i32))
        scaled = scalars.add(arith.ShLIOp(base, seven))
        slope = scalars.add(arith.SubiOp(following, base))
        return scalars.add(
            arith.AddiOp(scaled, scalars.add(arith.MuliOp(slope, fraction)))
        )

    narrow = cast(IntegerType, scalar_type(source)).bitwidth == 8
    result_type = cast(TensorType, op.results[0].type)
    dest = builder.empty(builder.sizes(source), result_type)
    body = element_of_i8 if narrow else element_of_i16
    return as_type(generic(builder, [source], dest, body), result_type, builder)


def scatter(op: Operation) -> SSAValue:
    """Replace a tosa.scatter: loops that insert a row after the other.

    Raises:
        PassFailedException: for dynamic sizes.
    """
    require_static(op)
    builder = TensorBuilder(op)
    values, indices, rows = op.operands
    batches, count = shape(indices)
    columns = shape(rows)[2]
    zero, one = builder.index(0), builder.index(1)
    type_ = cast(TensorType, values.type)
    inner = Block(arg_types=[_INDEX, type_])
    outer = Block(arg_types=[_INDEX, type_])
    batch, row = outer.args[0], inner.args[0]
    scalars = Scalars(inner)
    index = scalars.add(tensor.ExtractOp(indices, [batch, row], scalar_type(indices)))
    index = scalars.add(arith.IndexCastOp(index, _INDEX))
    # The builder inserts before the end of the body, which must exist for that.
    end = scf.YieldOp(inner.args[1])
    inner.add_op(end)
    in_body = TensorBuilder(end)
    piece = in_body.extract_slice(rows, [batch, row, 0], [1, 1, columns])
    updated = in_body.insert_slice(
        piece, inner.args[1], [batch, index, 0], [1, 1, columns]
    )
    end.operands[0] = updated
    last_row, last_batch = builder.index(count), builder.index(batches)
    loop = scf.ForOp(zero, last_row, one, [outer.args[1]], Region(inner))
    outer.add_ops([loop, scf.YieldOp(*loop.results)])
    return builder.insert(scf.ForOp(zero, last_batch, one, [values], Region(outer)))


# ---------------------------------------------------------------------------------------
# Resizing images


@dataclass(frozen=True)
class _Axis:
    """How a tosa.resize scales one dimension of the image."""

    number: int
    size: int
    """The size of the input."""
    upscale: int
    downscale: int
    offset: int

    def position(self, kind: Attribute, scalars: Scalars) -> tuple[SSAValue, SSAValue]:
        """Where in the input an element of the result lies: the index of the element
        before, and the distance to it, for integers times `upscale`."""
        if self.size == 1:
            return scalars.number(0, i32), scalars.number(0, kind)
        index = scalars.add(linalg.IndexOp(self.number))
        value = scalars.add(arith.IndexCastOp(index, i32))
        scale = scalars.number(self.upscale, i32)
        factor = scalars.number(self.downscale, i32)
        value = scalars.add(arith.MuliOp(value, factor))
        value = scalars.add(arith.AddiOp(value, scalars.number(self.offset, i32)))
        if not isinstance(kind, AnyFloat):
            before = scalars.add(arith.DivSIOp(value, scale))
            covered = scalars.add(arith.MuliOp(before, scale))
            return before, scalars.add(arith.SubiOp(value, covered))
        before = scalars.add(arith.FloorDivSIOp(value, scale))
        rest = scalars.add(arith.RemSIOp(value, scale))
        rest = scalars.add(arith.SIToFPOp(rest, kind))
        upscale = scalars.number(self.upscale, kind)
        return before, scalars.add(arith.DivfOp(rest, upscale))

    def clamped(self, index: SSAValue, scalars: Scalars) -> SSAValue:
        at_least = scalars.add(arith.MaxSIOp(index, scalars.number(0, i32)))
        last = scalars.number(self.size - 1, i32)
        at_most = scalars.add(arith.MinSIOp(at_least, last))
        return scalars.add(arith.IndexCastOp(at_most, _INDEX))

    def nearest(self, before: SSAValue, distance: SSAValue, scalars: Scalars) -> SSAValue:
        if isinstance(distance.type, AnyFloat):
            half = scalars.number(0.5, distance.type)
            after = scalars.add(arith.CmpfOp(distance, half, "oge"))
        else:
            twice = scalars.add(arith.ShLIOp(distance, scalars.number(1, i32)))
            scale = scalars.number(self.upscale, i32)
            after = scalars.add(arith.CmpiOp(twice, scale, "sge"))
        step = scalars.add(arith.ExtUIOp(after, i32))
        return self.clamped(scalars.add(arith.AddiOp(before, step)), scalars)


def resize(op: Operation) -> SSAValue:
    """Replace a tosa.resize.

    Raises:
        PassFailedException: for dynamic sizes, or scales that are not constant.
    """
    require_static(op)
    source = op.operands[0]
    scale, offset, _ = (constant_shape(op, value) for value in op.operands[1:])
    axes = [
        _Axis(1 + n, shape(source)[1 + n], scale[2 * n], scale[2 * n + 1], offset[n])
        for n in range(2)
    ]
    mode = op.properties["mode"]
    bilinear = isinstance(mode, tosa.ResizeModeAttr) and (
        mode.data == tosa.ResizeMode.BILINEAR
    )
    result_type = cast(TensorType, op.results[0].type)
    kind = result_type.element_type
    distance_type = kind if isinstance(kind, AnyFloat) else i32

    def body(scalars: Scalars, args: Sequence[SSAValue]) -> SSAValue:
        batch, channel = (scalars.add(linalg.IndexOp(n)) for n in (0, 3))
        positions = [axis.position(distance_type, scalars) for axis in axes]

        def at(y: SSAValue, x: SSAValue) -> SSAValue:
            indices = [batch, y, x, channel]
            value = scalars.add(tensor.ExtractOp(source, indices, scalar_type(source)))
            return converted(value, kind, scalars) if bilinear else value

        if not bilinear:
            y, x = (
                axis.nearest(*position, scalars)
                for axis, position in zip(axes, positions, strict=True)
            )
            return at(y, x)
        (y0, y1), (x0, x1) = (
            (
                axis.clamped(before, scalars),
                axis.clamped(
                    scalars.add(arith.AddiOp(before, scalars.number(1, i32))), scalars
                ),
            )
            for axis, (before, _) in zip(axes, positions, strict=True)
        )
        (_, down), (_, right) = positions
        corners = at(y0, x0), at(y0, x1), at(y1, x0), at(y1, x1)
        top = _between(corners[0], corners[1], right, axes[1], scalars)
        bottom = _between(corners[2], corners[3], right, axes[1], scalars)
        return _between(top, bottom, down, axes[0], scalars)

    builder = TensorBuilder(op)
    return generic(builder, [], builder.empty(shape(op.results[0]), result_type), body)


def _between(
    first: SSAValue, second: SSAValue, distance: SSAValue, axis: _Axis, scalars: Scalars
) -> SSAValue:
    """The weighted sum of two neighbours, for integers times `upscale`."""
    floats = isinstance(distance.type, AnyFloat)
    if axis.size == 1:
        # Both are the same element.
        if floats:
            return first
        scale = scalars.number(axis.upscale, first.type)
        return scalars.add(arith.MuliOp(first, scale))
    distance = converted(distance, first.type, scalars)
    whole = scalars.number(1 if floats else axis.upscale, first.type)
    multiply = scalars.binary(arith.MulfOp, arith.MuliOp)
    add = scalars.binary(arith.AddfOp, arith.AddiOp)
    subtract = scalars.binary(arith.SubfOp, arith.SubiOp)
    weighted = multiply(first, subtract(whole, distance))
    return add(weighted, multiply(second, distance))
