"""decompose-tensor-concat, against the patterns mlir-opt has for transform scripts."""

from __future__ import annotations

from pathlib import Path

from tests.oracle.harness import Comparison, compare

LIBRARY = Path(__file__).parent / "transforms/decompose_tensor_concat_patterns.mlir"
PATTERNS = (
    f'transform-preload-library{{transform-library-paths="{LIBRARY}"}},'
    "transform-interpreter"
)


@compare(
    "transforms/decompose_tensor_concat.mlir",
    "decompose-tensor-concat",
    mlir_passes=PATTERNS,
)
def test_ir(comparison: Comparison) -> None:
    comparison.same_ir()
