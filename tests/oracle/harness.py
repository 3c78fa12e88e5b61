"""Comparison with mlir-opt: the library that all tests against the oracle use.

A comparison runs the same passes on the same program twice, through mlir-opt and through
xDSL with this package (in this process), and demands that both agree. Programs live in
`.mlir` files, several in one file with `// -----` between them, and each becomes a test
of its own:

    from tests.oracle.harness import Comparison, compare

    FUNCTIONS = "one-shot-bufferize{bufferize-function-boundaries}"

    @compare("tensor_insert.mlir", FUNCTIONS)
    def test_ir(comparison: Comparison) -> None:
        comparison.same_ir()

    @compare("tensor_insert.mlir", analysis_only(FUNCTIONS))
    def test_decisions(comparison: Comparison) -> None:
        comparison.same_inplace()

    @compare("rejected.mlir", FUNCTIONS)
    def test_errors(comparison: Comparison) -> None:
        comparison.both_reject()

A path is relative to the test's file; a folder stands for all `.mlir` files in it, in
order. The pipeline is written as for xdsl-opt; mlir-opt gets the same passes and options
as flags, so function passes nest by themselves. `mlir_passes=` gives mlir-opt another
pipeline where names differ. Without a pipeline, each program states its own in a comment
(see below).

Checks
  same_inplace()      after test-analysis-only: `__inplace_operands_attr__` of every op
  same_analysis()     the same, with the function summaries and whatever else is printed
  same_ir()           IR equal after `mlir-opt --canonicalize --cse` on both sides;
                      names of symbols that passes generate may differ
  both_reject()       both refuse the program, ours with a diagnostic
  accepted()          ours is accepted by mlir-opt, whatever mlir-opt itself makes of it
and `comparison.ours.text`, `comparison.reference.text` for anything else, for example
`count_ops(comparison.ours.text)["memref.alloc"]`.

Comments inside a program that steer its check
  // PASSES: ...           the pipeline; in the first program of a file: for all of them
  // REJECTED: regex       both must refuse it; the regex is searched in our message
  // MLIR-REJECTS: why     mlir-opt refuses or crashes, we accept: ours must be accepted()
  // DIFFERS: why          results differ, and it is known why. The check fails when they
                           no longer do, so a stale note cannot survive.
A test may state the same in Python: `differs={"function_name": "why"}`. A program's name
is that of its first symbol.

For programs that are not in files (random ones, say): `comparisons(split_programs(text),
passes)` and `run()` of one of them gives the same objects. Below that, `Outcome`s come
from `mlir_opt(programs, *flags)`, which runs many programs in one process, and from
`xdsl_opt(program, pipeline)`.

tests/oracle/location.py finds mlir-opt 22. When there is none, these tests are skipped
with that reason; `pytest --require-mlir-opt` makes it an error.
"""

from __future__ import annotations

import difflib
import inspect
import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.tools import (
    SEPARATOR,
    SYMBOL,
    Outcome,
    analysis_only,
    count_buffer_ops,
    count_ops,
    mlir_flags,
    mlir_opt,
    parse,
    rename_generated_symbols,
    requires_mlir_opt,
    run_passes,
    to_text,
    without_summaries,
    xdsl_opt,
)

__all__ = [
    "Comparison",
    "Outcome",
    "Program",
    "analysis_only",
    "compare",
    "comparisons",
    "count_buffer_ops",
    "count_ops",
    "mlir_flags",
    "mlir_opt",
    "parse",
    "read_programs",
    "rename_generated_symbols",
    "requires_mlir_opt",
    "run_passes",
    "split_programs",
    "to_text",
    "without_summaries",
    "xdsl_opt",
]

# ---------------------------------------------------------------------------------------
# Programs

_DIRECTIVE = re.compile(
    r"^\s*// (PASSES|REJECTED|MLIR-REJECTS|DIFFERS):\s*(.*?)\s*$", re.MULTILINE
)


@dataclass(frozen=True)
class Program:
    """One program of a file, and what its comments say about it."""

    name: str
    text: str
    path: Path
    line: int
    directives: Mapping[str, str] = field(default_factory=dict)


def read_programs(path: Path) -> list[Program]:
    """The programs of a file, or of all files of a folder, in order."""
    if path.is_dir():
        return [p for file in sorted(path.glob("*.mlir")) for p in read_programs(file)]
    return split_programs(path.read_text(), path)


