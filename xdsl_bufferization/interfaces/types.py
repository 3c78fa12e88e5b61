"""The types that are bufferized, and the types of buffers."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.dialects.builtin import (
    MemRefType,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Operation

TENSOR_TYPES: tuple[type[Attribute], ...] = (TensorType, UnrankedTensorType)
MEMREF_TYPES: tuple[type[Attribute], ...] = (MemRefType, UnrankedMemRefType)
# Asking whether a class is in a set is several times faster than isinstance, which asks
# the abstract base classes whenever the answer is no.
TENSOR_CLASSES: frozenset[type[Attribute]] = frozenset(TENSOR_TYPES)
MEMREF_CLASSES: frozenset[type[Attribute]] = frozenset(MEMREF_TYPES)

BufferType: TypeAlias = MemRefType | UnrankedMemRefType


def is_tensor(type_: Attribute) -> bool:
    """Return whether a value of this type is bufferized."""
    return isinstance(type_, TENSOR_TYPES)


def has_tensor_semantics(op: Operation) -> bool:
    """Return whether the op has a tensor operand or result, or a tensor as a block
    argument."""
    for value in op._operands:  # pyright: ignore[reportPrivateUsage]
        if value.type.__class__ in TENSOR_CLASSES:
            return True
    for result in op.results:
        if result.type.__class__ in TENSOR_CLASSES:
            return True
    return bool(op.regions) and any(
        argument.type.__class__ in TENSOR_CLASSES
        for region in op.regions
        for block in region.blocks
        for argument in block.args
    )
