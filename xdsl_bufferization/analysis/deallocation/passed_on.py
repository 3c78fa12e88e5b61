"""Ops of a block that pass on what names a buffer: after them, their results name it, and
few other memrefs at most.

    %a:2 = scf.for ... iter_args(%x = %f, %y = %g) { ... scf.yield %y, %x }
    %b:2 = scf.for ... iter_args(%x = %a#0, %y = %a#1) { ... scf.yield %y, %x }
    call @look(%b#0, %f)

Of what the second loop may pass on, which is %f, %g, %a#0 and %a#1, only %f is used after
it. Where %b#0 is not the same buffer as %b#1, its last use is found without a search
through all that was before the loop. That keeps the search for the last uses in a chain
of loops linear.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.memory_effects import memrefs_of

MOST_OPEN = 16
"""Of more memrefs that lead to one another and that are used later, none is told from the
others."""


class Kept(NamedTuple):
    """A memref from before or from inside of an op that is used after it."""

    value: SSAValue
    is_renamed: bool
    """Whether something is made of it after the op, which is used."""


class _Open(NamedTuple):
    """A memref that is used later."""

    value: SSAValue
    use: float
    """The number of the last op that uses it itself; infinite if it is not known."""
    place: float
    """The place in the block of the last op that makes another memref of it, which is
    used."""

    def is_open(self, number: float, place: float) -> bool:
        return self.use > number or self.place > place


@dataclass
class _Group:
    """Memrefs that lead to one another in any way."""

    open: list[_Open]
    """Those that are used later."""
    is_known: bool = True
    """Whether these are all."""

    def close(self, number: float, place: float) -> None:
        self.open = [each for each in self.open if each.is_open(number, place)]
        self.is_known = self.is_known and len(self.open) <= MOST_OPEN
        if not self.is_known:
            self.open.clear()


def find_ops_that_pass_on(
    block: Block,
    origins: BufferOrigins,
    number: Callable[[Operation], float],
    last_use: Callable[[SSAValue], float],
    is_used: Callable[[SSAValue], bool],
    arguments: Collection[SSAValue],
) -> Mapping[Operation, Sequence[Kept]]:
    """Return the ops of `block` that pass on their memrefs, and for each the memrefs from
    before and from inside of it that are used after it, and may be in one allocation with
    its results otherwise than as `arguments` of the function.

    An op that may get a memref from before the block that is none of `arguments` is not
    found, for others may be in the same allocation.

    Args:
        number: of an op of the block, ascending.
        last_use: the number of the last op that uses a memref itself; infinite if it is
            not known.
        is_used: whether an op uses a memref or what is made of it.
    """
    made = [list(memrefs_of(walk(op))) for op in block.ops]
    place = {value: i for i, values in enumerate(made) for value in values}
    roots: DisjointSet[SSAValue] = DisjointSet()
    groups: dict[SSAValue, _Group] = {}
    """By what `roots` finds for one of the memrefs."""
    found: dict[Operation, Sequence[Kept]] = {}
    for here, (op, values) in enumerate(zip(block.ops, made, strict=True)):
        now = (number(op), here)
        flow = [
            (value, source)
            for value in values
            for source in origins.direct_sources(value)
            if source not in arguments
        ]
        given = {
            roots.find(source): groups[roots.find(source)]
            for _, source in flow
            if place.get(source, here) < here
        }
        for group in given.values():
            group.close(*now)
        for value in values:
            made_of_it = filter(is_used, origins.direct_dependents(value))
            last = max((place.get(each, -1) for each in made_of_it), default=-1)
            roots.add(value)
            groups[value] = _Group([_Open(value, last_use(value), last)])
        inside = [groups[value] for value in values if value.owner is not op]
        for group in inside:
            group.close(*now)
        if all(source in place for _, source in flow) and all(
            group.is_known for group in given.values()
        ):
            open_ones = [each for g in (*given.values(), *inside) for each in g.open]
            found[op] = [Kept(each.value, each.place > here) for each in open_ones]
        for value, source in flow:
            into = roots.find(value)
            if source not in place:
                groups[into].is_known = False
            elif (other := roots.find(source)) is not into:
                left, right = groups.pop(into), groups.pop(other)
                roots.union(into, other)
                joined = _Group(left.open + right.open, left.is_known and right.is_known)
                joined.close(*now)
                groups[roots.find(into)] = joined
    return found
