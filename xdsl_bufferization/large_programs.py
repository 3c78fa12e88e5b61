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
def deep_nesting() -> Generator[None]:
    """Lets code recurse over deeply nested regions, and over long chains of ops in loops
    whose types are inferred; may be nested.

    Python's own limit of 1,000 frames would be met at about 100 nested loops by models,
    and at about 190 by xDSL's parser.

    It may be entered in several threads at once, whose limit is one: it is as before when
    the last of them is done. The same holds for `large_programs`.
    """
    with _lock:
        if _before.nesting == 0:
            _before.limit = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_before.limit, _FRAMES_FOR_DEEP_NESTING))
        _before.nesting += 1
    try:
        yield
    finally:
        with _lock:
            _before.nesting -= 1
            if _before.nesting == 0:
                sys.setrecursionlimit(_before.limit)


@contextmanager
def large_programs() -> Generator[None]:
    """Suits the process to large programs for as long as a pass runs; may be nested.

    Recursion is deep, and the cyclic garbage collector is disabled. It would walk all ops
    of the program again and again while new ones are made, which costs a pass up to a
    third of its time, and would find little: what a pass throws away is at most the ops
    it replaces. Nor does it walk what imported modules define, which stays.
    """
    with deep_nesting():
        _stop_collecting()
        try:
            yield
        finally:
            _collect_again()


@dataclass
class _Before:
    """The state that is to be restored, while any pass runs."""

    nesting: int = 0
    limit: int = 0
    running: int = 0
    collecting: bool = True
    modules: int = 0


_before = _Before()
_lock = Lock()


def _stop_collecting() -> None:
    with _lock:
        if _before.running == 0:
            _before.collecting = gc.isenabled()
            _before.modules = len(sys.modules)
            gc.disable()
        _before.running += 1


def _collect_again() -> None:
    with _lock:
        _before.running -= 1
        if _before.running == 0 and _before.collecting:
            if len(sys.modules) > _before.modules and not gc.get_freeze_count():
                _age_all_objects()
            gc.enable()


def _age_all_objects() -> None:
    """Move all objects to the oldest generation, without a collection."""
    gc.freeze()
    gc.unfreeze()
