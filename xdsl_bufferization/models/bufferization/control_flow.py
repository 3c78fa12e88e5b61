"""Allocations of bufferization."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.memory_effects import (
    EffectKind,
    MemoryEffectOnValue,
)
from xdsl_bufferization.interfaces.table import attach


class _Clone:
    def get_allocations_and_frees(self, op: Operation) -> Sequence[MemoryEffectOnValue]:
        return (MemoryEffectOnValue(EffectKind.ALLOCATE, op.results[0]),)


def register() -> None:
    attach("bufferization.clone", _Clone())
