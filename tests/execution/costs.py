"""What code costs after `bufferization-pipeline` and after the plain passes."""

from __future__ import annotations

from xdsl_bufferization import jit

PLAIN = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},"
    "buffer-deallocation-pipeline,lower-to-llvm-pipeline"
)
BEST = "bufferization-pipeline,lower-to-llvm-pipeline"


def worse(best: jit.Stats, plain: jit.Stats) -> list[str]:
    """What costs more than after the plain passes."""
    figures = ("copies", "bytes_copied", "allocations", "peak_bytes")
    return [
        f"{figure}: {getattr(best, figure)}, plain: {getattr(plain, figure)}"
        for figure in figures
        if getattr(best, figure) > getattr(plain, figure)
    ]
