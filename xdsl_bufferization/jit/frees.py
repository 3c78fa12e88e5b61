"""Programs that free buffers themselves.

Deallocations that passes insert are correct. One in the original program may free a
buffer twice, a buffer that is used afterwards, or a Python array, which would corrupt
the memory of the process. The checker of `verify-deallocation` therefore checks a
program with any once before it runs, after all deallocations are inserted.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.error_positions import begin_with_position
from xdsl_bufferization.interfaces.diagnostics import warn

_FREES = frozenset(("memref.dealloc", "memref.realloc", "bufferization.dealloc"))


def frees_itself(module: ModuleOp) -> bool:
    """Return whether a program has deallocations before any pass has inserted some."""
    return any(op.name in _FREES for op in walk(module))


def check_frees(module: ModuleOp) -> None:
    """Check that only what was allocated is freed, once, and not used afterwards.

    What is never freed is no danger, and a result may be an argument. Where it depends on
    more than the checker can follow, such as buffers in memory, nothing is refused. There
    is a warning if it depends on conditions that may exclude each other.

    Raises:
        PassFailedException: what is freed or used wrongly, where, and on which path.
    """
    from xdsl_bufferization.checkers.lifetimes import solver, transfer
    from xdsl_bufferization.checkers.lifetimes.checker import check_lifetimes

    refused = (
        solver.RETURNED_FREED,
        transfer.FREED_TWICE,
        transfer.NOT_OURS,
        transfer.USED_AFTER_FREE,
    )
    found = check_lifetimes(module)
    for wrong in found.wrong:
        if wrong.what not in refused:
            continue
        error = PassFailedException(
            f"{wrong}\nThis could end the process. compile(..., check=False) does not "
            "look for it."
        )
        begin_with_position(error)
        raise error
    for undecided in found.undecided:
        if undecided.what in refused:
            warn(f"undecided, whether this may happen: {undecided}")
            return
