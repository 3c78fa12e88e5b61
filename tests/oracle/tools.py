"""The two tools, mlir-opt and xDSL with this package, and text that can be compared.

`mlir_opt` and `xdsl_opt` give an `Outcome` for a program: its output, or why it was
refused. `harness` builds comparisons out of them.
"""

from __future__ import annotations

import re
import signal
import subprocess
import threading
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import StringIO

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.printer import Printer
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import DiagnosticException, ParseError

from tests.oracle.dominance import uses_before_definition
from tests.oracle.location import mlir_opt_path
from xdsl_bufferization.universe import installed, new_context

SEPARATOR = "// -----"
BATCH_TIMEOUT = 600.0
ALONE_TIMEOUT = 300.0
"""Of mlir-opt, in seconds that pass, so that a machine with other work is no failure."""
PROGRAM_TIMEOUT = 300.0
"""Of this package, in seconds of processor time, of which a slow machine takes more."""

_POSITION = re.compile(r"<stdin>:(\d+):\d+: ")

# ---------------------------------------------------------------------------------------
# The tools

requires_mlir_opt = pytest.mark.oracle
"""Marks a test that asks mlir-opt; tests/conftest.py skips it when there is none."""


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
    code, out, errors = _run_mlir_opt(
        source, ("--split-input-file", *flags), BATCH_TIMEOUT
    )
    # A chunk that is refused leaves an empty output between its separators. A crash or
    # a timeout leaves no telling which program it was, so each is asked by itself.
    chunks = re.split(rf"^{SEPARATOR}\n", out, flags=re.MULTILINE)
    if code in (0, 1) and len(chunks) == len(programs):
        outcomes: list[Outcome] = []
        line = 1
        for program, chunk in zip(programs, chunks, strict=True):
            following = line + program.count("\n") + 2
            if chunk.strip():
                outcomes.append(Outcome(chunk.strip() + "\n"))
            elif reason := _diagnostics(errors, range(line, following)):
                outcomes.append(Outcome(error=reason))
            else:
                outcomes.append(_mlir_opt_alone(program, flags))
            line = following
        return outcomes
    return [_mlir_opt_alone(program, flags) for program in programs]


def _diagnostics(errors: str, lines: range) -> str:
    """What mlir-opt says about some lines of its input."""
    found: list[str] = []
    is_inside = False
    for text in errors.splitlines(keepends=True):
        if position := _POSITION.match(text):
            is_inside = int(position[1]) in lines
        if is_inside:
            found.append(text)
    return "".join(found)


def _mlir_opt_alone(program: str, flags: Sequence[str]) -> Outcome:
    code, out, errors = _run_mlir_opt(program, flags, ALONE_TIMEOUT)
    if code == 0:
        return Outcome(out)
    crashed = code != 1
    reason = f"mlir-opt ended with code {code}\n{errors}" if crashed else errors
    return Outcome(error=reason, crashed=crashed)


def _run_mlir_opt(
    source: str, flags: Sequence[str], timeout: float
) -> tuple[int, str, str]:
    command = [mlir_opt_path(), "--mlir-disable-threading", *flags]
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
    program: str,
    pipeline: str = "",
    *,
    allow_unregistered: bool = False,
    parse_once: bool = False,
) -> Outcome:
    """Parses, verifies, transforms and prints a program, as xdsl-opt would.

    A diagnostic is an outcome; any other exception is one too, marked as a crash.

    Args:
        parse_once: what was parsed is kept for more pipelines; positions are lost.
    """
    try:
        with _time_limit(PROGRAM_TIMEOUT):
            if parse_once:
                ctx, module = _parsed(program, allow_unregistered)
                module = module.clone()
            else:
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


@cache
def _parsed(program: str, allow_unregistered: bool) -> tuple[Context, ModuleOp]:
    return parse(program, allow_unregistered=allow_unregistered)


def run_passes(
    ctx: Context, module: ModuleOp, pipeline: str, *, verified: bool = True
) -> None:
    """Runs a pipeline in xdsl-opt's syntax, verifying after each pass unless another test
    does; dominance too, if it holds for the program."""
    passes = installed().all_passes
    if not verified:
        PassPipeline.parse_spec(passes, pipeline).apply(ctx, module)
        return
    is_dominated = not uses_before_definition(module)

    def verify(previous: object, current: ModuleOp, following: object) -> None:
        if previous is not None:
            current.verify()
            assert not (is_dominated and (wrong := uses_before_definition(current))), (
                wrong
            )

    PassPipeline.parse_spec(passes, pipeline, verify).apply(ctx, module)


def to_text(module: ModuleOp) -> str:
    stream = StringIO()
    Printer(stream).print_op(module)
    return stream.getvalue() + "\n"


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """A program that never ends is a failure of its own test, not of the whole run.

    Seconds of this process's own time: a machine that does much else is no failure.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def expire(*_: object) -> None:
        raise TimeoutError(f"not done within {seconds:.0f} s")

    previous = signal.signal(signal.SIGPROF, expire)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


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
        (key.replace("_", "-", 1), ",".join(map(_mlir_value, values)))
        for key, values in spec.parameters.items()
    )
    text = " ".join(f"{key}={values}" if values else key for key, values in options)
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
DEFINED_SYMBOL = re.compile(
    r'(?:func\.func|memref\.global|llvm\.func|llvm\.mlir\.global)\b[^@\n]*@([\w$.]+|"[^"]*")'
)
SYMBOL = re.compile(r'@([\w$.]+|"[^"]*")')
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
    known = set(SYMBOL.findall(program))
    generated = {
        name: f"generated_{number}"
        for number, name in enumerate(
            dict.fromkeys(n for n in DEFINED_SYMBOL.findall(text) if n not in known)
        )
    }
    return SYMBOL.sub(lambda found: "@" + generated.get(found[1], found[1]), text)
