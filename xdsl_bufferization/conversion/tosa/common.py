"""Code shared by the conversions of tosa ops: the driver, and ops on scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.rewriter import Rewriter

from xdsl_bufferization.dialects import linalg, tensor, tosa
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import is_integer
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.transforms.utils.tensor_builder import TensorBuilder

BinaryOp: TypeAlias = Callable[[SSAValue, SSAValue], Operation]

Lowering: TypeAlias = Callable[[Operation], SSAValue | None]
"""Inserts what an op becomes before it and returns the value of its result. None when the
op is replaced already."""


def lower_tosa(root: Operation, lowerings: Mapping[str, Lowering]) -> None:
    """Replace the ops under `root` that a table has, constants last, and erase those
    constants and shapes that nothing uses any more.

    Raises:
        PassFailedException: when an op asks for what is not supported.
    """
    constants: list[Operation] = []
    for op in visiting(list(walk(root))):
        if isinstance(op, tosa.ConstOp | tosa.ConstShapeOp):
            constants.append(op)
        elif (lowering := lowerings.get(op.name)) is not None:
            _replace(op, lowering(op))
    for op in visiting(constants):
        if op.results[0].first_use is None:
            Rewriter.erase_op(op)
        elif (lowering := lowerings.get(op.name)) is not None:
            _replace(op, lowering(op))


def _replace(op: Operation, result: SSAValue | None) -> None:
    if result is not None:
        Rewriter.replace_op(op, [], [result])


@dataclass
class Scalars:
    """Appends ops on scalars to a block."""

    block: Block

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def number(self, value: float, type_: Attribute) -> SSAValue:
        return self.add(number(type_, value))

    def index(self, value: int) -> SSAValue:
        return self.add(arith.ConstantOp(IntegerAttr.from_index_int_value(value)))

    def binary(
        self, of_floats: BinaryOp, of_integers: BinaryOp
    ) -> Callable[[SSAValue, SSAValue], SSAValue]:
        """A binary op, by the type of its operands."""

        def apply(lhs: SSAValue, rhs: SSAValue) -> SSAValue:
            kind = of_floats if isinstance(lhs.type, AnyFloat) else of_integers
            return self.add(kind(lhs, rhs))

        return apply


def scalar_type(value: SSAValue) -> Attribute:
    """The element type of a tensor."""
    return cast(TensorType, value.type).element_type


def shape(value: SSAValue) -> tuple[int, ...]:
    return cast(TensorType, value.type).get_shape()


def generic(
    builder: TensorBuilder,
    inputs: Sequence[SSAValue],
    dest: SSAValue,
    body: Callable[[Scalars, Sequence[SSAValue]], SSAValue],
    maps: Sequence[AffineMap] | None = None,
) -> SSAValue:
    """A linalg.generic of parallel loops over all of `dest`.

    `body` computes an element from those of the inputs. `maps` are those of the inputs;
    without them, every input has the sizes of `dest`.
    """
    rank = len(shape(dest))
    identity = AffineMap.identity(rank)
    block = Block(arg_types=[scalar_type(value) for value in (*inputs, dest)])
    scalars = Scalars(block)
    block.add_op(linalg.YieldOp(body(scalars, block.args[: len(inputs)])))
    return builder.insert(
        linalg.GenericOp(
            inputs,
            [dest],
            Region(block),
            [
                *map(AffineMapAttr, maps or [identity] * len(inputs)),
                AffineMapAttr(identity),
            ],
            [linalg.IteratorTypeAttr.parallel()] * rank,
            [dest.type],
        )
    )


def padded(
    source: SSAValue,
    low: Sequence[int],
    high: Sequence[int],
    value: SSAValue,
    builder: TensorBuilder,
) -> SSAValue:
    """`source` with copies of a scalar around it."""
    if not any((*low, *high)):
        return source
    sizes = [
        size if size == DYNAMIC_INDEX else before + size + after
        for before, size, after in zip(low, shape(source), high, strict=True)
    ]
    body = Block(arg_types=[IndexType()] * len(sizes))
    body.add_op(tensor.YieldOp(value))
    type_ = TensorType(scalar_type(source), sizes)
    return builder.insert(tensor.PadOp(source, [], [], Region(body), low, high, type_))


def converted(value: SSAValue, type_: Attribute, scalars: Scalars) -> SSAValue:
    """A float or signed integer as one of another width."""
    source = value.type
    if source == type_:
        return value
    if is_integer(source):
        assert is_integer(type_), "verified"
        wider = source.bitwidth < type_.bitwidth
        return scalars.add((arith.ExtSIOp if wider else arith.TruncIOp)(value, type_))
    assert isinstance(source, AnyFloat) and isinstance(type_, AnyFloat), "verified"
    wider = source.bitwidth < type_.bitwidth
    return scalars.add((arith.ExtFOp if wider else arith.TruncFOp)(value, type_))


def number(type_: Attribute, value: float) -> arith.ConstantOp:
    """A scalar of the given type."""
    if isinstance(type_, AnyFloat):
        return arith.ConstantOp(FloatAttr(value, type_))
    return arith.ConstantOp(IntegerAttr(int(value), cast(IntegerType, type_)))


def lowest(type_: Attribute) -> float:
    """A number that is not greater than any other of the type."""
    if isinstance(type_, AnyFloat):
        return -largest(type_)
    return -(1 << (cast(IntegerType, type_).bitwidth - 1))


def largest(type_: Attribute) -> float:
    """A number that is not less than any other of the type that is finite."""
    if not isinstance(type_, AnyFloat):
        return (1 << (cast(IntegerType, type_).bitwidth - 1)) - 1
    fractions = {"bf16": (8, 127), "f16": (11, 15), "f32": (24, 127), "f64": (53, 1023)}
    digits, exponent = fractions[type_.name]
    return (2.0 - 2.0 ** (1 - digits)) * 2.0**exponent


def as_type(value: SSAValue, type_: TensorType, builder: TensorBuilder) -> SSAValue:
    return value if value.type == type_ else builder.insert(tensor.CastOp(value, type_))
