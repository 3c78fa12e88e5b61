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

The path of mlir-opt 22 is read from XDSL_MLIR_OPT. When it is not set, these tests are
skipped with that reason; `pytest --require-mlir-opt` makes it an error.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import os
import re
import shlex
import signal
import subprocess
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.printer import Printer
from xdsl.universe import Universe
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import DiagnosticException, ParseError

from xdsl_bufferization.universe import new_context

MLIR_VERSION = "22"
SEPARATOR = "// -----"
BATCH_TIMEOUT = 240.0
PROGRAM_TIMEOUT = 60.0

# ---------------------------------------------------------------------------------------
# The tools


@functools.cache
def missing_oracle() -> str | None:
    """Why mlir-opt cannot be asked, or None when it can."""
    path = os.environ.get("XDSL_MLIR_OPT")
    if not path:
        return "XDSL_MLIR_OPT is not set: set it to the path of mlir-opt 22"
    try:
        version = subprocess.run(
            [path, "--version"], check=False, capture_output=True, text=True, timeout=60
        ).stdout
    except OSError as error:
        return f"XDSL_MLIR_OPT={path} does not run: {error}"
    if f"version {MLIR_VERSION}." not in version:
        return f"XDSL_MLIR_OPT={path} is not version {MLIR_VERSION}"
    return None


requires_mlir_opt = pytest.mark.oracle
"""Marks a test that asks mlir-opt; tests/conftest.py skips it when there is none."""


def mlir_tool(name: str) -> str:
    """The path of another tool of the same MLIR build, such as `mlir-runner`."""
    folder, file = os.path.split(os.environ["XDSL_MLIR_OPT"])
    return os.path.join(folder, file.replace("mlir-opt", name))


@dataclass(frozen=True)
class Outcome:
    """What a tool made of one program: its output, or why it refused."""

    text: str = ""
    error: str | None = None
    crashed: bool = False
    """It neither accepted the program nor refused it with a diagnostic."""

    @property
    def accepted(self) -> bool:
        return self.error is None


def mlir_opt(programs: Sequence[str], *flags: str) -> list[Outcome]:
    """Runs mlir-opt on each of the programs, in one process where that is possible."""
    if not programs:
        return []
    source = f"\n{SEPARATOR}\n".join(programs)
    code, out, _ = _run_mlir_opt(source, ("--split-input-file", *flags), BATCH_TIMEOUT)
    # A chunk that is refused leaves an empty output between its separators. A crash or
    # a timeout leaves no telling which program it was, so each is asked by itself.
    chunks = re.split(rf"^{SEPARATOR}\n", out, flags=re.MULTILINE)
    if code in (0, 1) and len(chunks) == len(programs):
        return [
            Outcome(chunk.strip() + "\n")
            if chunk.strip()
            else _mlir_opt_alone(program, flags)
            for program, chunk in zip(programs, chunks, strict=True)
        ]
    return [_mlir_opt_alone(program, flags) for program in programs]


def _mlir_opt_alone(program: str, flags: Sequence[str]) -> Outcome:
    code, out, errors = _run_mlir_opt(program, flags, PROGRAM_TIMEOUT)
    if code == 0:
        return Outcome(out)
    crashed = code != 1
    reason = f"mlir-opt ended with code {code}\n{errors}" if crashed else errors
    return Outcome(error=reason, crashed=crashed)


