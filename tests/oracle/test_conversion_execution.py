"""The same numbers as mlir-opt's lowering: each function of conversion/*.mlir is
executed.

Every function there takes and returns scalars and is called with edge values of its
arguments' types, in three modules: lowered by mlir-opt, lowered and translated by us, and
lowered by us and translated by mlir-translate. Results are equal to the last bit, but for
functions in math_libm.mlir, whose algorithms may differ by two units in the last place.
"""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from tests.oracle.conversion_runs import (
    Compiled,
    Function,
    argument_lists,
    functions_of,
    ours,
    reference,
    through_mlir,
    ulps,
)
from tests.oracle.tools import requires_mlir_opt

PROGRAMS = Path(__file__).parent / "conversion" / "to_llvm"
INEXACT = {"math_libm": 2}
CASES = [
    pytest.param(path, function, id=f"{path.stem}-{function}")
    for path in sorted(PROGRAMS.glob("*.mlir"))
    for function in functions_of(path)
]


@functools.cache
def compiled(path: Path) -> tuple[Compiled, Compiled, Compiled]:
    text = path.read_text()
    return reference(text), ours(text), through_mlir(text)


@requires_mlir_opt
@pytest.mark.parametrize(("path", "function"), CASES)
def test_same_result(path: Path, function: Function) -> None:
    expected, by_us, by_both = compiled(path)
    tolerance = INEXACT.get(path.stem, 0)
    for arguments in argument_lists(function):
        wanted = expected.call(function, arguments)
        for module in (by_us, by_both):
            result = module.call(function, arguments)
            assert result == wanted or (
                tolerance and ulps(result, wanted, function.result) <= tolerance
            ), f"{function}{arguments}: {result}, mlir-opt: {wanted}"
