"""Semi-affine expressions: products, quotients and remainders by symbols.

MLIR allows `d0 * s0`, `d0 floordiv (s0 + 1)`, `d0 ceildiv s0` and `d0 mod s0`: one factor
of a product, and what divides, may be any expression of symbols and constants. Layouts
of views of dynamic sizes are made of them, so expand-strided-metadata prints them. xDSL
0.74 can represent such expressions, evaluate and compose them, but its operators refuse
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
from xdsl.parser.affine_parser import AffineParser
from xdsl.utils.exceptions import ParseError

_DIVISIONS = {
    "__floordiv__": AffineBinaryOpKind.FloorDiv,
    "ceil_div": AffineBinaryOpKind.CeilDiv,
    "__mod__": AffineBinaryOpKind.Mod,
}


def amend_affine_expressions() -> None:
    """Let xDSL build, parse and simplify semi-affine expressions."""
    _amend_product()
    for name, kind in _DIVISIONS.items():
        _amend_division(name, kind)
    _amend_simplification()
    _amend_parser()


def is_symbolic(expr: AffineExpr) -> bool:
    """Return whether an expression has no dimensions in it."""
    return not any(isinstance(part, AffineDimExpr) for part in expr.dfs())


def _amend_product() -> None:
    multiply = AffineExpr.__mul__

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

    AffineExpr.__mul__ = product


def _amend_division(name: str, kind: AffineBinaryOpKind) -> None:
    divide: Callable[[AffineExpr, AffineExpr | int], AffineExpr] = getattr(
        AffineExpr, name
    )

    @wraps(divide)
    def division(self: AffineExpr, other: AffineExpr | int) -> AffineExpr:
        if isinstance(other, int):
            other = AffineExpr.constant(other)
        if isinstance(other, AffineConstantExpr) and other.value != 0:
            return divide(self, other)
        return AffineBinaryOpExpr(kind, self, other)

    setattr(AffineExpr, name, division)


def _amend_simplification() -> None:
    simplify_affine = AffineExpr.simplify

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

    AffineExpr.simplify = simplify


def _has_linear_form(expr: AffineExpr) -> bool:
    """Return whether xDSL can flatten an expression: it divides by positive constants
    only."""
    return expr.is_pure_affine() and all(
        isinstance(part.rhs, AffineConstantExpr) and part.rhs.value > 0
        for part in expr.dfs()
        if isinstance(part, AffineBinaryOpExpr) and part.kind in _DIVISIONS.values()
    )


def _amend_parser() -> None:
    create = AffineParser._create_binop_expr  # pyright: ignore[reportPrivateUsage]

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

    AffineParser._create_binop_expr = create_checked  # pyright: ignore[reportPrivateUsage]
