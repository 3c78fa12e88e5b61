"""Passes that fold or expand views of memrefs, against mlir-opt."""

from tests.oracle.harness import Comparison, compare


@compare("transforms/fold_memref_alias_ops.mlir")
def test_fold_memref_alias_ops(comparison: Comparison) -> None:
    comparison.same_ir()


@compare("transforms/expand_strided_metadata.mlir")
def test_expand_strided_metadata(comparison: Comparison) -> None:
    comparison.same_ir()
