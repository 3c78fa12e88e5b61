"""How many ops are left after `canonicalize`, here and with mlir-opt.

    python -m tests.oracle.op_counts tests/oracle           # the programs of the tests
    python -m tests.oracle.op_counts FOLDER --show 20       # any .mlir files

Programs that one of the two refuses are left out. A program is *worse* if more ops are
left here, in total.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.utils.exceptions import DiagnosticException, ParseError

from tests.oracle.harness import Program, read_programs
from tests.oracle.tools import Outcome, mlir_opt, parse, run_passes

_GENERIC_OP = re.compile(r'^\s*(?:%[^=]*= )?"([^"]+)"\(', re.MULTILINE)

_AT_ONCE = 100
"""How many programs one process of mlir-opt reads."""


@dataclass(frozen=True)
class OpCounts:
    """The ops of one program after `canonicalize`, by name."""

    program: Program
    ours: Counter[str]
    reference: Counter[str]

    @property
    def is_worse(self) -> bool:
        """Whether more ops are left here."""
        return self.ours.total() > self.reference.total()

    def describe(self) -> str:
        """Return where the program is, and which ops are left on one side only."""
        where = f"{self.program.path}:{self.program.line} @{self.program.name}"
        more, fewer = self.ours - self.reference, self.reference - self.ours
        return f"{where}: more {dict(more)}, fewer {dict(fewer)}"


def compare_op_counts(programs: Sequence[Program]) -> list[OpCounts]:
    """Return the op counts of those programs that both accept."""
    counts: list[OpCounts] = []
    for start in range(0, len(programs), _AT_ONCE):
        batch = programs[start : start + _AT_ONCE]
        outcomes = mlir_opt(
            [program.text for program in batch],
            "--allow-unregistered-dialect",
            "--canonicalize",
            "--mlir-print-op-generic",
        )
        for program, outcome in zip(batch, outcomes, strict=True):
            ours = _count_after_canonicalize(program) if outcome.accepted else None
            if ours is not None:
                counts.append(OpCounts(program, ours, _count_printed(outcome)))
    return counts


def _count_printed(outcome: Outcome) -> Counter[str]:
    return Counter(_GENERIC_OP.findall(outcome.text))


def _count_after_canonicalize(program: Program) -> Counter[str] | None:
    """The ops by name; None if the program is refused."""
    try:
        context, module = parse(program.text, allow_unregistered=True)
        run_passes(context, module, "canonicalize")
    except (DiagnosticException, ParseError):
        return None
    return _count(module)


def _count(module: ModuleOp) -> Counter[str]:
    return Counter(
        op.op_name.data if isinstance(op, UnregisteredOp) else op.name
        for op in module.walk()
    )


def _read(paths: Iterable[Path]) -> list[Program]:
    files = (
        file
        for path in paths
        for file in (sorted(path.rglob("*.mlir")) if path.is_dir() else [path])
    )
    return [program for file in files for program in read_programs(file)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, help=".mlir files and folders")
    parser.add_argument("--show", type=int, default=0, help="how many worse programs")
    arguments = parser.parse_args()
    programs = _read(arguments.paths)
    counts = compare_op_counts(programs)
    worse = [each for each in counts if each.is_worse]
    lines = [each.describe() for each in worse[: arguments.show]]
    share = 1 - len(worse) / len(counts) if counts else 1.0
    lines.append(f"{len(programs)} programs, {len(counts)} accepted by both")
    lines.append(f"equal or fewer ops: {share:.1%}; more: {len(worse)}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
