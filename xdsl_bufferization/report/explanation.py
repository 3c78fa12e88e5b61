"""`explain`: explain the result of bufferization."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, UnrankedTensorType
from xdsl.ir import BlockArgument, Operation
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import ArgSpecParseError, PassFailedException

from xdsl_bufferization.guest import take_over
from xdsl_bufferization.large_programs import deep_nesting
from xdsl_bufferization.pipeline_texts import read_passes
from xdsl_bufferization.programs import program
from xdsl_bufferization.remarks.active import collecting
from xdsl_bufferization.remarks.printing import remark_texts
from xdsl_bufferization.report.buffers import BufferGroups
from xdsl_bufferization.report.contents import Contents
from xdsl_bufferization.report.listing import Listing, print_listing, source_listing
from xdsl_bufferization.report.memory import estimate_memory
from xdsl_bufferization.report.page import to_html
from xdsl_bufferization.universe import installed, new_context

DEFAULT_PASSES = "bufferization-pipeline"


class Report(Contents):
    """The contents, as text and, in notebooks, as the page."""

    def __str__(self) -> str:
        lines = [*remark_texts(self.remarks)]
        if self.executed is not None:
            lines += (f"{each}\n" for each in self.executed)
        return "".join(lines) + self.summary

    def _repr_html_(self) -> str:
        """The report in a frame of its own, for notebooks."""
        page = escape(to_html(self), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:40em"></iframe>'


@deep_nesting()
def explain(
    module_or_path: ModuleOp | Path | str,
    passes: str | None = None,
    *,
    context: Context | None = None,
) -> Report:
    """Bufferize a copy of a program, and say why there is each copy and allocation.

    Args:
        module_or_path: a module, which stays as it is, a path, or MLIR text.
        passes: the passes to run, as for `xdsl-opt -p`; `bufferization-pipeline` by
            default, and none where the program has no tensors.

    Raises:
        DiagnosticException: when the program is not valid, or cannot be bufferized.
        OSError: when there is no such file.
    """
    context = new_context() if context is None else context
    module = _read(module_or_path, context)
    if passes is None:
        passes = DEFAULT_PASSES if _has_tensors(module) else ""
    pipeline = _read_passes(passes)

    def run() -> None:
        for each in pipeline:
            each.apply(context, module)

    return report_on(module, passes, run)


def report_on(module: ModuleOp, passes: str, run: Callable[[], None]) -> Report:
    """Report on what `run` makes of a module, which changes.

    Args:
        passes: the words for what is run.
    """
    source = source_listing(module)
    line_of = {id(op.location): line for op, line in source.lines.items()}
    # The locations stay alive with the listing, and so do their ids.
    with collecting(module) as log:
        run()
        remarks = log.remarks(module)
    result = print_listing(module, "result")
    with program(module):
        buffers = BufferGroups(module, result.lines)
        functions = estimate_memory(module, result.lines, buffers)
    return Report(
        passes=passes,
        source=source,
        result=result,
        remarks=tuple(remarks),
        functions=functions,
        buffers=buffers.of_lines,
        links=_links(result, line_of),
    )


def _read(source: ModuleOp | Path | str, context: Context) -> ModuleOp:
    take_over()  # Errors say where they are.
    if isinstance(source, ModuleOp):
        return source.clone()
    text, name = source, "program.mlir"
    if isinstance(source, Path) or ("\n" not in source and source.endswith(".mlir")):
        text, name = Path(source).read_text(), str(source)
    assert isinstance(text, str)
    module = Parser(context, text, name).parse_module()
    module.verify()
    return module


def _read_passes(passes: str) -> Sequence[ModulePass]:
    try:
        return read_passes(installed().all_passes, passes) if passes else ()
    except (PassFailedException, ArgSpecParseError) as error:
        raise PassFailedException(f"passes '{passes}': {error}") from None


def _has_tensors(module: ModuleOp) -> bool:
    return any(
        isinstance(value.type, TensorType | UnrankedTensorType)
        for op in module.walk()
        for value in (*op.results, *_block_arguments(op))
    )


def _block_arguments(op: Operation) -> list[BlockArgument]:
    return [a for region in op.regions for block in region.blocks for a in block.args]


def _links(result: Listing, line_of: dict[int, int]) -> tuple[int, ...]:
    links = [0] * (result.text.count("\n") + 1)
    for op, line in result.lines.items():
        if not links[line - 1]:
            links[line - 1] = line_of.get(id(op.location), 0)
    return tuple(links)