def _run_mlir_opt(
    source: str, flags: Sequence[str], timeout: float
) -> tuple[int, str, str]:
    command = [os.environ["XDSL_MLIR_OPT"], "--mlir-disable-threading", *flags]
    try:
        done = subprocess.run(
            command,
            check=False,
            input=source,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        return 124, "", f"no answer within {timeout:.0f} s"
    return done.returncode, done.stdout, done.stderr


def xdsl_opt(
    program: str, pipeline: str = "", *, allow_unregistered: bool = False
) -> Outcome:
    """Parses, verifies, transforms and prints a program, as xdsl-opt would.

    A diagnostic is an outcome; any other exception is one too, marked as a crash.
    """
    try:
        with _time_limit(PROGRAM_TIMEOUT):
            ctx, module = parse(program, allow_unregistered=allow_unregistered)
            run_passes(ctx, module, pipeline)
            return Outcome(to_text(module))
    except (DiagnosticException, ParseError) as error:
        return Outcome(error=f"{type(error).__name__}: {error}")
    except Exception:
        return Outcome(error=traceback.format_exc(), crashed=True)


def parse(program: str, *, allow_unregistered: bool = False) -> tuple[Context, ModuleOp]:
    """A verified module, and the context it was parsed in."""
    ctx = new_context()
    ctx.allow_unregistered = allow_unregistered
    module = Parser(ctx, program).parse_module()
    module.verify()
    return ctx, module


def run_passes(ctx: Context, module: ModuleOp, pipeline: str) -> None:
    """Runs a pipeline in xdsl-opt's syntax, verifying after each pass."""

    def verify(previous: object, current: ModuleOp, following: object) -> None:
        if previous is not None:
            current.verify()

    passes = Universe.get_multiverse().all_passes
    PassPipeline.parse_spec(passes, pipeline, verify).apply(ctx, module)


def to_text(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue() + "\n"


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """A program that never ends is a failure of its own test, not of the whole run."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def expire(*_: object) -> None:
        raise TimeoutError(f"not done within {seconds:.0f} s")

    previous = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


# ---------------------------------------------------------------------------------------
# Pipelines


def mlir_flags(pipeline: str) -> tuple[str, ...]:
    """A pipeline in xdsl-opt's syntax as command-line flags of mlir-opt.

    >>> mlir_flags("one-shot-bufferize{test-analysis-only},cse")
    ('--one-shot-bufferize=test-analysis-only', '--cse')
    """
    return tuple(_mlir_flag(spec) for spec in parse_pipeline(pipeline))


def _mlir_flag(spec: ArgSpec) -> str:
    options = (
        f"{key}={','.join(_mlir_value(value) for value in values)}" if values else key
        for key, values in spec.parameters.items()
    )
    text = " ".join(option.replace("_", "-", 1) for option in options)
    return f"--{spec.name}={text}" if text else f"--{spec.name}"


def _mlir_value(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def analysis_only(pipeline: str) -> str:
    """The pipeline with its one-shot-bufferize stopped after the analysis."""
    return re.sub(
        r"one-shot-bufferize(?:\{([^}]*)\})?",
        lambda found: (
            "one-shot-bufferize{"
            + " ".join(filter(None, (found[1], "test-analysis-only")))
            + "}"
        ),
        pipeline,
    )


# ---------------------------------------------------------------------------------------
# Text that can be compared

_ATTRIBUTE_VALUE = r'(?:\[[^\]]*\]|"[^"]*"|[^,}\s]+)'
_SUMMARIES = re.compile(
    r"(?:bufferization\.access|__equivalent_func_args__|__\w*alias_set_attr__)"
    rf" = {_ATTRIBUTE_VALUE}(?:, )?"
)
_DEFINED_SYMBOL = re.compile(
    r'(?:func\.func|memref\.global|llvm\.func|llvm\.mlir\.global)\b[^@\n]*@([\w$.]+|"[^"]*")'
)
_SYMBOL = re.compile(r'@([\w$.]+|"[^"]*")')
_OPERATION = re.compile(r'^\s*(?:%[^=]*= )?"?([a-zA-Z_][\w$.]*)', re.MULTILINE)
_SHORT_NAMES = {"return": "func.return", "call": "func.call", "module": "builtin.module"}


def count_ops(text: str) -> Counter[str]:
    """How many ops of each name IR printed by mlir-opt or xDSL holds."""
    names = (_SHORT_NAMES.get(name, name) for name in _OPERATION.findall(text))
    return Counter(name for name in names if "." in name)


def count_buffer_ops(text: str) -> dict[str, int]:
    """Allocations, copies and frees, the figures bufferization is judged by."""
    counts = count_ops(text)
    names = ("memref.alloc", "memref.copy", "memref.dealloc", "bufferization.dealloc")
    return {name: counts[name] for name in names}


def without_summaries(text: str) -> str:
    """Analysis output without what describes functions rather than decisions."""
    text = _SUMMARIES.sub("", text)
    return text.replace(", }", "}").replace(" {}", "")


def rename_generated_symbols(text: str, program: str) -> str:
    """Numbers the symbols that are not in the program, in order of appearance."""
    known = set(_SYMBOL.findall(program))
    generated = {
        name: f"generated_{number}"
        for number, name in enumerate(
            dict.fromkeys(n for n in _DEFINED_SYMBOL.findall(text) if n not in known)
        )
    }
    return _SYMBOL.sub(lambda found: "@" + generated.get(found[1], found[1]), text)


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
            symbol = _SYMBOL.search(code)
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

    def run(self) -> None:
        if self.done:
            return
        self.done = True
        selected = [c for c in self.comparisons if c.selected] or self.comparisons
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
        unregistered = ("--allow-unregistered-dialect",)
        for flags, attribute in (((), "plain"), (("--canonicalize", "--cse"), "clean")):
            texts = [
                (comparison, side, outcome.text)
                for comparison in selected
                for side, outcome in enumerate((comparison.reference, comparison.ours))
                if outcome.accepted
            ]
            outcomes = mlir_opt([text for _, _, text in texts], *unregistered, *flags)
            for (comparison, side, _), outcome in zip(texts, outcomes, strict=True):
                getattr(comparison, attribute)[side] = outcome


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
    plain: dict[int, Outcome] = field(default_factory=dict)
    """Reference (0) and ours (1), as mlir-opt prints them."""
    clean: dict[int, Outcome] = field(default_factory=dict)
    """The same after canonicalization and CSE."""

    def run(self) -> None:
        """Runs the tools, for all comparisons of the batch. pytest does it by itself."""
        self.batch.run()

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
        if self.ours.error is not None:
            self.fail(f"rejected here:\n{self.ours.error}")
        if self.plain[1].error is not None:
            self.fail(
                f"mlir-opt rejects our output:\n{self.plain[1].error}\n{self.ours.text}"
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
            self.accepted()
            return
        if self.reference.error is not None:
            self.fail(
                f"mlir-opt rejects it: say so with REJECTED or MLIR-REJECTS\n"
                f"{self.reference.error}\nours:\n{self.ours.error or self.ours.text}"
            )
        if self.differs is None or self.ours.accepted:
            self.accepted()
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
