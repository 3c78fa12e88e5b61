"""Wrong programs made on purpose: do the checkers notice?

Two kinds of mutants are made of a random program:

- of its bufferization: an operand is put in place against the decision of the analysis,
  or a copy is left out;
- of its deallocation: a dealloc is left out, done twice or moved, a condition or a
  memref of it is replaced, or a retained memref forgotten.

Each is executed on watched memory (machine.py). If that shows another result, or an
access, free or leak that must not be, the checker must have found fault with it.

    python -m tests.checkers.mutation --seed 0 --count 100
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from tests.checkers.machine import Machine, WrongProgram
from tests.checkers.stages import OPTIONS, STAGES, deallocate
from tests.oracle.tools import parse
from tests.random_programs.checks import arguments_for
from tests.random_programs.interpreter import Interpreter, NotTerminating
from tests.random_programs.program import FOREIGN, OBSERVED, Program, random_program
from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.checkers.contents.marks import (
    MarkOp,
    Marks,
    remove_marks,
)
from xdsl_bufferization.checkers.lifetimes.checker import check_lifetimes
from xdsl_bufferization.dialects import bufferization, memref
from xdsl_bufferization.dialects.scf import YieldOp
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import is_tensor
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.transforms.utils.bufferize import bufferize_op
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)
from xdsl_bufferization.transforms.utils.tensor_copy_insertion import resolve_conflicts

REJECTED, UNDECIDED, ACCEPTED = "rejected", "undecided", "accepted"
ENDLESS = "does not end"


@dataclass
class Mutant:
    """A program with a fault, and what is wrong with it. One of a bufferization has
    marks, and the tensors they name are described."""

    module: ModuleOp
    what: str
    described: dict[int, str] | None = None


@dataclass
class Figures:
    """How many mutants of each sort there were."""

    counts: Counter[str] = field(default_factory=Counter[str])
    missed: list[str] = field(default_factory=list[str])


# Mutants of the bufferization.


def bufferized(module: ModuleOp, flip: int | None) -> tuple[Mutant, int]:
    """The program with one decision turned round, and how many there are to turn."""
    announce_models()
    marks = Marks(module, DefaultAnalysisState(OPTIONS))
    options = replace(OPTIONS, listeners=[marks])
    analysis = analyze(module, options)
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
    bufferize_op(module, options)
    return Mutant(module, what, marks.described), len(candidates)


def mutants(text: str) -> Iterator[Mutant]:
    """All mutants of the bufferization of a program."""
    yield from mutants_of(parse(text, allow_unregistered=True)[1])


def mutants_of(module: ModuleOp) -> Iterator[Mutant]:
    """All mutants of the bufferization of a program, which is left as it is."""
    right, count = bufferized(module.clone(), None)
    for number in range(count):
        try:
            yield bufferized(module.clone(), number)[0]
        except PassFailedException:
            continue
    assert right.described is not None
    for number in range(len(_copies(right.module))):
        mutated = right.module.clone()
        _erase(_copies(mutated)[number])
        yield Mutant(mutated, f"copy number {number} left out", right.described)


def _copies(module: ModuleOp) -> list[memref.CopyOp]:
    return [op for op in module.walk() if isinstance(op, memref.CopyOp)]


# Mutants of the deallocation.

Change = Callable[[Operation, Random], str | None]
"""Changes a dealloc; says what it did, or nothing if it does not apply."""


def _erase(op: Operation) -> None:
    assert op.parent is not None
    op.parent.erase_op(op)


def _leave_out(op: Operation, random: Random) -> str | None:
    if any(result.first_use is not None for result in op.results):
        return None
    _erase(op)
    return "left out"


def _twice(op: Operation, random: Random) -> str | None:
    assert op.parent is not None
    op.parent.insert_op_after(op.clone(), op)
    return "done twice"


def _move_up(op: Operation, random: Random) -> str | None:
    """To an earlier place at which all it needs is there."""
    assert op.parent is not None
    earlier: list[Operation] = []
    before = op.prev_op
    while before is not None and not any(
        value.owner is before or _is_within(value, before) for value in op.operands
    ):
        earlier.append(before)
        before = before.prev_op
    if not earlier:
        return None
    target = random.choice(earlier)
    op.detach()
    assert target.parent is not None
    target.parent.insert_op_before(op, target)
    return "moved up"


def _is_within(value: SSAValue, op: Operation) -> bool:
    return isinstance(value.owner, Operation) and op.is_ancestor(value.owner)


def _move_down(op: Operation, random: Random) -> str | None:
    """To a later place in its block, or behind the op around it."""
    if op.results:
        return None
    around = op.parent_op()
    if around is None or isinstance(around, FuncOp) or around.parent is None:
        return None
    if any(not _is_outside(value, around) for value in op.operands):
        return None
    op.detach()
    around.parent.insert_op_after(op, around)
    return "moved out of the op around it"


def _is_outside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    inner = owner if isinstance(owner, Operation) else owner.parent_op()
    return inner is None or not op.is_ancestor(inner)


def _other_memref(op: Operation, random: Random) -> str | None:
    """Free another buffer of the same type."""
    count = len(op.memrefs) if isinstance(op, bufferization.DeallocOp) else 1
    if not count:
        return None
    number = random.randrange(count)
    old = op.operands[number]
    others = [v for v in _visible(op) if v.type == old.type and v is not old]
    if not others:
        return None
    op.operands[number] = random.choice(others)
    return "of another memref"


def _visible(op: Operation) -> list[SSAValue]:
    found: list[SSAValue] = []
    place: Operation | None = op
    while place is not None and place.parent is not None:
        found += place.parent.args
        before = place.prev_op
        while before is not None:
            found += before.results
            before = before.prev_op
        place = place.parent_op()
        if isinstance(place, FuncOp):
            break
    return found


def _only_frees(op: Operation) -> bool:
    """Whether an op with regions does nothing but free: its condition is of no interest
    to the program."""
    return all(
        isinstance(inner, memref.DeallocOp | YieldOp)
        for region in op.regions
        for inner in region.walk()
    )


def _other_condition(op: Operation, random: Random) -> str | None:
    """Free always, or never, or under another condition."""
    if isinstance(op, bufferization.DeallocOp):
        positions = [*range(len(op.memrefs), 2 * len(op.memrefs))]
        holder: Operation = op
    else:
        around = op.parent_op()
        if around is None or around.name != "scf.if" or not _only_frees(around):
            return None
        positions, holder = [0], around
    if not positions:
        return None
    position = random.choice(positions)
    old = holder.operands[position]
    others = [v for v in _visible(holder) if v.type == old.type and v is not old]
    if others and random.random() < 0.4:
        holder.operands[position] = random.choice(others)
        return "under another condition"
    constant = arith.ConstantOp.from_int_and_width(random.randrange(2), 1)
    assert holder.parent is not None
    holder.parent.insert_op_before(constant, holder)
    holder.operands[position] = constant.results[0]
    return "always, or never"


def _forget_retained(op: Operation, random: Random) -> str | None:
    if not isinstance(op, bufferization.DeallocOp) or not op.retained:
        return None
    number = random.randrange(len(op.retained))
    first = 2 * len(op.memrefs)
    op.operands[first + number] = op.operands[first + number - 1]
    if op.operands[first + number].type != op.retained[number].type or not number:
        return None
    return "one retained less"


CHANGES: Sequence[Change] = (
    _leave_out,
    _twice,
    _move_up,
    _move_down,
    _other_memref,
    _other_condition,
    _forget_retained,
)


def mutants_of_deallocation(text: str, random: Random) -> Iterator[Mutant]:
    """A mutant of each dealloc of a program, deallocated in one way or another."""
    announce_models()
    context, module = parse(text)
    run_one_shot_bufferize(module, OPTIONS)
    stage = deallocate(context, module, random.randrange(STAGES))
    for number in range(len(_deallocs(module))):
        mutated = module.clone()
        change = random.choice(CHANGES)
        op = _deallocs(mutated)[number]
        name = op.name
        what = change(op, random)
        if what is not None:
            yield Mutant(mutated, f"{name} {what}, after {stage}")


def _deallocs(module: ModuleOp) -> list[Operation]:
    found: list[Operation] = []
    for function in module.ops:
        name = function.properties.get("sym_name")
        if isinstance(name, StringAttr) and "dealloc_helper" not in name.data:
            found += [
                op
                for op in function.walk()
                if isinstance(op, memref.DeallocOp | bufferization.DeallocOp)
            ]
    return found


# Judging.


def changes_meaning(mutant: Mutant, expected: Sequence[Any], program: Program) -> str:
    """What goes wrong when the mutant is executed, if anything does."""
    module = mutant.module
    is_deallocated = mutant.described is None
    if not is_deallocated:
        module = module.clone()
        remove_marks(module)
    machine = Machine(module, watch_leaks=is_deallocated)
    try:
        found = machine.run_main(arguments_for(program))
    except WrongProgram as error:
        return str(error)
    except (NotTerminating, RecursionError):
        return ENDLESS
    same = all(map(np.array_equal, found, expected))
    return "" if same else "other results"


def judged(mutant: Mutant) -> str:
    """What the checkers say. `UNDECIDED` is an error where nothing else is allowed."""
    if mutant.described is not None:
        wrong = check_contents(mutant.module, mutant.described)
        return REJECTED if wrong else ACCEPTED
    found = check_lifetimes(mutant.module)
    if found.wrong:
        return REJECTED
    return UNDECIDED if found.undecided else ACCEPTED


def try_mutants(
    program: Program, name: str, figures: Figures, made: Iterator[Mutant], most: int
) -> None:
    """Check and run mutants of a program."""
    _, original = parse(program.text, allow_unregistered=True)
    expected = Interpreter(original).call("main", arguments_for(program))
    for number, mutant in enumerate(made):
        if number >= most:
            return
        kind = "deallocation" if mutant.described is None else "bufferization"
        figures.counts[f"{kind}: mutants"] += 1
        verdict = judged(mutant)
        wrong = changes_meaning(mutant, expected, program)
        if wrong == ENDLESS and mutant.described is None:
            # A condition that also ended a recursion: nothing is wrong with memory.
            figures.counts[f"{kind}: {ENDLESS}"] += 1
            continue
        if not wrong:
            figures.counts[f"{kind}: {verdict}, not seen to be wrong"] += 1
            continue
        figures.counts[f"{kind}: wrong when executed"] += 1
        figures.counts[f"{kind}: wrong when executed, {verdict}"] += 1
        if verdict == ACCEPTED:
            figures.missed.append(f"{name}: {mutant.what}: {wrong}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.checkers.mutation")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--most", type=int, default=20, help="mutants of each program")
    options = parser.parse_args()
    figures = Figures()
    start = time.process_time()
    for seed in range(options.seed, options.seed + options.count):
        observed, foreign = (random_program(seed, p) for p in (OBSERVED, FOREIGN))
        deallocated = mutants_of_deallocation(observed.text, Random(seed))
        name = f"seed {seed}"
        for program, made in (
            (observed, mutants(observed.text)),
            (observed, deallocated),
            (foreign, mutants(foreign.text)),
        ):
            try:
                try_mutants(program, name, figures, made, options.most)
            except PassFailedException:
                figures.counts["programs refused"] += 1
        if seed % 10 == 9:
            sys.stderr.write(f"seed {seed}: {dict(figures.counts)}\n")
    for line in (*figures.missed, *(f"{n} {what}" for what, n in figures.counts.items())):
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(f"{time.process_time() - start:.0f} seconds\n")


if __name__ == "__main__":
    main()
