"""Affine expressions evaluated over other domains than integers, and their linear forms.

A number that is known only at run time is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

T = TypeVar("T")

LinearForm: TypeAlias = tuple[Sequence[int | None], int | None]
"""The factors of the dimensions, and the constant."""


def fold_expression(
    expr: AffineExpr,
    constant: Callable[[int], T],
    dimension: Callable[[int], T],
    symbol: Callable[[int], T],
    combine: Callable[[AffineBinaryOpKind, T, T], T],
) -> T:
    """Evaluate an affine expression, operands first."""
    if isinstance(expr, AffineDimExpr):
        return dimension(expr.position)
    if isinstance(expr, AffineConstantExpr):
        return constant(expr.value)
    if isinstance(expr, AffineSymExpr):
        return symbol(expr.position)
    assert isinstance(expr, AffineBinaryOpExpr)
    return combine(
        expr.kind,
        fold_expression(expr.lhs, constant, dimension, symbol, combine),
        fold_expression(expr.rhs, constant, dimension, symbol, combine),
    )


def linear_form(
    expr: AffineExpr, rank: int, *, symbolic_quotients: bool = False
) -> LinearForm | None:
    """Return the linear form of an expression of `rank` dimensions, with None for each
    number that a symbol has a part in; None if the expression is not linear.

    Args:
        symbolic_quotients: count a quotient or remainder of symbols as a symbol. MLIR
            says that a layout with one has no strides.
    """

    def combine(
        kind: AffineBinaryOpKind, lhs: LinearForm | None, rhs: LinearForm | None
    ) -> LinearForm | None:
        if lhs is None or rhs is None:
            return None
        if kind is AffineBinaryOpKind.Add:
            factors = [_plus(x, y) for x, y in zip(lhs[0], rhs[0], strict=True)]
            return factors, _plus(lhs[1], rhs[1])
        if kind is AffineBinaryOpKind.Mul:
            if not _is_symbolic(rhs):
                lhs, rhs = rhs, lhs
            if _is_symbolic(rhs):
                return [_times(x, rhs[1]) for x in lhs[0]], _times(lhs[1], rhs[1])
        elif symbolic_quotients and _is_symbolic(lhs) and _is_symbolic(rhs):
            return lhs[0], None
        return None

    return fold_expression(
        expr,
        lambda value: ([0] * rank, value),
        lambda position: ([int(i == position) for i in range(rank)], 0),
        lambda _: ([0] * rank, None),
        combine,
    )


def linearized(
    exprs: Iterable[AffineExpr],
    strides: Iterable[int | None],
    rank: int,
    *,
    symbolic_quotients: bool = False,
) -> LinearForm | None:
    """Return the linear form of the offset that expressions address in a buffer of these
    strides; None if one of them is not linear (see `linear_form`)."""
    total: list[int | None] = [0] * rank
    offset: int | None = 0
    for expr, stride in zip(exprs, strides, strict=True):
        form = linear_form(expr, rank, symbolic_quotients=symbolic_quotients)
        if form is None:
            return None
        total = [_plus(x, _times(y, stride)) for x, y in zip(total, form[0], strict=True)]
        offset = _plus(offset, _times(form[1], stride))
    return total, offset


def _is_symbolic(form: LinearForm) -> bool:
    return all(factor == 0 for factor in form[0])


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _times(a: int | None, b: int | None) -> int | None:
    if 0 in (a, b):
        return 0
    return None if a is None or b is None else a * b
