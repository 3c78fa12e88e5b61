"""Iterations of scf.forall touch only their own slice of a shared output.

For a thread, a shared output has its initial contents up to its end. As a buffer, it is
shared: other threads see what one thread writes. This makes no difference if each
thread only touches the slice that it will replace by tensor.parallel_insert_slice
anyway:

    scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?x4xf32>) {
      %s = tensor.extract_slice %o[%i, 0] [1, 4] [1, 1]
      %w = linalg.fill ins(%f) outs(%s)     // in place: its own slice
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %w into %o[%i, 0] [1, 4] [1, 1]
      }
    }

But a thread that reads its neighbour's slice would race with the neighbour; one that
writes a slice without inserting it would change the result; one that inserts the slice
elsewhere, after inserting something else in its place, would already have overwritten
it. Such a use of %o is replaced by a use of %t, which is the same tensor. The analysis
then detects that %t is still read when the loop writes it, or that all threads write
it, and copies it.

So would one that makes a new tensor of all of %o because it changes a slice of it, and
others use %o afterwards.

If there is only one thread, and the result has no uses, the thread may do to the output
what it likes, as long as it does not insert a part of it after inserting something else.
If what a use of %o computes is not used, it may find anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from heapq import nlargest

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, OpResult, SSAValue, Use

from xdsl_bufferization.analysis.facts.forwarded_values import (
    forwarded_targets,
    may_become,
)
from xdsl_bufferization.analysis.facts.slices import Slice, are_equal, are_overlapping
from xdsl_bufferization.analysis.facts.value_bounds import (
    constant_of,
    is_negative,
    linear,
)
from xdsl_bufferization.dialects import scf, tensor
from xdsl_bufferization.interfaces.aliasing import BufferRelation
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.models.tensor.slices import DEST, slice_of


def keep_threads_apart(
    op: scf.ForallOp, state: AnalysisState, are_several: bool
) -> list[tuple[Use, SSAValue]]:
    """Let the threads of an scf.forall touch no more of its outputs than what they
    insert. To be done before the program is analysed or bufferized; decisions that
    `state` may have made are not asked for.

    Args:
        are_several: there may be more than one thread.

    Returns:
        The operands that were replaced, with what they were.
    """
    replaced: list[tuple[Use, SSAValue]] = []
    accesses = _Accesses(op.regions[0].block, state)
    outputs, arguments = op.outputs, op.region_iter_args
    for output, argument, result in zip(outputs, arguments, op.results, strict=True):
        slices = {
            use.operation: slice_of(use.operation, 2)
            for use in argument.uses
            if _is_insertion(use)
        }
        others_write = bool(slices) and are_several
        is_ignored = not are_several and result.first_use is None
        for use in list(argument.uses):
            if _is_confined(use, slices, accesses, state) or _is_dead(use, state):
                continue
            written, inserted = _find_effects(use, state)
            if is_ignored and not any(_is_after(end, slices) for end in inserted):
                continue
            if (
                others_write
                or written
                or any(end in slices or _is_after(end, slices) for end in inserted)
            ):
                use.operation.operands[use.index] = output
                replaced.append((use, argument))
    return replaced


def _is_insertion(use: Use) -> bool:
    """Whether the use is the destination of an insertion at the end of an iteration."""
    is_insertion = isinstance(use.operation, tensor.ParallelInsertSliceOp)
    return is_insertion and use.index == DEST


def _is_confined(
    use: Use,
    slices: Mapping[Operation, Slice],
    accesses: _Accesses,
    state: AnalysisState,
) -> bool:
    """Whether an op, and those that get its result, touch the shared output in a slice
    that is replaced, with what they make of it if it is inserted.

    Args:
        slices: the insertions into the shared output, with what they replace.
    """
    worklist = [use]
    while worklist:
        use = worklist.pop()
        if _is_insertion(use) or not _is_accessed(use, state):
            continue
        op = use.operation
        touched = _touched_slice(use)
        if touched is not None:
            if not any(_is_inside(touched, slice_) for slice_ in slices.values()):
                return False
            is_insertion = isinstance(op, (tensor.InsertOp, tensor.InsertSliceOp))
            if is_insertion and accesses.may_copy(use):
                return False
            if not is_insertion:
                _, inserted = _find_effects(use, state)
                # What may be the slice or another one is inserted in its place only.
                if any(
                    _is_late(end, op, touched, slices, state)
                    or not (
                        end not in slices
                        or _is_inside(touched, slices[end])
                        or _is_exactly(end.operands[0], op, state)
                    )
                    for end in inserted
                ):
                    return False
                continue
        elif not _is_renamed(use, state):
            return False
        # The result is the whole tensor again.
        worklist.extend(op.results[0].uses)
    return True


class _Accesses:
    """When the tensors in a thread are used for the last time."""

    def __init__(self, body: Block, state: AnalysisState) -> None:
        self._body = body
        self._state = state
        self._last: dict[SSAValue, list[tuple[int, Operation]]] = {}

    @cached_property
    def _positions(self) -> dict[Operation, int]:
        return {op: number for number, op in enumerate(self._body.ops)}

    def _position(self, op: Operation) -> int:
        """The position of the op of the body that is, or is around, another one."""
        outer = self._body.find_ancestor_op_in_block(op)
        return len(self._positions) if outer is None else self._positions[outer]

    def may_copy(self, write: Use) -> bool:
        """Whether an insertion may make a new tensor of all of the old one: it is left on
        tensors, or other ops use the old one afterwards."""
        op = write.operation
        return self._state.model(op) is None or any(
            other is not op and position >= self._position(op)
            for position, other in self._last_of(get(write))
        )

    def _last_of(self, value: SSAValue) -> Sequence[tuple[int, Operation]]:
        """Return the last two ops that use a tensor, or a part of it, under any name,
        with their positions; but not those that only give it a name, nor the end."""
        state = self._state
        while isinstance(value, OpResult) and any(
            _is_renamed(use, state) for use in operands_of(value.op)
        ):
            value = value.op.operands[0]
        known = self._last.get(value)
        if known is None:
            accesses: dict[Operation, int] = {}
            worklist = [value]
            names = set(worklist)
            for name in worklist:
                for use in name.uses:
                    if _is_insertion(use):
                        continue
                    if not state.bufferizes_to_memory_write(use):
                        for alias in may_become(use, state):
                            if alias not in names:
                                names.add(alias)
                                worklist.append(alias)
                    if not state.bufferizes_to_alias_only(use):
                        accesses[use.operation] = self._position(use.operation)
            found = [(position, op) for op, position in accesses.items()]
            known = nlargest(2, found, key=lambda each: each[0])
            self._last[value] = known
        return known


def _is_dead(use: Use, state: AnalysisState) -> bool:
    """Whether nothing that an op makes of a tensor is used, and it does not write it."""
    op = use.operation
    if not op.regions:
        # A terminator has no results: what it forwards to has uses.
        made = [alias.value for alias in state.aliasing_values(use)]
        if isinstance(op, tensor.ExtractOp):
            made += op.results
        return (
            bool(made)
            and not state.bufferizes_to_memory_write(use)
            and all(value.first_use is None for value in made)
        )
    targets = forwarded_targets(use)
    return targets is not None and all(target.first_use is None for target in targets)


def _is_exactly(
    value: SSAValue, op: Operation, state: AnalysisState, or_new: bool = True
) -> bool:
    """Whether a tensor is all of the slice that an op takes, and never a part of it or
    something else.

    Args:
        or_new: it may be in new memory, too, or have been changed.
    """
    worklist = [value]
    visited: set[SSAValue] = set()
    while worklist:
        value = worklist.pop()
        if value in visited or value in op.results:
            continue
        visited.add(value)
        if not isinstance(value, OpResult) or state.model(value.op) is None:
            return False
        aliases = state.aliasing_operands(value)
        if not or_new and (not aliases or state.value_bufferizes_to_memory_write(value)):
            return False
        is_all = isinstance(value.op, tensor.ExtractSliceOp) and _is_all(value.op)
        for alias in aliases:
            if alias.relation is not BufferRelation.EQUIVALENT and not is_all:
                return False
            worklist.append(get(alias.operand))
    return True


def _is_all(op: tensor.ExtractSliceOp) -> bool:
    """Whether a slice is the whole tensor: one as large begins where that begins."""
    type_ = op.source.type
    return (
        isinstance(type_, TensorType)
        and type_ == op.results[0].type
        and type_.has_static_shape()
    )


def _is_after(end: Operation, slices: Mapping[Operation, Slice]) -> bool:
    """Whether an insertion comes after one into the shared output: insertions are made
    one after the other."""
    return any(insertion.is_before_in_block(end) for insertion in slices)


def _is_late(
    end: Operation,
    op: Operation,
    touched: Slice,
    slices: Mapping[Operation, Slice],
    state: AnalysisState,
) -> bool:
    """Whether an insertion of the slice that an op takes, or of what is made of it in the
    same buffer, comes after one that may have replaced it, other than by itself:
    insertions are made one after the other."""
    source = end.operands[0]
    return any(
        insertion.is_before_in_block(end)
        and not (
            are_equal(touched, slice_)
            and (
                insertion.operands[0] is source
                or all(
                    _is_exactly(each, op, state, or_new=False)
                    for each in (source, insertion.operands[0])
                )
            )
        )
        and (
            end not in slices
            or _is_inside(touched, slice_)
            or are_overlapping(touched, slice_)
        )
        for insertion, slice_ in slices.items()
    )


def _is_accessed(use: Use, state: AnalysisState) -> bool:
    return (
        state.bufferizes_to_memory_read(use)
        or state.bufferizes_to_memory_write(use)
        or bool(state.aliasing_values(use))
    )


def _is_renamed(use: Use, state: AnalysisState) -> bool:
    """Whether the op gives the whole tensor another type, and no more."""
    aliases = state.aliasing_values(use)
    return (
        len(aliases) == 1
        and aliases[0].relation is BufferRelation.EQUIVALENT
        and aliases[0].is_definite
        and list(use.operation.results) == [aliases[0].value]
        and _rank(aliases[0].value) == _rank(get(use))
        and state.bufferizes_to_alias_only(use)
    )


def _rank(value: SSAValue) -> int | None:
    shape = getattr(value.type, "shape", None)
    return None if shape is None else len(shape)


def _touched_slice(use: Use) -> Slice | None:
    """The slice of the tensor operand that an op touches."""
    op = use.operation
    match op, use.index:
        case tensor.ExtractSliceOp(), 0:
            return slice_of(op, 1)
        case tensor.InsertSliceOp(), index if index == DEST:
            return slice_of(op, 2)
        case tensor.ExtractOp(), 0:
            return _element(op.operands[1:])
        case tensor.InsertOp(), index if index == DEST:
            return _element(op.operands[2:])
        case _:
            return None


def _element(indices: Sequence[SSAValue]) -> Slice:
    ones = [1] * len(indices)
    return Slice(indices, ones, ones)


def _is_inside(inner: Slice, outer: Slice) -> bool:
    """Whether all elements of a slice surely are elements of the other."""
    if are_equal(inner, outer):
        return True
    return len(inner.offsets) == len(outer.offsets) and all(
        _is_inside_dimension(inner, outer, number) for number in range(len(outer.offsets))
    )


def _is_inside_dimension(inner: Slice, outer: Slice, number: int) -> bool:
    stride = constant_of(inner.strides[number])
    if stride is None or stride < 1 or constant_of(outer.strides[number]) != 1:
        return False
    begin, other_begin = linear(inner.offsets[number]), linear(outer.offsets[number])
    steps = linear(inner.sizes[number]) - linear(1)
    last = begin + steps.scaled(stride)
    return is_negative(other_begin - begin - linear(1)) and is_negative(
        last - other_begin - linear(outer.sizes[number])
    )


def _find_effects(use: Use, state: AnalysisState) -> tuple[bool, list[Operation]]:
    """Whether an op writes the operand, or something that may share its buffer, and the
    insertions that insert something that may share its buffer."""
    written = False
    inserted: list[Operation] = []
    worklist = [use]
    visited: set[SSAValue] = set()
    while worklist:
        use = worklist.pop()
        written |= state.bufferizes_to_memory_write(use)
        is_insertion = isinstance(use.operation, tensor.ParallelInsertSliceOp)
        if is_insertion and use.index != DEST:
            inserted.append(use.operation)
        for alias in may_become(use, state):
            if alias not in visited:
                visited.add(alias)
                worklist.extend(alias.uses)
    return written, inserted
