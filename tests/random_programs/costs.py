"""What a random program costs when it is executed, compared with mlir-opt's result.

python -m tests.random_programs.costs --seed 0 --count 1000    count who does better

Both tools compile each program. A machine (`tests.verify.machine`) executes both results
and counts allocations, copies, copied bytes and ownership checks: the conditions under
which a buffer is freed, and the pointers that are compared to find them. A program of
ours that costs more in one of these is a finding.

"costs" compiles tensor programs that mlir-opt analyses soundly (`LIKE_MLIR`).
"deallocation-costs" gives both tools what mlir-opt bufferized, of any program: copies
that bufferization needs, or that mlir-opt overlooks, are in both results.

Not compared are programs that mlir-opt does not compile rightly. It

- refuses them, or its result computes something else, leaks, or frees twice;
- returns one buffer as two results of a public function, whose caller frees both;
- repeats a loop another number of times, if its range is too large for a signed number of
  its type, or if it is unsigned and a bound would be negative if signed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from tests.oracle.location import missing_oracle
from tests.oracle.tools import Outcome, mlir_flags, mlir_opt, parse, run_passes
from tests.random_programs.checks import ANALYSIS, READ_ONLY, REFUSED, arguments_for
from tests.random_programs.interpreter import Interpreter
from tests.random_programs.program import LIKE_MLIR, SMALL, Program, random_program
from tests.verify.machine import Buffer, Machine, WrongProgram

BUFFERIZATION = f"one-shot-bufferize{{{ANALYSIS}}}"
DEALLOCATION = "buffer-deallocation-pipeline"
COSTS, DEALLOCATION_COSTS = "costs", "deallocation-costs"
PROFILES = {COSTS: LIKE_MLIR, DEALLOCATION_COSTS: SMALL}
"""The programs that are measured."""
BATCH = 50
"""Programs that one process of mlir-opt compiles."""
ELEMENT_BYTES = 4


@dataclass(frozen=True)
class Cost:
    """What the execution of a program did."""

    allocations: int
    copies: int
    bytes_copied: int
    ownership_checks: int

    def more_than(self, other: Cost) -> list[str]:
        """The kinds of which this is more, with both numbers."""
        ours, theirs = asdict(self), asdict(other)
        return [
            f"costs: {k}: {ours[k]}, not {theirs[k]}" for k in ours if ours[k] > theirs[k]
        ]


class CountingMachine(Machine):
    """Executes a program, and counts."""

    def __init__(self, module: ModuleOp) -> None:
        super().__init__(module)
        self.counts: Counter[str] = Counter()
        self.compiled_wrongly: str | None = None
        """What mlir-opt compiles wrongly, if it was executed."""

    @property
    def cost(self) -> Cost:
        return Cost(**{name: self.counts[name] for name in Cost.__annotations__})

    def call(self, name: str, arguments: Sequence[Any]) -> list[Any]:
        results = super().call(name, arguments)
        buffers = [value.allocation for value in results if isinstance(value, Buffer)]
        public = "sym_visibility" not in self.functions[name].properties
        if public and len(set(buffers)) < len(buffers):
            self.compiled_wrongly = "one buffer returned twice"
        return results

    def memref_alloc(self, op: Operation, values: list[Any], env: Any) -> Any:
        self.counts["allocations"] += 1
        return super().memref_alloc(op, values, env)

    def memref_copy(self, op: Operation, values: list[Any], env: Any) -> Any:
        self._count_copy(values[0])
        return super().memref_copy(op, values, env)

    def bufferization_clone(self, op: Operation, values: list[Any], env: Any) -> Any:
        self.counts["allocations"] += 1
        self._count_copy(values[0])
        return super().bufferization_clone(op, values, env)

    def _count_copy(self, source: Buffer) -> None:
        self.counts["copies"] += 1
        self.counts["bytes_copied"] += ELEMENT_BYTES * source.array.size

    def memref_extract_aligned_pointer_as_index(
        self, op: Operation, values: list[Any], env: Any
    ) -> Any:
        self.counts["ownership_checks"] += 1
        return super().memref_extract_aligned_pointer_as_index(op, values, env)

    def scf_if(self, op: Operation, values: list[Any], env: Any) -> Any:
        first = op.regions[0].block.first_op
        self.counts["ownership_checks"] += (
            first is not None and first.name == "memref.dealloc"
        )
        return super().scf_if(op, values, env)

    def scf_for(self, op: Operation, values: list[Any], env: Any) -> Any:
        type_ = op.regions[0].block.args[0].type
        if isinstance(type_, IntegerType):
            low, high, _ = values[:3]
            width = type_.bitwidth
            if "unsignedCmp" in op.properties:
                too_large = min(values[:3]) < 0
            else:
                too_large = high - low >= 1 << (width - 1)
            if too_large:
                self.compiled_wrongly = "a loop with too large a range"
        return super().scf_for(op, values, env)


def executed(module: ModuleOp, program: Program) -> CountingMachine:
    """Execute a bufferized program.

    Raises:
        WrongProgram: it does what it must not do, or gives other results than the program
            means.
    """
    _, tensors = parse(program.text)
    expected = Interpreter(tensors).call("main", arguments_for(program))
    machine = CountingMachine(module)
    results = machine.run_main(arguments_for(program))
    if not all(np.array_equal(r, e) for r, e in zip(results, expected, strict=True)):
        raise WrongProgram("wrong result")
    return machine


@dataclass(frozen=True)
class Comparison:
    """What came out for one program.

    Attributes:
        ours, theirs: what the program costs, if it was compared.
        reason: why it was not compared.
    """

    ours: Cost | None = None
    theirs: Cost | None = None
    reason: str = ""

    @property
    def found(self) -> list[str]:
        if self.ours is None or self.theirs is None:
            return []
        return self.ours.more_than(self.theirs)

    @property
    def counts(self) -> Counter[str]:
        """This comparison, to be added to others."""
        if self.ours is None or self.theirs is None:
            return Counter([f"not compared: {self.reason}"])
        counts = Counter(["compared"])
        ours, theirs = asdict(self.ours), asdict(self.theirs)
        counts.update(f"more {name}" for name in ours if ours[name] > theirs[name])
        counts.update(f"fewer {name}" for name in ours if ours[name] < theirs[name])
        return counts


def check_costs(program: Program, check: str) -> list[str]:
    """What costs more than in mlir-opt's result; nothing when there is no mlir-opt."""
    if missing_oracle():
        return []
    return compare_costs([program], check)[0].found


