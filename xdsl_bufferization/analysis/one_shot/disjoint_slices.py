"""Reads and writes of disjoint slices of one tensor.

    %a = tensor.extract_slice %t[0] [32] [1]
    %b = tensor.extract_slice %t[32] [32] [1]
    %c = linalg.exp ins(%a) outs(%b)            // writes %b
    ... read of %a                              // the other half

All are in one alias set, but a write to %b does not change %a. The buffer that each op
accesses is traced back to the nearest common source value, as long as each op on the
path has a single operand that the buffer may come from. If both paths go through slices
there, and these slices are disjoint, the ops share no element, whichever operands on
the paths are in place: an out-of-place operand has its own buffer. There is no conflict
either if an insertion writes a tensor that was computed in the same place, or that is
either in this place or in a disjoint one: a row is another row, or the same. The same
holds for two operands of an elementwise op.

A slice may also be written before its tensor is read by an insertion elsewhere, if nobody
sees it there:

    %u = tensor.insert_slice %x into %t[0] [32] [1]     // %t[32] has been overwritten
    %w = tensor.insert_slice %c into %u[32] [32] [1]    // ... and is replaced

Each of these insertions is in the block of the one before, and its only use.

Slices are compared by expressions over values of the program, so both ops must refer to
the same execution of the definitions of these values. Between a definition and a read
of it, an op runs in the same iteration of every loop around both that also contains the
definition: then all values visible to both are the same. Otherwise, the common tensor
and the indices must come from outside of the loop. Programs with unstructured control
flow, and parallel loops, are not decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue, Use

from xdsl_bufferization.analysis.facts.slices import are_equal_or_disjoint
from xdsl_bufferization.analysis.facts.value_bounds import constant_of
from xdsl_bufferization.analysis.one_shot.alias_sets import OperandInfo, Parts
from xdsl_bufferization.analysis.one_shot.insertion_rows import (
    InsertionRow,
    SliceModel,
    next_in_row,
    previous_in_row,
)
from xdsl_bufferization.analysis.one_shot.program_order import OpNode, ProgramOrder
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects.shapes import shape_of
from xdsl_bufferization.interfaces.aliasing import BufferRelation
from xdsl_bufferization.interfaces.operands import get, op_of
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH
from xdsl_bufferization.interfaces.subset import SUBSET, SUBSET_INSERTION
from xdsl_bufferization.interfaces.types import TENSOR_TYPES

MOST_STEPS = 32
"""How many ops a buffer is followed back through."""
MOST_SLICES = 16
"""If a tensor has more slices than this, not all pairs of them are compared."""


@dataclass(frozen=True)
class _Step:
    """How a buffer is a part of another one.

    Attributes:
        slicing: the op whose slice it is; None if it is all of the other one.
        type: the type of the tensor that is the part.
        is_rest: whether it is all but that slice.
    """

    slicing: Operation | None
    type: Attribute
    is_rest: bool = False


def _constant_part(slicing: Operation) -> tuple[int, int, int] | None:
    """Return the first dimension in which a slice is not all of a tensor, and its first
    and last index there, if it is constant."""
    model = SUBSET.lookup(slicing)
    if not isinstance(model, SliceModel) or any(
        isinstance(index.type, IndexType) and constant_of(index) is None
        for index in slicing.operands
    ):
        return None
    part = model.accessed_slice(slicing)
    if part is None:
        return None
    shape = shape_of(model.subset_tensor(slicing).type) or ()
    for dimension, number in enumerate(shape):
        size = constant_of(part.sizes[dimension])
        if size == number:
            continue
        offset = constant_of(part.offsets[dimension])
        stride = constant_of(part.strides[dimension])
        if offset is None or size is None or stride is None or size < 1 or stride < 1:
            return None
        return dimension, offset, offset + (size - 1) * stride
    return None


def _are_one_tensor(first: SSAValue, second: SSAValue) -> bool:
    """What is asked of slices that are known to be of one tensor."""
    return True


def _are_same_slices(first: Operation, second: Operation) -> bool:
    model = SUBSET.lookup(first)
    assert model is not None
    return model.operates_on_equivalent_subset(first, second, _are_one_tensor)


def _are_same_slices_or_apart(first: Operation, second: Operation) -> bool:
    one, other = SUBSET.lookup(first), SUBSET.lookup(second)
    if isinstance(one, SliceModel) and isinstance(other, SliceModel):
        part, part_too = one.accessed_slice(first), other.accessed_slice(second)
        if part is None or part_too is None:
            return False
        return are_equal_or_disjoint(part, part_too)
    return _are_same_slices(first, second)


class DisjointSlices:
    """Answers over one numbered program.

    Args:
        state: answers about the tensor program.
        order: the numbering of its ops.
    """

    def __init__(self, state: DefaultAnalysisState, order: ProgramOrder):
        self._state = state
        self._order = order
        counts: Counter[SSAValue] = Counter()
        for op in order.nodes:
            model = SUBSET.lookup(op)
            if isinstance(model, SliceModel):
                counts[model.subset_tensor(op)] += 1
        self._crowded = {v: n for v, n in counts.items() if n > MOST_SLICES}
        self._rows: dict[Operation, tuple[InsertionRow, int]] = {}
        self._followed: dict[tuple[Use, bool], tuple[list[SSAValue], list[_Step]]] = {}
        self._sources: dict[SSAValue, tuple[SSAValue, _Step] | None] = {}

    @property
    def has_many(self) -> bool:
        """Whether some tensor has many slices."""
        return bool(self._crowded) and not self._order.is_unstructured

    def parts_read(self, read: OperandInfo, before: int) -> Parts:
        """Return which parts of tensors with many slices an op reads, in the order of
        their number. It definitely shares no element with a write elsewhere in the same
        tensor.

        Args:
            before: see `are_apart`.
        """
        if _is_in_parallel(read.read_node):
            return {}
        return self._parts(*self._follow(read, is_read=True), before)

    def parts_written(self, write: OperandInfo) -> Parts:
        """Return which parts of tensors with many slices an op writes, likewise."""
        if _is_in_parallel(write.node):
            return {}
        return self._parts(*self._follow(write, is_read=False), self._order.last + 1)

    def _parts(self, origins: list[SSAValue], steps: list[_Step], before: int) -> Parts:
        parts: list[tuple[int, tuple[SSAValue, int], tuple[int, int]]] = []
        part: _Step | None = None
        for value, step in zip(origins, steps, strict=True):
            # The step that leads down from this value, but for those that change nothing.
            if step.slicing is not None or step.type != value.type:
                part = step
            if (
                value in self._crowded
                and part is not None
                and part.slicing is not None
                and not part.is_rest
                and self._order.position(value) < before
                and (found := _constant_part(part.slicing)) is not None
            ):
                dimension, first, last = found
                parts.append((-self._crowded[value], (value, dimension), (first, last)))
        parts.sort(key=lambda part: part[0])
        return {tensor: span for _, tensor, span in parts}

    def are_apart(self, read: OperandInfo, write: OperandInfo, before: int) -> bool:
        """Return whether a read and a write of one alias set definitely share no
        element.

        Args:
            before: the position before which the values that decide it must be defined:
                the start of a loop in which both may run again on the same tensor.
        """
        if (
            self._order.is_unstructured
            or _is_in_parallel(read.read_node)
            or _is_in_parallel(write.node)
        ):
            return False
        read_origins, read_steps = self._follow(read, is_read=True)
        write_origins, write_steps = self._follow(write, is_read=False)
        numbers: dict[SSAValue | None, int] = {
            value: number for number, value in enumerate(read_origins)
        }
        for number, value in enumerate(write_origins):
            if value in numbers:
                if self._order.position(value) >= before:
                    return False
                path = _downwards(write_steps, number, value)
                if self._are_apart(
                    _downwards(read_steps, numbers[value], value), path, before
                ):
                    return True
                # In another iteration, it would read what it has written.
                is_once = before > self._order.last
                if is_once and self._are_of_elementwise_op(read, write):
                    source: int | None = 0
                else:
                    source = numbers.get(_inserted(write))
                if source is None or source > numbers[value]:
                    return False
                its_path = _downwards(read_steps, numbers[value], value, source)
                return self._are_equal_or_apart(its_path, path, before)
        return False

    def is_overwritten(self, read: OperandInfo, write: OperandInfo, before: int) -> bool:
        """Return whether a read is that of the destination of an insertion, in the result
        of which later insertions overwrite the slice that is written before anything else
        is done with it.

        Args:
            before: see `are_apart`.
        """
        if (
            self._order.is_unstructured
            or _is_in_parallel(read.read_node)
            or _is_in_parallel(write.node)
        ):
            return False
        op = read.use.operation
        insertion = SUBSET_INSERTION.lookup(op)
        if insertion is None or read.use != insertion.destination_operand(op):
            return False
        row, number = self._row_of(op)
        if row.size == number + 1:
            return False
        read_origins, read_steps = self._follow(read, is_read=True)
        write_origins, write_steps = self._follow(write, is_read=False)
        common = next((value for value in write_origins if value in read_origins), None)
        if common is None or self._order.position(common) >= before:
            return False
        if _downwards(read_steps, read_origins.index(common), common, 0):
            return False
        path = _downwards(write_steps, write_origins.index(common), common)
        slicing = path[0].slicing if path else None
        return (
            slicing is not None
            and self._is_fixed(slicing, before)
            and any(
                self._is_fixed(later, before) and _are_same_slices(later, slicing)
                for later in row.insertions_like(slicing, after=number)
            )
        )

    def _row_of(self, op: Operation) -> tuple[InsertionRow, int]:
        """The insertions in a row that an insertion is one of, and its number there."""
        if op not in self._rows:
            first = op
            while (previous := previous_in_row(first)) is not None:
                first = previous
            model = SUBSET_INSERTION.lookup(first)
            assert model is not None
            row, number = InsertionRow(get(model.destination_operand(first))), 0
            insertion: Operation | None = first
            while insertion is not None:
                row.append(insertion)
                self._rows[insertion] = row, number
                number += 1
                insertion = next_in_row(insertion)
        return self._rows[op]

    def _are_of_elementwise_op(self, read: OperandInfo, write: OperandInfo) -> bool:
        """Whether an op accesses both operands element by element."""
        model = read.node.model
        return (
            read.read_node is write.node
            and model is not None
            and model.bufferizes_to_elementwise_access(
                read.node.op, (read.use, write.use), self._state
            )
        )

    def _are_apart(self, first: list[_Step], second: list[_Step], before: int) -> bool:
        """Whether two paths down from one tensor end in disjoint parts of it."""
        for one, other in zip(first, second, strict=False):
            slicing, its_slicing = one.slicing, other.slicing
            if slicing is None or its_slicing is None:
                return False
            if not (
                self._is_fixed(slicing, before) and self._is_fixed(its_slicing, before)
            ):
                return False
            model = SUBSET.lookup(slicing)
            assert model is not None
            if one.is_rest:
                return model.operates_on_equivalent_subset(
                    slicing, its_slicing, _are_one_tensor
                )
            if model.operates_on_disjoint_subset(slicing, its_slicing, _are_one_tensor):
                return True
            if not self._are_equal([one], [other], before):
                return False
        return False

    def _are_equal(
        self,
        first: list[_Step],
        second: list[_Step],
        before: int,
        are_same: Callable[[Operation, Operation], bool] = _are_same_slices,
    ) -> bool:
        """Whether two paths down from one tensor end in the same part of it, with its
        elements in the same order, if that means that each two slices on the paths are
        the same."""
        return len(first) == len(second) and all(
            one.slicing is not None
            and other.slicing is not None
            and one.type == other.type
            and self._is_fixed(one.slicing, before)
            and self._is_fixed(other.slicing, before)
            and are_same(one.slicing, other.slicing)
            for one, other in zip(first, second, strict=True)
        )

    def _are_equal_or_apart(
        self, first: list[_Step], second: list[_Step], before: int
    ) -> bool:
        """Whether two paths down from one tensor end in the same part of it, with its
        elements in the same order, or in disjoint parts."""
        return self._are_equal(first, second, before, _are_same_slices_or_apart)

    def _is_fixed(self, slicing: Operation, before: int) -> bool:
        """Whether all indices of a slice are defined before a position."""
        return all(
            constant_of(index) is not None or self._order.position(index) < before
            for index in slicing.operands
            if isinstance(index.type, IndexType)
        )

    def _follow(
        self, access: OperandInfo, is_read: bool
    ) -> tuple[list[SSAValue], list[_Step]]:
        """The values that the buffer of an operand comes from, the nearest first, and the
        steps that lead from each of them to what the op accesses."""
        known = self._followed.get((access.use, is_read))
        if known is None:
            known = self._followed[access.use, is_read] = self._trace(access, is_read)
        return known

    def _trace(
        self, access: OperandInfo, is_read: bool
    ) -> tuple[list[SSAValue], list[_Step]]:
        value = get(access.use)
        origins = [value]
        steps = [_first_step(access, is_read)]
        while len(steps) <= MOST_STEPS:
            if value not in self._sources:
                self._sources[value] = self._only_source(value)
            source = self._sources[value]
            if source is None:
                break
            value, step = source
            origins.append(value)
            steps.append(step)
        return origins, steps

    def _only_source(self, value: SSAValue) -> tuple[SSAValue, _Step] | None:
        """The value from which another one takes its buffer, if it takes one, and how."""
        op = op_of(value)
        if op is None or self._state.model(op) is None:
            return None
        if isinstance(value, BlockArgument) or REGION_BRANCH.lookup(op) is not None:
            return None
        aliases = self._state.aliasing_operands(value)
        if len(aliases) != 1:
            return None
        source = get(aliases[0].operand)
        if aliases[0].relation is BufferRelation.EQUIVALENT:
            if SUBSET_INSERTION.lookup(op) is not None:
                source = self._row_of(op)[0].destination
            return source, _Step(None, value.type)
        if not _is_slice_of(op, source) or SUBSET_INSERTION.lookup(op) is not None:
            return None
        return source, _Step(op, value.type)


def _downwards(
    steps: list[_Step], origin: int, value: SSAValue, to: int = -1
) -> list[_Step]:
    """The steps down from the origin of a number, a value, to the one of another number,
    or else to what is accessed. Those that change nothing are omitted."""
    found: list[_Step] = []
    type_ = value.type
    for step in reversed(steps[to + 1 : origin + 1]):
        if step.slicing is not None or step.type != type_:
            found.append(step)
        type_ = step.type
    return found


def _first_step(access: OperandInfo, is_read: bool) -> _Step:
    """Return the part of its operand that an op reads or writes. An insertion of a
    tensor writes a slice, and reads the rest; one of a vector may read all."""
    op, value = access.use.operation, get(access.use)
    if not _is_slice_of(op, value):
        return _Step(None, value.type)
    insertion = SUBSET_INSERTION.lookup(op)
    if insertion is None:
        return _Step(op, op.results[0].type)
    source = get(insertion.source_operand(op))
    is_tensor = isinstance(source.type, TENSOR_TYPES)
    if access.use != insertion.destination_operand(op) or (is_read and not is_tensor):
        return _Step(None, value.type)
    return _Step(op, source.type, is_rest=is_read)


def _inserted(write: OperandInfo) -> SSAValue | None:
    """The tensor that an insertion writes into its destination. If it is in that place
    already, nothing changes."""
    op = write.use.operation
    insertion = SUBSET_INSERTION.lookup(op)
    if insertion is None or write.use != insertion.destination_operand(op):
        return None
    return get(insertion.source_operand(op))


def _is_slice_of(op: Operation, value: SSAValue) -> bool:
    """Whether an op extracts or inserts a slice of a tensor."""
    model = SUBSET.lookup(op)
    return model is not None and model.subset_tensor(op) is value


def _is_in_parallel(node: OpNode) -> bool:
    return node.block is not None and node.block.region.in_parallel is not None
