"""Transfers of vectors from and to tensors and buffers: casts, bounds, and repeated
reads or writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    i32,
    i64,
)
from xdsl.dialects.vector import BroadcastOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.analysis.facts.vector_transfers import (
    Transfer,
    known_in_bounds,
    source_and_vector,
    transferred_counts,
)
from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.dialects.shapes import dimensions, is_memref, is_tensor, is_vector
from xdsl_bufferization.dialects.vector import (
    TransferReadOp,
    TransferWriteOp,
    TransposeOp,
)
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    buffer_before_cast,
    tensor_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.vector_masks import (
    mask_value,
)
from xdsl_bufferization.transforms.canonicalization_patterns.vector_views import (
    vector_type,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

_MOST_STEPS = 16
"""How many writes a transfer looks through."""


class TransferOfCast(RewritePattern):
    """A transfer, load or store of a cast buffer is one of the buffer before the cast; so
    is a transfer of a cast tensor to a vector."""

    def __init__(self, source: int):
        self.source = source

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        operand = op.operands[self.source]
        source = buffer_before_cast(operand)
        if source is None and isinstance(op, TransferReadOp):
            source = tensor_before_cast(operand)
        if source is not None:
            op.operands[self.source] = source
            rewriter.notify_op_modified(op)


def know_transfer(op: Operation, worklist: Worklist) -> bool:
    """Remove a mask of all elements, and mark transfers known to be in bounds."""
    assert isinstance(op, Transfer)
    changed = False
    if op.mask is not None and mask_value(op.mask) is True:
        sizes = op.properties["operandSegmentSizes"]
        assert isinstance(sizes, DenseArrayBase)
        op.properties["operandSegmentSizes"] = DenseArrayBase.from_list(
            i32, [*sizes.get_values()[:-1], 0]
        )
        worklist.set_operands(op, list(op.operands)[:-1])
        changed = True
    in_bounds = known_in_bounds(op)
    if in_bounds != [flag.value.data != 0 for flag in op.in_bounds]:
        op.properties["in_bounds"] = ArrayAttr(
            [BoolAttr.from_bool(flag) for flag in in_bounds]
        )
        changed = True
    return changed


_Access: TypeAlias = "tuple[tuple[SSAValue, ...], tuple[int | None, ...]]"
"""The indices of a transfer, and how many elements of each dimension it moves: None for a
scalable number."""


def _access(op: Transfer) -> _Access | None:
    """What an unmasked transfer accesses, if its map only permutes and repeats."""
    source = op.source
    if op.mask is not None or not (is_tensor(source.type) or is_memref(source.type)):
        return None
    if is_vector(source.type.element_type) or not all(
        isinstance(expression, AffineDimExpr | AffineConstantExpr)
        for expression in op.permutation_map.data.results
    ):
        return None
    counts = (
        None if is_scalable else size for size, is_scalable in transferred_counts(op)
    )
    return tuple(op.indices), tuple(counts)


def _are_apart(a: _Access, b: _Access) -> bool:
    """Whether two accesses to one tensor have no element in common."""
    for first, second, count, other in zip(a[0], b[0], a[1], b[1], strict=True):
        start, begin = constant_integer(first), constant_integer(second)
        if start is None or begin is None or count is None or other is None:
            continue
        if start + count <= begin or begin + other <= start:
            return True
    return False


def _sizes_agree(a: _Access, b: _Access, op: Transfer, other: Transfer) -> bool:
    """Whether two transfers access the same elements."""
    if a != b:
        return False
    if None not in a[1]:
        return True
    return _scalable_sizes(op) == _scalable_sizes(other)


def _scalable_sizes(op: Transfer) -> list[tuple[int, int]]:
    """Return the dimensions of a tensor that are transferred with scalable sizes."""
    sizes = dimensions(source_and_vector(op)[1].type)
    return sorted(
        (expression.position, sizes[number][0])
        for number, expression in enumerate(op.permutation_map.data.results)
        if isinstance(expression, AffineDimExpr) and sizes[number][1]
    )


def read_written(op: Operation, worklist: Worklist) -> bool:
    """Replace a read at the position of the last write by the written vector, broadcast
    and transposed; look through writes elsewhere."""
    assert isinstance(op, TransferReadOp)
    access = _access(op)
    source = op.source
    if access is None or not is_tensor(source.type):
        return False
    for _ in range(_MOST_STEPS):
        write = source.owner
        other = _access(write) if isinstance(write, TransferWriteOp) else None
        if other is None or not isinstance(write, TransferWriteOp):
            break
        if _sizes_agree(access, other, op, write):
            return _read_vector(op, write, worklist)
        if not _are_apart(access, other):
            break
        source = write.source
    if source is op.source:
        return False
    worklist.set_operands(op, [source, *list(op.operands)[1:]])
    return True


def _read_vector(op: TransferReadOp, write: TransferWriteOp, worklist: Worklist) -> bool:
    if not all(known_in_bounds(op)) or not all(known_in_bounds(write)):
        return False
    if (
        write.vector.type == op.result.type
        and write.permutation_map == op.permutation_map
    ):
        worklist.replace(op, [write.vector])
        return True
    new = _rearranged(op, write, worklist)
    if new is None:
        return False
    worklist.replace(op, [new])
    return True


def _rearranged(
    op: TransferReadOp, write: TransferWriteOp, worklist: Worklist
) -> SSAValue | None:
    """Return the written vector, transposed, with new dimensions for broadcasts."""
    written = _moved_dimensions(write)
    places = [
        written.index(dimension) if dimension in written else None
        for dimension in _moved_dimensions(op)
    ]
    known = sorted(place for place in places if place is not None)
    if None in written or known != list(range(len(written))):
        return None
    wanted = dimensions(op.result.type)
    added = [number for number, place in enumerate(places) if place is None]
    value = write.vector
    assert is_vector(value.type)
    if added:
        sizes = [*(wanted[number] for number in added), *dimensions(value.type)]
        broadcast = BroadcastOp.create(
            operands=[value], result_types=[vector_type(value.type.element_type, sizes)]
        )
        worklist.insert_before(op, broadcast)
        value = broadcast.results[0]
    permutation = [
        added.index(number) if place is None else len(added) + place
        for number, place in enumerate(places)
    ]
    if permutation != sorted(permutation):
        transpose = TransposeOp.create(
            operands=[value],
            result_types=[op.result.type],
            properties={"permutation": DenseArrayBase.from_list(i64, permutation)},
        )
        worklist.insert_before(op, transpose)
        value = transpose.results[0]
    return value


def _moved_dimensions(op: Transfer) -> list[int | None]:
    """Of each dimension of the vector, which one of the tensor it is; None where elements
    are repeated."""
    return [
        expression.position if isinstance(expression, AffineDimExpr) else None
        for expression in op.permutation_map.data.results
    ]


def write_again(op: Operation, worklist: Worklist) -> bool:
    """Remove a write of a vector that was read from the same position, and a write that
    a later one overwrites."""
    assert isinstance(op, TransferWriteOp)
    access = _access(op)
    if access is None or not is_tensor(op.source.type):
        return False
    read = op.vector.owner
    # Elements that were read outside of the tensor are not written there either.
    if (
        isinstance(read, TransferReadOp)
        and read.source.type == op.source.type
        and read.permutation_map == op.permutation_map
        and _access(read) == access
        and (read.source is op.source or _is_all(access, op.source.type.get_shape()))
    ):
        worklist.replace(op, [read.source])
        return True
    return _drop_overwritten(op, access, worklist)


def _is_all(access: _Access, shape: Sequence[int]) -> bool:
    """Whether all elements of a tensor are accessed."""
    return access[1] == tuple(shape) and all(
        constant_integer(index) == 0 for index in access[0]
    )


def _drop_overwritten(op: TransferWriteOp, access: _Access, worklist: Worklist) -> bool:
    """Drop an earlier write to the same place that only `op` sees."""
    user: Operation = op
    source = op.source
    for _ in range(_MOST_STEPS):
        write = source.owner
        if not isinstance(write, TransferWriteOp) or not source.has_one_use():
            return False
        other = _access(write)
        if other is None:
            return False
        if _sizes_agree(access, other, op, write):
            operands = list(user.operands)
            operands[1] = write.source
            worklist.set_operands(user, operands)
            return True
        if not _are_apart(access, other):
            return False
        user, source = write, write.source
    return False