def split_programs(text: str, path: Path = Path("<text>")) -> list[Program]:
    """The programs of a text, between its separators."""
    programs: list[Program] = []
    shared: dict[str, str] = {}
    line = 1
    for chunk in re.split(rf"^{SEPARATOR}.*$", text, flags=re.MULTILINE):
        directives = dict(_DIRECTIVE.findall(chunk))
        if line == 1 and "PASSES" in directives:
            shared = {"PASSES": directives["PASSES"]}
        code = re.sub(r"//.*", "", chunk)
        if code.strip():
            symbol = SYMBOL.search(code)
            name = symbol[1].strip('"') if symbol else f"line_{line}"
            programs.append(Program(name, chunk, path, line, {**shared, **directives}))
        line += chunk.count("\n")
    return programs


# ---------------------------------------------------------------------------------------
# Comparisons


@dataclass
class _Batch:
    """Comparisons of one test function: the tools run once for all that are selected."""

    comparisons: list[Comparison] = field(default_factory=list)
    done: bool = False

    def selected(self) -> list[Comparison]:
        return [c for c in self.comparisons if c.selected] or self.comparisons

    def run(self) -> None:
        if self.done:
            return
        self.done = True
        selected = self.selected()
        groups: dict[tuple[str, ...], list[Comparison]] = {}
        for comparison in selected:
            groups.setdefault(comparison.flags, []).append(comparison)
        for flags, group in groups.items():
            outcomes = mlir_opt([c.program.text for c in group], *flags)
            for comparison, outcome in zip(group, outcomes, strict=True):
                comparison.reference = outcome
        for comparison in selected:
            comparison.ours = xdsl_opt(
                comparison.program.text,
                comparison.passes,
                allow_unregistered=comparison.allow_unregistered,
            )

    def print_again(self, flags: tuple[str, ...]) -> None:
        """Has mlir-opt print the results of both sides, after passes."""
        texts = [
            (comparison, side, outcome.text)
            for comparison in self.selected()
            for side, outcome in enumerate((comparison.reference, comparison.ours))
            if outcome.accepted
        ]
        for comparison in self.selected():
            comparison.printed[flags] = {}
        outcomes = mlir_opt(
            [text for _, _, text in texts], "--allow-unregistered-dialect", *flags
        )
        for (comparison, side, _), outcome in zip(texts, outcomes, strict=True):
            comparison.printed[flags][side] = outcome


@dataclass
class Comparison:
    """One program under one pipeline, through mlir-opt and through this package."""

    program: Program
    passes: str
    flags: tuple[str, ...]
    allow_unregistered: bool
    differs: str | None
    batch: _Batch = field(repr=False)
    selected: bool = False
    """pytest is going to run it; the others of its batch are left out."""
    reference: Outcome = field(default_factory=Outcome)
    """What mlir-opt made of it."""
    ours: Outcome = field(default_factory=Outcome)
    printed: dict[tuple[str, ...], dict[int, Outcome]] = field(default_factory=dict)
    """By the passes that mlir-opt ran on them: reference (0) and ours (1)."""

    def run(self) -> None:
        """Runs the tools, for all comparisons of the batch. pytest does it by itself."""
        self.batch.run()

    @property
    def plain(self) -> Mapping[int, Outcome]:
        """Reference (0) and ours (1), as mlir-opt prints them."""
        return self._printed_after()

    @property
    def clean(self) -> Mapping[int, Outcome]:
        """The same after canonicalization and CSE."""
        return self._printed_after("--canonicalize", "--cse")

    def _printed_after(self, *flags: str) -> Mapping[int, Outcome]:
        if flags not in self.printed:
            self.batch.print_again(flags)
        return self.printed[flags]

    def same_ir(self) -> None:
        """Demands equal IR, once mlir-opt has canonicalized and simplified both."""
        self._agree(self.clean, lambda t: rename_generated_symbols(t, self.program.text))

    def same_inplace(self) -> None:
        """Demands equal decisions: in place or not, for every operand of every op."""
        self._agree(self.plain, without_summaries)

    def same_analysis(self) -> None:
        """Demands equal analysis results, function summaries included."""
        self._agree(self.plain, lambda text: text)

    def both_reject(self, match: str = "") -> None:
        """Demands that both refuse the program, and that our message matches."""
        if self.reference.accepted:
            self.fail(f"mlir-opt accepts it and gives\n{self.reference.text}")
        if self.ours.accepted:
            self.fail(
                f"mlir-opt says\n{self.reference.error}\n"
                f"but it is accepted here and gives\n{self.ours.text}"
            )
        if self.ours.crashed:
            self.fail(f"refused, but not with a diagnostic:\n{self.ours.error}")
        if not re.search(match, self.ours.error or ""):
            self.fail(f"{match!r} is not in our diagnostic:\n{self.ours.error}")

    def accepted(self) -> None:
        """Demands that our result is valid IR to mlir-opt."""
        self._accepted(self.plain)

    def _accepted(self, outcomes: Mapping[int, Outcome]) -> None:
        if self.ours.error is not None:
            self.fail(f"rejected here:\n{self.ours.error}")
        if outcomes[1].error is not None:
            self.fail(
                f"mlir-opt rejects our output:\n{outcomes[1].error}\n{self.ours.text}"
            )

    def _agree(
        self, outcomes: Mapping[int, Outcome], prepare: Callable[[str], str]
    ) -> None:
        directives = self.program.directives
        if "REJECTED" in directives:
            self.both_reject(directives["REJECTED"])
            return
        if "MLIR-REJECTS" in directives:
            if self.reference.accepted:
                self.fail("mlir-opt no longer rejects it: remove MLIR-REJECTS")
            self._accepted(outcomes)
            return
        if self.reference.error is not None:
            self.fail(
                f"mlir-opt rejects it: say so with REJECTED or MLIR-REJECTS\n"
                f"{self.reference.error}\nours:\n{self.ours.error or self.ours.text}"
            )
        if self.differs is None or self.ours.accepted:
            self._accepted(outcomes)
        if self.differs is not None and self.ours.crashed:
            self.fail(f"not a diagnostic:\n{self.ours.error}")
        sides = [outcomes[side] for side in range(2) if side in outcomes]
        for outcome in sides:
            if outcome.error is not None:
                self.fail(f"mlir-opt fails to clean up\n{outcome.error}")
        texts = [prepare(outcome.text) for outcome in sides]
        same = len(texts) == 2 and texts[0] == texts[1]
        if self.differs is not None and same:
            self.fail(f"no longer differs, though noted as: {self.differs}")
        if self.differs is None and not same:
            self.fail(_diff(*texts))

    def fail(self, reason: str) -> None:
        """Fails the test, with what is needed to look into it by hand."""
        where = f"{self.program.path}:{self.program.line}"
        pytest.fail(
            f"@{self.program.name} ({where})\n\n{reason}\n"
            f"\nprogram\n{_indent(self.program.text)}\n"
            f"repeat with\n  mlir-opt {shlex.join(self.flags)}\n"
            f"  xdsl-opt -p {shlex.quote(self.passes)}",
            pytrace=False,
        )


