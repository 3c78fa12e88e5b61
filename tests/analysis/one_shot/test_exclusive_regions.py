"""Accesses in mutually exclusive regions, of which there are many, are not compared."""

from __future__ import annotations

import pytest

from tests.oracle.tools import parse
from xdsl_bufferization.analysis.one_shot.conflicts import ConflictRules
from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.interfaces.bufferization_options import (
    AnalysisHeuristic,
    BufferizationOptions,
)
from xdsl_bufferization.models import announce_models

T = "tensor<64xf32>"
INSERT = f"%i = tensor.insert %x into %t[%n] : {T} scf.yield %i : {T}"
INSERT_IN_LOOP = f"""%i = scf.for %k = %n to %n step %n iter_args(%s = %t) -> ({T}) {{
    %u = tensor.insert %x into %s[%k] : {T}
    scf.yield %u : {T}
  }}
  scf.yield %i : {T}"""
NESTED = f"""%i = scf.if %c -> {T} {{
    %u = tensor.insert %x into %t[%n] : {T}
    scf.yield %u : {T}
  }} else {{
    %u = tensor.insert %x into %t[%n] : {T}
    scf.yield %u : {T}
  }}
  scf.yield %i : {T}"""
READ = f"""%e = tensor.extract %t[%n] : {T}
  %i = tensor.insert %e into %t[%n] : {T}
  scf.yield %i : {T}"""


def switch(number: int, case: str) -> str:
    cases = "\n".join(f"case {i} {{ {case} }}" for i in range(number))
    return f"""func.func @f(%t: {T}, %x: f32, %n: index, %c: i1) -> {T} {{
      %r = scf.index_switch %n -> {T}
      {cases}
      default {{ scf.yield %t : {T} }}
      return %r : {T}
    }}"""


@pytest.mark.parametrize("heuristic", ["bottom-up", "top-down"])
@pytest.mark.parametrize("case", [INSERT, INSERT_IN_LOOP, NESTED, READ])
def test_cases_are_not_compared_with_each_other(
    case: str, heuristic: AnalysisHeuristic, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce_models()
    compared: list[None] = []
    are_conflicting = ConflictRules.are_conflicting

    def counted(*args: object) -> object:
        compared.append(None)
        return are_conflicting(*args)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(ConflictRules, "are_conflicting", counted)
    counts: list[int] = []
    for number in (20, 40):
        _, module = parse(switch(number, case))
        compared.clear()
        analysis = analyze(
            module,
            BufferizationOptions(
                bufferize_function_boundaries=True, analysis_heuristic=heuristic
            ),
        )
        assert not analysis.num_tensor_out_of_place
        counts.append(len(compared))
    assert counts[1] < 2.2 * counts[0]
