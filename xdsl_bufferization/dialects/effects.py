"""Memory effects of ops on the buffers they have as operands and results.

xDSL's own traits say that an op reads, writes, allocates or frees something; these say
what, which dead code elimination needs to remove an allocation that nothing uses.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from xdsl.ir import Operation
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind


@dataclass(frozen=True)
class BufferEffects(MemoryEffect):
    """The operands an op reads, writes and frees, and the results it allocates, by index.

    Unlike xDSL's traits this one has state: its methods are called on the instance that
    the op's definition holds.
    """

    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    frees: tuple[int, ...] = ()
    allocates: tuple[int, ...] = ()

    def get_effects(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, op: Operation
    ) -> AbstractSet[EffectInstance]:
        operands, results = op.operands, op.results
        return {
            *(EffectInstance(MemoryEffectKind.READ, operands[i]) for i in self.reads),
            *(EffectInstance(MemoryEffectKind.WRITE, operands[i]) for i in self.writes),
            *(EffectInstance(MemoryEffectKind.FREE, operands[i]) for i in self.frees),
            *(EffectInstance(MemoryEffectKind.ALLOC, results[i]) for i in self.allocates),
        }
