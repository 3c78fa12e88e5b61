"""The last op of a block that uses a buffer, under any of its names.

    %b = scf.if %c { scf.yield %new } else { scf.yield %a }
    call @look(%b)                                               // the last use of %a

The *names* of a buffer are all memrefs that may be it while the block runs. Those that
the block makes are found by following the flow back to where it starts in the block, and
from there on to the end of the block. A back edge is never followed: in the next
iteration, a buffer of the same allocation is a different one. Those from before the block
are all that may come from the same allocation.

A chain of loops or branches gives each of its buffers the names of all others. They are
never listed: the last use is the latest of those of single values, over all that can be
reached in the flow, and is remembered for each value. A block is concerned only with
the values that occur in it; how they are related elsewhere, their origins tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.analysis.deallocation.buffer_origin import (
    BufferOrigins,
    Origin,
    Traced,
)
from xdsl_bufferization.analysis.deallocation.buffer_origin_index import OriginIndex
from xdsl_bufferization.analysis.deallocation.passed_on import (
    Kept,
    find_ops_that_pass_on,
)
from xdsl_bufferization.analysis.facts.buffer_uses import may_hide
from xdsl_bufferization.analysis.facts.reached_values import ReachedValues
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import list_ops, walk
from xdsl_bufferization.interfaces.memory_effects import (
    get_allocations_and_frees,
    is_memref,
)
from xdsl_bufferization.interfaces.view_like import (
    get_view_base,
    is_only_renamed,
    only_renames,
)

_DESCRIPTOR_ONLY = frozenset(("memref.dim", "memref.rank"))
"""Ops that look at the type of a memref. The pointer to a buffer is another matter: after
its deallocation, another buffer may get the same."""


class LastUse(NamedTuple):
    """The last op of a block that uses a buffer, and its number in the block: less than
    0 if there is none, infinite if it is not known or the buffer leaves the block."""

    number: float
    op: Operation | None = None


UNUSED = LastUse(-1)
UNKNOWN = LastUse(math.inf)

Uses: TypeAlias = ReachedValues[SSAValue, LastUse]


def latest(uses: Iterable[LastUse]) -> LastUse:
    return max(uses, key=_get_number, default=UNUSED)


def _get_number(use: LastUse) -> float:
    return use.number


def is_use(op: Operation) -> bool:
    """Whether an op uses the buffers of its memrefs, if it has any, itself."""
    return op.name not in _DESCRIPTOR_ONLY and not only_renames(op)


class BuffersOfFunction:
    """What all blocks of a function ask about its memrefs.

    The answers are valid as long as those of `origins` are.
    """

    def __init__(self, function: func.FuncOp, origins: BufferOrigins):
        self.origins = origins
        self._function = function

    @cached_property
    def stored(self) -> Sequence[SSAValue]:
        """The memrefs that are stored in others, where nothing follows them."""
        return [
            op.operands[0]
            for op in list_ops(self._function)
            if isinstance(op, memref.StoreOp) and is_memref(op.operands[0])
        ]

    @cached_property
    def argument_values(self) -> frozenset[SSAValue]:
        return frozenset(self._list_arguments())

    def _list_arguments(self) -> list[SSAValue]:
        block = self._function.body.blocks.first
        return [*filter(is_memref, block.args if block else ())]

    @cached_property
    def arguments(self) -> Origin:
        """The origin of what may be any of the arguments."""
        return self.origins.join(self._list_arguments())


@dataclass
class _UsesWithout:
    """The last uses under names that are found without following some memrefs."""

    after: Uses
    """Of a memref and what it is forwarded to."""
    around: Uses
    """Of a memref under all names."""
    before: dict[Origin, LastUse]
    """Of all memrefs from before the block that may be of this origin."""


class LastUses:
    """The last uses in `block` of the buffers that occur in it.

    Args:
        buffers: those of the function around.
        number: the number of an op of the block. The answers are valid as long as
            those ops keep their numbers that use memrefs.
        is_ignored: whether what is in an op of the block is not a use of anything.
    """

    def __init__(
        self,
        block: Block,
        buffers: BuffersOfFunction,
        number: Callable[[Operation], int],
        is_ignored: Callable[[Operation], bool],
    ):
        self._block = block
        self._buffers = buffers
        self._number = number
        self._origins = buffers.origins
        self._blocks = {block}
        self._own: dict[SSAValue, LastUse] = {}
        self._without: dict[frozenset[SSAValue], _UsesWithout] = {}
        occurring: dict[SSAValue, None] = {}
        for op in block.ops:
            use = LastUse(number(op), op)
            if op.has_trait(IsTerminator, value_if_unregistered=False):
                use = UNKNOWN
            self._add_uses(op, None if is_ignored(op) else use, occurring)
        for value in buffers.stored:
            occurring[value] = None
            self._own[value] = UNKNOWN
        self._outside = [value for value in occurring if not self._is_inside(value)]

    def get(self, value: SSAValue, others: frozenset[SSAValue] = frozenset()) -> LastUse:
        """The last use of the buffer of `value`. What is made of `others` is another, and
        `value` is made of none of them."""
        if others:
            known = self._get_of_passed_on(value, others)
            if known is not None:
                return known
        return self._get_without(others).around.of(value)

    def _get_of_passed_on(
        self, value: SSAValue, others: frozenset[SSAValue]
    ) -> LastUse | None:
        """The last use of a view of a result of an op that passes on its buffers, if the
        others are the arguments of the function, other results of the op, and what is
        made after it; None if it is not that simple."""
        op = get_view_base(value).owner
        if not isinstance(op, Operation) or op not in self._passed_on:
            return None
        elsewhere = others.difference(op.results)
        arguments = self._buffers.argument_values
        if not arguments <= elsewhere or any(
            isinstance(other.owner, Block)
            or self._number(other.owner) <= self._number(op)
            for other in elsewhere - arguments
        ):
            return None
        last = LastUse(self._number(op), op)
        # What can only be an argument is no name of `value`, which is none.
        terminals = self._origins.get_origin(value).bits & ~self._buffers.arguments.bits
        for kept in self._passed_on[op]:
            if self._origins.get_origin(kept.value).bits & terminals:
                if kept.is_renamed:
                    return None
                last = latest((last, self._get_own(kept.value)))
        after = self._get_without(elsewhere).after
        results = [each for each in op.results if is_memref(each) and each not in others]
        return latest((last, *map(after.of, results)))

    @cached_property
    def _passed_on(self) -> Mapping[Operation, Sequence[Kept]]:
        after = self._get_without(frozenset()).after
        return find_ops_that_pass_on(
            self._block,
            self._origins,
            self._number,
            lambda value: self._get_own(value).number,
            lambda value: after.of(value) != UNUSED,
            self._buffers.argument_values,
        )

    def _get_own(self, value: SSAValue) -> LastUse:
        return self._own.get(value, UNUSED)

    def _get_without(self, others: frozenset[SSAValue]) -> _UsesWithout:
        without = self._without.get(others)
        if without is None:
            without = self._without[others] = self._new_uses(others)
        return without

    def _add_uses(
        self, top: Operation, use: LastUse | None, occurring: dict[SSAValue, None]
    ) -> None:
        own = self._own
        for op in walk(top):
            for region in op.regions:
                self._blocks.update(region.blocks)
            operands = [value for value in op.operands if is_memref(value)]
            occurring.update(dict.fromkeys(operands))
            if use is None or only_renames(op):
                continue
            used = [value for value in op.results if is_memref(value)]
            if op.name not in _DESCRIPTOR_ONLY:
                used += [value for value in operands if not is_only_renamed(op, value)]
            if not used:
                continue
            here = use
            if not op.regions and get_allocations_and_frees(op) is None:
                here = UNKNOWN
            for value in used:
                last = UNKNOWN if may_hide(op, value) else here
                own[value] = latest((own.get(value, UNUSED), last))

    def _is_inside(self, value: SSAValue) -> bool:
        """Whether the block makes a memref: its own arguments are there before."""
        owner = value.owner
        if isinstance(owner, Block):
            return owner is not self._block and owner in self._blocks
        return owner.parent in self._blocks

    def _new_uses(self, others: frozenset[SSAValue]) -> _UsesWithout:
        origins = self._origins

        def get_dependents(value: SSAValue) -> Iterator[SSAValue]:
            # A buffer that leaves the block does so by its terminator, which uses it.
            for dependent in origins.direct_dependents(value):
                if self._is_inside(dependent) and dependent not in others:
                    yield dependent

        def get_sources(value: SSAValue) -> Sequence[SSAValue]:
            if not self._is_inside(value):
                return ()
            return [s for s in origins.direct_sources(value) if s not in others]

        def get_around(value: SSAValue) -> LastUse:
            last = after.of(value)
            if self._is_inside(value):
                return last
            return latest((last, self._get_before(value, uses)))

        after = ReachedValues(self._get_own, get_dependents, latest)
        around = ReachedValues(get_around, get_sources, latest)
        uses = _UsesWithout(after, around, {})
        return uses

    def _get_before(self, value: SSAValue, uses: _UsesWithout) -> LastUse:
        """The last use of what was there before the block and may be `value`."""
        origin = self._origins.get_origin(value)
        last = uses.before.get(origin)
        if last is None:
            same = self._from_outside_with(origin)
            arguments = self._buffers.arguments
            if origin.has_common_terminal(arguments):
                # The caller may pass one buffer as several arguments.
                same = [*same, *self._from_outside_with(arguments)]
            last = uses.before[origin] = latest(map(uses.after.of, same))
        return last

    @cached_property
    def _outside_index(self) -> OriginIndex:
        get_origin = self._origins.get_origin
        return OriginIndex([Traced(v, get_origin(v), False) for v in self._outside])

    def _from_outside_with(self, origin: Origin) -> list[SSAValue]:
        """The memrefs from outside that occur in the block and may be of an origin."""
        return [
            self._outside[position]
            for position in self._outside_index.get_with_common_terminal(origin)
        ]
