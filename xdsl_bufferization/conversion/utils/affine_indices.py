"""Affine expressions as arith ops on indices."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr

from xdsl_bufferization.dialects.linear_forms import fold_expression

INDEX = IndexType()
_WRAPS = {"overflowFlags": arith.IntegerOverflowAttr("none")}
_NO_SIGNED_WRAP = {
    "overflowFlags": arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])
}


class IndexBuilder:
    """Collects ops that compute indices; a constant is made once."""

    def __init__(self) -> None:
        self.ops: list[Operation] = []
        self._constants: dict[int, SSAValue] = {}

    def add(self, op: Operation) -> SSAValue:
        self.ops.append(op)
        return op.results[0]

    def constant(self, value: int) -> SSAValue:
        found = self._constants.get(value)
        if found is None:
            op = arith.ConstantOp.create(
                result_types=(INDEX,), properties={"value": IntegerAttr(value, INDEX)}
            )
            found = self._constants[value] = self.add(op)
        return found

    def binary(self, op_class: type[Operation], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        flagged = issubclass(op_class, arith.SignlessIntegerBinaryOperationWithOverflow)
        return self.add(
            op_class.create(
                operands=(lhs, rhs),
                result_types=(INDEX,),
                properties=_WRAPS if flagged else {},
            )
        )

    def product(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """A product in an affine expression, which does not wrap as a signed number."""
        return self.add(
            arith.MuliOp.create(
                operands=(lhs, rhs), result_types=(INDEX,), properties=_NO_SIGNED_WRAP
            )
        )

    def expression(
        self, expr: AffineExpr, dims: Sequence[SSAValue], symbols: Sequence[SSAValue] = ()
    ) -> SSAValue:
        """The value of an affine expression."""
        return fold_expression(
            expr, self.constant, dims.__getitem__, symbols.__getitem__, self.combine
        )

    def combine(self, kind: AffineBinaryOpKind, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """An operation of affine expressions on two values."""
        match kind:
            case AffineBinaryOpKind.Add:
                return self.binary(arith.AddiOp, lhs, rhs)
            case AffineBinaryOpKind.Mul:
                return self.product(lhs, rhs)
            case AffineBinaryOpKind.FloorDiv:
                return self.binary(arith.FloorDivSIOp, lhs, rhs)
            case AffineBinaryOpKind.CeilDiv:
                return self.binary(arith.CeilDivSIOp, lhs, rhs)
            case AffineBinaryOpKind.Mod:
                return self._modulo(lhs, rhs)

    def _modulo(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """The remainder, which is never negative."""
        remainder = self.binary(arith.RemSIOp, lhs, rhs)
        negative = self.add(
            arith.CmpiOp.create(
                operands=(remainder, self.constant(0)),
                result_types=(i1,),
                properties={"predicate": IntegerAttr(2, 64)},
            )
        )
        shifted = self.binary(arith.AddiOp, remainder, rhs)
        return self.add(
            arith.SelectOp.create(
                operands=(negative, shifted, remainder), result_types=(INDEX,)
            )
        )
