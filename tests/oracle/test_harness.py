"""The harness itself: it must see what differs, and blame the right program."""

from __future__ import annotations

import pytest

from tests.oracle.harness import (
    Comparison,
    analysis_only,
    compare,
    comparisons,
    count_buffer_ops,
    count_ops,
    mlir_flags,
    mlir_opt,
    rename_generated_symbols,
    requires_mlir_opt,
    split_programs,
    without_summaries,
    xdsl_opt,
)

GOOD = "func.func @good() {\n  return\n}\n"
BAD = "func.func @bad() {\n  return %undefined : i32\n}\n"
FOLDS = """
func.func @folds(%a: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.addi %a, %0 : i32
  return %1 : i32
}
"""


def comparison_of(program: str, passes: str, mlir_passes: str) -> Comparison:
    (made,) = comparisons(split_programs(program), passes, mlir_passes=mlir_passes)
    made.run()
    return made


@compare("harness.mlir")
def test_programs_of_a_file(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("harness.mlir", "canonicalize", mlir_passes="symbol-dce")
def test_pipelines(comparison: Comparison) -> None:
    assert comparison.flags == ("--symbol-dce",)
    assert comparison.passes == "canonicalize"


@requires_mlir_opt
def test_a_refused_program_does_not_disturb_its_neighbours() -> None:
    outcomes = mlir_opt([GOOD, BAD, GOOD])
    assert [outcome.accepted for outcome in outcomes] == [True, False, True]
    assert "undeclared SSA value" in (outcomes[1].error or "")
    assert "func.func @good" in outcomes[2].text


@requires_mlir_opt
def test_each_refused_program_has_its_own_reason() -> None:
    other = "func.func @other() -> i32 { return }"
    outcomes = mlir_opt([BAD, other, f"\n\n{BAD}", other])
    for number, outcome in enumerate(outcomes):
        reason = outcome.error or ""
        assert ("undeclared SSA value" in reason) == (number % 2 == 0)
        assert ("enclosing function (@other)" in reason) == (number % 2 == 1)


def test_diagnostics_and_crashes_are_told_apart() -> None:
    refused = xdsl_opt(BAD)
    assert not refused.accepted and not refused.crashed
    crashed = xdsl_opt(GOOD, "no-such-pass")
    assert not crashed.accepted and crashed.crashed


@requires_mlir_opt
def test_a_difference_fails_with_a_diff() -> None:
    program = "func.func private @unused() {\n  return\n}"
    made = comparison_of(program, "cse", mlir_passes="symbol-dce")
    with pytest.raises(pytest.fail.Exception, match=r"\+  func.func private @unused"):
        made.same_ir()


@requires_mlir_opt
def test_what_mlir_opt_refuses_must_be_expected() -> None:
    made = comparison_of(GOOD, "cse", mlir_passes="no-such-pass")
    with pytest.raises(pytest.fail.Exception, match="mlir-opt rejects it"):
        made.same_ir()


@requires_mlir_opt
def test_plain_text_is_compared_without_clean_up() -> None:
    made = comparison_of(FOLDS, "cse", mlir_passes="canonicalize")
    made.same_ir()
    with pytest.raises(pytest.fail.Exception) as failure:
        made.same_analysis()
    message = str(failure.value)
    assert "+    %0 = arith.addi" in message
    assert "program\n  func.func @folds" in message
    assert "mlir-opt --canonicalize" in message and "xdsl-opt -p cse" in message


@requires_mlir_opt
def test_a_known_difference_must_still_differ() -> None:
    (made,) = comparisons(split_programs(FOLDS), "cse", differs={"folds": "it did once"})
    made.run()
    with pytest.raises(pytest.fail.Exception, match="no longer differs"):
        made.same_ir()


@requires_mlir_opt
@pytest.mark.parametrize("program", [GOOD, BAD])
def test_both_reject(program: str) -> None:
    made = comparison_of(program, "cse", mlir_passes="cse")
    if program is GOOD:
        with pytest.raises(pytest.fail.Exception, match="mlir-opt accepts it"):
            made.both_reject()
    else:
        made.both_reject("undefined")
        with pytest.raises(pytest.fail.Exception, match="is not in our diagnostic"):
            made.both_reject("no such words")


def test_a_difference_known_for_no_program_is_an_error() -> None:
    with pytest.raises(ValueError, match="no program is named"):
        comparisons(split_programs(GOOD), "cse", differs={"nobody": "why"})


def test_directives() -> None:
    text = f"// PASSES: cse\n{GOOD}\n// -----\n// PASSES: dce\n// DIFFERS: why\n{BAD}"
    first, second = split_programs(text)
    assert (first.name, first.line) == ("good", 1)
    assert first.directives == {"PASSES": "cse"}
    assert (second.name, second.line) == ("bad", 6)
    assert second.directives == {"PASSES": "dce", "DIFFERS": "why"}


def test_mlir_flags() -> None:
    assert mlir_flags("one-shot-bufferize{a-b=x-y,z c d=false},cse") == (
        "--one-shot-bufferize=a-b=x-y,z c d=false",
        "--cse",
    )


def test_analysis_only() -> None:
    assert analysis_only("cse,one-shot-bufferize,dce") == (
        "cse,one-shot-bufferize{test-analysis-only},dce"
    )
    assert analysis_only("one-shot-bufferize{a=1}") == (
        "one-shot-bufferize{a=1 test-analysis-only}"
    )


def test_summaries_are_left_out_of_decisions() -> None:
    before = (
        'func.func @f(%a: t {bufferization.access = "read"}, %b: t {a.b, '
        'bufferization.access = "none", z.y}) {\n'
        "  return {__equivalent_func_args__ = [0], "
        '__inplace_operands_attr__ = ["true"]} %a\n'
        "  return {__equivalent_func_args__ = [0, -1]} %a\n"
    )
    assert without_summaries(before) == (
        "func.func @f(%a: t, %b: t {a.b, z.y}) {\n"
        '  return {__inplace_operands_attr__ = ["true"]} %a\n'
        "  return %a\n"
    )


def test_generated_symbols_are_numbered() -> None:
    text = (
        'memref.global "private" constant @__constant_2xf32 : memref<2xf32>\n'
        "func.func @main() {\n"
        "  %0 = memref.get_global @__constant_2xf32 : memref<2xf32>\n"
        "  call @helper() : () -> ()\n"
        "}\n"
        "func.func private @helper()\n"
    )
    renamed = rename_generated_symbols(text, "func.func @main() {}")
    assert "@__constant" not in renamed and "@helper" not in renamed
    assert renamed.count("@generated_0 ") == 2
    assert renamed.count("@generated_1(") == 2
    assert "@main" in renamed


def test_counting() -> None:
    text = """
module {
  func.func @f(%arg0: memref<4xf32>) -> memref<4xf32> {
    %alloc, %x = memref.alloc() : memref<4xf32>
    %0 = memref.alloca() : memref<4xf32>
    "memref.copy"(%arg0, %alloc) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.if %c {
      memref.dealloc %alloc : memref<4xf32>
    }
    %1:2 = bufferization.dealloc (%a : m) if (%c) retain (%b : m)
    return %alloc : memref<4xf32>
  }
}
"""
    assert count_buffer_ops(text) == {
        "memref.alloc": 1,
        "memref.copy": 1,
        "memref.dealloc": 1,
        "bufferization.dealloc": 1,
    }
    assert count_ops(text)["func.return"] == 1
