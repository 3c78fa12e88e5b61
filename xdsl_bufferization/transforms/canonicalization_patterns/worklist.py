"""A worklist of ops to simplify, for canonicalization in linear time.

`Worklist.run` visits each op that has a rule and each unused op, and then all ops that
a change affects: the users of a replaced value, the definitions of an erased op's
operands, the parent op. A rule takes the op and the worklist and returns whether it
changed the op; it changes the IR through the worklist, which records the changes.

A rule is written once and serves two drivers: `run` here, and xDSL's pattern rewriter
(`adapters.RulePattern`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from typing import TypeAlias

from xdsl.ir import Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    MemoryEffectKind,
    RecursiveMemoryEffect,
    SymbolOpInterface,
    get_effects,
)

from xdsl_bufferization.dialects.definitions import EffectsOfBody
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.locations import locations_restored, visit
from xdsl_bufferization.transforms.canonicalization_patterns.constant_pool import (
    Constants,
)
from xdsl_bufferization.transforms.canonicalization_patterns.constants import poison

Rule: TypeAlias = Callable[[Operation, "Worklist"], bool]

_REMOVABLE = frozenset((MemoryEffectKind.READ, MemoryEffectKind.ALLOC))


RuleLookup: TypeAlias = Callable[[type[Operation]], Sequence[Rule]]
"""The rules for the ops of a class."""


def _no_rules(op_class: type[Operation]) -> Sequence[Rule]:
    return ()


def _ignore(op: Operation) -> None:
    pass


class Worklist:
    """The ops that are to be visited, and the means to change them.

    Args:
        anchor: the op whose regions are simplified; itself it is not visited. Constants
            are inserted at the start of the isolated region that it has, or is in.
        rules: the rules for an op.
        on_erasure: called with each op that is about to be erased.
    """

    def __init__(
        self,
        anchor: Operation,
        rules: RuleLookup = _no_rules,
        on_erasure: Callable[[Operation], None] = _ignore,
    ):
        self.has_changed = False
        """Whether anything was changed."""
        self.settled: dict[SSAValue, Operation] = {}
        """Conditions whose uses were looked at, and that got no further uses since, each
        with an op that decides by it."""
        self.destinations: dict[SSAValue, SSAValue] = {}
        """Earlier tensors that values were written over, found so far (`tensor_dims`)."""
        self.pattern_rewriter: PatternRewriter | None = None
        """What patterns change IR through; made when one is first applied."""
        self._anchor = anchor
        self._rules = rules
        self._on_erasure = on_erasure
        self._queue: deque[Operation] = deque()
        self._queued: set[Operation] = set()

    @cached_property
    def constants(self) -> Constants:
        return Constants(_entry_block(self._anchor))

    def run(self) -> None:
        """Visit until nothing is left to visit. `push_all` first."""
        with locations_restored():
            while (op := self._pop()) is not None:
                if is_trivially_dead(op):
                    self.erase(op)
                else:
                    visit(op)
                    self._apply_rules(op)

    def _apply_rules(self, op: Operation) -> None:
        operands = tuple(op.operands)
        if any(operand.owner is op for operand in operands):
            # Control never reaches it: the branch to the loop around it was removed.
            return
        for rule in self._rules(type(op)):
            if rule(op, self):
                self.has_changed = True
                self.constants.keep_built()
                self._push_unused(operands)
                if not _is_erased(op):
                    self.push(op)
                return
            self.constants.erase_built()

    def _push_unused(self, operands: Iterable[SSAValue]) -> None:
        """Have those visited that lost their last use."""
        for operand in operands:
            if operand.first_use is None:
                self.push_definition(operand)

    def take_queued(self) -> Iterable[Operation]:
        """The ops to be visited, which are so no more."""
        while (op := self._pop()) is not None:
            yield op

    def _pop(self) -> Operation | None:
        while self._queue:
            op = self._queue.popleft()
            self._queued.discard(op)
            if not _is_erased(op):
                return op
        return None

    def push_all(self, ops: Iterable[Operation]) -> None:
        """Have those of `ops` visited for which there may be something to do."""
        rules = self._rules
        for op in ops:
            if rules(type(op)) or (op.results and _has_no_uses(op)):
                self.push(op)

    def push(self, op: Operation) -> None:
        if op not in self._queued and op is not self._anchor:
            self._queued.add(op)
            self._queue.append(op)

    def push_users(self, value: SSAValue) -> None:
        """Have the users visited, and the ops around terminators that forward it."""
        for use in value.uses:
            user = use.operation
            self.push(user)
            parent = user.parent_op() if user.next_op is None else None
            if parent is not None:
                self.push(parent)

    def push_definition(self, value: SSAValue) -> None:
        """Have the op visited that defines `value`, or forwards it to a region."""
        owner = value.owner
        if isinstance(owner, Block):
            parent = owner.parent_op()
            if parent is not None:
                self.push(parent)
        else:
            self.push(owner)

    # Changes

    def replace_value(self, old: SSAValue, new: SSAValue) -> None:
        if old is new:
            return
        self.has_changed = True
        self.push_users(old)
        decided = self.settled.pop(new, None)
        if decided is not None:
            # What is known of the condition holds for its new uses as well.
            self.push(decided)
        old.replace_all_uses_with(new)
        self.push_definition(new)
        self.push_definition(old)

    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """Replace the results of `op` and erase it."""
        values = [replacement_for(op, value) for value in values]
        for result, value in zip(list(op.results), values, strict=True):
            self.replace_value(result, value)
        self.erase(op)

    def erase(self, op: Operation) -> None:
        """Erase an op without uses."""
        block = op.parent
        assert block is not None
        for inner in walk(op):
            for operand in inner.operands:
                self.push_definition(operand)
        parent = block.parent_op()
        if parent is not None:
            self.push(parent)
        if op.next_op is not None:
            self.push(op.next_op)
        self.drop(op)

    def drop(self, op: Operation) -> None:
        """Erase an op, without visiting the definitions of its operands."""
        assert op.parent is not None
        self.announce_erasure(op)
        op.parent.erase_op(op)

    def announce_erasure(self, op: Operation) -> None:
        """Note that the caller is about to erase `op`."""
        self.has_changed = True
        self._on_erasure(op)
        for successor in op.successors:
            self._push_only_other_branch(successor, op)
        if op.prev_op is None:
            self.push_branches_to_empty(op.next_op)

    def _push_only_other_branch(self, block: Block, op: Operation) -> None:
        """Push the only other branch to a block besides `op`."""
        found: Operation | None = None
        for use in block.uses:
            if use.operation is op:
                continue
            if found is not None and use.operation is not found:
                return
            found = use.operation
        if found is not None:
            self.push(found)

    def push_branches_to_empty(self, first: Operation | None) -> None:
        """Have the branches to a block visited that soon starts with `first`, if that is
        its terminator."""
        if first is None or first.next_op is not None or first.parent is None:
            return
        self.push_branches_to(first.parent)

    def push_branches_to(self, block: Block) -> None:
        """Have all branches to a block visited."""
        for use in block.uses:
            self.push(use.operation)

    def insert_before(self, place: Operation, op: Operation) -> None:
        assert place.parent is not None
        place.parent.insert_op_before(op, place)
        self.has_changed = True
        self.push(op)

    def set_operands(self, op: Operation, operands: Sequence[SSAValue]) -> None:
        for operand in op.operands:
            self.push_definition(operand)
        op.operands = operands
        self.has_changed = True
        self.push(op)

    def inline_block(
        self, block: Block, place: Operation, arguments: Sequence[SSAValue] = ()
    ) -> list[SSAValue]:
        """Move the ops of `block` before `place`; the operands of its terminator."""
        terminator = block.last_op
        assert terminator is not None
        for argument, value in zip(block.args, arguments, strict=True):
            self.replace_value(argument, value)
        values = list(terminator.operands)
        self.drop(terminator)
        if block.first_op is not None:
            self.push(block.first_op)
        Rewriter.inline_block(block, InsertPoint.before(place), arguments)
        self.push(place)
        return values


def _entry_block(op: Operation) -> Block:
    """The block in which constants for `op` and the regions in it are defined."""
    at = op
    while not at.has_trait(IsolatedFromAbove, value_if_unregistered=False):
        parent = at.parent_op()
        if parent is None:
            break
        at = parent
    block = at.regions[0].first_block if at.regions else op.parent
    assert block is not None
    return block


def _is_erased(op: Operation) -> bool:
    return op.parent is None


def is_trivially_dead(op: Operation) -> bool:
    """Whether `op` can go: no uses, and no effects but reads and allocations."""
    return _has_no_uses(op) and _is_removable(op)


def _has_no_uses(op: Operation) -> bool:
    for result in op.results:  # noqa: SIM110 - asked of every op, several times
        if result.first_use is not None:
            return False
    return True


def _is_removable(op: Operation) -> bool:
    if op.has_trait(IsTerminator) or op.has_trait(SymbolOpInterface):
        return False
    if op.regions and op.has_trait(RecursiveMemoryEffect):
        return all(
            _is_removable(inner) or inner is block.last_op
            for region in op.regions
            for block in region.blocks
            for inner in block.ops
        )
    of_body = _effects_of_body(type(op))
    if of_body is not None and of_body.writes_buffer(op):
        return False
    effects = get_effects(op)
    return effects is not None and all(effect.kind in _REMOVABLE for effect in effects)


@cache
def _effects_of_body(op_class: type[Operation]) -> EffectsOfBody | None:
    return op_class.get_trait(EffectsOfBody)


def replacement_for(op: Operation, value: SSAValue) -> SSAValue:
    """Return what an op can be replaced by: the value, or any other if it is a result of
    the op. Then that is computed from itself, which control never reaches: the branch to
    the loop around it was removed."""
    if value.owner is not op:
        return value
    unreached = poison(value.type)
    Rewriter.insert_op(unreached, InsertPoint.before(op))
    return unreached.results[0]
