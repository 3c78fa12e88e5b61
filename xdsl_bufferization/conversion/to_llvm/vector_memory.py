"""vector: loads and stores.

Contiguous rows are loaded and stored as a whole. An element that may be out of bounds
or masked, or is not adjacent to its neighbours, is accessed separately, after a branch
if necessary.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import cast

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    Float80Type,
    IntegerAttr,
    IntegerType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xdsl_bufferization.conversion.to_llvm import descriptors
from xdsl_bufferization.conversion.to_llvm.alignments import access_properties
from xdsl_bufferization.conversion.to_llvm.builder import NOT_ATOMIC, Index
from xdsl_bufferization.conversion.to_llvm.descriptors import MemRef
from xdsl_bufferization.conversion.to_llvm.lowering import (
    PASS,
    FunctionLowering,
    Lowering,
)
from xdsl_bufferization.conversion.to_llvm.types import byte_size, is_integer
from xdsl_bufferization.conversion.to_llvm.vector import (
    Elements,
    Place,
    build,
    places,
    shape_of,
)
from xdsl_bufferization.conversion.utils.diagnostics import refuse
from xdsl_bufferization.dialects.memory_layout import are_scalars_side_by_side
from xdsl_bufferization.dialects.shapes import is_memref


def _access(
    to: FunctionLowering, op: Operation, element: Attribute
) -> Mapping[str, Attribute]:
    """The properties of a load or store of a vector, which is aligned as its elements
    unless it says otherwise."""
    alignment = byte_size(element) or 1
    given = op.properties.get("alignment")
    if isinstance(given, IntegerAttr) and to.module.options.trust_alignments:
        alignment = given.value.data
    return {**NOT_ATOMIC, "alignment": IntegerAttr(alignment, i64)}


def _moved(
    to: FunctionLowering, indices: Sequence[Index], place: Sequence[int]
) -> list[Index]:
    """Indices moved in their last dimensions."""
    lead = len(indices) - len(place)
    return [
        *indices[:lead],
        *(to.add(index, at) for index, at in zip(indices[lead:], place, strict=True)),
    ]


def _is_element(buffer: MemRef, type_: Attribute, to: FunctionLowering) -> bool:
    """Whether the elements of a buffer are vectors of a type themselves."""
    return buffer.info.element == to.types(type_)


def _stored_as(element: Attribute) -> Attribute | None:
    """The type of the elements of a vector that lies in memory as elements of a buffer
    do, each in whole bytes: of a vector, LLVM stores i1 as bits, and f80 as ten bytes.
    None if there is none."""
    if not is_integer(element):
        return None if isinstance(element, Float80Type) else element
    width, size = element.width.data, byte_size(element)
    if size is None:
        return element if width & (width - 1) == 0 else None
    return element if width == 8 * size else IntegerType(8 * size)


def _load(op: Operation, to: FunctionLowering) -> None:
    buffer, result = to.memref(op.operands[0]), op.results[0]
    indices = [to.index(index) for index in op.operands[1:]]
    to.set(result, _load_rows(op, to, buffer, indices, result.type))


def _load_rows(
    op: Operation,
    to: FunctionLowering,
    buffer: MemRef,
    indices: Sequence[Index],
    type_: Attribute,
) -> SSAValue:
    if _is_element(buffer, type_, to):
        pointer = descriptors.element_pointer(to, buffer, indices)
        return to.load(pointer, buffer.info.element, access_properties(op.operands[0]))
    shape, stored = shape_of(type_), _stored_as(buffer.info.element)
    if stored is None or (buffer.strides and buffer.strides[-1] != 1):
        return build(
            to,
            type_,
            lambda place: to.load(
                descriptors.element_pointer(to, buffer, _moved(to, indices, place)),
                buffer.info.element,
            ),
        )
    row_type = VectorType(buffer.info.element, shape[-1:] or (1,))
    stored_type = VectorType(stored, shape[-1:] or (1,))
    properties = _access(to, op, buffer.info.element)

    def row(outer: Place) -> SSAValue:
        start = _moved(to, indices, (*outer, 0) if shape else ())
        pointer = descriptors.element_pointer(to, buffer, start)
        loaded = to.value(llvm.LoadOp, (pointer,), stored_type, properties)
        if stored_type == row_type:
            return loaded
        return to.value(llvm.TruncOp, (loaded,), row_type)

    if len(shape) <= 1:
        return row(())
    from xdsl_bufferization.dialects.llvm import PoisonOp

    result = to.value(PoisonOp, (), to.types(type_))
    for outer in places(shape[:-1]):
        result = to.insert(result, row(outer), *outer)
    return result


def _store(op: Operation, to: FunctionLowering) -> None:
    buffer = to.memref(op.operands[1])
    indices = [to.index(index) for index in op.operands[2:]]
    _store_rows(op, to, op.operands[0], buffer, indices)


def _store_rows(
    op: Operation,
    to: FunctionLowering,
    value: SSAValue,
    buffer: MemRef,
    indices: Sequence[Index],
) -> None:
    if _is_element(buffer, value.type, to):
        pointer = descriptors.element_pointer(to, buffer, indices)
        to.store(to.get(value), pointer, access_properties(op.operands[1]))
        return
    shape, stored = shape_of(value.type), _stored_as(buffer.info.element)
    if stored is None or (buffer.strides and buffer.strides[-1] != 1):
        elements = Elements(to, value)
        for place in places(shape):
            at = _moved(to, indices, place)
            to.store(elements[place], descriptors.element_pointer(to, buffer, at))
        return
    properties = _access(to, op, buffer.info.element)
    whole = to.get(value)
    for outer in places(shape[:-1]):
        row = to.extract(whole, *outer) if outer else whole
        if stored != buffer.info.element:
            row = to.value(llvm.ZExtOp, (row,), VectorType(stored, shape[-1:] or (1,)))
        start = _moved(to, indices, (*outer, 0) if shape else ())
        pointer = descriptors.element_pointer(to, buffer, start)
        to.emit(llvm.StoreOp, (row, pointer), (), properties)


# One element at a time


def _guarded(
    to: FunctionLowering,
    conditions: Sequence[SSAValue],
    otherwise: SSAValue | None,
    body: Callable[[], SSAValue | None],
) -> SSAValue | None:
    """Run `body` if all conditions hold; the value is that of `body` or `otherwise`."""
    if not conditions:
        return body()
    condition = conditions[0]
    for other in conditions[1:]:
        condition = to.binary(llvm.AndOp, condition, other)
    after = to.new_block(() if otherwise is None else (otherwise.type,))
    inside = to.new_block()
    missing = () if otherwise is None else (otherwise,)
    to.branch_if(condition, (inside, ()), (after, missing))
    to.block = inside
    value = body()
    to.branch(after, () if value is None else (value,))
    to.block = after
    return None if otherwise is None else after.args[0]


class _Transfer:
    """How a vector lies in a buffer: for each place the indices, and the conditions under
    which they are in bounds and not masked.
    """

    def __init__(
        self,
        op: vector.TransferReadOp | vector.TransferWriteOp,
        buffer: SSAValue,
        type_: Attribute,
        to: FunctionLowering,
        mask: SSAValue | None,
    ) -> None:
        self._to = to
        self.buffer = to.memref(buffer)
        self.indices = [to.index(index) for index in op.indices]
        self.map: AffineMap = cast(AffineMapAttr, op.properties["permutation_map"]).data
        mask = op.mask if mask is None else mask
        self.mask = None if mask is None else Elements(to, mask)
        bounds = op.properties.get("in_bounds")
        flags = cast("ArrayAttr[IntegerAttr[IntegerType]]", bounds or ArrayAttr(()))
        self.in_bounds = [bool(flag.value.data) for flag in flags]
        self.in_bounds += [False] * (len(self.map.results) - len(self.in_bounds))
        self.shape = shape_of(type_)

    @property
    def is_plain(self) -> bool:
        """Whether this is a load or a store of whole rows."""
        return self.mask is None and all(self.in_bounds) and self.map.is_minor_identity()

    def dims(self) -> list[int | None]:
        """The buffer's dimension of each of the vector; None where it is repeated."""
        return [
            expr.position if isinstance(expr, AffineDimExpr) else None
            for expr in self.map.results
        ]

    def pointer(self, place: Place) -> SSAValue:
        indices = list(self.indices)
        for dim, at in zip(self.dims(), place, strict=True):
            if dim is not None:
                indices[dim] = self._to.add(indices[dim], at)
        return descriptors.element_pointer(self._to, self.buffer, indices)

    def conditions(self, place: Place) -> list[SSAValue]:
        to, dims = self._to, self.dims()
        result: list[SSAValue] = []
        for dim, at, safe in zip(dims, place, self.in_bounds, strict=True):
            if dim is None or safe:
                continue
            index = to.number(to.add(self.indices[dim], at))
            size = to.number(self.buffer.sizes[dim])
            result.append(to.compare("slt", index, size))
        if self.mask is not None:
            by_dim = sorted(
                (dim, at) for dim, at in zip(dims, place, strict=True) if dim is not None
            )
            result.append(self.mask[tuple(at for _, at in by_dim)])
        return result


