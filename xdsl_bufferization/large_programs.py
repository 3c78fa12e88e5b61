"""The state of the Python process while a pass works on a program of any size."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

_FRAMES_FOR_DEEP_NESTING = 200_000


@contextmanager
def large_programs() -> Generator[None]:
    """Suits the process to large programs for as long as a pass runs; may be nested.

    - Models may recurse over deeply nested regions, and over long chains of ops in loops
      whose types are inferred. Python's own limit of 1,000 frames would be met at about
      100 nested loops.
    - The cyclic garbage collector is disabled. It would walk all ops of the program again
      and again while new ones are made, which costs a pass up to a third of its time, and
      would find little: what a pass throws away is at most the ops it replaces. Nor does
      it walk what imported modules define, which stays.

    Passes may run in several threads at once: the process is as before when the last of
    them is done.
    """
    _enter()
    try:
        yield
    finally:
        _leave()


@dataclass
class _Before:
    """The state that is to be restored, while any pass runs."""

    running: int = 0
    limit: int = 0
    collecting: bool = True
    modules: int = 0


_before = _Before()
_lock = Lock()


def _enter() -> None:
    with _lock:
        if _before.running == 0:
            _before.limit = sys.getrecursionlimit()
            _before.collecting = gc.isenabled()
            _before.modules = len(sys.modules)
            sys.setrecursionlimit(max(_before.limit, _FRAMES_FOR_DEEP_NESTING))
            gc.disable()
        _before.running += 1


def _leave() -> None:
    with _lock:
        _before.running -= 1
        if _before.running == 0:
            sys.setrecursionlimit(_before.limit)
            if _before.collecting:
                if len(sys.modules) > _before.modules and not gc.get_freeze_count():
                    _age_all_objects()
                gc.enable()


def _age_all_objects() -> None:
    """Move all objects to the oldest generation, without a collection."""
    gc.freeze()
    gc.unfreeze()
