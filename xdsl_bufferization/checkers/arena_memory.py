"""The memory that arenas are in, and the names that it has.

A *root* is a memref that no other value is forwarded to: an allocation, an argument. The
names of its memory are the memrefs that it may be forwarded to, itself first. What frees
one of them frees the others, but for names that are known to be an earlier allocation.
Views are not names: they are what they are views of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.checkers.arena_calls import ArenaCalls
from xdsl_bufferization.checkers.places import Bases, each_bit, reached_from
from xdsl_bufferization.dialects import memref


@dataclass
class ArenaMemory:
    """The names of the memory of some arenas, each with its bit.

    Attributes:
        roots_of: for the bit of a name those of its roots.
        names_of: for the bit of a root those of its names.
        freers: for the bit of a name an op that has freed its memory.
    """

    bits: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    roots_of: dict[int, int] = field(default_factory=dict[int, int])
    names_of: dict[int, int] = field(default_factory=dict[int, int])
    freers: dict[int, Operation] = field(default_factory=dict[int, Operation])
    bases: Bases = field(default_factory=Bases)

    @staticmethod
    def of(
        function: Operation, arenas: Iterable[SSAValue], calls: ArenaCalls
    ) -> ArenaMemory:
        """Find the names of the memory of some arenas in a function."""
        memory = ArenaMemory()
        bases = memory.bases
        forwarded = ForwardedValues()
        found = dict.fromkeys(map(bases.of, arenas))
        work = list(found)
        roots: list[SSAValue] = []
        for value in work:
            sources = [bases.of(each) for each in calls.sources(value, forwarded)]
            # Each memref.get_global of a name is the same memory, which is never freed.
            if not sources and not isinstance(value.owner, memref.GetGlobalOp):
                roots.append(value)
            for each in sources:
                if each not in found:
                    found[each] = None
                    work.append(each)
        reach = reached_from(
            roots, lambda value: calls.sources(value, forwarded), function, bases
        )
        # The bits of the roots are the first ones: in reach they have the same.
        for index, (value, reached) in enumerate(reach.items()):
            bit = memory.bits[value] = 1 << index
            memory.roots_of[bit] = reached
            for root in each_bit(reached):
                memory.names_of[root] = memory.names_of.get(root, 0) | bit
        return memory

    def bit(self, value: SSAValue) -> int:
        """Return the bit of the name that a value is, or is a view of; 0 if none."""
        return self.bits.get(self.bases.of(value), 0) if self.bits else 0

    def same(self, value: SSAValue, earlier: Mapping[int, int]) -> int:
        """Return the bits of the names that may be the memory of a value.

        Args:
            earlier: for each root names that are not what it is now.
        """
        bit = self.bit(value)
        found = 0
        for root in each_bit(self.roots_of.get(bit, 0)):
            names = self.names_of[root]
            if bit == root:
                names &= ~earlier.get(root, 0)
            elif bit & earlier.get(root, 0):
                # It may be what was allocated before the root was allocated again.
                names &= ~root
            found |= names
        return found