def transfer_read(
    op: Operation, to: FunctionLowering, mask: SSAValue | None = None
) -> None:
    assert isinstance(op, vector.TransferReadOp)
    result = op.results[0]
    transfer = _Transfer(op, op.operands[0], result.type, to, mask)
    if transfer.is_plain:
        rows = _load_rows(op, to, transfer.buffer, transfer.indices, result.type)
        to.set(result, rows)
        return
    padding = to.get(op.padding)
    _load_each(
        op,
        to,
        transfer.buffer,
        transfer.conditions,
        lambda place: padding,
        lambda place: lambda: transfer.pointer(place),
    )


def transfer_write(
    op: Operation, to: FunctionLowering, mask: SSAValue | None = None
) -> None:
    assert isinstance(op, vector.TransferWriteOp)
    value = op.operands[0]
    transfer = _Transfer(op, op.operands[1], value.type, to, mask)
    if transfer.is_plain:
        _store_rows(op, to, value, transfer.buffer, transfer.indices)
        return
    _store_each(
        to,
        Elements(to, value),
        transfer.shape,
        transfer.conditions,
        lambda place: lambda: transfer.pointer(place),
    )


def _load_each(
    op: Operation,
    to: FunctionLowering,
    buffer: MemRef,
    conditions: Callable[[Place], Sequence[SSAValue]],
    otherwise: Callable[[Place], SSAValue],
    pointer: Callable[[Place], Callable[[], SSAValue]],
    then: Callable[[Place], None] = lambda place: None,
) -> None:
    """Let the result have the elements of a buffer for which conditions hold.

    Args:
        pointer: returns what computes the address of an element, if it is accessed.
        then: what follows each access.
    """

    def element(place: Place) -> SSAValue:
        address = pointer(place)
        value = _guarded(
            to,
            conditions(place),
            otherwise(place),
            lambda: to.load(address(), buffer.info.element),
        )
        assert value is not None
        then(place)
        return value

    to.set(op.results[0], build(to, op.results[0].type, element))


