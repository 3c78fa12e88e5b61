"""The pass remove-unread-buffers.

All allocations are first assumed to be unread. An op can be removed if its results are
unused and its only memory effects are reads, and writes and frees of unread buffers.
The buffers that other ops use are needed, and so are the ops that write these buffers,
whose other buffers are needed in turn. Ops and buffers that are not reached this way
are removed.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import EffectInstance, IsTerminator, MemoryEffectKind, get_effects

from xdsl_bufferization.dialects import bufferization, linalg, memref
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import has_no_elements, is_memref
from xdsl_bufferization.interfaces.view_like import VIEW_LIKE
from xdsl_bufferization.locations import built_for
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.convert_bufferization_to_memref import (
    allocate_like,
    has_allocatable_layout,
)
from xdsl_bufferization.transforms.utils.unused_views import erase_unused_views


@dataclass(frozen=True)
class RemoveUnreadBuffersPass(ModulePass):
    """Remove buffers that are written and never read, and copies of a buffer to itself
    or of no elements.

        %0 = memref.alloc() : memref<4xf32>
        memref.copy %m, %0 : memref<4xf32> to memref<4xf32>
        %1 = memref.subview %m[%o] [2] [1] : memref<4xf32> to memref<2xf32, ...>
        %2 = memref.subview %m[%o] [2] [1] : memref<4xf32> to memref<2xf32, ...>
        memref.copy %1, %2 : memref<2xf32, ...> to memref<2xf32, ...>
        memref.dealloc %0 : memref<4xf32>

    disappears altogether. Ops that only write or free such an allocation, such as
    linalg ops, are erased with it, and so is an allocation that is read only to write
    to another one that is never read. An allocation that is passed to a call, a loop or
    a branch stays. A `bufferization.clone` of no elements (`memref<0xf32>`) becomes an
    allocation.
    """

    name = "remove-unread-buffers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_unread_buffers(op)


@on_program
def remove_unread_buffers(root: Operation) -> None:
    """Remove copies of a buffer to itself or of no elements, then unread allocations,
    under `root`."""
    for op in list(walk(root)):
        if isinstance(op, memref.CopyOp | linalg.CopyOp) and _is_pointless(op):
            views = list(op.operands)
            Rewriter.erase_op(op)
            for view in views:
                erase_unused_views(view)
        elif isinstance(op, bufferization.CloneOp) and has_no_elements(op.output.type):
            _allocate_instead(op)
    _remove_unread(root)


def _is_pointless(op: Operation) -> bool:
    return not op.results and (
        _is_same_buffer(op.operands[0], op.operands[1])
        or any(has_no_elements(operand.type) for operand in op.operands)
    )


def _allocate_instead(clone: bufferization.CloneOp) -> None:
    """Replace a clone by an allocation, unless its layout prevents that."""
    type_ = clone.output.type
    if not is_memref(type_) or not has_allocatable_layout(type_):
        return
    with built_for(clone):
        allocated = allocate_like(clone, clone.input, type_)
    Rewriter.replace_op(clone, [], [allocated])


def _is_same_buffer(left: SSAValue, right: SSAValue) -> bool:
    """Whether two values are the same buffer, or the same view of the same buffer."""
    while left is not right:
        if not isinstance(left, OpResult) or not isinstance(right, OpResult):
            return False
        a, b = left.op, right.op
        if (
            a.name != b.name
            or VIEW_LIKE.lookup(a) is None
            or left.type != right.type
            or a.properties != b.properties
            or list(a.operands[1:]) != list(b.operands[1:])
        ):
            return False
        left, right = a.operands[0], b.operands[0]
    return True


# ---------------------------------------------------------------------------------------
# Unread allocations


def _remove_unread(root: Operation) -> None:
    views: dict[SSAValue, list[Operation]] = {}
    """The views of each allocation, a view after what it is a view of."""
    allocation_of: dict[SSAValue, SSAValue] = {}
    for op in walk(root):
        if isinstance(op, memref.AllocOp | memref.AllocaOp):
            views[op.results[0]] = []
            allocation_of[op.results[0]] = op.results[0]
        elif (
            op.operands
            and len(op.results) == 1
            and op.operands[0] in allocation_of
            and VIEW_LIKE.lookup(op) is not None
        ):
            allocation = allocation_of[op.operands[0]]
            views[allocation].append(op)
            allocation_of[op.results[0]] = allocation

    view_ops = {view for found in views.values() for view in found}
    users = {use.operation for value in allocation_of for use in value.uses}
    needed: list[SSAValue] = []
    """Allocations found to be needed and not yet looked into."""
    unread = set(views)
    writers: defaultdict[SSAValue, list[Operation]] = defaultdict(list)
    uses: dict[Operation, set[SSAValue]] = {}

    def keep(op: Operation) -> None:
        # Not `uses[op] & unread`: where `unread` is the smaller set, Python looks through
        # its table, which stays as large as it was at first.
        for allocation in uses[op]:
            if allocation in unread:
                unread.discard(allocation)
                needed.append(allocation)

    for op in users:
        uses[op] = {allocation_of[v] for v in op.operands if v in allocation_of}
        if op in view_ops:
            # What else it uses, such as the shape of a memref.reshape, is needed with it.
            writers[allocation_of[op.results[0]]].append(op)
            continue
        written = _written(op)
        if written is None or any(value not in allocation_of for value in written):
            keep(op)
        else:
            for value in written:
                writers[allocation_of[value]].append(op)
    while needed:
        for op in writers[needed.pop()]:
            keep(op)

    for op in users - view_ops:
        if any(allocation in unread for allocation in uses[op]):
            Rewriter.erase_op(op)
    # Those that use others first.
    for value, allocation in reversed(allocation_of.items()):
        if allocation in unread:
            assert isinstance(value, OpResult)
            Rewriter.erase_op(value.op)


def _written(op: Operation) -> list[SSAValue] | None:
    """The buffers that an op writes or frees, if that and reading is all it does."""
    if any(result.first_use is not None for result in op.results):
        return None
    if op.has_trait(IsTerminator) or op.successors:
        return None
    if op.regions and not isinstance(op, linalg.LinalgStructuredOperation):
        return None
    effects = get_effects(op)
    if effects is None:
        return None
    written: list[SSAValue] = []
    for effect in effects:
        if effect.kind == MemoryEffectKind.READ:
            continue
        value = _value(effect)
        if value is None or effect.kind == MemoryEffectKind.ALLOC:
            return None
        written.append(value)
    return written


def _value(effect: EffectInstance) -> SSAValue | None:
    return effect.value if isinstance(effect.value, SSAValue) else None
