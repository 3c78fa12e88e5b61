"""Insert tensor copies: make the decisions of an analysis explicit.

Each out-of-place operand is replaced by a copy, bufferization.alloc_tensor, so that
every op can then be bufferized in place:

    %1 = tensor.insert %f into %0[%i]       // out of place
  becomes
    %c = bufferization.alloc_tensor() copy(%0) : tensor<4xf32>
    %1 = tensor.insert %f into %c[%i]

If the contents are not read, only the allocation is inserted.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint

from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.remarks.active import active_log
from xdsl_bufferization.transforms.utils.buffer_snapshots import take_snapshots
from xdsl_bufferization.transforms.utils.known_analyses import take_analysis


def insert_tensor_copies(
    root: Operation, options: BufferizationOptions
) -> OneShotAnalysis:
    """Analyse the program under `root` and insert the copies that it needs.

    Raises:
        PassFailedException: when the program cannot be bufferized under the options.
    """
    take_snapshots(root, options)
    known = take_analysis(root, options)
    prepare(root, DefaultAnalysisState(options))
    analysis = analyze(root, options) if known is None else known
    if (log := active_log()) is not None:
        from xdsl_bufferization.transforms.utils.copy_causes import note_decisions

        note_decisions(root, analysis, log)
    resolve_conflicts(root, analysis)
    return analysis


def prepare(root: Operation, state: DefaultAnalysisState) -> list[tuple[Use, SSAValue]]:
    """Let the models of ops with regions bring the program into a form that they can
    answer for; it computes the same.

    Returns:
        The operands that were replaced, each with what it was, in this order.
    """
    replaced: list[tuple[Use, SSAValue]] = []
    for op in visiting(walk(root)):
        if op.regions:
            model = state.model(op)
            if model is not None:
                replaced.extend(model.prepare(op, state))
    return replaced


def resolve_conflicts(root: Operation, state: DefaultAnalysisState) -> None:
    """Insert the copies that the decisions in `state` ask for. Functions that the options
    exclude from analysis get a copy before every write."""
    options = state.options
    rewriter = BufferizationRewriter(options, state)
    unanalyzed = DefaultAnalysisState(options, state.functions)
    for op in visiting(list(walk(root))):
        model = state.model(op)
        if model is None:
            continue
        decided = state
        if options.no_analysis_func_filter and _is_in_unanalyzed(op, options):
            decided = unanalyzed
        model.resolve_conflicts(op, rewriter, decided)
    for operand in state.copied_for_unknown_ops:
        _copy_for_unknown_op(operand, rewriter)


def _copy_for_unknown_op(operand: Use, rewriter: BufferizationRewriter) -> None:
    op = operand.operation
    with (
        rewriter.insert_at(InsertPoint.before(op)),
        rewriter.because("unknown-op", op, get(operand)),
    ):
        copy = rewriter.allocate_tensor(get(operand))
    rewriter.set_operand(op, operand.index, copy)


def _is_in_unanalyzed(op: Operation, options: BufferizationOptions) -> bool:
    parent: Operation | None = op
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    return parent is not None and parent.sym_name.data in options.no_analysis_func_filter
