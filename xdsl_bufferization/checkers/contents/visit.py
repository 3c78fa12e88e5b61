"""One visit of a stretch of ops: the current state, and the findings.

Transfer functions (transfer.py) express the effects of each op through a `Visit`: it
reads, writes, allocates. A visit during the fixpoint iteration only changes the state.
A visit of the second pass also has `findings`, which collect wrong reads, the accesses
of parallel loops, and the information that callers need about the function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.strongly_connected import reachable
from xdsl_bufferization.checkers.contents.arenas import Segment
from xdsl_bufferization.checkers.contents.flow import FlowGraph
from xdsl_bufferization.checkers.contents.graph import Stretch, tensors_of_operands
from xdsl_bufferization.checkers.contents.marks import MarkOp
from xdsl_bufferization.checkers.contents.memory import Race, Returned, Root, Written
from xdsl_bufferization.checkers.contents.names import Views
from xdsl_bufferization.checkers.contents.placed import Placed
from xdsl_bufferization.checkers.contents.report import WrongRead
from xdsl_bufferization.checkers.contents.state import State
from xdsl_bufferization.checkers.contents.views import View, is_inside
from xdsl_bufferization.checkers.contents.windows import Access
from xdsl_bufferization.dialects import memref, tensor, vector
from xdsl_bufferization.interfaces.types import MEMREF_CLASSES, TENSOR_CLASSES


@dataclass(frozen=True)
class Global:
    """The memory of a global, which must not be written if it is a constant. Of a
    constant that the tensor program names itself, that is the program's concern, except
    where it uses the memory as a tensor."""

    name: str
    is_constant: bool
    is_named: bool = False


_MOST_EQUAL = 4
"""The last copies of a segment are kept: each write is compared with them."""


@dataclass(frozen=True)
class Effects:
    """What a caller must know of a function.

    Attributes:
        written: the arguments that it writes.
        results: by result, the memory it may be: the number of an argument, a global, or
            where the function has allocated it.
    """

    written: frozenset[int]
    results: Sequence[frozenset[Root]]


@dataclass
class Findings:
    """What the second pass collects.

    Attributes:
        wrong: the reads that go wrong, by op and what it expects; with the number of the
            stretch.
        accesses: by parallel loop, what its iterations read and write.
        inserted: by parallel loop, the slices that a thread inserts.
        written: the memory that is written.
        returned: by result of the function, the memory it may be.
    """

    wrong: dict[tuple[Operation, tuple[int, ...]], tuple[int, WrongRead]] = field(
        default_factory=dict[tuple[Operation, tuple[int, ...]], tuple[int, WrongRead]]
    )
    accesses: dict[Operation, list[Access]] = field(
        default_factory=dict[Operation, list[Access]]
    )
    inserted: dict[Operation, list[View]] = field(
        default_factory=dict[Operation, list[View]]
    )
    written: set[Root] = field(default_factory=set[Root])
    returned: dict[int, frozenset[Root]] = field(
        default_factory=dict[int, frozenset[Root]]
    )

    def add(self, other: Findings) -> None:
        """Add the findings elsewhere in the function."""
        self.wrong |= other.wrong
        self.accesses |= other.accesses
        self.written |= other.written
        for number, roots in other.returned.items():
            self.returned[number] = self.returned.get(number, frozenset()) | roots


class Program(Protocol):
    """The queries of a visit about the complete program."""

    functions: FunctionTable
    views: Views
    described: Mapping[int, str]
    constants: set[str]

    def effects(self, func: FuncOp) -> Effects:
        """Return the effects of a function, or the assumed ones."""
        ...

    def needs(self, func: FuncOp, argument: int) -> bool:
        """Return whether a function reads what an argument holds when it is called."""
        ...

    def is_spoiled(self, func: FuncOp, overlapping: frozenset[int]) -> bool:
        """Return whether a function reads, or returns, something wrong if two arguments
        are in the same memory."""
        ...

    def globals_of(self, callees: Sequence[FuncOp], result: int) -> frozenset[Root]:
        """Return the globals that a result of functions of unknown effects may be."""
        ...

    def callable_with(self, type_: Attribute | None) -> Sequence[FuncOp]:
        """Return the functions that an indirect call may call."""
        ...


class Insertion(NamedTuple):
    """A slice that a thread inserts, and the tensors that are there after the copy,
    all of each."""

    target: View
    tensors: frozenset[int]


class Equal(NamedTuple):
    """Two views that hold the same, since one has been copied to the other."""

    source: View
    target: View


class Visit:
    """A visit of a stretch.

    Attributes:
        notes: the segment that is open.
        racy: copies of what another iteration may write.
        findings: None on the way to the fixed point.
    """

    def __init__(
        self,
        program: Program,
        graph: FlowGraph,
        stretch: Stretch,
        state: State,
        racy: Mapping[Operation, Race],
        findings: Findings | None,
    ) -> None:
        self.program = program
        self.graph = graph
        self.stretch = stretch
        self.state = state
        self.racy = racy
        self.findings = findings
        self.notes = stretch.notes
        self.slices: Sequence[View] = ()
        """What the open segment inserts as a thread. All that threads insert is assumed
        to be disjoint, be it by one thread or by several, unless it surely overlaps."""
        self.insertions: list[Insertion] = []
        """What the open segment has copied to these slices so far."""
        self.equal: list[Equal] = []
        """What the open segment has copied last, as long as neither is written."""

    def view(self, value: SSAValue) -> View:
        return self.program.views.of(value)

    def is_left_in_buffer(self, value: SSAValue) -> bool:
        """Return whether a tensor that was left is in memory that is known."""
        return (
            value.type.__class__ in TENSOR_CLASSES
            and self.view(value).base.type.__class__ in MEMREF_CLASSES
        )

    # Which tensors are where.

    def names_of(self, tensor: int) -> Iterator[int]:
        """Iterate over all names of a tensor: in a thread, a shared output is the
        tensor from before the loop."""
        name: int | None = tensor
        while name is not None:
            yield name
            name = self.graph.same_as.get(name)

    def is_intact(self, tensor: int, view: View) -> bool:
        """Return whether a tensor is in a view, undamaged."""
        damage = self.state.damage
        return any(damage(name, view) == {} for name in self.names_of(tensor))

    def is_valid(self, tensor: int, view: View) -> bool:
        """Return whether a view holds a tensor, or one whose contents do not matter."""
        return tensor in self.notes.undefined or self.is_intact(tensor, view)

    def is_right(self, view: View, expected: Sequence[int]) -> bool:
        """Return whether the op may read a view that must hold one of these tensors, if
        there are any, or what its segment has written itself. For a tensor whose contents
        do not matter it must be its own buffer, or a new one: not that of another."""
        if not expected:
            return True
        # An op may have many operands: each is looked for among the few tensors there.
        intact = self.state.intact(view)
        return (
            not intact.isdisjoint(expected)
            or (
                bool(intact and self.graph.same_as)
                and any(not intact.isdisjoint(self.names_of(t)) for t in expected)
            )
            or (
                not set(self.notes.undefined).isdisjoint(expected)
                and all(map(is_allocated, self.state.roots_of(view.base)))
            )
            or any(right and is_inside(view, other) for other, right in self.written)
        )

    def expected_in(self, op: Operation, position: int) -> Sequence[int]:
        """Return the tensors one of which an operand must contain: exactly one if the
        op is that of the tensor program; none if the operand was a memref there."""
        notes = self.notes
        if op.name != notes.of or len(notes.positions) != len(notes.values):
            return notes.values
        return [
            tensor
            for number, tensor in zip(notes.positions, notes.values, strict=True)
            if number == position
        ]

    def invalid_operands(self, op: Operation) -> list[tuple[int, int]]:
        """Return the memref operands by position that do not hold their tensor."""
        return [
            (position, tensor)
            for position, tensor in tensors_of_operands(op, self.notes)
            if not self.is_valid(tensor, self.view(op.operands[position]))
        ]

    def is_of_program(self, op: Operation, view: View) -> bool:
        """Return whether the tensor program has this op, with this buffer as an operand,
        and does not use the buffer as a tensor. It means what it does with it."""
        notes = self.notes
        is_masked = isinstance(op.parent_op(), vector.MaskOp) and not notes.values
        if view.base in self.graph.filled or (op.name != notes.of and not is_masked):
            return False
        tensors = dict(tensors_of_operands(op, notes))
        return all(
            position not in tensors
            for position, value in enumerate(op.operands)
            if value.type.__class__ in MEMREF_CLASSES
            and self.view(value).base is view.base
        )

    # Accesses.

    @property
    def written(self) -> Iterator[tuple[View, bool]]:
        """The views written so far in the open segment, and whether that was right."""
        return Written.each(self.state.written.get(self.notes))

    def note_written(self, view: View, right: bool) -> None:
        earlier = self.state.written.get(self.notes)
        self.state.written[self.notes] = Written(view, right, earlier)

    def read(
        self, op: Operation, view: View, expected: Sequence[int] | None = None
    ) -> None:
        """Read a view.

        Args:
            expected: the tensors of which it must hold one, by default any operand.
        """
        if self.findings is None:
            return
        if expected is None:
            expected = self.notes.values
        if self.notes.values and not (
            _is_unused(op) or self._is_of_no_matter(view, expected)
        ):
            self.log(op, view)
        if not self.is_right(view, expected):
            self.report(op, view, expected)

    def _is_of_no_matter(self, view: View, expected: Sequence[int]) -> bool:
        """Return whether what is read may change meanwhile: nothing defines the contents
        of the tensors, nor has their op written there."""
        return (
            bool(expected)
            and all(tensor in self.notes.undefined for tensor in expected)
            and not any(self.state.overlap(view, other) for other, _ in self.written)
        )

    def write(self, op: Operation, view: View, right: bool) -> None:
        """Write a view. What overlaps it is damaged."""
        self.log(op, view, is_write=True)
        self.demand_writable(op, view)
        self.state.write(view, op, self.program.views, self.slices)
        if self.equal:
            self.equal = [
                equal
                for equal in self.equal
                if not any(self.state.overlap(view, other) for other in equal)
            ]
        self.note_written(view, right)

    def note_copied(self, source: View, target: View) -> None:
        """Note that a view has been copied to another one."""
        if not self.state.overlap(source, target):
            self.equal = [*self.equal[1 - _MOST_EQUAL :], Equal(source, target)]

    def log(self, op: Operation, view: View, is_write: bool = False) -> None:
        """Note an access, if iterations of a loop run at the same time."""
        if self.findings is not None:
            for loop in self.stretch.parallel:
                accesses = self.findings.accesses.setdefault(loop, [])
                accesses.append(Access(is_write, view, op))

    def all_roots(self, view: View) -> Set[Root]:
        """Return the memory that a view may be, and what unknown functions may have made
        that of."""
        roots = self.state.roots_of(view.base)
        if not any(is_returned(root) for root in roots):
            return roots
        return reachable(roots, lambda root: self.state.roots.get(root, ())).keys()

    # Findings.

    def demand_writable(self, op: Operation, view: View) -> None:
        if self.findings is None:
            return
        roots = self.all_roots(view)
        self.findings.written |= roots
        constants = [r for r in roots if isinstance(r, Global) and r.is_constant]
        if not self.graph.read_only.isdisjoint(roots) or (
            constants
            and not (
                all(constant.is_named for constant in constants)
                and self.is_of_program(op, view)
            )
        ):
            found = ["one that must not be written"]
            self.wrong(op, (-1,), WrongRead(op, ["a buffer it may write"], found, []))

    def report(self, op: Operation, view: View, expected: Sequence[int]) -> None:
        """Report that a view holds none of the tensors that are expected."""
        if self.findings is None:
            return
        described = self.program.described
        views = self.state.tensors.get(view.base, Placed())
        candidates = dict.fromkeys(
            tensor for inside in views.values() for tensor in inside
        )
        found = [described[t] for t in candidates if self.state.damage(t, view) == {}]
        writes = [
            write
            for write in dict.fromkeys(self.destroyers(view, expected))
            if not isinstance(write, MarkOp)
        ]
        names = [described[tensor] for tensor in expected]
        self.wrong(op, tuple(expected), WrongRead(op, names, found, writes))

    def wrong(self, op: Operation, key: tuple[int, ...], wrong: WrongRead) -> None:
        if self.findings is not None:
            found = self.stretch.number, wrong
            self.findings.wrong.setdefault((op, key), found)

    def destroyers(self, view: View, expected: Sequence[int]) -> list[Operation]:
        """Return the ops that have overwritten the expected contents."""
        destroyed = self.state.history.destroyed
        return [
            write
            for tensor in expected
            for write in (self.state.damage(tensor, view) or {}).values()
        ] or [destroyed[tensor] for tensor in expected if tensor in destroyed]


def is_returned(root: Root) -> bool:
    """Return whether an unknown function may have returned what is in a root, now or
    earlier."""
    return isinstance(root, Returned | tuple)


def is_allocated(root: Root) -> bool:
    """Return whether a root is memory that the program allocates."""
    return isinstance(root, Segment) or (
        isinstance(root, SSAValue)
        and isinstance(root.owner, memref.AllocOp | memref.AllocaOp)
    )


def _is_unused(op: Operation) -> bool:
    """Return whether an op only computes results, which have no uses."""
    is_load = isinstance(op, memref.LoadOp | tensor.ExtractOp)
    return is_load and op.results[0].first_use is None
