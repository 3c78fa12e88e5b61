"""Simplification of affine maps that are applied to values.

An op applies a map to operands, dimensions first. Its operands are simplified as in
MLIR: constants and results of affine.apply are substituted, and the other operands are
numbered in the order in which the map uses them, each value once.

    %1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    affine.load %m[%1 * 2 + %c3]        affine.load %m[%i * 2 + 5]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)
from xdsl.traits import IsolatedFromAbove

from xdsl_bufferization.dialects.constants import constant_integer

_MOST_PARTS = 200
"""The size from which on an expression does not grow: a chain of substitutions may
double it at each step."""

_LARGEST = (1 << 63) - 1


@dataclass(frozen=True)
class Applied:
    """Affine expressions, and the values that their dimensions and symbols stand for."""

    results: tuple[AffineExpr, ...]
    dims: tuple[SSAValue, ...]
    symbols: tuple[SSAValue, ...]

    @property
    def operands(self) -> tuple[SSAValue, ...]:
        return (*self.dims, *self.symbols)

    def value_of(self, expr: AffineExpr) -> SSAValue | None:
        """Return the value that an expression names, if it is only a name."""
        if isinstance(expr, AffineDimExpr):
            return self.dims[expr.position]
        if isinstance(expr, AffineSymExpr):
            return self.symbols[expr.position]
        return None


def applied(
    results: Sequence[AffineExpr], dim_count: int, operands: Sequence[SSAValue]
) -> Applied:
    return Applied(
        tuple(results), tuple(operands[:dim_count]), tuple(operands[dim_count:])
    )


@dataclass
class _Numbering:
    """Values by the positions of their dimensions and symbols."""

    dims: dict[SSAValue, int]
    symbols: dict[SSAValue, int]

    def dim(self, value: SSAValue) -> AffineExpr:
        return AffineExpr.dimension(self.dims.setdefault(value, len(self.dims)))

    def symbol(self, value: SSAValue) -> AffineExpr:
        return AffineExpr.symbol(self.symbols.setdefault(value, len(self.symbols)))

    def operand(self, value: SSAValue, *, is_symbol: bool) -> AffineExpr:
        """Return the expression for an operand, for example that of an affine.apply."""
        number = constant_integer(value)
        if number is not None:
            return AffineExpr.constant(number)
        apply = value.owner
        if isinstance(apply, affine.ApplyOp) and (
            not is_symbol or all(map(is_valid_symbol, apply.operands))
        ):
            map_ = apply.map.data
            names = [
                self.name(operand, is_symbol=is_symbol or number >= map_.num_dims)
                for number, operand in enumerate(apply.operands)
            ]
            return map_.results[0].replace_dims_and_symbols(
                names[: map_.num_dims], names[map_.num_dims :]
            )
        return self.name(value, is_symbol=is_symbol)

    def name(self, value: SSAValue, *, is_symbol: bool) -> AffineExpr:
        """The dimension or symbol of a value: what may be a symbol is one."""
        if is_symbol or is_valid_symbol(value):
            return self.symbol(value)
        return self.dim(value)


def is_valid_symbol(value: SSAValue) -> bool:
    """Return whether a value is known to be the same all over the function."""
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    scope = None if block is None else block.parent_op()
    if scope is None or isinstance(scope, ModuleOp):
        return True
    if scope.has_trait(IsolatedFromAbove, value_if_unregistered=False):
        return True
    if isinstance(owner, Operation) and isinstance(owner, affine.ApplyOp):
        return all(map(is_valid_symbol, owner.operands))
    return constant_integer(value) is not None


def simplify(old: Applied) -> Applied | None:
    """Return simpler expressions, maybe over other values; None if there are none."""
    numbering = _Numbering({}, {})
    dims = [numbering.operand(value, is_symbol=False) for value in old.dims]
    symbols = [numbering.operand(value, is_symbol=True) for value in old.symbols]
    results: list[AffineExpr] = []
    for expr in old.results:
        substituted = expr.replace_dims_and_symbols(dims, symbols)
        if not _is_representable(substituted):
            return None
        results.append(_simplify_expression(substituted, numbering))
    new = _renumber(results, list(numbering.dims), list(numbering.symbols))
    return None if new == old else new


def _is_representable(expr: AffineExpr) -> bool:
    parts = list(islice(expr.dfs(), _MOST_PARTS + 1))
    return len(parts) <= _MOST_PARTS and all(
        abs(part.value) <= _LARGEST
        for part in parts
        if isinstance(part, AffineConstantExpr)
    )


def _simplify_expression(expr: AffineExpr, numbering: _Numbering) -> AffineExpr:
    counts = len(numbering.dims), len(numbering.symbols)
    simple = expr.simplify(*counts)
    # An expression must not alternate between two forms.
    stable = simple.simplify(*counts) == simple and _is_representable(simple)
    return simple if stable and _part_count(simple) < _part_count(expr) else expr


def _part_count(expr: AffineExpr) -> int:
    return sum(1 for _ in expr.dfs())


def _renumber(
    results: Sequence[AffineExpr], dims: Sequence[SSAValue], symbols: Sequence[SSAValue]
) -> Applied:
    """Keep the values that are used, in the order of their first use."""
    used = _Numbering({}, {})
    new_dims: list[AffineExpr] = [AffineExpr.constant(0)] * len(dims)
    new_symbols: list[AffineExpr] = [AffineExpr.constant(0)] * len(symbols)
    for expr in results:
        for part in expr.dfs():
            if isinstance(part, AffineDimExpr):
                new_dims[part.position] = used.dim(dims[part.position])
            elif isinstance(part, AffineSymExpr):
                new_symbols[part.position] = used.symbol(symbols[part.position])
    return Applied(
        tuple(_rename(expr, new_dims, new_symbols) for expr in results),
        tuple(used.dims),
        tuple(used.symbols),
    )


_Exprs: TypeAlias = Sequence[AffineExpr]


def _rename(expr: AffineExpr, dims: _Exprs, symbols: _Exprs) -> AffineExpr:
    """Replace names only: the form of the expression stays."""
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    if isinstance(expr, AffineBinaryOpExpr):
        lhs, rhs = (_rename(part, dims, symbols) for part in (expr.lhs, expr.rhs))
        return AffineBinaryOpExpr(expr.kind, lhs, rhs)
    return expr


def inline_names(outer: Applied, inner: Sequence[Applied | None]) -> Applied | None:
    """Return `outer` with results that only name a value replaced by others.

    Args:
        inner: for each result of `outer`, the expressions in its place, or None.
    """
    if not any(inner):
        return None
    numbering = _Numbering({}, {})
    results: list[AffineExpr] = []
    for expr, other in zip(outer.results, inner, strict=True):
        source = outer if other is None else other
        dims = [numbering.dim(value) for value in source.dims]
        symbols = [numbering.symbol(value) for value in source.symbols]
        exprs = (expr,) if other is None else other.results
        results.extend(_rename(expr, dims, symbols) for expr in exprs)
    return _renumber(results, list(numbering.dims), list(numbering.symbols))


def without_duplicates(map_: Applied, *, keep_greatest: bool) -> Applied | None:
    """Return a map for a maximum or minimum with each result once, and one constant."""
    constants = [e.value for e in map_.results if isinstance(e, AffineConstantExpr)]
    results = list(dict.fromkeys(map_.results))
    if len(constants) > 1:
        best = AffineExpr.constant((max if keep_greatest else min)(constants))
        results = [
            e for e in results if not isinstance(e, AffineConstantExpr) or e == best
        ]
    if len(results) == len(map_.results):
        return None
    return _renumber(results, map_.dims, map_.symbols)
