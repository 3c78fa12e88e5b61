"""Building of index arithmetic with affine.apply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.affine import ApplyOp
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.transforms.utils.tensor_builder import Size


def folded(value: Size) -> Size:
    """The number, if the value is a constant."""
    number = constant_of(value)
    return value if number is None else number


@dataclass
class IndexBuilder:
    """Inserts index arithmetic before an op."""

    before: Operation

    def insert(self, op: Operation) -> Sequence[OpResult]:
        Rewriter.insert_op(op, InsertPoint.before(self.before))
        return op.results

    def value(self, index: Size) -> SSAValue:
        """An index as an operand."""
        if not isinstance(index, int):
            return index
        return self.insert(ConstantOp(IntegerAttr.from_index_int_value(index)))[0]

    def sum_of_products(self, products: Iterable[Sequence[Size]]) -> Size:
        """A sum of products, in one affine.apply if it is not known."""
        symbols: list[SSAValue] = []
        positions: dict[SSAValue, int] = {}
        constant = 0
        terms: list[tuple[int, list[int]]] = []
        for factors in products:
            known = [folded(factor) for factor in factors]
            factor = prod(number for number in known if isinstance(number, int))
            values = [value for value in known if not isinstance(value, int)]
            if not values:
                constant += factor
            elif factor:
                for value in values:
                    if value not in positions:
                        positions[value] = len(symbols)
                        symbols.append(value)
                terms.append((factor, [positions[value] for value in values]))
        if not terms:
            return constant
        if terms == [(1, [0])] and not constant:
            return symbols[0]
        total: AffineExpr | None = None
        for factor, numbers in terms:
            term: AffineExpr = AffineExpr.symbol(numbers[0])
            for number in numbers[1:]:
                term = term * AffineExpr.symbol(number)
            if factor != 1:
                term = term * factor
            total = term if total is None else total + term
        assert total is not None
        if constant:
            total = total + constant
        map_ = AffineMapAttr(AffineMap(0, len(symbols), (total,)))
        return self.insert(ApplyOp(symbols, map_))[0]

    def quotient(self, dividend: Size, divisor: int) -> Size:
        """A quotient of sizes, rounded down."""
        dividend = folded(dividend)
        if isinstance(dividend, int):
            return dividend // divisor
        if divisor == 1:
            return dividend
        expr = AffineExpr.symbol(0) // divisor
        map_ = AffineMapAttr(AffineMap(0, 1, (expr,)))
        return self.insert(ApplyOp([dividend], map_))[0]
