"""The state of the Python process while a pass works on a program of any size."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

_FRAMES_FOR_DEEP_NESTING = 200_000


@contextmanager
def large_programs() -> Generator[None]:
    """Suits the process to large programs for as long as a pass runs; may be nested.

    - Models may recurse over deeply nested regions, and over long chains of ops in loops
      whose types are inferred. Python's own limit of 1,000 frames would be met at about
      100 nested loops.
    - The cyclic garbage collector rests. It would walk all ops of the program again and
      again while new ones are made, which costs a pass up to a third of its time, and
      would find little: what a pass throws away is at most the ops it replaces.
    """
    limit = sys.getrecursionlimit()
    collecting = gc.isenabled()
    sys.setrecursionlimit(max(limit, _FRAMES_FOR_DEEP_NESTING))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()
