"""Which arenas may be the same buffer.

A branch, an op with regions or a call may forward a buffer with views to another value
that has views of its own:

    %r:2 = scf.for ... iter_args(%p = %a, %q = %b) {
      %v = memref.view %p[%c0][] ...
      %w = memref.view %q[%c0][] ...
      scf.yield %q, %p
    }
    %u = memref.view %r#0[%c0][] ...

The *roots* of an arena are the buffers that it may be, from which no other value is
forwarded: here, %a and %b. Two arenas may be the same buffer if they have a root in
common. %p and %q have both in common, but are always different: whatever forwards
something to one of them forwards something different to the other one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Attribute, Block, SSAValue

from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.checkers.arena_calls import ArenaCalls
from xdsl_bufferization.checkers.places import start_of
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.shapes import is_memref


def memory_of(arena: SSAValue) -> SSAValue | Attribute:
    """Return what all values that are the same arena have in common."""
    op = arena.owner
    # Each memref.get_global of a name is the same buffer.
    return op.name_ if isinstance(op, memref.GetGlobalOp) else arena


@dataclass
class SharedArenas:
    """The buffers that arenas may be.

    Attributes:
        roots: for each arena, and what is forwarded to it, a bit for each of its roots.
        root_bits: the bit of each root.
    """

    calls: ArenaCalls
    roots: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    root_bits: dict[SSAValue | Attribute, int] = field(
        default_factory=dict["SSAValue | Attribute", int]
    )
    forwarded: ForwardedValues = field(default_factory=ForwardedValues)

    @staticmethod
    def of(arenas: Iterable[SSAValue], calls: ArenaCalls) -> SharedArenas:
        """Find the roots of some arenas."""
        self = SharedArenas(calls)
        targets: dict[SSAValue, list[SSAValue]] = {}
        found = [*dict.fromkeys(arenas)]
        seen = set(found)
        changed: list[SSAValue] = []
        for value in found:
            sources = self._sources(value)
            if not sources:
                key = memory_of(value)
                bit = self.root_bits.setdefault(key, 1 << len(self.root_bits))
                self.roots[value] = bit
                changed.append(value)
            for source in sources:
                targets.setdefault(source, []).append(value)
            new = [each for each in dict.fromkeys(sources) if each not in seen]
            found += new
            seen.update(new)
        while changed:
            value = changed.pop()
            for target in targets.get(value, ()):
                before = self.roots.get(target, 0)
                self.roots[target] = before | self.roots[value]
                if self.roots[target] != before:
                    changed.append(target)
        return self

    def roots_of(self, arena: SSAValue) -> int:
        """Return the bits of the roots of an arena; none if control never gets there."""
        return self.roots.get(arena, 0)

    def is_forwarded(self, arena: SSAValue) -> bool:
        """Whether an arena may be what another value is."""
        return self.roots_of(arena) != self.root_bits.get(memory_of(arena))

    def differ(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether two arenas are surely not the same buffer at any time."""
        # Assumed of all pairs that are followed, until one of them disproves it.
        work = [(one, other)]
        seen = set(work)
        for one, other in work:
            if not self.roots_of(one) & self.roots_of(other):
                continue
            if one is other or not _set_together(one, other):
                return False
            sources, others = self._sources(one), self._sources(other)
            if not sources or len(sources) != len(others):
                return False
            new = [pair for pair in zip(sources, others, strict=True) if pair not in seen]
            work += new
            seen.update(new)
        return True

    def _sources(self, value: SSAValue) -> Sequence[SSAValue]:
        # A view is a buffer of its own in an arena.
        if isinstance(value.owner, memref.ViewOp | memref.AllocOp | memref.AllocaOp):
            return ()
        sources = self.calls.possible_sources(value, self.forwarded)
        return [start_of(each) for each in sources if is_memref(each.type)]


def _set_together(one: SSAValue, other: SSAValue) -> bool:
    """Whether the same edges of control flow set two values."""
    owner = one.owner
    return owner is other.owner and (isinstance(owner, Block) or bool(owner.regions))
