"""Which values may be anything, as far as the program says.

The checker of deallocations follows both branches of a condition that it does not know. A
fault on one of them is certain only if the condition can be so: if it depends on values
that are *free*, and on none that an earlier decision has restricted.

    func.func @f(%n: index) {                    // %n is free
      scf.while (%x = %c0) : (index) -> () {     // %x is not: it begins with 0

Free are the arguments of functions that may be called from elsewhere, what is loaded from
memory, and what block arguments receive if it is no constant. The counter of a loop is
not, nor what a call returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import i1
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from xdsl_bufferization.checkers.lifetimes.flow import Flow
from xdsl_bufferization.checkers.lifetimes.numbers import Numbering
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.interfaces.branch import BRANCH, get_successor_operands
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    get_forwarded_values,
)


class FreeSources:
    """Tells which values are free.

    Args:
        internal: for each function of which every call is known, the calls.
    """

    def __init__(
        self, numbering: Numbering, flow: Flow, internal: dict[FuncOp, list[CallOp]]
    ) -> None:
        self._numbering = numbering
        self._flow = flow
        self._internal = internal
        self._known: dict[SSAValue, bool] = {}

    def is_free(self, value: SSAValue) -> bool:
        """Return whether a value may be anything."""
        if value not in self._known:
            # A value that a loop carries depends on what it begins with.
            self._known[value] = True
            self._known[value] = self._compute(value)
        return self._known[value]

    def _compute(self, value: SSAValue) -> bool:
        if isinstance(value, BlockArgument):
            around = value.block.parent_op()
            if isinstance(around, FuncOp) and value.block.prev_block is None:
                return self._is_free_argument(around, value)
            # The conditions that a loop carries tell what has happened in it.
            return value.type != i1 and self._receives_free(value)
        assert isinstance(value, OpResult)
        op = value.op
        if isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
            return False
        if value.type != i1:
            return not op.regions
        return not op.regions and not isinstance(
            op, bufferization.DeallocOp | CallOp | memref.LoadOp
        )

    def _receives_free(self, argument: BlockArgument) -> bool:
        received = list(_received(argument))
        return bool(received) and not any(
            number.constant is not None
            or (number.leaf is not None and not self.is_free(number.leaf))
            for number in (self._numbering.number(value) for value in received)
        )

    def _is_free_argument(self, func: FuncOp, argument: BlockArgument) -> bool:
        calls = self._internal.get(func)
        return calls is None or any(
            self._passes_free(call, argument.index) for call in calls
        )

    def _passes_free(self, call: CallOp, index: int) -> bool:
        """Whether an operand of a call is free, whatever the other operands are."""
        block = call.parent
        number = self._numbering.number(call.operands[index])
        around = None if block is None else self._flow.conditions_around(block)
        if around is None or number.leaf is None or not self.is_free(number.leaf):
            return False
        others = [
            self._numbering.number(operand)
            for position, operand in enumerate(call.operands)
            if position != index
        ]
        return not any(other.sources & number.sources for other in (*others, *around))


def _received(argument: BlockArgument) -> Iterator[SSAValue]:
    """What a block argument takes over from elsewhere."""
    block = argument.block
    around = block.parent_op()
    if block.prev_block is not None:
        for before in block.predecessors():
            yield from _sent(before, block, argument.index)
        return
    model = None if around is None else REGION_BRANCH.lookup(around)
    if around is None or model is None:
        return
    for point in (None, *around.regions):
        for sent, received in get_forwarded_values(model, around, point):
            for value, target in zip(sent, received, strict=True):
                if target is argument:
                    yield value


def _sent(before: Block, block: Block, index: int) -> Sequence[SSAValue]:
    end = before.last_op
    model = None if end is None else BRANCH.lookup(end)
    if end is None or model is None:
        return ()
    return [
        get_successor_operands(model, end, number)[index]
        for number, successor in enumerate(end.successors)
        if successor is block
    ]
