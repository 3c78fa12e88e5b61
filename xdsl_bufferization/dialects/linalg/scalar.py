"""The scalar bodies of structured ops: what is computed at each point of the loops.

A body is a function of a `ScalarBuilder` and the scalars that the operands give at one
point; it returns the new scalar of the output. The builder picks the op by the type of
its operands, as mlir-opt does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, TypeAlias, cast

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.dialects.shapes import is_complex, is_integer

_Maker: TypeAlias = Callable[[SSAValue, SSAValue], Operation]

_BINARY: dict[str, tuple[_Maker | None, _Maker | None, _Maker | None, _Maker | None]] = {
    # function: op on floats, on integers, on complex numbers, on booleans
    "add": (arith.AddfOp, arith.AddiOp, complex.AddOp, arith.OrIOp),
    "sub": (arith.SubfOp, arith.SubiOp, complex.SubOp, None),
    "mul": (arith.MulfOp, arith.MuliOp, complex.MulOp, arith.AndIOp),
    "div": (arith.DivfOp, arith.DivSIOp, complex.DivOp, None),
    "div_unsigned": (None, arith.DivUIOp, None, None),
    "max_signed": (arith.MaximumfOp, arith.MaxSIOp, None, arith.MaxSIOp),
    "min_signed": (arith.MinimumfOp, arith.MinSIOp, None, arith.MinSIOp),
    "max_unsigned": (None, arith.MaxUIOp, None, arith.MaxUIOp),
    "min_unsigned": (None, arith.MinUIOp, None, arith.MinUIOp),
    "powf": (math.PowFOp, None, None, None),
}

_UNARY: dict[str, Callable[[SSAValue], Operation]] = {
    # function: op on floats
    "exp": math.ExpOp,
    "log": math.LogOp,
    "abs": math.AbsFOp,
    "ceil": math.CeilOp,
    "floor": math.FloorOp,
    "negf": arith.NegfOp,
    "round": math.RoundOp,
    "sqrt": math.SqrtOp,
    "rsqrt": math.RsqrtOp,
    "tanh": math.TanhOp,
    "erf": math.ErfOp,
}


@dataclass
class ScalarBuilder:
    """Appends scalar ops to the body of a structured op."""

    block: Block
    op_name: str
    unsigned: bool = False
    """Whether integers are cast as unsigned numbers where a body does not say."""
    output_last: bool = False
    """Whether sums into the output have it as their second operand, as in xDSL; MLIR has
    it first."""

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        if self.output_last and a is self.block.args[-1]:
            a, b = b, a
        return self.binary("add", a, b)

    def sub(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.binary("sub", a, b)

    def mul(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.binary("mul", a, b)

    def select(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        return self._add(arith.SelectOp(condition, a, b))

    def binary(self, function: str, a: SSAValue, b: SSAValue) -> SSAValue:
        on_float, on_integer, on_complex, on_boolean = _BINARY[function]
        type = a.type
        if isinstance(type, AnyFloat):
            make = on_float
        elif is_complex(type):
            make = on_complex
        elif is_integer(type):
            make = on_boolean if type.width.data == 1 else on_integer
        else:
            make = None
        if make is None:
            self._unsupported(function, type)
        return self._add(make(a, b))

    def unary(self, function: str, a: SSAValue) -> SSAValue:
        if not isinstance(a.type, AnyFloat):
            self._unsupported(function, a.type)
        if function == "reciprocal":
            return self._add(arith.DivfOp(self.constant(1.0, a.type), a))
        if function == "square":
            return self._add(arith.MulfOp(a, a))
        return self._add(_UNARY[function](a))

    def elementwise(self, function: str, *scalars: SSAValue) -> SSAValue:
        """Applies a function of one, two or three scalars, by the name MLIR gives it."""
        if function == "select":
            return self.select(*scalars)
        if len(scalars) == 1:
            return self.unary(function, scalars[0])
        return self.binary(function, *scalars)

    def constant(self, value: float, type: Attribute) -> SSAValue:
        if isinstance(type, AnyFloat):
            return self._add(arith.ConstantOp(FloatAttr(float(value), type)))
        assert is_integer(type)
        return self._add(arith.ConstantOp(IntegerAttr(int(value), type)))

    def index(self, dim: int) -> SSAValue:
        from .structured import IndexOp

        return self._add(IndexOp(dim))

    def cast(
        self, a: SSAValue, like: SSAValue, *, unsigned: bool | None = None
    ) -> SSAValue:
        """Casts a scalar to the type of another."""
        return self.cast_to(a, like.type, unsigned=unsigned)

    def cast_to(
        self, a: SSAValue, to: Attribute, *, unsigned: bool | None = None
    ) -> SSAValue:
        unsigned = self.unsigned if unsigned is None else unsigned
        source = a.type
        if source == to:
            return a
        if is_complex(to):
            return self._cast_to_complex(a, to, unsigned)
        if is_integer(to):
            if isinstance(source, AnyFloat):
                make = arith.FPToUIOp if unsigned else arith.FPToSIOp
                return self._add(make(a, to))
            if isinstance(source, IndexType):
                return self._add(arith.IndexCastOp(a, to))
            if is_integer(source):
                if source.width.data > to.width.data:
                    return self._add(arith.TruncIOp(a, to))
                make = arith.ExtUIOp if unsigned else arith.ExtSIOp
                return self._add(make(a, to))
        if isinstance(to, AnyFloat):
            if is_integer(source):
                make = arith.UIToFPOp if unsigned else arith.SIToFPOp
                return self._add(make(a, to))
            if isinstance(source, AnyFloat) and source.bitwidth != to.bitwidth:
                wider = to.bitwidth > source.bitwidth
                return self._add((arith.ExtFOp if wider else arith.TruncFOp)(a, to))
        return self._unsupported("cast", source, to)

    def _cast_to_complex(self, a: SSAValue, to: ComplexType, unsigned: bool) -> SSAValue:
        part = to.element_type
        if is_complex(a.type):
            re = self._add(complex.ReOp(a))
            im = self._add(complex.ImOp(a))
            re = self.cast_to(re, part)
            im = self.cast_to(im, part)
        elif isinstance(a.type, AnyFloat | IntegerType) and isinstance(part, AnyFloat):
            re = self.cast_to(a, part, unsigned=unsigned)
            im = self.constant(0.0, part)
        else:
            self._unsupported("cast", cast(Attribute, a.type), to)
        return self._add(complex.CreateOp(re, im, to))

    def _add(self, op: Operation) -> SSAValue:
        if op.parent is None:  # An ImplicitBuilder has not put it there.
            self.block.add_op(op)
        return op.results[0]

    def _unsupported(self, function: str, *types: Attribute) -> NoReturn:
        raise VerifyException(
            f"'{self.op_name}' has no scalar {function} of {' to '.join(map(str, types))}"
        )


Body: TypeAlias = Callable[..., SSAValue]


def elementwise(function: str) -> Body:
    """The function of all scalars but the output's."""

    def body(s: ScalarBuilder, *scalars: SSAValue) -> SSAValue:
        return s.elementwise(function, *scalars[:-1])

    return body


