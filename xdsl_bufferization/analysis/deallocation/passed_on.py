"""Ops of a block that pass on what names a buffer: after them, it gets new names through
their results only.

    %a:2 = scf.for ... iter_args(%x = %f, %y = %g) { ... scf.yield %y, %x }
    %b:2 = scf.for ... iter_args(%x = %a#0, %y = %a#1) { ... scf.yield %y, %x }
    call @look(%b#0)

The second loop passes on %f, %g, %a#0 and %a#1: what uses a buffer after it uses one of
these four, a result of the loop, or what is made of its results. Where %b#0 is not the
same buffer as %b#1, its last use is found without a search through all that was before
the loop. That keeps the search for the last uses in a chain of loops linear.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.memory_effects import is_memref


@dataclass
class _Names:
    """Memrefs that lead to one another in any way."""

    use: float
    """The number of the last op that uses one; infinite if it is not known."""
    place: float
    """The place in the block of the last op that makes one of another, which is used."""

    def add(self, other: _Names) -> None:
        self.use = max(self.use, other.use)
        self.place = max(self.place, other.place)


def find_ops_that_pass_on(
    block: Block,
    origins: BufferOrigins,
    last_use: Callable[[SSAValue], float],
    is_used: Callable[[SSAValue], bool],
    arguments: Collection[SSAValue],
) -> Mapping[Operation, float]:
    """Return the ops of `block` that pass on what may be in one allocation with one of
    their results: whatever is from before the op or from inside of it, except for
    `arguments` of the function. For each, return a number that is not less than that of
    the last op that uses one of those memrefs itself.

    An op that may get a memref from before the block that is none of `arguments` is not
    found, for others may be in the same allocation.

    Args:
        last_use: the number of the last op that uses a memref itself; infinite if it is
            not known.
        is_used: whether an op uses a memref or what is made of it.
    """
    made = [list(_memrefs_made_by(op)) for op in block.ops]
    place = {value: i for i, values in enumerate(made) for value in values}
    roots: DisjointSet[SSAValue] = DisjointSet()
    names: dict[SSAValue, _Names] = {}
    """By what `roots` finds for one of them."""
    found: dict[Operation, float] = {}
    for here, (op, values) in enumerate(zip(block.ops, made, strict=True)):
        flow = [
            (value, source)
            for value in values
            for source in origins.direct_sources(value)
            if source not in arguments
        ]
        before = [
            names[roots.find(source)] if source in place else _Names(math.inf, math.inf)
            for _, source in flow
            if place.get(source) != here
        ]
        for value in values:
            made_of_it = filter(is_used, origins.direct_dependents(value))
            last = max((place.get(each, -1) for each in made_of_it), default=-1)
            names[value] = _Names(last_use(value), last)
            roots.add(value)
        inside = [names[value] for value in values if value.owner is not op]
        if all(each.place <= here for each in (*before, *inside)):
            uses = (each.use for each in (*before, *inside))
            found[op] = max(uses, default=-1)
        for value, source in flow:
            if source not in place:
                names[roots.find(value)].add(_Names(math.inf, math.inf))
                continue
            joined = names[roots.find(value)], names[roots.find(source)]
            roots.union(value, source)
            for each in joined:
                names[roots.find(value)].add(each)
    return found


def _memrefs_made_by(op: Operation) -> Iterator[SSAValue]:
    for inner in walk(op):
        yield from filter(is_memref, inner.results)
        for region in inner.regions:
            for block in region.blocks:
                yield from filter(is_memref, block.args)
