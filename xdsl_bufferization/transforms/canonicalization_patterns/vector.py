"""The canonicalizations of vector; here those of transfers: casts, and reads of what was
just written."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xdsl_bufferization.dialects import vector
from xdsl_bufferization.transforms.canonicalization_patterns import (
    vector_elements,
    vector_masks,
    vector_views,
)
from xdsl_bufferization.transforms.canonicalization_patterns.casts import (
    buffer_before_cast,
    tensor_before_cast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.destination_style import (
    DestinationOfCast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table


class TransferOfCast(RewritePattern):
    """A transfer, load or store of a cast buffer is one of the buffer before the cast; so
    is a transfer of a cast tensor to a vector."""

    def __init__(self, source: int):
        self.source = source

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        operand = op.operands[self.source]
        source = buffer_before_cast(operand)
        if source is None and isinstance(op, vector.TransferReadOp):
            source = tensor_before_cast(operand)
        if source is not None:
            op.operands[self.source] = source
            rewriter.notify_op_modified(op)


class ReadOfWritten(RewritePattern):
    """What is read from a tensor where a whole vector was just written is that vector."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, vector.TransferReadOp)
        write = op.source.owner
        if (
            isinstance(write, vector.TransferWriteOp)
            and op.mask is None
            and write.mask is None
            and write.vector.type == op.results[0].type
            and list(write.indices) == list(op.indices)
            and write.permutation_map == op.permutation_map
            and _is_in_bounds(op)
            and _is_in_bounds(write)
        ):
            rewriter.replace(op, [], [write.vector])


def _is_in_bounds(op: vector.TransferReadOp | vector.TransferWriteOp) -> bool:
    """Whether no element of the vector is outside of the tensor."""
    return all(flag.value.data != 0 for flag in op.in_bounds)


_VIEW = (
    vector_views.drop_identity,
    vector_views.rearrange_constant,
    vector_views.combine_views,
)

PATTERNS: Table = {
    "vector.bitcast": (vector_elements.simplify_bitcast,),
    "vector.broadcast": _VIEW,
    "vector.compressstore": (TransferOfCast(0),),
    "vector.constant_mask": (vector_masks.fold_constant_mask,),
    "vector.create_mask": (vector_masks.know_mask,),
    "vector.extract": (
        *_VIEW,
        vector_elements.know_position,
        vector_elements.extract_inserted,
        vector_elements.extract_listed,
        vector_elements.extract_shuffled,
        vector_masks.extract_of_mask,
    ),
    "vector.extract_strided_slice": (
        *_VIEW,
        vector_masks.slice_inserted,
        vector_masks.slice_mask,
    ),
    "vector.expandload": (TransferOfCast(0),),
    "vector.gather": (TransferOfCast(0),),
    "vector.load": (TransferOfCast(0),),
    "vector.maskedload": (TransferOfCast(0),),
    "vector.maskedstore": (TransferOfCast(0),),
    "vector.store": (TransferOfCast(1),),
    "vector.from_elements": (
        vector_elements.list_constants,
        vector_elements.broadcast_equal,
        vector_elements.list_again,
    ),
    "vector.insert": (
        vector_elements.know_position,
        vector_elements.insert_everything,
        vector_elements.insert_into_constant,
        vector_elements.insert_same,
        vector_elements.insert_again,
    ),
    "vector.insert_strided_slice": (
        vector_elements.insert_everything,
        vector_elements.insert_into_constant,
        vector_elements.insert_same,
    ),
    "vector.shape_cast": _VIEW,
    "vector.shuffle": (
        vector_elements.shuffle_constants,
        vector_elements.drop_shuffle,
    ),
    "vector.to_elements": (vector_elements.list_elements,),
    "vector.transfer_read": (TransferOfCast(0), ReadOfWritten()),
    "vector.transfer_write": (TransferOfCast(1), DestinationOfCast(1)),
    "vector.transpose": _VIEW,
}
