"""Semi-affine expressions: products, quotients and remainders by symbols.

MLIR allows `d0 * s0`, `d0 floordiv (s0 + 1)`, `d0 ceildiv s0` and `d0 mod s0`: one factor
of a product, and what divides, may be any expression of symbols and constants. Layouts
of views of dynamic sizes are made of them, so expand-strided-metadata prints them. xDSL
0.75 can represent such expressions, evaluate and compose them, but its operators refuse
to build them. They are built here, in the order in which MLIR prints them: what is made
of symbols stands on the right.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)
from xdsl.utils.exceptions import ParseError

_DIVISIONS = (
    AffineBinaryOpKind.FloorDiv,
    AffineBinaryOpKind.CeilDiv,
    AffineBinaryOpKind.Mod,
)

_Operator = Callable[[AffineExpr, AffineExpr | int], AffineExpr]


def is_symbolic(expr: AffineExpr) -> bool:
    """Return whether an expression has no dimensions in it."""
    return not any(isinstance(part, AffineDimExpr) for part in expr.dfs())


def semi_affine_product(multiply: _Operator) -> _Operator:
    """Return `AffineExpr.__mul__` that multiplies by expressions too."""

    @wraps(multiply)
    def product(self: AffineExpr, other: AffineExpr | int) -> AffineExpr:
        if (
            isinstance(other, int)
            or isinstance(self, AffineConstantExpr)
            or isinstance(other, AffineConstantExpr)
        ):
            return multiply(self, other)
        if is_symbolic(self) and not is_symbolic(other):
            self, other = other, self
        return AffineBinaryOpExpr(AffineBinaryOpKind.Mul, self, other)

    return product


def semi_affine_division(kind: AffineBinaryOpKind, divide: _Operator) -> _Operator:
    """Return an operator of `AffineExpr` that divides by expressions too."""

    @wraps(divide)
    def division(self: AffineExpr, other: AffineExpr | int) -> AffineExpr:
        if isinstance(other, int):
            other = AffineExpr.constant(other)
        if isinstance(other, AffineConstantExpr) and other.value != 0:
            return divide(self, other)
        return AffineBinaryOpExpr(kind, self, other)

    return division


def semi_affine_simplification(
    simplify_affine: Callable[[AffineExpr, int, int], AffineExpr],
) -> Callable[[AffineExpr, int, int], AffineExpr]:
    """Return `AffineExpr.simplify` that takes semi-affine expressions too."""

    @wraps(simplify_affine)
    def simplify(self: AffineExpr, num_dims: int, num_symbols: int) -> AffineExpr:
        if _has_linear_form(self):
            return simplify_affine(self, num_dims, num_symbols)
        if not isinstance(self, AffineBinaryOpExpr):
            return self
        return AffineExpr.binary(
            self.kind,
            self.lhs.simplify(num_dims, num_symbols),
            self.rhs.simplify(num_dims, num_symbols),
        )

    return simplify


def _has_linear_form(expr: AffineExpr) -> bool:
    """Return whether xDSL can flatten an expression: it divides by positive constants
    only."""
    return expr.is_pure_affine() and all(
        isinstance(part.rhs, AffineConstantExpr) and part.rhs.value > 0
        for part in expr.dfs()
        if isinstance(part, AffineBinaryOpExpr) and part.kind in _DIVISIONS
    )


def check_semi_affine(create: Callable[..., AffineExpr]) -> Callable[..., AffineExpr]:
    """Return `AffineParser._create_binop_expr` that refuses what MLIR refuses."""

    @wraps(create)
    def create_checked(
        self: Any, lhs: AffineExpr, rhs: AffineExpr, binop: Any
    ) -> AffineExpr:
        if binop.text in ("floordiv", "ceildiv", "mod"):
            if not is_symbolic(rhs):
                raise ParseError(
                    binop.span,
                    "non-affine expression: right operand of "
                    f"{binop.text} has to be either a constant or symbolic",
                )
        elif binop.text == "*" and not (is_symbolic(lhs) or is_symbolic(rhs)):
            raise ParseError(
                binop.span,
                "non-affine expression: at least one of the multiply operands has to "
                "be either a constant or symbolic",
            )
        return create(self, lhs, rhs, binop)

    return create_checked
