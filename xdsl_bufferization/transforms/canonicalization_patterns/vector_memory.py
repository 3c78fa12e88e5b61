"""Loads and stores of vectors with known masks or known indices.

Elements that a mask excludes are neither read nor written. An access with a mask of all
elements becomes an unmasked contiguous access, and one at indices 0, 1, 2 ... a masked
contiguous access.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.dialects.memref import strides_and_offset_of
from xdsl_bufferization.dialects.shapes import is_memref, is_vector
from xdsl_bufferization.dialects.vector import (
    CompressStoreOp,
    ExpandLoadOp,
    GatherOp,
    LoadOp,
    MaskedLoadOp,
    MaskedStoreOp,
    ScatterOp,
    StepOp,
    StoreOp,
)
from xdsl_bufferization.transforms.canonicalization_patterns.elements import (
    constant_elements,
)
from xdsl_bufferization.transforms.canonicalization_patterns.vector_masks import (
    mask_value,
)
from xdsl_bufferization.transforms.canonicalization_patterns.vector_views import shape_of
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist

_Load: TypeAlias = MaskedLoadOp | ExpandLoadOp
_Store: TypeAlias = MaskedStoreOp | CompressStoreOp


def know_loaded(op: Operation, worklist: Worklist) -> bool:
    """A load under a mask of all elements, or of none."""
    assert isinstance(op, _Load)
    is_all = mask_value(op.mask)
    if is_all is False:
        worklist.replace(op, [op.pass_thru])
        return True
    if is_all is None or not _has_neighbours(op.base):
        return False
    new = _access(LoadOp, op, [op.base, *op.indices])
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def know_stored(op: Operation, worklist: Worklist) -> bool:
    """A store under a mask of all elements, or of none."""
    assert isinstance(op, _Store)
    is_all = mask_value(op.mask)
    if is_all is None or (is_all and not _has_neighbours(op.base)):
        return False
    if is_all:
        operands = [op.value_to_store, op.base, *op.indices]
        worklist.insert_before(op, _access(StoreOp, op, operands))
    worklist.erase(op)
    return True


def gather_neighbours(op: Operation, worklist: Worklist) -> bool:
    """A gather that gathers nothing, or neighbouring elements of a buffer."""
    assert isinstance(op, GatherOp)
    if mask_value(op.mask) is False:
        worklist.replace(op, [op.pass_thru])
        return True
    if not _counts_up(op.indices) or not _has_neighbours(op.base):
        return False
    new = _access(MaskedLoadOp, op, [op.base, *op.offsets, op.mask, op.pass_thru])
    worklist.insert_before(op, new)
    worklist.replace(op, new.results)
    return True


def scatter_neighbours(op: Operation, worklist: Worklist) -> bool:
    """A scatter that stores nothing, or to neighbouring elements of a buffer."""
    assert isinstance(op, ScatterOp)
    if mask_value(op.mask) is False:
        worklist.replace(op, [op.base] if op.results else [])
        return True
    if not _counts_up(op.indices) or not _has_neighbours(op.base):
        return False
    operands = [op.base, *op.offsets, op.mask, op.value_to_store]
    worklist.insert_before(op, _access(MaskedStoreOp, op, operands))
    worklist.erase(op)
    return True


def _access(
    op_class: type[Operation], op: Operation, operands: Sequence[SSAValue]
) -> Operation:
    """A new access with the alignment and the results of another one."""
    kept = {"alignment"} & op.properties.keys()
    return op_class.create(
        operands=operands,
        result_types=op.result_types,
        properties={name: op.properties[name] for name in kept},
    )


def _has_neighbours(base: SSAValue) -> bool:
    """Whether `base` is a buffer of scalars that are next to each other in the last
    dimension, in which vectors are loaded and stored."""
    if not is_memref(base.type) or is_vector(base.type.element_type):
        return False
    if not base.type.get_num_dims():
        return False
    layout = strides_and_offset_of(base.type)
    return layout is not None and layout[0][-1] == 1


def _counts_up(indices: SSAValue) -> bool:
    """Whether a vector of one dimension holds 0, 1, 2 ..."""
    if isinstance(indices.owner, StepOp):
        return True
    shape = shape_of(indices.type)
    if shape is None or len(shape) != 1:
        return False
    elements = constant_elements(indices)
    return elements == tuple(range(shape[0]))
