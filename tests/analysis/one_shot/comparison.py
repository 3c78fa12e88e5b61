"""Comparison of One-Shot Analysis with its slow reference implementation."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue, Use
from xdsl.utils.exceptions import PassFailedException

from tests.analysis.one_shot.slow_analysis import SlowAnalysis, slow_analyze
from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import is_tensor
from xdsl_bufferization.models import announce_models


def differences(module: ModuleOp, options: BufferizationOptions) -> list[str]:
    """What the two analyses do not agree on; nothing when all is well. Of the heuristic
    `cheapest`, this is whether both decide alike in the orders that it chooses."""
    announce_models()
    fast = slow = None
    refusal = slow_refusal = None
    try:
        fast = analyze(module, options)
    except PassFailedException as error:
        refusal = str(error)
    order = options.analysis_heuristic
    if order == "cheapest":
        order = "bottom-up" if fast is None else fast.options.analysis_heuristic
    heuristics = {} if fast is None else fast.heuristics
    try:
        slow = slow_analyze(
            module, replace(options, analysis_heuristic=order), heuristics
        )
    except PassFailedException as error:
        slow_refusal = str(error)
    if fast is None or slow is None:
        if fast is slow:
            return []
        return [f"refused by the analysis: {refusal}, by its twin: {slow_refusal}"]
    return _differences(module, fast, slow)


def _differences(
    module: ModuleOp, fast: OneShotAnalysis, slow: SlowAnalysis
) -> list[str]:
    found: list[str] = []
    values: list[SSAValue] = []
    uses: list[Use] = []
    for op in module.walk():
        uses += [use for use in operands_of(op) if is_tensor(get(use).type)]
        arguments = [a for r in op.regions for b in r.blocks for a in b.args]
        values += [v for v in (*op.results, *arguments) if is_tensor(v.type)]
    for use in uses:
        if fast.is_in_place(use) != slow.is_in_place(use):
            found.append(
                f"operand {use.index} of {use.operation}: in place is "
                f"{fast.is_in_place(use)}, twin: {slow.is_in_place(use)}"
            )
        elif not fast.is_in_place(use) and (
            fast.has_undefined_contents(use) != slow.has_undefined_contents(use)
        ):
            found.append(
                f"operand {use.index} of {use.operation}: undefined is "
                f"{fast.has_undefined_contents(use)}"
            )
    known = set(values)
    for value in values:
        if known & set(fast.aliases_of(value)) != known & set(slow.aliases_of(value)):
            found.append(f"aliases of {value}")
        if fast.is_value_written(value) != slow.is_value_written(value):
            found.append(f"{value} is written: {fast.is_value_written(value)}")
        if fast.is_value_read(value) != slow.is_value_read(value):
            found.append(f"{value} is read: {fast.is_value_read(value)}")
    for position, first in enumerate(values):
        for second in values[:position]:
            if fast.are_equivalent(first, second) != slow.are_equivalent(first, second):
                found.append(f"equivalent: {first} and {second}")
    fast_summaries, slow_summaries = fast.functions.summaries, slow.functions.summaries
    for func in fast_summaries.keys() | slow_summaries.keys():
        if fast_summaries.get(func) != slow_summaries.get(func):
            found.append(
                f"summary of {func.sym_name.data}: {fast_summaries.get(func)}, "
                f"twin: {slow_summaries.get(func)}"
            )
    return found
