"""Offsets for buffers, from their live ranges and sizes, in as little memory as
possible.

    from xdsl_bufferization.planner import Buffer, plan

    plan([Buffer(4, ((0, 3),)), Buffer(4, ((3, 9),)), Buffer(4, ((0, 9),))]).height  # 8

This is the dynamic storage allocation problem, or strip packing with fixed positions in
one dimension. The planner is independent of the IR; `plan-memory` uses it on programs.
`python -m xdsl_bufferization.planner FILE.csv` plans the buffers of a file.
"""

from xdsl_bufferization.planner.planning import DEFAULT_STEPS, plan, plan_conflicts
from xdsl_bufferization.planner.problem import (
    GREATEST,
    Buffer,
    Interval,
    Plan,
    check,
    find_overlap,
)

__all__ = [
    "DEFAULT_STEPS",
    "GREATEST",
    "Buffer",
    "Interval",
    "Plan",
    "check",
    "find_overlap",
    "plan",
    "plan_conflicts",
]