def _store_each(
    to: FunctionLowering,
    elements: Elements,
    shape: Sequence[int],
    conditions: Callable[[Place], Sequence[SSAValue]],
    pointer: Callable[[Place], Callable[[], SSAValue]],
    then: Callable[[Place], None] = lambda place: None,
) -> None:
    """Store the elements for which conditions hold; the arguments are as above."""
    for place in places(shape):
        new, address = elements[place], pointer(place)

        def store(new: SSAValue = new, address: Callable[[], SSAValue] = address) -> None:
            to.store(new, address())

        _guarded(to, conditions(place), None, store)
        then(place)


def _masked_load(op: Operation, to: FunctionLowering, *, expands: bool = False) -> None:
    """Load the elements that the mask has.

    Args:
        expands: whether they are next to each other in memory.
    """
    base, *indices, mask, pass_through = op.operands
    buffer, flags = to.memref(base), Elements(to, mask)
    missing = Elements(to, pass_through)
    pointer, advance = _masked_places(to, buffer, indices, flags, expands)
    _load_each(
        op,
        to,
        buffer,
        lambda place: [flags[place]],
        lambda place: missing[place],
        pointer,
        advance,
    )


def _masked_store(
    op: Operation, to: FunctionLowering, *, compresses: bool = False
) -> None:
    """Store the elements that the mask has.

    Args:
        compresses: whether they come to be next to each other in memory.
    """
    base, *indices, mask, value = op.operands
    buffer, flags, elements = to.memref(base), Elements(to, mask), Elements(to, value)
    pointer, advance = _masked_places(to, buffer, indices, flags, compresses)
    _store_each(
        to, elements, elements.shape, lambda place: [flags[place]], pointer, advance
    )