def copy(s: ScalarBuilder, a: SSAValue, out: SSAValue) -> SSAValue:
    return s.cast(a, out)


def first(s: ScalarBuilder, a: SSAValue, out: SSAValue) -> SSAValue:
    return a


def multiply_add(s: ScalarBuilder, a: SSAValue, b: SSAValue, out: SSAValue) -> SSAValue:
    return s.add(out, s.mul(s.cast(a, out), s.cast(b, out)))


def signed_multiply_add(
    s: ScalarBuilder, a: SSAValue, b: SSAValue, out: SSAValue
) -> SSAValue:
    """Multiplies and adds up signed numbers whatever `cast` says."""
    product = s.mul(s.cast(a, out, unsigned=False), s.cast(b, out, unsigned=False))
    return s.add(out, product)


def quantized_multiply_add(
    s: ScalarBuilder,
    a: SSAValue,
    b: SSAValue,
    zero_a: SSAValue,
    zero_b: SSAValue,
    out: SSAValue,
) -> SSAValue:
    x = s.sub(s.cast(a, out), s.cast(zero_a, out))
    y = s.sub(s.cast(b, out), s.cast(zero_b, out))
    return s.add(out, s.mul(x, y))


def pooled(function: str, *, unsigned: bool = False) -> Body:
    """The function of the output and the image; the window has a shape only."""

    def body(
        s: ScalarBuilder, image: SSAValue, window: SSAValue, out: SSAValue
    ) -> SSAValue:
        return s.binary(function, out, s.cast(image, out, unsigned=unsigned))

    return body


def random_2d(
    s: ScalarBuilder, low: SSAValue, high: SSAValue, seed: SSAValue, out: SSAValue
) -> SSAValue:
    """A number between two bounds, of a linear congruential generator seeded by the seed
    and the coordinates."""

    def next_random(value: SSAValue) -> SSAValue:
        factor = s.cast_to(s.constant(1103515245, i64), i32)
        product = s.mul(value, factor)
        return s.add(product, s.cast_to(s.constant(12345, i64), i32))

    offset = s.cast_to(s.constant(2147483647, i64), f64)
    column = s.cast_to(s.index(1), i32)
    row = s.cast_to(s.index(0), i32)
    first_random = next_random(s.add(row, seed))
    random = next_random(s.add(column, first_random))
    positive = s.add(offset, s.cast_to(random, f64))
    span = s.sub(high, low)
    scale = s.mul(span, s.constant(2.3283063999999999e-10, f64))
    return s.cast(s.add(s.mul(positive, scale), low), out)
