"""The order of the ops of a function, saved in order to restore it."""

from __future__ import annotations

from xdsl.ir import Block, Operation

from xdsl_bufferization.dialects.op_lists import walk


class OpOrder:
    """The current order of all ops in a function."""

    def __init__(self, func: Operation):
        self._blocks: dict[Block, list[Operation]] = {}
        for op in walk(func):
            if op.parent is not None and op is not func:
                self._blocks.setdefault(op.parent, []).append(op)

    def restore(self) -> bool:
        """Bring all ops back. Return whether any was elsewhere."""
        changed = False
        for block, ops in self._blocks.items():
            if all(now is then for now, then in zip(block.ops, ops, strict=True)):
                continue
            changed = True
            for op in ops:
                op.detach()
            block.add_ops(ops)
        return changed