def _diff(reference: str, ours: str) -> str:
    lines = difflib.unified_diff(
        reference.splitlines(), ours.splitlines(), "mlir-opt", "ours", n=100, lineterm=""
    )
    return "\n".join(lines)


def _indent(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.strip("\n").splitlines())


def comparisons(
    programs: Sequence[Program],
    passes: str | None = None,
    *,
    mlir_passes: str | None = None,
    allow_unregistered: bool = False,
    differs: Mapping[str, str] | None = None,
) -> list[Comparison]:
    """One comparison per program; the tools run when the first check is made."""
    differs = differs or {}
    batch = _Batch()
    for program in programs:
        pipeline = passes if passes is not None else program.directives.get("PASSES")
        if pipeline is None:
            raise ValueError(f"{program.path}:{program.line}: no pipeline is given")
        flags = mlir_flags(mlir_passes if mlir_passes is not None else pipeline)
        if allow_unregistered:
            flags = ("--allow-unregistered-dialect", *flags)
        batch.comparisons.append(
            Comparison(
                program,
                pipeline,
                flags,
                allow_unregistered,
                differs.get(program.name, program.directives.get("DIFFERS")),
                batch,
            )
        )
    unknown = differs.keys() - {program.name for program in programs}
    if unknown:
        raise ValueError(f"no program is named {sorted(unknown)}")
    return batch.comparisons


def compare(
    path: str,
    passes: str | None = None,
    *,
    mlir_passes: str | None = None,
    allow_unregistered: bool = False,
    differs: Mapping[str, str] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Turns a test function into one test per program of a file or folder.

    The test takes one argument, `comparison`. See the top of this file.
    """
    place = Path(inspect.stack()[1].filename).parent / path
    programs = read_programs(place)
    if not programs:
        raise ValueError(f"{place} holds no program")
    names: Counter[str] = Counter()
    ids: list[str] = []
    for program in programs:
        name = f"{program.path.stem}-{program.name}" if place.is_dir() else program.name
        names[name] += 1
        ids.append(name if names[name] == 1 else f"{name}-{names[name]}")
    parameters = comparisons(
        programs,
        passes,
        mlir_passes=mlir_passes,
        allow_unregistered=allow_unregistered,
        differs=differs,
    )

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        mark = pytest.mark.parametrize("comparison", parameters, ids=ids, indirect=True)
        return requires_mlir_opt(mark(test))

    return decorate
