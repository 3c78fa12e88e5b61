"""rewrite-in-destination-passing-style, against the op that mlir-opt offers to transform
scripts."""

from __future__ import annotations

from pathlib import Path

from tests.oracle.harness import Comparison, compare

FOLDER = Path(__file__).parent / "transforms"
SCRIPT = FOLDER / "rewrite_in_destination_passing_style_script.mlir"


@compare(
    "transforms/rewrite_in_destination_passing_style.mlir",
    "rewrite-in-destination-passing-style",
    mlir_passes=(
        f'transform-preload-library{{transform-library-paths="{SCRIPT}"}},'
        "transform-interpreter"
    ),
)
def test_ir(comparison: Comparison) -> None:
    comparison.same_ir()
