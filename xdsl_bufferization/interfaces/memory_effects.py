"""Which values an op allocates and frees.

The memory-effect traits of an op class determine them: `BufferEffects` names operands
and results by position; with xDSL's own traits, an op allocates its memref results or
frees its memref operands. A model declares exceptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import cache
from typing import NamedTuple, Protocol, runtime_checkable

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType, UnregisteredOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.traits import (
    EffectInstance,
    MemoryAllocEffect,
    MemoryEffect,
    MemoryEffectKind,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    RecursiveMemoryEffect,
)

from xdsl_bufferization.dialects.effects import BufferEffects
from xdsl_bufferization.interfaces.table import InterfaceTable
from xdsl_bufferization.records import record


class EffectKind(Enum):
    ALLOCATE = auto()
    FREE = auto()


class MemoryEffectOnValue(NamedTuple):
    """That an op allocates or frees one value.

    `automatic` allocations end with their scope (memref.alloca) and are never freed.
    """

    kind: EffectKind
    value: SSAValue
    automatic: bool = False


@runtime_checkable
class MemoryEffectOpInterface(Protocol):
    """States which values an op allocates and which it frees, regions not included."""

    def get_allocations_and_frees(
        self, op: Operation
    ) -> Sequence[MemoryEffectOnValue]: ...


MEMORY_EFFECTS = InterfaceTable(MemoryEffectOpInterface)

_KNOWN_DIALECTS = frozenset(
    (
        *("affine", "arith", "bufferization", "builtin", "cf", "complex", "func"),
        *("index", "linalg", "math", "memref", "scf", "shape", "tensor", "ub", "vector"),
    )
)
"""Dialects of which every op that allocates or frees says so by a trait or a model."""

_STATELESS = (
    MemoryAllocEffect,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    RecursiveMemoryEffect,
)


_MEMREFS = frozenset((MemRefType, UnrankedMemRefType))
"""Types of attributes have no subclasses."""


@record
class _ClassEffects:
    """What the traits of an op class tell about all its ops."""

    known: bool
    allocates: bool = False
    frees: bool = False
    positions: Sequence[BufferEffects] = ()
    others: Sequence[MemoryEffect] = ()

    neither: bool = False
    """It is known that the ops neither allocate nor free."""

    may_free: bool = True
    """It is not known that the ops free nothing."""


def is_memref(value: SSAValue) -> bool:
    return type(value.type) in _MEMREFS


def memrefs_of(ops: Iterable[Operation]) -> Iterator[SSAValue]:
    """Yield the memrefs that ops define: results, and arguments of their blocks."""
    for op in ops:
        yield from filter(is_memref, op.results)
        for region in op.regions:
            for block in region.blocks:
                yield from filter(is_memref, block.args)


def get_allocations_and_frees(
    op: Operation,
) -> Sequence[MemoryEffectOnValue] | None:
    """What `op` itself allocates and frees, or None when its effects are unknown."""
    model = MEMORY_EFFECTS.lookup(op)
    if model is not None:
        return model.get_allocations_and_frees(op)
    of_class = _get_class_effects(type(op))
    if of_class.neither:
        return ()
    if not of_class.known:
        return None
    freed: list[SSAValue] = []
    allocated: list[SSAValue] = []
    if of_class.frees:
        freed += op.operands
    if of_class.allocates:
        allocated += op.results
    for trait in of_class.positions:
        freed += [op.operands[i] for i in trait.frees]
        allocated += [op.results[i] for i in trait.allocates]
    for trait in of_class.others:
        for effect in trait.get_effects(op) or ():
            if effect.kind is MemoryEffectKind.FREE:
                freed += _affected(effect, op.operands)
            elif effect.kind is MemoryEffectKind.ALLOC:
                allocated += _affected(effect, op.results)
    return [
        *[MemoryEffectOnValue(EffectKind.FREE, v) for v in freed if is_memref(v)],
        *[MemoryEffectOnValue(EffectKind.ALLOCATE, v) for v in allocated if is_memref(v)],
    ]


def may_free(op: Operation) -> bool:
    """Whether ops of this kind free anything; cheaper than to ask what."""
    return MEMORY_EFFECTS.lookup(op) is not None or _get_class_effects(type(op)).may_free


def may_allocate(op: Operation) -> bool:
    """Whether ops of this kind allocate anything, or their effects are unknown; cheaper
    than to ask what."""
    return (
        MEMORY_EFFECTS.lookup(op) is not None or not _get_class_effects(type(op)).neither
    )


def _affected(effect: EffectInstance, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """The value the effect names, or all memrefs among `values` when it names none."""
    if isinstance(effect.value, SSAValue):
        return (effect.value,)
    return [value for value in values if is_memref(value)]


@cache
def _get_class_effects(op_class: type[Operation]) -> _ClassEffects:
    traits = [trait for trait in op_class.traits if isinstance(trait, MemoryEffect)]
    known = op_class.name.partition(".")[0] in _KNOWN_DIALECTS and not issubclass(
        op_class, UnregisteredOp
    )
    others = [
        trait
        for trait in traits
        if not known and not isinstance(trait, (*_STATELESS, BufferEffects))
    ]
    known = known or bool(traits)
    allocates = any(isinstance(trait, MemoryAllocEffect) for trait in traits)
    frees = any(isinstance(trait, MemoryFreeEffect) for trait in traits)
    positions = [
        trait
        for trait in traits
        if isinstance(trait, BufferEffects) and (trait.frees or trait.allocates)
    ]
    frees_nothing = not (frees or others or any(trait.frees for trait in positions))
    return _ClassEffects(
        known,
        allocates,
        frees,
        positions,
        others,
        neither=known and not (allocates or frees or positions or others),
        may_free=not (known and frees_nothing),
    )


def get_allocation(value: SSAValue) -> MemoryEffectOnValue | None:
    """The allocation that defines `value`, if an allocation does."""
    op = value.owner
    if not isinstance(op, Operation):
        return None
    for effect in get_allocations_and_frees(op) or ():
        if effect.kind is EffectKind.ALLOCATE and effect.value is value:
            return effect
    return None


def is_allocated(value: SSAValue) -> bool:
    """Whether `value` is defined by the allocation of it, on the heap or the stack."""
    if not isinstance(value, OpResult):
        return False
    op = value.op
    if MEMORY_EFFECTS.lookup(op) is None:
        of_class = _get_class_effects(type(op))
        if of_class.neither or not of_class.known:
            return False
        if not of_class.others:
            if not is_memref(value):
                return False
            if of_class.allocates:
                return True
            index = value.index
            return any(index in trait.allocates for trait in of_class.positions)
    return get_allocation(value) is not None
