"""What loops do to the contents of memory, and whether they find what they read.

A loop is followed until nothing changes. What is found to hold for every iteration is
kept, so that a loop inside another need not be followed again from the start. Iterations
of parallel loops must leave each other what they need (buffer_contents_races.py).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, Region as IRRegion, SSAValue

from xdsl_bufferization.analysis.buffer_contents_accesses import MarkedProgram
from xdsl_bufferization.analysis.buffer_contents_marks import ENTRY, MarkOp
from xdsl_bufferization.analysis.buffer_contents_ops import Handler, OpChecker
from xdsl_bufferization.analysis.buffer_contents_races import (
    NOT_SHARED,
    Access,
    ParallelLoop,
)
from xdsl_bufferization.analysis.buffer_contents_report import WrongRead
from xdsl_bufferization.analysis.buffer_contents_state import Contents
from xdsl_bufferization.dialects import linalg, memref, scf
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.loop_like import surely_runs


@dataclass
class End:
    """An op that ends a region, what is in memory then, and for each memref operand of
    the op whether it holds the tensor that is handed on."""

    op: Operation
    contents: Contents
    valid: list[bool]


@dataclass
class _Iteration:
    """One iteration of a loop.

    Attributes:
        end: where it ends.
        after: what is in memory if the loop ends with it.
        valid: for each memref that the loop then hands on, whether it holds its tensor.
    """

    end: End
    after: Contents
    valid: list[bool]


@dataclass
class FollowedLoop:
    """A loop that was followed until nothing changed.

    Attributes:
        head: what is in memory when an iteration begins, whichever it is.
        valid_in_head: for each memref that is handed to it, whether it holds its tensor.
        after: what is in memory after the loop.
        valid: as `valid_in_head`, for what an iteration hands on.
        log: what is read and written, in a parallel loop.
        torn: how many copies were known to be torn.
    """

    head: Contents
    valid_in_head: list[bool]
    after: Contents
    valid: list[bool]
    log: Sequence[Access]
    torn: int


class LoopChecker(OpChecker):
    """Follows loops."""

    def __init__(self, program: MarkedProgram) -> None:
        super().__init__(program)
        self._loops: dict[Operation, FollowedLoop] = {}
        """The loops, as they were last followed."""

    @abstractmethod
    def _region(self, region: IRRegion, contents: Contents) -> list[End]:
        """Follow a region from its start to the ops that leave it."""

    def _handler(self, op: Operation) -> Handler:
        match op:
            case scf.ForOp():
                return self._for
            case scf.WhileOp():
                return self._while
            case scf.ForallOp() | scf.ParallelOp():
                return self._parallel
            case linalg.LinalgStructuredOperation():
                return self._computed_elements
            case _:
                return super()._handler(op)

    def _for(self, op: scf.ForOp, contents: Contents) -> None:
        body = op.regions[0].block
        flags = list(self._valid_operands(op, contents).values())
        self._enter_loop(op, contents)
        self._flow_in_loop(body.args[1:], op.operands[3:], contents)
        self._flow_in_loop(op.results, op.operands[3:], contents)

        def follow(flags: list[bool]) -> _Iteration:
            self._entry = flags
            (end,) = self._region(op.regions[0], contents.copy())
            self._leave_iteration(op, end.contents)
            self._flow_in_loop(op.results, end.op.operands, end.contents)
            self._flow_in_loop(body.args[1:], end.op.operands, end.contents)
            # What an iteration may find is what the loop leaves.
            return _Iteration(end, contents, end.valid)

        valid = self._until_stable(op, flags, contents, follow)
        self._segment.results = valid if surely_runs(op) else both(flags, valid)

    def _until_stable(
        self,
        op: Operation,
        flags: list[bool],
        contents: Contents,
        follow: Callable[[list[bool]], _Iteration],
    ) -> list[bool]:
        """Follow a loop until nothing changes. Gives for each memref that it hands on
        whether it holds its tensor.

        Args:
            flags: for each memref that is handed to it, whether it holds its tensor.
            contents: what is in memory before the loop, and then after it.
            follow: follows one iteration that begins with `contents`.
        """
        contents.forget(self._segment.handed_on)
        valid = self._skip_loop(op, flags, contents)
        if valid is not None:
            return valid
        flags = self._resume_loop(op, flags, contents)
        log_before = 0 if self._log is None else len(self._log)
        while True:
            done = follow(flags)
            joined = both(flags, done.end.valid)
            if not contents.join(done.end.contents, op) and joined == flags:
                break
            flags = joined
        self._keep_loop(op, contents, flags, done.after, done.valid, log_before)
        if done.after is not contents:
            contents.become(done.after)
        return done.valid

    def _keep_loop(
        self,
        op: Operation,
        head: Contents,
        valid_in_head: list[bool],
        after: Contents,
        valid: list[bool],
        log_before: int,
    ) -> None:
        """Remember how a loop was followed.

        Args:
            log_before: the length of the log before the loop.
        """
        self._loops[op] = FollowedLoop(
            head.copy(),
            valid_in_head,
            after.copy(),
            valid,
            [] if self._log is None else self._log[log_before:],
            len(self._torn),
        )

    def _skip_loop(
        self, op: Operation, flags: list[bool], contents: Contents
    ) -> list[bool] | None:
        """If a loop begins with no less than what held for every iteration when it was
        last followed, it ends as it did then. Gives what it hands on in that case.
        Without this, nested loops would be followed again and again."""
        known = self._loops.get(op)
        if (
            known is None
            or known.torn != len(self._torn)
            or both(flags, known.valid_in_head) != known.valid_in_head
            or known.head.copy().join(contents, op)
        ):
            return None
        contents.become(known.after)
        if self._log is not None:
            self._log += known.log
        return known.valid

    def _resume_loop(
        self, op: Operation, flags: list[bool], contents: Contents
    ) -> list[bool]:
        """Start with what was found to hold for every iteration when the loop was last
        followed: from one iteration of a loop around it to the next, never more is known.
        Without this, nested loops would take exponential time."""
        known = self._loops.get(op)
        if known is None:
            return flags
        contents.join(known.head, op)
        return both(flags, known.valid_in_head)

    def _while(self, op: scf.WhileOp, contents: Contents) -> None:
        before, after = op.regions
        flags = list(self._valid_operands(op, contents).values())
        self._enter_loop(op, contents)
        self._flow_in_loop(before.block.args, op.operands, contents)

        def follow(flags: list[bool]) -> _Iteration:
            self._entry = flags
            (condition,) = self._region(before, contents.copy())
            passed = condition.op.operands[1:]
            self._flow_in_loop(after.block.args, passed, condition.contents)
            self._flow_in_loop(op.results, passed, condition.contents)
            self._entry = condition.valid
            (end,) = self._region(after, condition.contents.copy())
            self._leave_iteration(op, end.contents)
            self._flow_in_loop(before.block.args, end.op.operands, end.contents)
            return _Iteration(end, condition.contents, condition.valid)

        self._segment.results = self._until_stable(op, flags, contents, follow)

    def _parallel(self, op: Operation, contents: Contents) -> None:
        """Iterations that run at the same time: what one writes, no other may read."""
        flags: list[bool] = []
        expected = self._segment.expected
        for position, value, buffer in _entry_tensors(op.regions[0].block):
            region = self._names.region(buffer)
            flags += [True] * (position - len(flags))
            if position < len(expected):
                flags.append(self._valid(expected[position], region, contents))
                self._same[value] = expected[position]
        model = BUFFERIZABLE.lookup(op)
        repeats = model is None or model.is_parallel_region(op, 0)
        self._iterations(op, flags, contents, repeats)
        self._segment.results = [True] * len(op.results)

    def _computed_elements(
        self, op: linalg.LinalgStructuredOperation, contents: Contents
    ) -> None:
        """Elements are computed at the same time, by a body that may use memory."""
        if any(isinstance(inner, MarkOp) for inner in walk(op.regions[0])):
            self._structured(op, contents, self._iterations(op, (), contents, True))
        else:
            self._structured(op, contents)

    def _iterations(
        self, op: Operation, flags: Sequence[bool], contents: Contents, repeats: bool
    ) -> Sequence[Access]:
        """Follow the body of an op that runs it several times at the same time, or only
        once. Gives what is read and written there.

        What is copied while another iteration may write it is not known afterwards; an
        error is only to need it.
        """
        self._enter_loop(op, contents)
        if repeats:
            if self._skip_loop(op, list(flags), contents) is not None:
                return self._loops[op].log
            flags = self._resume_loop(op, list(flags), contents)
        outer_log, outer_inserted = self._log, self._inserted
        while True:
            self._entry = list(flags)
            self._log, self._inserted = [], []
            (end,) = self._region(op.regions[0], contents.copy())
            if not repeats:
                contents.join(end.contents, op)
                break
            if contents.join(end.contents, op):
                continue
            loop = ParallelLoop(op, self._inserted)
            races = list(loop.find_races(self._log, contents))
            copies = {
                read.op: write.op
                for write, read in races
                if isinstance(read.op, memref.CopyOp) and read.op not in self._torn
            }
            if not copies:
                self._report_races(races)
                break
            self._torn |= copies
        if repeats:
            self._keep_loop(op, contents, list(flags), contents, [], 0)
        accesses = self._log
        if outer_log is not None:
            outer_log += accesses
        self._log, self._inserted = outer_log, outer_inserted
        return accesses

    def _report_races(self, races: Iterable[tuple[Access, Access]]) -> None:
        found = ["one that another iteration may write"]
        for write, read in races:
            if read.op not in self._torn:
                wrong = WrongRead(read.op, [NOT_SHARED], found, [write.op])
                self._wrong(read.op, (-2,), wrong)


def _entry_tensors(block: Block) -> Sequence[tuple[int, int, SSAValue]]:
    """The tensors that a block begins with: positions, numbers and buffers."""
    for op in block.ops:
        if isinstance(op, MarkOp):
            notes, tensors = next(op.each())
            return tensors if notes.role == ENTRY else ()
    return ()


def both(first: Sequence[bool], second: Sequence[bool]) -> list[bool]:
    """Which memrefs hold their tensors, whichever way was taken."""
    if len(first) != len(second):
        return list(first)
    return [one and other for one, other in zip(first, second, strict=True)]
