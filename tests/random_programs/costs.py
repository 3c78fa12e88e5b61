"""What a random program costs when it is executed, compared with another result.

python -m tests.random_programs.costs --seed 0 --count 1000    count who does better

A machine (`tests.checkers.machine`) executes both results and counts allocations, copies,
copied bytes, the most bytes in use at a time, and ownership checks: the conditions under
which a buffer is freed, and the pointers that are compared to find them. A program of
ours that costs more is a finding.

"pipeline-costs" compares `bufferization-pipeline`, checked by both checkers, with the
passes that mlir-opt has as well, in all but ownership checks. Its memory is then planned,
and must not need more. The other two compare the plain passes with mlir-opt's result, in
all but the memory in use.

"costs" compiles tensor programs that mlir-opt analyses soundly (`LIKE_MLIR`).
"deallocation-costs" gives both tools what mlir-opt bufferized, of any program: copies
that bufferization needs, or that mlir-opt overlooks, are in both results.

Not compared are programs that mlir-opt does not compile rightly. It

- refuses them, or its result computes something else, leaks, or frees twice; on a path
  that is not taken, too, if the checker of deallocations is sure of it;
- bufferizes with decisions that are wrong, so that it may go wrong with other arguments
  or threads (`their_decisions`); only looked at if ours costs more;
- returns one buffer as two results of a public function, whose caller frees both;
- repeats a loop another number of times, if its range is too large for a signed number of
  its type, or if it is unsigned and a bound would be negative if signed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from tests.checkers.machine import (
    Allocation,
    Buffer,
    Machine,
    WrongProgram,
    element_bytes,
)
from tests.oracle.location import missing_oracle
from tests.oracle.tools import Outcome, mlir_flags, mlir_opt, parse, run_passes
from tests.random_programs.checks import ANALYSIS, READ_ONLY, REFUSED, arguments_for
from tests.random_programs.interpreter import Interpreter
from tests.random_programs.program import PROFILES, Program, random_program
from tests.random_programs.their_decisions import wrong_decisions
from xdsl_bufferization.checkers.lifetimes.solver import RETURNED_TWICE
from xdsl_bufferization.dialects import linalg, scf
from xdsl_bufferization.dialects.constants import constant_integer
from xdsl_bufferization.transforms.verify_deallocation import verify_deallocation

BUFFERIZATION = f"one-shot-bufferize{{{ANALYSIS}}}"
DEALLOCATION = "buffer-deallocation-pipeline"
PLAIN = f"{BUFFERIZATION},{DEALLOCATION}"
BEST = "bufferization-pipeline{verify-result}"
PLANNED = "plan-memory,verify-memory-plan"
COSTS, DEALLOCATION_COSTS = "costs", "deallocation-costs"
PIPELINE_COSTS = "pipeline-costs"
COST_PROFILES = {
    COSTS: PROFILES["like-mlir"],
    DEALLOCATION_COSTS: PROFILES["small"],
    PIPELINE_COSTS: PROFILES["observed"],
}
"""The programs that are measured."""
OTHER_PROFILES = ("small", "large", "observed")
"""Others that may be: mlir-opt refuses many of them, or compiles them wrongly."""
LIKE_MLIR_KINDS = ("allocations", "copies", "bytes_copied", "ownership_checks")
PIPELINE_KINDS = ("allocations", "copies", "bytes_copied", "peak_bytes")
"""What may not be more than in the other result."""
TOO_LARGE = "a loop with too large a range"
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
    peak_bytes: int = 0

    def more_than(self, other: Cost, kinds: Sequence[str]) -> list[str]:
        """Those of some kinds of which this is more, with both numbers. A program that
        shares buffers which the other one copies must ask more often who owns them."""
        ours, theirs = asdict(self), asdict(other)
        shares = self.copies < other.copies and self.allocations <= other.allocations
        return [
            f"costs: {k}: {ours[k]}, not {theirs[k]}"
            for k in kinds
            if ours[k] > theirs[k] and not (shares and k == "ownership_checks")
        ]


class CountingMachine(Machine):
    """Executes a program, and counts."""

    def __init__(self, module: ModuleOp) -> None:
        super().__init__(module)
        self.counts: Counter[str] = Counter()
        self.live_bytes = 0
        self._reserved: dict[Allocation, int] = {}
        """What malloc was asked for, for each buffer that is not freed: what compiled
        code needs to align it is included."""
        self._reserved_bytes = 0
        self._linalg_copies = self._linalg_bytes_copied = 0
        self.peak_reserved = 0
        self.compiled_wrongly: str | None = None
        """What mlir-opt compiles wrongly, if it was executed."""

    @property
    def cost(self) -> Cost:
        return Cost(**{name: self.counts[name] for name in Cost.__annotations__})

    @property
    def cost_with_linalg_copies(self) -> Cost:
        """The cost if linalg.copy counts as a copy: a pass may make one of it."""
        cost = self.cost
        return replace(
            cost,
            copies=cost.copies + self._linalg_copies,
            bytes_copied=cost.bytes_copied + self._linalg_bytes_copied,
        )

    def call(self, name: str, arguments: Sequence[Any]) -> list[Any]:
        results = super().call(name, arguments)
        buffers = [value.allocation for value in results if isinstance(value, Buffer)]
        public = "sym_visibility" not in self.functions[name].properties
        if public and len(set(buffers)) < len(buffers):
            self.compiled_wrongly = "one buffer returned twice"
        return results

    def memref_alloc(self, op: Operation, values: list[Any], env: Any) -> Any:
        return self._count_allocation(op, super().memref_alloc(op, values, env))

    def memref_dealloc(self, op: Operation, values: list[Any], env: Any) -> Any:
        self.live_bytes -= _bytes(values[0])
        self._reserved_bytes -= self._reserved.pop(values[0].allocation, 0)
        return super().memref_dealloc(op, values, env)

    def memref_copy(self, op: Operation, values: list[Any], env: Any) -> Any:
        self._count_copy(values[0])
        return super().memref_copy(op, values, env)

    def bufferization_clone(self, op: Operation, values: list[Any], env: Any) -> Any:
        self._count_copy(values[0])
        results = super().bufferization_clone(op, values, env)
        return self._count_allocation(op, results)

    def _structured(
        self, op: linalg.LinalgStructuredOperation, values: list[Any], env: Any
    ) -> list[Any]:
        if isinstance(op, linalg.CopyOp):
            self._linalg_copies += 1
            self._linalg_bytes_copied += ELEMENT_BYTES * values[0].array.size
        return super()._structured(op, values, env)

    def _count_copy(self, source: Buffer) -> None:
        self.counts["copies"] += 1
        self.counts["bytes_copied"] += ELEMENT_BYTES * source.array.size

    def _count_allocation(self, op: Operation, results: Any) -> Any:
        buffer: Buffer = results[0]
        size = element_bytes(op.results[0]) * buffer.array.size
        alignment = op.properties.get("alignment")
        if isinstance(alignment, IntegerAttr):
            size += alignment.value.data
        self._reserved[buffer.allocation] = size
        self._reserved_bytes += size
        self.peak_reserved = max(self.peak_reserved, self._reserved_bytes)
        self.counts["allocations"] += 1
        self.live_bytes += _bytes(results[0])
        self.counts["peak_bytes"] = max(self.counts["peak_bytes"], self.live_bytes)
        return results

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
        if _is_too_large(op, *values[:3]):
            self.compiled_wrongly = TOO_LARGE
        return super().scf_for(op, values, env)


def _is_too_large(loop: Operation, low: int, high: int, step: int) -> bool:
    """Whether mlir-opt takes a loop for one of another number of iterations."""
    type_ = loop.regions[0].block.args[0].type
    if not isinstance(type_, IntegerType):
        return False
    if "unsignedCmp" in loop.properties:
        return min(low, high, step) < 0
    return high - low >= 1 << (type_.bitwidth - 1)


def _has_too_large_loop(module: ModuleOp) -> bool:
    """Whether mlir-opt may remove a loop with constant bounds, and what is only there for
    it, also where the loop is not executed."""
    for op in module.walk():
        if isinstance(op, scf.ForOp):
            bounds = [constant_integer(bound) for bound in (op.lb, op.ub, op.step)]
            known = [bound for bound in bounds if bound is not None]
            if len(known) == len(bounds) and _is_too_large(op, *known):
                return True
    return False


def _bytes(buffer: Buffer) -> int:
    return ELEMENT_BYTES * buffer.allocation.cells.size


def executed(module: ModuleOp, program: Program) -> CountingMachine:
    """Execute a bufferized program.

    Raises:
        WrongProgram: it does what it must not do, or gives other results than the program
            means.
    """
    return _executed(module, program, _expected_results(parse(program.text)[1], program))


def _expected_results(tensors: ModuleOp, program: Program) -> list[Any]:
    """Return what @main of a tensor program returns."""
    return Interpreter(tensors).call("main", arguments_for(program))


def _executed(
    module: ModuleOp, program: Program, expected: Sequence[Any]
) -> CountingMachine:
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
        kinds: what is compared.
    """

    ours: Cost | None = None
    theirs: Cost | None = None
    reason: str = ""
    kinds: Sequence[str] = LIKE_MLIR_KINDS

    @property
    def found(self) -> list[str]:
        if self.ours is None or self.theirs is None:
            return []
        return self.ours.more_than(self.theirs, self.kinds)

    @property
    def counts(self) -> Counter[str]:
        """This comparison, to be added to others."""
        if self.ours is None or self.theirs is None:
            return Counter([f"not compared: {self.reason}"])
        counts = Counter(["compared"])
        ours, theirs = asdict(self.ours), asdict(self.theirs)
        for name in self.kinds:
            counts[f"more {name}"] += ours[name] > theirs[name]
            counts[f"fewer {name}"] += ours[name] < theirs[name]
            counts[f"{name}, ours"] += ours[name]
            counts[f"{name}, theirs"] += theirs[name]
        return counts


