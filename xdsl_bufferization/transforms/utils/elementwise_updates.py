"""Structured ops that replace each element of their output, and what they read of it.

    %y = linalg.map ins(%a : tensor<8xf32>) outs(%x : tensor<8xf32>)
      (%in: f32, %old: f32) { ... }

Every element of %y is computed, from the element of %x at the same place if the body uses
%old. The op may write any other buffer, and read %x as an input.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.dialects import linalg
from xdsl_bufferization.dialects.linalg.attrs import IteratorType
from xdsl_bufferization.dialects.shapes import is_tensor
from xdsl_bufferization.locations import built_for


def is_elementwise_update(op: Operation) -> bool:
    """Whether an op replaces each element of its only output, independently of all
    others of that output, unless it is an input as well."""
    if not isinstance(op, linalg.LinalgStructuredOperation) or len(op.outputs) != 1:
        return False
    output = op.operands[-1]
    return (
        output is op.outputs[0]
        and len(op.results) <= 1
        and all(kind.data is IteratorType.PARALLEL for kind in op.get_iterator_types())
        and _is_permutation(op.get_indexing_maps().data[-1].data)
        and (isinstance(op, linalg.GenericOp | linalg.MapOp) or not reads_output(op))
    )


def _is_permutation(map_: AffineMap) -> bool:
    dims = {
        result.position for result in map_.results if isinstance(result, AffineDimExpr)
    }
    return len(dims) == len(map_.results) == map_.num_dims


def reads_output(op: Operation) -> bool:
    """Whether the body of a structured op uses the old elements of its only output."""
    return not op.regions or op.regions[0].block.args[-1].first_use is not None


def write_elsewhere(op: Operation, output: SSAValue) -> Operation:
    """Let an elementwise update write another output, and read the old elements, if it
    uses them, as an input.

    Returns:
        The op, or the one that replaces it.
    """
    if not reads_output(op):
        op.operands[len(op.operands) - 1] = output
        return op
    assert isinstance(op, linalg.GenericOp | linalg.MapOp)
    inputs = op.operands
    body = op.detach_region(0)
    block = body.block
    old = block.args[-1]
    unused = block.insert_arg(old.type, len(block.args))
    assert unused.first_use is None
    types = [output.type] if is_tensor(output.type) else []
    with built_for(op):
        if isinstance(op, linalg.MapOp):
            new: Operation = linalg.MapOp(inputs, output, body, types)
        else:
            maps = op.get_indexing_maps().data
            new = linalg.GenericOp.build(
                operands=[inputs, [output]],
                result_types=[types],
                properties={
                    **op.properties,
                    "indexing_maps": ArrayAttr([*maps, maps[-1]]),
                },
                regions=[body],
            )
    new.attributes |= op.attributes
    Rewriter.insert_op(new, InsertPoint.before(op))
    Rewriter.replace_op(op, [], list(new.results))
    return new
