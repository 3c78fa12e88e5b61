"""Canonicalizations of tensor.dim: sizes that the defining op of the tensor states."""

from __future__ import annotations

from collections.abc import MutableMapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.dialects import scf, tensor
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.interfaces.destination_style import (
    DESTINATION_STYLE,
    tied_operand,
)
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import Worklist


def forward_dim_to_destination(op: Operation, worklist: Worklist) -> bool:
    """A result has the sizes of the destination that it is written to."""
    source = op.operands[0]
    first = _first_destination(source, worklist.destinations)
    if first is source:
        return False
    worklist.set_operands(op, [first, op.operands[1]])
    return True


def _first_destination(
    value: SSAValue, known: MutableMapping[SSAValue, SSAValue]
) -> SSAValue:
    """Return the first tensor of a chain of ops that each write to the result of the one
    before.

    All values on the path are noted to have it (path compression): each of many sizes of
    a long chain of updates is found without following the chain again.
    """
    path: list[SSAValue] = []
    while True:
        destination = known.get(value)
        # What was replaced or erased since it was noted has no uses left.
        if destination is None or destination.first_use is None:
            destination = destination_of(value)
        if destination is None:
            break
        path.append(value)
        value = destination
    for passed in path:
        known[passed] = value
    return value


def destination_of(value: SSAValue) -> SSAValue | None:
    """Return the tensor that a destination-style op, or the threads of a loop, write to
    for a result."""
    if not isinstance(value, OpResult) or isinstance(value.owner, Block):
        return None
    if isinstance(value.op, scf.ForallOp):
        return value.op.outputs[value.index]
    announce_models()
    model = DESTINATION_STYLE.lookup(value.op)
    use = None if model is None else tied_operand(model, value.op, value)
    return None if use is None or not is_tensor(get(use).type) else get(use)


class DimOfReshape(RewritePattern):
    """The size of a tensor.reshape is an element of the shape that it is given."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        reshape = op.operands[0].owner
        if not isinstance(reshape, tensor.ReshapeOp):
            return
        shape = reshape.operands[1]
        index = op.operands[1]
        assert is_tensor(shape.type)
        type = shape.type.element_type
        size = tensor.ExtractOp(shape, [index], type)
        if isinstance(type, IndexType):
            rewriter.replace(op, size)
        else:
            number = arith.IndexCastOp(size.results[0], IndexType())
            rewriter.replace(op, [size, number])


PATTERNS: Table = {
    "tensor.dim": (DimOfReshape(), forward_dim_to_destination),
}
