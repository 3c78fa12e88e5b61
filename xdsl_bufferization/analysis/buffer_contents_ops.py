"""What single ops do to the contents of memory, and whether they find what they read.

The marks say which tensors an op of the tensor program takes and gives; the ops between
its marks are its bufferized form, a *segment*. Control flow is for buffer_contents.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import (
    Operation,
    SSAValue,
)
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.analysis.buffer_contents_accesses import (
    Accesses,
    Global,
    MarkedProgram,
    Segment,
)
from xdsl_bufferization.analysis.buffer_contents_marks import (
    AFTER,
    BEFORE,
    FILLED,
    MarkOp,
    Notes,
)
from xdsl_bufferization.analysis.buffer_contents_races import (
    Access,
)
from xdsl_bufferization.analysis.buffer_contents_regions import (
    Part,
    Region,
    Step,
    common_steps,
    disjoint_parts,
    is_same,
    is_same_if_as_large,
    same_part,
)
from xdsl_bufferization.analysis.buffer_contents_state import Contents, Damage
from xdsl_bufferization.dialects import bufferization, linalg, memref, scf, vector
from xdsl_bufferization.dialects.linalg.attrs import IteratorType
from xdsl_bufferization.dialects.linalg.structured import output_count
from xdsl_bufferization.interfaces.bufferizable import (
    MEMREF_CLASSES,
    TENSOR_CLASSES,
    get,
    has_tensor_semantics,
)
from xdsl_bufferization.interfaces.destination_style import DESTINATION_STYLE
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH_TERMINATOR

Handler: TypeAlias = Callable[[Any, Contents], None]
"""What tells what an op of some class does."""
Placed: TypeAlias = tuple[int, int, SSAValue]
"""A tensor in a buffer: its position among those of its op, its number, the buffer."""

_ON_TENSORS_OR_BUFFERS = (
    vector.TransferReadOp,
    vector.TransferWriteOp,
    vector.MaskOp,
    arith.SelectOp,
    linalg.LinalgStructuredOperation,
)
_HARMLESS = (
    "memref.dim",
    "memref.rank",
    "memref.dealloc",
    "memref.extract_strided_metadata",
    "memref.extract_aligned_pointer_as_index",
    "bufferization.to_buffer",
    "bufferization.to_tensor",
    "tensor.dim",
    "tensor.rank",
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
_CALLS = ("func.call", "func.call_indirect")
"""What gives its results in buffers of the callee, or copies of those."""
_ASSEMBLING = ("tensor.concat",)
"""What copies each of its operands to a part of the result, which these fill."""
_PLACING = (
    *("tensor.insert_slice", "tensor.pad"),
    "bufferization.materialize_in_destination",
)
"""What copies its first operand to the result, or a part of it."""
_COMPUTING = ("bufferization", "linalg", "tensor")
"""Dialects of which all other ops write the elements of what they give."""


class OpChecker(Accesses):
    """Follows one op after the other, in the order in which it is told."""

    def __init__(self, program: MarkedProgram) -> None:
        super().__init__(program)
        self._handlers: dict[type[Operation], Handler] = {}

    def _op(self, op: Operation, contents: Contents) -> None:
        kind = type(op)
        handler = self._handlers.get(kind)
        if handler is None:
            handler = self._handlers[kind] = self._handler(op)
        if isinstance(op, _ON_TENSORS_OR_BUFFERS) and has_tensor_semantics(op):
            # It was left on tensors.
            handler = self._unknown
        handler(op, contents)

    def _handler(self, op: Operation) -> Handler:
        """What tells what ops of one class do."""
        match op:
            case MarkOp():
                return self._mark
            case memref.AllocOp() | memref.AllocaOp():
                return self._allocate
            case bufferization.AllocTensorOp():
                return self._alloc_tensor
            case memref.GetGlobalOp():
                return self._get_global
            case memref.LoadOp():
                return self._load
            case memref.StoreOp():
                return self._store
            case vector.TransferReadOp():
                return self._transfer_read
            case vector.TransferWriteOp():
                return self._transfer_write
            case vector.MaskOp():
                return self._mask_op
            case memref.CopyOp():
                return self._copy
            case memref.ReshapeOp():
                return self._reshape
            case arith.SelectOp():
                return self._select
            case scf.InParallelOp():
                return self._in_parallel
            case ReturnOp():
                return self._return
            case _:
                return self._unknown

    def _allocate(self, op: Operation, contents: Contents) -> None:
        contents.allocate(op.results[0])

    def _get_global(self, op: memref.GetGlobalOp, contents: Contents) -> None:
        name = op.name_.root_reference.data
        root = Global(name, name in self._constants)
        contents.set_roots(op.results[0], frozenset((root,)))

    def _load(self, op: Operation, contents: Contents) -> None:
        region = self._names.region(op.operands[0])
        self._read(op, _element(region, op.operands[1:]), contents)

    def _store(self, op: Operation, contents: Contents) -> None:
        region = self._names.region(op.operands[1])
        self._write(op, _element(region, op.operands[2:]), contents, True)

    def _transfer_read(self, op: vector.TransferReadOp, contents: Contents) -> None:
        self._read(op, self._vector_region(op, op.operands[0])[0], contents)

    def _transfer_write(self, op: vector.TransferWriteOp, contents: Contents) -> None:
        region, is_all = self._vector_region(op, op.operands[1])
        if not is_all:
            self._read(op, region, contents)
        self._write(op, region, contents, True)

    def _mask_op(self, op: vector.MaskOp, contents: Contents) -> None:
        """The op inside may do what it does, or a part of it."""
        for inner in op.regions[0].block.ops:
            self._op(inner, contents)

    def _reshape(self, op: Operation, contents: Contents) -> None:
        self._read(op, self._names.region(op.operands[1]), contents)

    def _return(self, op: Operation, contents: Contents) -> None:
        for position, value in self._invalid_operands(op, contents):
            region = self._names.region(op.operands[position])
            self._report(op, region, [value], contents)

    def _select(self, op: arith.SelectOp, contents: Contents) -> None:
        if op.results[0].type.__class__ not in MEMREF_CLASSES:
            return
        valid = self._valid_operands(op, contents)
        self._segment.results = {0: all(valid.values())}
        first, second = (
            contents.roots_of(self._names.region(source).base)
            for source in op.operands[1:]
        )
        base = self._names.region(op.results[0]).base
        if base is op.results[0]:
            contents.set_roots(base, first | second)

    def _vector_region(
        self, op: vector.TransferReadOp | vector.TransferWriteOp, buffer: SSAValue
    ) -> tuple[Region, bool]:
        """What a vector is read from or written to, and whether all of that is."""
        region = self._names.region(buffer)
        vector_type = op.results[0].type if op.results else op.operands[0].type
        type_ = buffer.type
        if not (
            isinstance(vector_type, VectorType)
            and isinstance(type_, MemRefType)
            and type_.get_num_dims() == vector_type.get_num_dims()
            and all(flag.value.data for flag in op.in_bounds.data)
            and _is_identity(op.permutation_map.data)
        ):
            return region, False
        is_all = op.mask is None and not isinstance(op.parent_op(), vector.MaskOp)
        sizes = vector_type.get_shape()
        if sizes != type_.get_shape():
            part = Part(tuple(op.indices), sizes, (1,) * len(sizes))
            region = Region(region.base, (*region.steps, part))
        return region, is_all

    def _unknown(self, op: Operation, contents: Contents) -> None:
        """An op of which nothing is known may read and write what it gets. One that was
        left on tensors reads the buffers that they are made of; one of linalg does not
        read all of its operands, and is not checked."""
        if op.successors or op.name in _HARMLESS or self._only_forwards(op):
            return
        for value in op.operands:
            if (
                value.type.__class__ in TENSOR_CLASSES
                and isinstance(value.owner, bufferization.ToTensorOp)
                and not isinstance(op, linalg.LinalgStructuredOperation)
            ):
                self._read(op, self._names.region(value), contents)
        if any(r.type.__class__ in TENSOR_CLASSES for r in op.results):
            self._segment.results = {}
        buffers = [
            (number, value)
            for number, value in enumerate(op.operands)
            if value.type.__class__ in MEMREF_CLASSES
        ]
        if not buffers or any(r.type.__class__ in MEMREF_CLASSES for r in op.results):
            return
        model = DESTINATION_STYLE.lookup(op)
        written = (
            [value for _, value in buffers]
            if model is None
            else [get(init) for init in model.dps_inits(op)]
        )
        for number, value in buffers:
            region = self._names.region(value)
            if value not in written or not isinstance(op, linalg.SoftmaxOp):
                self._read(op, region, contents, self._expected_in(op, number))
            if op.name not in _READING and value in written:
                self._write(op, region, contents, True)

    def _only_forwards(self, op: Operation) -> bool:
        """Whether an op only ends a region of an op that says what becomes of that."""
        around = op.parent_op()
        return (
            around is not None
            and REGION_BRANCH_TERMINATOR.lookup(op) is not None
            and self._names.forwarded.graph(around).is_known
        )

    def _mark(self, op: MarkOp, contents: Contents) -> None:
        for notes, tensors in op.each():
            if notes.role == BEFORE:
                contents.forget(self._segment.last)
                self._segment = Segment(
                    notes.values,
                    notes.undefined,
                    of=notes.of,
                    positions=notes.positions,
                    slices=self._slices(op, notes),
                    last=notes.last,
                    handed_on=notes.handed_on,
                )
            elif notes.role == AFTER:
                self._given(op, notes, tensors, contents)
            elif notes.role == FILLED:
                self._filled(op, tensors, contents)
            else:
                self._entered(op, notes, tensors, contents)

    def _slices(self, mark: MarkOp, notes: Notes) -> Sequence[Region]:
        """What a thread is about to insert at its end."""
        if notes.of != scf.InParallelOp.name:
            return ()
        found: list[Region] = []
        op = mark.next_op
        while op is not None and not isinstance(op, scf.InParallelOp):
            if isinstance(op, memref.CopyOp):
                found.append(self._names.region(op.operands[1]))
            op = op.next_op
        return found

    def _entered(
        self, op: MarkOp, notes: Notes, tensors: Sequence[Placed], contents: Contents
    ) -> None:
        """A block begins with tensors in buffers."""
        for position, value, buffer in tensors:
            region = self._names.region(buffer)
            self._arguments[value] = region
            right = self._entry.get(position, True)
            if value not in notes.last:
                contents.put(region, value, {} if right else {None: op})
            if value in notes.read_only:
                self._read_only |= contents.roots_of(region.base)

    def _given(
        self, op: MarkOp, notes: Notes, tensors: Sequence[Placed], contents: Contents
    ) -> None:
        """An op has given tensors in buffers."""
        known = self._segment.results
        for position, value, buffer in tensors:
            if value in notes.last:
                continue
            region = self._names.region(buffer)
            damage: Damage = {}
            if known is None:
                if value not in notes.undefined:
                    damage = self._damage_of_result(op, notes.of, region, contents)
            elif not known.get(position, True) or (
                notes.of in _CALLS and not self._is_written_right(region)
            ):
                damage = {None: op}
            contents.put(region, value, damage)

    def _is_written_right(self, region: Region) -> bool:
        return any(
            right and is_same(other, region) for other, right in self._segment.written
        )

    def _filled(self, op: MarkOp, tensors: Sequence[Placed], contents: Contents) -> None:
        """The program must find a tensor in a buffer of its own."""
        for _, value, buffer in tensors:
            region = self._names.region(buffer)
            if not self._valid(value, region, contents):
                self._report(op.prev_op or op, region, [value], contents)

    def _in_parallel(self, op: scf.InParallelOp, contents: Contents) -> None:
        """A thread must have copied to the shared outputs what it inserts there, and must
        have left alone what is surely not among it. Sources and destinations take turns
        in what is expected. Insertions that were left on tensors read their sources."""
        kept = tuple(op.regions[0].block.ops)
        if kept:
            for insertion in kept:
                self._unknown(insertion, contents)
            return
        expected = self._segment.expected
        inserted: dict[int, list[Region]] = {}
        for source, target in zip(expected[::2], expected[1::2], strict=True):
            region = self._arguments[target]
            placed = self._placed(source, region, contents)
            self._inserted += placed
            inserted.setdefault(target, []).extend(placed)
            if self._log is not None:
                # What other iterations write must leave it there.
                self._log += [Access(False, other, op) for other in placed]
            if not placed and source not in self._segment.undefined:
                self._report(op, region, [source], contents)
        for target, placed in inserted.items():
            region = self._arguments[target]
            parts = _parts_of(region, placed)
            damage = contents.damage(target, region) or {}
            if parts and any(_is_apart(part, parts) for part in damage):
                self._report(op, region, [target], contents)

    def _placed(self, value: int, region: Region, contents: Contents) -> list[Region]:
        """Where the current op has copied a tensor to, of a region or a part of it."""
        return [
            other
            for other, _ in self._segment.written
            if other.base is region.base
            and common_steps(other, region) == len(region.steps)
            and self._valid(value, other, contents)
        ]

    def _damage_of_result(
        self, op: MarkOp, name: str, region: Region, contents: Contents
    ) -> Damage:
        """What is wrong with a result of the current op, of this name."""
        segment = self._segment
        if not segment.expected:
            return {}
        written = [
            (other, right)
            for other, right in segment.written
            if other.base is region.base
            and common_steps(other, region) == len(region.steps)
        ]
        if name in _PLACING:
            source = segment.expected[0]
            if source not in segment.undefined and not self._placed(
                source, region, contents
            ):
                return {None: self._culprit(op, region, [source], contents)}
        if self._is_written_right(region):
            return {}
        found = [
            damage
            for value in segment.expected
            for same in self._same_as(value)
            if (damage := contents.damage(same, region)) is not None
        ]
        if segment.undefined and (written or _may_rename(name)):
            return {}
        parts = _parts_of(region, [other for other, right in written if right])
        if name in _ASSEMBLING and len(parts) >= len(segment.expected):
            return {}
        for damage in found:
            if all(_is_among(part, parts) for part in damage) and (
                written or _may_rename(name)
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

    def _copy(self, op: Operation, contents: Contents) -> None:
        source, target = (self._names.region(value) for value in op.operands)
        self._copy_region(op, source, target, contents)

    def _alloc_tensor(self, op: Operation, contents: Contents) -> None:
        """A new tensor that was left on tensors."""
        target = self._names.region(op.results[0])
        contents.allocate(target.base)
        copied = [v for v in op.operands if v.type.__class__ in TENSOR_CLASSES][:1]
        for value in copied:
            self._copy_region(op, self._names.region(value), target, contents)

    def _copy_region(
        self, op: Operation, source: Region, target: Region, contents: Contents
    ) -> None:
        right = self._is_right(source, contents, self._segment.expected)
        onto_itself = is_same_if_as_large(source, target)
        carried: dict[int, Damage] = {
            value: dict(damage) for value, damage in contents.inside(source).items()
        }
        if self._log is not None and right and not onto_itself:
            self._log.append(Access(False, source, op))
        if op in self._torn:
            right = False
            carried = {value: {None: self._torn[op]} for value in carried}
        if onto_itself:
            # It writes what is there, if it may.
            self._demand_writable(op, target, contents)
            self._segment.written.append((target, right))
            for value in [v for v, damage in carried.items() if not damage]:
                contents.put(target, value, {})
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
        if isinstance(op, linalg.CopyOp) and is_same_if_as_large(
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
            if op.operands[number].type.__class__ in MEMREF_CLASSES
        ]
        expected = dict(self._operands(op))
        all_parallel = all(
            kind.data is IteratorType.PARALLEL for kind in op.get_iterator_types()
        )
        for number, operand in enumerate(op.operands):
            if operand.type.__class__ not in MEMREF_CLASSES:
                continue
            if body.args[number].first_use is None:
                continue
            region = self._names.region(operand)
            self._read(op, region, contents, self._expected_in(op, number))
            if expected.get(number) in self._segment.undefined:
                continue
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
            overlaps = [other for _, other in written if contents.overlap(region, other)]
            self._write(op, region, contents, len(overlaps) == 1)

    def _are_same_or_apart(
        self, first: Region, second: Region, contents: Contents
    ) -> bool:
        """Whether elements with equal indices are one, or the regions share nothing,
        whatever they turn out to be."""
        if is_same_if_as_large(first, second):
            return True
        these, those = self._names.alternatives(first), self._names.alternatives(second)
        return (
            these is not None
            and those is not None
            and all(
                is_same_if_as_large(one, other) or not contents.overlap(one, other)
                for one in these
                for other in those
            )
        )


def _may_rename(name: str) -> bool:
    """Whether an op may give a buffer another name, without writing anything."""
    return name in _RENAMING or name.partition(".")[0] not in _COMPUTING


def _element(region: Region, indices: Sequence[SSAValue]) -> Region:
    ones = (1,) * len(indices)
    return Region(region.base, (*region.steps, Part(tuple(indices), ones, ones)))


def _parts_of(region: Region, smaller: Iterable[Region]) -> list[Part]:
    """The parts of a region that other regions, which are in it, are in."""
    count = len(region.steps)
    return [
        step
        for other in smaller
        if len(other.steps) > count and isinstance(step := other.steps[count], Part)
    ]


def _is_among(part: Step | None, parts: Sequence[Part]) -> bool:
    return isinstance(part, Part) and any(same_part(part, other) for other in parts)


def _is_apart(part: Step | None, parts: Sequence[Part]) -> bool:
    """Whether a part surely shares nothing with any of these."""
    return isinstance(part, Part) and all(disjoint_parts(part, other) for other in parts)


def _is_identity(map_: AffineMap) -> bool:
    return map_ == AffineMap.identity(map_.num_dims)
