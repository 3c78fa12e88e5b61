"""Which values may share the buffer of which operand, and how their buffers relate."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from xdsl.ir import SSAValue, Use


class BufferRelation(Enum):
    """How the buffer of a value relates to the buffer of an operand it aliases."""

    UNKNOWN = 0
    """The buffers may overlap."""
    EQUIVALENT = 1
    """The buffers are the same memref: same base, offset, sizes and strides."""


class AliasingValue(NamedTuple):
    """A value that may share the buffer of an operand when the op works in place."""

    value: SSAValue
    relation: BufferRelation
    is_definite: bool = True
    """False when it depends on what happens at run time (arith.select)."""


class AliasingOperand(NamedTuple):
    """An operand whose buffer a value may share when the op works in place."""

    operand: Use
    relation: BufferRelation
    is_definite: bool = True
