"""Trial changes of a tensor program, undone if they cost more than they save.

Functions are changed, the program is analysed again (copy_estimates.py), and changes
that are worse by the estimate are undone, function by function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.copy_costs import CopyCosts
from xdsl_bufferization.transforms.utils.copy_estimates import estimate_copies
from xdsl_bufferization.transforms.utils.op_order import OpOrder


@dataclass
class TrialChanges:
    """The changes in a function, recorded to undo them.

    Attributes:
        order: the order of its ops before.
        operands: the operands that were replaced, and what they were.
        built: the ops that were built, in the order of the program.
        removed: the ops that were removed, each with its block, and the operands of it
            and of all ops inside.
    """

    order: OpOrder
    operands: list[tuple[Use, SSAValue]] = field(
        default_factory=list["tuple[Use, SSAValue]"]
    )
    built: list[Operation] = field(default_factory=list[Operation])
    removed: list[tuple[Operation, Block, Sequence[Sequence[SSAValue]]]] = field(
        default_factory=list["tuple[Operation, Block, Sequence[Sequence[SSAValue]]]"]
    )

    def replace(self, use: Use, value: SSAValue) -> None:
        """Replace an operand."""
        operands = use.operation.operands
        self.operands.append((use, operands[use.index]))
        operands[use.index] = value

    def note_built(self, before: Operation | None, anchor: Operation) -> None:
        """Note all ops between two that were neighbours: `before`, or the start of the
        block, and `anchor`."""
        assert anchor.parent is not None
        op = anchor.parent.first_op if before is None else before.next_op
        while op is not anchor:
            assert op is not None
            self.built.append(op)
            op = op.next_op

    def remove(self, op: Operation) -> None:
        """Remove an op without uses from the program. It has no operands then, nor have
        the ops inside."""
        assert op.parent is not None
        operands = [tuple(inner.operands) for inner in op.walk()]
        self.removed.append((op, op.parent, operands))
        op.detach()
        for inner in op.walk():
            inner.operands = ()

    def undo(self) -> None:
        """Restore the original function."""
        for op, block, operands in reversed(self.removed):
            for inner, values in zip(op.walk(), operands, strict=True):
                inner.operands = values
            block.add_op(op)
        for use, value in reversed(self.operands):
            use.operation.operands[use.index] = value
        for op in reversed(self.built):
            Rewriter.erase_op(op)
        self.order.restore()


def changes_around(
    op: Operation, changes: dict[FuncOp, TrialChanges]
) -> TrialChanges | None:
    """Return the changes of the function around an op, new ones if there are none; None
    if the op is in no function."""
    function = op.parent_op()
    while function is not None and not isinstance(function, FuncOp):
        function = function.parent_op()
    if function is None:
        return None
    if function not in changes:
        changes[function] = TrialChanges(OpOrder(function))
    return changes[function]


def keep_changes(
    root: ModuleOp,
    changes: dict[FuncOp, TrialChanges],
    is_kept: Callable[[CopyCosts, FuncOp | None], bool],
    *,
    cheapest: bool,
) -> None:
    """Undo the changes that are not to be kept.

    Args:
        is_kept: whether the costs now, of a function or of all together, are right.
        cheapest: see `estimate_copies`.
    """
    while changes:
        now = _estimate(root, cheapest)
        worse = [f for f in changes if now is None or not is_kept(now, f)]
        if not worse and now is not None and is_kept(now, None):
            return
        for function in worse or list(changes):
            changes.pop(function).undo()


def _estimate(root: ModuleOp, cheapest: bool) -> CopyCosts | None:
    try:
        return estimate_copies(root, cheapest=cheapest)[1]
    except PassFailedException:
        return None
