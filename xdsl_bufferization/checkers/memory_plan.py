"""The checker of memory plans: is any buffer in an arena overwritten while it is live?

A *place* is a view of an arena at a constant offset: memref.view of bytes, with a type of
static size. A *name* is a place, or a memref that one is forwarded to: a block
argument, or a result of an op with regions, of a call or of arith.select (`plan_names`).
The checker interprets the program forward. At each point, every name is fresh, used or
lost:

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

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from xdsl.dialects import func
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.analysis.facts.block_graph import reachable_blocks
from xdsl_bufferization.analysis.facts.buffer_uses import (
    may_go_on,
    may_hold,
)
from xdsl_bufferization.analysis.facts.forwarded_values import (
    ForwardedValues,
    RegionGraph,
)
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.checkers.arena_calls import ArenaCalls
from xdsl_bufferization.checkers.arenas import WrongPlan, check_arenas
from xdsl_bufferization.checkers.places import (
    each_bit,
    name_of,
    name_of_op,
    renamed_by,
    union,
    where,
)
from xdsl_bufferization.checkers.plan_names import PlanNames
from xdsl_bufferization.checkers.plan_state import State
from xdsl_bufferization.checkers.rotations import Rotation
from xdsl_bufferization.checkers.shared_arenas import memory_of
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
            for wrong in _Function(PlanNames.of(function, calls)).check()
        ),
    ]


@dataclass
class _Function:
    """The interpretation of a function with these names."""

    names: PlanNames
    graphs: dict[Operation, RegionGraph] = field(
        default_factory=dict[Operation, RegionGraph]
    )
    losers: dict[int, int | Operation] = field(default_factory=dict[int, int | Operation])
    """For the bit of a name that has been lost that of the one that was accessed then, or
    the op that accessed the arena."""
    holders: dict[int, Operation] = field(default_factory=dict[int, Operation])
    """For the bit of a place the op that holds it."""
    accessed_in: list[int] = field(default_factory=list[int])
    """For each op around whose regions may go on after it the names accessed in them."""
    wrong: dict[tuple[Operation, int], WrongPlan] = field(
        default_factory=dict[tuple[Operation, int], WrongPlan]
    )

    def check(self) -> list[WrongPlan]:
        if self.names.bits:
            self._run_region(self.names.function.body, State())
        return list(self.wrong.values())

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
            bit = self.names.bits.get(target, 0)
            if bit:
                after.bind(
                    bit, self.names.name_at(source), self.names.reached[bit], before
                )
            self._bind_memory(target, (source,), before, after)

    def _bind_memory(
        self, target: SSAValue, sources: Sequence[SSAValue], before: State, after: State
    ) -> None:
        """Let a name be the memory of others, as it was before."""
        bit = self.names.memory.bit(target)
        if not bit:
            return
        known = [self.names.memory.bit(source) for source in sources]
        freed = [each for each in known if each & before.freed]
        after.freed = after.freed | bit if freed else after.freed & ~bit
        for each in freed:
            if each in self.names.memory.freers:
                self.names.memory.freers.setdefault(bit, self.names.memory.freers[each])
        for root in each_bit(self.names.memory.roots_of[bit]):
            earlier = before.earlier.get(root, 0)
            is_earlier = known and all(
                each & earlier or not self.names.memory.roots_of.get(each, 0) & root
                for each in known
            )
            names = after.earlier.pop(root, 0) & ~bit | (bit if is_earlier else 0)
            if names:
                after.earlier[root] = names

    def _run(self, op: Operation, state: State) -> None:
        result = self.names.bits.get(op.results[0], 0) if op.results else 0
        if isinstance(op, memref.ViewOp) and result:
            self._find_freed(op, op.operands[0], state)
            if not result & self.names.in_new_memory:
                self._find_held(op, result, result, state)
                older = self.names.forwarded.get(result, 0) & state.used
                if older:
                    state.older[result] = state.older.get(result, 0) | older
            state.bind(result, 0, self.names.reached[result])
            return
        if op.name in _NO_ACCESS:
            return
        renamed = renamed_by(op)
        # The shape of a memref.reshape is read.
        unused = _forwarded_operands(op) if renamed is None else (renamed,)
        operands = [self.names.viewed(each) for each in op.operands if each not in unused]
        accessed = (*operands, *self.names.addressed.get(op, ()))
        # Twice: what an op reads must not be lost by what the same op writes, either.
        for each in (*accessed, *accessed):
            self._access(op, each, state)
        if renamed is None and may_hold(op):
            self._hold(op, union(map(self.names.name_at, op.operands)), state)
        for each in (*self.names.calls.kept_by(op), *self.names.keepers.get(op, ())):
            # Of an arena what is in it by now.
            bit = self.names.name_at(each)
            self._hold(op, bit or self.names.names_in(each) & state.used, state)
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
            bit = self.names.bits.get(target, 0)
            if bit:
                sources = self.names.calls.possible_sources(target, ForwardedValues())
                names = union(map(self.names.name_at, sources))
                state.bind(bit, names, self.names.reached[bit])
        if op in self.names.rotations:
            self._choose(self.names.rotations[op], result, state)

    def _choose(self, rotation: Rotation, chosen: int, state: State) -> None:
        """Take one of some places for a new buffer. What has been there before is lost,
        but for the names that are surely not in the chosen place."""
        older = union(
            state.older.get(self.names.bits[place.value], 0) for place in rotation.places
        )
        kept = chosen | union(map(self.names.name_at, rotation.others))
        lost = older & state.used & ~kept
        for each in each_bit(lost & ~state.lost):
            self.losers[each] = chosen
        state.lost |= lost

    def _run_call(self, op: func.CallOp, state: State) -> None:
        """Check the memory in which a function that is called puts its own buffers."""
        effects = self.names.calls.of(op)
        if effects is None:
            return
        for each in effects.globals:
            self._lose(op, self.names.in_arena.get(each, 0), state)
        for number in sorted(effects.fills):
            arena = op.arguments[number]
            for other, operand in enumerate(op.arguments):
                if other == number or not is_memref(operand.type):
                    continue
                if self.names.share_memory(operand, arena) and (op, 0) not in self.wrong:
                    used = self.names.name_at(operand)
                    what = self.names.describe(used) if used else name_of(operand)
                    self.wrong[op, 0] = WrongPlan(
                        op,
                        f"@{op.callee.string_value()} puts buffers of its own in "
                        f"argument {number}, but argument {other}, {what}, is in the "
                        "same memory; pass an arena that no other argument is in",
                    )

    def _free(self, op: Operation, state: State) -> None:
        """Free what an op frees."""
        for value in self.names.calls.freed_by(op) if self.names.memory.bits else ():
            freed = self.names.memory.same(value, state.earlier)
            for bit in each_bit(freed & ~state.freed):
                self.names.memory.freers[bit] = op
            state.freed |= freed

    def _hold(self, op: Operation, names: int, state: State) -> None:
        """Let an op access names without saying so from now on."""
        for bit in each_bit(names):
            places = self.names.innermost(self.names.reached[bit])
            for place in each_bit(places & ~state.held):
                self.holders[place] = op
            state.held |= places

    def _find_held(self, op: Operation, bit: int, names: int, state: State) -> None:
        """Find out whether an op uses the memory of names that are held, through another
        one that is given by its bit; 0 for the arena itself."""
        found = names & state.held
        for held in each_bit(found):
            holder = self.holders[held]
            how = self.names.describe(bit) if bit else "the arena itself"
            if bit == held:
                how = "the memory of an earlier buffer"
            self.wrong[op, held] = WrongPlan(
                op,
                f"'{name_of_op(op)}' uses {how}, but '{name_of_op(holder)}'"
                f"{where(holder)} may go on using what is there: "
                f"{self.names.describe(held)}; give one of them another place",
            )
        # Once for each that is held.
        state.held &= ~found

    def _define_memory(self, target: SSAValue, state: State) -> None:
        """Define a result of an op without regions: new memory, or what it is chosen
        from."""
        state.held &= ~self.names.in_arena.get(target, 0) | self.names.in_forwarded
        bit = self.names.memory.bits.get(target, 0)
        if not bit:
            return
        if bit in self.names.memory.names_of:
            state.freed &= ~bit
            others = self.names.memory.names_of[bit] & ~bit
            if others:
                state.earlier[bit] = others
        else:
            sources = self.names.calls.sources(target, ForwardedValues())
            self._bind_memory(target, sources, state.copy(), state)

    def _find_freed(self, op: Operation, value: SSAValue, state: State) -> bool:
        """Return whether the memory of a value that is used may have been freed."""
        bit = self.names.memory.bit(value)
        if not bit & state.freed:
            return False
        if (op, -bit) not in self.wrong:
            used = self.names.name_at(value)
            what = self.names.describe(used) if used else name_of(value)
            # A name that it has got since then may be all that is known of it.
            freer = self.names.memory.freers.get(bit)
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
        bit = self.names.bits.get(value, 0)
        if not bit:
            self._lose(op, self.names.in_arena.get(memory_of(value), 0), state)
        if self.accessed_in:
            self.accessed_in[-1] |= bit
        while bit:
            if bit & state.used & state.lost and (op, bit) not in self.wrong:
                self.wrong[op, bit] = WrongPlan(op, self._describe_loss(op, bit))
            state.used |= bit
            lost = self.names.overlapping[bit] | state.older.get(bit, 0)
            self._find_held(op, bit, lost, state)
            for each in each_bit(lost & state.used & ~state.lost):
                self.losers[each] = bit
            state.lost |= lost & state.used
            bit = self.names.around.get(bit, 0)

    def _lose(self, op: Operation, names: int, state: State) -> None:
        """Lose names that are somewhere in the memory that an op accesses."""
        # Nobody knows when it ends, but it must before the arena is freed.
        if not isinstance(op, memref.DeallocOp):
            self._find_held(op, 0, names, state)
        lost = names & state.used
        self.losers.update(dict.fromkeys(each_bit(lost & ~state.lost), op))
        state.lost |= lost

    def _describe_loss(self, op: Operation, bit: int) -> str:
        sources = [bit, *each_bit(self.names.forwarded_from.get(bit, 0))]
        recorded = (self.losers[each] for each in sources if each in self.losers)
        other = next(
            recorded,
            self.names.overlapping[bit] & -self.names.overlapping[bit] or bit,
        )
        if isinstance(other, Operation):
            return (
                f"'{op.name}' uses {self.names.describe(bit)}, but '{other.name}'"
                f"{where(other)} has accessed the arena itself since"
            )
        return (
            f"'{op.name}' uses a buffer, but another one has been in its memory since it "
            f"was used before: their offsets overlap\n  used: {self.names.describe(bit)}"
            f"\n  in its memory: {self.names.describe(other)}"
        )

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
        outside = ~self.names.inside.get(op, 0)
        older = {place: names & outside for place, names in after.older.items()}
        state.older = {place: names for place, names in older.items() if names}
        state.freed, state.earlier, state.held = after.freed, after.earlier, after.held
        if model is None:
            for target in op.results:
                self._define_memory(target, state)


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
