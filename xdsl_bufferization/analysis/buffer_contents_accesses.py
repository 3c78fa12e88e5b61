"""What all ops do to the contents of memory: read, write, hand memrefs on.

A *segment* is the bufferized form of one op of the tensor program. Whatever it reads must
be one of the tensors that the op takes, or what it has written itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects.func import CallOp
from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.buffer_contents_marks import MarkOp
from xdsl_bufferization.analysis.buffer_contents_races import Access
from xdsl_bufferization.analysis.buffer_contents_regions import (
    Names,
    Region,
    common_steps,
)
from xdsl_bufferization.analysis.buffer_contents_report import WrongRead
from xdsl_bufferization.analysis.buffer_contents_state import (
    Contents,
    Root,
    earlier_roots,
)
from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.analysis.facts.strongly_connected import strongly_connected
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferizable import MEMREF_CLASSES


@dataclass(frozen=True)
class Global:
    """The memory of a global, which must not be written if it is a constant."""

    name: str
    is_constant: bool


@dataclass(frozen=True)
class Returned:
    """What an unknown function returns. All that may be the memory it was given may be
    this as well."""

    op: Operation
    index: int


Valid: TypeAlias = Mapping[int, bool]
"""For operands, results or block arguments by number, whether a memref holds the tensor
that it stands for. Those that are not named do."""


@dataclass
class Segment:
    """The bufferized form of one op of the tensor program.

    Attributes:
        expected: its tensor operands.
        undefined: those with undefined contents.
        written: regions written so far, each with whether the contents are right.
        of: the name of the op.
        positions: of the tensor operands, among all operands.
        slices: what it inserts as a thread. All that threads insert is assumed to be
            disjoint, be it by one thread or by several.
        results: whether the buffers of the results hold their tensors; None if that is to
            be seen from what was written.
        last: the tensors that are not used afterwards.
        handed_on: those of them that are not used in its regions either.
    """

    expected: Sequence[int] = ()
    undefined: Sequence[int] = ()
    written: list[tuple[Region, bool]] = field(default_factory=list[tuple[Region, bool]])
    of: str = ""
    positions: Sequence[int] = ()
    slices: Sequence[Region] = ()
    results: Valid | None = None
    last: Sequence[int] = ()
    handed_on: Sequence[int] = ()


@dataclass(frozen=True)
class MarkedProgram:
    """What is to be checked.

    Attributes:
        functions: the functions that calls may refer to.
        described: the tensors by number (`Marks.described`).
        constants: the names of globals that must not be written.
    """

    functions: FunctionTable
    described: Mapping[int, str]
    constants: Set[str]


class Accesses:
    """What is common to all ops that touch memory."""

    def __init__(self, program: MarkedProgram) -> None:
        self.wrong: dict[tuple[Operation, tuple[int, ...]], WrongRead] = {}
        self._described = program.described
        self._constants = program.constants
        self._functions = program.functions
        self._names = Names(program.functions)
        self._segment = Segment()
        self._entry: Valid = {}
        self._written: set[Root] = set()
        self._read_only: set[Root] = set()
        self._log: list[Access] | None = None
        """In a parallel loop, all accesses."""
        self._inserted: list[Region] = []
        """In a parallel loop, the slices that threads insert."""
        self._torn: dict[Operation, Operation] = {}
        """Copies of what another iteration may write, each with such a write."""
        self._returned: dict[Root, frozenset[Root]] = {}
        """What an unknown function was given, by what it returned."""
        self._same: dict[int, int] = {}
        """To a thread, a shared output is what it was before the loop."""
        self._arguments: dict[int, Region] = {}
        """The buffers of tensors that are arguments of blocks."""
        self._in_loops: dict[SSAValue, frozenset[Root]] = {}
        """By what a loop hands on, all the memory that was found it may be."""
        self._sent_around: dict[Operation, frozenset[Root]] = {}
        """By op with regions that does not say what it forwards, all it may forward."""
        self._widened: dict[SSAValue, frozenset[Root]] = {}
        """By memref, all the memory that may ever be forwarded to it."""
        self._allocated_inside: dict[Operation, list[SSAValue]] | None = None
        """By op, what is allocated in its regions; None before the first loop."""

    # Reading and writing.

    def _valid(self, value: int, region: Region, contents: Contents) -> bool:
        if value in self._segment.undefined:
            return True
        return any(contents.damage(v, region) == {} for v in self._same_as(value))

    def _holds(self, value: int, region: Region, contents: Contents) -> bool:
        """Whether a region may be read for a tensor. For one whose contents do not matter
        only its own buffer, or a new one: not that of another tensor."""
        return any(contents.damage(v, region) == {} for v in self._same_as(value)) or (
            value in self._segment.undefined
            and all(map(_is_allocated, contents.roots_of(region.base)))
        )

    def _same_as(self, value: int) -> Iterator[int]:
        """A tensor under all its names."""
        name: int | None = value
        while name is not None:
            yield name
            name = self._same.get(name)

    def _is_right(
        self, region: Region, contents: Contents, expected: Sequence[int]
    ) -> bool:
        """Whether the current op may read a region that must hold one of these tensors,
        if there are any, or what the op has written itself."""
        segment = self._segment
        if not expected:
            return True
        if any(self._holds(value, region, contents) for value in expected):
            return True
        return any(
            right
            and other.base is region.base
            and common_steps(other, region) == len(other.steps)
            for other, right in segment.written
        )

    def _read(
        self,
        op: Operation,
        region: Region,
        contents: Contents,
        expected: Sequence[int] | None = None,
    ) -> None:
        """Read a region.

        Args:
            expected: the tensors of which it must hold one, by default any operand.
        """
        if expected is None:
            expected = self._segment.expected
        if self._log is not None and self._segment.expected and not _is_unused(op):
            self._log.append(Access(False, region, op))
        if not self._is_right(region, contents, expected):
            self._report(op, region, expected, contents)

    def _write(
        self, op: Operation, region: Region, contents: Contents, right: bool
    ) -> None:
        if self._log is not None:
            self._log.append(Access(True, region, op))
        self._demand_writable(op, region, contents)
        contents.write(region, op, self._names, self._segment.slices)
        self._segment.written.append((region, right))

    def _all_roots(self, region: Region, contents: Contents) -> Set[Root]:
        """The memory that a region may be, and what an unknown function may have made
        that of."""
        roots = contents.roots_of(region.base)
        if not self._returned:
            return roots
        found: set[Root] = set()
        waiting: list[Root] = list(roots)
        while waiting:
            root = waiting.pop()
            if root not in found:
                found.add(root)
                waiting += self._returned.get(root, ())
        return found

    def _demand_writable(self, op: Operation, region: Region, contents: Contents) -> None:
        roots = self._all_roots(region, contents)
        self._written |= roots
        if not self._read_only.isdisjoint(roots) or (
            self._constants
            and any(isinstance(root, Global) and root.is_constant for root in roots)
        ):
            self._wrong(
                op,
                (-1,),
                WrongRead(
                    op, ["a buffer it may write"], ["one that must not be written"], []
                ),
            )

    def _operands(self, op: Operation) -> Iterable[tuple[int, int]]:
        """The memref operands, each with the tensor it should hold."""
        segment = self._segment
        memrefs = [
            position
            for position, value in enumerate(op.operands)
            if value.type.__class__ in MEMREF_CLASSES
        ]
        if op.name == segment.of and len(segment.positions) == len(segment.expected):
            # Others were memrefs in the tensor program.
            held = dict(zip(segment.positions, segment.expected, strict=True))
            return [
                (position, held[position]) for position in memrefs if position in held
            ]
        if len(memrefs) == len(segment.expected):
            return zip(memrefs, segment.expected, strict=True)
        return ()

    def _expected_in(self, op: Operation, position: int) -> Sequence[int]:
        """The tensors of which an operand must hold one: just one, if the op is that of
        the tensor program; none, if the operand was a memref there."""
        segment = self._segment
        if op.name != segment.of or len(segment.positions) != len(segment.expected):
            return segment.expected
        return [
            value
            for number, value in zip(segment.positions, segment.expected, strict=True)
            if number == position
        ]

    def _invalid_operands(
        self, op: Operation, contents: Contents
    ) -> list[tuple[int, int]]:
        return [
            (position, value)
            for position, value in self._operands(op)
            if not self._valid(value, self._names.region(op.operands[position]), contents)
        ]

    def _valid_operands(self, op: Operation, contents: Contents) -> dict[int, bool]:
        return {
            position: self._valid(
                value, self._names.region(op.operands[position]), contents
            )
            for position, value in self._operands(op)
        }

    def _report(
        self,
        op: Operation,
        region: Region,
        expected: Sequence[int],
        contents: Contents,
    ) -> None:
        writes = self._destroyers(region, expected, contents)
        there = dict.fromkeys(
            value
            for inside in contents.tensors.get(region.base, {}).values()
            for value in inside
        )
        found = [
            self._described[value]
            for value in there
            if contents.damage(value, region) == {}
        ]
        names = [self._described[value] for value in expected]
        writes = [write for write in writes if not isinstance(write, MarkOp)]
        wrong = WrongRead(op, names, found, list(dict.fromkeys(writes)))
        self._wrong(op, tuple(expected), wrong)

    def _destroyers(
        self, region: Region, expected: Sequence[int], contents: Contents
    ) -> list[Operation]:
        """The ops that have destroyed what is expected."""
        return [
            write
            for value in expected
            for write in (contents.damage(value, region) or {}).values()
        ] or [
            contents.destroyed[value] for value in expected if value in contents.destroyed
        ]

    def _wrong(self, op: Operation, key: tuple[int, ...], wrong: WrongRead) -> None:
        self.wrong.setdefault((op, key), wrong)

    # Memrefs that are handed on.

    def _flow(
        self, targets: Sequence[SSAValue], sources: Sequence[SSAValue], contents: Contents
    ) -> None:
        """Targets become the memory that sources are."""
        found = [
            (base, contents.roots_of(self._names.region(source).base))
            for target, source in zip(targets, sources, strict=True)
            if target.type.__class__ in MEMREF_CLASSES
            and (base := self._names.region(target).base) is target
        ]
        for base, roots in found:
            contents.set_roots(base, roots)

    def _flow_somehow(
        self,
        around: Operation,
        targets: Iterable[SSAValue],
        sources: Iterable[SSAValue],
        contents: Contents,
    ) -> None:
        """Targets become new memory, or that of any source that was ever sent around by
        an op, of which it is not known what it forwards to what."""
        roots = self._sent_around.get(around, frozenset())
        for source in sources:
            if source.type.__class__ in MEMREF_CLASSES:
                roots |= contents.roots_of(self._names.region(source).base)
        self._sent_around[around] = roots
        for target in targets:
            if target.type.__class__ in MEMREF_CLASSES:
                contents.set_roots(target, roots | {target})

    def _widen(self, contents: Contents) -> None:
        """Let each memref that others are forwarded to be all that these may ever be."""
        sources = self._names.forwarded_bases
        bases = [b for b in contents.roots if b not in self._widened and sources(b)]
        for component in strongly_connected(bases, sources):
            roots: set[Root] = set()
            for base in component:
                found = [self._widened[s] for s in sources(base) if s in self._widened]
                roots.update(*found)
                if not sources(base):
                    roots |= {base, *earlier_roots(base)}
            self._widened.update(dict.fromkeys(component, frozenset(roots)))
        for base, known in list(contents.roots.items()):
            widened = self._widened.get(base)
            if widened is not None and sources(base):
                contents.set_roots(base, widened if known <= widened else widened | known)

    def _flow_in_loop(
        self, targets: Sequence[SSAValue], sources: Sequence[SSAValue], contents: Contents
    ) -> None:
        """The same, where what was found the last time is taken for granted: a loop in
        a loop then need not find it again each time."""
        self._flow(targets, sources, contents)
        for target in targets:
            if target.type.__class__ in MEMREF_CLASSES:
                base = self._names.region(target).base
                if base is target:
                    roots = contents.roots_of(base) | self._in_loops.get(
                        base, frozenset()
                    )
                    self._in_loops[base] = roots
                    contents.set_roots(base, roots)

    def _enter_loop(self, op: Operation, contents: Contents) -> None:
        """What the ops inside a loop have allocated before is not what they will."""
        for base in self._allocated_in(op):
            contents.age(base)

    def _leave_iteration(self, op: Operation, contents: Contents) -> None:
        """Nor is what they have allocated in an iteration what they will in the next."""
        for base in self._allocated_in(op):
            contents.retire(base)

    def _allocated_in(self, op: Operation) -> Sequence[SSAValue]:
        if self._allocated_inside is None:
            self._allocated_inside = _find_allocated(self._functions)
        return self._allocated_inside.get(op, ())


def _find_allocated(functions: FunctionTable) -> dict[Operation, list[SSAValue]]:
    """By op, what is allocated in its regions, be it by calls."""
    found: dict[Operation, list[SSAValue]] = {}
    for func in functions.functions:
        for op in walk(func):
            if isinstance(op, memref.AllocOp | memref.AllocaOp | CallOp):
                new = [r for r in op.results if r.type.__class__ in MEMREF_CLASSES]
                parent = op.parent_op()
                while new and parent is not None and parent is not func:
                    found.setdefault(parent, []).extend(new)
                    parent = parent.parent_op()
    return found


def _is_allocated(root: Root) -> bool:
    return isinstance(root, SSAValue) and isinstance(
        root.owner, memref.AllocOp | memref.AllocaOp
    )


def _is_unused(op: Operation) -> bool:
    """Whether an op does nothing but give results, and nobody wants them."""
    return isinstance(op, memref.LoadOp) and op.results[0].first_use is None
