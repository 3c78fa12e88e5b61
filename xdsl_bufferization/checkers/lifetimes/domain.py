"""The facts about an allocation, and their updates along edges and by decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import i1
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, Operation, SSAValue

from xdsl_bufferization.analysis.facts.block_graph import block_of
from xdsl_bufferization.checkers.lifetimes.conditions import Conditions
from xdsl_bufferization.checkers.lifetimes.flow import Edge, Flow, is_end
from xdsl_bufferization.checkers.lifetimes.intervals import EQ
from xdsl_bufferization.checkers.lifetimes.number import Condition
from xdsl_bufferization.checkers.lifetimes.numbering import Numbering
from xdsl_bufferization.checkers.lifetimes.state import State
from xdsl_bufferization.checkers.lifetimes.uses import Key, Uses, homes_of

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
            state = self._keep(
                state, lambda key: all(b.parent is not region for b in homes_of(key))
            )
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
        uses = self.uses
        inside = frozenset(
            value
            for value in state.inside
            if block_of(value) is not block or uses.is_needed(value, block, position)
        )
        known = frozenset(
            known
            for known in state.known
            if block not in known.number.homes
            or uses.is_needed(known.number, block, position)
        )
        if len(inside) == len(state.inside) and len(known) == len(state.known):
            return state
        return replace(state, inside=inside, known=known)

    def next_op(self, state: State, block: Block, position: int) -> Operation | None:
        """The next op of a block that concerns the allocation, or its last one."""
        following = [
            found
            for value in state.inside
            if (
                found := self.uses.next_use(
                    value, block, position, only_control=not state.is_freed
                )
            )
            is not None
        ]
        return self.uses.op_at(block, min(following)) if following else block.last_op
