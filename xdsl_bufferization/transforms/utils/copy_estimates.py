"""The copies that bufferization of the current program would make."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.copy_costs import CopyCosts
from xdsl_bufferization.analysis.one_shot.model_mistakes import naming_model_mistakes
from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects.bufferization import ToTensorOp
from xdsl_bufferization.dialects.op_lists import list_functions, walk
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.transforms.utils.known_analyses import (
    find_analysis,
    fingerprint_of,
    keep_analysis,
)
from xdsl_bufferization.transforms.utils.tensor_copy_insertion import prepare


def estimate_copies(
    root: ModuleOp, *, cheapest: bool = False
) -> tuple[OneShotAnalysis, CopyCosts]:
    """Analyse a program as bufferization will prepare it, and estimate what the
    decisions cost. The program stays as it is; while it does, it is analysed once
    (known_analyses.py).

    Args:
        cheapest: analyse it as bufferization-pipeline does, not from the bottom up.

    Raises:
        PassFailedException: when One-Shot Analysis refuses the program.
    """
    options = BufferizationOptions(
        allow_return_allocs_from_loops=True,
        analysis_heuristic="cheapest" if cheapest else "bottom-up",
        analyze_recursion=True,
        bufferize_function_boundaries=True,
        disjoint_slices=cheapest,
        early_copies=cheapest,
        read_only_loops=cheapest,
        no_analysis_func_filter=_names_of_refused(root),
    )
    fingerprint = fingerprint_of(root)
    known = find_analysis(root, options, fingerprint)
    if known is not None:
        return known
    replaced = prepare(root, DefaultAnalysisState(options))
    try:
        analysis = analyze(root, options)
        with naming_model_mistakes(root):
            costs = CopyCosts(root, analysis)
    finally:
        for use, value in reversed(replaced):
            use.operation.operands[use.index] = value
    keep_analysis(root, options, fingerprint, analysis, costs)
    return analysis, costs


def _names_of_refused(root: ModuleOp) -> tuple[str, ...]:
    """The functions with tensors of buffers that may be written through another name:
    bufferization takes copies of these before its analysis."""
    found = (
        func.sym_name.data
        for func in list_functions(root)
        if any(isinstance(op, ToTensorOp) and op.restrict is None for op in walk(func))
    )
    return tuple(found)
