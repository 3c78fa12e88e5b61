"""The targets bufferization-report and bufferization-remarks of xdsl-opt.

Both work on the program after xdsl-opt's passes. If it still has tensors, `passes` run
on a copy of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from xdsl_bufferization.guest import take_over
from xdsl_bufferization.remarks.serialization import to_json, to_yaml
from xdsl_bufferization.report.explanation import explain
from xdsl_bufferization.report.page import to_html


@dataclass(frozen=True)
class ReportTarget(Target):
    """A page of HTML: the program before and after, copies with reasons, memory."""

    name = "bufferization-report"

    passes: str | None = None

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        take_over()
        output.write(to_html(explain(module, self.passes, context=ctx)))


@dataclass(frozen=True)
class RemarksTarget(Target):
    """All remarks, as YAML in LLVM's schema or as JSON."""

    name = "bufferization-remarks"

    format: Literal["yaml", "json"] = "yaml"
    passes: str | None = None

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        take_over()
        remarks = explain(module, self.passes, context=ctx).remarks
        output.write(to_json(remarks) if self.format == "json" else to_yaml(remarks))
