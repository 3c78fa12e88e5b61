"""The order of decisions that copies the fewest bytes.

The analysis is greedy, and which order of the decisions is best depends on the program:

    scf.for %i = %c0 to %c100 step %c1 {
      %1 = tensor.insert %x into %t[%i]       // either this is in place ...
      ... use of %1
    }
    %2 = tensor.insert %y into %t[%j]         // or this

The analysis is made from the bottom up first, as by default. Where it copies, the other
orders are tried, for all functions that copy together, and each function gets the order
that copies the fewest bytes by estimate (copy_costs.py), if no execution can copy or
allocate more. The default stays where that does not hold for all functions together:
callers and callees have their effect on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.copy_costs import CopyCosts
from xdsl_bufferization.interfaces.bufferization_options import (
    AnalysisHeuristic,
    BufferizationOptions,
)

DEFAULT: AnalysisHeuristic = "bottom-up"
OTHERS: tuple[AnalysisHeuristic, ...] = ("top-down", "bottom-up-from-terminators")


Analyze: TypeAlias = Callable[
    [Operation, BufferizationOptions, Mapping[Operation, AnalysisHeuristic]],
    OneShotAnalysis,
]
"""The analysis of a program, with heuristics for some of its functions."""


def analyze_with_cheapest_heuristic(
    root: Operation, options: BufferizationOptions, analyze: Analyze
) -> OneShotAnalysis:
    """Decide every tensor operand under `root`, each function in the cheapest order.

    Raises:
        PassFailedException: when the program cannot be bufferized under the options.
    """
    trial = replace(options, analysis_heuristic=DEFAULT, decision_listeners=[])
    analysis = analyze(root, trial, {})
    costs = CopyCosts(root, analysis)
    best = {op: costs for op in costs.by_function if costs.copied_bytes(op)}
    chosen: dict[Operation, AnalysisHeuristic] = {}
    for heuristic in OTHERS if best else ():
        found = _costs(analyze, root, trial, dict.fromkeys(best, heuristic))
        if found is None:
            continue
        for op in best:
            if found.copied_bytes(op) < best[op].copied_bytes(op) and (
                found.is_improvement(costs, op)
            ):
                best[op] = found
                chosen[op] = heuristic
    if chosen:
        mixed = _costs(analyze, root, trial, chosen)
        if mixed is None or not mixed.is_improvement(costs):
            chosen = {}
    if not chosen and not options.decision_listeners:
        return analysis
    final = replace(options, analysis_heuristic=DEFAULT)
    return analyze(root, final, chosen)


def _costs(
    analyze: Analyze,
    root: Operation,
    options: BufferizationOptions,
    heuristics: Mapping[Operation, AnalysisHeuristic],
) -> CopyCosts | None:
    """The costs under other heuristics; None where the program is refused then."""
    try:
        return CopyCosts(root, analyze(root, options, heuristics))
    except PassFailedException:
        return None
