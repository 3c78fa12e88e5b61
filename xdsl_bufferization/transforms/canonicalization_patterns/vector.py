"""The canonicalizations of vector, by op."""

from __future__ import annotations

from xdsl_bufferization.transforms.canonicalization_patterns import (
    vector_elements,
    vector_extractions,
    vector_insertions,
    vector_masks,
    vector_memory,
    vector_shuffles,
    vector_transfers,
    vector_views,
)
from xdsl_bufferization.transforms.canonicalization_patterns.destination_style import (
    DestinationOfCast,
)
from xdsl_bufferization.transforms.canonicalization_patterns.tables import Table
from xdsl_bufferization.transforms.canonicalization_patterns.vector_transfers import (
    TransferOfCast,
)

_VIEW = (
    vector_views.drop_identity,
    vector_views.rearrange_constant,
    vector_views.combine_views,
)

PATTERNS: Table = {
    "vector.bitcast": (vector_shuffles.simplify_bitcast,),
    "vector.broadcast": _VIEW,
    "vector.compressstore": (TransferOfCast(0), vector_memory.know_stored),
    "vector.constant_mask": (vector_masks.fold_constant_mask,),
    "vector.create_mask": (vector_masks.know_mask,),
    "vector.extract": (
        *_VIEW,
        vector_extractions.know_position,
        vector_extractions.extract_nothing,
        vector_extractions.extract_inserted,
        vector_extractions.extract_listed,
        vector_extractions.extract_shuffled,
        vector_extractions.extract_broadcast,
        vector_extractions.extract_shape_cast,
        vector_masks.extract_of_mask,
    ),
    "vector.extract_strided_slice": (
        *_VIEW,
        vector_masks.slice_inserted,
        vector_masks.slice_mask,
    ),
    "vector.expandload": (TransferOfCast(0), vector_memory.know_loaded),
    "vector.from_elements": (
        vector_elements.list_constants,
        vector_elements.broadcast_equal,
        vector_elements.list_again,
    ),
    "vector.gather": (TransferOfCast(0), vector_memory.gather_neighbours),
    "vector.insert": (
        vector_extractions.know_position,
        vector_insertions.insert_nowhere,
        vector_insertions.insert_everything,
        vector_insertions.insert_into_constant,
        vector_insertions.insert_same,
        vector_insertions.insert_again,
        vector_insertions.list_insertions,
    ),
    "vector.insert_strided_slice": (
        vector_insertions.insert_everything,
        vector_insertions.insert_into_constant,
        vector_insertions.insert_same,
        vector_insertions.insert_again,
    ),
    "vector.load": (TransferOfCast(0),),
    "vector.mask": (vector_masks.drop_mask,),
    "vector.maskedload": (TransferOfCast(0), vector_memory.know_loaded),
    "vector.maskedstore": (TransferOfCast(0), vector_memory.know_stored),
    "vector.scatter": (TransferOfCast(0), vector_memory.scatter_neighbours),
    "vector.shape_cast": (*_VIEW, vector_masks.cast_mask),
    "vector.shuffle": (
        vector_shuffles.shuffle_constants,
        vector_shuffles.drop_shuffle,
        vector_shuffles.shuffle_equal,
    ),
    "vector.store": (TransferOfCast(1),),
    "vector.to_elements": (vector_elements.list_elements,),
    "vector.transfer_read": (
        TransferOfCast(0),
        vector_transfers.know_transfer,
        vector_transfers.read_written,
    ),
    "vector.transfer_write": (
        TransferOfCast(1),
        DestinationOfCast(1),
        vector_transfers.know_transfer,
        vector_transfers.write_again,
    ),
    "vector.transpose": _VIEW,
}
