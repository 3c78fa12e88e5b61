"""Ops that access a memref directly: they do not forward it, or keep it."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import SSAValue, Use

from xdsl_bufferization.interfaces.destination_style import (
    DESTINATION_STYLE,
    destinations,
)
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE


def uses_of_views(buffer: SSAValue) -> Iterator[Use]:
    """The uses of a buffer and its views, other than making views."""
    unseen = [buffer]
    while unseen:
        for use in unseen.pop().uses:
            view = VIEW_LIKE.lookup(use.operation)
            if view is not None and use.index == 0:
                unseen.extend(use.operation.results)
            else:
                yield use


_READING = {
    "affine.load": 0,
    "bufferization.to_tensor": 0,
    "memref.copy": 0,
    "memref.dim": 0,
    "memref.load": 0,
    "vector.load": 0,
    "vector.transfer_read": 0,
}
_WRITING = {
    "affine.store": 1,
    "memref.copy": 1,
    "memref.dealloc": 0,
    "memref.store": 1,
    "vector.store": 1,
    "vector.transfer_write": 1,
}
"""Ops that read or write the memref that is the operand of this number, and that do not
keep it."""


def reads(use: Use) -> bool:
    """Whether an op reads a memref, and does not keep it."""
    is_init = _is_init(use)
    return (
        _READING.get(use.operation.name) == use.index if is_init is None else not is_init
    )


def writes(use: Use) -> bool:
    """Whether an op writes or frees a memref, and does not keep it."""
    is_init = _is_init(use)
    if is_init is None:
        return _WRITING.get(use.operation.name) == use.index
    return is_init


def _is_init(use: Use) -> bool | None:
    """Whether an operand of an op of linalg is one that it writes; None of other ops."""
    op = use.operation
    model = DESTINATION_STYLE.lookup(op)
    if model is None or not op.name.startswith("linalg."):
        return None
    return any(init.index == use.index for init in destinations(model, op))
