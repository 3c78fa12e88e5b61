"""Which ops concern a memref, and how long a condition is needed.

Only few ops concern one allocation. `Uses` finds them by block and position, and skips
all ops between them. An op that contains a use counts as a use, up to the block that
defines the value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import TypeAlias, TypeVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from xdsl_bufferization.analysis.facts.block_graph import block_of
from xdsl_bufferization.analysis.facts.strongly_connected import reachable
from xdsl_bufferization.checkers.lifetimes.helper import reads_of_results
from xdsl_bufferization.checkers.lifetimes.number import Number
from xdsl_bufferization.dialects import bufferization, memref, scf
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.memory_effects import (
    get_allocations_and_frees,
    is_memref,
)
from xdsl_bufferization.interfaces.view_like import (
    PointerUse,
    get_renamed,
    pointer_use,
)

Key: TypeAlias = SSAValue | Number
"""A memref, or a condition."""
_K = TypeVar("_K")
_V = TypeVar("_V")
_CONDITIONAL = (
    *(arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.CmpiOp, arith.SelectOp),
    memref.ExtractAlignedPointerAsIndexOp,
)
"""Ops that compute conditions, or what conditions compare."""


class Concern(Enum):
    """What an op is to a memref it uses."""

    NONE = auto()
    """It looks at what is beside the memory: sizes, pointers."""
    ACCESS = auto()
    """It reads or writes the memory."""
    CONTROL = auto()
    """It frees, renames, forwards or compares the memref."""


def concern(op: Operation) -> Concern:
    if isinstance(op, memref.DimOp):
        return Concern.NONE
    if isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
        is_accessed = pointer_use(op) is PointerUse.ACCESSED
        return Concern.CONTROL if is_accessed else Concern.NONE
    if isinstance(op, memref.StoreOp):
        return Concern.CONTROL if is_memref(op.operands[0]) else Concern.ACCESS
    if not isinstance(op, memref.LoadOp) and (
        bool(op.regions)
        or isinstance(op, bufferization.DeallocOp)
        or CALL.lookup(op) is not None
        or op.successors
        or op.has_trait(IsTerminator, value_if_unregistered=False)
        or any(is_opaque(result.type) for result in op.results)
        or get_allocations_and_frees(op)
    ):
        return Concern.CONTROL
    return Concern.NONE if isinstance(op, memref.RankOp) else Concern.ACCESS


def only_renames_one(op: Operation) -> bool:
    """Whether all that an op does with memrefs is to give one another name. The shape of
    a memref.reshape is read."""
    return get_renamed(op) is not None and (
        sum(is_memref(operand) for operand in op.operands) == 1
    )


def is_opaque(type_: Attribute) -> bool:
    """Whether a value of the type may be, or hide, a buffer."""
    return not _is_plain(type(type_).name)


@cache
def _is_plain(name: str) -> bool:
    return name in (
        *("index", "integer_type", "vector", "complex", "none_type", "bf16"),
        *("f16", "f32", "f64", "f80", "f128"),
    )


@dataclass
class _InBlock:
    """The uses of a value in one block and what is nested there, as positions of ops of
    the block, in order; and the last one, directly or by way of conditions."""

    all: list[int] = field(default_factory=list[int])
    control: list[int] = field(default_factory=list[int])
    last: int = -1


class Lazy(dict[_K, _V]):
    """A table of which each entry is computed when it is first asked for."""

    def __init__(self, compute: Callable[[_K], _V]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: _K) -> _V:
        found = self[key] = self._compute(key)
        return found


class Uses:
    """The ops of a program that use memrefs and conditions."""

    def __init__(self) -> None:
        self._last: dict[SSAValue, dict[Block, int]] = {}
        self._last_of_list: dict[SSAValue, dict[Block, int]] = {}
        self._positions: dict[Block, dict[Operation, int]] = {}
        self._ops: dict[Block, list[Operation]] = {}
        self._by_block: dict[Key, dict[Block, _InBlock]] = {}
        self._live_blocks: dict[Key, Mapping[Block, None]] = {}
        self._until: dict[Block, Mapping[Key, float]] = {}
        self._positions_of: dict[
            tuple[Block, bool], Mapping[SSAValue, Sequence[int]]
        ] = {}
        self._made_in: dict[Region | None, Mapping[Key, bool]] = {}

    def position(self, op: Operation) -> int:
        block = op.parent
        assert block is not None
        return self._numbered(block)[op]

    def op_at(self, block: Block, position: int) -> Operation:
        self._numbered(block)
        return self._ops[block][position]

    def _numbered(self, block: Block) -> dict[Operation, int]:
        known = self._positions.get(block)
        if known is None:
            ops = self._ops[block] = list(block.ops)
            known = self._positions[block] = {op: n for n, op in enumerate(ops)}
        return known

    def in_block(
        self, block: Block, *, only_control: bool
    ) -> Mapping[SSAValue, Sequence[int]]:
        """Return for a memref the positions of the ops of a block that concern it, in
        order. An op that contains such an op is one."""
        known = self._positions_of.get((block, only_control))
        if known is None:
            known = self._positions_of[block, only_control] = Lazy[
                SSAValue, Sequence[int]
            ](lambda value: self._uses_in(value, block, only_control=only_control))
        return known

    def _uses_in(
        self, value: SSAValue, block: Block, *, only_control: bool
    ) -> Sequence[int]:
        inside = self._of(value).get(block)
        if inside is None:
            return ()
        return inside.control if only_control else inside.all

    def made_in(self, region: Region | None) -> Mapping[Key, bool]:
        """Return for a memref or condition whether a region defines it, or a value that
        it depends on."""
        known = self._made_in.get(region)
        if known is None:
            known = self._made_in[region] = Lazy[Key, bool](
                lambda key: any(block.parent is region for block in homes_of(key))
            )
        return known

    def needed_until(self, block: Block) -> Mapping[Key, float]:
        """Return for a memref or condition the position of a block after which it is not
        needed any more; infinity for one that is needed after the block, or that is
        defined outside of it."""
        known = self._until.get(block)
        if known is None:
            known = self._until[block] = Lazy[Key, float](
                lambda key: self._needed_until(key, block)
            )
        return known

    def _needed_until(self, key: Key, block: Block) -> float:
        if block not in homes_of(key):
            return math.inf
        region, end = block.parent, block.last_op
        is_single = block.next_block is None and block.prev_block is None
        if region is not None and end is not None and not is_single:
            live = self._live(key, region)
            if any(successor in live for successor in end.successors):
                return math.inf
        inside = self._of(key).get(block)
        return -1 if inside is None else inside.last

    def is_live_into(self, key: Key, block: Block) -> bool:
        assert block.parent is not None
        return block in self._live(key, block.parent)

    def _live(self, key: Key, region: Region) -> Mapping[Block, None]:
        """The blocks of a region at whose start a value of the region may be needed."""
        known = self._live_blocks.get(key)
        if known is None:
            homes = homes_of(key)
            uses = self._of(key)
            used = [b for b in uses if b.parent is region and b not in homes]
            known = self._live_blocks[key] = reachable(
                used, lambda block: [b for b in block.predecessors() if b not in homes]
            )
        return known

    def _of(self, key: Key) -> dict[Block, _InBlock]:
        known = self._by_block.get(key)
        if known is None:
            known = self._by_block[key] = dict[Block, _InBlock]()
            regions = {block.parent for block in homes_of(key)}
            if isinstance(key, SSAValue):
                self._add(known, key, regions)
            else:
                self._add_condition(known, key, regions)
        return known

    def _add(
        self, found: dict[Block, _InBlock], value: SSAValue, regions: set[Region | None]
    ) -> None:
        for use in value.uses:
            is_control = concern(use.operation) is Concern.CONTROL
            for inside, position in self._around(found, use.operation, regions):
                inside.all.append(position)
                if is_control:
                    inside.control.append(position)
        for inside in found.values():
            inside.all = sorted(set(inside.all))
            inside.control = sorted(set(inside.control))
        self._add_last(found, value, regions)

    def _add_condition(
        self, found: dict[Block, _InBlock], number: Number, regions: set[Region | None]
    ) -> None:
        """One known condition of an integer decides the others."""
        for same in [number] if number.subject is None else number.subject.compared:
            for member in same.members:
                self._add_last(found, member, regions)
            for op in same.users:
                for inside, position in self._around(found, op, regions):
                    inside.last = max(inside.last, position)

    def _add_last(
        self, found: dict[Block, _InBlock], value: SSAValue, regions: set[Region | None]
    ) -> None:
        for block, last in self._last_uses(value).items():
            for inside, position in self._around(found, self.op_at(block, last), regions):
                inside.last = max(inside.last, position)

    def _around(
        self, found: dict[Block, _InBlock], op: Operation, regions: set[Region | None]
    ) -> Iterator[tuple[_InBlock, int]]:
        """The positions of an op and those around it, up to some regions."""
        inner: Operation | None = op
        while inner is not None and (block := inner.parent) is not None:
            yield found.setdefault(block, _InBlock()), self.position(inner)
            if block.parent in regions:
                return
            inner = block.parent_op()

    def _last_uses(self, value: SSAValue) -> dict[Block, int]:
        """The position of the last op in each block that uses a value, also through
        computations of conditions from it."""
        known = self._last.get(value)
        if known is None:
            known = self._last[value] = dict[Block, int]()
            for use in value.uses:
                op = use.operation
                if op.parent is not None:
                    known[op.parent] = max(known.get(op.parent, -1), self.position(op))
                if isinstance(op, memref.StoreOp) and use.index == 0:
                    _merge(known, self._last_uses_of_list(op.operands[1]))
                for derived in _derived(op, use.index):
                    _merge(known, self._last_uses(derived))
        return known

    def _last_uses_of_list(self, list_: SSAValue) -> dict[Block, int]:
        """The same for what is read from the lists that a helper fills from a list, which
        many pointers may be stored in."""
        known = self._last_of_list.get(list_)
        if known is None:
            known = self._last_of_list[list_] = dict[Block, int]()
            for read in reads_of_results(list_):
                _merge(known, self._last_uses(read))
        return known


def _merge(known: dict[Block, int], others: Mapping[Block, int]) -> None:
    for block, position in others.items():
        known[block] = max(known.get(block, -1), position)


def homes_of(key: Key) -> frozenset[Block]:
    """The blocks that define a memref, or the values that a condition depends on. Each
    execution of such a block defines a new one."""
    return frozenset((block_of(key),)) if isinstance(key, SSAValue) else key.homes


def _derived(op: Operation, index: int) -> Sequence[SSAValue]:
    """What an op computes from an operand for a condition: pointers, comparisons, boolean
    ops, and what comes out of a branch."""
    if isinstance(op, scf.IfOp):
        return [result for result in op.results if result.type == i1]
    if isinstance(op, scf.YieldOp) and isinstance(around := op.parent_op(), scf.IfOp):
        result = around.results[index]
        return (result,) if result.type == i1 else ()
    if isinstance(op, _CONDITIONAL) and not is_memref(op.results[0]):
        return op.results
    return ()
