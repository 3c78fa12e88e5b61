"""Code that computes one element at a time, for ops that have no op on memrefs.

If every element of a new buffer is computed, the code becomes the body of a linalg.map:
the coordinates of the element are linalg.index ops, and its sources are loaded from
other buffers. The dialects of these ops are imported only when one is built, which few
programs need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter


class ElementBody:
    """Appends ops on scalars to a block.

    Attributes:
        block: where the ops go.
        coordinates: which element is computed, or visited.
    """

    def __init__(self, block: Block, coordinates: Sequence[SSAValue] = ()):
        self.block = block
        self.coordinates = coordinates

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def index(self, number: int) -> SSAValue:
        """An index constant."""
        return self.add(arith.ConstantOp(IntegerAttr.from_index_int_value(number)))

    def load(self, buffer: SSAValue, place: Sequence[SSAValue]) -> SSAValue:
        return self.add(_load(buffer, place))

    def load_index(self, buffer: SSAValue, place: Sequence[SSAValue]) -> SSAValue:
        """An element of a buffer of integers or indices, as an index."""
        value = self.load(buffer, place)
        if isinstance(value.type, IntegerType):
            value = self.add(arith.IndexCastOp(value, IndexType()))
        return value

    def load_within(
        self,
        buffer: SSAValue,
        place: Sequence[SSAValue],
        dimensions: Iterable[int],
        otherwise: SSAValue,
    ) -> SSAValue:
        """An element of a buffer, or another value where the place is outside of it in
        one of these dimensions."""
        conditions = [
            self.add(arith.CmpiOp(place[number], self.size(buffer, number), "ult"))
            for number in dimensions
        ]
        if not conditions:
            return self.load(buffer, place)
        inside = conditions[0]
        for condition in conditions[1:]:
            inside = self.add(arith.AndIOp(inside, condition))
        from xdsl_bufferization.dialects import scf

        load = _load(buffer, place)
        choice = scf.IfOp(
            inside,
            [otherwise.type],
            [load, scf.YieldOp(load.results[0])],
            [scf.YieldOp(otherwise)],
        )
        return self.add(choice)

    def size(self, buffer: SSAValue, number: int) -> SSAValue:
        """The size of a dimension of a buffer."""
        size = cast(MemRefType, buffer.type).get_shape()[number]
        if size != DYNAMIC_INDEX:
            return self.index(size)
        return self.add(memref.DimOp(buffer, self.index(number)))


def _load(buffer: SSAValue, place: Sequence[SSAValue]) -> memref.LoadOp:
    element = cast(MemRefType, buffer.type).element_type
    return memref.LoadOp.create(operands=[buffer, *place], result_types=[element])


def begin_map(buffer: SSAValue) -> ElementBody:
    """A body that computes the element of `buffer` at its coordinates."""
    from xdsl_bufferization.dialects import linalg

    type_ = cast(MemRefType, buffer.type)
    body = ElementBody(Block(arg_types=[type_.element_type]))
    body.coordinates = [
        body.add(linalg.IndexOp(number)) for number in range(type_.get_num_dims())
    ]
    return body


def finish_map(
    body: ElementBody,
    element: SSAValue,
    buffer: SSAValue,
    rewriter: BufferizationRewriter,
) -> None:
    """Compute all of the buffer with a body that ends with this value."""
    from xdsl_bufferization.dialects import linalg

    body.block.add_op(linalg.YieldOp(element))
    create_map(buffer, body.block, rewriter)


def create_map(buffer: SSAValue, body: Block, rewriter: BufferizationRewriter) -> None:
    """Compute every element of a buffer."""
    from xdsl_bufferization.dialects import linalg

    rewriter.insert(linalg.MapOp([], buffer, Region(body)))


def visit_elements(
    buffer: SSAValue,
    visit: Callable[[ElementBody], None],
    rewriter: BufferizationRewriter,
) -> None:
    """Loops over the elements of a buffer; `visit` appends the body of the innermost."""
    from xdsl_bufferization.dialects import scf

    outermost = body = ElementBody(Block())
    coordinates: list[SSAValue] = []
    enclosing: list[Block] = []
    for number in range(cast(MemRefType, buffer.type).get_num_dims()):
        bounds = body.index(0), body.size(buffer, number), body.index(1)
        block = Block(arg_types=[IndexType()])
        body.block.add_op(scf.ForOp(*bounds, [], Region(block)))
        coordinates.append(block.args[0])
        enclosing.append(block)
        body = ElementBody(block, coordinates)
    visit(body)
    for block in enclosing:
        block.add_op(scf.YieldOp())
    for op in tuple(outermost.block.ops):
        op.detach()
        rewriter.insert(op)
