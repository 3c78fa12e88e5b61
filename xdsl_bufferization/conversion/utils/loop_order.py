"""The order of the loops of a structured op: which one is innermost.

linalg does not specify the order of parallel iterators. Reductions keep their order, so
that each element of an output is computed by the same operations in the same order,
with the same rounding. Only the choice of the innermost iterator may change, to the one
with the lowest estimated cost. LLVM vectorizes loops that access every operand with
stride one or zero and carry no recurrence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IntegerType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.traits import is_side_effect_free

from xdsl_bufferization.dialects.linalg import IteratorTypeAttr
from xdsl_bufferization.dialects.linear_forms import linearized
from xdsl_bufferization.dialects.memref import strides_and_offset_of
from xdsl_bufferization.dialects.shapes import is_memref, shape_of

PARALLEL = IteratorTypeAttr.parallel()

STRIDED = 8
"""The cost of an access that leaves the cache line at each iteration; one that stays in
it for several costs 1, one at the same place each time nothing."""
LATENCY = 3
"""What an iteration costs that waits for the result of the one before."""
LANES = 4
"""How many iterations of a vectorized loop run at a time."""
UNROLLED = 96
"""The most iterations of nested loops that are taken to be unrolled completely."""
GAIN = 0.7
"""Loops are interchanged if the estimate falls below this share."""


@dataclass(frozen=True)
class Access:
    """An operand of a structured op: how far an iteration of each loop moves in it, in
    elements (None if unknown), and how often an iteration accesses it."""

    strides: Sequence[int | None]
    count: int

    def cost(self, loop: int) -> int:
        stride = self.strides[loop]
        if stride == 0:
            return 0
        return self.count * (1 if stride == 1 else STRIDED)


def loop_order(
    op: Operation, maps: Sequence[AffineMap], body: Block, outputs: int
) -> list[int]:
    """Return the iterators of a structured op on memrefs from the outermost loop to the
    innermost. The order of the op unless another is legal and clearly cheaper.

    `outputs` is the number of its last operands that are written.
    """
    iterators: Any = getattr(op, "get_iterator_types", None)
    order = list(range(maps[0].num_dims)) if maps else []
    if iterators is None or len(order) < 2 or not _is_pure(body):
        return order
    parallel = [i.data is PARALLEL.data for i in iterators().data]
    operands = tuple(op.operands)[: len(maps)]
    first_output = len(maps) - outputs
    if not all(_is_once(map_, parallel) for map_ in maps[first_output:]):
        return order
    accesses: list[Access] = []
    for at, (map_, operand) in enumerate(zip(maps, operands, strict=True)):
        strides = _strides(map_, operand.type)
        if strides is None:
            return order
        count = int(bool(body.args[at].uses)) + int(at >= first_output)
        accesses.append(Access(strides, count))
    integers = all(_is_integer(operand.type) for operand in operands[first_output:])
    sizes = _static_sizes(maps, operands)
    costs = [
        _cost(loop, accesses, parallel[loop], integers, sizes[loop]) for loop in order
    ]
    # A reduction may follow parallel loops, but not change places with another reduction.
    reductions = [loop for loop in order if not parallel[loop]]
    candidates = [loop for loop in order if parallel[loop] or loop == reductions[-1]]
    best = min(reversed(candidates), key=costs.__getitem__)
    if costs[best] >= GAIN * costs[order[-1]]:
        return order
    order.remove(best)
    place = len(order)
    if _are_unrolled(reductions, sizes):
        # They vanish, and the loop around them is the innermost that is left.
        while place and order[place - 1] in reductions:
            place -= 1
    order.insert(place, best)
    return order


def _are_unrolled(loops: Sequence[int], sizes: Sequence[int | None]) -> bool:
    """Whether LLVM unrolls loops completely, nested in each other."""
    known = [size for loop in loops if (size := sizes[loop]) is not None]
    return len(known) == len(loops) and prod(known) <= UNROLLED


def _cost(
    loop: int,
    accesses: Sequence[Access],
    parallel: bool,
    integers: bool,
    size: int | None,
) -> float:
    """Estimate an iteration of the op with a loop innermost."""
    cost = 1.0 + sum(access.cost(loop) for access in accesses)
    if not parallel and not integers:
        cost += LATENCY
    elif all(access.strides[loop] in (0, 1) for access in accesses):
        cost /= LANES if size is None else min(max(size, 1), LANES)
    return cost if size is None else cost * (1 + 2 / max(size, 1))


def _is_pure(body: Block) -> bool:
    return all(is_side_effect_free(op) for op in body.ops if op is not body.last_op)


def _is_once(map_: AffineMap, parallel: Sequence[bool]) -> bool:
    """Whether different iterations of the parallel loops reach different elements."""
    found = {e.position for e in map_.results if isinstance(e, AffineDimExpr)}
    return all(dim in found for dim, is_parallel in enumerate(parallel) if is_parallel)


def _strides(map_: AffineMap, type_: Attribute) -> list[int | None] | None:
    """How far an iteration of each loop moves in an operand; None if that is not the
    same for all iterations."""
    if not is_memref(type_):
        return [0 for _ in range(map_.num_dims)]
    layout = strides_and_offset_of(type_)
    if layout is None:
        return None
    form = linearized(map_.results, layout[0], map_.num_dims)
    return None if form is None else list(form[0])


def _static_sizes(
    maps: Sequence[AffineMap], operands: Sequence[SSAValue]
) -> list[int | None]:
    sizes: list[int | None] = [None] * maps[0].num_dims
    for map_, operand in zip(maps, operands, strict=True):
        shape = shape_of(operand.type)
        if shape is None:
            continue
        for expr, size in zip(map_.results, shape, strict=True):
            if isinstance(expr, AffineDimExpr) and size != DYNAMIC_INDEX:
                sizes[expr.position] = size
    return sizes


def _is_integer(type_: Attribute) -> bool:
    element = type_.element_type if is_memref(type_) else type_
    return not isinstance(element, FixedBitwidthType) or isinstance(element, IntegerType)
