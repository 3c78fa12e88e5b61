"""Masked ops that mlir-opt 22 has no pass to lower; what vector.print prints."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from xdsl.utils.exceptions import PassFailedException

from tests.execution.harness import random
from xdsl_bufferization import jit

LOWER = "lower-to-llvm-pipeline"


def masked(body: str, mask_type: str, result: str, pass_through: str = "") -> str:
    return f"""
    #mk = affine_map<(m, n, k) -> (m, k)>
    #kn = affine_map<(m, n, k) -> (k, n)>
    #mn = affine_map<(m, n, k) -> (m, n)>
    func.func @main(%a: memref<2x3xf64>, %b: memref<3x2xf64>, %c: memref<2x2xf64>,
                    %m: memref<{mask_type}>, %out: memref<{result}>) {{
      %c0 = arith.constant 0 : index
      %va = vector.load %a[%c0, %c0] : memref<2x3xf64>, vector<2x3xf64>
      %vb = vector.load %b[%c0, %c0] : memref<3x2xf64>, vector<3x2xf64>
      %vc = vector.load %c[%c0, %c0] : memref<2x2xf64>, vector<2x2xf64>
      %row = vector.extract %va[0] : vector<3xf64> from vector<2x3xf64>
      %acc = vector.extract %vc[0] : vector<2xf64> from vector<2x2xf64>
      %bytes = vector.load %m[{", ".join(["%c0"] * mask_type.count("x"))}]
        : memref<{mask_type}>, vector<{mask_type}>
      %mask = arith.trunci %bytes : vector<{mask_type}> to
        vector<{mask_type.replace("i8", "i1")}>
      %r = vector.mask %mask{pass_through} {{ {body} }}
        : vector<{mask_type.replace("i8", "i1")}> -> vector<{result}>
      vector.store %r, %out[{", ".join(["%c0"] * result.count("x"))}]
        : memref<{result}>, vector<{result}>
      return
    }}
    """


def run(program: str, mask: np.ndarray, result: np.ndarray) -> np.ndarray:
    a, b, c = random(2, 3, dtype="f8"), random(3, 2, dtype="f8"), random(2, 2, dtype="f8")
    jit.compile(program, LOWER).main(a, b, c, mask, result)
    return result


A, B, C = random(2, 3, dtype="f8"), random(3, 2, dtype="f8"), random(2, 2, dtype="f8")


def test_contraction() -> None:
    mask = (random(2, 2, 3) > 0).astype("i1")
    body = """vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types =
        ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %vb, %vc
        : vector<2x3xf64>, vector<3x2xf64> into vector<2x2xf64>"""
    result = run(masked(body, "2x2x3xi8", "2x2xf64"), mask, np.zeros((2, 2)))
    products = np.einsum("mk,kn->mnk", A, B)
    np.testing.assert_allclose(result, C + (products * mask).sum(2))


def test_multi_reduction() -> None:
    mask = np.array([[1, 0, 1], [0, 0, 1]], "i1")
    body = (
        "vector.multi_reduction <add>, %va, %acc [1] : vector<2x3xf64> to vector<2xf64>"
    )
    result = run(masked(body, "2x3xi8", "2xf64"), mask, np.zeros(2))
    np.testing.assert_allclose(result, C[0] + (A * mask).sum(1))


def test_outer_product() -> None:
    mask = np.array([[1, 0], [1, 1], [0, 0]], "i1")
    body = """vector.outerproduct %row, %acc, %vb {kind = #vector.kind<add>}
        : vector<3xf64>, vector<2xf64>"""
    result = run(masked(body, "3x2xi8", "3x2xf64"), mask, np.zeros((3, 2)))
    np.testing.assert_allclose(result, B + np.outer(A[0], C[0]) * mask)


def test_value_passed_through() -> None:
    mask = np.array([1, 0, 1], "i1")
    body = """vector.transfer_read %b[%c0, %c0], %zero
        {permutation_map = affine_map<(i, j) -> (i)>} : memref<3x2xf64>, vector<3xf64>"""
    program = masked(body, "3xi8", "3xf64", ", %row").replace(
        "%va =", "%zero = arith.constant 0.0 : f64 %va =", 1
    )
    result = run(program, mask, np.zeros(3))
    np.testing.assert_allclose(result, np.where(mask, B[:, 0], A[0]))


def test_gather_with_two_masks() -> None:
    mask = np.array([1, 0, 1], "i1")
    body = """vector.gather %b[%c0, %c0] [%at], %own, %row : memref<3x2xf64>,
        vector<3xindex>, vector<3xi1>, vector<3xf64> into vector<3xf64>"""
    constants = """%at = arith.constant dense<[1, 9, 0]> : vector<3xindex>
        %own = arith.constant dense<[true, true, false]> : vector<3xi1> %r ="""
    program = masked(body, "3xi8", "3xf64").replace("%r =", constants, 1)
    result = run(program, mask, np.zeros(3))
    np.testing.assert_allclose(result, [B[0, 1], A[0, 1], A[0, 2]])


def test_op_that_cannot_be_masked_is_refused() -> None:
    body = "arith.addf %va, %va : vector<2x3xf64>"
    with pytest.raises(
        PassFailedException,
        match=r"'arith.addf' in @main: it has no lowering under a mask",
    ):
        jit.compile(masked(body, "2x3xi8", "2x3xf64"), LOWER)


PRINTING = """
func.func @main() {
  %x = arith.constant dense<[[1.5, -2.0], [0.1, 1.0e10]]> : vector<2x2xf32>
  %h = arith.constant dense<[1.5, -2.0]> : vector<2xbf16>
  %q = arith.constant dense<0.25> : vector<f16>
  %d = arith.constant 0.1 : f64
  %i = arith.constant dense<[1, -2]> : vector<2xi8>
  %b = arith.constant dense<[true, false]> : vector<2xi1>
  %n = arith.constant 7 : index
  %u = arith.constant -5 : i64
  vector.print %x : vector<2x2xf32>
  vector.print %h : vector<2xbf16>
  vector.print %q : vector<f16>
  vector.print %d : f64
  vector.print %i : vector<2xi8>
  vector.print %b : vector<2xi1>
  vector.print %n : index
  vector.print str "u is "
  vector.print %u : i64 punctuation <comma>
  vector.print punctuation <open>
  vector.print punctuation <close>
  vector.print punctuation <newline>
  return
}
"""


def test_printing() -> None:
    program = (
        "from xdsl_bufferization import jit\nimport sys\njit.compile(sys.argv[1]).main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, PRINTING],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stdout.splitlines() == [
        "( ( 1.5, -2 ), ( 0.1, 1e+10 ) )",
        "( 1.5, -2 )",
        "( 0.25 )",
        "0.1",
        "( 1, -2 )",
        "( 1, 0 )",
        "7",
        "u is -5, (  )",
    ]
