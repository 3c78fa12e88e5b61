"""After `canonicalize`, no program of these tests has more ops than with mlir-opt.

What is known to be worse is in `KNOWN`, with its reason; docs/canonicalize.md says more.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.harness import read_programs, requires_mlir_opt
from tests.oracle.op_counts import compare_op_counts

pytestmark = pytest.mark.long

HERE = Path(__file__).parent

_TRANSFORM = "transform.", "ops of transform are read, not simplified"
_LLVM = "llvm.", "unused ops of llvm are left to LLVM"

KNOWN = {
    "memref_realloc": ("memref.realloc", "a reallocation frees its operand"),
    "memref_realloc_2": ("memref.realloc", "a reallocation frees its operand"),
    "func_values": ("func.", "a call of a known function value stays indirect"),
    "g": ("ml_program.", "a store without users of its token stays"),
    "inserted_elsewhere": ("tensor.", "mlir-opt moves an insertion across a read: wrong"),
    "intr_fabs": _LLVM,
    "load": _LLVM,
    "load_nontemporal": _LLVM,
    "load_atomic": _LLVM,
    "asm": _LLVM,
    "asm_tail": _LLVM,
    "transform": _TRANSFORM,
    "__transform_main": _TRANSFORM,
}
"""By program: an op that is left, or the start of its name, and why."""


@requires_mlir_opt
@pytest.mark.parametrize(
    "path", sorted(HERE.rglob("*.mlir")), ids=lambda path: str(path.relative_to(HERE))
)
def test_no_more_ops(path: Path) -> None:
    unexpected = [
        counts.describe()
        for counts in compare_op_counts(read_programs(path))
        if counts.is_worse
        and not any(
            name.startswith(KNOWN.get(counts.program.name, ("-", ""))[0])
            for name in counts.ours - counts.reference
        )
    ]
    assert not unexpected, "\n".join(unexpected)
