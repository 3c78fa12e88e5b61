"""Writes docs/passes.md from the docstrings and options of the passes.

python scripts/generate_pass_docs.py            write
python scripts/generate_pass_docs.py --check    fail when they are not up to date
"""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import re
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from xdsl.passes import ModulePass

from xdsl_bufferization.pipelines import Pipeline
from xdsl_bufferization.universe import BUFFERIZATION_UNIVERSE

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "passes.md"

NOT_IN_MLIR_OPT = {
    # passes of our own, and passes that MLIR had once and users still know
    "arith-bufferize",
    "buffer-deallocation",
    "bufferization-bufferize",
    "bufferization-pipeline",
    "build-in-destination",
    "canonicalize-control-flow",
    "coalesce-copies",
    "copy-removal",
    "decompose-tensor-concat",
    "fill-copied-splats",
    "fold-ownership-conditions",
    "hoist-loop-allocations",
    "move-reads-before-writes",
    "noalias-tensor-arguments",
    "finalizing-bufferize",
    "plan-memory",
    "promote-repeated-allocations",
    "reorder-for-peak-memory",
    "verify-memory-plan",
    "func-bufferize",
    "linalg-bufferize",
    "lower-to-llvm-pipeline",
    "remove-unread-buffers",
    "remove-unused-values",
    "reuse-freed-buffers",
    "reuse-loop-buffers",
    "copy-in-branches",
    "sequence-disjoint-updates",
    "split-copying-edges",
    "split-empty-tensors",
    "fold-copies-into-updates",
    "return-new-tensors",
    "rewrite-in-destination-passing-style",
    "scf-bufferize",
    "tensor-bufferize",
    "tensor-to-llvm-pipeline",
    "vector-bufferize",
    "verify-bufferization",
    "verify-deallocation",
}

ROOMS = {
    "pipelines": "Pipelines",
    "transforms": "Passes on tensors and buffers",
    "conversion": "Conversions to other dialects",
}

HEADER = """\
# Passes

All passes that this package adds to `xdsl-opt`. Options are given as `pass{option=value
flag}`; a flag alone means true, and a list is written `a,b,c`. Names and options are
those of mlir-opt 22 if it has the pass.

<!-- Written by scripts/generate_pass_docs.py from the docstrings: edit those. -->
"""


def main() -> int:
    wanted = "\n".join(render(passes()))
    current = PAGE.read_text() if PAGE.exists() else ""
    if current == wanted:
        return 0
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(wanted)
        return 0
    lines = (current.splitlines(), wanted.splitlines())
    print(*difflib.unified_diff(*lines, PAGE.name, "docstrings", lineterm=""), sep="\n")
    print(f"{PAGE.name} is not up to date: run `make docs`")
    return 1


def passes() -> dict[str, type[ModulePass]]:
    loaders = BUFFERIZATION_UNIVERSE.all_passes
    return {name: loaders[name]() for name in sorted(loaders)}


def in_room(room: str, all_passes: dict[str, type[ModulePass]]) -> list[type[ModulePass]]:
    return [p for p in all_passes.values() if p.__module__.split(".")[1] == room]


def render(all_passes: dict[str, type[ModulePass]]) -> Iterable[str]:
    yield HEADER
    for room, title in ROOMS.items():
        yield f"**{title}**\n"
        yield "| pass | does | in mlir-opt 22 |"
        yield "| --- | --- | --- |"
        for pass_class in in_room(room, all_passes):
            name = pass_class.name
            known = "" if name in NOT_IN_MLIR_OPT else "yes"
            yield f"| [`{name}`](#{name}) | {summary(pass_class)} | {known} |"
        yield ""
    for room, title in ROOMS.items():
        yield f"## {title}\n"
        for pass_class in in_room(room, all_passes):
            yield from section(pass_class)


def section(pass_class: type[ModulePass]) -> Iterable[str]:
    text, meanings = documentation(pass_class)
    yield f"### {pass_class.name}\n"
    yield text + "\n"
    rows = list(options(pass_class, meanings))
    if rows:
        yield "| option | type | default | |"
        yield "| --- | --- | --- | --- |"
        yield from rows
        yield ""
    steps = expansion(pass_class)
    if steps:
        yield "Expands to\n"
        yield "```\n" + ",\n".join(steps) + "\n```\n"


