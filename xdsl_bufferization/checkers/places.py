"""Places: the views of an arena at constant offsets that memory plans create."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IndexType,
    UnrealizedConversionCastOp,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.analysis.facts.forwarded_values import ForwardedValues
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.dialects.shapes import is_complex, is_memref, is_vector
from xdsl_bufferization.interfaces.buffer_view_flow import BUFFER_VIEW_FLOW
from xdsl_bufferization.interfaces.call import CALL
from xdsl_bufferization.interfaces.view_like import get_renamed
from xdsl_bufferization.locations import position_of


class Place(NamedTuple):
    """A view of the bytes of an arena from `start` to before `end`."""

    op: memref.ViewOp
    start: int
    end: int

    @property
    def value(self) -> SSAValue:
        return self.op.results[0]

    @property
    def arena(self) -> SSAValue:
        return arena_of(self.op)

    def __str__(self) -> str:
        return (
            f"{name_of(self.value)}, {self.end - self.start} bytes at offset "
            f"{self.start} of {name_of(self.arena)}{where(self.op)}"
        )


def arena_of(op: memref.ViewOp) -> SSAValue:
    """Return the buffer that a view is in, whatever type it has been cast to."""
    return start_of(op.operands[0])


def start_of(value: SSAValue) -> SSAValue:
    """Return the buffer that a buffer of bytes starts in, through all views but
    memref.view. The source of a memref.view has no offset, so that a part of an arena
    that is cast to it starts where the arena does."""
    while isinstance(value.owner, Operation) and not isinstance(
        value.owner, memref.ViewOp
    ):
        source = renamed_by(value.owner)
        if source is None:
            break
        value = source
    return value


def renamed_by(op: Operation) -> SSAValue | None:
    """Return the memref that the first result of an op is a view of, or an unrealized
    cast; None if there is none."""
    if isinstance(op, UnrealizedConversionCastOp):
        is_cast = len(op.operands) == len(op.results) == 1
        is_cast = is_cast and is_memref(op.operands[0].type)
        return op.operands[0] if is_cast and is_memref(op.results[0].type) else None
    return get_renamed(op)


@dataclass
class Bases:
    """The memrefs that values are views of, through all views."""

    known: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    def of(self, value: SSAValue) -> SSAValue:
        """Return the memref that a value is a view of; itself if it is none."""
        views: list[SSAValue] = []
        while value not in self.known:
            views.append(value)
            op = value.owner
            source = renamed_by(op) if isinstance(op, Operation) else None
            if source is None:
                break
            value = source
        base = self.known.get(value, value)
        self.known.update(dict.fromkeys(views, base))
        return base


def memrefs_in(root: Operation) -> Iterator[SSAValue]:
    """Iterate over the memrefs that ops under an op define, and the arguments of their
    blocks."""
    for op in walk(root):
        for value in op.results:
            if is_memref(value.type):
                yield value
        for region in op.regions:
            for block in region.blocks:
                for value in block.args:
                    if is_memref(value.type):
                        yield value


def reached_from(
    roots: Iterable[SSAValue],
    sources: Callable[[SSAValue], Sequence[SSAValue]],
    function: Operation,
    bases: Bases,
) -> Mapping[SSAValue, int]:
    """Return for each memref that is no view, and may be some of the roots, which ones:
    as bits, in their order.

    Args:
        sources: the values that a memref may be that is no view.
    """
    reach = {root: 1 << index for index, root in enumerate(roots)}
    if not reach:
        return reach
    targets: dict[SSAValue, list[SSAValue]] = {}
    for target in memrefs_in(function):
        if bases.of(target) is target:
            for source in sources(target):
                targets.setdefault(bases.of(source), []).append(target)
    work = list(reach)
    while work:
        value = work.pop()
        for target in targets.get(value, ()):
            before = reach.get(target, 0)
            reach[target] = before | reach[value]
            if reach[target] != before:
                work.append(target)
    return reach


def sources_of(value: SSAValue, forwarded: ForwardedValues) -> Sequence[SSAValue]:
    """Return the values that a memref is a view of or may be forwarded from; a call may
    return an operand with the same element type."""
    owner = value.owner
    if isinstance(owner, Operation):
        renamed = renamed_by(owner)
        if renamed is not None:
            return (renamed,)
        flow = BUFFER_VIEW_FLOW.lookup(owner)
        if flow is not None:
            pairs = flow.get_dependencies(owner)
            return [source for source, target in pairs if target is value]
        call = CALL.lookup(owner)
        if call is not None:
            return [
                operand
                for operand in call.get_arg_operands(owner)
                if _element_type(operand) == _element_type(value)
            ]
    return forwarded.sources(value)


def _element_type(value: SSAValue) -> Attribute | None:
    return getattr(value.type, "element_type", None)


def place_of(op: memref.ViewOp) -> Place | None:
    """Return the place that a view is, None if its offset or size is not constant."""
    start = constant_integer(op.operands[1])
    size = bytes_of(op.results[0].type)
    return None if start is None or size is None else Place(op, start, start + size)


def places_in(root: Operation) -> Iterator[Place]:
    """Iterate over the places under an op, in program order."""
    for op in walk(root):
        if isinstance(op, memref.ViewOp) and (place := place_of(op)) is not None:
            yield place


def name_of(value: SSAValue) -> str:
    """Return how a message names a buffer: as the program does, or by its type."""
    return f"%{value.name_hint}" if value.name_hint else f"a {value.type}"


def name_of_op(op: Operation) -> str:
    """Return the name of an op as the program gives it."""
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def where(op: Operation) -> str:
    """Return how a message says where an op is; nothing if that is not known."""
    position = position_of(op)
    return "" if position is None else f" (at {position})"


def bytes_of(type_: Attribute) -> int | None:
    """Return the bytes of a memref of a static size, None for any other."""
    if not is_memref(type_):
        return None
    shape = type_.get_shape()
    element = _bytes(type_.element_type)
    return None if DYNAMIC_INDEX in shape or element is None else prod(shape) * element


def natural_alignment(type_: Attribute) -> int:
    """Return what the address of an element must be a multiple of when it is accessed,
    in bytes; 1 if it is not known how many an element takes. It is not asked of what
    plans memory, as that is what is checked."""
    if is_complex(type_):
        return natural_alignment(type_.element_type)
    if is_vector(type_):
        bits = _bits(type_.element_type)
        return 1 if bits is None else _rounded(bits * (type_.get_shape() or (1,))[-1])
    bits = _bits(type_)
    return 1 if bits is None else _rounded(min(bits, 128))


def _bytes(type_: Attribute) -> int | None:
    """Return the distance of two elements in memory."""
    if is_complex(type_):
        part = _bytes(type_.element_type)
        return None if part is None else 2 * part
    if is_vector(type_):
        # The innermost dimension is a vector of LLVM, padded to a power of two.
        bits = _bits(type_.element_type)
        *outer, last = type_.get_shape() or (1,)
        if bits is None or any(type_.get_scalable_dims()):
            return None
        return prod(outer) * _rounded(bits * last)
    bits = _bits(type_)
    if bits is not None and bits > 128:
        return 16 * -(-bits // 128)
    return None if bits is None else _rounded(bits)


def _bits(type_: Attribute) -> int | None:
    if isinstance(type_, IndexType):
        return 64
    return type_.bitwidth if isinstance(type_, FixedBitwidthType) else None


def _rounded(bits: int) -> int:
    """Return the least power of two of bytes that holds some bits."""
    return 1 << (max(-(-bits // 8), 1) - 1).bit_length()


def each_bit(bits: int) -> Iterator[int]:
    """Iterate over the bits of a number that are set, each as a number."""
    while bits:
        lowest = bits & -bits
        bits ^= lowest
        yield lowest


def union(bits: Iterable[int]) -> int:
    """Return the number that has all bits of some numbers."""
    result = 0
    for each in bits:
        result |= each
    return result


class Unions:
    """Unions of the numbers of many keys, each a bit, in a binary tree: near-linear in
    total if the keys of most unions are side by side.

    Args:
        items: the keys with their numbers, in an order in which those are side by side.
    """

    def __init__(self, items: Iterable[tuple[int, int]]):
        leaves = [*items]
        self._size = len(leaves)
        self._nodes = [(0, 0)] * self._size + leaves
        for node in reversed(range(1, self._size)):
            (keys, found), (others, more) = self._nodes[2 * node : 2 * node + 2]
            self._nodes[node] = keys | others, found | more

    def of(self, keys: int) -> int:
        """Return the union for the keys that are among some bits."""
        result = 0
        work = [1] if self._size else []
        while work:
            node = work.pop()
            inside, found = self._nodes[node]
            common = inside & keys
            if common == inside:
                result |= found
            elif common:
                work += (2 * node, 2 * node + 1)
        return result
