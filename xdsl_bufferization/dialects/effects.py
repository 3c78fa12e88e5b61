"""Memory effects of ops on the buffers they have as operands and results.

xDSL's own traits say that an op reads, writes, allocates or frees something; these say
what, which dead code elimination needs to remove an allocation that nothing uses.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from xdsl.dialects.builtin import TensorType, UnrankedTensorType
from xdsl.ir import Operation
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind

from xdsl_bufferization.records import record


@record
class BufferEffects(MemoryEffect):
    """The operands an op reads, writes and frees, and the results it allocates, by index.

    An operand that is a tensor is a value: an op has no effect on it.

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
        effects = {
            EffectInstance(MemoryEffectKind.ALLOC, op.results[i]) for i in self.allocates
        }
        for kind, numbers in (
            (MemoryEffectKind.READ, self.reads),
            (MemoryEffectKind.WRITE, self.writes),
            (MemoryEffectKind.FREE, self.frees),
        ):
            for operand in (op.operands[i] for i in numbers):
                if not isinstance(operand.type, TensorType | UnrankedTensorType):
                    effects.add(EffectInstance(kind, operand))
        return effects
