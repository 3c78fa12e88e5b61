"""Code that no signal may interrupt.

A signal's handler, such as the one that raises KeyboardInterrupt, can raise an exception
between any two steps of Python code. llvmlite does not expect that: if the exception
comes after it has freed something and before it has noted so, it frees it again, which
ends the process. Python runs handlers in the main thread only, so what uses llvmlite runs
in a thread of its own if the main thread asks for it. An exception then interrupts the
waiting.
"""

from __future__ import annotations

import atexit
import threading
from _thread import LockType, start_new_thread
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=type)


_LONGEST_WAIT = 0.1
"""Seconds until a handler may raise its exception."""

_working: set[LockType] = set()
"""The locks that threads hold while they work. There may be locks whose thread has not
been started: a signal can come before that."""


@atexit.register
def _wait() -> None:
    """Let the process end only when no thread works, and let none begin to."""
    for working in tuple(_working):
        working.acquire()


def uninterrupted(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function run to its end, even if a signal's handler raises an exception.

    The exception is raised soon, in the main thread, and the result dropped.
    """

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if threading.current_thread() is not threading.main_thread():
            return function(*args, **kwargs)
        # No threading.Thread or Future: a signal that interrupts their Python code while
        # it waits leaves them with a lock that they do not hold.
        results: list[R] = []
        exceptions: list[BaseException] = []
        working, finished = threading.Lock(), threading.Lock()
        finished.acquire()

        def work() -> None:
            with working:
                try:
                    results.append(function(*args, **kwargs))
                except BaseException as exception:
                    exceptions.append(exception)
            _working.discard(working)
            finished.release()

        _working.add(working)
        try:
            start_new_thread(work, ())
        except RuntimeError:  # The process ends, or has no thread left.
            _working.discard(working)
            return function(*args, **kwargs)
        # A signal just before the wait does not end it.
        while not finished.acquire(timeout=_LONGEST_WAIT):
            pass
        if exceptions:
            raise exceptions.pop()
        return results[0]

    return run


def uninterrupted_methods(cls: C) -> C:
    """Let all methods of a class that others may call run to their end."""
    for name, member in list(vars(cls).items()):
        if callable(member) and (not name.startswith("_") or name in _SPECIAL):
            setattr(cls, name, uninterrupted(member))
    return cls


_SPECIAL: frozenset[str] = frozenset({"__init__", "__str__"})