def _masked_places(
    to: FunctionLowering,
    buffer: MemRef,
    indices: Sequence[SSAValue],
    flags: Elements,
    is_dense: bool,
) -> tuple[Callable[[Place], Callable[[], SSAValue]], Callable[[Place], None]]:
    """Return where elements are in memory, and what follows each access.

    Args:
        is_dense: whether only the elements that the mask has are in memory.
    """
    at = [to.index(index) for index in indices]

    def pointer(place: Place) -> Callable[[], SSAValue]:
        return lambda: descriptors.element_pointer(
            to, buffer, at if is_dense else _moved(to, at, place)
        )

    def advance(place: Place) -> None:
        if is_dense:
            at[-1] = _next_index(to, at[-1], flags[place])

    return pointer, advance


def gather(op: Operation, to: FunctionLowering, outer: SSAValue | None = None) -> None:
    """The op has a mask of its own, to which an outer one is added."""
    base, *offsets, positions, mask, pass_through = op.operands
    buffer, masks = to.memref(base), [Elements(to, mask)]
    if outer is not None:
        masks.append(Elements(to, outer))
    where, missing = Elements(to, positions), Elements(to, pass_through)
    at = [to.index(offset) for offset in offsets]

    def pointer(place: Place) -> Callable[[], SSAValue]:
        distance = where[place]
        return lambda: _far(to, buffer, at, distance)

    _load_each(
        op,
        to,
        buffer,
        lambda place: [flags[place] for flags in masks],
        lambda place: missing[place],
        pointer,
    )


def _next_index(to: FunctionLowering, index: Index, taken: SSAValue) -> Index:
    """Return the index, plus one if a flag is set."""
    return to.add(index, to.value(llvm.ZExtOp, (taken,), to.index_type))


def _scatter(op: Operation, to: FunctionLowering) -> None:
    base, *offsets, positions, mask, value = op.operands
    buffer, flags = to.memref(base), Elements(to, mask)
    where, elements = Elements(to, positions), Elements(to, value)
    at = [to.index(offset) for offset in offsets]
    for place in places(elements.shape):
        distance, new = where[place], elements[place]

        def store(distance: SSAValue = distance, new: SSAValue = new) -> None:
            to.store(new, _far(to, buffer, at, distance))

        _guarded(to, [flags[place]], None, store)


def _far(
    to: FunctionLowering, buffer: MemRef, at: Sequence[Index], distance: SSAValue
) -> SSAValue:
    """The address some elements after another."""
    width = cast(IntegerType, distance.type).width.data
    wanted = to.index_type.width.data
    if width != wanted:
        cast_op = llvm.SExtOp if width < wanted else llvm.TruncOp
        distance = to.value(cast_op, (distance,), to.index_type)
    start = descriptors.element_pointer(to, buffer, at)
    return to.gep(start, buffer.info.element, (distance,))


def _type_cast(op: Operation, to: FunctionLowering) -> None:
    old, new = op.operands[0].type, op.results[0].type
    assert is_memref(old) and is_memref(new)
    if are_scalars_side_by_side(old) != are_scalars_side_by_side(new):
        refuse(
            op,
            PASS,
            "LLVM stores such vectors in another layout than their elements one by one. "
            "Use vectors whose elements have whole bytes, and whose last size is a power "
            "of two",
        )
    source, info = to.memref(op.operands[0]), to.info(op.results[0])
    sizes = tuple(0 if size is None else size for size in info.sizes)
    strides = tuple(0 if stride is None else stride for stride in info.strides)
    to.set(
        op.results[0],
        MemRef(info, source.allocated, source.aligned, source.offset, sizes, strides),
    )


VECTOR_MEMORY_LOWERINGS: dict[str, Lowering] = {
    "vector.compressstore": partial(_masked_store, compresses=True),
    "vector.expandload": partial(_masked_load, expands=True),
    "vector.gather": gather,
    "vector.load": _load,
    "vector.maskedload": _masked_load,
    "vector.maskedstore": _masked_store,
    "vector.scatter": _scatter,
    "vector.store": _store,
    "vector.transfer_read": transfer_read,
    "vector.transfer_write": transfer_write,
    "vector.type_cast": _type_cast,
}
