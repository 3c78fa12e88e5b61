"""Control flow of cf: branches between blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import accumulate
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, i32
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects import cf
from xdsl_bufferization.interfaces.table import attach


class _SegmentedBranch(ABC):
    """A branch whose operands are forwarded in segments, one a successor, in order."""

    @abstractmethod
    def get_segments(self, op: Operation) -> list[int]:
        """The number of operands before the first segment, then each segment's."""

    @abstractmethod
    def set_segments(self, op: Operation, segments: Sequence[int]) -> None:
        """Records how many operands each segment has now."""

    def get_successor_operand_range(self, op: Operation, successor: int) -> range:
        ends = list(accumulate(self.get_segments(op)))
        return range(ends[successor], ends[successor + 1])

    def append_successor_operands(
        self, op: Operation, successor: int, operands: Sequence[SSAValue]
    ) -> None:
        if not operands:
            return
        segments = self.get_segments(op)
        end = sum(segments[: successor + 2])
        old = op.operands
        op.operands = (*old[:end], *operands, *old[end:])
        segments[successor + 1] += len(operands)
        self.set_segments(op, segments)

    def erase_successor_operands(
        self, op: Operation, successor: int, positions: Sequence[int]
    ) -> None:
        segments = self.get_segments(op)
        start = sum(segments[: successor + 1])
        erased = {start + position for position in positions}
        op.operands = [x for i, x in enumerate(op.operands) if i not in erased]
        segments[successor + 1] -= len(erased)
        self.set_segments(op, segments)


class _Branch(_SegmentedBranch):
    def get_segments(self, op: Operation) -> list[int]:
        return [0, len(op.operands)]

    def set_segments(self, op: Operation, segments: Sequence[int]) -> None:
        pass


class _CondBranch(_SegmentedBranch):
    def get_segments(self, op: Operation) -> list[int]:
        return _integers(op, "operandSegmentSizes")

    def set_segments(self, op: Operation, segments: Sequence[int]) -> None:
        op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, segments)


class _Switch(_SegmentedBranch):
    def get_segments(self, op: Operation) -> list[int]:
        flag, default, _ = _integers(op, "operandSegmentSizes")
        return [flag, default, *_integers(op, "case_operand_segments")]

    def set_segments(self, op: Operation, segments: Sequence[int]) -> None:
        flag, default, *cases = segments
        op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(
            i32, (flag, default, sum(cases))
        )
        op.properties["case_operand_segments"] = DenseArrayBase.from_list(i32, cases)


def _integers(op: Operation, name: str) -> list[int]:
    array = op.properties[name] if name in op.properties else op.attributes[name]
    return list(cast("DenseArrayBase[IntegerType]", array).get_values())


def register() -> None:
    attach(cf.BranchOp, _Branch())
    attach(cf.ConditionalBranchOp, _CondBranch())
    attach(cf.SwitchOp, _Switch())
