"""The checker of memory plans: is any buffer in an arena overwritten while it is live?

A *place* is a view of an arena at a constant offset: memref.view of bytes, with a type of
static size. A *name* is a place, or a memref that one is forwarded to: a block
argument, or a result of an op with regions, of a call or of arith.select. The checker
interprets the program forward. At each point, every name is fresh, used or lost:

    memref.view makes a place                     fresh
    a place is forwarded to a name                as the place
    an access to it                               used
    an access to another one of the same memory   lost, if it was used

An access to a lost name is an error: another buffer has used its memory. A use of its
address is an access, and so is one of what is computed of it. A fresh name has nothing to
lose. A place may be in another one, whose bytes are an arena again: an access to it is
one to both. An access to a name does not affect other names of the same place, unless the
place is created again: names that it was forwarded to may refer to the earlier one, which
is elsewhere only if the arena is allocated again as well. An access to the arena itself,
or to a view of it that is no place, is one to all of its bytes. At joins, a name may have
the union of its states; regions are iterated to the fixpoint.

A choice of places takes one for a new buffer: older names of all of them are lost, but
for those that the choice compares with the places (`checkers/rotations.py`).

What an op may access later without a name must not be overwritten at all: the operands
of a transfer that goes on, of an op that makes something else than a number of them, or
stores or forwards their addresses, be it in a function that is called, and what is used
in a region that may run after its op.

An arena that has been freed, here or by a function that is called, is neither accessed
nor viewed until it is allocated again.

A call may return the operands that the function is known to return; if it is not known,
those with the same element type, and no other view of them.

The checker uses no live ranges: it computes neither first nor last uses, and numbers no
ops.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import accumulate, combinations

from xdsl.dialects import arith, func
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xdsl_bufferization.analysis.facts.block_graph import reachable_blocks
from xdsl_bufferization.analysis.facts.buffer_uses import (
    keeps_pointer,
    may_go_on,
    may_hold,
    only_computes,
)
from xdsl_bufferization.analysis.facts.forwarded_values import (
    ForwardedValues,
    RegionGraph,
)
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.checkers.arena_calls import ArenaCalls
from xdsl_bufferization.checkers.arena_memory import ArenaMemory
from xdsl_bufferization.checkers.arenas import WrongPlan, check_arenas
from xdsl_bufferization.checkers.places import (
    Place,
    Unions,
    arena_of,
    each_bit,
    memrefs_in,
    name_of,
    name_of_op,
    place_of,
    renamed_by,
    union,
    where,
)
from xdsl_bufferization.checkers.plan_state import State
from xdsl_bufferization.checkers.rotations import Rotation
from xdsl_bufferization.checkers.shared_arenas import SharedArenas, memory_of
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import is_memref
from xdsl_bufferization.interfaces.branch import BRANCH, get_successor_operands
from xdsl_bufferization.interfaces.buffer_view_flow import BUFFER_VIEW_FLOW
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
    get_forwarded_values,
)
from xdsl_bufferization.interfaces.view_like import pointer_uses

_SHOWN = 2
"""How many of the places that a name may be are described."""

_NO_ACCESS = frozenset(
    ("memref.dim", "memref.rank", "memref.extract_aligned_pointer_as_index")
)
"""Ops that look at a memref, not at what is in it."""


def check_memory_plan(root: Operation) -> list[WrongPlan]:
    """Check all functions under `root`. Return the errors, in no particular order."""
    functions = FunctionTable(root)
    calls = ArenaCalls(functions, root)
    return [
        *check_arenas(functions, calls),
        *(
            wrong
            for function in walk(root)
            if isinstance(function, func.FuncOp)
            and function.body.blocks.first is not None
            for wrong in _Function(function, calls).check()
        ),
    ]


@dataclass
class _Function:
    function: func.FuncOp
    calls: ArenaCalls
    memory: ArenaMemory = field(init=False)
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
    names: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """The names that are not places of an arena of their own, by their bits."""
    graphs: dict[Operation, RegionGraph] = field(
        default_factory=dict[Operation, RegionGraph]
    )
    in_arena: dict[SSAValue | Attribute, int] = field(
        default_factory=dict[SSAValue | Attribute, int]
    )
    """For an arena the bits of its places and of the names that they are forwarded to."""
    losers: dict[int, int | Operation] = field(default_factory=dict[int, int | Operation])
    """For the bit of a name that has been lost that of the one that was accessed then, or
    the op that accessed the arena."""
    holders: dict[int, Operation] = field(default_factory=dict[int, Operation])
    """For the bit of a place the op that holds it."""
    rotations: dict[Operation | Block, Rotation] = field(
        default_factory=dict["Operation | Block", Rotation]
    )
    """By the last of the ops that choose one of some places."""
    addressed: dict[Operation, list[SSAValue]] = field(
        default_factory=dict[Operation, list[SSAValue]]
    )
    """For an op the memrefs whose address, or what is computed of that, it uses."""
    keepers: dict[Operation, list[SSAValue]] = field(
        default_factory=dict[Operation, list[SSAValue]]
    )
    """For an op those of which it may keep it, so that its uses are not known."""
    accessed_in: list[int] = field(default_factory=list[int])
    """For each op around whose regions may go on after it the names accessed in them."""
    reached: dict[int, int] = field(default_factory=dict[int, int])
    """For the bit of a name those of the places that it may be, or may be in."""
    inside: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """For an op the bits of the names that its regions define."""
    wrong: dict[tuple[Operation, int], WrongPlan] = field(
        default_factory=dict[tuple[Operation, int], WrongPlan]
    )

    def check(self) -> list[WrongPlan]:
        targets = self._find_targets()
        overlapping = self._find_places(targets)
        if self.bits:
            self._find_names(overlapping, targets)
            arenas = (place.arena for place in self.places.values())
            self.memory = ArenaMemory.of(self.function, arenas, self.calls)
            self._find_addresses()
            self._find_rotations()
            self._run_region(self.function.body, State())
        return list(self.wrong.values())

    # Places, and which memrefs are in them

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
            self.names[bit] = value
            for place in each_bit(found & ~bit):
                self.forwarded[place] = self.forwarded.get(place, 0) | bit
        for bit, place in self.places.items():
            # A place in another one.
            if reached[bit] != bit:
                self.around[bit] = self._name(place.arena)
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
            buffer = self._viewed(op.source)
            if not self._names_in(buffer):
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

    def _name(self, value: SSAValue) -> int:
        """Return the bit of the name that a memref is a view of, 0 if none."""
        return self.bits.get(self._viewed(value), 0)

    def _names_in(self, value: SSAValue) -> int:
        """Return the bit of the name that a memref is a view of, or those of the names in
        it if it is an arena."""
        viewed = self._viewed(value)
        return self.bits.get(viewed, 0) or self.in_arena.get(memory_of(viewed), 0)

    def _viewed(self, value: SSAValue) -> SSAValue:
        """Return the name that a memref is a view of, or the memref that is no view."""
        while value not in self.bits:
            source = _view_source(value)
            if source is None:
                break
            value = source
        return value

    # Following the program

    def _run_region(self, region: Region, state: State) -> State:
        """Return the state at the end of a region, of any block that leaves it."""
        first = region.blocks.first
        assert first is not None
        end = State.nowhere()
        at_start: dict[Block, State] = {first: state}
        # A block after those before it, so that only cycles are followed several times.
        order = reachable_blocks(region)
        number = {block: index for index, block in enumerate(order)}
        work = [0]
        while work:
            block = order[heappop(work)]
            current = at_start[block].copy()
            for op in block.ops:
                self._run(op, current)
            last = block.last_op
            if last is None or not last.successors:
                end.join(current)
                continue
            model = BRANCH.lookup(last)
            for index, after in enumerate(last.successors):
                entering = current.copy()
                if model is not None:
                    sent = get_successor_operands(model, last, index)
                    self._bind(sent, after.args, current, entering)
                if after not in at_start:
                    at_start[after] = entering
                elif not at_start[after].join(entering):
                    continue
                if number[after] not in work:
                    heappush(work, number[after])
        return end

    def _bind(
        self,
        sent: Sequence[SSAValue],
        received: Sequence[SSAValue],
        before: State,
        after: State,
    ) -> None:
        """Forward values along an edge: all at once, as they were before."""
        for source, target in zip(sent, received, strict=True):
            bit = self.bits.get(target, 0)
            if bit:
                after.bind(bit, self._name(source), self.reached[bit], before)
            self._bind_memory(target, (source,), before, after)

    def _bind_memory(
        self, target: SSAValue, sources: Sequence[SSAValue], before: State, after: State
    ) -> None:
        """Let a name be the memory of others, as it was before."""
        bit = self.memory.bit(target)
        if not bit:
            return
        known = [self.memory.bit(source) for source in sources]
        freed = [each for each in known if each & before.freed]
        after.freed = after.freed | bit if freed else after.freed & ~bit
        for each in freed:
            if each in self.memory.freers:
                self.memory.freers.setdefault(bit, self.memory.freers[each])
        for root in each_bit(self.memory.roots_of[bit]):
            earlier = before.earlier.get(root, 0)
            is_earlier = known and all(
                each & earlier or not self.memory.roots_of.get(each, 0) & root
                for each in known
            )
            names = after.earlier.pop(root, 0) & ~bit | (bit if is_earlier else 0)
            if names:
                after.earlier[root] = names

    def _run(self, op: Operation, state: State) -> None:
        result = self.bits.get(op.results[0], 0) if op.results else 0
        if isinstance(op, memref.ViewOp) and result:
            self._find_freed(op, op.operands[0], state)
            if not result & self.in_new_memory:
                self._find_held(op, result, result, state)
                older = self.forwarded.get(result, 0) & state.used
                if older:
                    state.older[result] = state.older.get(result, 0) | older
            state.bind(result, 0, self.reached[result])
            return
        if op.name in _NO_ACCESS:
            return
        renamed = renamed_by(op)
        # The shape of a memref.reshape is read.
        unused = _forwarded_operands(op) if renamed is None else (renamed,)
        operands = [self._viewed(each) for each in op.operands if each not in unused]
        accessed = (*operands, *self.addressed.get(op, ()))
        # Twice: what an op reads must not be lost by what the same op writes, either.
        for each in (*accessed, *accessed):
            self._access(op, each, state)
        if renamed is None and may_hold(op):
            self._hold(op, union(map(self._name, op.operands)), state)
        for each in (*self.calls.kept_by(op), *self.keepers.get(op, ())):
            # Of an arena what is in it by now.
            bit = self._name(each)
            self._hold(op, bit or self._names_in(each) & state.used, state)
        if renamed is not None:
            return
        if isinstance(op, func.CallOp):
            self._run_call(op, state)
        self._free(op, state)
        if any(region.blocks.first is not None for region in op.regions):
            if not may_go_on(op):
                self._run_regions(op, state)
                return
            self.accessed_in.append(0)
            self._run_regions(op, state)
            names = self.accessed_in.pop()
            if self.accessed_in:
                self.accessed_in[-1] |= names
            self._hold(op, names, state)
            return
        for target in op.results:
            self._define_memory(target, state)
            bit = self.bits.get(target, 0)
            if bit:
                sources = self.calls.possible_sources(target, ForwardedValues())
                names = union(map(self._name, sources))
                state.bind(bit, names, self.reached[bit])
        if op in self.rotations:
            self._choose(self.rotations[op], result, state)

    def _choose(self, rotation: Rotation, chosen: int, state: State) -> None:
        """Take one of some places for a new buffer. What has been there before is lost,
        but for the names that are surely not in the chosen place."""
        older = union(
            state.older.get(self.bits[place.value], 0) for place in rotation.places
        )
        kept = chosen | union(map(self._name, rotation.others))
        lost = older & state.used & ~kept
        for each in each_bit(lost & ~state.lost):
            self.losers[each] = chosen
        state.lost |= lost

    def _run_call(self, op: func.CallOp, state: State) -> None:
        """Check the memory in which a function that is called puts its own buffers."""
        effects = self.calls.of(op)
        if effects is None:
            return
        for each in effects.globals:
            self._lose(op, self.in_arena.get(each, 0), state)
        for number in sorted(effects.fills):
            arena = op.arguments[number]
            for other, operand in enumerate(op.arguments):
                if other == number or not is_memref(operand.type):
                    continue
                if self._shares(operand, arena) and (op, 0) not in self.wrong:
                    used = self._name(operand)
                    what = self._describe(used) if used else name_of(operand)
                    self.wrong[op, 0] = WrongPlan(
                        op,
                        f"@{op.callee.string_value()} puts buffers of its own in "
                        f"argument {number}, but argument {other}, {what}, is in the "
                        "same memory; pass an arena that no other argument is in",
                    )

    def _shares(self, value: SSAValue, other: SSAValue) -> bool:
        """Return whether two buffers may be the same one, or one in the other."""
        one, two = self._name(value), self._name(other)
        if not one or not two:
            return not one and not two and self._is_same_memory(value, other)
        around_one, around_two = self.reached[one], self.reached[two]
        return bool(
            self._innermost(around_one) & around_two
            or self._innermost(around_two) & around_one
        )

    def _is_same_memory(self, value: SSAValue, other: SSAValue) -> bool:
        one, two = self._viewed(value), self._viewed(other)
        return memory_of(one) == memory_of(two) or not self.shared.differ(one, two)

    def _innermost(self, places: int) -> int:
        """Return the places that none of the others is in."""
        return places & ~union(
            self.reached[place] & ~place
            for place in each_bit(places)
            if place in self.around
        )

    def _free(self, op: Operation, state: State) -> None:
        """Free what an op frees."""
        for value in self.calls.freed_by(op) if self.memory.bits else ():
            freed = self.memory.same(value, state.earlier)
            for bit in each_bit(freed & ~state.freed):
                self.memory.freers[bit] = op
            state.freed |= freed

    def _hold(self, op: Operation, names: int, state: State) -> None:
        """Let an op access names without saying so from now on."""
        for bit in each_bit(names):
            places = self._innermost(self.reached[bit])
            for place in each_bit(places & ~state.held):
                self.holders[place] = op
            state.held |= places

    def _find_held(self, op: Operation, bit: int, names: int, state: State) -> None:
        """Find out whether an op uses the memory of names that are held, through another
        one that is given by its bit; 0 for the arena itself."""
        found = names & state.held
        for held in each_bit(found):
            holder = self.holders[held]
            how = self._describe(bit) if bit else "the arena itself"
            if bit == held:
                how = "the memory of an earlier buffer"
            self.wrong[op, held] = WrongPlan(
                op,
                f"'{name_of_op(op)}' uses {how}, but '{name_of_op(holder)}'"
                f"{where(holder)} may go on using what is there: {self._describe(held)}; "
                "give one of them another place",
            )
        # Once for each that is held.
        state.held &= ~found

    def _define_memory(self, target: SSAValue, state: State) -> None:
        """Define a result of an op without regions: new memory, or what it is chosen
        from."""
        state.held &= ~self.in_arena.get(target, 0) | self.in_forwarded
        bit = self.memory.bits.get(target, 0)
        if not bit:
            return
        if bit in self.memory.names_of:
            state.freed &= ~bit
            others = self.memory.names_of[bit] & ~bit
            if others:
                state.earlier[bit] = others
        else:
            sources = self.calls.sources(target, ForwardedValues())
            self._bind_memory(target, sources, state.copy(), state)

    def _find_freed(self, op: Operation, value: SSAValue, state: State) -> bool:
        """Return whether the memory of a value that is used may have been freed."""
        bit = self.memory.bit(value)
        if not bit & state.freed:
            return False
        if (op, -bit) not in self.wrong:
            used = self._name(value)
            what = self._describe(used) if used else name_of(value)
            # A name that it has got since then may be all that is known of it.
            freer = self.memory.freers.get(bit)
            freed = (
                "the arena has been freed"
                if freer is None
                else f"'{freer.name}'{where(freer)} has freed the arena"
            )
            self.wrong[op, -bit] = WrongPlan(
                op, f"'{op.name}' uses {what}, but {freed}; free it after the last use"
            )
        return True

    def _access(self, op: Operation, value: SSAValue, state: State) -> None:
        """Access a name and the places that it is in, or an arena."""
        if self._find_freed(op, value, state):
            return
        bit = self.bits.get(value, 0)
        if not bit:
            self._lose(op, self.in_arena.get(memory_of(value), 0), state)
        if self.accessed_in:
            self.accessed_in[-1] |= bit
        while bit:
            if bit & state.used & state.lost and (op, bit) not in self.wrong:
                self.wrong[op, bit] = WrongPlan(op, self._describe_loss(op, bit))
            state.used |= bit
            lost = self.overlapping[bit] | state.older.get(bit, 0)
            self._find_held(op, bit, lost, state)
            for each in each_bit(lost & state.used & ~state.lost):
                self.losers[each] = bit
            state.lost |= lost & state.used
            bit = self.around.get(bit, 0)

    def _lose(self, op: Operation, names: int, state: State) -> None:
        """Lose names that are somewhere in the memory that an op accesses."""
        # Nobody knows when it ends, but it must before the arena is freed.
        if not isinstance(op, memref.DeallocOp):
            self._find_held(op, 0, names, state)
        lost = names & state.used
        self.losers.update(dict.fromkeys(each_bit(lost & ~state.lost), op))
        state.lost |= lost

    def _describe_loss(self, op: Operation, bit: int) -> str:
        sources = [bit, *each_bit(self.forwarded_from.get(bit, 0))]
        recorded = (self.losers[each] for each in sources if each in self.losers)
        other = next(recorded, self.overlapping[bit] & -self.overlapping[bit] or bit)
        if isinstance(other, Operation):
            return (
                f"'{op.name}' uses {self._describe(bit)}, but '{other.name}'"
                f"{where(other)} has accessed the arena itself since"
            )
        return (
            f"'{op.name}' uses a buffer, but another one has been in its memory since it "
            f"was used before: their offsets overlap\n  used: {self._describe(bit)}"
            f"\n  in its memory: {self._describe(other)}"
        )

    def _describe(self, bit: int) -> str:
        """Return the name, offset and size of a buffer, or of those that it may be."""
        place = self.places.get(bit)
        if place is not None:
            return str(place)
        found = [self.places[each] for each in each_bit(self.forwarded_from.get(bit, 0))]
        shown = ", or ".join(map(str, found[:_SHOWN]))
        more = f", or {len(found) - _SHOWN} others" if len(found) > _SHOWN else ""
        return f"{name_of(self.names[bit])}, which is {shown}{more}"

    def _run_regions(self, op: Operation, state: State) -> None:
        """Run the regions of an op until nothing changes, and continue after it."""
        graph = self.graphs.get(op)
        if graph is None:
            graph = self.graphs[op] = RegionGraph.of(op)
        model = REGION_BRANCH.lookup(op)
        entries: dict[Region, State] = {}
        after = State.nowhere()
        work: list[Region] = []

        def go_from(point: Region | None, current: State) -> None:
            edges = [] if model is None else get_forwarded_values(model, op, point)
            for successor in graph.successors.get(point, ()):
                entering = current.copy()
                received = list(successor.inputs)
                bound = [sent for sent, to in edges if list(to) == received]
                for sent in bound:
                    each = current.copy()
                    self._bind(sent, received, current, each)
                    if sent is bound[0]:
                        entering = each
                    else:
                        entering.join(each)
                region = successor.region
                if model is None and region is not None:
                    for target in region.blocks[0].args:
                        self._define_memory(target, entering)
                if region is None:
                    after.join(entering)
                elif region not in entries:
                    entries[region] = entering
                    work.append(region)
                elif entries[region].join(entering):
                    work.append(region)

        go_from(None, state)
        while work:
            region = work.pop()
            go_from(region, self._run_region(region, entries[region].copy()))
        state.used, state.lost = after.used, after.lost
        # What its regions define is defined again before the next use.
        outside = ~self.inside.get(op, 0)
        older = {place: names & outside for place, names in after.older.items()}
        state.older = {place: names for place, names in older.items() if names}
        state.freed, state.earlier, state.held = after.freed, after.earlier, after.held
        if model is None:
            for target in op.results:
                self._define_memory(target, state)


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


def _forwarded_operands(op: Operation) -> Sequence[SSAValue]:
    """Return the operands that are not accessed by an op, but become other names."""
    if (
        BRANCH.lookup(op) is not None
        or REGION_BRANCH_TERMINATOR.lookup(op) is not None
        or BUFFER_VIEW_FLOW.lookup(op) is not None
    ):
        return op.operands
    model = REGION_BRANCH.lookup(op)
    if model is None:
        return ()
    return [
        value
        for successor in model.get_successor_regions(op, None)
        for value in model.get_entry_successor_operands(op, successor.region)
    ]


def _view_source(value: SSAValue) -> SSAValue | None:
    owner = value.owner
    return renamed_by(owner) if isinstance(owner, Operation) else None
