"""How much of a function is looked at to free its buffers early."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from xdsl.ir import Operation, SSAValue

from tests.oracle.tools import parse, run_passes
from tests.random_programs.program import PROFILES, random_program
from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.deallocation.last_uses import LastUse, LastUses
from xdsl_bufferization.interfaces.view_like import get_view_base
from xdsl_bufferization.transforms.optimize_allocation_liveness import (
    optimize_allocation_liveness,
)

M = "memref<8xf64>"


def loops(count: int) -> str:
    """Loops that each keep a buffer or replace it by a new one."""
    return "".join(
        f"""%b{i + 1} = scf.for %i{i} = %c0 to %n step %c1
            iter_args(%x{i} = %b{i}) -> ({M}) {{
          %r{i} = scf.if %c -> ({M}) {{
            %z{i} = memref.alloc() : {M}
            memref.copy %a, %z{i} : {M} to {M}
            scf.yield %z{i} : {M}
          }} else {{
            scf.yield %x{i} : {M}
          }}
          scf.yield %r{i} : {M}
        }}
        """
        for i in range(count)
    )


def selections(count: int) -> str:
    """Buffers of which one after the other is selected or not."""
    return "".join(
        f"""%z{i} = memref.alloc() : {M}
        memref.copy %a, %z{i} : {M} to {M}
        %b{i + 1} = arith.select %c, %z{i}, %b{i} : {M}
        memref.copy %b{i + 1}, %a : {M} to {M}
        """
        for i in range(count)
    )


def blocks(count: int) -> str:
    """Loops of blocks that each keep a buffer or replace it by a new one."""
    return "".join(
        f"""cf.br ^head{i}(%b{i} : {M})
      ^head{i}(%x{i}: {M}):
        cf.cond_br %c, ^body{i}, ^end{i}
      ^body{i}:
        %z{i} = memref.alloc() : {M}
        memref.copy %x{i}, %z{i} : {M} to {M}
        cf.cond_br %c, ^head{i}(%z{i} : {M}), ^head{i}(%x{i} : {M})
      ^end{i}:
        %b{i + 1} = memref.cast %x{i} : {M} to {M}
        """
        for i in range(count)
    )


def exchanges(count: int) -> str:
    """Loops that exchange two buffers, one of which is new in each iteration. The buffer
    that the first starts with is used in all."""
    return f"""%d0 = memref.alloc() : {M}
        memref.copy %a, %d0 : {M} to {M}
        """ + "".join(
        f"""%b{i + 1}, %d{i + 1} = scf.for %i{i} = %c0 to %n step %c1
            iter_args(%x{i} = %b{i}, %y{i} = %d{i}) -> ({M}, {M}) {{
          %z{i} = memref.alloc() : {M}
          memref.copy %b0, %z{i} : {M} to {M}
          scf.yield %y{i}, %z{i} : {M}, {M}
        }}
        """
        for i in range(count)
    )


def program(body: str, count: int) -> str:
    return f"""func.func @main(%a: {M}, %c: i1, %n: index) -> {M} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %b0 = memref.alloc() : {M}
      memref.copy %a, %b0 : {M} to {M}
      {body}
      return %b{count} : {M}
    }}"""


@pytest.mark.parametrize("body", [loops, selections, blocks, exchanges])
def test_steps_are_linear(
    body: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every buffer may be one of the others, and each value is followed only once."""
    steps = 0
    get_dependents = BufferOrigins.direct_dependents
    get_sources = BufferOrigins.direct_sources

    def count_dependents(self: BufferOrigins, value: SSAValue) -> Sequence[SSAValue]:
        nonlocal steps
        steps += 1
        return get_dependents(self, value)

    def count_sources(self: BufferOrigins, value: SSAValue) -> Sequence[SSAValue]:
        nonlocal steps
        steps += 1
        return get_sources(self, value)

    counts: list[int] = []
    for count in (15, 60):
        context, module = parse(program(body(count), count))
        run_passes(context, module, "buffer-deallocation-pipeline{static-ownership}")
        monkeypatch.setattr(BufferOrigins, "direct_dependents", count_dependents)
        monkeypatch.setattr(BufferOrigins, "direct_sources", count_sources)
        steps = 0
        optimize_allocation_liveness(module, any_buffer=True)
        monkeypatch.undo()
        counts.append(steps)
    assert counts[1] < 5 * counts[0], counts


@pytest.mark.parametrize(
    "text",
    [
        *(program(body(3), 3) for body in (loops, selections, exchanges)),
        *(
            random_program(seed, PROFILES["observed"]).text
            for seed in range(1_000, 1_012)
        ),
    ],
)
def test_last_uses_of_what_is_passed_on_are_those_that_a_search_finds(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    get = LastUses._get_of_passed_on

    def get_and_search(
        self: LastUses, value: SSAValue, others: frozenset[SSAValue]
    ) -> LastUse | None:
        found = get(self, value, others)
        if found is not None:
            op = get_view_base(value).owner
            assert isinstance(op, Operation)
            searched = self._get_without(others).around.of(value)
            assert found.number == max(searched.number, self._number(op))
        return found

    monkeypatch.setattr(LastUses, "_get_of_passed_on", get_and_search)
    context, module = parse(text)
    run_passes(context, module, "bufferization-pipeline")
