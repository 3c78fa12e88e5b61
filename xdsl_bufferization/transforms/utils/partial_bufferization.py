"""Partial bufferization: one dialect at a time, without analysis.

Before One-Shot Bufferize, MLIR bufferized dialect by dialect: with one pass for each,
bufferization.to_tensor and to_buffer at the boundaries of bufferized code, and
`finalizing-bufferize` at the end to remove these. A buffer is copied before every
write. The passes here do the same, with the models of one-shot-bufferize; new code
should use that pass, which makes fewer copies.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import Operation

from xdsl_bufferization.interfaces.bufferization_options import (
    BufferizationOptions,
    OpFilter,
)
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.bufferize import (
    BufferizationStatistics,
    bufferize_op,
)


@on_program
def bufferize_dialects(
    root: Operation, dialects: Collection[str], function_boundaries: bool = False
) -> BufferizationStatistics:
    """Bufferize the ops of some dialects under `root`, and those of the bufferization
    dialect; layouts are identity layouts.

    Raises:
        PassFailedException: when an op of these dialects cannot be bufferized.
    """
    op_filter = OpFilter()
    op_filter.allow_dialects("bufferization", *dialects)
    options = BufferizationOptions(
        allow_unknown_ops=True,
        allow_return_allocs_from_loops=True,
        bufferize_function_boundaries=function_boundaries,
        copy_before_write=True,
        function_boundary_type_conversion="identity-layout-map",
        unknown_type_conversion="identity-layout-map",
        op_filter=op_filter,
    )
    return bufferize_op(root, options)
