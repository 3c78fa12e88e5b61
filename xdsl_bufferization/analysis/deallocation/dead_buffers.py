"""Whether a buffer is dead after an op: no alias of it is read or written afterwards.

    scf.for ... iter_args(%old = %a, %new = %b) {
      ...
      memref.copy %old, %c        // %old is dead after this op: the next iteration has
      scf.yield %new, %c          // other buffers, and neither of them is %old's.
    }

The question concerns the buffer that a value refers to at this point. Its *names* are
first the values that are live after the op and may be in the same allocation. The
analysis then follows the names along control flow: a view is a further name, an edge to
a block renames the values that it forwards, and a value that is redefined is no longer
a name. Any other use of a name means that the buffer is not dead.

Two values are compared at a point at which both are defined (`may_be_same`). For two
loop-carried values, the operands of the same edge are compared, either both initial or
both yielded; otherwise, the later value is replaced by its possible sources. A new
allocation differs from every existing buffer. This proves that buffers which a loop
swaps are distinct, unlike a comparison of all their possible sources.

A value may be a function argument on some paths and an allocation on others. The answer
holds only if the buffer is one of the `allocations` of the value; the caller must
distinguish the two cases at run time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue, Use

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    NEVER,
    BufferOrigins,
    OriginKind,
    is_function_argument,
)
from xdsl_bufferization.analysis.deallocation.live_memrefs import LiveMemrefs
from xdsl_bufferization.analysis.deallocation.terminal_groups import TerminalGroups
from xdsl_bufferization.analysis.facts.block_graph import Dominance, block_of
from xdsl_bufferization.analysis.facts.buffer_uses import may_hide
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import list_ops
from xdsl_bufferization.interfaces.branch import BRANCH, get_successor_operands
from xdsl_bufferization.interfaces.buffer_view_flow import BUFFER_VIEW_FLOW
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import (
    is_allocated,
    is_memref,
    memrefs_of,
)
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
    get_forwarded_values,
)
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE, get_renamed, get_view_base

_Edge: TypeAlias = Mapping[SSAValue, SSAValue]
"""By block argument or result, the value that control brings along this edge."""

MOST_STEPS = 1_000
"""After this many names or comparisons a buffer is taken to be in use: the cost of one
question is bounded."""

MOST_NAMES = 16
"""If a buffer may have more names, those that are used are not told from the others."""

MOST_NAMES_ASKED = 256
"""In one function, so many names are looked at one by one: each takes as long as the
question for all of them."""

_ANY = -1
"""All allocations, as bits."""

_ONLY_SHAPE = ("memref.dim", "memref.rank")


@dataclass(frozen=True)
class _Entry:
    """A place that control reaches with the buffer under some names: after the op at a
    position of a block."""

    block: Block
    position: int
    names: frozenset[SSAValue]


@dataclass(eq=False)
class _Pair:
    """Two values that are compared, in any order."""

    left: SSAValue
    right: SSAValue
    is_different: bool
    """One of them is no allocation."""
    allocated: int
    """Those that are allocations themselves, as terminals."""
    earlier: list[_Pair] | None = None
    """Of which one must be equal if these are; None if unknown."""
    is_followed: bool = False
    """The earlier ones have been looked for."""


class _PlacedUse(NamedTuple):
    position: int
    use: Use


@dataclass
class DeadBuffers:
    """Answers for one function, valid as long as it does not change.

    Args:
        function: the function.
        origins: where its memrefs come from, views included.
    """

    function: FuncOp
    origins: BufferOrigins
    _positions: dict[Block, dict[Operation, int]] = field(
        default_factory=dict[Block, dict[Operation, int]]
    )
    _edges: dict[Block | Operation, list[_Edge] | None] = field(
        default_factory=dict["Block | Operation", "list[_Edge] | None"]
    )
    _dominance: Dominance = field(default_factory=Dominance)
    _names_asked: int = 0
    _forwarded: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """The allocations that may be forwarded to a value, as bits."""
    _pairs: dict[tuple[SSAValue, SSAValue], _Pair] = field(
        default_factory=dict[tuple[SSAValue, SSAValue], _Pair]
    )
    """In both orders: long chains of blocks or loops are followed once for each question,
    and worked out once."""
    _always_different: set[_Pair] = field(default_factory=set[_Pair])
    """Pairs that are never in one allocation, whichever allocations count."""
    _maybe_same: set[_Pair] = field(default_factory=set[_Pair])
    """Pairs that may be in one allocation if all allocations count."""
    _unused: dict[tuple[Block, int], set[SSAValue]] = field(
        default_factory=dict["tuple[Block, int]", "set[SSAValue]"]
    )
    """By place, the names that nothing uses from there on."""
    _uses: dict[SSAValue, dict[Block, list[_PlacedUse]]] = field(
        default_factory=dict["SSAValue", "dict[Block, list[_PlacedUse]]"]
    )
    """By name and block, where it is used in the block, also by what is nested."""

    def is_dead_after(
        self, op: Operation, value: SSAValue, other: SSAValue, allocations: int
    ) -> bool:
        """Return whether the buffer of `value` is dead after `op`.

        Args:
            other: an allocation between which and `op` nothing is executed that matters:
                it is no name of the buffer.
            allocations: the allocations that `value` may be (`allocations_of`). If it is
                something else at run time, the answer does not count.
        """
        return self.find_used_names(op, value, other, allocations, most=0) == []

    def find_used_names(
        self,
        op: Operation,
        value: SSAValue,
        other: SSAValue,
        allocations: int,
        most: int,
    ) -> list[SSAValue] | None:
        """Return values of which one is the buffer of `value` if that is not dead after
        `op`: it is dead if it is none of them at run time.

        Args:
            other: see `is_dead_after`.
            allocations: see `is_dead_after`.
            most: how many values may be returned.

        Returns:
            values that are visible at `op`. None if there would be more of them than
            `most`, if the buffer is used as `value` itself, or if nothing is known.
        """
        block = op.parent
        assert block is not None
        position = self._position(op)
        if self._unknown_names is None or not self._is_unused(
            _Entry(block, position, frozenset({value}))
        ):
            return None
        names: dict[SSAValue, None] = {value: None}
        for number, candidate in enumerate(self._live.after(op)):
            if number > MOST_STEPS:
                return None
            if (
                self._may_be_any_of(candidate, allocations)
                and candidate not in (other, value)
                and self._is_visible(candidate, op)
                and self.may_be_same(value, candidate, allocations)
            ):
                names[candidate] = None
        if len(names) == 1 or self._is_unused(_Entry(block, position, frozenset(names))):
            return []
        if not most or len(names) > MOST_NAMES:
            return None
        self._names_asked += len(names)
        if self._names_asked > MOST_NAMES_ASKED:
            return None
        used: list[SSAValue] = []
        for name in names:
            if not self._dominance.holds(block_of(name), block):
                return None
            if not self._is_unused(_Entry(block, position, frozenset({name}))):
                used.append(name)
                if len(used) > most:
                    return None
        return used

    def allocations_of(self, value: SSAValue) -> int:
        """The allocations on the heap that a value may be in: each has a bit."""
        return self._groups.of(value, True)

    def may_be_same(self, left: SSAValue, right: SSAValue, allocations: int) -> bool:
        """Whether two values may be in one allocation, one of `allocations`."""
        return self._may_be_same(left, right, None) and self._may_be_same(
            left, right, allocations
        )

    def _may_be_same(
        self, left: SSAValue, right: SSAValue, allocations: int | None
    ) -> bool:
        """Whether two values may be in the same allocation, one of `allocations` if these
        are given.

        Answers that concern all allocations are kept. Pairs that are never in the same
        allocation need not be compared again for some allocations, so chains of blocks
        or loops that carry the same buffers are followed once.
        """
        asked = self._pair(left, right)
        seen: set[_Pair] = set()
        stack = [asked]
        while stack:
            pair = stack.pop()
            if pair in seen or pair in self._always_different:
                continue
            if len(seen) > MOST_STEPS:
                return True
            seen.add(pair)
            if pair.is_different or (
                allocations is not None and pair.allocated & ~allocations
            ):
                continue
            earlier = self._follow(pair)
            if earlier is None or (allocations is None and pair in self._maybe_same):
                if allocations is None:
                    self._maybe_same.add(asked)
                return True
            stack += earlier
        if allocations is None:
            self._always_different |= seen
        return False

    def _pair(self, left: SSAValue, right: SSAValue) -> _Pair:
        """The pair of the buffers that two values are views of."""
        a, b = get_view_base(left), get_view_base(right)
        pair = self._pairs.get((a, b))
        if pair is None:
            allocated = 0
            for value in (a, b):
                if is_allocated(value):
                    allocated |= self._groups.all_of(value)
            pair = _Pair(
                a,
                b,
                self._is_no_allocation(a) or self._is_no_allocation(b),
                allocated,
            )
            self._pairs[a, b] = self._pairs[b, a] = pair
        return pair

    def _follow(self, pair: _Pair) -> list[_Pair] | None:
        """Return pairs of which one must be equal if those of `pair` are; None if
        unknown."""
        if not pair.is_followed:
            pair.is_followed = True
            if pair.left is not pair.right:
                earlier = self._before_the_later(pair.left, pair.right)
                if earlier is not None:
                    pair.earlier = [self._pair(*values) for values in earlier]
        return pair.earlier

    def is_first_user(self, op: Operation, allocation: OpResult) -> bool:
        """Whether nothing between an allocation and an op after it uses the buffer."""
        block = op.parent
        assert block is not None
        position = self._position(op)
        if self._defined_at(allocation) > position:
            return False
        for use in allocation.uses:
            user = block.find_ancestor_op_in_block(use.operation)
            if user is not None and self._position(user) < position:
                return False
        return True

    @cached_property
    def _groups(self) -> TerminalGroups[bool]:
        return TerminalGroups(
            self.origins, lambda terminal: isinstance(terminal.owner, memref.AllocOp)
        )

    @cached_property
    def _live(self) -> LiveMemrefs:
        return LiveMemrefs(self.function)

    @cached_property
    def _unknown_names(self) -> set[SSAValue] | None:
        """Return the memrefs that may be any operand of a call. Return None if there
        are memrefs that come from memory or unknown ops: a buffer may have been stored
        there before. Nor if buffers may be accessed without a memref."""
        found: set[SSAValue] = set()
        for op in list_ops(self.function):
            if any(is_memref(value) and may_hide(op, value) for value in op.operands):
                return None
        for value in memrefs_of(list_ops(self.function)):
            if self.origins.get_origin(value).kind is not OriginKind.ANYTHING:
                continue
            for terminal in self.origins.get_terminals(value):
                owner = terminal.owner
                if isinstance(owner, Operation) and CALL.lookup(owner) is not None:
                    found.add(value)
                    break
                if not self._is_no_allocation(terminal) and not is_allocated(terminal):
                    return None
        return found

    def _may_be_any_of(self, value: SSAValue, allocations: int) -> bool:
        """Whether one of some allocations may be forwarded to a value."""
        known = self._forwarded.get(value)
        if known is None:
            unknown = self._unknown_names
            is_unknown = unknown is not None and value in unknown
            known = _ANY if is_unknown else self._groups.all_of(value)
            self._forwarded[value] = known
        return known == _ANY or bool(allocations & known)

    def _is_no_allocation(self, value: SSAValue) -> bool:
        """Whether a value is memory that was there before the function began."""
        return is_function_argument(value) or isinstance(value.owner, memref.GetGlobalOp)

    # Names that a buffer has at one moment

    def _before_the_later(
        self, a: SSAValue, b: SSAValue
    ) -> list[tuple[SSAValue, SSAValue]] | None:
        """Return pairs of which one must be equal if `a` and `b` are; None if
        unknown."""
        edges = self._edges_into(a.owner) if a.owner is b.owner else None
        if edges is not None and all(a in edge and b in edge for edge in edges):
            return [(edge[a], edge[b]) for edge in edges]
        if self._is_later(b, a):
            a, b = b, a
        elif not self._is_later(a, b):
            return [] if self.origins.same_allocation(a, b) is NEVER else None
        if is_allocated(a):
            return []
        edges = self._edges_into(a.owner)
        if edges is not None and all(a in edge for edge in edges):
            return [(edge[a], b) for edge in edges]
        sources = _view_flow(a)
        if sources is not None:
            return [(source, b) for source in sources]
        return [] if self.origins.same_allocation(a, b) is NEVER else None

    def _is_later(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether `a` is defined after `b` and where `b` is visible.

        If the block of `b` dominates that of `a`, then wherever both are visible, `b` has
        not been defined again since `a` was.
        """
        block, inner = block_of(b), block_of(a)
        if inner is block:
            return isinstance(a, OpResult) and self._defined_at(b) < self._position(a.op)
        op = a.op if isinstance(a, OpResult) else inner.parent_op()
        around = None if op is None else block.find_ancestor_op_in_block(op)
        if around is not None:
            return self._defined_at(b) < self._position(around)
        return self._dominance.holds(block, inner)

    def _is_visible(self, value: SSAValue, op: Operation) -> bool:
        """Whether a value is defined before `op`, in its block or one around it. In
        unstructured control flow also if it is in another block of the region."""
        block = block_of(value)
        around = block.find_ancestor_op_in_block(op)
        if around is not None:
            return self._defined_at(value) < self._position(around)
        return _is_inside(op, block.parent)

    def _edges_into(self, owner: Operation | Block) -> list[_Edge] | None:
        """What is forwarded to the arguments of a block or the results of an op; None if
        that is not known."""
        if owner not in self._edges:
            self._edges[owner] = self._find_edges(owner)
        return self._edges[owner]

    def _find_edges(self, owner: Operation | Block) -> list[_Edge] | None:
        if isinstance(owner, Block):
            if owner.prev_block is not None:
                return _branches_to(owner)
            op = owner.parent_op()
            targets = set(owner.args)
        else:
            op = owner
            targets = set(owner.results)
        model = None if op is None else REGION_BRANCH.lookup(op)
        if op is None or model is None:
            return None
        edges: list[_Edge] = []
        for point in (None, *op.regions):
            if point is not None and not _is_one_block_with_known_end(point):
                return None
            for sent, received in get_forwarded_values(model, op, point):
                edge = dict(zip(received, sent, strict=True))
                if not targets.isdisjoint(edge):
                    edges.append(edge)
        return edges

    # Following the names

    def _is_unused(self, start: _Entry) -> bool:
        entered: dict[tuple[Block, int], frozenset[SSAValue]] = {}
        stack = [start]
        steps = 0
        while stack:
            entry = stack.pop()
            place = (entry.block, entry.position)
            known = entered.get(place, frozenset[SSAValue]())
            new = entry.names - known - self._unused.get(place, set())
            if not new:
                continue
            names = known | new
            entered[place] = names
            steps += len(names)
            if steps > MOST_STEPS:
                return False
            at_end = self._names_at_end(_Entry(entry.block, entry.position, names))
            successors = None if at_end is None else self._leave(entry.block, at_end)
            if successors is None:
                return False
            stack += successors
        for place, names in entered.items():
            self._unused.setdefault(place, set()).update(names)
        return True

    def _names_at_end(self, entry: _Entry) -> set[SSAValue] | None:
        """The names at the end of the block, or None if a name is used in it."""
        block = entry.block
        names = set(entry.names)
        work = list(names)
        while work:
            for position, use in self._uses_of(work.pop()).get(block, ()):
                if position <= entry.position:
                    break
                user = use.operation
                if user.parent is not block:
                    return None
                if user.name in _ONLY_SHAPE or user is block.last_op:
                    continue
                if not self._renames(user, use.index):
                    return None
                new = [result for result in user.results if is_memref(result)]
                work += [result for result in new if result not in names]
                names.update(new)
        return names

    def _uses_of(self, name: SSAValue) -> dict[Block, list[_PlacedUse]]:
        """The uses of a name in each block around them, with their positions in it, the
        last one first."""
        found = self._uses.get(name)
        if found is None:
            found = self._uses[name] = {}
            for use in name.uses:
                op: Operation | None = use.operation
                while op is not None and op is not self.function and op.parent:
                    placed = _PlacedUse(self._position(op), use)
                    found.setdefault(op.parent, []).append(placed)
                    op = op.parent_op()
            for placed_uses in found.values():
                placed_uses.sort(key=lambda placed: -placed.position)
        return found

    def _renames(self, op: Operation, operand: int) -> bool:
        """Whether all that an op does with an operand is to give it another name."""
        view = VIEW_LIKE.lookup(op)
        if view is not None:
            return view.get_view_source(op) is op.operands[operand]
        return BUFFER_VIEW_FLOW.lookup(op) is not None

    def _leave(self, block: Block, names: set[SSAValue]) -> list[_Entry] | None:
        """Return the successors of the end of a block, or None if they are unknown or
        the terminator uses a name."""
        end = block.last_op
        if end is None:
            return None
        branch = BRANCH.lookup(end)
        if branch is not None:
            return [
                _enter(
                    target,
                    zip(
                        get_successor_operands(branch, end, number),
                        target.args,
                        strict=True,
                    ),
                    names,
                )
                for number, target in enumerate(end.successors)
            ]
        region, op = block.parent, block.parent_op()
        if region is None or op is None or end.successors:
            return None
        if op is self.function:
            return None if names.intersection(end.operands) else []
        model = REGION_BRANCH.lookup(op)
        terminator = REGION_BRANCH_TERMINATOR.lookup(end)
        if model is None or terminator is None:
            return None
        outer = {name for name in names if not _is_inside(name.owner, op)}
        if outer and _is_parallel(op, region):
            return None
        entries: list[_Entry] = []
        for successor in model.get_successor_regions(op, region):
            forwarded = terminator.get_returned_operand_range(end, successor.region)
            sent = [end.operands[number] for number in forwarded]
            edge = [
                (source, target)
                for source, target in zip(sent, successor.inputs, strict=True)
                if source in names
            ]
            if successor.region is None:
                after = op.parent
                assert after is not None
                received = {target for _, target in edge}
                position = self._position(op)
                entries.append(_Entry(after, position, frozenset(outer | received)))
            else:
                first = successor.region.blocks.first
                if first is None:
                    return None
                entries.append(_enter(first, edge, outer | names))
        return entries

    # Places

    def _defined_at(self, value: SSAValue) -> int:
        return self._position(value.op) if isinstance(value, OpResult) else -1

    def _position(self, op: Operation) -> int:
        block = op.parent
        assert block is not None
        positions = self._positions.get(block)
        if positions is None:
            positions = {other: number for number, other in enumerate(block.ops)}
            self._positions[block] = positions
        return positions[op]


