"""Passes that turn ops into linalg ops on tensors, against mlir-opt."""

import re

from tests.oracle.harness import (
    Comparison,
    compare,
    mlir_opt,
    requires_mlir_opt,
    xdsl_opt,
)
from tests.oracle.normal_form import normal_form


@compare("conversion/convert_tensor_to_linalg.mlir")
def test_tensor(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("conversion/convert_elementwise_to_linalg.mlir")
def test_elementwise(comparison: Comparison) -> None:
    comparison.same_ir()


@compare(
    "conversion/tosa/tosa_to_linalg.mlir",
    "tosa-to-linalg",
    mlir_passes="tosa-to-linalg-pipeline,tosa-to-tensor,tosa-to-arith",
)
def test_tosa(comparison: Comparison) -> None:
    comparison.same_ir()


@compare(
    "conversion/tosa/tosa_ops.mlir",
    "tosa-to-linalg",
    mlir_passes=(
        "tosa-to-scf,tosa-to-linalg-pipeline,tosa-to-tensor,"
        "tosa-to-arith{include-apply-rescale}"
    ),
)
def test_tosa_ops(comparison: Comparison) -> None:
    _same_ops(comparison)


@compare(
    "conversion/tosa/tosa_pools_and_scales.mlir",
    "tosa-to-linalg",
    mlir_passes=(
        "tosa-to-scf,tosa-to-linalg-pipeline,tosa-to-tensor,"
        "tosa-to-arith{include-apply-rescale}"
    ),
)
def test_tosa_pools_and_scales(comparison: Comparison) -> None:
    _same_ops(comparison)


def _same_ops(comparison: Comparison) -> None:
    """The same ops; constants, and others without effects, in any order."""
    comparison.accepted()
    assert comparison.reference.accepted, comparison.reference.error
    reference, ours = (normal_form(comparison.clean[side].text) for side in range(2))
    assert ours == reference


_BINARY = {
    "f32": ("arith.addf", "arith.subf", "arith.divf", "arith.maximumf", "math.atan2"),
    "i32": ("arith.addi", "arith.subi", "arith.shli", "arith.minsi", "arith.xori"),
    "i1": ("arith.andi", "arith.xori", "arith.cmpi eq,", "arith.cmpi ult,"),
}
_TERNARY = {"f32": ("math.fma",)}
_CHOICES = {"f32": ("arith.select %c,",), "i1": ("arith.select %c,",)}
_TABLES = (
    (_BINARY, ("%cst, %arg0", "%arg0, %cst", "%arg1, %arg0")),
    (_TERNARY, ("%cst, %arg1, %arg0", "%arg0, %cst, %arg1", "%cst, %cst, %arg0")),
    (_CHOICES, ("%cst, %arg0", "%arg0, %cst", "%arg1, %arg0")),
)


@requires_mlir_opt
def test_destinations_of_elementwise_ops() -> None:
    """That of mlir-opt, which moves constants of commutative ops to the right; where that
    is a constant, the first other operand."""
    cases = [
        (_program(op, element, operands), operands)
        for table, orders in _TABLES
        for element, ops in table.items()
        for op in ops
        for operands in orders
    ]
    references = mlir_opt([text for text, _ in cases], "--convert-elementwise-to-linalg")
    for (text, operands), reference in zip(cases, references, strict=True):
        ours = xdsl_opt(text, "convert-elementwise-to-linalg")
        assert reference.accepted and ours.accepted, text
        (expected,), (chosen,) = (
            re.findall(r"outs\((%\w+)", outcome.text) for outcome in (reference, ours)
        )
        if expected == "%cst":
            expected = next(name for name in operands.split(", ") if name != "%cst")
        assert chosen == expected, f"{text}\n{ours.text}"


def _program(op: str, element: str, operands: str) -> str:
    tensor = f"tensor<2x{element}>"
    elements = "[1.0, 2.0]" if element == "f32" else "[0, 1]"
    return f"""
        func.func @f(%arg0: {tensor}, %arg1: {tensor}, %c: i1) -> {tensor} {{
          %cst = arith.constant dense<{elements}> : {tensor}
          %r = {op} {operands} : {tensor}
          return %r : {tensor}
        }}
    """
