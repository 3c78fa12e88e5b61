"""linalg.softmax as loops.

For each row that the op normalises, the loops compute the greatest element, the
exponentials of the differences to it and their sum, and the quotients. A row of the
output is read only after it is written, so that input and output may be the same
buffer.

    linalg.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>)
  becomes
    scf.for %i = %c0 to %c4 step %c1 {
      %max = scf.for %j = %c0 to %c8 step %c1 iter_args(%m = %lowest) -> (f32) { ... }
      %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (f32) { ... }
      scf.for %j = %c0 to %c8 step %c1 { ... }
    }
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects import arith, math as math_dialect
from xdsl.dialects.builtin import AnyFloat, FloatAttr, MemRefType
from xdsl.ir import Block, Operation, Region, SSAValue

from xdsl_bufferization.conversion.utils.affine_indices import INDEX, IndexBuilder
from xdsl_bufferization.dialects import linalg, memref, scf


def softmax_loops(
    op: linalg.SoftmaxOp, ends: Sequence[SSAValue], head: IndexBuilder
) -> list[Operation]:
    """The loops of an op on buffers, given the size of each dimension. The constants they
    need are added to `head`.
    """
    element = cast("MemRefType[AnyFloat]", op.input.type).element_type
    row = op.dimension.value.data
    zero, one = head.constant(0), head.constant(1)
    lowest = head.add(arith.ConstantOp(FloatAttr(-math.inf, element)))
    nothing = head.add(arith.ConstantOp(FloatAttr(0.0, element)))
    outer = Block(arg_types=())
    ops: list[Operation] = []
    place: list[SSAValue] = []
    block = outer
    for dim, end in enumerate(ends):
        if dim == row:
            place.append(zero)  # Replaced in each of the loops over a row.
            continue
        inner = Block(arg_types=(INDEX,))
        loop = scf.ForOp.create(operands=(zero, end, one), regions=(Region(inner),))
        block.add_op(loop)
        if block is not outer:
            block.add_op(scf.YieldOp.create())
        place.append(inner.args[0])
        block = inner

    def along_row(
        start: SSAValue | None,
        body: Callable[[_Row, SSAValue], SSAValue | None],
    ) -> SSAValue:
        """A loop over a row that carries a value, or none."""
        carried = () if start is None else (start,)
        inner = Block(arg_types=(INDEX, *(value.type for value in carried)))
        at = list(place)
        at[row] = inner.args[0]
        result = body(_Row(inner, at), inner.args[-1])
        inner.add_op(scf.YieldOp(*(() if result is None else (result,))))
        loop = scf.ForOp.create(
            operands=(zero, ends[row], one, *carried),
            result_types=[value.type for value in carried],
            regions=(Region(inner),),
        )
        block.add_op(loop)
        return loop.results[0] if carried else zero

    def greatest(to: _Row, so_far: SSAValue) -> SSAValue:
        return to.add(arith.MaxnumfOp(to.load(op.input), so_far))

    def exponential(to: _Row, so_far: SSAValue) -> SSAValue:
        difference = to.add(arith.SubfOp(to.load(op.input), maximum))
        power = to.add(math_dialect.ExpOp(difference))
        to.store(power, op.output)
        return to.add(arith.AddfOp(power, so_far))

    def quotient(to: _Row, _: SSAValue) -> None:
        to.store(to.add(arith.DivfOp(to.load(op.output), total)), op.output)

    maximum = along_row(lowest, greatest)
    total = along_row(nothing, exponential)
    along_row(None, quotient)
    if block is not outer:
        block.add_op(scf.YieldOp.create())
    ops = list(outer.ops)
    for made in ops:
        made.detach()
    return ops


class _Row:
    """Appends the work on one element to the body of a loop."""

    def __init__(self, block: Block, place: Sequence[SSAValue]) -> None:
        self._block = block
        self._place = place

    def add(self, op: Operation) -> SSAValue:
        self._block.add_op(op)
        return op.results[0]

    def load(self, buffer: SSAValue) -> SSAValue:
        return self.add(memref.LoadOp.get(buffer, self._place))

    def store(self, value: SSAValue, buffer: SSAValue) -> None:
        self._block.add_op(memref.StoreOp.get(value, buffer, self._place))
