"""vector: values. Vectors become LLVM vectors, or arrays of them for several
dimensions.

Ops use LLVM's instructions on complete vectors where they exist (fma, reductions,
shuffles, and all of arith); other ops are expanded element by element, which LLVM's
optimiser turns into shuffles.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, cast

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.conversion.to_llvm.arith import fast_math, one_to_one
from xdsl_bufferization.conversion.to_llvm.lowering import FunctionLowering, Lowering
from xdsl_bufferization.conversion.to_llvm.types import is_vector
from xdsl_bufferization.dialects import llvm as llvm_ops

Place: TypeAlias = tuple[int, ...]
"""Where an element is in a vector."""


def shape_of(type_: Attribute) -> tuple[int, ...]:
    """A vector type's shape; that of a scalar is empty, as that of a 0-D vector."""
    return type_.get_shape() if is_vector(type_) else ()


def places(shape: Sequence[int]) -> Iterator[Place]:
    """All places in row-major order."""
    return itertools.product(*map(range, shape))


class Elements:
    """A value's elements, taken out when asked for; a scalar has one."""

    def __init__(self, to: FunctionLowering, value: SSAValue) -> None:
        self._to = to
        self._is_vector = is_vector(value.type)
        self._rows: dict[Place, SSAValue] = {(): to.get(value)}
        self.shape = shape_of(value.type)

    def __getitem__(self, place: Place) -> SSAValue:
        if not self._is_vector:
            return self._rows[()]
        row = self._row(place[:-1])
        position = self._to.integer(place[-1] if place else 0)
        element = cast("VectorType[Attribute]", row.type).element_type
        return self._to.value(llvm_ops.ExtractElementOp, (row, position), element)

    def _row(self, place: Place) -> SSAValue:
        row = self._rows.get(place)
        if row is None:
            row = self._to.extract(self._rows[()], *place)
            self._rows[place] = row
        return row


def build(
    to: FunctionLowering, type_: Attribute, make: Callable[[Place], SSAValue]
) -> SSAValue:
    """A value of a type of the input, scalar or vector, from its elements."""
    if not is_vector(type_):
        return make(())
    shape = type_.get_shape()
    row_type = VectorType(to.types(type_.element_type), shape[-1:] or (1,))
    if len(shape) <= 1:
        return _row(to, row_type, (), make, has_position=bool(shape))
    result = to.value(llvm_ops.PoisonOp, (), to.types(type_))
    for outer in places(shape[:-1]):
        row = _row(to, row_type, outer, make, has_position=True)
        result = to.insert(result, row, *outer)
    return result


def _row(
    to: FunctionLowering,
    type_: VectorType[Attribute],
    outer: Place,
    make: Callable[[Place], SSAValue],
    *,
    has_position: bool,
) -> SSAValue:
    row = to.value(llvm_ops.PoisonOp, (), type_)
    for position in range(type_.get_shape()[0]):
        element = make((*outer, position) if has_position else outer)
        operands = (row, element, to.integer(position))
        row = to.value(llvm.InsertElementOp, operands, type_)
    return row


Choose: TypeAlias = "Callable[[Operation, Place], Place]"


def _rearranged(choose: Choose) -> Lowering:
    """The lowering of an op that only moves its operand's elements."""

    def lower(op: Operation, to: FunctionLowering) -> None:
        source, result = Elements(to, op.operands[0]), op.results[0]
        to.set(result, build(to, result.type, lambda p: source[choose(op, p)]))

    return lower


def numbers(op: Operation, name: str) -> list[int]:
    """A property that is a list of integers, dense or an array of attributes."""
    value = op.properties[name]
    if isinstance(value, DenseArrayBase):
        return [int(n) for n in cast("DenseArrayBase[IntegerType]", value).iter_values()]
    array = cast("ArrayAttr[IntegerAttr[IntegerType]]", value)
    return [item.value.data for item in array]


# Places


def _broadcast(op: Operation, place: Place) -> Place:
    shape = shape_of(op.operands[0].type)
    inner = place[len(place) - len(shape) :]
    return tuple(0 if size == 1 else at for size, at in zip(shape, inner, strict=True))