def check_costs(program: Program, check: str) -> list[str]:
    """What costs more than in the other result; nothing when that needs mlir-opt, which
    is missing."""
    if check != PIPELINE_COSTS and missing_oracle():
        return []
    return compare_costs([program], check)[0].found


def compare_costs(programs: Sequence[Program], check: str) -> list[Comparison]:
    """Compare ours with the other results.

    Raises:
        WrongProgram: ours is wrong.
    """
    if check == PIPELINE_COSTS:
        return [_compare_pipelines(program) for program in programs]
    texts = [program.text for program in programs]
    pipeline = PLAIN
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
    compared = [
        _compare(program, text, pipeline, reference)
        for program, text, reference in zip(programs, texts, references, strict=True)
    ]
    if check == COSTS:
        more = [number for number, comparison in enumerate(compared) if comparison.found]
        wrong = wrong_decisions([texts[number] for number in more], BUFFERIZATION)
        for number, why in zip(more, wrong, strict=True):
            if why:
                reason = f"mlir-opt compiles it wrongly: {why}"
                compared[number] = Comparison(reason=reason)
    return compared


def _compare(
    program: Program, text: str, pipeline: str, reference: Outcome
) -> Comparison:
    """Compare what a pipeline makes of a text with mlir-opt's result."""
    if not reference.accepted:
        return Comparison(reason="mlir-opt refuses it")
    result = parse(reference.text)[1]
    if wrong := verify_deallocation(result).wrong:
        is_twice = wrong[0].what == RETURNED_TWICE
        fault = "one buffer returned twice" if is_twice else "on a path not taken"
        return Comparison(reason=f"mlir-opt compiles it wrongly: {fault}")
    try:
        theirs = executed(result, program)
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
    compared = Comparison(ours.cost, theirs.cost)
    if compared.found and _has_too_large_loop(parse(text)[1]):
        wrongly = TOO_LARGE
    if wrongly:
        return Comparison(reason=f"mlir-opt compiles it wrongly: {wrongly}")
    return compared