def documentation(pass_class: type[ModulePass]) -> tuple[str, dict[str, str]]:
    """The docstring as Markdown, and what its list of options says about each."""
    text = inspect.cleandoc(pass_class.__doc__ or "")
    before, *found = re.split(
        r"^Options\b[^\n]*:\n", text, maxsplit=1, flags=re.MULTILINE
    )
    after = "".join(found)
    listed, _, rest = after.lstrip("\n").partition("\n\n")
    meanings = {
        found[1].replace("_", "-"): " ".join(found[2].split())
        for found in re.finditer(
            r"^(?:- )?`?([\w-]+)`?: (.*(?:\n +.*)*)",
            textwrap.dedent(listed),
            re.MULTILINE,
        )
    }
    names = {field.name.replace("_", "-") for field in option_fields(pass_class)}
    if names != meanings.keys():
        wrong = ", ".join(sorted(names ^ meanings.keys()))
        sys.exit(
            f"{pass_class.__name__}: its options are not those it documents: {wrong}"
        )
    return _fenced(f"{before.rstrip()}\n\n{rest}"), meanings


def summary(pass_class: type[ModulePass]) -> str:
    """The first sentence of the docstring."""
    first = " ".join(inspect.cleandoc(pass_class.__doc__ or "").split("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", first)[0].rstrip(".:") + "."


def option_fields(pass_class: type[ModulePass]) -> list[dataclasses.Field[Any]]:
    fields = dataclasses.fields(pass_class)
    return [field for field in fields if field.init and field.name != "name"]


def options(pass_class: type[ModulePass], meanings: dict[str, str]) -> Iterable[str]:
    hints = get_type_hints(pass_class)
    for field in option_fields(pass_class):
        option = field.name.replace("_", "-")
        yield (
            f"| `{option}` | {type_name(hints[field.name])} | {default(field)} "
            f"| {meanings.get(option, '')} |"
        )


def type_name(hint: Any) -> str:
    if get_origin(hint) is Literal:
        *others, last = (f"`{choice}`" for choice in get_args(hint))
        return f"{', '.join(others)} or {last}"
    text = hint.__name__ if isinstance(hint, type) and "[" not in str(hint) else str(hint)
    text = re.sub(r"tuple\[(\w+), \.\.\.\]( \| \1)?", r"list of \1", text)
    return text.replace("typing.", "").replace(" | None", ", optional").replace("|", "or")


def default(field: dataclasses.Field[Any]) -> str:
    if field.default_factory is not dataclasses.MISSING:
        value = field.default_factory()
    elif field.default is not dataclasses.MISSING:
        value = field.default
    else:
        return "required"
    if value is None or value == () or value == "":
        return "none"
    if isinstance(value, tuple):
        return "`" + ",".join(str(item) for item in value) + "`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def expansion(pass_class: type[ModulePass]) -> list[str]:
    """The passes that a pipeline with its default options consists of."""
    if not issubclass(pass_class, Pipeline):
        return []
    return [str(step.spec()) for step in pass_class().get_passes()]


def _fenced(text: str) -> str:
    """Turns blocks indented by four spaces into fenced ones, as reStructuredText has them
    after `::`. What is fenced already, and continued list items, are left alone.
    """
    lines: list[str] = []
    code: list[str] = []
    inside = False
    for line in [*text.split("\n"), "end"]:
        if line.lstrip().startswith("```"):
            inside = not inside
        after_blank = not lines or not lines[-1].strip()
        if not inside and line.startswith("    ") and (code or after_blank):
            code.append(line)
        elif code and not line.strip():
            code.append("")
        else:
            if code:
                body = inspect.cleandoc("\n".join(["", *code])).rstrip()
                lines += ["```mlir", body, "```", ""]
                code = []
            lines.append(re.sub(r"::$", ":", line))
    return "\n".join(lines[:-1]).rstrip()


if __name__ == "__main__":
    sys.exit(main())
