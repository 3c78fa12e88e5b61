"""Checks of shapes that the tensor and memref dialects share.

A dimension is an int, DYNAMIC_INDEX for one known only at run time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from typing_extensions import TypeIs
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    ComplexType,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

IntArray: TypeAlias = DenseArrayBase[IntegerType]
"""A dense array of integers."""

ShapedType: TypeAlias = (
    TensorType[Attribute]
    | UnrankedTensorType[Attribute]
    | MemRefType[Attribute]
    | UnrankedMemRefType[Attribute]
)


def is_memref(type: object) -> TypeIs[MemRefType[Attribute]]:
    return isinstance(type, MemRefType)


def is_tensor(type: object) -> TypeIs[TensorType[Attribute]]:
    return isinstance(type, TensorType)


def has_no_elements(type: object) -> bool:
    """Whether a tensor or memref of this type has no elements, as a size is 0."""
    return (is_tensor(type) or is_memref(type)) and 0 in type.get_shape()


def is_vector(type: object) -> TypeIs[VectorType[Attribute]]:
    return isinstance(type, VectorType)


def is_integer(type: object) -> TypeIs[IntegerType]:
    return isinstance(type, IntegerType)


def is_complex(type: object) -> TypeIs[ComplexType]:
    return isinstance(type, ComplexType)


def is_array(attribute: object) -> TypeIs[ArrayAttr[Attribute]]:
    return isinstance(attribute, ArrayAttr)


def dimensions(type: Attribute) -> list[tuple[int, bool]]:
    """Return the sizes of a vector, and which are scalable; none of a scalar."""
    if not is_vector(type):
        return []
    flags = [bool(flag.value.data) for flag in type.scalable_dims]
    return list(zip(type.get_shape(), flags, strict=True))


def is_shaped(type: object) -> TypeIs[ShapedType]:
    return isinstance(
        type, TensorType | UnrankedTensorType | MemRefType | UnrankedMemRefType
    )


def shape_of(type: Attribute) -> tuple[int, ...] | None:
    """The shape of a ranked tensor or memref; None of an unranked one."""
    if is_tensor(type) or is_memref(type):
        return type.get_shape()
    return None


def same_dimensions(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two shapes may be the same at run time."""
    return len(a) == len(b) and all(
        x == y or DYNAMIC_INDEX in (x, y) for x, y in zip(a, b, strict=True)
    )


def compatible_shapes(a: Attribute, b: Attribute) -> bool:
    """Whether the shapes of two types may be the same at run time."""
    shape_a, shape_b = shape_of(a), shape_of(b)
    return shape_a is None or shape_b is None or same_dimensions(shape_a, shape_b)


def element_type_of(type: Attribute) -> Attribute:
    assert is_shaped(type)
    return type.element_type


def verify_dynamic_sizes(op: Operation, type: Attribute, count: int) -> None:
    """Check that there is one size operand for each dynamic dimension of the type."""
    dynamic = (shape_of(type) or ()).count(DYNAMIC_INDEX)
    if dynamic != count:
        raise VerifyException(
            f"'{op.name}' has {count} dynamic sizes, but its type {type} has {dynamic} "
            "dynamic dimensions"
        )


def verify_indices(op: Operation, type: Attribute, count: int) -> None:
    """Check that there is one index for each dimension of an accessed type."""
    rank = len(shape_of(type) or ())
    if rank != count:
        raise VerifyException(
            f"'{op.name}' has an incorrect number of indices: expected {rank} for "
            f"{type}, got {count}"
        )


def verify_mixed_list(
    op: Operation, name: str, operands: Sequence[SSAValue], static: IntArray
) -> None:
    """Check that a list has an operand for each place that is not a static integer."""
    dynamic = static.get_values().count(DYNAMIC_INDEX)
    if dynamic != len(operands):
        raise VerifyException(
            f"'{op.name}' expects {dynamic} dynamic {name} values, got {len(operands)}"
        )


