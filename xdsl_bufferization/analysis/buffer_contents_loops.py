"""What ops with regions do to the contents of memory, and whether they find what they
read.

The transfer function of an op with regions is the least fixed point over its region graph
(forwarded_values.py). The state at the start of a region is the join of the states that
control brings along its edges; the region is followed again whenever it changes. The
state at the op itself, as a successor, holds after the op. An op that says nothing about
its regions may run each of them any number of times, in any order.

States only ever grow weaker, and those of the last time are kept by op, so that a loop
inside another need not be followed again from the start. Iterations of parallel loops
must leave each other what they need (buffer_contents_races.py).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import (
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region as IRRegion,
    SSAValue,
)

from xdsl_bufferization.analysis.buffer_contents_accesses import MarkedProgram, Valid
from xdsl_bufferization.analysis.buffer_contents_marks import ENTRY, MarkOp
from xdsl_bufferization.analysis.buffer_contents_ops import Handler, OpChecker
from xdsl_bufferization.analysis.buffer_contents_races import (
    NOT_SHARED,
    Access,
    ParallelLoop,
)
from xdsl_bufferization.analysis.buffer_contents_report import WrongRead
from xdsl_bufferization.analysis.buffer_contents_state import Contents, Loop
from xdsl_bufferization.analysis.facts.forwarded_values import Point, RegionGraph
from xdsl_bufferization.dialects import linalg, memref, scf
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.loop_like import surely_runs
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    REGION_BRANCH_TERMINATOR,
    RegionSuccessor,
)

_MAX_GROWTH = 2
"""How often the memory that memrefs may be may grow at a point before it is widened."""


@dataclass
class End:
    """Where a region is left.

    Attributes:
        op: the terminator; None if the block has none.
        contents: what is in memory then.
        valid: by operand of the terminator, whether it holds the tensor it stands for.
    """

    op: Operation | None
    contents: Contents
    valid: Valid


@dataclass
class State:
    """What holds at the start of a block or region, or after an op.

    Attributes:
        contents: what is in memory.
        valid: by block argument, or result, whether it holds the tensor it stands for.
        growth: how often the memory that memrefs may be has grown.
    """

    contents: Contents
    valid: Valid
    growth: int = 0

    def is_implied_by(self, other: State, loop: Loop | None) -> bool:
        """Whether joining the other state would change nothing."""
        return both(
            self.valid, other.valid
        ) == self.valid and not self.contents.copy().join(other.contents, loop)


@dataclass
class FollowedLoop:
    """The fixed point of a loop.

    Attributes:
        states: by region, what holds in front of it, and for None, after the loop.
        log: what is read and written, in a parallel loop.
        torn: how many copies were known to be racy.
    """

    states: Mapping[Point, State]
    log: Sequence[Access]
    torn: int


class LoopChecker(OpChecker):
    """Follows ops with regions."""

    def __init__(self, program: MarkedProgram) -> None:
        super().__init__(program)
        self._loops: dict[Operation, FollowedLoop] = {}
        """The loops, as they were last followed."""

    @abstractmethod
    def _region(self, region: IRRegion, contents: Contents) -> list[End]:
        """Follow a region from its start to the ops that leave it."""

    def _handler(self, op: Operation) -> Handler:
        match op:
            case scf.ForallOp() | scf.ParallelOp():
                return self._parallel
            case linalg.LinalgStructuredOperation():
                return self._computed_elements
            case _:
                return super()._handler(op)

    def _unknown(self, op: Operation, contents: Contents) -> None:
        if not any(region.blocks.first is not None for region in op.regions):
            super()._unknown(op, contents)
        elif _is_parallel(op):
            self._parallel(op, contents)
        else:
            self._regions(op, contents)

    # Ops with regions.

    def _regions(self, op: Operation, contents: Contents) -> None:
        """Follow an op with regions to its fixed point."""
        graph = self._names.forwarded.graph(op)
        entry = End(op, contents, self._valid_operands(op, contents))
        contents.forget(self._segment.handed_on)
        if graph.repetitive:
            self._enter_loop(op, contents)
            if self._skip_loop(op, graph, entry):
                return
        log_before = 0 if self._log is None else len(self._log)
        states = self._fixed_point(op, graph, entry)
        if graph.repetitive:
            log = [] if self._log is None else self._log[log_before:]
            self._loops[op] = FollowedLoop(states, log, len(self._torn))
        self._leave(states, contents)

    def _leave(self, states: Mapping[Point, State], contents: Contents) -> None:
        """Go on after an op with regions. Control never gets there if there is no state:
        whatever is read then is as good as anything."""
        after = states.get(None)
        if after is not None:
            contents.become(after.contents)
            self._segment.results = after.valid

    def _fixed_point(
        self, op: Operation, graph: RegionGraph, entry: End
    ) -> dict[Point, State]:
        """The states in front of the regions of an op, and after it (None)."""
        states: dict[Point, State] = {}
        order = {region: number for number, region in enumerate(op.regions)}
        pending: set[IRRegion] = set()
        known = self._loops.get(op)

        def send(point: Point, end: End) -> None:
            for successor in self._successors(op, graph, point):
                target = successor.region
                back = (
                    point is not None
                    and target is not None
                    and order[target] <= order[point]
                )
                state = self._sent(op, graph, successor, end, back)
                if target not in states:
                    if known is not None and target is not None:
                        # From one iteration of a loop around it to the next, never more
                        # is known: start with what was found the last time.
                        self._join(state, known.states.get(target, state), op)
                    states[target] = state
                elif not self._join(states[target], state, op if back else None):
                    continue
                if target is not None:
                    pending.add(target)

        send(None, entry)
        while pending:
            region = min(pending, key=order.__getitem__)
            pending.remove(region)
            self._entry = states[region].valid
            for end in self._region(region, states[region].contents.copy()):
                send(region, end)
        return states

    def _successors(
        self, op: Operation, graph: RegionGraph, point: Point
    ) -> Sequence[RegionSuccessor]:
        successors = graph.successors[point]
        if point is None and surely_runs(op):
            return [successor for successor in successors if successor.region is not None]
        return successors

    def _sent(
        self,
        op: Operation,
        graph: RegionGraph,
        successor: RegionSuccessor,
        end: End,
        back: bool,
    ) -> State:
        """What control brings to a successor.

        Args:
            back: the successor is a region that may have run before.
        """
        contents = end.contents.copy()
        if back:
            self._leave_iteration(op, contents)
        if not graph.is_known:
            # It may access what it is given whenever control is with it.
            super()._unknown(op, contents)
            targets = _targets(op, successor.region)
            self._flow_somehow(op, targets, _sent_by(op, end), contents)
            return State(contents, {})
        inputs = successor.inputs
        positions = _sent_positions(op, successor, end.op)
        if positions is None:
            self._flow_somehow(op, inputs, _sent_by(op, end), contents)
            return State(contents, {})
        assert end.op is not None
        sent = [end.op.operands[position] for position in positions]
        flow = self._flow_in_loop if graph.repetitive else self._flow
        flow(inputs, sent, contents)
        numbers = _numbers(inputs)
        valid = {
            number: end.valid[position]
            for number, position in zip(numbers, positions, strict=True)
            if position in end.valid
        }
        return State(contents, valid)

    def _join(self, state: State, other: State, loop: Loop | None) -> bool:
        """Weaken a state to what holds in another one as well. Returns whether it has
        changed. What the memrefs in a cycle may be grows by one buffer each time round;
        it is widened to all that is forwarded to them, so that there are few rounds."""
        changed = state.contents.join_tensors(other.contents, loop)
        if state.contents.join_roots(other.contents):
            changed = True
            state.growth += 1
            if state.growth > _MAX_GROWTH:
                self._widen(state.contents)
        valid = both(state.valid, other.valid)
        if valid != state.valid:
            state.valid = valid
            changed = True
        return changed

    def _skip_loop(self, op: Operation, graph: RegionGraph, entry: End) -> bool:
        """If a loop begins with no less than what held for every iteration when it was
        last followed, it ends as it did then. Returns whether that is so.
        Without this, nested loops would be followed again and again."""
        known = self._loops.get(op)
        if known is None or known.torn != len(self._torn):
            return False
        for successor in self._successors(op, graph, None):
            state = known.states.get(successor.region)
            sent = self._sent(op, graph, successor, entry, False)
            if state is None or not state.is_implied_by(sent, op):
                return False
        if self._log is not None:
            self._log += known.log
        self._leave(known.states, entry.contents)
        return True

    # Parallel loops.

    def _parallel(self, op: Operation, contents: Contents) -> None:
        """Iterations that run at the same time: what one writes, no other may read."""
        valid: dict[int, bool] = {}
        expected = self._segment.expected
        block = op.regions[0].block
        for position, value, buffer in _entry_tensors(block):
            # The shared outputs were the last arguments.
            output = position - len(block.args)
            if 0 <= output < len(expected):
                region = self._names.region(buffer)
                valid[position] = self._valid(expected[output], region, contents)
                self._same[value] = expected[output]
        model = BUFFERIZABLE.lookup(op)
        repeats = model is None or model.is_parallel_region(op, 0)
        self._iterations(op, valid, contents, repeats)
        self._segment.results = {}

    def _computed_elements(
        self, op: linalg.LinalgStructuredOperation, contents: Contents
    ) -> None:
        """Elements are computed at the same time, by a body that may use memory."""
        if any(isinstance(inner, MarkOp) for inner in walk(op.regions[0])):
            self._structured(op, contents, self._iterations(op, {}, contents, True))
        else:
            self._structured(op, contents)

    def _iterations(
        self, op: Operation, valid: Valid, contents: Contents, repeats: bool
    ) -> Sequence[Access]:
        """Follow the body of an op that runs it several times at the same time, or only
        once. Returns what is read and written there.

        What is copied while another iteration may write it is not known afterwards; an
        error is only to need it.
        """
        region = op.regions[0]
        self._enter_loop(op, contents)
        state = State(contents, valid)
        known = self._loops.get(op) if repeats else None
        if known is not None:
            last = known.states[region]
            if known.torn == len(self._torn) and last.is_implied_by(state, op):
                contents.become(last.contents)
                if self._log is not None:
                    self._log += known.log
                return known.log
            self._join(state, last, op)
        outer_log, outer_inserted = self._log, self._inserted
        while True:
            self._entry = state.valid
            self._log, self._inserted = [], []
            changed = False
            for end in self._region(region, contents.copy()):
                changed |= self._join(state, State(end.contents, valid), op)
            if not repeats:
                break
            if changed:
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
        accesses = self._log
        if repeats:
            states: dict[Point, State] = {region: State(contents.copy(), state.valid)}
            self._loops[op] = FollowedLoop(states, accesses, len(self._torn))
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


def both(first: Valid, second: Valid) -> Valid:
    """What holds on both of two paths; what is not named does."""
    if first == second:
        return first
    return {
        number: first.get(number, True) and second.get(number, True)
        for number in first.keys() | second.keys()
    }


def _numbers(values: Sequence[SSAValue]) -> list[int]:
    """The numbers of some block arguments, or results."""
    return [v.index for v in values if isinstance(v, BlockArgument | OpResult)]


def _targets(op: Operation, point: Point) -> Sequence[SSAValue]:
    """The values that control sets on its way to a point of an op."""
    if point is None:
        return op.results
    first = point.blocks.first
    return () if first is None else first.args


def _sent_by(op: Operation, end: End) -> Sequence[SSAValue]:
    """What may be forwarded by an op with regions where one of them ends, or the op
    itself begins."""
    if end.op is None or end.op is op:
        return op.operands
    return (*op.operands, *end.op.operands)


def _sent_positions(
    op: Operation, successor: RegionSuccessor, end: Operation | None
) -> Sequence[int] | None:
    """The operands, of an op or of the terminator of one of its regions, that become the
    inputs of a successor; None if the terminator does not say."""
    if end is op:
        model = REGION_BRANCH.lookup(op)
        assert model is not None
        sent = model.get_entry_successor_operands(op, successor.region)
        # Forwarded operands are the last ones.
        return range(len(op.operands) - len(sent), len(op.operands))
    returns = None if end is None else REGION_BRANCH_TERMINATOR.lookup(end)
    if end is None or returns is None:
        return None if successor.inputs else ()
    return returns.get_returned_operand_range(end, successor.region)


def _is_parallel(op: Operation) -> bool:
    """Whether iterations of an op may run at the same time."""
    model = BUFFERIZABLE.lookup(op)
    return model is not None and model.is_parallel_region(op, 0)