def _transpose(op: Operation, place: Place) -> Place:
    order = numbers(op, "permutation")
    source = [0] * len(order)
    for at, dim in zip(place, order, strict=True):
        source[dim] = at
    return tuple(source)


def _shape_cast(op: Operation, place: Place) -> Place:
    flat = 0
    for at, size in zip(place, shape_of(op.results[0].type), strict=True):
        flat = flat * size + at
    result: list[int] = []
    for size in reversed(shape_of(op.operands[0].type)):
        flat, at = divmod(flat, size)
        result.append(at)
    return tuple(reversed(result))


def _extract_slice(op: Operation, place: Place) -> Place:
    offsets, strides = numbers(op, "offsets"), numbers(op, "strides")
    start = [
        offsets[dim] + at * strides[dim] for dim, at in enumerate(place[: len(offsets)])
    ]
    return (*start, *place[len(offsets) :])


def _insert_slice(op: Operation, to: FunctionLowering) -> None:
    source, target = Elements(to, op.operands[0]), Elements(to, op.operands[1])
    offsets, strides = numbers(op, "offsets"), numbers(op, "strides")
    lead = len(offsets) - len(source.shape)
    steps = [1] * lead + strides
    inside: dict[Place, Place] = {}
    for place in places(source.shape):
        full = (0,) * lead + place
        at = tuple(o + s * p for o, s, p in zip(offsets, steps, full, strict=True))
        inside[at] = place

    def element(place: Place) -> SSAValue:
        return source[inside[place]] if place in inside else target[place]

    to.set(op.results[0], build(to, op.results[0].type, element))


def _interleave(op: Operation, to: FunctionLowering) -> None:
    both = Elements(to, op.operands[0]), Elements(to, op.operands[1])

    def element(place: Place) -> SSAValue:
        half, which = divmod(place[-1], 2)
        return both[which][(*place[:-1], half)]

    to.set(op.results[0], build(to, op.results[0].type, element))


def _deinterleave(op: Operation, to: FunctionLowering) -> None:
    source = Elements(to, op.operands[0])
    for which, result in enumerate(op.results):
        to.set(
            result,
            build(
                to,
                result.type,
                lambda p, w=which: source[(*p[:-1], 2 * p[-1] + w)],
            ),
        )


def _shuffle(op: Operation, to: FunctionLowering) -> None:
    first, second = Elements(to, op.operands[0]), Elements(to, op.operands[1])
    mask, result = numbers(op, "mask"), op.results[0]
    size = first.shape[0] if first.shape else 1

    def element(place: Place) -> SSAValue:
        at = mask[place[0]]
        if at < 0:
            element_type = cast("VectorType[Attribute]", result.type).element_type
            return to.value(llvm_ops.PoisonOp, (), to.types(element_type))
        source, at = (first, at) if at < size else (second, at - size)
        return source[(at, *place[1:]) if source.shape else ()]

    to.set(result, build(to, result.type, element))


# Elements


def _from_elements(op: Operation, to: FunctionLowering) -> None:
    values = iter([to.get(value) for value in op.operands])
    to.set(op.results[0], build(to, op.results[0].type, lambda place: next(values)))


def _to_elements(op: Operation, to: FunctionLowering) -> None:
    source = Elements(to, op.operands[0])
    for place, result in zip(places(source.shape), op.results, strict=True):
        to.set(result, source[place])


def _step(op: Operation, to: FunctionLowering) -> None:
    type_ = op.results[0].type
    to.set(op.results[0], build(to, type_, lambda place: to.integer(place[0])))


def _positions(op: Operation, dynamic: Sequence[SSAValue]) -> list[int | SSAValue]:
    rest = iter(dynamic)
    return [
        next(rest) if number == DYNAMIC_INDEX else number
        for number in numbers(op, "static_position")
    ]


def _extract(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, vector.ExtractOp)
    _extract_at(op, to, _positions(op, op.dynamic_position))


