"""Indices that LLVM leaves undefined are checked as the same number that is used."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from xdsl_bufferization import jit

INDICES: dict[str, tuple[str, str, Any]] = {
    # the type of %v, how %i comes from it, and a %v that makes it poison
    "shift": ("index", "%i = arith.shli %c1, %v : index", 70),
    "shift of index": ("index", "%i = index.shl %c1, %v", 70),
    "shift by a constant": ("index", "%i = arith.shli %v, %c64 : index", 1),
    "float": (
        "f64",
        "%j = arith.fptosi %v : f64 to i64\n  %i = arith.index_cast %j : i64 to index",
        1e300,
    ),
    "NaN": (
        "f32",
        "%j = arith.fptoui %v : f32 to i64\n  %i = arith.index_castui %j : i64 to index",
        float("nan"),
    ),
    "overflow": (
        "index",
        "%i = arith.muli %v, %v overflow<nsw, nuw> : index",
        2**32 + 3,
    ),
    "poison": ("index", "%p = ub.poison : index\n  %i = arith.subi %p, %v : index", 1),
}


def load_at(name: str) -> Any:
    type_, index, _ = INDICES[name]
    return jit.compile(f"""
func.func @f(%a: tensor<?xf32>, %v: {type_}) -> f32 {{
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  {index}
  %0 = tensor.extract %a[%i] : tensor<?xf32>
  return %0 : f32
}}
""").f


@pytest.mark.parametrize("name", INDICES)
def test_poisoned_index_of_an_empty_array(name: str) -> None:
    with pytest.raises(jit.CheckError, match="out-of-bounds access of dimension 0"):
        load_at(name)(np.zeros(0, "f"), INDICES[name][2])


def test_what_is_defined_is_computed() -> None:
    array = np.arange(8, dtype="f")
    assert load_at("shift")(array, 2) == 4
    assert load_at("float")(array, 3.7) == 3
    assert load_at("overflow")(array, 2) == 4


def test_poisoned_buffer_is_empty() -> None:
    f = jit.compile("""
func.func @f(%i: index) -> f32 {
  %m = ub.poison : memref<?xf32>
  %0 = memref.load %m[%i] : memref<?xf32>
  return %0 : f32
}
""").f
    with pytest.raises(jit.CheckError, match="0 <= 0 < 0"):
        f(0)


def test_vectors_are_frozen() -> None:
    module = jit.compile("""
func.func @f(%a: tensor<4xf32>) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0], %zero : tensor<4xf32>, vector<4xf32>
  %i = arith.fptosi %v : vector<4xf32> to vector<4xi32>
  %s = arith.shli %i, %i : vector<4xi32>
  %r = vector.reduction <add>, %s : vector<4xi32> into i32
  return %r : i32
}
""")
    assert module.f(np.arange(4, dtype="f")) == 0 + 2 + 8 + 24
