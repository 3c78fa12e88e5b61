"""The canonicalizations of affine."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import affine as xdsl_affine
from xdsl.dialects.builtin import AffineMapAttr, DenseIntOrFPElementsAttr
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr

from xdsl_bufferization.dialects import affine, memref
from xdsl_bufferization.dialects.symbol_lookup import find_symbol
from xdsl_bufferization.transforms.canonicalization_patterns import (
    affine_loops,
)
from xdsl_bufferization.transforms.canonicalization_patterns.affine_loops import as_map
from xdsl_bufferization.transforms.canonicalization_patterns.affine_maps import (
    Applied,
    applied,
    inline_names,
    simplify,
    without_duplicates,
)
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    buffer_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import (
    Dense,
    constant_op,
    element_at,
)
from xdsl_bufferization.transforms.canonicalization_patterns.integers import (
    build_integer,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import (
    Rule,
    Worklist,
)


def _map_of(op: Operation, first: int) -> Applied:
    """The map of an op, applied to its operands from `first` on."""
    attribute = op.properties["map"]
    assert isinstance(attribute, AffineMapAttr)
    map_ = attribute.data
    return applied(map_.results, map_.num_dims, list(op.operands[first:]))


def _set_map(op: Operation, first: int, map_: Applied, worklist: Worklist) -> None:
    op.properties["map"] = as_map(map_)
    worklist.set_operands(op, [*op.operands[:first], *map_.operands])


def _simplify_map(first: int) -> Rule:
    def simplify_map(op: Operation, worklist: Worklist) -> bool:
        """What a map is applied to may be computed inside of the map."""
        simple = simplify(_map_of(op, first))
        if simple is None:
            return False
        _set_map(op, first, simple, worklist)
        return True

    return simplify_map


def _access_before_cast(buffer: int) -> Rule:
    def access_before_cast(op: Operation, worklist: Worklist) -> bool:
        """An access to a cast buffer is one to the buffer before the cast."""
        source = buffer_before_cast(op.operands[buffer])
        if source is None:
            return False
        operands = list(op.operands)
        operands[buffer] = source
        worklist.set_operands(op, operands)
        return True

    return access_before_cast


def fold_apply(op: Operation, worklist: Worklist) -> bool:
    """affine.apply of a map to a constant or an operand."""
    map_ = _map_of(op, 0)
    [expr] = map_.results
    value = map_.value_of(expr)
    if isinstance(expr, AffineConstantExpr):
        value = build_integer(expr.value, op.results[0].type, worklist)
    if value is None:
        return False
    worklist.replace(op, [value])
    return True


def merge_extrema(op: Operation, worklist: Worklist) -> bool:
    """A minimum of minima is one minimum; likewise for maxima."""
    map_ = _map_of(op, 0)
    owners = [getattr(map_.value_of(expr), "owner", None) for expr in map_.results]
    merged = inline_names(
        map_,
        [
            _map_of(owner, 0)
            if isinstance(owner, Operation) and owner.name == op.name
            else None
            for owner in owners
        ],
    )
    if merged is None or len(merged.results) > _MOST_RESULTS:
        return False
    _set_map(op, 0, merged, worklist)
    return True


_MOST_RESULTS = 16
"""The size up to which minima are merged: in a chain of them, each has all before it."""


def drop_duplicates(op: Operation, worklist: Worklist) -> bool:
    """A minimum or maximum needs each of its operands once, and one constant."""
    map_ = without_duplicates(_map_of(op, 0), keep_greatest=op.name == "affine.max")
    if map_ is None:
        return False
    _set_map(op, 0, map_, worklist)
    return True


def apply_single(op: Operation, worklist: Worklist) -> bool:
    """A minimum or maximum of one value is that value."""
    map_ = _map_of(op, 0)
    if len(map_.results) != 1:
        return False
    new = xdsl_affine.ApplyOp(map_.operands, as_map(map_))
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def _access(buffer: int) -> tuple[Rule, ...]:
    return (_simplify_map(buffer + 1), _access_before_cast(buffer))


def load_constant(op: Operation, worklist: Worklist) -> bool:
    """An element of a constant global is known, at any index if all are equal."""
    get = op.operands[0].owner
    if not isinstance(get, memref.GetGlobalOp):
        return False
    found = find_symbol(get, get.name_)
    if not isinstance(found, memref.GlobalOp) or found.constant is None:
        return False
    contents = found.initial_value
    if not isinstance(contents, DenseIntOrFPElementsAttr):
        return False
    indices = [
        expr.value if isinstance(expr, AffineConstantExpr) else None
        for expr in _map_of(op, 1).results
    ]
    value = element_at(cast(Dense, contents), indices)
    if value is None:
        return False
    constant = constant_op(value, op.results[0].type)
    worklist.replace(op, [worklist.constants.build(constant)])
    return True


_EXTREMUM = (_simplify_map(0), merge_extrema, drop_duplicates, apply_single)

PATTERNS: Table = {
    affine.ApplyOp.name: (_simplify_map(0), fold_apply),
    affine.ForOp.name: (affine_loops.simplify_bounds, affine_loops.skip_loop),
    affine.IfOp.name: (
        affine_loops.simplify_condition,
        affine_loops.decide_condition,
        affine_loops.drop_empty_else,
    ),
    affine.LoadOp.name: (*_access(0), load_constant),
    affine.MaxOp.name: _EXTREMUM,
    affine.MinOp.name: _EXTREMUM,
    affine.PrefetchOp.name: _access(0),
    affine.StoreOp.name: _access(1),
    affine.VectorLoadOp.name: _access(0),
    affine.VectorStoreOp.name: _access(1),
}
