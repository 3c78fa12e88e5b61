"""Reasons for the copies of compiled code, and their run-time counts:
Module.explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl_bufferization.jit.counting import OpCount
from xdsl_bufferization.jit.lowering import load_source, read_pipeline
from xdsl_bufferization.jit.memory_counts import list_counted
from xdsl_bufferization.jit.origin import Origin
from xdsl_bufferization.jit.stages import Stages, prepare_functions
from xdsl_bufferization.report.contents import Executed
from xdsl_bufferization.report.explanation import Report, report_on


def explain_compiled(origin: Origin, counts: Sequence[OpCount] | None) -> Report:
    """Run the passes on the program again, as far as it is on buffers, with remarks.

    Args:
        counts: what each op that reports has done, in their order.
    """
    from xdsl_bufferization.universe import new_context

    context = new_context() if origin.context is None else origin.context
    passes = read_pipeline(origin.options.pipeline)
    module, _ = load_source(origin.source, context, origin.name)
    words = origin.options.pipeline
    if not isinstance(words, str):
        words = ",".join(each.name for each in passes)

    def run() -> None:
        prepare_functions(module, origin.options, origin.in_python)
        Stages(module, origin.options, context).run_to_buffers(passes)

    report = report_on(module, words, run)
    if counts is None:
        return report
    remark_of = {remark.op: remark for remark in report.remarks if remark.op is not None}
    executed = [
        Executed(remark_of[op], *count)
        for op, count in zip(list_counted(module), counts, strict=True)
    ]
    return replace(report, executed=tuple(executed))
