"""Removal of memory operations without effect."""

from __future__ import annotations

from xdsl.ir import Operation

from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def erase_unread_allocation(op: Operation, worklist: Worklist) -> bool:
    """memref.alloc (or alloca) that nothing reads or passes on goes, with its stores."""
    users = [(use.operation, use.index) for use in op.results[0].uses]
    if not users or not all(
        (user.name == "memref.store" and index == 1) or user.name == "memref.dealloc"
        for user, index in users
    ):
        return False
    for user, _ in users:
        worklist.erase(user)
    return True


def erase_self_copy(op: Operation, worklist: Worklist) -> bool:
    """memref.copy of a buffer onto itself."""
    if op.operands[0] is not op.operands[1]:
        return False
    worklist.erase(op)
    return True
