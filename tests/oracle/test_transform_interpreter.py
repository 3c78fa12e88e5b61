"""Transform scripts: the same ops of the same programs bufferized as by mlir-opt, and the
same scripts refused."""

from __future__ import annotations

from tests.oracle.harness import Comparison, compare


@compare("transforms/transform_interpreter.mlir")
def test_scripts(comparison: Comparison) -> None:
    comparison.same_ir()
