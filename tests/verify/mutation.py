"""Wrong bufferizations made on purpose: does the checker notice?

A mutant is a bufferized program in which one operand was put in place against the
decision of the analysis, or one copy was left out. It is run as well. If that shows
another result (or a crash), the checker must have found fault with it.

    python -m tests.verify.mutation --seed 0 --count 100
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from tests.oracle.tools import parse
from tests.random_programs.checks import REST, arguments_for
from tests.random_programs.interpreter import Interpreter
from tests.random_programs.program import Program, random_program
from xdsl_bufferization import jit
from xdsl_bufferization.analysis.buffer_contents import check_contents
from xdsl_bufferization.analysis.buffer_contents_marks import (
    MarkOp,
    insert_marks,
    remove_marks,
)
from xdsl_bufferization.analysis.module_analysis import analyze
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.bufferizable import get, is_tensor, operands_of
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.transforms.bufferize import bufferize_op
from xdsl_bufferization.transforms.tensor_copy_insertion import resolve_conflicts

OPTIONS = BufferizationOptions(
    bufferize_function_boundaries=True, allow_return_allocs_from_loops=True
)


@dataclass
class Mutant:
    """A bufferized program with marks, and what is wrong with it."""

    module: ModuleOp
    described: dict[int, str]
    what: str


@dataclass
class Figures:
    """How many mutants of each sort there were."""

    counts: Counter[str] = field(default_factory=Counter[str])
    missed: list[str] = field(default_factory=list[str])


def _bufferized(text: str, flip: int | None) -> tuple[Mutant, int]:
    """The program with one decision turned round, and how many there are to turn."""
    announce_models()
    _, module = parse(text)
    described = insert_marks(module)
    analysis = analyze(module, OPTIONS)
    candidates = [
        use
        for op in module.walk()
        if not isinstance(op, MarkOp)
        for use in operands_of(op)
        if is_tensor(get(use).type) and not analysis.is_in_place(use)
    ]
    what = "nothing"
    if flip is not None:
        use = candidates[flip]
        analysis._infos[use].in_place = True  # pyright: ignore[reportPrivateUsage]
        what = f"operand {use.index} of {use.operation.name} in place"
    resolve_conflicts(module, analysis)
    bufferize_op(module, OPTIONS)
    return Mutant(module, described, what), len(candidates)


def mutants(text: str) -> Iterator[Mutant]:
    """All mutants of a program."""
    right, count = _bufferized(text, None)
    for number in range(count):
        yield _bufferized(text, number)[0]
    copies = sum(isinstance(op, memref.CopyOp) for op in right.module.walk())
    for number in range(copies):
        mutant, _ = _bufferized(text, None)
        copy = [op for op in mutant.module.walk() if isinstance(op, memref.CopyOp)][
            number
        ]
        assert copy.parent is not None
        copy.parent.erase_op(copy)
        mutant.what = f"copy number {number} left out"
        yield mutant


def _copies(mutant: Mutant) -> list[memref.CopyOp]:
    """The copies of a program, but for those into the middle of a tensor.pad: that they
    are made is a matter of what the op computes."""
    found: list[memref.CopyOp] = []
    of = ""
    for op in mutant.module.walk():
        if isinstance(op, MarkOp):
            of = op.notes.data.of
        if isinstance(op, memref.CopyOp) and of != "tensor.pad":
            found.append(op)
    return found


def changes_meaning(mutant: Mutant, program: Program) -> bool:
    """Whether running it gives anything but the right results. It may crash, so that it
    runs in a process of its own."""
    _, original = parse(program.text)
    expected = Interpreter(original).call("main", arguments_for(program))
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        code = 1
        try:
            module = mutant.module.clone()
            remove_marks(module)
            compiled = jit.compile(module, REST, count=True, opt_level=0)
            found = compiled["main"](*arguments_for(program))
            results = found if isinstance(found, tuple) else (found,)
            code = int(
                not all(map(np.array_equal, results, expected))
                or compiled.stats().invalid_frees > 0
            )
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] != 0


def try_mutants(program: Program, name: str, figures: Figures, most: int) -> None:
    """Check and run mutants of a program."""
    for mutant in [*mutants(program.text)][:most]:
        figures.counts["mutants"] += 1
        rejected = bool(check_contents(mutant.module, mutant.described))
        if changes_meaning(mutant, program):
            figures.counts["changed results"] += 1
            if rejected:
                figures.counts["changed results and rejected"] += 1
            else:
                figures.missed.append(f"{name}: {mutant.what}")
        elif rejected:
            figures.counts["rejected, though these arguments show no difference"] += 1


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.verify.mutation")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--most", type=int, default=20, help="mutants of each program")
    options = parser.parse_args()
    figures = Figures()
    for seed in range(options.seed, options.seed + options.count):
        program = random_program(seed)
        try:
            try_mutants(program, f"seed {seed}", figures, options.most)
        except PassFailedException:
            figures.counts["programs refused"] += 1
        sys.stderr.write(f"seed {seed}: {dict(figures.counts)} {figures.missed[-1:]}\n")
    for line in (*figures.missed, *(f"{n} {what}" for what, n in figures.counts.items())):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