def compare_costs(programs: Sequence[Program], check: str) -> list[Comparison]:
    """Compare ours with mlir-opt's results.

    Raises:
        WrongProgram: ours is wrong.
    """
    texts = [program.text for program in programs]
    pipeline = f"{BUFFERIZATION},{DEALLOCATION}"
    if check == DEALLOCATION_COSTS:
        pipeline = DEALLOCATION
        bufferized = mlir_opt(texts, *mlir_flags(BUFFERIZATION))
        # One that is refused stays so: the pass does not take tensors.
        texts = [
            outcome.text if outcome.accepted else program.text
            for outcome, program in zip(bufferized, programs, strict=True)
        ]
        references = [
            deallocated if outcome.accepted else outcome
            for outcome, deallocated in zip(
                bufferized, mlir_opt(texts, *mlir_flags(pipeline)), strict=True
            )
        ]
    else:
        references = mlir_opt(texts, *mlir_flags(pipeline))
    return [
        _compare(program, text, pipeline, reference)
        for program, text, reference in zip(programs, texts, references, strict=True)
    ]


def _compare(
    program: Program, text: str, pipeline: str, reference: Outcome
) -> Comparison:
    """Compare what a pipeline makes of a text with mlir-opt's result."""
    if not reference.accepted:
        return Comparison(reason="mlir-opt refuses it")
    try:
        theirs = executed(parse(reference.text)[1], program)
    except WrongProgram as error:
        return Comparison(reason=f"mlir-opt compiles it wrongly: {error}")
    context, module = parse(text)
    try:
        run_passes(context, module, pipeline)
    except PassFailedException as error:
        if REFUSED in str(error) or READ_ONLY in str(error):
            return Comparison(reason="refused here")
        raise
    ours = executed(module, program)
    wrongly = theirs.compiled_wrongly or ours.compiled_wrongly
    if wrongly:
        return Comparison(reason=f"mlir-opt compiles it wrongly: {wrongly}")
    return Comparison(ours.cost, theirs.cost)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs.costs")
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--check", choices=tuple(PROFILES), default=COSTS)
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    counts: Counter[str] = Counter()
    end = options.seed + options.count
    for first in range(options.seed, end, BATCH):
        seeds = range(first, min(first + BATCH, end))
        programs = [random_program(seed, PROFILES[options.check]) for seed in seeds]
        for seed, comparison in zip(
            seeds, compare_costs(programs, options.check), strict=True
        ):
            counts += comparison.counts
            if comparison.found:
                sys.stdout.write(f"seed {seed}: {'; '.join(comparison.found)}\n")
                sys.stdout.flush()
    sys.stdout.writelines(
        f"{number:6} {what}\n" for what, number in sorted(counts.items())
    )


if __name__ == "__main__":
    main()
