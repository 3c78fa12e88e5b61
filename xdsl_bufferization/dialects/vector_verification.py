"""Checks of the shapes, positions and element types of ops of the vector dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    VectorType,
)
from xdsl.dialects.vector import BroadcastOp, CombiningKindFlag, ExtractOp, InsertOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from .shapes import is_vector, product

Vector: TypeAlias = VectorType[Attribute]

_POISON = -1
"""The position of an element that is poison."""

_OF_ALL_NUMBERS = (CombiningKindFlag.ADD, CombiningKindFlag.MUL)
_OF_FLOATS = (
    CombiningKindFlag.MINNUMF,
    CombiningKindFlag.MAXNUMF,
    CombiningKindFlag.MINIMUMF,
    CombiningKindFlag.MAXIMUMF,
)


def _fail(op: Operation, what: str) -> None:
    raise VerifyException(f"'{op.name}' {what}")


def _scalable(type: Vector) -> list[bool]:
    return [bool(flag.value.data) for flag in type.scalable_dims]


def _expect_vector(op: Operation, type: Vector, shape: Sequence[int]) -> None:
    """Check the shape of a result whose elements are those of the first operand."""
    source = cast(Vector, op.operands[0].type)
    if tuple(type.get_shape()) != tuple(shape):
        sizes = "x".join(str(size) for size in shape)
        _fail(op, f"expects a result of shape {sizes}, got {type}")
    if type.element_type != source.element_type:
        _fail(op, f"expects elements of type {source.element_type}, got {type}")


def verify_shape_cast(op: Operation) -> None:
    """As many elements of the same type, and as many scalable dimensions."""
    source, result = cast(Vector, op.operands[0].type), cast(Vector, op.results[0].type)
    if source.element_type != result.element_type:
        _fail(op, f"has different element types: {source} and {result}")
    if product(source.get_shape()) != product(result.get_shape()):
        _fail(op, f"has a different number of elements: {source} and {result}")
    if sum(_scalable(source)) != sum(_scalable(result)):
        _fail(op, f"has different scalable dimensions: {source} and {result}")


def verify_type_cast(
    op: Operation, source: MemRefType[Attribute], result: MemRefType[Attribute]
) -> None:
    """The same elements in the same order, one after the other."""
    if DYNAMIC_INDEX in source.get_shape():
        _fail(op, f"expects static sizes, got {source}")
    for type in (source, result):
        strides = type.get_strides()
        sizes = type.get_shape()
        expected = [product(sizes[dim + 1 :]) for dim in range(len(sizes))]
        if strides is None or type.get_offset() != 0 or [*strides] != expected:
            _fail(op, f"expects buffers of identity layout, got {type}")
    if source.memory_space != result.memory_space:
        _fail(op, f"expects a result in the same memory space, got {result}")
    (old, old_sizes), (new, new_sizes) = map(_elements, (source, result))
    if old != new:
        _fail(op, f"expects elements of one scalar type: {source} and {result}")
    if old_sizes != new_sizes:
        _fail(op, f"expects the same sizes in the same order: {source} and {result}")


def _elements(type: MemRefType[Attribute]) -> tuple[Attribute, Sequence[int]]:
    """The scalars of a buffer, those of its vectors included, and its sizes."""
    element = type.element_type
    if is_vector(element):
        return element.element_type, (*type.get_shape(), *element.get_shape())
    return element, type.get_shape()


def _dims(type: Vector) -> list[tuple[int, bool]]:
    """The size of each dimension, and whether it is scalable."""
    return list(zip(type.get_shape(), _scalable(type), strict=True))


def verify_broadcast(op: BroadcastOp) -> None:
    """The last dimensions of a vector that is repeated are those of the result, or 1."""
    source, result = op.source.type, op.vector.type
    if not is_vector(source):
        return
    old, new = _dims(source), _dims(result)
    if len(old) > len(new):
        _fail(op, f"source rank higher than destination rank: {source} to {result}")
    for each, wanted in zip(old, new[len(new) - len(old) :], strict=True):
        if each not in (wanted, (1, False)):
            _fail(op, f"dimension mismatch: {source} to {result}")


def _verify_position(op: Operation, position: Sequence[int], vector: Vector) -> None:
    """Constant positions are inside of the vector, or poison."""
    for at, size in zip(position, vector.get_shape(), strict=False):
        if at not in (DYNAMIC_INDEX, _POISON) and not 0 <= at < size:
            _fail(
                op,
                "expected positions to be non-negative integers smaller than the "
                f"corresponding dimensions of {vector}, got {at}",
            )


def _verify_last_dims(op: Operation, vector: Vector, count: int, part: Attribute) -> None:
    """What `count` positions lead to has the last dimensions of the vector.

    The ops themselves verify that it has as many dimensions.
    """
    if is_vector(part):
        last = _dims(vector)[count:]
        if len(last) == part.get_num_dims() and _dims(part) != last:
            _fail(op, f"expects a part of {vector} with its last dimensions, got {part}")


def verify_extract(op: ExtractOp) -> None:
    vector, position = cast(Vector, op.vector.type), op.static_position.get_values()
    _verify_position(op, position, vector)
    _verify_last_dims(op, vector, len(position), op.result.type)


def verify_insert(op: InsertOp) -> None:
    vector, position = cast(Vector, op.dest.type), op.static_position.get_values()
    _verify_position(op, position, vector)
    _verify_last_dims(op, vector, len(position), op.source.type)


def verify_transpose(op: Operation, permutation: Sequence[int]) -> None:
    shape = cast(Vector, op.operands[0].type).get_shape()
    if sorted(permutation) != list(range(len(shape))):
        _fail(op, f"expects a permutation of {len(shape)} dimensions, got {permutation}")
    _expect_vector(op, cast(Vector, op.results[0].type), [shape[d] for d in permutation])


def verify_kind(op: Operation, kind: CombiningKindFlag, vector: SSAValue) -> None:
    """Elements of a vector can be combined in this way."""
    element = cast(Vector, vector.type).element_type
    if kind in _OF_ALL_NUMBERS:
        fits = isinstance(element, AnyFloat | IntegerType | IndexType)
    elif kind in _OF_FLOATS:
        fits = isinstance(element, AnyFloat)
    else:
        fits = isinstance(element, IntegerType | IndexType)
    if not fits:
        _fail(op, f"unsupported reduction type {element} for kind {kind}")


def verify_multi_reduction(
    op: Operation, dims: Sequence[int], reduced: SSAValue, dest: Attribute
) -> None:
    source = cast(Vector, reduced.type)
    shape = source.get_shape()
    if len(set(dims)) < len(dims) or not all(0 <= dim < len(shape) for dim in dims):
        _fail(op, f"expects different dimensions of {source}, got {dims}")
    kept = [size for dim, size in enumerate(shape) if dim not in dims]
    if kept:
        fits = (
            is_vector(dest)
            and list(dest.get_shape()) == kept
            and dest.element_type == source.element_type
        )
    else:
        fits = dest == source.element_type
    if not fits:
        _fail(
            op,
            f"destination type {dest} is incompatible with source type {source} "
            f"reduced over {dims}",
        )


def verify_element_count(op: Operation, count: int, vector: Vector) -> None:
    if count != product(vector.get_shape()):
        _fail(op, f"expects as many operands as {vector} has elements, got {count}")


def _numbers(numbers: ArrayAttr[Attribute]) -> list[int]:
    return [cast("IntegerAttr[Any]", number).value.data for number in numbers]


def _verify_part(
    op: Operation,
    whole: Sequence[int],
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: ArrayAttr[Attribute],
) -> None:
    if any(stride != 1 for stride in _numbers(strides)):
        _fail(op, "expected strides to be 1")
    for size, offset, part in zip(whole, offsets, sizes, strict=True):
        if not (0 <= offset < size and 1 <= part <= size - offset):
            _fail(op, f"has {part} elements from {offset} on in a dimension of {size}")


def verify_extract_strided_slice(
    op: Operation,
    offsets: ArrayAttr[Attribute],
    sizes: ArrayAttr[Attribute],
    strides: ArrayAttr[Attribute],
) -> None:
    shape = cast(Vector, op.operands[0].type).get_shape()
    first, counts = _numbers(offsets), _numbers(sizes)
    if not len(first) == len(counts) == len(strides) <= len(shape):
        _fail(op, "expected offsets, sizes and strides of the leading dimensions")
    leading, rest = shape[: len(first)], shape[len(first) :]
    _verify_part(op, leading, first, counts, strides)
    _expect_vector(op, cast(Vector, op.results[0].type), [*counts, *rest])


def verify_insert_strided_slice(
    op: Operation, offsets: ArrayAttr[Attribute], strides: ArrayAttr[Attribute]
) -> None:
    source, dest = (cast(Vector, operand.type) for operand in op.operands)
    part, whole = source.get_shape(), dest.get_shape()
    if len(offsets) != len(whole) or len(strides) != len(part):
        _fail(op, "expected offsets of the destination and strides of the source")
    if len(part) > len(whole):
        _fail(op, f"expected a source of no higher rank than {dest}, got {source}")
    if source.element_type != dest.element_type:
        _fail(op, f"expected elements of type {dest.element_type}, got {source}")
    leading = len(whole) - len(part)
    sizes = [*([1] * leading), *part]
    _verify_part(op, whole, _numbers(offsets), sizes, strides)


def verify_constant_mask(op: Operation, sizes: Sequence[int], result: Vector) -> None:
    if result.element_type != IntegerType(1):
        _fail(op, f"result must be a vector of 1-bit integers, got {result}")
    shape = result.get_shape() or (1,)
    if len(sizes) != len(shape):
        _fail(op, f"expects a size for each dimension of {result}, got {sizes}")
    for size, most in zip(sizes, shape, strict=True):
        if not 0 <= size <= most:
            _fail(op, f"size {size} is out of bounds of {result}")


def verify_step(op: Operation, result: Vector) -> None:
    if len(result.get_shape()) != 1 or not isinstance(result.element_type, IndexType):
        _fail(op, f"result must be a vector of index values of rank 1, got {result}")


def verify_interleaved(op: Operation, parts: SSAValue, both: SSAValue) -> None:
    """The last dimension of one vector is twice that of the other."""
    half, whole = cast(Vector, parts.type), cast(Vector, both.type)
    shape = half.get_shape() or (1,)
    if (
        tuple(whole.get_shape()) != (*shape[:-1], 2 * shape[-1])
        or whole.element_type != half.element_type
    ):
        _fail(op, f"expects twice the elements of {half} in {whole}")
