"""Remarks on all programs of the other tests: complete, and true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.remarks.hints import follow
from tests.remarks.programs import (
    DEALLOCATED,
    PIPELINES,
    Source,
    explained,
    parse,
    run,
)
from xdsl_bufferization.remarks.model import (
    SUBJECTS,
    Place,
    Remark,
    is_conditional_dealloc,
)

pytestmark = pytest.mark.long

WITH_HINTS = (*PIPELINES, DEALLOCATED.replace("{bufferize-function-boundaries}", ""))


@pytest.mark.parametrize("passes", PIPELINES)
def test_every_op_on_memory_has_one_remark_that_names_ops_of_the_program(
    passes: str,
) -> None:
    wrong: list[str] = []
    for source, (module, remarks) in explained(passes):
        counts = Counter(remark.op for remark in remarks if remark.op is not None)
        expected = [
            op
            for op in module.walk()
            if op.name in SUBJECTS or (op.name == "scf.if" and is_conditional_dealloc(op))
        ]
        if list(counts) != expected or set(counts.values()) > {1}:
            wrong.append(f"{source.name}: ops without a remark, or with several")
        lines = source.text.splitlines()
        wrong += (
            f"{source.name}: {place} is not in the program, as {remark} says"
            for remark in remarks
            for place in (remark.place, *(p for _, p in remark.reason.places))
            if not is_in(place, lines)
        )
    assert not wrong, "\n".join(wrong)


def is_in(place: Place, lines: Sequence[str]) -> bool:
    """Whether an op begins where a remark says that it is."""
    if place.position is None:
        return False
    file, line, column = place.position.rsplit(":", 2)
    if file != "p.mlir":
        return True  # The program itself says so, with loc(...).
    shown = lines[int(line) - 1][int(column) - 1 :].lstrip('"')
    return shown.startswith((place.name, place.name.partition(".")[2]))


@pytest.mark.parametrize("passes", WITH_HINTS)
def test_copies_are_gone_when_hints_are_followed(passes: str) -> None:
    followed = 0
    wrong: list[str] = []
    for source, (_, remarks) in explained(passes):
        hints = [r for r in remarks if r.hint is not None and r.op is not None]
        for remark in hints:
            if remark.subject == "allocation" and any(
                other.cause is remark.cause and other.subject == "copy" for other in hints
            ):
                continue  # The allocation goes with the copy into it.
            followed += 1
            wrong += is_there_still(source, remarks, remark, passes)
    assert followed > 5
    assert not wrong, "\n".join(wrong)


def is_there_still(
    source: Source, remarks: Sequence[Remark], remark: Remark, passes: str
) -> list[str]:
    """Follow a hint. Return what is wrong then."""
    module = parse(source.text)
    passes = follow(module, remark, passes)
    module.verify()
    left = run(module, passes).remarks
    if count_alike(left, remark) < count_alike(remarks, remark):
        return []
    return [f"{source.name}: still there with {passes}: {remark}"]


def count_alike(remarks: Sequence[Remark], remark: Remark) -> int:
    """How many ops there are for the reason of a remark, on the op that it is about."""
    return sum(
        other.op is not None
        and other.subject == remark.subject
        and other.place.position == remark.place.position
        and other.reason.code == remark.reason.code
        for other in remarks
    )
