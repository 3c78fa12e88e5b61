"""How the programs that the checkers look at come about."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.pipelines import BufferDeallocationPipeline
from xdsl_bufferization.transforms.bufferization_lower_deallocations import (
    lower_deallocations,
)
from xdsl_bufferization.transforms.drop_equivalent_buffer_results import (
    drop_equivalent_buffer_results,
)
from xdsl_bufferization.transforms.optimize_allocation_liveness import (
    OptimizeAllocationLivenessPass,
)
from xdsl_bufferization.transforms.ownership_based_buffer_deallocation import (
    OwnershipBasedBufferDeallocationPass,
)

OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
)
STAGES = 8
"""So many ways to deallocate there are."""


def deallocate(context: Context, module: ModuleOp, stage: int) -> str:
    """Insert deallocations, lowered or not."""
    if stage == 0:
        BufferDeallocationPipeline().apply(context, module)
        return "the pipeline"
    if stage == 1:
        BufferDeallocationPipeline(private_function_dynamic_ownership=True).apply(
            context, module
        )
        return "the pipeline with dynamic ownership"
    if stage == 4:
        drop_equivalent_buffer_results(module, through_control_flow=True)
    if stage in (4, 5):
        BufferDeallocationPipeline(static_ownership=True).apply(context, module)
        OptimizeAllocationLivenessPass().apply(context, module)
        return "the pipeline with static ownership"
    OwnershipBasedBufferDeallocationPass(stage == 3, static_ownership=stage == 6).apply(
        context, module
    )
    if stage == 7:
        lower_deallocations(module)
        return "ownership-based deallocation, lowered"
    return "ownership-based deallocation"
