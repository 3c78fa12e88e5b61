"""The control flow graph of a function for the contents checker.

Its nodes are stretches (graph.py). A stretch ends with its block, or with an op whose
regions are entered; the rest of the block is another stretch. Its edges are those of
RegionBranchOpInterface and BranchOpInterface. An op with regions that implements
neither may run each region any number of times, in any order, and forward any value to
any other.

    %r = scf.for ... {    first: up to here       -> second, -> third
      ...                 second: the body        -> second, -> third
    }
    ...                   third: the rest         (returns)

Iterations of a parallel loop may also run in any order, and forward nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xdsl_bufferization.analysis.facts.block_graph import reachable_blocks
from xdsl_bufferization.analysis.facts.forwarded_values import Point
from xdsl_bufferization.checkers.contents.graph import (
    Edge,
    Loop,
    MarkTransfer,
    Placed,
    RegionFlow,
    Stretch,
    Transfer,
    tensors_of_operands,
)
from xdsl_bufferization.checkers.contents.marks import (
    BEFORE,
    ENTRY,
    FILLED,
    NOTHING,
    MarkOp,
    Notes,
)
from xdsl_bufferization.checkers.contents.names import Views
from xdsl_bufferization.checkers.contents.regions import (
    is_entered,
    is_parallel,
    is_structured,
    repeats,
)
from xdsl_bufferization.checkers.contents.views import View
from xdsl_bufferization.checkers.edges import (
    FlowEdge,
    edges_between_regions,
    edges_of_branch,
)
from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.interfaces.types import MEMREF_CLASSES, TENSOR_CLASSES

_BUFFERS_AND_TENSORS = MEMREF_CLASSES | TENSOR_CLASSES
_ALLOCATING = (
    *("memref.alloc", "memref.alloca", "bufferization.alloc_tensor"),
    *("func.call", "func.call_indirect"),
)
"""Ops whose results may be new memory each time."""


class FlowGraph:
    """The graph of a function.

    Args:
        transfer_of: the transfer function of an op; None if it has none.
        marks: the transfer functions of the parts of marks, by role.

    Attributes:
        arguments: of the function.
        parallel: the parallel loops, each with the first stretch of its body.
        buffers: by tensor that is an argument of a block, its buffer.
        same_as: by tensor that a thread shares, what it was before the loop.
        read_only: the buffers of arguments that must not be written.
        filled: the buffers that the tensor program makes of tensors.
    """

    def __init__(
        self,
        func: FuncOp,
        views: Views,
        transfer_of: Callable[[Operation, Views], Transfer | None],
        marks: Mapping[str, MarkTransfer],
    ) -> None:
        self.parallel: dict[Operation, Stretch] = {}
        self.buffers: dict[int, View] = {}
        self.same_as: dict[int, int] = {}
        self.read_only: set[SSAValue] = set()
        self.filled: set[SSAValue] = set()
        self._views = views
        self._transfer_of = transfer_of
        self._marks = marks
        self._stretches: list[Stretch] = []
        self._allocated: list[SSAValue] = []
        self._depth = 0
        self._defined_once: list[SSAValue] = []
        self._starts: dict[Block, int] = {}
        first = func.body.blocks.first
        self.arguments: Sequence[BlockArgument] = () if first is None else first.args
        self._region(func.body, NOTHING, ())

    def is_made_in(self, loop: Loop, value: SSAValue) -> bool:
        """Return whether a value that is visible in a loop is made there."""
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        return block is not None and self._starts.get(block, -1) >= loop.first

    def groups(self) -> Iterator[Sequence[Stretch]]:
        """Iterate over all stretches in groups that no edge leads back to."""
        last_to: dict[int, int] = {}
        for stretch in self._stretches:
            for edge in stretch.edges:
                if edge.is_back:
                    last_to[edge.target.number] = stretch.number
        group: list[Stretch] = []
        last = 0
        for stretch in self._stretches:
            group.append(stretch)
            last = max(last, last_to.get(stretch.number, 0))
            if stretch.number >= last:
                yield group
                group = []

    # Regions and blocks.

    def _region(
        self, region: Region, outer: Notes, parallel: tuple[Operation, ...]
    ) -> RegionFlow:
        blocks = reachable_blocks(region)
        starts = {block: Stretch(outer, outer, parallel) for block in blocks}
        loops = {block: Loop(-1) for block in blocks}
        defined: list[SSAValue] = []
        ends: list[tuple[Stretch, Operation | None]] = []
        outside = len(self._defined_once)
        for block in blocks:
            end = self._block(block, starts[block], defined)
            last = block.last_op
            if last is None or not last.successors:
                ends.append((end, last))
            else:
                self._leave_block(last, end, starts, loops)
        for block, loop in loops.items():
            loop.first = starts[block].number
        self._defined_once += defined
        return RegionFlow(starts[blocks[0]], ends, defined, self._defined_once[outside:])

    def _leave_block(
        self,
        branch: Operation,
        end: Stretch,
        starts: dict[Block, Stretch],
        loops: dict[Block, Loop],
    ) -> None:
        for flow in edges_of_branch(branch):
            assert flow.block is not None
            edge = Edge(starts[flow.block])
            edge.is_back = -1 < edge.target.number <= end.number
            edge.loop = loops[flow.block] if edge.is_back else None
            if flow.positions is None:
                self._send_somehow(edge, branch, branch.operands, flow.targets)
            else:
                self._forward(edge, branch, flow.positions, flow.targets)
            end.edges.append(edge)

    def _block(self, block: Block, stretch: Stretch, defined: list[SSAValue]) -> Stretch:
        """Return the last stretch of a block."""
        self._number(stretch)
        self._starts[block] = stretch.number
        defined += _memory(block.args)
        notes = stretch.notes
        for op in block.ops:
            if type(op) is MarkOp:
                notes = self._mark(op, stretch, notes)
                continue
            if op.results and (new := _memory(op.results)):
                defined += new
                if op.name in _ALLOCATING:
                    self._allocated += new
            transfer = self._transfer_of(op, self._views)
            if not op.regions or not is_entered(op):
                if transfer is not None:
                    stretch.steps.append((op, transfer))
                continue
            after = Stretch(notes, stretch.outer, stretch.parallel)
            if is_parallel(op):
                written = transfer if is_structured(op) else None
                self._parallel(op, stretch, after, written)
            else:
                self._branch(op, stretch, after, transfer)
            self._number(after)
            stretch = after
        if block.last_op is not None:
            stretch.checks = self._operands(block.last_op, notes)
        if notes is not stretch.outer:
            stretch.forgotten, stretch.ends_block = notes.last, True
        return stretch

    def _number(self, stretch: Stretch) -> None:
        stretch.number = len(self._stretches)
        self._stretches.append(stretch)

    def _mark(self, op: MarkOp, stretch: Stretch, notes: Notes) -> Notes:
        """Read a mark. Return the segment that is open after it."""
        for part, tensors in op.each():
            placed = [
                (n, tensor, self._views.of(buffer)) for n, tensor, buffer in tensors
            ]
            transfer = partial(self._marks[part.role], part, placed)
            stretch.steps.append((op, transfer))
            if part.role == BEFORE:
                notes = part
            elif part.role == ENTRY:
                for _, tensor, view in placed:
                    self.buffers[tensor] = view
                    if tensor in part.read_only:
                        self.read_only.add(view.base)
            elif part.role == FILLED and part.of == bufferization.ToBufferOp.name:
                self.filled.update(view.base for _, _, view in placed)
        return notes

    # Ops with regions.

    def _branch(
        self, op: Operation, before: Stretch, after: Stretch, transfer: Transfer | None
    ) -> None:
        """Add the edges between the regions of an op, and what comes before and after."""
        notes = after.notes
        graph = self._views.forwarded.graph(op)
        if not graph.is_known and transfer is not None:
            # It may access what it is given whenever control is with it.
            before.steps.append((op, transfer))
        before.checks = self._operands(op, notes)
        if graph.is_known and notes is not before.outer:
            before.forgotten = notes.unused_inside
        loop = self._loop(before) if graph.repetitive else None
        self._depth += loop is not None
        begin, once = len(self._allocated), len(self._defined_once)
        flows = {
            region: self._region(region, notes, before.parallel)
            for region in op.regions
            if region.blocks.first is not None
        }
        if loop is not None:
            self._depth -= 1
            loop.allocations = self._allocated[begin:]
            del self._defined_once[once:]
        for sent in edges_between_regions(op, graph, None, op):
            before.edges.append(self._region_edge(op, None, op, sent, flows, after))
        for region, flow in flows.items():
            for end, terminator in flow.ends:
                if not graph.is_known and transfer is not None:
                    end.steps.append((op, partial(_in_segment, notes, transfer)))
                for sent in edges_between_regions(op, graph, region, terminator):
                    edge = self._region_edge(op, region, terminator, sent, flows, after)
                    self._leave(edge, flow, region in graph.repetitive)
                    edge.loop = loop if edge.is_back else None
                    end.edges.append(edge)

    def _leave(self, edge: Edge, flow: RegionFlow, is_repeated: bool) -> None:
        edge.left = flow.defined_once if is_repeated else flow.defined
        edge.is_repeated = is_repeated

    def _loop(self, before: Stretch) -> Loop:
        before.entered = Loop(len(self._stretches), self._depth + 1)
        return before.entered

    def _region_edge(
        self,
        op: Operation,
        point: Point,
        sender: Operation | None,
        sent: FlowEdge,
        flows: dict[Region, RegionFlow],
        after: Stretch,
    ) -> Edge:
        target = sent.region
        edge = Edge(after if target is None else flows[target].first)
        if point is not None and target is not None:
            regions = list(flows)
            edge.is_back = regions.index(target) <= regions.index(point)
        if sent.positions is None:
            sources: Sequence[SSAValue] = op.operands
            if sender is not None and sender is not op:
                sources = (*op.operands, *sender.operands)
            self._send_somehow(edge, op, sources, sent.targets)
        elif sender is not None:
            self._forward(edge, sender, sent.positions, sent.targets)
        return edge

    def _operands(self, op: Operation, notes: Notes) -> list[Placed]:
        return [
            (position, tensor, self._views.of(op.operands[position]))
            for position, tensor in tensors_of_operands(op, notes)
        ]

    def _forward(
        self,
        edge: Edge,
        sender: Operation,
        positions: Sequence[int],
        targets: Sequence[SSAValue],
    ) -> None:
        operands = sender.operands
        flows: list[tuple[SSAValue, SSAValue]] = []
        forwarded: list[tuple[int, int]] = []
        for target, position in zip(targets, positions, strict=True):
            if target.type.__class__ in MEMREF_CLASSES:
                assert isinstance(target, BlockArgument | OpResult)
                forwarded.append((target.index, position))
                if self._views.of(target).base is target:
                    source = self._views.of(operands[position])
                    flows.append((target, source.base))
        edge.flows, edge.forwarded = flows, forwarded

    def _send_somehow(
        self,
        edge: Edge,
        around: Operation,
        sources: Sequence[SSAValue],
        targets: Sequence[SSAValue],
    ) -> None:
        edge.around = around
        edge.sent = [self._views.of(source).base for source in _memrefs(sources)]
        edge.flows = [(target, target) for target in _memrefs(targets)]

    def _parallel(
        self, op: Operation, before: Stretch, after: Stretch, transfer: Transfer | None
    ) -> None:
        """Add the edges of a loop whose iterations may run at the same time."""
        notes = after.notes
        block = op.regions[0].block
        before.checks, unchanged = self._shared(block, notes)
        loop = self._loop(before)
        begin, once = len(self._allocated), len(self._defined_once)
        parallel = (*before.parallel, op) if repeats(op) else before.parallel
        flow = self._region(op.regions[0], notes, parallel)
        loop.allocations = self._allocated[begin:]
        del self._defined_once[once:]
        keys = [(key, key) for key, _, _ in before.checks]
        before.edges += [
            Edge(flow.first, forwarded=keys),
            Edge(after, forwarded=unchanged),
        ]
        for end, _ in flow.ends:
            back = Edge(flow.first, forwarded=None, loop=loop, is_back=True)
            out = Edge(after, loop=loop)
            for edge in (back, out) if repeats(op) else (out,):
                self._leave(edge, flow, True)
                end.edges.append(edge)
        if repeats(op):
            self.parallel[op] = flow.first
        if transfer is not None:
            # What it is to have written is seen afterwards.
            after.steps.append((op, transfer))
            for stretch in (before, *(end for end, _ in flow.ends)):
                for edge in stretch.edges:
                    if edge.target is after:
                        edge.forwarded = None

    def _shared(
        self, block: Block, notes: Notes
    ) -> tuple[list[Placed], list[tuple[int, int]]]:
        """Return the shared outputs of a loop: the last arguments of its body, as many
        as the loop has tensor operands. Also return which results are outputs that no
        thread uses, by the keys of their checks: these are what the loop was given."""
        found: list[Placed] = []
        unchanged: list[tuple[int, int]] = []
        first = next((op for op in block.ops if isinstance(op, MarkOp)), None)
        if first is None:
            return found, unchanged
        part, tensors = next(first.each())
        for position, tensor, buffer in tensors if part.role == ENTRY else ():
            output = position - len(block.args)
            if 0 <= output < len(notes.values):
                given = notes.values[output]
                found.append((position, given, self._views.of(buffer)))
                self.same_as[tensor] = given
                if tensor in part.last and given not in notes.undefined:
                    unchanged.append((output, position))
        return found, unchanged


def _in_segment(notes: Notes, transfer: Transfer, op: Operation, visit: Any) -> None:
    """Follow an op as a part of a segment around the present one."""
    visit.notes, inner = notes, visit.notes
    transfer(op, visit)
    visit.notes = inner


def _memory(values: Sequence[SSAValue]) -> list[SSAValue]:
    return [value for value in values if value.type.__class__ in _BUFFERS_AND_TENSORS]


def _memrefs(values: Sequence[SSAValue]) -> list[SSAValue]:
    return [value for value in values if value.type.__class__ in MEMREF_CLASSES]
