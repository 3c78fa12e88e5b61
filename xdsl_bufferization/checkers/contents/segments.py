"""Segments: what the marks state about the ops between them, and how results are
checked.

A segment is the bufferized form of one op of the tensor program. It may read only
operand tensors of the op, or contents that it has written itself; at its end, the
buffers of its results must contain the results of the op.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.analysis.facts.slices import Slice, are_disjoint
from xdsl_bufferization.checkers.contents.graph import MarkTransfer, Placed
from xdsl_bufferization.checkers.contents.marks import (
    AFTER,
    BEFORE,
    ENTRY,
    FILLED,
    MarkOp,
    Notes,
)
from xdsl_bufferization.checkers.contents.memory import Damage
from xdsl_bufferization.checkers.contents.views import (
    View,
    are_overlapping,
    is_inside,
    is_same,
    same_slice,
)
from xdsl_bufferization.checkers.contents.visit import Visit
from xdsl_bufferization.dialects import bufferization, memref, scf

_RENAMING = {
    *("tensor.bitcast", "tensor.cast", "tensor.collapse_shape", "tensor.expand_shape"),
    *("tensor.extract_slice", "tensor.reshape", "bufferization.to_tensor"),
}
_CALLS = {"func.call", "func.call_indirect"}
"""What returns its results in buffers of the callee, or copies of those."""
_ASSEMBLING = {"tensor.concat"}
"""What copies each of its operands to a part of the result, which these fill."""
_PLACING = {
    *("tensor.insert_slice", "tensor.pad"),
    "bufferization.materialize_in_destination",
}
"""What copies its first operand to the result, or a part of it."""
_COMPUTING = {"bufferization", "linalg", "tensor"}
"""Dialects all of whose other ops write the elements of their results."""


def begin(notes: Notes, _: Sequence[Placed], mark: MarkOp, visit: Visit) -> None:
    """Begin a segment, and end the one before it."""
    if visit.notes is not visit.stretch.outer:
        visit.state.forget(visit.notes.last)
        visit.state.written.pop(visit.notes, None)
    visit.notes, visit.slices, visit.insertions, visit.equal = notes, (), [], []
    if notes.of == scf.InParallelOp.name:
        visit.slices = _slices(mark, visit)
    visit.state.forwarded = None


def _slices(mark: MarkOp, visit: Visit) -> Sequence[View]:
    """Return the slices that a thread inserts at its end."""
    found: list[View] = []
    op = mark.next_op
    while op is not None and not isinstance(op, scf.InParallelOp):
        if isinstance(op, memref.CopyOp):
            found.append(visit.view(op.operands[1]))
        op = op.next_op
    return found


def enter(notes: Notes, tensors: Sequence[Placed], mark: MarkOp, visit: Visit) -> None:
    """Begin a block with tensors in buffers."""
    known = visit.state.forwarded or {}
    for position, tensor, view in tensors:
        if tensor not in notes.last:
            damage: Damage = {} if known.get(position, True) else {None: mark}
            visit.state.put(view, tensor, damage)


def end(notes: Notes, tensors: Sequence[Placed], mark: MarkOp, visit: Visit) -> None:
    """Put the results of an op into their buffers."""
    known = visit.state.forwarded
    forwarded = None
    if known is not None and notes.of not in _CALLS:
        forwarded = _Forwarded(mark, notes.of, visit)
    for position, tensor, view in tensors:
        if tensor in notes.last:
            continue
        damage: Damage = {}
        if known is None:
            if tensor not in notes.undefined:
                damage = _damage_of_result(mark, notes.of, view, visit)
        elif not known.get(position, True) or (
            not _is_written_right(view, visit)
            if forwarded is None
            else not forwarded.is_in(position, view)
        ):
            damage = {None: mark}
        visit.state.put(view, tensor, damage)
        if not damage and tensor not in notes.undefined:
            # The source of a copy to the result, or to what the result is a slice of,
            # holds the result as well.
            for source, target in visit.equal:
                rest = view.steps[len(target.steps) :]
                if is_inside(view, target) and all(isinstance(r, Slice) for r in rest):
                    same = View(source.base, (*source.steps, *rest))
                    visit.state.put(same, tensor, damage)


def fill(notes: Notes, tensors: Sequence[Placed], mark: MarkOp, visit: Visit) -> None:
    """Demand that the program finds tensors in buffers of its own: those that another
    pass is still to fill are not asked for."""
    op = mark.prev_op
    if isinstance(op, bufferization.MaterializeInDestinationOp):
        return
    for _, tensor, view in tensors:
        if not visit.is_valid(tensor, view):
            visit.report(op or mark, view, [tensor])


# Results.


class _Forwarded:
    """Where the results of an op are that control flow sets.

    Args:
        mark: the mark after the op.
        name: of the op.
    """

    def __init__(self, mark: MarkOp, name: str, visit: Visit) -> None:
        self._visit = visit
        self._op: Operation | None = None
        self._copies: dict[SSAValue, list[tuple[View, View]]] = {}
        """What has been copied since, by base of the target: from where to where."""
        op = mark.prev_op
        while op is not None and not isinstance(op, MarkOp):
            if op.name == name and op.regions:
                self._op = op
                break
            if isinstance(op, memref.CopyOp):
                source, target = map(visit.view, op.operands)
                self._copies.setdefault(target.base, []).append((source, target))
            op = op.prev_op

    def is_in(self, position: int, view: View) -> bool:
        """Return whether a view is that of a result, or of a copy of it. An op may have
        none for it, as its operand is the result."""
        if self._op is None or position >= len(self._op.results):
            return True
        own = self._visit.view(self._op.results[position])
        return is_same(own, view) or any(
            is_same(own, source) and is_same(target, view)
            for source, target in self._copies.get(view.base, ())
        )


def _damage_of_result(mark: MarkOp, name: str, view: View, visit: Visit) -> Damage:
    """Return the damage of a result of the op of this name."""
    notes = visit.notes
    if not notes.values:
        return {}
    if name in _PLACING:
        source = notes.values[0]
        if source not in notes.undefined and not _placed(source, view, visit):
            return {None: _culprit(mark, view, [source], visit)}
    if _is_written_right(view, visit):
        return {}
    written = [(v, right) for v, right in visit.written if is_inside(v, view)]
    may_be_old = bool(written) or _may_rename(name)
    if notes.undefined and may_be_old:
        return {}
    parts = _parts_of(view, [v for v, right in written if right])
    if name in _ASSEMBLING and len(parts) >= len(notes.values):
        return {}
    if may_be_old:
        # What is damaged of an operand, and not replaced, is of the result.
        rests = [
            {part: op for part, op in damage.items() if not _is_among(part, parts)}
            for tensor in notes.values
            for same in visit.names_of(tensor)
            if (damage := visit.state.damage(same, view)) is not None
        ]
        rests = [rest for rest in rests if None not in rest]
        if rests:
            return min(rests, key=len)
    return {None: _culprit(mark, view, notes.values, visit)}


def _is_written_right(view: View, visit: Visit) -> bool:
    return any(right and is_same(other, view) for other, right in visit.written)


def _placed(tensor: int, view: View, visit: Visit) -> list[View]:
    """Return where the segment has copied a tensor to, of a view or a part of it."""
    return [
        other
        for other, _ in visit.written
        if is_inside(other, view) and visit.is_valid(tensor, other)
    ]


def _may_rename(name: str) -> bool:
    """Return whether an op may give a buffer another name, without writing anything."""
    return name in _RENAMING or name.partition(".")[0] not in _COMPUTING


def _culprit(
    mark: MarkOp, view: View, expected: Sequence[int], visit: Visit
) -> Operation:
    """Return the op that makes a result wrong."""
    writes = visit.destroyers(view, expected)
    return writes[0] if writes else mark.prev_op or mark


def _parts_of(view: View, smaller: Iterable[View]) -> list[Slice]:
    """Return the parts of a view that other views, which are inside, are in."""
    count = len(view.steps)
    return [
        step
        for other in smaller
        if len(other.steps) > count and isinstance(step := other.steps[count], Slice)
    ]


def _is_among(part: object, parts: Sequence[Slice]) -> bool:
    return isinstance(part, Slice) and any(same_slice(part, other) for other in parts)


# Threads.


def in_parallel(op: scf.InParallelOp, visit: Visit) -> None:
    """End a thread. It must have copied to the shared outputs what it inserts there, and
    must have left alone what is surely not among it. Insertions that were left on tensors
    read their sources."""
    kept = tuple(op.regions[0].block.ops)
    for insertion in kept:
        for value in insertion.operands:
            if visit.is_left_in_buffer(value):
                visit.read(insertion, visit.view(value))
    if kept or visit.findings is None:
        return
    # Sources and destinations alternate.
    expected = visit.notes.values
    insertions = Counter(zip(expected[::2], expected[1::2], strict=True))
    inserted: dict[int, list[View]] = {}
    for (source, target), number in insertions.items():
        view = visit.graph.buffers[target]
        placed = _placed(source, view, visit)
        placed += [v for v in _overwritten(source, view, visit) if v not in placed]
        inserted.setdefault(target, []).extend(placed)
        for other in placed:
            # What other iterations write must leave it there.
            visit.log(op, other)
        # A tensor that is inserted twice must be in two places.
        if len(placed) < number and source not in visit.notes.undefined:
            visit.report(op, view, [source])
    loop = op.parent_op()
    assert loop is not None
    for target, placed in inserted.items():
        visit.findings.inserted.setdefault(loop, []).extend(placed)
        if target in visit.notes.undefined:
            continue
        view = visit.graph.buffers[target]
        parts = _parts_of(view, placed)
        damage = visit.state.damage(target, view)
        if damage is None:
            # It was not even there when the thread began.
            is_missing = isinstance(visit.state.history.destroyed.get(target), MarkOp)
            is_replaced = any(is_same(other, view) for other in placed)
            if is_missing and not is_replaced:
                visit.report(op, view, [target])
        elif parts and any(_is_apart(part, parts) for part in damage):
            visit.report(op, view, [target])


def _overwritten(tensor: int, view: View, visit: Visit) -> list[View]:
    """Return where the thread has inserted a tensor into a view, but then inserted
    something else that surely overlaps it. The insertions of a thread have no order, so
    either may be there in the end."""
    found: list[View] = []
    names = set(visit.names_of(tensor))
    for number, insertion in enumerate(visit.insertions):
        target = insertion.target
        if names.isdisjoint(insertion.tensors) or not is_inside(target, view):
            continue
        # Nothing but insertions is between the first of them and the end of the thread.
        later = [
            other
            for other in visit.insertions[number + 1 :]
            if are_overlapping(target, other.target)
        ]
        if later and all(other.tensors for other in later):
            found.append(target)
    return found


def _is_apart(part: object, parts: Sequence[Slice]) -> bool:
    """Return whether a part definitely is disjoint from all of these."""
    return isinstance(part, Slice) and all(are_disjoint(part, other) for other in parts)


MARKS: dict[str, MarkTransfer] = {
    BEFORE: begin,
    AFTER: end,
    ENTRY: enter,
    FILLED: fill,
}