def _extract_at(
    op: Operation, to: FunctionLowering, position: Sequence[int | SSAValue]
) -> None:
    result = op.results[0]
    if all(isinstance(at, int) for at in position):
        source, lead = Elements(to, op.operands[0]), cast(Place, tuple(position))
        to.set(result, build(to, result.type, lambda place: source[(*lead, *place)]))
        return
    _, part, pointer, inner = _on_stack(to, op.operands[0], position)
    value = to.load(pointer, part)
    if inner is not None:
        element = cast("VectorType[Attribute]", part).element_type
        value = to.value(llvm_ops.ExtractElementOp, (value, inner), element)
    to.set(result, value)


def _insert(op: Operation, to: FunctionLowering) -> None:
    assert isinstance(op, vector.InsertOp)
    position = _positions(op, op.dynamic_position)
    result = op.results[0]
    if all(isinstance(at, int) for at in position):
        source, target = Elements(to, op.operands[0]), Elements(to, op.operands[1])
        lead = cast(Place, tuple(position))

        def element(place: Place) -> SSAValue:
            inside = place[: len(lead)] == lead
            return source[place[len(lead) :]] if inside else target[place]

        to.set(result, build(to, result.type, element))
        return
    slot, part, pointer, inner = _on_stack(to, op.operands[1], position)
    value = to.get(op.operands[0])
    if inner is not None:
        row = to.load(pointer, part)
        value = to.value(llvm.InsertElementOp, (row, value, inner), part)
    to.store(value, pointer)
    to.set(result, to.load(slot, to.types(result.type)))


def _on_stack(
    to: FunctionLowering, value: SSAValue, position: Sequence[int | SSAValue]
) -> tuple[SSAValue, Attribute, SSAValue, SSAValue | None]:
    """Store a vector, for access at a position that is not known. Return its address,
    the type and the address of the part at the position; for a single element those of
    its row, and the place in it.
    """
    part = to.types(value.type)
    slot = to.alloca(part)
    to.store(to.get(value), slot)
    indices = [at if isinstance(at, int) else to.index(at) for at in position]
    inner = None
    if len(indices) == len(shape_of(value.type)):
        inner = to.number(indices.pop())
    whole = part
    for _ in indices:
        part = cast(llvm.LLVMArrayType, part).type
    return slot, part, to.gep(slot, whole, (0, *indices), inbounds=True), inner


def _create_mask(op: Operation, to: FunctionLowering) -> None:
    sizes = [to.number(to.index(size)) for size in op.operands]
    true = to.integer(1, IntegerType(1))

    def element(place: Place) -> SSAValue:
        result = true
        for at, size in zip(place, sizes, strict=True):
            inside = to.compare("slt", to.integer(at), size)
            result = to.binary(llvm.AndOp, result, inside)
        return result

    to.set(op.results[0], build(to, op.results[0].type, element))


def _constant_mask(op: Operation, to: FunctionLowering) -> None:
    sizes = numbers(op, "mask_dim_sizes")

    def element(place: Place) -> SSAValue:
        inside = all(at < size for at, size in zip(place, sizes, strict=False))
        return to.integer(int(inside if place else bool(sizes[0])), IntegerType(1))

    to.set(op.results[0], build(to, op.results[0].type, element))


VECTOR_LOWERINGS: dict[str, Lowering] = {
    "vector.bitcast": one_to_one(llvm.BitcastOp),
    "vector.broadcast": _rearranged(_broadcast),
    "vector.constant_mask": _constant_mask,
    "vector.create_mask": _create_mask,
    "vector.deinterleave": _deinterleave,
    "vector.extract": _extract,
    "vector.extract_strided_slice": _rearranged(_extract_slice),
    "vector.fma": one_to_one(llvm.FMAOp, fast_math),
    "vector.from_elements": _from_elements,
    "vector.insert": _insert,
    "vector.insert_strided_slice": _insert_slice,
    "vector.interleave": _interleave,
    "vector.shape_cast": _rearranged(_shape_cast),
    "vector.shuffle": _shuffle,
    "vector.splat": _rearranged(_broadcast),
    "vector.step": _step,
    "vector.to_elements": _to_elements,
    "vector.transpose": _rearranged(_transpose),
}
