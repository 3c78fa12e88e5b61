"""What single ops do to the contents of memory, and whether they find what they read.

The marks say which tensors an op of the tensor program takes and gives; the ops between
its marks are its bufferized form, a *segment*. Control flow is for buffer_contents.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import (
    Operation,
    SSAValue,
)
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.analysis.buffer_contents_marks import (
    AFTER,
    BEFORE,
    ENTRY,
    FILLED,
    MarkOp,
)
from xdsl_bufferization.analysis.buffer_contents_races import (
    Access,
)
from xdsl_bufferization.analysis.buffer_contents_regions import (
    Names,
    Part,
    Region,
    Step,
    common_steps,
    is_same,
    same_part,
)
from xdsl_bufferization.analysis.buffer_contents_report import WrongRead
from xdsl_bufferization.analysis.buffer_contents_state import Contents, Damage, Root
from xdsl_bufferization.dialects import linalg, memref, scf, vector
from xdsl_bufferization.dialects.linalg.attrs import IteratorType
from xdsl_bufferization.dialects.linalg.structured import output_count
from xdsl_bufferization.interfaces.bufferizable import MEMREF_TYPES

_HARMLESS = (
    "memref.dim",
    "memref.rank",
    "memref.dealloc",
    "memref.extract_strided_metadata",
    "memref.extract_aligned_pointer_as_index",
)


_READING = (
    *("vector.transfer_read", "vector.load", "vector.maskedload", "vector.gather"),
    *("vector.expandload", "memref.prefetch"),
)
"""What reads memory and does not write it; what is not named here may do both."""
_RENAMING = (
    *("tensor.bitcast", "tensor.cast", "tensor.collapse_shape", "tensor.expand_shape"),
    *("tensor.extract_slice", "tensor.reshape", "bufferization.to_tensor"),
)
_ASSEMBLING = ("tensor.concat",)
"""What copies each of its operands to a part of the result, which these fill."""
_PLACING = ("tensor.insert_slice", "tensor.pad")
"""What copies its first operand to a part of the result."""
_COMPUTING = ("bufferization", "linalg", "tensor")
"""Dialects of which all other ops write the elements of what they give."""


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


@dataclass
class Segment:
    """The bufferized form of one op of the tensor program.

    Attributes:
        expected: its tensor operands.
        undefined: those with undefined contents.
        written: regions written so far, each with whether the contents are right.
        results: for each tensor it gives, whether the buffer is known to hold it; None if
            that is to be seen from what was written.
        last: the tensors that are not used afterwards.
    """

    expected: Sequence[int] = ()
    undefined: set[int] = field(default_factory=set[int])
    written: list[tuple[Region, bool]] = field(default_factory=list[tuple[Region, bool]])
    results: Sequence[bool] | None = None
    last: Sequence[int] = ()


class OpChecker:
    """Follows one op after the other, in the order in which it is told.

    Args:
        described: the tensors by number, as `insert_marks` gave them.
        constants: the names of globals that must not be written.
    """

    def __init__(self, described: Mapping[int, str], constants: Set[str]) -> None:
        self.wrong: dict[tuple[Operation, tuple[int, ...]], WrongRead] = {}
        self._described = described
        self._constants = constants
        self._names = Names()
        self._segment = Segment()
        self._entry: list[bool] = []
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

    def _op(self, op: Operation, contents: Contents) -> None:
        """What an op without control flow does."""
        match op:
            case MarkOp():
                self._mark(op, contents)
            case memref.AllocOp() | memref.AllocaOp():
                contents.allocate(op.results[0])
            case memref.GetGlobalOp():
                name = op.name_.root_reference.data
                root = Global(name, name in self._constants)
                contents.set_roots(op.results[0], frozenset((root,)))
            case memref.LoadOp():
                region = self._names.region(op.operands[0])
                self._read(op, _element(region, op.operands[1:]), contents)
            case memref.StoreOp():
                region = self._names.region(op.operands[1])
                self._write(op, _element(region, op.operands[2:]), contents, True)
            case vector.TransferWriteOp():
                region, is_all = self._vector_region(op)
                if not is_all:
                    self._read(op, region, contents)
                self._write(op, region, contents, True)
            case memref.CopyOp():
                self._copy(op, contents)
            case memref.ReshapeOp():
                self._read(op, self._names.region(op.operands[1]), contents)
            case arith.SelectOp():
                self._select(op, contents)
            case scf.InParallelOp():
                self._in_parallel(op, contents)
            case scf.YieldOp() | scf.ConditionOp():
                pass
            case ReturnOp():
                for operand in self._invalid_operands(op, contents):
                    region = self._names.region(op.operands[operand[0]])
                    self._report(op, region, [operand[1]], contents)
            case _:
                self._unknown(op, contents)

    def _select(self, op: arith.SelectOp, contents: Contents) -> None:
        if not isinstance(op.results[0].type, MEMREF_TYPES):
            return
        valid = self._valid_operands(op, contents)
        self._segment.results = [all(valid.values())]
        first, second = (
            contents.roots_of(self._names.region(source).base)
            for source in op.operands[1:]
        )
        base = self._names.region(op.results[0]).base
        if base is op.results[0]:
            contents.set_roots(base, first | second)

    def _vector_region(self, op: vector.TransferWriteOp) -> tuple[Region, bool]:
        """What a vector is written to, and whether it is written everywhere there."""
        region = self._names.region(op.operands[1])
        vector_type, type_ = op.operands[0].type, op.operands[1].type
        assert isinstance(vector_type, VectorType)
        in_bounds = all(flag.value.data for flag in op.in_bounds.data)
        map_ = op.permutation_map.data
        is_all = (
            isinstance(type_, MemRefType)
            and vector_type.get_shape() == type_.get_shape()
            and op.mask is None
            and in_bounds
            and _is_identity(map_)
        )
        return region, is_all

    def _unknown(self, op: Operation, contents: Contents) -> None:
        """An op of which nothing is known may read and write what it gets."""
        if op.successors or op.name in _HARMLESS:
            return
        buffers = [v for v in op.operands if isinstance(v.type, MEMREF_TYPES)]
        if not buffers or any(isinstance(r.type, MEMREF_TYPES) for r in op.results):
            return
        for value in buffers:
            region = self._names.region(value)
            self._read(op, region, contents)
            if op.name not in _READING:
                self._write(op, region, contents, True)

    def _mark(self, op: MarkOp, contents: Contents) -> None:
        values = op.notes.data.values
        if op.notes.data.role == BEFORE:
            contents.forget(self._segment.last)
            undefined = set(op.notes.data.undefined)
            self._segment = Segment(values, undefined, last=op.notes.data.last)
            return
        if op.notes.data.role == FILLED:
            self._filled(op, contents)
            return
        is_after = op.notes.data.role == AFTER
        undefined, read_only = op.notes.data.undefined, op.notes.data.read_only
        unused = op.notes.data.last
        for position, (value, buffer) in enumerate(zip(values, op.buffers, strict=True)):
            region = self._names.region(buffer)
            damage: Damage = {}
            if op.notes.data.role == ENTRY:
                self._arguments[value] = region
            if is_after:
                known = self._segment.results
                if value not in undefined and known is None:
                    damage = self._damage_of_result(op, region, contents)
                elif known is not None and not all(known[position : position + 1]):
                    damage = {None: op}
            elif position < len(self._entry) and not self._entry[position]:
                damage = {None: op}
            if value not in unused:
                contents.put(region, value, damage)
            if value in read_only:
                self._read_only |= contents.roots_of(region.base)

    def _filled(self, op: MarkOp, contents: Contents) -> None:
        """The program must find a tensor in a buffer of its own."""
        for value, buffer in zip(op.notes.data.values, op.buffers, strict=True):
            region = self._names.region(buffer)
            if not self._valid(value, region, contents):
                self._report(op.prev_op or op, region, [value], contents)

    def _in_parallel(self, op: scf.InParallelOp, contents: Contents) -> None:
        """A thread must have copied to the shared outputs what it inserts there. Sources
        and destinations take turns in what is expected."""
        expected = self._segment.expected
        for source, target in zip(expected[::2], expected[1::2], strict=True):
            region = self._arguments[target]
            placed = self._placed(source, region, contents)
            self._inserted += placed
            if not placed and source not in self._segment.undefined:
                self._report(op, region, [source], contents)

    def _placed(self, value: int, region: Region, contents: Contents) -> list[Region]:
        """Where the current op has copied a tensor to, of a region or a part of it."""
        return [
            other
            for other, _ in self._segment.written
            if other.base is region.base
            and common_steps(other, region) == len(region.steps)
            and self._valid(value, other, contents)
        ]

    def _damage_of_result(self, op: MarkOp, region: Region, contents: Contents) -> Damage:
        """What is wrong with a result of the current op."""
        segment = self._segment
        if not segment.expected:
            return {}
        written = [
            (other, right)
            for other, right in segment.written
            if other.base is region.base
            and common_steps(other, region) == len(region.steps)
        ]
        if op.notes.data.of in _PLACING:
            source = segment.expected[0]
            if source not in segment.undefined and not self._placed(
                source, region, contents
            ):
                return {None: self._culprit(op, region, [source], contents)}
        if any(right and is_same(other, region) for other, right in written):
            return {}
        found = [
            damage
            for value in segment.expected
            for same in self._same_as(value)
            if (damage := contents.damage(same, region)) is not None
        ]
        if segment.undefined and (written or _may_rename(op.notes.data.of)):
            return {}
        parts = [
            step
            for other, right in written
            if right
            and len(other.steps) > len(region.steps)
            and isinstance(step := other.steps[len(region.steps)], Part)
        ]
        if op.notes.data.of in _ASSEMBLING and len(parts) >= len(segment.expected):
            return {}
        for damage in found:
            if all(_is_among(part, parts) for part in damage) and (
                written or _may_rename(op.notes.data.of)
            ):
                return {}
        return {None: self._culprit(op, region, segment.expected, contents)}

    def _culprit(
        self,
        mark: MarkOp,
        region: Region,
        expected: Sequence[int],
        contents: Contents,
    ) -> Operation:
        """The op because of which what was just given is wrong."""
        writes = self._destroyers(region, expected, contents)
        return writes[0] if writes else mark.prev_op or mark

    # Reading and writing.

    def _valid(self, value: int, region: Region, contents: Contents) -> bool:
        if value in self._segment.undefined:
            return True
        return any(contents.damage(v, region) == {} for v in self._same_as(value))

    def _same_as(self, value: int) -> Iterator[int]:
        """A tensor under all its names."""
        name: int | None = value
        while name is not None:
            yield name
            name = self._same.get(name)

    def _is_right(self, region: Region, contents: Contents) -> bool:
        """Whether the current op may read a region."""
        segment = self._segment
        if not segment.expected:
            return True
        if any(self._valid(value, region, contents) for value in segment.expected):
            return True
        return any(
            right
            and other.base is region.base
            and common_steps(other, region) == len(other.steps)
            for other, right in segment.written
        )

    def _read(self, op: Operation, region: Region, contents: Contents) -> None:
        if self._log is not None and self._segment.expected and not _is_unused(op):
            self._log.append(Access(False, region, op))
        if not self._is_right(region, contents):
            self._report(op, region, self._segment.expected, contents)

    def _write(
        self, op: Operation, region: Region, contents: Contents, right: bool
    ) -> None:
        if self._log is not None:
            self._log.append(Access(True, region, op))
        self._demand_writable(op, region, contents)
        contents.write(region, op)
        self._segment.written.append((region, right))

    def _all_roots(self, region: Region, contents: Contents) -> set[Root]:
        """The memory that a region may be, and what an unknown function may have made
        that of."""
        found: set[Root] = set()
        waiting: list[Root] = list(contents.roots_of(region.base))
        while waiting:
            root = waiting.pop()
            if root not in found:
                found.add(root)
                waiting += self._returned.get(root, ())
        return found

    def _demand_writable(self, op: Operation, region: Region, contents: Contents) -> None:
        roots = self._all_roots(region, contents)
        self._written |= roots
        if roots & self._read_only or any(
            isinstance(root, Global) and root.is_constant for root in roots
        ):
            self._wrong(
                op,
                (-1,),
                WrongRead(
                    op, ["a buffer it may write"], ["one that must not be written"], []
                ),
            )

    def _copy(self, op: Operation, contents: Contents) -> None:
        source, target = (self._names.region(value) for value in op.operands)
        right = self._is_right(source, contents)
        carried: dict[int, Damage] = {
            value: dict(damage) for value, damage in contents.inside(source).items()
        }
        if self._log is not None and right:
            self._log.append(Access(False, source, op))
        if op in self._torn:
            right = False
            carried = {value: {None: self._torn[op]} for value in carried}
        if is_same(source, target):
            # It writes what is there, if it may.
            self._demand_writable(op, target, contents)
            self._segment.written.append((target, right))
            return
        self._write(op, target, contents, right)
        for value, damage in carried.items():
            contents.put(target, value, damage)

    def _structured(
        self,
        op: linalg.LinalgStructuredOperation,
        contents: Contents,
        inside: Sequence[Access] = (),
    ) -> None:
        """An op that computes elements.

        Args:
            inside: what its body reads and writes.
        """
        if isinstance(op, linalg.CopyOp) and is_same(
            *(self._names.region(value) for value in op.operands)
        ):
            # It writes what is there.
            self._copy(op, contents)
            return
        body = op.regions[0].block
        maps = [attribute.data for attribute in op.get_indexing_maps().data]
        outputs = len(op.operands) - output_count(op)
        written = [
            (number, self._names.region(op.operands[number]))
            for number in range(outputs, len(op.operands))
            if isinstance(op.operands[number].type, MEMREF_TYPES)
        ]
        all_parallel = all(
            kind.data is IteratorType.PARALLEL for kind in op.get_iterator_types()
        )
        for number, operand in enumerate(op.operands):
            if not isinstance(operand.type, MEMREF_TYPES):
                continue
            if body.args[number].first_use is None:
                continue
            region = self._names.region(operand)
            self._read(op, region, contents)
            for other, output in written:
                if other == number or not contents.overlap(region, output):
                    continue
                if (
                    all_parallel
                    and _is_identity(maps[number])
                    and _is_identity(maps[other])
                    and self._are_same_or_apart(region, output, contents)
                ):
                    continue
                self._report(op, region, self._segment.expected, contents)
        for access in inside:
            # There, some of the outputs may be written already.
            if any(contents.overlap(access.region, output) for _, output in written):
                self._report(access.op, access.region, self._segment.expected, contents)
        for _, region in written:
            self._write(op, region, contents, True)

    def _are_same_or_apart(
        self, first: Region, second: Region, contents: Contents
    ) -> bool:
        """Whether two regions are one or share nothing, whatever they turn out to be."""
        if is_same(first, second):
            return True
        these, those = self._names.alternatives(first), self._names.alternatives(second)
        return (
            these is not None
            and those is not None
            and all(
                is_same(one, other) or not contents.overlap(one, other)
                for one in these
                for other in those
            )
        )

    def _operands(self, op: Operation) -> Iterable[tuple[int, int]]:
        """The memref operands, each with the tensor it should hold."""
        positions = [
            position
            for position, value in enumerate(op.operands)
            if isinstance(value.type, MEMREF_TYPES)
        ]
        expected = self._segment.expected
        if len(positions) == len(expected):
            return zip(positions, expected, strict=True)
        return ()

    def _invalid_operands(
        self, op: Operation, contents: Contents
    ) -> list[tuple[int, int]]:
        return [
            (position, value)
            for position, value in self._operands(op)
            if not self._valid(value, self._names.region(op.operands[position]), contents)
        ]

    def _valid_operands(self, op: Operation, contents: Contents) -> dict[int, bool]:
        invalid = {position for position, _ in self._invalid_operands(op, contents)}
        return {position: position not in invalid for position, _ in self._operands(op)}

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


def _may_rename(name: str) -> bool:
    """Whether an op may give a buffer another name, without writing anything."""
    return name in _RENAMING or name.partition(".")[0] not in _COMPUTING


def _is_unused(op: Operation) -> bool:
    """Whether an op does nothing but give results, and nobody wants them."""
    return isinstance(op, memref.LoadOp) and op.results[0].first_use is None


def _element(region: Region, indices: Sequence[SSAValue]) -> Region:
    ones = (1,) * len(indices)
    return Region(region.base, (*region.steps, Part(tuple(indices), ones, ones)))


def _is_among(part: Step | None, parts: Sequence[Part]) -> bool:
    return isinstance(part, Part) and any(same_part(part, other) for other in parts)


def _is_identity(map_: AffineMap) -> bool:
    return map_ == AffineMap.identity(map_.num_dims)
