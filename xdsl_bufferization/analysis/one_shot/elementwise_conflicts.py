"""Conflicts within one elementwise op, which reads and writes element by element.

Such an op may read the buffer that it writes, because it reads each element before
overwriting it. This requires that the read and the written tensor have each element at
the same position, or share no memory. If a value may be one of several buffers, this
must hold for each of them.

Tracing a value back to the values whose buffer it may have leads to its *origins*,
whose buffers come from no other value. They are computed once for all values of a cycle
(of loop-carried values), and stored as a bit set. On the way, the last values with all
elements at the same positions are its *places*: one, or a few where it may be one of
several tensors.

What a loop has carried from the iteration before was made from the values of that
iteration: a slice at the offset of this iteration is another part of the same buffer.
Places from before the loop are the same in both iterations, and new memory is memory of
its own in each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.traits import ConstantLike, IsolatedFromAbove

from xdsl_bufferization.analysis.facts.reached_values import ReachedValues
from xdsl_bufferization.analysis.facts.slices import begins_with_source
from xdsl_bufferization.analysis.facts.strongly_connected import strongly_connected
from xdsl_bufferization.analysis.one_shot.alias_sets import OperandInfo
from xdsl_bufferization.analysis.one_shot.program_order import BlockInfo, ProgramOrder
from xdsl_bufferization.analysis.one_shot.state import CASTS, DefaultAnalysisState
from xdsl_bufferization.interfaces.aliasing import AliasingOperand, BufferRelation
from xdsl_bufferization.interfaces.operands import get, op_of

_MOST_PLACES = 8
"""A value that may be more others than this is not compared with each of them."""


class ElementwiseRule:
    """The rule over one numbered program.

    Args:
        state: answers about the tensor program.
        order: the numbering of its ops.
    """

    def __init__(self, state: DefaultAnalysisState, order: ProgramOrder) -> None:
        self._state = state
        self._order = order
        # The origins whose buffer, or a part of it, a value may have: one bit each.
        self._origins = ReachedValues(self._own_origin, self._sources, _united)
        self._origin_count = 0
        # Those that may be another name of the memory of others.
        self._open_origins = 0
        self._places: dict[SSAValue, frozenset[SSAValue]] = {}

    def applies(self, read: OperandInfo, write: OperandInfo) -> bool:
        """Whether both are operands of one elementwise op on the same buffer."""
        model = read.node.model
        return (
            model is not None
            and model.bufferizes_to_elementwise_access(
                read.node.op, (read.use, write.use), self._state
            )
            and (
                self._is_same_buffer(get(read.use), get(write.use))
                or self._is_same_buffer(get(write.use), get(read.use))
            )
        )

    def _is_same_buffer(self, value: SSAValue, goal: SSAValue) -> bool:
        """Whether a value has the buffer of `goal`, or sometimes that and sometimes one
        that shares nothing with it. MLIR 22 only asks for a path between them."""
        return self._leads_to(value, goal) and (
            not self._may_overlap(value, goal) or self._are_same_or_apart(value, goal)
        )

    def _leads_to(self, start: SSAValue, goal: SSAValue) -> bool:
        """Return whether a path back from `start` through ops that keep the buffer, its
        position and its type (except for casts) reaches `goal`."""
        goal_position = self._order.position(goal)
        worklist = [start]
        visited: set[SSAValue] = set()
        while worklist:
            value = worklist.pop()
            if value is goal:
                return True
            if value in visited or self._order.is_before(value, goal_position):
                continue
            visited.add(value)
            owner = op_of(value)
            if owner is None or self._state.model(owner) is None:
                continue
            for alias in self._state.aliasing_operands(value):
                source = get(alias.operand)
                if alias.relation is BufferRelation.EQUIVALENT and (
                    source.type == value.type or owner.name in CASTS
                ):
                    worklist.append(source)
        return False

    def _may_overlap(self, start: SSAValue, goal: SSAValue) -> bool:
        """Return whether a value may be another part of the buffer of `goal`, on a path
        other than those on which its elements are at the same positions. MLIR 22
        overlooks that there may be several paths."""
        place = self._place_of(goal)
        place_position = self._order.position(place)
        ends = 0
        worklist = [(start, True)]
        visited: set[tuple[SSAValue, bool]] = set()
        while worklist:
            way = worklist.pop()
            if way in visited:
                continue
            visited.add(way)
            value, is_same = way
            if self._place_of(value) is place:
                if not is_same:
                    return True
                continue
            if self._is_settled(value, place_position):
                # From here on, no way leads there.
                ends |= self._origins.of(value)
                continue
            sources = self._state.aliasing_operands(value)
            if not sources:
                ends |= self._origins.of(value)
            for alias in sources:
                keeps = (
                    is_same
                    and _keeps_places(value, alias)
                    and self._is_also_there(place, value, alias)
                )
                worklist.append((get(alias.operand), keeps))
        return bool(ends) and bool(ends & self._origins.of(goal))

    def _is_settled(self, value: SSAValue, position: int) -> bool:
        """Whether nothing that leads to a value, from iterations before either, is
        defined at a position or after it."""
        owner = value.owner
        block: BlockInfo | None
        if isinstance(owner, Block):
            block = self._order.blocks[owner]
            last = block.start
        else:
            node = self._order.nodes[owner]
            block, last = node.block, node.exit
        while last < position and block is not None:
            region = block.region
            if region.repetitive or block.component is not None:
                last = region.end
            block = region.node.block
        return last < position

    def _are_same_or_apart(self, value: SSAValue, other: SSAValue) -> bool:
        """Whether two values, whatever they are of all that they may be, have each
        element at the same position, or share no memory."""
        return all(
            place is other_place or self._are_apart(place, other_place)
            for place in self._places_of(value)
            for other_place in self._places_of(other)
        )

    def _are_apart(self, value: SSAValue, other: SSAValue) -> bool:
        origins, others = self._origins.of(value), self._origins.of(other)
        return not origins & others and not (origins | others) & self._open_origins

    def _is_memory_of_its_own(self, origin: SSAValue) -> bool:
        """Whether an origin is an argument of a function, a constant, or new memory; not
        an argument of a loop, say, which may be what is known outside by another name."""
        owner = op_of(origin)
        if owner is None:
            return False
        if isinstance(origin, BlockArgument):
            return owner.has_trait(IsolatedFromAbove, value_if_unregistered=False)
        model = self._state.model(owner)
        return model is not None and (
            owner.has_trait(ConstantLike) or model.bufferizes_to_allocation(owner, origin)
        )

    def _place_of(self, value: SSAValue) -> SSAValue:
        """Return the first value whose elements are definitely at the same positions as
        those of this one; it is the same for all values with these positions."""
        places = self._places_of(value)
        return next(iter(places)) if len(places) == 1 else value

    def _places_of(self, value: SSAValue) -> frozenset[SSAValue]:
        """Return the first values one of which has its elements at the same positions as
        this one. What loops carry, and what may be many others, has its own place."""
        known = self._places.get(value)
        if known is not None:
            return known

        def sources(of: SSAValue) -> list[SSAValue]:
            return [] if of in self._places else self._sources(of)

        for component in strongly_connected([value], sources):
            cycle = set(component)
            for member in component:
                if member not in self._places:
                    self._places[member] = self._joined_places(member, cycle)
        return self._places[value]

    def _joined_places(
        self, value: SSAValue, cycle: Collection[SSAValue]
    ) -> frozenset[SSAValue]:
        found: set[SSAValue] = set()
        for alias in self._state.aliasing_operands(value):
            source = get(alias.operand)
            if source in cycle or not _keeps_places(value, alias):
                return frozenset((value,))
            places = self._places[source]
            if not all(self._is_also_there(place, value, alias) for place in places):
                return frozenset((value,))
            found |= places
        return frozenset(found if 0 < len(found) <= _MOST_PLACES else (value,))

    def _is_also_there(
        self, place: SSAValue, value: SSAValue, alias: AliasingOperand
    ) -> bool:
        """Whether a place to which an alias of a value leads is the same place where the
        value is: the alias does not lead to the iteration before, or the place is from
        before the loop, or new memory in each iteration."""
        block = value.owner
        if not isinstance(block, Block):
            return True
        start = self._order.blocks[block].start
        return (
            self._order.nodes[alias.operand.operation].enter < start
            or self._order.position(place) < start
            or self._is_memory_of_its_own(place)
        )

    def _own_origin(self, value: SSAValue) -> int:
        """The bit of a value that is an origin; none of others."""
        if self._sources(value):
            return 0
        bit = 1 << self._origin_count
        self._origin_count += 1
        if not self._is_memory_of_its_own(value):
            self._open_origins |= bit
        return bit

    def _sources(self, value: SSAValue) -> list[SSAValue]:
        """The values whose buffer, or a part of it, a value may have."""
        return [get(alias.operand) for alias in self._state.aliasing_operands(value)]


def _united(origins: Iterable[int]) -> int:
    united = 0
    for bits in origins:
        united |= bits
    return united


def _keeps_places(value: SSAValue, alias: AliasingOperand) -> bool:
    """Whether equal indices mean the same element of a value and of one whose buffer it
    has."""
    owner = op_of(value)
    if owner is not None and begins_with_source(owner):
        return True
    return alias.relation is BufferRelation.EQUIVALENT and (
        (owner is not None and owner.name in CASTS)
        or get(alias.operand).type == value.type
    )
