"""Views that nothing uses any more."""

from __future__ import annotations

from xdsl.ir import OpResult, SSAValue
from xdsl.rewriter import Rewriter

from xdsl_bufferization.interfaces.view_like import VIEW_LIKE


def erase_unused_views(value: SSAValue) -> SSAValue:
    """Erase a view if it is unused, then what it is a view of if that is an unused view.

    Return the first value that is not erased. `value` may be a result of an erased op.
    """
    while (
        isinstance(value, OpResult)
        and value.op.parent is not None
        and (model := VIEW_LIKE.lookup(value.op)) is not None
        and all(result.first_use is None for result in value.op.results)
    ):
        op = value.op
        value = model.get_view_source(op)
        Rewriter.erase_op(op)
    return value
