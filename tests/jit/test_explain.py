"""Module.explain: why compiled code copies, and what each copy has done."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.remarks.test_remarks import UPDATE
from xdsl_bufferization import jit, parse

COPYING = (
    "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline,"
    "lower-to-llvm-pipeline"
)
LOOP = """\
func.func @fill(%t: tensor<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) {
    %old = tensor.extract %t[%i] : tensor<?xf32>
    %new = tensor.insert %a into %t[%c0] : tensor<?xf32>
    %now = tensor.extract %new[%i] : tensor<?xf32>
    %b = arith.addf %old, %now : f32
    scf.yield %b : f32
  }
  return %sum : f32
}
"""


def executed(module: jit.Module) -> dict[tuple[str, str | None], tuple[int, int]]:
    counts = module.explain().executed
    assert counts is not None
    return {
        (each.remark.subject, each.remark.place.position): (each.times, each.bytes)
        for each in counts
    }


def test_a_module_explains_its_copies() -> None:
    report = jit.compile(UPDATE, COPYING).explain()
    (copy,) = report.copies
    assert (copy.bytes, copy.place.position) == (32, "<text>:2:11")
    assert report.executed is None
    assert "(estimated)" in report.summary


def test_copies_and_allocations_are_counted_where_they_are_in_the_source() -> None:
    module = jit.compile(LOOP, count=True)
    at = "<text>:7:12"
    assert executed(module) == {("allocation", at): (0, 0), ("copy", at): (0, 0)}
    module.fill(np.zeros(5, np.float32), 5)
    module.fill(np.zeros(2, np.float32), 2)
    bytes_copied = 5 * 20 + 2 * 8
    assert executed(module) == {
        ("allocation", at): (2, 5 * 4 + 2 * 4),  # once before the loop
        ("copy", at): (7, bytes_copied),
    }
    stats = module.stats()
    assert (stats.copies, stats.bytes_copied, stats.allocations) == (7, bytes_copied, 2)
    report = module.explain()
    assert report.summary == "7 copies, 116 bytes, 2 allocations, 28 bytes (counted)"
    assert f"{at}: tensor.insert: copied 7 times, 116 bytes" in str(report)
    module.reset_stats()
    assert set(executed(module).values()) == {(0, 0)}


def test_clones_are_counted() -> None:
    text = """func.func @f(%t: tensor<4xi64>) -> tensor<4xi64> {
      return %t : tensor<4xi64>
    }"""
    module = jit.compile(text, count=True)
    module.f(np.zeros(4, np.int64))
    assert executed(module) == {("clone", "<text>:2:7"): (1, 32)}


def test_functional_code_copies_what_it_may_not_write() -> None:
    text = UPDATE.replace("tensor.extract %t[", "tensor.extract %once[")
    assert not jit.compile(text).explain().copies
    (copy,) = jit.compile(text, functional=True).explain().copies
    assert copy.reason.code == "read-only"


def test_the_program_is_the_one_that_was_compiled(tmp_path: Path) -> None:
    file = tmp_path / "update.mlir"
    file.write_text(UPDATE)
    from_file = jit.compile(file, COPYING)
    module = parse(UPDATE)
    from_module = jit.compile(module, COPYING)
    file.write_text("builtin.module {}")
    module.body.block.first_op.detach()  # pyright: ignore[reportOptionalMemberAccess]
    (copy,) = from_file.explain().copies
    assert copy.place.position == f"{file}:2:11"
    assert len(from_module.explain().copies) == 1


@pytest.mark.parametrize("pipeline", ["bufferization-pipeline,lower-to-llvm-pipeline"])
def test_the_passes_are_those_of_the_module(pipeline: str) -> None:
    report = jit.compile(UPDATE, pipeline).explain()
    assert report.passes == pipeline
    assert not report.copies, "the read is moved"


def test_counted_code_from_the_cache_is_counted(tmp_path: Path) -> None:
    jit.compile(UPDATE, COPYING, count=True, cache=tmp_path)
    module = jit.compile(UPDATE, COPYING, count=True, cache=tmp_path)
    assert list(module.seconds) == ["cache"]
    module.update(np.zeros(8, np.float32), 1, 0.5)
    assert set(executed(module).values()) == {(1, 32)}
