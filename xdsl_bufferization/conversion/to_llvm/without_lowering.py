"""The ops of the supported dialects for which convert-to-llvm has no lowering, with the
reason, and the remedy that the diagnostic suggests.
"""

from __future__ import annotations

_SCALED = (
    "LLVM has no type for its scale; extend the scale to f32 and multiply or divide by it"
)
_DMA = "a CPU has no DMA engine; copy with memref.copy"
_SCALABLE = "there is no lowering of scalable vectors; give vectors a fixed size"
_COMPLEX = (
    "C's functions of complex numbers have no portable calling convention; write it with "
    "complex.exp, complex.abs, complex.angle and math ops on the parts"
)

WITHOUT_LOWERING: dict[str, str] = {
    # op: why, and what to do
    "arith.scaling_extf": _SCALED,
    "arith.scaling_truncf": _SCALED,
    "complex.atan2": _COMPLEX,
    "complex.bitcast": (
        "LLVM casts no struct to a number; take the number apart with complex.re and im"
    ),
    "complex.cos": _COMPLEX,
    "complex.expm1": _COMPLEX,
    "complex.log": _COMPLEX,
    "complex.log1p": _COMPLEX,
    "complex.pow": _COMPLEX,
    "complex.rsqrt": _COMPLEX,
    "complex.sign": _COMPLEX,
    "complex.sin": _COMPLEX,
    "complex.sqrt": _COMPLEX,
    "complex.tan": _COMPLEX,
    "complex.tanh": _COMPLEX,
    "memref.dma_start": _DMA,
    "memref.dma_wait": _DMA,
    "vector.scalable.extract": _SCALABLE,
    "vector.scalable.insert": _SCALABLE,
    "vector.vscale": _SCALABLE,
}
