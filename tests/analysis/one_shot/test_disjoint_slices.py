"""Comparisons of the slices of one tensor, where there are many."""

from __future__ import annotations

import random

import pytest

from tests.oracle.tools import parse
from xdsl_bufferization.analysis.one_shot import disjoint_slices
from xdsl_bufferization.analysis.one_shot.conflicts import ConflictRules
from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.interfaces.bufferization_options import (
    AnalysisHeuristic,
    BufferizationOptions,
)
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import is_tensor
from xdsl_bufferization.models import announce_models

HEURISTICS: tuple[AnalysisHeuristic, ...] = (
    "bottom-up",
    "top-down",
    "bottom-up-from-terminators",
)


def updates_of_slices(number: int) -> str:
    """All slices of a tensor are taken, then all computed, then all inserted."""
    whole, part = f"tensor<{2 * number}xf32>", "tensor<2xf32>"
    lines = [
        f"func.func @main(%u: {whole} {{bufferization.writable = true}}) -> {whole} {{"
    ]
    lines += [
        f"%s{i} = tensor.extract_slice %u[{2 * i}] [2] [1] : {whole} to {part}"
        for i in range(number)
    ]
    lines += [
        f"%x{i} = linalg.exp ins(%s{i} : {part}) outs(%s{i} : {part}) -> {part}"
        for i in range(number)
    ]
    lines += [
        f"%u{i} = tensor.insert_slice %x{i} into %u{i - 1 if i else ''}[{2 * i}] [2] [1]"
        f" : {part} into {whole}"
        for i in range(number)
    ]
    return "\n".join([*lines, f"return %u{number - 1} : {whole}", "}"])


def random_updates(seed: int) -> str:
    """Slices, some of them overlapping, of other sizes or of slices, read and written in
    any order, in a loop and outside."""
    choose = random.Random(seed)
    whole, part, cell = "tensor<4x12xf32>", "tensor<2x4xf32>", "tensor<1x2xf32>"
    names = {whole: ["%t"], part: ["%p"], cell: ["%c"]}
    lines: list[str] = []
    for number in range(choose.randrange(12, 30)):
        large, small = choose.choice([(whole, part), (whole, cell), (part, cell)])
        rows, columns = (4, 12) if large is whole else (2, 4)
        size, width = (2, 4) if small is part else (1, 2)
        row, column = choose.randint(0, rows - size), choose.randint(0, columns - width)
        at = f"[{row}, {column}] [{size}, {width}] [1, 1]"
        name = f"%v{number}"
        kind = choose.randrange(4)
        if kind < 2:
            # Mostly of the argument, which then has many slices.
            source = names[large][0 if choose.random() < 0.7 else -1]
            line = f"tensor.extract_slice {source}{at} : {large} to {small}"
            names[small].append(name)
        elif kind == 2:
            type_ = choose.choice([part, cell])
            first, second = choose.choice(names[type_]), choose.choice(names[type_])
            ins, outs = f"ins({first} : {type_})", f"outs({second} : {type_})"
            line = f"linalg.exp {ins} {outs} -> {type_}"
            names[type_].append(name)
        else:
            source, into = choose.choice(names[small]), choose.choice(names[large])
            line = f"tensor.insert_slice {source} into {into}{at} : {small} into {large}"
            names[large].append(name)
        lines.append(f"{name} = {line}")
    result = names[whole][-1]
    if choose.random() < 0.5:
        first = choose.randrange(len(lines))
        taken = [*lines[:first], "scf.for %i = %lb to %ub step %st {"]
        results = {line.split(" ")[0] for line in lines[first:]}
        lines = [*taken, *lines[first:], "}"]
        result = next(name for name in reversed(names[whole]) if name not in results)
    bounds = "%lb: index, %ub: index, %st: index"
    arguments = f"%t: {whole}, %p: {part}, %c: {cell}, {bounds}"
    start = f"func.func @main({arguments}) -> {whole} {{"
    return "\n".join([start, *lines, f"return {result} : {whole}", "}"])


def decisions(program: str, heuristic: AnalysisHeuristic) -> tuple[list[bool], bool]:
    """Which operands are in place, and whether an option excluded a conflict."""
    announce_models()
    _, module = parse(program)
    analysis = analyze(
        module,
        BufferizationOptions(
            analysis_heuristic=heuristic,
            bufferize_function_boundaries=True,
            disjoint_slices=True,
        ),
    )
    decided = [
        analysis.is_in_place(use)
        for op in module.walk()
        for use in operands_of(op)
        if is_tensor(get(use).type)
    ]
    return decided, analysis.used_options


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_not_each_two_of_many_slices_are_compared(
    heuristic: AnalysisHeuristic, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[None] = []
    are_conflicting = ConflictRules.are_conflicting

    def counted(*args: object) -> object:
        compared.append(None)
        return are_conflicting(*args)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(ConflictRules, "are_conflicting", counted)
    counts: list[int] = []
    for number in (50, 100):
        compared.clear()
        decisions(updates_of_slices(number), heuristic)
        counts.append(len(compared))
    assert counts[1] < 2.2 * counts[0]


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_decisions_do_not_depend_on_the_number_of_slices(
    heuristic: AnalysisHeuristic, monkeypatch: pytest.MonkeyPatch
) -> None:
    have_copies = use_option = False
    for seed in range(60):
        program = random_updates(seed)
        found: list[tuple[list[bool], bool]] = []
        for most in (1_000, 1):
            monkeypatch.setattr(disjoint_slices, "MOST_SLICES", most)
            found.append(decisions(program, heuristic))
        assert found[0] == found[1], program
        have_copies |= not all(found[0][0])
        use_option |= found[0][1]
    assert have_copies and use_option
