"""The passes around One-Shot Bufferize, in any order that makes sense.

`check_pass_order` draws an order from a seed, compiles a random program with it, and
demands the results that the tensor program means, with nothing leaked and no invalid
free. Then it takes one of the passes that promise to save something, and the passes
before it, and demands that without it no less is copied, and no less memory used at the
same time. (Passes after it are left out: what a pass has saved, another may not save
again.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from xdsl.utils.exceptions import PassFailedException

from tests.execution.harness import Run, run
from tests.oracle.tools import parse
from tests.random_programs.checks import ANALYSIS, READ_ONLY, REFUSED, arguments_for
from tests.random_programs.interpreter import Interpreter
from tests.random_programs.program import Program

BEFORE = (
    "build-in-destination",
    "canonicalize",
    "convert-elementwise-to-linalg",
    "convert-tensor-to-linalg",
    "cse",
    "decompose-tensor-concat",
    "eliminate-empty-tensors",
    "empty-tensor-to-alloc-tensor",
    "move-reads-before-writes",
    "remove-unused-values",
    "return-new-tensors",
    "rewrite-in-destination-passing-style",
    "copy-in-branches",
    "split-copying-edges",
    "split-empty-tensors",
)
"""On tensors."""

BUFFERIZATION = (
    "one-shot-bufferize{%s}",
    "one-shot-bufferize{%s function-boundary-type-conversion=identity-layout-map}",
    "one-shot-bufferize{%s analysis-heuristic=fuzzer analysis-fuzzer-seed=3}",
    "one-shot-bufferize{%s analysis-heuristic=top-down}",
    "one-shot-bufferize{%s copy-before-write}",
    "partial",
)

PARTIAL = (
    "arith-bufferize",
    "bufferization-bufferize",
    "linalg-bufferize",
    "scf-bufferize",
    "tensor-bufferize",
    "vector-bufferize",
)
"""In any order, then func-bufferize and finalizing-bufferize."""

BETWEEN = (
    "buffer-hoisting",
    "buffer-loop-hoisting",
    "buffer-results-to-out-params",
    "buffer-results-to-out-params{hoist-static-allocs}",
    "buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}",
    "canonicalize",
    "coalesce-copies",
    "copy-removal",
    "cse",
    "drop-equivalent-buffer-results",
    "fill-copied-splats",
    "fold-copies-into-updates",
    "fold-memref-alias-ops",
    "promote-buffers-to-stack",
    "remove-unread-buffers",
    "reuse-loop-buffers",
)
"""On memrefs that are not freed yet."""

DEALLOCATION = (
    "buffer-deallocation-pipeline",
    "buffer-deallocation-pipeline{private-function-dynamic-ownership}",
    "expand-realloc,canonicalize-control-flow,ownership-based-buffer-deallocation,"
    "buffer-deallocation-simplification,bufferization-lower-deallocations",
)

AFTER = (
    "canonicalize",
    "canonicalize-control-flow",
    "copy-removal",
    "cse",
    "expand-strided-metadata",
    "fill-copied-splats",
    "fold-memref-alias-ops",
    "hoist-loop-allocations",
    "optimize-allocation-liveness",
    "promote-repeated-allocations",
    "remove-unread-buffers",
    "reorder-for-peak-memory",
    "reuse-freed-buffers",
)
"""On memrefs that are freed."""

COPIES_LESS = {
    "copy-removal",
    "drop-equivalent-buffer-results",
    "eliminate-empty-tensors",
    "remove-unread-buffers",
}
"""Passes that promise not to copy more bytes."""

NEEDS_LESS = {
    "copy-removal",
    "optimize-allocation-liveness",
    "promote-buffers-to-stack",
    "remove-unread-buffers",
}
"""Passes that promise not to need more memory of the heap at the same time."""

NO_OUT_PARAM = "cannot create out param for"
"""buffer-results-to-out-params refuses results of a size that no caller knows, or of a
layout that no caller allocates."""


@dataclass(frozen=True)
class PassOrder:
    """A pipeline from tensors to code, pass by pass."""

    passes: tuple[str, ...]

    def __str__(self) -> str:
        return ",".join((*self.passes, "lower-to-llvm-pipeline"))

    def without(self, position: int) -> PassOrder:
        return PassOrder(self.passes[:position] + self.passes[position + 1 :])

    def up_to(self, position: int) -> PassOrder:
        """The order without the passes that could be left out after a position."""
        return PassOrder(
            self.passes[: position + 1]
            + tuple(name for name in self.passes[position + 1 :] if _is_needed(name))
        )


def _is_needed(name: str) -> bool:
    """Whether a pass bufferizes or deallocates."""
    return name in DEALLOCATION or name.partition("{")[0].endswith("-bufferize")


def random_order(random: Random, program: Program) -> PassOrder:
    """An order of passes in which each finds what it works on."""
    bufferization = random.choice(BUFFERIZATION)
    if bufferization == "partial":
        bufferize = [
            *random.sample(PARTIAL, len(PARTIAL)),
            "func-bufferize",
            "finalizing-bufferize",
        ]
    else:
        bufferize = [bufferization % ANALYSIS]
    return PassOrder(
        (
            *_some(BEFORE, random),
            *bufferize,
            *_some(BETWEEN, random),
            random.choice(DEALLOCATION),
            *_some(AFTER, random),
        )
    )


def _some(passes: Sequence[str], random: Random) -> list[str]:
    """A few passes in random order, perhaps one twice."""
    return random.choices(passes, k=random.randint(0, 5))


def check_pass_order(program: Program, seed: int) -> list[str]:
    """What is wrong with what a random order of passes makes of a program."""
    random = Random(seed)
    order = random_order(random, program)
    _, module = parse(program.text)
    expected = Interpreter(module).call("main", arguments_for(program))
    done, order = _run(program, order)
    if done is None:
        return []
    found = _wrong_results(order, done, expected)
    savers = [
        position
        for position, name in enumerate(order.passes)
        if name in COPIES_LESS or name in NEEDS_LESS
    ]
    if found or not savers:
        return found
    position = random.choice(savers)
    name = order.passes[position]
    order = order.up_to(position)
    done, _ = _run(program, order)
    before, _ = _run(program, order.without(position))
    if done is None or before is None:
        return []
    found = _wrong_results(order, done, expected)
    found += _wrong_results(order.without(position), before, expected)
    for promised, field in ((COPIES_LESS, "bytes_copied"), (NEEDS_LESS, "peak_bytes")):
        without, with_ = getattr(before.stats, field), getattr(done.stats, field)
        if name in promised and with_ > without:
            found.append(
                f"{order}: {field} is {with_} with {name} (number {position}), "
                f"{without} without"
            )
    return found


def _run(program: Program, order: PassOrder) -> tuple[Run | None, PassOrder]:
    """Run a program compiled in this order. What refuses the program, with good reason,
    is left out; nothing is run when One-Shot Bufferize does."""
    while True:
        try:
            pipeline = str(order)
            return run(program.text, arguments_for(program), pipeline=pipeline), order
        except PassFailedException as error:
            if REFUSED in str(error) or READ_ONLY in str(error):
                return None, order
            refused = [
                position
                for position, name in enumerate(order.passes)
                if name.startswith("buffer-results-to-out-params")
            ]
            if NO_OUT_PARAM not in str(error) or not refused:
                raise PassFailedException(f"{order}\n{error}") from error
            order = order.without(refused[0])
        except Exception as error:
            error.add_note(str(order))
            raise


def _wrong_results(order: PassOrder, done: Run, expected: Sequence[object]) -> list[str]:
    return [
        f"{order}: result {number}: expected {want}, got {got}"
        for number, (got, want) in enumerate(zip(done.results, expected, strict=True))
        if not np.array_equal(got, want)  # pyright: ignore[reportArgumentType]
    ]
