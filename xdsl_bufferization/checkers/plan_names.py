"""The places and names of a memory plan (`memory_plan`): which there are, what they may
be, and which of them overlap. None of it depends on where in the program one is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations

from xdsl.dialects import arith, func
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xdsl_bufferization.analysis.facts.buffer_uses import (
    keeps_pointer,
    only_computes,
)
from xdsl_bufferization.analysis.facts.forwarded_values import (
    ForwardedValues,
)
from xdsl_bufferization.checkers.arena_calls import ArenaCalls
from xdsl_bufferization.checkers.arena_memory import ArenaMemory
from xdsl_bufferization.checkers.places import (
    Place,
    Unions,
    arena_of,
    each_bit,
    memrefs_in,
    name_of,
    place_of,
    renamed_by,
    union,
)
from xdsl_bufferization.checkers.rotations import Rotation
from xdsl_bufferization.checkers.shared_arenas import SharedArenas, memory_of
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.view_like import pointer_uses

_SHOWN = 2
"""How many of the places that a name may be are described."""


@dataclass
class PlanNames:
    """The places and names of a function. Each has a bit; places come first."""

    function: func.FuncOp
    calls: ArenaCalls
    bits: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """The names, each with its bit: places first."""
    places: dict[int, Place] = field(default_factory=dict[int, Place])
    """The places, by their bits."""
    shared: SharedArenas = field(init=False)
    in_forwarded: int = 0
    """The bits of the places in an arena that is forwarded from another value."""
    in_new_memory: int = 0
    """The bits of the places whose arena is allocated whenever they are made."""
    around: dict[int, int] = field(default_factory=dict[int, int])
    """For the bit of a place in another name that of the other."""
    overlapping: dict[int, int] = field(default_factory=dict[int, int])
    """For the bit of a name those of names that are somewhere else in its memory."""
    forwarded: dict[int, int] = field(default_factory=dict[int, int])
    """For the bit of a place those of names that it is forwarded to, and of places in
    it."""
    forwarded_from: dict[int, int] = field(default_factory=dict[int, int])
    """For the bit of a name that is not a place those of the places that it may be."""
    values: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """The names that are not places of an arena of their own, by their bits."""
    in_arena: dict[SSAValue | Attribute, int] = field(
        default_factory=dict[SSAValue | Attribute, int]
    )
    """For an arena the bits of its places and of the names that they are forwarded to."""
    reached: dict[int, int] = field(default_factory=dict[int, int])
    """For the bit of a name those of the places that it may be, or may be in."""
    inside: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """For an op the bits of the names that its regions define."""
    memory: ArenaMemory = field(init=False)
    addressed: dict[Operation, list[SSAValue]] = field(
        default_factory=dict[Operation, list[SSAValue]]
    )
    """For an op the memrefs whose address, or what is computed of that, it uses."""
    keepers: dict[Operation, list[SSAValue]] = field(
        default_factory=dict[Operation, list[SSAValue]]
    )
    """For an op those of which it may keep it, so that its uses are not known."""
    rotations: dict[Operation | Block, Rotation] = field(
        default_factory=dict["Operation | Block", Rotation]
    )
    """By the last of the ops that choose one of some places."""

    @staticmethod
    def of(function: func.FuncOp, calls: ArenaCalls) -> PlanNames:
        """Find all places of a function, and the names that they are forwarded to."""
        found = PlanNames(function, calls)
        targets = found._find_targets()
        overlapping = found._find_places(targets)
        if found.bits:
            found._find_names(overlapping, targets)
            arenas = (place.arena for place in found.places.values())
            found.memory = ArenaMemory.of(function, arenas, calls)
            found._find_addresses()
            found._find_rotations()
        return found

    def _find_places(self, targets: _Targets) -> dict[int, int]:
        """Return for each place those that overlap it."""
        views = [op for op in walk(self.function) if isinstance(op, memref.ViewOp)]
        shared = self.shared = SharedArenas.of(map(arena_of, views), self.calls)
        by_root: dict[int, list[_Extent]] = {}
        by_arena: dict[SSAValue, int] = {}
        refused = 0
        for op in views:
            place = place_of(op)
            if place is None:
                refused |= shared.roots_of(arena_of(op))
                continue
            bit = self.bits[place.value] = 1 << len(self.bits)
            self.places[bit] = place
            by_arena[place.arena] = by_arena.get(place.arena, 0) | bit
            for root in each_bit(shared.roots_of(place.arena)):
                by_root.setdefault(root, []).append((place.start, place.end, bit))
            if _is_in_new_memory(place):
                self.in_new_memory |= bit
        overlapping = dict.fromkeys(self.bits.values(), 0)
        filled: dict[int, int] = {}
        for root, extents in by_root.items():
            for bit, found in _find_overlaps(extents).items():
                overlapping[bit] |= found
            filled[root] = union(bit for start, end, bit in extents if start < end)
        for arena, bits in by_arena.items():
            roots = shared.roots_of(arena)
            # check_arenas refuses other views of an arena with places.
            if not roots & refused:
                found = union(filled.get(root, 0) for root in each_bit(roots))
                key = memory_of(arena)
                self.in_arena[key] = self.in_arena.get(key, 0) | found
            if shared.is_forwarded(arena):
                self.in_forwarded |= bits
        self._part(overlapping, by_arena, targets)
        return overlapping

    def _part(
        self,
        overlapping: dict[int, int],
        by_arena: Mapping[SSAValue, int],
        targets: _Targets,
    ) -> None:
        """Let places of arenas that always are different buffers not overlap, unless they
        are forwarded: to where the arenas may be others by now."""
        together: dict[Operation | Block, list[tuple[SSAValue, int]]] = {}
        for arena, bits in by_arena.items():
            if bits & self.in_forwarded:
                staying = union(
                    bit for bit in each_bit(bits) if self.places[bit].value not in targets
                )
                together.setdefault(arena.owner, []).append((arena, staying))
        for arenas in together.values():
            for (one, bits), (other, others) in combinations(arenas, 2):
                if bits and others and self.shared.differ(one, other):
                    for bit in each_bit(bits):
                        overlapping[bit] &= ~others
                    for bit in each_bit(others):
                        overlapping[bit] &= ~bits

    def _find_targets(self) -> _Targets:
        """Return for each memref its views and those that it is forwarded to."""
        forwarded = ForwardedValues()
        targets: dict[SSAValue, list[SSAValue]] = {}
        for target in memrefs_in(self.function):
            for source in self.calls.possible_sources(target, forwarded):
                targets.setdefault(source, []).append(target)
        return targets

    def _find_names(self, overlapping: dict[int, int], targets: _Targets) -> None:
        """Follow each place through views, branches, regions and calls."""
        reach = dict(self.bits)
        work = list(reach)
        while work:
            value = work.pop()
            for target in targets.get(value, ()):
                if reach[value] & ~reach.get(target, 0):
                    reach[target] = reach.get(target, 0) | reach[value]
                    work.append(target)
        reached = {bit: reach[value] for value, bit in self.bits.items()}
        for value, found in reach.items():
            bit = self.bits.get(value)
            if bit is None and _view_source(value) is None:
                bit = self.bits[value] = 1 << len(self.bits)
                self.forwarded_from[bit] = reached[bit] = found
            elif bit is None or found == bit:
                continue
            self.values[bit] = value
            for place in each_bit(found & ~bit):
                self.forwarded[place] = self.forwarded.get(place, 0) | bit
        for bit, place in self.places.items():
            # A place in another one.
            if reached[bit] != bit:
                self.around[bit] = self.name_at(place.arena)
        self.reached = reached
        forwarded = Unions(
            (bit, self.forwarded[bit])
            for bit in sorted(self.forwarded, key=self._position)
        )
        for bit, found in reached.items():
            around = union(overlapping[place] for place in each_bit(found))
            names = around | forwarded.of(around)
            # It may be one of its places while another name is another one of them.
            same = bit | found & ~around
            self.overlapping[bit] = names & ~same
        for value, bit in self.bits.items():
            around = value.owner if isinstance(value.owner, Block) else value.owner.parent
            op = None if around is None else around.parent_op()
            while op is not None and op is not self.function:
                self.inside[op] = self.inside.get(op, 0) | bit
                op = op.parent_op()
        for arena, found in self.in_arena.items():
            self.in_arena[arena] = found | forwarded.of(found)

    def _position(self, bit: int) -> tuple[int, int, int]:
        """Return what orders places so that those that overlap are side by side."""
        place = self.places[bit]
        return self.shared.roots_of(place.arena), place.start, place.end

    def _find_addresses(self) -> None:
        """Find the uses of the addresses of names, and of arenas."""
        for op in walk(self.function):
            if not isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
                continue
            buffer = self.viewed(op.source)
            if not self.names_in(buffer):
                continue
            for use in pointer_uses(op.results):
                if not only_computes(use.operation):
                    self.addressed.setdefault(use.operation, []).append(buffer)
                if keeps_pointer(use):
                    self.keepers.setdefault(use.operation, []).append(buffer)

    def _find_rotations(self) -> None:
        known: dict[Operation, bool] = {}
        for op in walk(self.function):
            if not isinstance(op, arith.SelectOp) or not self._chooses(op, known):
                continue
            user = op.result.get_user_of_unique_use()
            # It may go on with a choice that nothing else uses: one rotation for both.
            if (
                isinstance(user, arith.SelectOp)
                and user.lhs is op.result
                and self._chooses(user, known)
            ):
                continue
            rotation = Rotation.of(op)
            if rotation is not None:
                self.rotations[op] = rotation
                for each in rotation.comparisons:
                    self.addressed.pop(each, None)

    def _chooses(self, op: arith.SelectOp, known: dict[Operation, bool]) -> bool:
        """Whether a choice, and those that it may go on with, are between places."""
        links: list[arith.SelectOp] = []
        first: SSAValue = op.result
        while isinstance(first.owner, arith.SelectOp) and first.owner not in known:
            links.append(first.owner)
            first = first.owner.lhs
        owner = first.owner
        is_choice = isinstance(owner, arith.SelectOp)
        result = known[owner] if is_choice else self.bits.get(first) in self.places
        for link in reversed(links):
            result = result and self.bits.get(link.rhs) in self.places
            known[link] = result
        return result

    def name_at(self, value: SSAValue) -> int:
        """Return the bit of the name that a memref is a view of, 0 if none."""
        return self.bits.get(self.viewed(value), 0)

    def names_in(self, value: SSAValue) -> int:
        """Return the bit of the name that a memref is a view of, or those of the names in
        it if it is an arena."""
        viewed = self.viewed(value)
        return self.bits.get(viewed, 0) or self.in_arena.get(memory_of(viewed), 0)

    def viewed(self, value: SSAValue) -> SSAValue:
        """Return the name that a memref is a view of, or the memref that is no view."""
        while value not in self.bits:
            source = _view_source(value)
            if source is None:
                break
            value = source
        return value

    def share_memory(self, value: SSAValue, other: SSAValue) -> bool:
        """Return whether two buffers may be the same one, or one in the other."""
        one, two = self.name_at(value), self.name_at(other)
        if not one or not two:
            return not one and not two and self._is_same_memory(value, other)
        around_one, around_two = self.reached[one], self.reached[two]
        return bool(
            self.innermost(around_one) & around_two
            or self.innermost(around_two) & around_one
        )

    def _is_same_memory(self, value: SSAValue, other: SSAValue) -> bool:
        one, two = self.viewed(value), self.viewed(other)
        return memory_of(one) == memory_of(two) or not self.shared.differ(one, two)

    def innermost(self, places: int) -> int:
        """Return the places that none of the others is in."""
        return places & ~union(
            self.reached[place] & ~place
            for place in each_bit(places)
            if place in self.around
        )

    def describe(self, bit: int) -> str:
        """Return the name, offset and size of a buffer, or of those that it may be."""
        place = self.places.get(bit)
        if place is not None:
            return str(place)
        found = [self.places[each] for each in each_bit(self.forwarded_from.get(bit, 0))]
        shown = ", or ".join(map(str, found[:_SHOWN]))
        more = f", or {len(found) - _SHOWN} others" if len(found) > _SHOWN else ""
        return f"{name_of(self.values[bit])}, which is {shown}{more}"


def _is_in_new_memory(place: Place) -> bool:
    """Whether the arena of a place is allocated whenever the place is made, and may be
    there after that, unlike one that is freed itself."""
    allocation = place.arena.owner
    return (
        isinstance(allocation, memref.AllocOp)
        and allocation.parent is place.op.parent
        and not any(
            isinstance(use.operation, memref.DeallocOp) for use in place.arena.uses
        )
    )


_Targets = Mapping[SSAValue, Sequence[SSAValue]]

_Extent = tuple[int, int, int]
"""The first byte of a place, the one after its last, and its bit."""


def _find_overlaps(extents: Sequence[_Extent]) -> dict[int, int]:
    """Return for each place that is not empty those that share a byte with it: all that
    start before its end, but for those that end before its start."""
    found = [extent for extent in extents if extent[0] < extent[1]]
    starts = sorted((start, bit) for start, _, bit in found)
    ends = sorted((end, bit) for _, end, bit in found)
    started, ended = (
        list(accumulate((bit for _, bit in sides), int.__or__, initial=0))
        for sides in (starts, ends)
    )
    return {
        bit: started[bisect_left(starts, end, key=_position)]
        & ~ended[bisect_right(ends, start, key=_position)]
        & ~bit
        for start, end, bit in found
    }


def _position(side: tuple[int, int]) -> int:
    return side[0]


def _view_source(value: SSAValue) -> SSAValue | None:
    owner = value.owner
    return renamed_by(owner) if isinstance(owner, Operation) else None
