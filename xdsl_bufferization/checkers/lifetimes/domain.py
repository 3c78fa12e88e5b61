"""The facts about an allocation, and their updates along edges and by decisions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush

from xdsl.dialects.builtin import i1
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.checkers.lifetimes.conditions import Conditions
from xdsl_bufferization.checkers.lifetimes.flow import Edge, Flow, is_end
from xdsl_bufferization.checkers.lifetimes.intervals import EQ
from xdsl_bufferization.checkers.lifetimes.number import Condition
from xdsl_bufferization.checkers.lifetimes.numbering import Numbering
from xdsl_bufferization.checkers.lifetimes.state import State
from xdsl_bufferization.checkers.lifetimes.uses import (
    Key,
    Lazy,
    Uses,
    homes_of,
    only_renames_one,
)
from xdsl_bufferization.dialects import scf

Case = tuple[bool, State, tuple[Condition, ...]]
"""Whether something holds, what is known then, and what was assumed for that."""


class Domain:
    """Updates states with the facts about a program.

    Args:
        callee: the function that an op calls, if it is known.
    """

    def __init__(self, callee: Callable[[CallOp], FuncOp | None]) -> None:
        self.numbering = Numbering()
        self.flow = Flow(self.numbering)
        self.uses = Uses()
        self.conditions = Conditions(self.numbering, callee)
        self._passed = Lazy[Operation, _Passed | None](self._find_passed)

    def add(self, op: Operation) -> None:
        """Take an op into account. All ops must be, before a state is changed."""
        self.numbering.add(op)
        self.flow.add(op)

    # Decisions.

    def condition(self, value: SSAValue, truth: bool) -> Condition:
        found = self.numbering.condition(value)
        return found if truth else found.negated()

    def decide(self, state: State, condition: SSAValue | Condition) -> Iterator[Case]:
        """Return the possible values of a condition, and the known facts in each
        case."""
        if isinstance(condition, SSAValue):
            condition = self.numbering.condition(condition)
        truth = self.conditions.evaluate(condition, state.situation)
        if truth is not None:
            yield truth, state, ()
            return
        leaf = self.conditions.leaf(condition, state.situation)
        # For people, the value that was computed first is true, and then false.
        first = self.condition(leaf.members[0], True).truth if leaf.members else True
        for assumed in (Condition(leaf, first), Condition(leaf, not first)):
            following = replace(state, known=state.known | {assumed})
            for result, decided, choices in self.decide(following, condition):
                yield result, decided, (assumed, *choices)

    def decide_any(
        self, state: State, conditions: Sequence[SSAValue | Condition]
    ) -> Iterator[Case]:
        """Whether any of some conditions holds."""
        if not conditions:
            yield False, state, ()
            return
        for truth, decided, choices in self.decide(state, conditions[0]):
            if truth:
                yield True, decided, choices
                continue
            for others, further, more in self.decide_any(decided, conditions[1:]):
                yield others, further, (*choices, *more)

    def decide_edge(self, state: State, edge: Edge) -> Iterator[Case]:
        """Whether control takes an edge."""
        needed = [condition.negated() for condition in edge.conditions]
        for is_missing, decided, choices in self.decide_any(state, needed):
            if is_missing or not edge.excluded:
                yield not is_missing, decided, choices
                continue
            excluded = [condition.negated() for condition in edge.excluded]
            for is_out, further, more in self.decide_any(decided, excluded):
                yield is_out, further, (*choices, *more)

    def truths(
        self, state: State, values: Sequence[SSAValue]
    ) -> Iterator[tuple[int, bool]]:
        """The i1 among some values that are known, by position."""
        for position, value in enumerate(values):
            if value.type == i1:
                truth = self.conditions.evaluate(value, state.situation)
                if truth is not None:
                    yield position, truth

    # Along edges.

    def forward(
        self, state: State, sources: Sequence[SSAValue], targets: Sequence[SSAValue]
    ) -> tuple[frozenset[SSAValue], frozenset[Condition]]:
        """Return the targets that are in the allocation, and the facts about the
        others."""
        pairs = list(zip(sources, targets, strict=True))
        inside = frozenset(target for source, target in pairs if source in state.inside)
        known = {
            self.condition(targets[position], truth)
            for position, truth in self.truths(state, sources)
        }
        for source, target in pairs:
            if (
                target.type != i1
                and (n := self.numbering.constant_of(source)) is not None
            ):
                # The first iteration of a loop begins with it.
                known.add(self.numbering.compare(EQ, target, n))
        # What is carried unchanged from a constant is one itself.
        return inside, frozenset(c for c in known if c.number.constant is None)

    def along(self, state: State, op: Operation, edge: Edge) -> tuple[State, Block, int]:
        """What is known when control takes an edge from an op, and where that is."""
        inside, known = self.forward(state, edge.sources, edge.targets)
        after = op
        if is_end(op) and not op.successors:
            # What is made in the region that is left is gone, or made again.
            around = op.parent_op()
            assert around is not None
            after, region = around, op.parent_region()
            made = self.uses.made_in(region)
            state = self._keep(state, lambda key: not made[key])
            if region is state.scope:
                state = replace(state, is_freed=True, scope=None)
        elif is_end(op) and edge.block is not None:
            target = edge.block
            state = self._keep(state, lambda key: self._lives_on(key, target))
        state = replace(state, inside=state.inside | inside, known=state.known | known)
        if edge.block is not None:
            return state, edge.block, -1
        assert after.parent is not None
        return state, after.parent, self.uses.position(after)

    def _lives_on(self, key: Key, block: Block) -> bool:
        homes = homes_of(key)
        if block in homes:
            # The block starts again.
            return False
        region = block.parent
        is_local = any(home.parent is region for home in homes)
        return not is_local or self.uses.is_live_into(key, block)

    def _keep(self, state: State, is_kept: Callable[[Key], bool]) -> State:
        return replace(
            state,
            inside=frozenset(filter(is_kept, state.inside)),
            known=frozenset(known for known in state.known if is_kept(known.number)),
        )

    # In a block.

    def needed(self, state: State, block: Block, position: int) -> State:
        """Return the known facts that are still needed after a position of a block."""
        until = self.uses.needed_until(block)
        over = [value for value in state.inside if until[value] <= position]
        past = [known for known in state.known if until[known.number] <= position]
        if not over and not past:
            return state
        return replace(
            state,
            inside=state.inside.difference(over),
            known=state.known.difference(past),
        )

    def advance(
        self, state: State, block: Block, position: int
    ) -> tuple[State, Operation | None]:
        """Return the next op of a block that concerns the allocation, or its last one,
        and what is known there.

        Ops that do nothing to the allocation, or only rename it, are passed without a
        state of their own: a state of which *n* memrefs are in the allocation would
        otherwise visit the *n* ops that rename them, and the *n* that may free them, one
        by one. The last op that concerns the allocation is always visited, since an
        allocation that is not needed after it is reported there.
        """
        uses = self.uses.in_block(block, only_control=not state.is_freed)
        waiting: list[tuple[int, int, SSAValue]] = []
        """The next op of each memref in the allocation, as a heap."""
        for order, value in enumerate(state.inside):
            positions = uses[value]
            if positions and positions[-1] > position:
                following = positions[bisect_right(positions, position)]
                waiting.append((following, order, value))
        if not waiting:
            end = block.last_op
            if end is not None:
                state = self.needed(state, block, self.uses.position(end) - 1)
            return state, end
        heapify(waiting)
        order = len(state.inside)
        start = waiting[0][0]
        renamed: list[SSAValue] = []
        while True:
            at, _, value = heappop(waiting)
            values = [value]
            while waiting and waiting[0][0] == at:
                values.append(heappop(waiting)[2])
            op = self.uses.op_at(block, at)
            passed = self._passed[op]
            if passed is None:
                break
            if passed.renamed is not None:
                renamed.append(passed.renamed)
                values.append(passed.renamed)
            else:
                if renamed:
                    state = replace(state, inside=state.inside.union(renamed))
                    renamed = []
                if not self._is_passed(passed, state, values):
                    break
            for value in values:
                positions = uses[value]
                if positions and positions[-1] > at:
                    following = positions[bisect_right(positions, at)]
                    heappush(waiting, (following, order, value))
                    order += 1
            if not waiting:
                break
        if renamed:
            state = replace(state, inside=state.inside.union(renamed))
        return state if at == start else self.needed(state, block, at - 1), op

    def _find_passed(self, op: Operation) -> _Passed | None:
        if only_renames_one(op):
            return _Passed(op.results[0])
        if not isinstance(op, scf.IfOp) or op.results:
            return None
        blocks = op.regions[0].blocks.first, op.regions[1].blocks.first
        return _Passed(None, self.numbering.condition(op.operands[0]), blocks)

    def _is_passed(self, op: _Passed, state: State, values: Sequence[SSAValue]) -> bool:
        """Whether it is known that an op does nothing to the allocation.

        Args:
            values: the memrefs in the allocation that the op uses in its regions.
        """
        assert op.condition is not None
        truth = self.conditions.evaluate(op.condition, state.situation)
        if truth is None:
            return False
        entered = op.blocks[0 if truth else 1]
        if entered is None:
            return True
        uses = self.uses.in_block(entered, only_control=not state.is_freed)
        return not any(uses[value] for value in values)


@dataclass(frozen=True)
class _Passed:
    """An op that may be passed without a state of its own: one that renames a memref, or
    an scf.if without results.

    Attributes:
        renamed: in the former case, the other name.
        condition, blocks: in the latter case, its condition and regions.
    """

    renamed: SSAValue | None
    condition: Condition | None = None
    blocks: tuple[Block | None, Block | None] = (None, None)
