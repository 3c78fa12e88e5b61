"""One-Shot Analysis of a complete module, function by function.

Callees come before callers, so that the summary of the callee describes a call. With
analyze-recursion, the summaries of mutually recursive functions are assumed and then
verified (recursive_functions.py). Otherwise, or if that fails, these functions come
last, and calls between them are treated conservatively.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.analysis.facts.functions import FunctionTable, returned_tensors
from xdsl_bufferization.analysis.facts.value_bounds import keep_linear_expressions
from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.cheapest_heuristic import (
    Approach,
    analyze_with_cheapest_heuristic,
)
from xdsl_bufferization.analysis.one_shot.dominance import check_dominance
from xdsl_bufferization.analysis.one_shot.function_summaries import summarize
from xdsl_bufferization.analysis.one_shot.model_mistakes import naming_model_mistakes
from xdsl_bufferization.analysis.one_shot.read_only_results import (
    assume_read_only_results,
)
from xdsl_bufferization.analysis.one_shot.recursive_functions import (
    assume_summaries,
    assume_writable_results,
    components,
)
from xdsl_bufferization.analysis.one_shot.state import (
    DefaultAnalysisState,
    MemoizedAnalysisState,
)
from xdsl_bufferization.interfaces.bufferization_options import (
    BufferizationOptions,
)


def analyze(root: Operation, options: BufferizationOptions) -> OneShotAnalysis:
    """Decide for every tensor operand under `root` whether it is bufferized in place.

    Nothing is changed. With `bufferize_function_boundaries`, `root` is a module and calls
    are seen through; otherwise functions are opaque.

    Raises:
        PassFailedException: when the program cannot be bufferized under the options, or
            a value is used where it is not defined.
    """
    check_dominance(root)
    with naming_model_mistakes(root), keep_linear_expressions():
        if options.analysis_heuristic == "cheapest":
            return analyze_with_cheapest_heuristic(root, options, analyze_with_heuristics)
        return analyze_with_heuristics(root, options, {})


def analyze_with_heuristics(
    root: Operation,
    options: BufferizationOptions,
    approaches: Mapping[Operation, Approach],
) -> OneShotAnalysis:
    """Decide like `analyze`, but with other options for some functions."""

    def analyze_one(analysis: OneShotAnalysis, op: Operation) -> None:
        approach = approaches.get(op)
        if approach is None:
            analysis.analyze(op)
        else:
            analysis.analyze(
                op,
                heuristic=approach.heuristic,
                rules=approach.rules,
            )

    if not options.bufferize_function_boundaries or not isinstance(root, ModuleOp):
        analysis = OneShotAnalysis(options)
        analyze_one(analysis, root)
        return analysis
    functions = FunctionTable(root)
    analysis = OneShotAnalysis(options, functions)

    def analyze_all(group: Sequence[FuncOp]) -> OneShotAnalysis:
        attempt = OneShotAnalysis(options, functions)
        for func in group:
            analyze_one(attempt, func)
        return attempt

    ordered, circular = functions.callees_first()
    assume_results(functions, ordered, options, approaches)
    for func in ordered:
        if is_analyzed(func, options):
            analyze_one(analysis, func)
            functions.summaries[func] = summarize(func, analysis)
    if not options.analyze_recursion:
        among = [func for func in circular if is_analyzed(func, options)]
        assume_writable_results(functions, among, options, analyze_all)
    for group, is_recursive in components(functions, circular, options):
        analyzed = [func for func in group if is_analyzed(func, options)]
        if is_recursive and len(analyzed) == len(group):
            assume_summaries(functions, group, options, analyze_all)
        for func in analyzed:
            analyze_one(analysis, func)
            if not is_recursive:
                functions.summaries[func] = summarize(func, analysis)
    # What is outside of functions may use anything of its module that is outside, too.
    for module in dict.fromkeys(op.parent_op() for op in other_ops(root)):
        assert module is not None
        analysis.analyze(module, (FuncOp, ModuleOp))
    return analysis


def assume_results(
    functions: FunctionTable,
    ordered: Sequence[FuncOp],
    options: BufferizationOptions,
    approaches: Mapping[Operation, Approach],
) -> None:
    """Note in the table which results of functions may be read-only.

    Args:
        ordered: the functions that come after those they call.
        approaches: of the functions that have rules of their own.
    """

    def state_of(func: FuncOp) -> DefaultAnalysisState:
        approach = approaches.get(func)
        return states[options.extra_rules if approach is None else approach.rules]

    rules = {options.extra_rules, *(approach.rules for approach in approaches.values())}
    states = {
        each: MemoizedAnalysisState(replace(options, **each._asdict()), functions)
        for each in rules
    }
    summarized = functions.functions if options.analyze_recursion else ordered
    assume_read_only_results(
        functions,
        {func: returned_tensors(func) for func in functions.functions},
        {func for func in summarized if is_analyzed(func, options)},
        state_of,
    )


def is_analyzed(func: FuncOp, options: BufferizationOptions) -> bool:
    """Return whether the options let a function take part in the analysis."""
    return not options.bufferize_function_boundaries or (
        options.is_op_allowed(func)
        and func.sym_name.data not in options.no_analysis_func_filter
    )


def other_ops(module: ModuleOp) -> list[Operation]:
    """The ops of a module, and of the modules nested in it, that are not functions."""
    found: list[Operation] = []
    for op in module.ops:
        if isinstance(op, ModuleOp):
            found.extend(other_ops(op))
        elif not isinstance(op, FuncOp):
            found.append(op)
    return found
