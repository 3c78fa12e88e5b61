"""One-Shot Bufferize as a function of a program and options."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.dominance import check_dominance
from xdsl_bufferization.analysis.one_shot.model_mistakes import naming_model_mistakes
from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.utils.analysis_annotations import annotate
from xdsl_bufferization.transforms.utils.buffer_snapshots import take_snapshots
from xdsl_bufferization.transforms.utils.bufferize import (
    BufferizationStatistics,
    bufferize_op,
)
from xdsl_bufferization.transforms.utils.tensor_copy_insertion import (
    insert_tensor_copies,
    prepare,
)


def check_options(options: BufferizationOptions) -> None:
    """Raise PassFailedException for options that exclude each other."""
    name = "one-shot-bufferize"
    if options.no_analysis_func_filter and not options.bufferize_function_boundaries:
        raise PassFailedException(
            f"{name}: no-analysis-func-filter leaves functions out of the analysis of "
            "calls; give bufferize-function-boundaries too"
        )
    if options.copy_before_write and options.test_analysis_only:
        raise PassFailedException(
            f"{name}: copy-before-write makes no analysis that test-analysis-only could "
            "show; give one of them"
        )
    if options.print_conflicts and not options.test_analysis_only:
        raise PassFailedException(
            f"{name}: print-conflicts annotates the analysed tensor program; give "
            "test-analysis-only too"
        )
    if options.dump_alias_sets and not options.test_analysis_only:
        raise PassFailedException(
            f"{name}: dump-alias-sets annotates the analysed tensor program; give "
            "test-analysis-only too"
        )
    if options.must_infer_memory_space and options.use_encoding_for_memory_space:
        raise PassFailedException(
            f"{name}: must-infer-memory-space and use-encoding-for-memory-space exclude "
            "each other"
        )


@on_program
def run_one_shot_bufferize(
    root: Operation, options: BufferizationOptions | None = None
) -> BufferizationStatistics:
    """Analyse and bufferize everything under `root`; with `test_analysis_only`, annotate
    it with the decisions instead.

    Raises:
        PassFailedException: when the program cannot be bufferized under the options. The
            program is then to be discarded.
    """
    options = BufferizationOptions() if options is None else options
    check_options(options)
    with naming_model_mistakes(root):
        return _run(root, options)


def _run(root: Operation, options: BufferizationOptions) -> BufferizationStatistics:
    if options.copy_before_write:
        check_dominance(root)
        take_snapshots(root, options)
        return bufferize_op(root, options)
    if options.test_analysis_only:
        take_snapshots(root, options)
        prepare(root, DefaultAnalysisState(options))
        analysis = analyze(root, options)
        annotate(root, analysis)
        return BufferizationStatistics(
            num_tensor_in_place=analysis.num_tensor_in_place,
            num_tensor_out_of_place=analysis.num_tensor_out_of_place,
        )
    analysis = insert_tensor_copies(root, options)
    statistics = bufferize_op(root, options)
    statistics.num_tensor_in_place = analysis.num_tensor_in_place
    statistics.num_tensor_out_of_place = analysis.num_tensor_out_of_place
    return statistics
