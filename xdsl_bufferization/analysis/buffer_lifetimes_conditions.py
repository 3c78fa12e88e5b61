"""What a condition is while one allocation is followed, as far as that decides it.

A *situation* is what is known there: which memrefs are in the allocation, and the values
of some i1. `Conditions` evaluates an i1 with that, without running the program: boolean
ops, and comparisons of aligned pointers, in which the allocation is equal to itself and
to nothing else. What remains unknown depends on a *leaf*, an i1 that may be one or the
other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Block, OpResult, SSAValue

from xdsl_bufferization.analysis.buffer_lifetimes_lists import Lists, Pointer
from xdsl_bufferization.dialects import bufferization, memref, scf
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE, get_view_base

Truth: TypeAlias = bool | None
"""None where it is not known."""

_EQUAL, _NOT_EQUAL = 0, 1


@dataclass
class Situation:
    """What is known at a point.

    Attributes:
        inside: the memrefs that are in the allocation.
        known: values of i1.
    """

    inside: Set[SSAValue]
    known: Mapping[SSAValue, bool]


class Conditions:
    """Evaluates i1 values.

    Args:
        callee: the function that an op calls, if it is known.
    """

    def __init__(self, callee: Callable[[CallOp], FuncOp | None]) -> None:
        self.lists = Lists(callee)
        self._last: _Evaluation | None = None

    def _evaluation(self, situation: Situation) -> _Evaluation:
        """What is known of this situation is kept as long as no other comes up."""
        if self._last is None or self._last.situation is not situation:
            self._last = _Evaluation(self, situation)
        return self._last

    def evaluate(self, value: SSAValue, situation: Situation) -> Truth:
        return self._evaluation(situation).of(value)

    def leaf(self, value: SSAValue, situation: Situation) -> SSAValue | None:
        """An i1 on which it depends what an unknown condition is."""
        evaluation = self._evaluation(situation)
        if evaluation.of(value) is not None:
            return None
        return evaluation.leaf(value)

    def is_free_choice(self, leaf: SSAValue) -> bool:
        """Whether a leaf may well be true or false, whatever else is the case; not so
        when it is a leaf only because too little is known here."""
        if not isinstance(leaf, OpResult):
            block = leaf.owner
            assert isinstance(block, Block)
            return isinstance(block.parent_op(), FuncOp) and block.prev_block is None
        op = leaf.op
        if isinstance(op, arith.CmpiOp) and any(
            isinstance(operand.owner, memref.ExtractAlignedPointerAsIndexOp)
            for operand in op.operands
        ):
            return False
        return not op.regions and not isinstance(
            op, bufferization.DeallocOp | CallOp | memref.LoadOp
        )


class _Evaluation:
    def __init__(self, conditions: Conditions, situation: Situation) -> None:
        self._conditions = conditions
        self.situation = situation
        self._seen: dict[SSAValue, Truth] = {}

    def of(self, value: SSAValue) -> Truth:
        known = self.situation.known.get(value)
        if known is not None:
            return known
        if value not in self._seen:
            self._seen[value] = None
            self._seen[value] = self._compute(value)
        return self._seen[value]

    def leaf(self, value: SSAValue) -> SSAValue:
        """The first unknown i1 that has no unknown operand."""
        while True:
            parts = self._parts(value)
            unknown = next((v for v in parts if self.of(v) is None), None)
            if unknown is None:
                return value
            value = unknown

    def _pointer(self, value: SSAValue) -> Pointer | None:
        return pointer_of(value, self.situation)

    def _parts(self, value: SSAValue) -> list[SSAValue]:
        """What an i1 is computed from."""
        op = value.owner
        match op:
            case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp() | arith.SelectOp():
                return list(op.operands)
            case scf.IfOp() if isinstance(value, OpResult):
                return [op.operands[0]]
            case memref.LoadOp():
                return self._conditions.lists.conditions_behind(op, self._pointer)
            case _:
                return []

    def _compute(self, value: SSAValue) -> Truth:
        if not isinstance(value, OpResult):
            return None
        op = value.op
        match op:
            case arith.ConstantOp():
                number = op.value
                return (
                    bool(number.value.data) if isinstance(number, IntegerAttr) else None
                )
            case arith.AndIOp() | arith.OrIOp():
                first, second = self.of(op.operands[0]), self.of(op.operands[1])
                decisive = isinstance(op, arith.OrIOp)
                if first is decisive or second is decisive:
                    return decisive
                return None if first is None or second is None else not decisive
            case arith.XOrIOp():
                first, second = self.of(op.operands[0]), self.of(op.operands[1])
                return None if first is None or second is None else first != second
            case arith.SelectOp():
                condition, first, second = (self.of(operand) for operand in op.operands)
                if condition is None:
                    return first if first == second else None
                return first if condition else second
            case arith.CmpiOp():
                return self._compare(op)
            case scf.IfOp():
                return self._branch(op, value.index)
            case memref.LoadOp():
                return self._conditions.lists.element(op, self.of, self._pointer)
            case bufferization.DeallocOp():
                return self._ownership(op, value.index)
            case _:
                return None

    def _compare(self, op: arith.CmpiOp) -> Truth:
        predicate = op.predicate.value.data
        if predicate not in (_EQUAL, _NOT_EQUAL):
            return None
        pointers = [pointer_of(operand, self.situation) for operand in op.operands]
        same = same_pointer(*pointers)
        if same is None and str(op.operands[0].type) == "i1":
            first, second = self.of(op.operands[0]), self.of(op.operands[1])
            same = None if first is None or second is None else first == second
        return None if same is None else same == (predicate == _EQUAL)

    def _ownership(self, op: bufferization.DeallocOp, index: int) -> Truth:
        """Whether a retained memref, of other memory perhaps, was owned."""
        retained = get_view_base(op.retained[index])
        is_inside = retained in self.situation.inside
        result: Truth = False
        for buffer, condition in zip(op.memrefs, op.conditions, strict=True):
            base = get_view_base(buffer)
            if base is not retained and (
                (base in self.situation.inside) != is_inside
                or (_is_new(base) and _is_new(retained))
            ):
                continue
            owned = self.of(condition)
            if owned and base is retained:
                return True
            if owned is not False:
                result = None
        return result

    def _branch(self, op: scf.IfOp, index: int) -> Truth:
        condition = self.of(op.operands[0])
        values: list[Truth] = []
        for number, region in enumerate(op.regions):
            if condition is not None and number == int(condition):
                continue
            end = region.block.last_op if region.blocks.first is not None else None
            values.append(None if end is None else self.of(end.operands[index]))
        return values[0] if all(v == values[0] for v in values) else None


def _is_new(value: SSAValue) -> bool:
    return isinstance(value.owner, memref.AllocOp | bufferization.CloneOp)


def pointer_of(value: SSAValue, situation: Situation) -> Pointer | None:
    """Which address an index is, if it is the aligned pointer of a memref.

    That memory which has been freed may have been given out again is left out of account.
    """
    op = value.owner
    if not isinstance(op, memref.ExtractAlignedPointerAsIndexOp):
        return None
    source = op.operands[0]
    while True:
        if source in situation.inside:
            return Pointer(None)
        if not isinstance(source, OpResult) or source.index != 0:
            return Pointer(source)
        model = VIEW_LIKE.lookup(source.op)
        if model is None:
            return Pointer(source)
        if model.may_move_pointer(source.op):
            return None
        source = model.get_view_source(source.op)


def same_pointer(first: Pointer | None, second: Pointer | None) -> Truth:
    if first is None or second is None:
        return None
    if first == second:
        return True
    # Different names of other memory may still be the same address.
    return False if None in (first.other, second.other) else None
