"""The interface of ops for ownership-based buffer deallocation.

The *ownership* of a buffer in a block states whether this block must free the buffer
unless it forwards it. It is one of
  - uninitialized: not known yet (None);
  - unique: an i1 value, the *indicator*, states it at run time;
  - unknown: two indicators meet in one buffer, and no single value states it.
These form a lattice, uninitialized < unique < unknown; `combine_ownership` is its join.

`DeallocationState` holds the ownership of all buffers in a function while the pass walks
it, and the buffers that each block may have to free. An op with a model of
BufferDeallocationOpInterface updates that state itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Protocol, TypeAlias, cast, runtime_checkable

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    IndexType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.dialects.booleans import (
    BoolConstants,
    get_constant_bool,
    insert_before,
)
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.memory_effects import is_allocated, is_memref
from xdsl_bufferization.interfaces.table import InterfaceTable
from xdsl_bufferization.interfaces.view_like import get_comparable
from xdsl_bufferization.records import record
from xdsl_bufferization.remarks.active import note_made_for


class _State(Enum):
    UNKNOWN = auto()


UNKNOWN = _State.UNKNOWN

Ownership: TypeAlias = SSAValue | _State | None
"""Unique (the indicator), unknown, or uninitialized (None)."""


def combine_ownership(a: Ownership, b: Ownership) -> Ownership:
    """The join of two ownerships."""
    if a is None or a is b:
        return b
    if b is None:
        return a
    if isinstance(a, SSAValue) and isinstance(b, SSAValue):
        constant = get_constant_bool(a)
        if constant is not None and constant == get_constant_bool(b):
            return a
    return UNKNOWN


def _in_heap_dialects(op: Operation) -> bool:
    return op.name.startswith(("memref.", "bufferization."))


@dataclass(frozen=True)
class DeallocationOptions:
    """The options of the pass.

    With *mixed allocations*, the pipeline runs once for each kind of allocation op: the
    allocations that are not relevant are left alone, as if they were freed elsewhere.

    `owns_call_results`: what functions return is of the relevant kind. Of several runs,
    one only may say so, the first.
    """

    private_function_dynamic_ownership: bool = False
    static_ownership: bool = False
    is_relevant_alloc_op: Callable[[Operation], bool] = _in_heap_dialects
    is_relevant_dealloc_op: Callable[[Operation], bool] = _in_heap_dialects
    owns_call_results: bool = True


class ReturnedOwnership(Enum):
    """Who owns a memref that a function returns: its caller, or still who owned it before
    the call, or that is returned too, as an i1."""

    OWNED = auto()
    BORROWED = auto()
    DYNAMIC = auto()


@runtime_checkable
class BufferDeallocationOpInterface(Protocol):
    """An op that updates the deallocation state by itself.

    All other interfaces of the op are then ignored by the pass.
    """

    def process(
        self, op: Operation, state: DeallocationState, options: DeallocationOptions
    ) -> None:
        """Record what the op allocates, forwards or frees; insert what that needs.

        Results whose ownership is not set here get that of the memref operands.
        """
        ...

    def materialize_unique_ownership(
        self, op: Operation, memref: SSAValue, place: Operation, state: DeallocationState
    ) -> tuple[SSAValue, SSAValue]:
        """A memref to use instead of `memref`, which `op` defines, and its indicator.

        Ops are inserted before `place`. Called only when the value is needed, so this is
        where to build an indicator that other passes cannot easily remove again.
        """
        ...


class BufferDeallocationModel:
    """Base of models: a result of unknown ownership is cloned when it has to be owned."""

    def materialize_unique_ownership(
        self, op: Operation, memref: SSAValue, place: Operation, state: DeallocationState
    ) -> tuple[SSAValue, SSAValue]:
        return state.get_memref_with_unique_ownership(memref, place)


BUFFER_DEALLOCATION = InterfaceTable(BufferDeallocationOpInterface)


@record
class SameResults:
    """Two operands of a return that may be one buffer, or always are."""

    first: int
    second: int
    always: bool


class DeallocationState:
    """The ownership of every memref, and the memrefs each block may have to free.

    Args:
        function: the function being processed.
        live_in: for each block of a region with several blocks, the memrefs that are
            live at its start, in the order in which they are to be listed.
        same_results: for each return, the operands that may be one buffer.
        constant_results: for each return, the operands that may be a global's memory.
        owned_operands: for each return, operands that the function certainly owns.
        returned: for each result of the function, who owns it.
    """

    def __init__(
        self,
        function: func.FuncOp,
        live_in: Mapping[Block, Sequence[SSAValue]],
        same_results: Mapping[Operation, Sequence[SameResults]],
        constant_results: Mapping[Operation, Set[int]],
        owned_operands: Mapping[Operation, Set[int]],
        returned: Sequence[ReturnedOwnership],
    ):
        self.function = function
        self.live_in = live_in
        self.same_results = same_results
        self.constant_results = constant_results
        self.owned_operands = owned_operands
        self.returned = returned
        self.constants = BoolConstants(function.body.blocks[0])
        self._ownership: dict[Block, dict[SSAValue, Ownership]] = {}
        self._to_deallocate: dict[Block, dict[SSAValue, None]] = {}

    # Ownership

    def get_ownership(self, memref: SSAValue, block: Block) -> Ownership:
        """The ownership of `memref` in `block`.

        A block inherits it from the block that defines the memref: ownership of an
        allocation never changes while control stays in a region. Of what a region only
        captures, it takes no ownership.
        """
        in_block = self._ownership.get(block)
        if in_block is not None and memref in in_block:
            return in_block[memref]
        defining = get_defining_block(memref)
        if defining is block:
            return None
        if defining.parent is block.parent:
            return self._ownership.get(defining, {}).get(memref)
        return self.constants.get(False)

    def update_ownership(
        self, memref: SSAValue, ownership: Ownership, block: Block | None = None
    ) -> None:
        """Joins `ownership` to that of `memref`, by default where it is defined."""
        if block is None:
            block = get_defining_block(memref)
        in_block = self._ownership.setdefault(block, {})
        in_block[memref] = combine_ownership(in_block.get(memref), ownership)

    def set_ownership(
        self, memref: SSAValue, ownership: Ownership, block: Block | None = None
    ) -> None:
        """Replace the ownership of `memref`."""
        if block is None:
            block = get_defining_block(memref)
        self._ownership.setdefault(block, {})[memref] = ownership

    def get_memref_with_unique_ownership(
        self, memref: SSAValue, place: Operation
    ) -> tuple[SSAValue, SSAValue]:
        """`memref` and its indicator, or a clone of it, which is always owned."""
        block = place.parent
        assert block is not None
        ownership = self.get_ownership(memref, block)
        if isinstance(ownership, SSAValue):
            return memref, ownership
        return self.clone(memref, place)

    def clone(self, memref: SSAValue, place: Operation) -> tuple[SSAValue, SSAValue]:
        """A copy of `memref` that the block of `place` owns."""
        clone = bufferization.CloneOp(memref)
        note_made_for(clone, "ownership", place, memref)
        copy = insert_before(place, clone)
        owned = self.constants.get(True)
        self.add_memref_to_deallocate(copy, owned)
        return copy, owned

    # What to free and what to keep

    def add_memref_to_deallocate(self, memref: SSAValue, ownership: SSAValue) -> None:
        """Have `memref` freed at the end of the block that defines it, if owned."""
        block = get_defining_block(memref)
        self.update_ownership(memref, ownership, block)
        self._to_deallocate.setdefault(block, {})[memref] = None

    def inherit_memref_to_deallocate(self, memref: SSAValue, block: Block) -> None:
        """Have `memref`, defined in a block before, freed at the end of `block`."""
        self._to_deallocate.setdefault(block, {})[memref] = None

    def drop_memref_to_deallocate(self, memref: SSAValue, block: Block) -> None:
        """Forget about a memref that is freed before the end of `block`."""
        self._to_deallocate.get(block, {}).pop(memref, None)

    def has_memrefs_to_deallocate(self, place: Operation) -> bool:
        """Whether the block that `place` ends may have to free anything."""
        block = place.parent
        return block is not None and bool(self._to_deallocate.get(block))

    def get_memrefs_to_retain(
        self, successor: Block | None, forwarded: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """What must not be freed when control goes on to `successor` with `forwarded`."""
        retained = [value for value in forwarded if is_memref(value)]
        if successor is not None:
            retained += self.live_in.get(successor, ())
        return retained

    def get_memrefs_and_conditions_to_deallocate(
        self, place: Operation
    ) -> tuple[list[SSAValue], list[SSAValue]]:
        """What the block that `place` ends may have to free, and when.

        Only an allocation itself can be freed, not a view of it, so other memrefs are
        replaced by their base buffer. What is known not to be owned is omitted.
        """
        block = place.parent
        assert block is not None
        memrefs: list[SSAValue] = []
        conditions: list[SSAValue] = []
        for value in self._to_deallocate.get(block, ()):
            condition = self.get_ownership(value, block)
            # Live-in memrefs of unknown ownership were retained, and became unique.
            if not isinstance(condition, SSAValue):
                raise PassFailedException(
                    f"{place.name}: a memref is used where it is not defined: its "
                    "definition must come before all of its uses, on every path."
                    f"{describe(place)}"
                )
            if get_constant_bool(condition) is not False:
                memrefs.append(get_base_buffer(value, place))
                conditions.append(condition)
        return memrefs, conditions

    def insert_dealloc(
        self,
        place: Operation,
        memrefs: Sequence[SSAValue],
        conditions: Sequence[SSAValue],
        retained: Sequence[SSAValue],
    ) -> dict[SSAValue, SSAValue]:
        """Insert a dealloc before `place`; the new ownership of what it retains.

        That ownership is also recorded for the block of `place`.
        """
        block = place.parent
        assert block is not None
        comparable = {value: get_comparable(value) for value in retained}
        unique = list(dict.fromkeys(comparable.values()))
        if memrefs:
            op = bufferization.DeallocOp(memrefs, conditions, unique)
            block.insert_op_before(op, place)
            owned = dict[SSAValue, SSAValue](zip(unique, op.results, strict=True))
            updated = {value: owned[same] for value, same in comparable.items()}
        else:
            updated = dict.fromkeys(retained, self.constants.get(False))
        for value, ownership in updated.items():
            self.set_ownership(value, ownership, block)
        return updated

    def insert_dealloc_for_return_like(
        self, place: Operation, forwarded: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """Insert the dealloc of a block that leaves its region before `place`.

        Returns the ownership of each memref in `forwarded`.
        """
        memrefs, conditions = self.get_memrefs_and_conditions_to_deallocate(place)
        retained = self.get_memrefs_to_retain(None, forwarded)
        if not memrefs and not retained:
            return []
        updated = self.insert_dealloc(place, memrefs, conditions, retained)
        return [updated[value] for value in retained]


def get_defining_block(value: SSAValue) -> Block:
    owner = value.owner
    if isinstance(owner, Block):
        return owner
    assert owner.parent is not None
    return owner.parent


def get_base_buffer(value: SSAValue, place: Operation) -> SSAValue:
    """The memref that can be freed in place of `value`, built before `place`."""
    value = get_comparable(value)
    if is_allocated(value):
        return value
    if isinstance(value.type, UnrankedMemRefType):
        unranked = cast("UnrankedMemRefType[Attribute]", value.type)
        point = MemRefType(
            unranked.element_type, [], StridedLayoutAttr([]), unranked.memory_space
        )
        op = memref.ReinterpretCastOp(value, [], [], [], [0], [], [], point)
        value = insert_before(place, op)
    types = _metadata_types(cast("MemRefType[Attribute]", value.type))
    # One op for each view and argument: not by the slow way over its definition.
    op = memref.ExtractStridedMetadataOp.create(operands=[value], result_types=types)
    return insert_before(place, op)


@lru_cache(maxsize=256)
def _metadata_types(type: MemRefType[Attribute]) -> Sequence[Attribute]:
    """The base buffer, the offset, the sizes and the strides."""
    base = MemRefType(type.element_type, [], NoneAttr(), type.memory_space)
    return (base, *[IndexType()] * (1 + 2 * len(type.shape)))
