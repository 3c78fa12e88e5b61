"""The effects of each op on the contents of memory, and the contents that it requires.

There is one function for each kind of op, in a table by op name. An op that is not in
the table, but takes or returns memrefs or tensors, may read and write its operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from xdsl_bufferization.analysis.facts.slices import Slice, is_contained
from xdsl_bufferization.analysis.facts.vector_transfers import (
    is_masked,
    known_in_bounds,
    overwrites_everything,
    transferred_counts,
)
from xdsl_bufferization.checkers.contents.calls import call
from xdsl_bufferization.checkers.contents.graph import Transfer, tensors_of_operands
from xdsl_bufferization.checkers.contents.memory import Damage
from xdsl_bufferization.checkers.contents.names import TENSOR_VIEWS, Views, slice_of
from xdsl_bufferization.checkers.contents.regions import is_structured
from xdsl_bufferization.checkers.contents.segments import in_parallel
from xdsl_bufferization.checkers.contents.state import State
from xdsl_bufferization.checkers.contents.views import (
    View,
    are_equal_or_apart,
    extents_of,
    is_same_if_as_large,
    same_slice,
)
from xdsl_bufferization.checkers.contents.visit import Global, Insertion, Visit
from xdsl_bufferization.dialects import linalg, memref, vector
from xdsl_bufferization.dialects.linalg.attrs import IteratorType
from xdsl_bufferization.dialects.linalg.structured import output_count
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.destination_style import (
    DESTINATION_STYLE,
    destinations,
)
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.interfaces.region_branch import REGION_BRANCH_TERMINATOR
from xdsl_bufferization.interfaces.types import (
    MEMREF_CLASSES,
    TENSOR_CLASSES,
    has_tensor_semantics,
)

_HARMLESS = {
    *("memref.dim", "memref.rank", "memref.dealloc", "tensor.dim", "tensor.rank"),
    *("memref.extract_strided_metadata", "memref.extract_aligned_pointer_as_index"),
    *("bufferization.to_buffer", "bufferization.to_tensor"),
    *TENSOR_VIEWS,
}
"""Ops that access no elements."""
_READING = {
    *("vector.transfer_read", "vector.load", "vector.maskedload", "vector.gather"),
    *("vector.expandload", "memref.prefetch"),
}
"""Ops that are not in the table, and write no elements."""


def transfer_of(op: Operation, views: Views) -> Transfer | None:
    """Return the transfer function of an op; None if it has no effect."""
    known = _TRANSFERS.get(op.name)
    if known is None and is_structured(op):
        known = structured
    if known is None and CALL.lookup(op) is not None:
        known = call
    if known is not None:
        is_left = known in _ON_TENSORS_TOO and has_tensor_semantics(op)
        return access_operands if is_left else known
    results = {result.type.__class__ for result in op.results}
    classes = results.union(value.type.__class__ for value in op.operands)
    if classes.isdisjoint(TENSOR_CLASSES) and (
        classes.isdisjoint(MEMREF_CLASSES) or not results.isdisjoint(MEMREF_CLASSES)
    ):
        # It is about scalars, or a view.
        return None
    if op.successors or op.name in _HARMLESS or _only_forwards(op, views):
        return None
    return access_operands


def _only_forwards(op: Operation, views: Views) -> bool:
    """Return whether an op only ends a region of an op that says where that leads."""
    around = op.parent_op()
    return (
        around is not None
        and REGION_BRANCH_TERMINATOR.lookup(op) is not None
        and views.forwarded.graph(around).is_known
    )


def access_operands(op: Operation, visit: Visit) -> None:
    """Read and write the operands of an unknown op, but for what its model says that it
    does not. An op left on tensors reads the buffers of its tensors; a linalg op does not
    read all of its operands, and is not checked."""
    notes = visit.notes
    is_of_program = op.name == notes.of
    unread = notes.unread if is_of_program else ()
    unwritten = notes.unwritten if is_of_program else ()
    for number, value in enumerate(op.operands):
        if (
            visit.is_left_in_buffer(value)
            and not is_structured(op)
            and number not in unread
        ):
            visit.read(op, visit.view(value))
    if any(result.type.__class__ in TENSOR_CLASSES for result in op.results):
        visit.state.forwarded = {}
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
        else [get(init) for init in destinations(model, op)]
    )
    for number, value in buffers:
        view = visit.view(value)
        if number not in unread and (
            value not in written or not isinstance(op, linalg.SoftmaxOp)
        ):
            visit.read(op, view, visit.expected_in(op, number))
        if op.name not in _READING and value in written and number not in unwritten:
            visit.write(op, view, True)


# Ops of memref, and vectors.


def allocate(op: Operation, visit: Visit) -> None:
    """Make new memory."""
    visit.state.allocate(op.results[0])


def view(op: memref.ViewOp, visit: Visit) -> None:
    """Begin to use a place in an arena. Whatever was there may be something else."""
    if op.results[0] in visit.program.views.memory:
        visit.state.forget_bases(op.results, False)


def alloc_tensor(op: Operation, visit: Visit) -> None:
    """Make a new tensor, which may be a copy, that was left on tensors."""
    target = visit.view(op.results[0])
    visit.state.allocate(target.base)
    for value in [v for v in op.operands if v.type.__class__ in TENSOR_CLASSES][:1]:
        _copy(op, visit.view(value), target, visit)


def get_global(op: memref.GetGlobalOp, visit: Visit) -> None:
    """Name the memory of a global."""
    name = op.name_.root_reference.data
    is_constant = name in visit.program.constants
    root = Global(name, is_constant, is_constant and visit.notes.of == op.name)
    visit.state.set_roots(op.results[0], frozenset((root,)))


def load(op: memref.LoadOp, visit: Visit) -> None:
    """Read an element."""
    visit.read(op, visit.view(op.operands[0]).element(op.operands[1:]))


def store(op: memref.StoreOp, visit: Visit) -> None:
    """Write an element."""
    visit.write(op, visit.view(op.operands[1]).element(op.operands[2:]), True)


def extract(op: Operation, visit: Visit) -> None:
    """Read an element of a tensor that was left."""
    if visit.is_left_in_buffer(op.operands[0]):
        visit.read(op, visit.view(op.operands[0]).element(op.operands[1:]))


def insert_slice(op: Operation, visit: Visit) -> None:
    """Insert into a tensor that was left. What is replaced of it is not read."""
    visit.state.forwarded = {}
    source, dest = op.operands[:2]
    if visit.is_left_in_buffer(source):
        visit.read(op, visit.view(source))
    if not visit.is_left_in_buffer(dest):
        return
    view = visit.view(dest)
    replaced, extents = slice_of(op, 2), extents_of(view.base, view.steps)

    def is_replaced(part: object) -> bool:
        return isinstance(part, Slice) and (
            same_slice(part, replaced) or is_contained(part, replaced, extents)
        )

    for tensor in visit.notes.values:
        for name in visit.names_of(tensor):
            damage = visit.state.damage(name, view)
            if damage and all(map(is_replaced, damage)):
                visit.log(op, view)
                return
    visit.read(op, view)


def reshape(op: memref.ReshapeOp, visit: Visit) -> None:
    """Read the shape. The result is a view."""
    visit.read(op, visit.view(op.operands[1]))


def transfer_read(op: vector.TransferReadOp, visit: Visit) -> None:
    """Read a vector."""
    visit.read(op, _vector_view(op, op.operands[0], visit)[0])


def transfer_write(op: vector.TransferWriteOp, visit: Visit) -> None:
    """Write a vector; the elements that it does not write must be right."""
    view, is_complete = _vector_view(op, op.operands[1], visit)
    if not is_complete:
        visit.read(op, view)
    visit.write(op, view, True)


def mask_op(op: vector.MaskOp, visit: Visit) -> None:
    """Apply the effects of the op inside, or a part of them."""
    for inner in op.regions[0].block.ops:
        transfer = transfer_of(inner, visit.program.views)
        if transfer is not None:
            transfer(inner, visit)


def _vector_view(
    op: vector.TransferReadOp | vector.TransferWriteOp, buffer: SSAValue, visit: Visit
) -> tuple[View, bool]:
    """Return the view that a vector is read from or written to, and whether all of it is
    accessed."""
    view = visit.view(buffer)
    if isinstance(op, vector.TransferWriteOp) and overwrites_everything(op):
        return view, True
    counts = transferred_counts(op)
    if any(is_scalable for _, is_scalable in counts):
        return view, False
    sizes = tuple(size for size, _ in counts)
    type_ = buffer.type
    is_whole = isinstance(type_, MemRefType) and sizes == type_.get_shape()
    if not is_whole or not all(known_in_bounds(op)):
        # What is out of bounds of the buffer is left out: nothing else is there.
        part = Slice(tuple(op.indices), sizes, (1,) * len(sizes))
        view = View(view.base, (*view.steps, part))
    return view, not is_masked(op)


# Copies and choices.


def copy(op: Operation, visit: Visit) -> None:
    """Propagate tensors with their damage."""
    source, target = (visit.view(value) for value in op.operands)
    _copy(op, source, target, visit)


def _copy(op: Operation, source: View, target: View, visit: Visit) -> None:
    right = visit.is_right(source, visit.notes.values)
    onto_itself = is_same_if_as_large(source, target)
    carried: dict[int, Damage] = {
        tensor: dict(damage) for tensor, damage in visit.state.inside(source).items()
    }
    alternatives = _alternatives(source, visit)
    for tensor in _in_all(alternatives, visit.state):
        carried[tensor] = {}
    if right and not onto_itself:
        visit.log(op, source)
    if op in visit.racy:
        right = False
        write, part = visit.racy[op]
        carried = {tensor: {**damage, part: write} for tensor, damage in carried.items()}
    if onto_itself or _is_there(carried, target, visit):
        # It writes what is there, if it may.
        if not onto_itself:
            visit.log(op, target, is_write=True)
        visit.demand_writable(op, target)
        visit.note_written(target, right)
        carried = {tensor: damage for tensor, damage in carried.items() if not damage}
    else:
        is_kept = are_equal_or_apart(source, target) or _is_target_or_apart(
            source, alternatives, target, visit
        )
        visit.write(op, target, right)
        if is_kept:
            for tensor, damage in carried.items():
                if not damage:
                    visit.state.put(source, tensor, damage)
        if op not in visit.racy:
            visit.note_copied(source, target)
    for tensor, damage in carried.items():
        visit.state.put(target, tensor, damage)
    if target in visit.slices:
        inside = visit.state.inside(target)
        there = frozenset(tensor for tensor, damage in inside.items() if not damage)
        visit.insertions.append(Insertion(target, there))


def _is_there(carried: Mapping[int, Damage], target: View, visit: Visit) -> bool:
    """Return whether a view already holds the operand of the op that is copied to it, all
    of it, so that the copy changes nothing. A tensor whose contents do not matter may be
    in two places with different contents."""
    notes = visit.notes
    return any(
        not carried.get(tensor, True)
        and tensor in notes.values
        and tensor not in notes.undefined
        for tensor in visit.state.intact(target)
    )


def _alternatives(source: View, visit: Visit) -> Sequence[View]:
    """Return what a view may turn out to be, where its buffer is one of several that are
    known; nothing otherwise."""
    found = visit.state.alternatives(source, visit.program.views)
    return [] if found is None or found == [source] else found


def _in_all(views: Sequence[View], state: State) -> frozenset[int]:
    """Return the tensors that each of some views holds undamaged."""
    held = [
        frozenset(tensor for tensor, damage in state.inside(view).items() if not damage)
        for view in views
    ]
    return held[0].intersection(*held[1:]) if held else frozenset()


def select(op: arith.SelectOp, visit: Visit) -> None:
    """Name one of two buffers."""
    if op.results[0].type.__class__ not in MEMREF_CLASSES:
        return
    visit.state.forwarded = {0: not visit.invalid_operands(op)}
    first, second = (
        visit.state.roots_of(visit.view(source).base) for source in op.operands[1:]
    )
    base = visit.view(op.results[0]).base
    if base is op.results[0]:
        visit.state.set_roots(base, first | second)


# Ops that compute elements.


def structured(op: linalg.LinalgStructuredOperation, visit: Visit) -> None:
    """Read the operands that the body uses, element by element, and write the
    outputs."""
    if isinstance(op, linalg.CopyOp):
        source, target = (visit.view(value) for value in op.operands)
        if is_same_if_as_large(source, target) or (
            visit.state.overlap(source, target)
            and _is_target_or_apart(source, _alternatives(source, visit), target, visit)
        ):
            # It may write what is there.
            copy(op, visit)
            return
    outputs = len(op.operands) - output_count(op)
    written = {
        number: visit.view(op.operands[number])
        for number in range(outputs, len(op.operands))
        if op.operands[number].type.__class__ in MEMREF_CLASSES
    }
    if visit.findings is not None:
        _read_inputs(op, written, visit)
    for view in written.values():
        overlapping = [v for v in written.values() if visit.state.overlap(view, v)]
        visit.write(op, view, len(overlapping) == 1)


def _read_inputs(
    op: linalg.LinalgStructuredOperation, written: Mapping[int, View], visit: Visit
) -> None:
    """Read the operands that the body uses. An output that one iteration writes must
    not be read by another."""
    assert visit.findings is not None
    body = op.regions[0].block
    tensors = dict(tensors_of_operands(op, visit.notes))
    maps = [attribute.data for attribute in op.get_indexing_maps().data]
    all_parallel = all(
        kind.data is IteratorType.PARALLEL for kind in op.get_iterator_types()
    )
    for number, operand in enumerate(op.operands):
        if operand.type.__class__ not in MEMREF_CLASSES:
            continue
        if body.args[number].first_use is None:
            continue
        view = visit.view(operand)
        visit.read(op, view, visit.expected_in(op, number))
        if tensors.get(number) in visit.notes.undefined:
            continue
        for other, output in written.items():
            if other == number or not visit.state.overlap(view, output):
                continue
            if (
                all_parallel
                and _is_identity(maps[number])
                and _is_identity(maps[other])
                and _are_same_or_apart(view, output, visit)
            ):
                continue
            if not (visit.is_of_program(op, view) and visit.is_of_program(op, output)):
                visit.report(op, view, visit.notes.values)
    # While the body runs, some of the outputs may be written already.
    for access in visit.findings.accesses.get(op, ()):
        if any(visit.state.overlap(access.view, output) for output in written.values()):
            visit.report(access.op, access.view, visit.notes.values)


def _is_target_or_apart(
    source: View, alternatives: Sequence[View], target: View, visit: Visit
) -> bool:
    """Return whether the source of a copy, which may turn out to be one of some views, is
    the target or disjoint from it, whichever it is, so that the copy keeps it."""
    return (
        bool(alternatives) and _are_all_or_apart(alternatives, target, visit)
    ) or _is_returned_or_apart(source, target, visit)


def _are_same_or_apart(first: View, second: View, visit: Visit) -> bool:
    """Return whether elements with equal indices are one, or the views are disjoint,
    whatever they turn out to be."""
    if is_same_if_as_large(first, second) or are_equal_or_apart(first, second):
        return True
    alternatives = visit.program.views.alternatives
    ones, others = alternatives(first), alternatives(second)
    return (
        ones is not None
        and others is not None
        and all(
            is_same_if_as_large(one, other)
            or are_equal_or_apart(one, other)
            or not visit.state.overlap(one, other, in_any_iteration=True)
            for one in ones
            for other in others
        )
    )


def _are_all_or_apart(views: Sequence[View], target: View, visit: Visit) -> bool:
    """Return whether each of some views, or each part of it that is as large as the
    target of a copy, is the target, or disjoint from it."""
    return all(
        is_same_if_as_large(view, target)
        or are_equal_or_apart(view, target)
        or not visit.state.overlap(view, target)
        for view in views
    )


def _is_returned_or_apart(source: View, target: View, visit: Visit) -> bool:
    """Return whether a call returned the source of a copy, which may therefore be an
    argument of the call or a part of it, and that is the target, or disjoint from it."""
    owner = source.base.owner
    if not isinstance(owner, Operation) or CALL.lookup(owner) is None:
        return False
    arguments = [
        visit.view(value)
        for value in owner.operands
        if value.type.__class__ in MEMREF_CLASSES
    ]
    # What a call returns may be a global as well, whichever it is given.
    return not any(
        isinstance(root, Global) for root in visit.state.roots_of(target.base)
    ) and _are_all_or_apart(arguments, target, visit)


def _is_identity(map_: AffineMap) -> bool:
    return map_ == AffineMap.identity(map_.num_dims)


def return_(op: ReturnOp, visit: Visit) -> None:
    """Return tensors to the caller, who needs them."""
    findings = visit.findings
    if findings is None:
        return
    for position, tensor in visit.invalid_operands(op):
        visit.report(op, visit.view(op.operands[position]), [tensor])
    for number, operand in enumerate(op.operands):
        roots: frozenset[Any] = frozenset()
        if operand.type.__class__ in MEMREF_CLASSES:
            roots = frozenset(visit.all_roots(visit.view(operand)))
        findings.returned[number] = findings.returned.get(number, frozenset()) | roots


_TRANSFERS: dict[str, Transfer] = {
    "memref.alloc": allocate,
    "memref.alloca": allocate,
    "bufferization.alloc_tensor": alloc_tensor,
    "memref.get_global": get_global,
    "memref.view": view,
    "memref.load": load,
    "memref.store": store,
    "memref.copy": copy,
    "memref.reshape": reshape,
    "tensor.extract": extract,
    "tensor.insert_slice": insert_slice,
    "vector.transfer_read": transfer_read,
    "vector.transfer_write": transfer_write,
    "vector.mask": mask_op,
    "arith.select": select,
    "scf.forall.in_parallel": in_parallel,
    "func.return": return_,
}
_ON_TENSORS_TOO = {transfer_read, transfer_write, mask_op, select, structured}
"""What is done by ops that may have been left on tensors."""
