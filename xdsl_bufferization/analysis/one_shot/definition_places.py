"""Where the definitions of a value are, without a list of all of them.

A value that one of several tensors may become, step by step, has as many definitions as
there are steps before it:

    %b1 = arith.select %c1, %s1, %b0
    %b2 = arith.select %c2, %s2, %b1          // defined by %s2, %s1 and all before

The lists of all definitions of all such values are of quadratic size. But the rules about
a definition ask where it is rather than which one it is. Definitions that no reader of
the value can tell apart by that are one *place*:

- those that are made directly in one block, around the value or its own;
- those that are made deeper, inside ops of that block that the value has come out of. No
  reader of the value is inside these ops;
- of these, those from a loop that the value has left;
- the arguments of one block.

So the number of places of a value depends on how many blocks are around it, and of how
many blocks it may be an argument, but not on the number of its definitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from xdsl.ir import BlockArgument, OpResult, SSAValue

from xdsl_bufferization.analysis.one_shot.program_order import (
    BlockInfo,
    OpNode,
    ProgramOrder,
    RegionInfo,
)
from xdsl_bufferization.analysis.one_shot.state import MemoizedAnalysisState
from xdsl_bufferization.interfaces.operands import op_of
from xdsl_bufferization.interfaces.types import TENSOR_TYPES


class Depth(Enum):
    """Where definitions are, relative to the block of their place."""

    DIRECT = "directly in the block"
    INSIDE = "inside ops of the block"
    INSIDE_LOOP = "inside a loop in the block"


class Place:
    """Definitions of a value that are in one place.

    Attributes:
        block: the innermost block that contains them and every reader of the value.
        depth: where they are in that block.
        argument_block: of block arguments, their block; None for results of ops.
        low: the position from which on a write may come after one of them.
        points: the positions, before `low`, of ops with regions that are among them: a
            write by such an op itself counts, but none inside it.
        first: the first two of them, in the order of the program.
        has_more: whether there may be others.
    """

    __slots__ = (
        "argument_block",
        "block",
        "depth",
        "first",
        "has_more",
        "low",
        "points",
    )

    def __init__(
        self,
        block: BlockInfo,
        depth: Depth,
        argument_block: BlockInfo | None,
        low: int,
        points: tuple[int, ...],
        first: tuple[SSAValue, ...],
        has_more: bool,
    ):
        self.block = block
        self.depth = depth
        self.argument_block = argument_block
        self.low = low
        self.points = points
        self.first = first
        self.has_more = has_more

    @property
    def is_direct(self) -> bool:
        """Whether the definitions are in `block` itself."""
        return self.depth is Depth.DIRECT


class DefinitionPlaces:
    """The places of the definitions of all values of one numbered program.

    Args:
        state: knows which values have the buffer of others.
        order: the numbering of the ops.
    """

    def __init__(self, state: MemoizedAnalysisState, order: ProgramOrder):
        self._state = state
        self._order = order
        self._known: dict[SSAValue, tuple[Place, ...]] = {}

    def of(self, value: SSAValue) -> tuple[Place, ...]:
        """The places of the definitions of a value; none if nothing defines it."""
        known = self._known
        found = known.get(value)
        if found is not None:
            return found
        stack = [value]
        visiting: set[SSAValue] = set()
        while stack:
            current = stack[-1]
            if current in known:
                stack.pop()
                continue
            sources = self._state.definition_sources(current)
            if sources is None:
                known[current] = (self._place_of(current),)
                stack.pop()
                continue
            missing = [s for s in sources if s not in known and s not in visiting]
            if missing:
                visiting.add(current)
                stack.extend(missing)
                continue
            stack.pop()
            known[current] = self._places_of_result(current, sources)
        return known[value]

    def loop_of(self, place: Place) -> RegionInfo | None:
        """The nearest repetitive region around the definitions that may also be around a
        reader; None if they are in a loop that no reader is in."""
        if place.depth is Depth.INSIDE_LOOP:
            return None
        return self._order.enclosing_repetitive_region(place.block)

    def _place_of(self, definition: SSAValue) -> Place:
        order = self._order
        points: tuple[int, ...] = ()
        if isinstance(definition, BlockArgument):
            block = order.blocks[definition.block]
            return Place(
                block, Depth.DIRECT, block, block.start, points, (definition,), False
            )
        assert isinstance(definition, OpResult)
        node = order.nodes[definition.op]
        block = node.block
        assert block is not None, "a value is defined inside the op that is analysed"
        low = node.enter
        if node.op.regions:
            low = node.exit + 1
        if node.unordered is not None:
            low = min(low, node.unordered.enter)
        if order.is_unstructured:
            level: BlockInfo | None = block
            while level is not None:
                if level.earlier_unordered is not None:
                    low = min(low, level.earlier_unordered)
                level = level.region.node.block
        if node.enter < low:
            points = (node.enter,)
        return Place(block, Depth.DIRECT, None, low, points, (definition,), False)

    def _places_of_result(
        self, value: SSAValue, sources: Sequence[SSAValue]
    ) -> tuple[Place, ...]:
        known = self._known
        owner = op_of(value)
        around = None
        if owner is not None and owner.regions:
            around = self._order.nodes[owner]
        lists = [known.get(source, ()) for source in sources]
        if around is None and all(places is lists[0] for places in lists):
            return lists[0] if lists else ()
        merged: dict[tuple[BlockInfo, Depth, BlockInfo | None], Place] = {}
        for places in lists:
            for place in places:
                if around is not None:
                    place = self._left(place, around)
                key = place.block, place.depth, place.argument_block
                other = merged.get(key)
                merged[key] = place if other is None else self._merge(other, place)
        return tuple(merged.values())

    def _left(self, place: Place, node: OpNode) -> Place:
        """The place as it is for readers of the results of an op with regions."""
        order = self._order
        inner = place.block.region.node
        if inner is not node and not order.is_inside(inner, node):
            return place
        block = node.block
        assert block is not None
        depth = Depth.INSIDE
        if place.depth is Depth.INSIDE_LOOP or order.enclosing_repetitive_region(
            place.block
        ) is not order.enclosing_repetitive_region(block):
            depth = Depth.INSIDE_LOOP
        low = place.low
        if place.argument_block is None and any(
            isinstance(operand.type, TENSOR_TYPES) for operand in node.op.operands
        ):
            # The op itself may write, and is not over when the definition is made.
            low = min(low, node.enter)
        return Place(
            block,
            depth,
            place.argument_block,
            low,
            tuple(point for point in place.points if point < low),
            place.first,
            place.has_more,
        )

    def _merge(self, one: Place, other: Place) -> Place:
        """The place of the definitions of two places that cannot be told apart."""
        if one is other:
            return one
        low = min(one.low, other.low)
        first = sorted(
            dict.fromkeys((*one.first, *other.first)), key=self._order.position
        )
        return Place(
            one.block,
            one.depth,
            one.argument_block,
            low,
            tuple(dict.fromkeys(p for p in (*one.points, *other.points) if p < low)),
            tuple(first[:2]),
            one.has_more or other.has_more or len(first) > 2,
        )
