"""The report as one page of HTML that needs no network.

The page is a template with a script, into which the data is inserted as JSON. The
script creates an element for each line of a program when the page is opened, so that
the file stays small.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from importlib.resources import files

from xdsl_bufferization.remarks.model import Remark, format_bytes
from xdsl_bufferization.report.contents import Contents, Executed
from xdsl_bufferization.report.memory import FunctionMemory

_PLACE_OF_DATA = "/*DATA*/null"


def to_html(report: Contents) -> str:
    """Return the page."""
    template = files("xdsl_bufferization.report").joinpath("template.html").read_text()
    return template.replace(_PLACE_OF_DATA, _as_script(_data(report)))


def _as_script(data: object) -> str:
    """JSON that can stand in a script: nothing in it ends the element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _data(report: Contents) -> dict[str, object]:
    lines = report.result.lines
    there = [(remark, lines[remark.op]) for remark in report.remarks if remark.op]
    source_lines = {id(op.location): line for op, line in report.source.lines.items()}
    passed = Counter(
        line
        for remark in report.remarks
        if remark.subject == "in-place"
        and (line := source_lines.get(id(remark.place.location))) is not None
    )
    executed = {each.remark: each for each in report.executed or ()}
    return {
        "name": report.source.name,
        "passes": report.passes,
        "summary": report.summary,
        "source": report.source.text,
        "first": report.source.first_line,
        "result": report.result.text,
        "links": report.links,
        "buffers": sorted(report.buffers.items()),
        "remarks": [
            _remark_row(remark, line, executed.get(remark)) for remark, line in there
        ],
        "passed": sorted(passed.items()),
        "functions": [_function_data(memory) for memory in report.functions],
    }


def _remark_row(
    remark: Remark, line: int, executed: Executed | None
) -> dict[str, object]:
    """What the page shows of a remark; `line` is that of the result."""
    counted = {} if executed is None else {"times": executed.times, "sum": executed.bytes}
    return {
        **counted,
        "line": line,
        "kind": remark.kind,
        "subject": remark.subject,
        "bytes": remark.bytes,
        "type": remark.type,
        "at": remark.place.position,
        "function": remark.place.function,
        "why": remark.reason.text,
        "hint": remark.hint,
        "pass": remark.pass_name,
    }


def _function_data(memory: FunctionMemory) -> dict[str, object]:
    peak = memory.peak
    at_least = "" if peak.is_complete else "at least "
    return {
        "name": memory.name,
        "allocations": [asdict(allocation) for allocation in memory.allocations],
        "planned": [asdict(buffer) for buffer in memory.planned],
        "peak": peak.bytes,
        "peakText": f"{at_least}{format_bytes(peak.bytes)}",
        "peakLine": peak.line,
        "live": [memory.allocations.index(a) for a in peak.live],
    }
