"""The order of decisions that copies the fewest bytes.

The analysis is greedy, and the best order of decisions depends on the program:

    scf.for %i = %c0 to %c100 step %c1 {
      %1 = tensor.insert %x into %t[%i]       // either this is in place ...
      ... use of %1
    }
    %2 = tensor.insert %y into %t[%j]         // or this

The analysis first runs bottom-up, as by default. If there are copies, it tries the
other orders, for all functions with copies at once, and each function gets the order
with the fewest copied bytes by estimate (copy_costs.py), if no execution can copy or
allocate more. If that does not hold for all functions together, the default order
remains, because callers and callees affect each other.

The options disjoint-slices and early-copies are treated in the same way: an operand that
they make in place may prevent a larger one from being in place. They are used for a
function only if that is no worse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.copy_costs import CopyCosts
from xdsl_bufferization.interfaces.bufferization_options import (
    AnalysisHeuristic,
    BufferizationOptions,
    ExtraRules,
)

DEFAULT: AnalysisHeuristic = "bottom-up"
OTHERS: tuple[AnalysisHeuristic, ...] = ("top-down", "bottom-up-from-terminators")


class Approach(NamedTuple):
    """How the operands of a function are decided."""

    heuristic: AnalysisHeuristic
    rules: ExtraRules


Analyze: TypeAlias = Callable[
    [Operation, BufferizationOptions, Mapping[Operation, Approach]],
    OneShotAnalysis,
]
"""The analysis of a program, with approaches of their own for some of its functions."""


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
    given = Approach(DEFAULT, options.extra_rules)
    with_rules: tuple[OneShotAnalysis, CopyCosts] | None = None
    if analysis.used_options:
        with_rules = analysis, costs
        trial = replace(trial, **ExtraRules()._asdict())
        analysis = analyze(root, trial, {})
        costs = CopyCosts(root, analysis)
    best = {op: costs for op in costs.by_function if costs.has_avoidable_copies(op)}
    chosen: dict[Operation, Approach] = {}

    def choose(approach: Approach, its_costs: CopyCosts) -> None:
        for op in best:
            if its_costs.copied_bytes(op) < best[op].copied_bytes(op) and (
                its_costs.is_improvement(costs, op)
            ):
                best[op] = its_costs
                chosen[op] = approach

    if with_rules is not None:
        choose(given, with_rules[1])
    # No other order is better than without copies.
    rest = [op for op in best if best[op].has_avoidable_copies(op)]
    for other in OTHERS if rest else ():
        approach = given._replace(heuristic=other)
        its_costs = _costs(analyze, root, trial, dict.fromkeys(rest, approach))
        if its_costs is not None:
            choose(approach, its_costs)
    if with_rules is not None and given in chosen.values():
        # What a function does without a copy may be why its callers need none.
        for op in analysis.heuristics:
            if not with_rules[1].copied_bytes(op) and not costs.copied_bytes(op):
                chosen.setdefault(op, given)
        # If all functions have them, that has been analysed already.
        if (
            all(chosen.get(op) == given for op in analysis.heuristics)
            and not options.decision_listeners
            and with_rules[1].is_improvement(costs)
        ):
            return with_rules[0]
    if chosen:
        mixed = _costs(analyze, root, trial, chosen)
        if mixed is None or not mixed.is_improvement(costs):
            chosen = {}
    if not chosen and not options.decision_listeners:
        return analysis
    final = replace(trial, decision_listeners=options.decision_listeners)
    return analyze(root, final, chosen)


def _costs(
    analyze: Analyze,
    root: Operation,
    options: BufferizationOptions,
    approaches: Mapping[Operation, Approach],
) -> CopyCosts | None:
    """The costs under other approaches; None where the program is refused then."""
    try:
        return CopyCosts(root, analyze(root, options, approaches))
    except PassFailedException:
        return None
