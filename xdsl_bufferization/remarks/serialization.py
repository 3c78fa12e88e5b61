"""Remarks as data: YAML in LLVM's schema for remarks, and JSON.

YAML has one document per remark, as written by `-fsave-optimization-record`, so that
viewers of LLVM's remarks can read it:

    --- !Missed
    Pass: 'one-shot-bufferize'
    Name: 'Copy'
    DebugLoc: { File: 'update.mlir', Line: 2, Column: 11 }
    Function: 'update'
    Args:
      - String: 'copies 32 bytes: ...'
      - Bytes: '32'
      - Hint: 'move tensor.extract (update.mlir:4:10) before ...'
    ...
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from xdsl_bufferization.remarks.model import Place, Remark


def to_yaml(remarks: Iterable[Remark]) -> str:
    """Return remarks as YAML documents in LLVM's schema."""
    return "".join(map(_document, remarks))


def _document(remark: Remark) -> str:
    lines = [
        f"--- !{remark.kind.capitalize()}",
        f"Pass: {_quoted(remark.pass_name or 'program')}",
        f"Name: {_quoted(remark.name)}",
    ]
    position = remark.place.position
    if position is not None:
        file, line, column = position.rsplit(":", 2)
        lines.append(
            f"DebugLoc: {{ File: {_quoted(file)}, Line: {line}, Column: {column} }}"
        )
    # LLVM's schema wants a function; outside of all there is none to name.
    lines.append(f"Function: {_quoted(remark.place.function or '')}")
    arguments = [("String", remark.message)]
    if remark.bytes is not None:
        arguments.append(("Bytes", str(remark.bytes)))
    if remark.hint is not None:
        arguments.append(("Hint", remark.hint))
    if remark.outside_arena is not None:
        arguments.append(("OutsideArena", remark.outside_arena))
    lines.append("Args:")
    lines += (f"  - {key}: {_quoted(value)}" for key, value in arguments)
    return "\n".join([*lines, "...", ""])


def _quoted(text: str) -> str:
    """A scalar in single quotes, in which only the quote itself has a meaning."""
    return "'" + text.replace("'", "''") + "'"


def to_json(remarks: Iterable[Remark]) -> str:
    """Return remarks as a JSON array of objects."""
    return json.dumps([remark_data(remark) for remark in remarks], indent=1) + "\n"


def remark_data(remark: Remark) -> dict[str, object]:
    """Return a remark as JSON has it."""
    return {
        "kind": remark.kind,
        "pass": remark.pass_name,
        "name": remark.name,
        "message": remark.message,
        "reason": remark.reason.code,
        "hint": remark.hint,
        "outside_arena": remark.outside_arena,
        "bytes": remark.bytes,
        "at": _place_data(remark.place),
        "places": {role: _place_data(place) for role, place in remark.reason.places},
    }


def _place_data(place: Place) -> dict[str, object]:
    position = place.position
    file, line, column = (None, None, None)
    if position is not None:
        file, line, column = position.rsplit(":", 2)
    return {
        "op": place.name,
        "value": place.value,
        "function": place.function,
        "file": file,
        "line": None if line is None else int(line),
        "column": None if column is None else int(column),
    }
