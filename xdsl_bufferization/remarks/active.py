"""The active log of remarks, in which passes record causes.

All passes import this module, so it imports the log and the model of remarks only if
remarks are requested.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from threading import local
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

if TYPE_CHECKING:
    from xdsl_bufferization.remarks.log import RemarkLog

_LOWERINGS = ("convert-linalg-to-loops", "convert-scf-to-cf", "convert-to-llvm")
"""The passes that turn ops on memory into other ops, and remove none."""


class _Active(local):
    """The log of each thread."""

    log: RemarkLog | None = None


_active = _Active()


def active_log() -> RemarkLog | None:
    """Return the log that passes note causes in, or None when remarks are not
    requested."""
    return _active.log


@contextmanager
def collecting(root: Operation, pass_name: str = "") -> Generator[RemarkLog]:
    """Collect remarks while passes run on a program, or the named one. Inside of another
    collection of the thread, that one goes on."""
    if (outer := _active.log) is not None:
        yield outer
        return
    from xdsl_bufferization.remarks.log import RemarkLog

    log = _active.log = RemarkLog(pass_name)
    log.adopt(root, "program")
    try:
        yield log
    finally:
        _active.log = None


@contextmanager
def running(pass_name: str, root: Operation) -> Generator[None]:
    """Say which pass runs on a program, if remarks are collected."""
    log = _active.log
    if log is None:
        yield
        return
    before, log.pass_name = log.pass_name, pass_name
    lowered = log.lowering(root, pass_name) if pass_name in _LOWERINGS else nullcontext()
    try:
        with lowered:
            yield
        log.adopt(root, "by-pass")
    finally:
        log.pass_name = before


def note_made_for(
    new: Operation, code: str, op: Operation, value: SSAValue | None = None
) -> None:
    """Note, if remarks are collected, that `new` was made for `op` because of `value`."""
    if (log := _active.log) is not None:
        log.note(new, log.cause(code, op, value))


@contextmanager
def printing_remarks(root: Operation, pass_name: str, wanted: bool) -> Generator[None]:
    """Print to stderr, if wanted, what a pass has done to a program."""
    if not wanted:
        yield
        return
    from xdsl_bufferization.remarks.printing import print_remarks

    with collecting(root, pass_name) as log:
        yield
        print_remarks(log.remarks(root), sys.stderr)
