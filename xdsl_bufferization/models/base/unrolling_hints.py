"""Hints to avoid copies of yielded values: unroll loops that permute buffers.

A loop that permutes its buffers, such as one that swaps an old and a new array, must
copy, because each of its values has one buffer. After as many iterations as the
permutation has period, each value is in its own buffer again. If the loop is unrolled
by this number, it does not copy.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.types import TENSOR_TYPES
from xdsl_bufferization.remarks.model import place_of

_MOST = 4
"""Iterations that are worth unrolling."""


def unrolling_hints(
    loop: Operation,
    arguments: Sequence[SSAValue],
    yielded: Sequence[SSAValue],
    state: AnalysisState,
) -> dict[int, str]:
    """Return what avoids the copy of a yielded value, by its number, where that is known.

    Args:
        arguments: the iter_args of the loop, one for each yielded value.
    """
    sources = _find_sources(arguments, yielded, state)
    hints: dict[int, str] = {}
    for number in sources:
        count, source = 1, sources[number]
        while source is not None and source != number and count <= _MOST:
            count, source = count + 1, sources.get(source)
        if source == number and 1 < count <= _MOST:
            hints[number] = (
                f"unroll {place_of(loop)} {count} times, after which each value is in "
                "the buffer that it came in"
            )
    return hints


def _find_sources(
    arguments: Sequence[SSAValue],
    yielded: Sequence[SSAValue],
    state: AnalysisState,
) -> dict[int, int | None]:
    """For each yielded tensor, the number of the iter_arg in whose buffer it is."""
    numbers = {
        argument: number
        for number, argument in enumerate(arguments)
        if isinstance(argument.type, TENSOR_TYPES)
    }
    return {
        number: next(
            (
                numbers[alias]
                for alias in state.aliases_of(value)
                if alias in numbers and state.are_equivalent(value, alias)
            ),
            None,
        )
        for number, value in enumerate(yielded)
        if isinstance(value.type, TENSOR_TYPES)
    }
