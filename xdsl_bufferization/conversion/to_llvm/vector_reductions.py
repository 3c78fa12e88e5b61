"""vector: ops that combine elements, and the same under a mask.

Elements that a mask excludes from a reduction or contraction do not change the
accumulator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.arith import NO_FAST_MATH, fast_math
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.conversion.to_llvm.types import is_integer
from xdsl_bufferization.conversion.to_llvm.vector import (
    Elements,
    Place,
    build,
    numbers,
    places,
)
from xdsl_bufferization.dialects import llvm as llvm_ops

_FLOAT_KINDS: Mapping[str, type[Operation]] = {
    "add": llvm.FAddOp,
    "mul": llvm.FMulOp,
    "maximumf": llvm_ops.MaximumOp,
    "minimumf": llvm_ops.MinimumOp,
    "maxnumf": llvm.VectorFMaxOp,
    "minnumf": llvm.VectorFMinOp,
}
_INTEGER_KINDS: Mapping[str, type[Operation]] = {
    "add": llvm.AddOp,
    "mul": llvm.MulOp,
    "and": llvm.AndOp,
    "or": llvm.OrOp,
    "xor": llvm.XOrOp,
    "maxsi": llvm_ops.SMaxOp,
    "maxui": llvm_ops.UMaxOp,
    "minsi": llvm_ops.SMinOp,
    "minui": llvm_ops.UMinOp,
}
_NEUTRAL_FLOATS = {
    "add": 0.0,
    "mul": 1.0,
    "maximumf": -math.inf,
    "minimumf": math.inf,
    "maxnumf": math.nan,
    "minnumf": math.nan,
}
Combine: TypeAlias = "Callable[[SSAValue, SSAValue], SSAValue]"


def _combination(op: Operation, to: FunctionLowering, kind: str) -> Combine:
    flags = fast_math(op)

    def combine(a: SSAValue, b: SSAValue) -> SSAValue:
        if isinstance(a.type, IntegerType):
            return to.binary(_INTEGER_KINDS[kind], a, b)
        return to.value(_FLOAT_KINDS[kind], (a, b), a.type, flags)

    return combine


def _kind(op: Operation) -> str:
    kind = op.properties.get("kind")
    return "add" if kind is None else str(cast(Any, kind).data.value)


def _neutral(to: FunctionLowering, kind: str, type_: Attribute) -> SSAValue:
    """What changes nothing when it is combined."""
    if not is_integer(type_):
        float_type = cast(AnyFloat, type_)
        return to.constant(FloatAttr(_NEUTRAL_FLOATS[kind], float_type), type_)
    width = type_.width.data
    lowest, highest = -(1 << (width - 1)), (1 << (width - 1)) - 1
    others = {"mul": 1, "and": -1, "maxsi": lowest, "minsi": highest, "minui": -1}
    return to.integer(others.get(kind, 0), type_)


class _Update:
    """Combines an element into an accumulator, if a mask has its place."""

    def __init__(self, op: Operation, to: FunctionLowering, mask: SSAValue | None):
        self._to = to
        self._combine = _combination(op, to, _kind(op))
        self._mask = None if mask is None else Elements(to, mask)

    def __call__(self, place: Place, old: SSAValue, new: SSAValue) -> SSAValue:
        combined = self._combine(old, new)
        if self._mask is None:
            return combined
        return select(self._to, self._mask[place], combined, old)


def select(
    to: FunctionLowering, condition: SSAValue, then: SSAValue, other: SSAValue
) -> SSAValue:
    operands = (condition, then, other)
    return to.value(llvm_ops.SelectOp, operands, then.type, NO_FAST_MATH)


def reduction(op: Operation, to: FunctionLowering, mask: SSAValue | None = None) -> None:
    update = _Update(op, to, mask)
    source = Elements(to, op.operands[0])
    result = to.get(op.operands[1]) if len(op.operands) > 1 else None
    if result is None and mask is not None:
        result = _neutral(to, _kind(op), to.types(op.results[0].type))
    for place in places(source.shape):
        new = source[place]
        result = new if result is None else update(place, result, new)
    assert result is not None
    to.set(op.results[0], result)


def multi_reduction(
    op: Operation, to: FunctionLowering, mask: SSAValue | None = None
) -> None:
    update = _Update(op, to, mask)
    source, start = Elements(to, op.operands[0]), Elements(to, op.operands[1])
    reduced = set(numbers(op, "reduction_dims"))
    results: dict[Place, SSAValue] = {p: start[p] for p in places(start.shape)}
    for place in places(source.shape):
        kept = tuple(at for dim, at in enumerate(place) if dim not in reduced)
        results[kept] = update(place, results[kept], source[place])
    to.set(op.results[0], build(to, op.results[0].type, results.__getitem__))


def contract(op: Operation, to: FunctionLowering, mask: SSAValue | None = None) -> None:
    update = _Update(op, to, mask)
    multiply = _combination(op, to, "mul")
    lhs, rhs, acc = (Elements(to, op.operands[index]) for index in range(3))
    maps = [
        item.data
        for item in cast("ArrayAttr[AffineMapAttr]", op.properties["indexing_maps"])
    ]
    sizes = [0] * maps[0].num_dims
    for map_, operand in zip(maps, (lhs, rhs, acc), strict=True):
        for expr, size in zip(map_.results, operand.shape, strict=True):
            sizes[next(iter(expr.used_dims()))] = size
    results: dict[Place, SSAValue] = {p: acc[p] for p in places(acc.shape)}
    for place in places(sizes):
        left, right, out = (tuple(map_.eval(place, [])) for map_ in maps)
        product = multiply(lhs[left], rhs[right])
        results[out] = update(place, results[out], product)
    to.set(op.results[0], build(to, op.results[0].type, results.__getitem__))


def outer_product(
    op: Operation, to: FunctionLowering, mask: SSAValue | None = None
) -> None:
    update = _Update(op, to, mask)
    multiply = _combination(op, to, "mul")
    lhs, rhs = Elements(to, op.operands[0]), Elements(to, op.operands[1])
    acc = Elements(to, op.operands[2]) if len(op.operands) > 2 else None

    def element(place: Place) -> SSAValue:
        product = multiply(lhs[place[:1]], rhs[place[1:]])
        return product if acc is None else update(place, acc[place], product)

    to.set(op.results[0], build(to, op.results[0].type, element))


def _scan(op: Operation, to: FunctionLowering) -> None:
    combine = _combination(op, to, _kind(op))
    source, start = Elements(to, op.operands[0]), Elements(to, op.operands[1])
    dim = cast("IntegerAttr[IntegerType]", op.properties["reduction_dim"]).value.data
    inclusive = cast("IntegerAttr[IntegerType]", op.properties["inclusive"]).value.data
    state: dict[Place, SSAValue] = {}
    results: dict[Place, SSAValue] = {}
    for place in sorted(places(source.shape), key=lambda p: p[dim]):
        rest = (*place[:dim], *place[dim + 1 :])
        if inclusive:
            old = state.get(rest)
            new = source[place] if old is None else combine(old, source[place])
            results[place] = state[rest] = new
        else:
            results[place] = state.setdefault(rest, start[rest])
            state[rest] = combine(state[rest], source[place])
            if place[dim] == source.shape[dim] - 1:
                state[rest] = results[place]
    to.set(op.results[0], build(to, op.results[0].type, results.__getitem__))
    to.set(op.results[1], build(to, op.results[1].type, state.__getitem__))


REDUCTION_LOWERINGS: dict[str, Lowering] = {
    "vector.contract": contract,
    "vector.multi_reduction": multi_reduction,
    "vector.outerproduct": outer_product,
    "vector.reduction": reduction,
    "vector.scan": _scan,
}