def verify_slice(
    op: Operation,
    full: Sequence[int],
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
) -> None:
    """Check one offset, size and stride a dimension, and that what is known of a slice
    lies within the shape it is a slice of."""
    rank = len(full)
    for name, values in (("offset", offsets), ("size", sizes), ("stride", strides)):
        if len(values) != rank:
            raise VerifyException(
                f"'{op.name}' expected {rank} {name} values, got {len(values)}"
            )
    for size in sizes:
        if size < 0 and size != DYNAMIC_INDEX:
            raise VerifyException(
                f"'{op.name}' expected sizes to be non-negative, but got {size}"
            )
    for i, (dim, offset, size, stride) in enumerate(
        zip(full, offsets, sizes, strides, strict=True)
    ):
        if dim == DYNAMIC_INDEX or offset == DYNAMIC_INDEX:
            continue
        if not offset >= 0 and offset != DYNAMIC_INDEX:
            raise VerifyException(
                f"'{op.name}' expected offsets to be non-negative, but got {offset}"
            )
        if size == DYNAMIC_INDEX or size == 0:
            continue
        if offset >= dim:
            raise VerifyException(
                f"'{op.name}' offset {i} is out-of-bounds: {offset} >= {dim}"
            )
        if stride == DYNAMIC_INDEX:
            continue
        last = offset + (size - 1) * stride
        if not 0 <= last < dim:
            raise VerifyException(
                f"'{op.name}' slice along dimension {i} runs out-of-bounds: "
                f"{last} >= {dim}"
            )


def dropped_dimensions(
    sizes: Sequence[int], reduced: Sequence[int]
) -> frozenset[int] | None:
    """Which unit dimensions of `sizes` to drop to get `reduced`; None if that cannot be.

    Where several choices fit, the first dimensions are kept, as MLIR does.
    """
    dropped: set[int] = set()
    position = 0
    for i, size in enumerate(sizes):
        if position < len(reduced) and size == reduced[position]:
            position += 1
        elif size == 1:
            dropped.add(i)
        else:
            return None
    return frozenset(dropped) if position == len(reduced) else None


def reassociation_groups(reassociation: Attribute) -> list[list[int]]:
    """The dimension groups of expand_shape and collapse_shape."""
    if not is_array(reassociation):
        raise VerifyException(f"expected a list of index lists, got {reassociation}")
    groups: list[list[int]] = []
    for group in reassociation:
        indices = list(group) if is_array(group) else [None]
        numbers = [i.value.data for i in indices if isinstance(i, IntegerAttr)]
        if len(numbers) != len(indices):
            raise VerifyException(f"expected a list of index lists, got {reassociation}")
        groups.append(numbers)
    return groups


def verify_reassociation(
    op: Operation,
    collapsed: Sequence[int],
    expanded: Sequence[int],
    reassociation: Attribute,
) -> None:
    """Check that each dimension of the collapsed shape is the product of its group of
    dimensions of the expanded shape."""
    groups = reassociation_groups(reassociation)
    if len(groups) != len(collapsed):
        raise VerifyException(
            f"'{op.name}' expected rank of the collapsed type ({len(collapsed)}) to be "
            f"the number of reassociation maps ({len(groups)})"
        )
    if [i for group in groups for i in group] != list(range(len(expanded))) and groups:
        raise VerifyException(
            f"'{op.name}' expected reassociation maps to be contiguous and to cover the "
            f"{len(expanded)} dimensions of the expanded type"
        )
    if not groups and any(dim != 1 for dim in expanded):
        raise VerifyException(
            f"'{op.name}' expected a rank-0 type to expand to dimensions of size 1"
        )
    for i, (dim, group) in enumerate(zip(collapsed, groups, strict=True)):
        dims = [expanded[j] for j in group]
        if DYNAMIC_INDEX in dims:
            if dim != DYNAMIC_INDEX:
                raise VerifyException(
                    f"'{op.name}' expected dimension {i} of collapsed type to be dynamic "
                    "since one or more of the corresponding dimensions in the expanded "
                    "type is dynamic"
                )
        elif dim != product(dims):
            shown = "dynamic" if dim == DYNAMIC_INDEX else str(dim)
            raise VerifyException(
                f"'{op.name}' expected dimension {i} of collapsed type to be static "
                f"value of {product(dims)}, got {shown}"
            )


def product(values: Iterable[int]) -> int:
    result = 1
    for value in values:
        result *= value
    return result