def _enter(
    block: Block, edge: Iterable[tuple[SSAValue, SSAValue]], names: set[SSAValue]
) -> _Entry:
    """The names at the start of a block, before its definitions."""
    received = {target for source, target in edge if source in names}
    kept = {name for name in names if not _is_inside(name.owner, block)}
    return _Entry(block, -1, frozenset(kept | received))


def _branches_to(block: Block) -> list[_Edge] | None:
    edges: list[_Edge] = []
    for use in block.uses:
        model = BRANCH.lookup(use.operation)
        if model is None:
            return None
        sent = get_successor_operands(model, use.operation, use.index)
        edges.append(dict(zip(block.args, sent, strict=True)))
    return edges


def _view_flow(value: SSAValue) -> list[SSAValue] | None:
    """What the result of an op that selects a buffer may be."""
    op = value.owner
    if not isinstance(op, Operation):
        return None
    model = BUFFER_VIEW_FLOW.lookup(op)
    if model is None or model.may_be_terminal_buffer(op, value):
        renamed = get_renamed(op) if value is op.results[0] else None
        return None if renamed is None else [renamed]
    return [source for source, result in model.get_dependencies(op) if result is value]


def _is_one_block_with_known_end(region: Region) -> bool:
    block = region.blocks.first
    if block is None:
        return True
    return (
        block.next_block is None
        and block.last_op is not None
        and REGION_BRANCH_TERMINATOR.lookup(block.last_op) is not None
    )


def _is_parallel(op: Operation, region: Region) -> bool:
    """Whether a region may be executed several times at the same time."""
    model = BUFFERIZABLE.lookup(op)
    return model is not None and model.is_parallel_region(op, op.regions.index(region))


def _is_inside(
    inner: Operation | Block, outer: Operation | Block | Region | None
) -> bool:
    """Whether an op or block is part of another op, block or region. A block is part of
    itself, an op is not."""
    is_block = isinstance(inner, Block)
    place: Operation | Block | Region | None = inner if is_block else inner.parent
    while place is not None:
        if place is outer:
            return True
        place = place.parent
    return False
