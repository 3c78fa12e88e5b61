"""Removal of memory operations without effect."""

from __future__ import annotations

from xdsl.ir import Operation

from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def erase_unread_allocation(op: Operation, worklist: Worklist) -> bool:
    """memref.alloc (or alloca) that nothing reads or passes on goes, with its stores."""
    users: list[Operation] = []
    for use in op.results[0].uses:
        user = use.operation
        is_write_to_it = user.name == "memref.store" and use.index == 1
        if not is_write_to_it and user.name != "memref.dealloc":
            return False
        users.append(user)
    for user in users:
        worklist.erase(user)
    return bool(users)


def erase_self_copy(op: Operation, worklist: Worklist) -> bool:
    """memref.copy of a buffer onto itself."""
    if op.operands[0] is not op.operands[1]:
        return False
    worklist.erase(op)
    return True