def _compare_pipelines(program: Program) -> Comparison:
    executions: list[CountingMachine] = []
    refused: list[str] = []
    context, tensors = parse(program.text)
    expected = _expected_results(tensors, program)
    best = tensors.clone()
    for pipeline, module in ((BEST, best), (PLAIN, tensors)):
        try:
            run_passes(context, module, pipeline)
        except PassFailedException as error:
            if not (REFUSED in str(error) or READ_ONLY in str(error)):
                raise
            refused.append(pipeline)
        else:
            executions.append(_executed(module, program, expected))
    if refused == [BEST]:
        raise WrongProgram("refused by bufferization-pipeline alone")
    if refused:
        return Comparison(reason="refused")
    run_passes(context, best, PLANNED)
    before, after = executions[0], _executed(best, program, expected)
    if after.peak_reserved > before.peak_reserved:
        raise WrongProgram(
            f"planned memory: {after.peak_reserved} bytes, not {before.peak_reserved}"
        )
    return Comparison(
        *(execution.cost_with_linalg_copies for execution in executions),
        kinds=PIPELINE_KINDS,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs.costs")
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--check", choices=tuple(COST_PROFILES), default=COSTS)
    parser.add_argument("--profile", choices=OTHER_PROFILES, help="of other programs")
    options = parser.parse_args()
    sys.setrecursionlimit(10_000)
    profile = COST_PROFILES[options.check]
    if options.profile is not None:
        profile = PROFILES[options.profile]
    counts: Counter[str] = Counter()
    end = options.seed + options.count
    for first in range(options.seed, end, BATCH):
        seeds = range(first, min(first + BATCH, end))
        programs = [random_program(seed, profile) for seed in seeds]
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
