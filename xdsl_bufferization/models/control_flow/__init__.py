"""How control flows through the ops of each dialect: regions, branches, calls, loops.

The interfaces are imported here because a model can only be attached to tables that
exist.
"""

from xdsl_bufferization.interfaces import (
    branch as branch,
    buffer_view_flow as buffer_view_flow,
    call as call,
    loop_like as loop_like,
    memory_effects as memory_effects,
    region_branch as region_branch,
    view_like as view_like,
)
