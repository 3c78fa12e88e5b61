"""Lists of the ops in an operation, made in one go.

Passes that look at every op spend much of their time finding the next one. A list is
made twice as fast as `Operation.walk` yields, and may be worked through while the IR
changes. Regions may be nested at will: nothing here is recursive.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Operation


def list_ops(root: Operation) -> list[Operation]:
    """All ops in the regions of `root`, each before those in its own regions."""
    found: list[Operation] = []
    unseen: list[Operation] = []
    """The first ones of sequences of ops in one block."""
    _push_blocks(root, unseen)
    while unseen:
        op: Operation | None = unseen.pop()
        while op is not None:
            found.append(op)
            following = op.next_op
            if op.regions:
                if following is not None:
                    unseen.append(following)
                _push_blocks(op, unseen)
                break
            op = following
    return found


def _push_blocks(op: Operation, unseen: list[Operation]) -> None:
    for region in reversed(op.regions):
        block = region.last_block
        while block is not None:
            first = block.first_op
            if first is not None:
                unseen.append(first)
            block = block.prev_block


def list_functions(module: Operation) -> list[func.FuncOp]:
    """All functions in `module` and in the modules inside, but for those in functions."""
    if isinstance(module, func.FuncOp):
        return [module]
    found: list[func.FuncOp] = []
    for region in module.regions:
        for block in region.blocks:
            for op in block.ops:
                if isinstance(op, func.FuncOp):
                    found.append(op)
                elif op.regions:
                    found += list_functions(op)
    return found
