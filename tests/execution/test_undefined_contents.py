"""Tensors whose contents nothing defines are not copied; what only begins as one of them
is."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.costs import PLAIN
from tests.execution.harness import check

each_pipeline = pytest.mark.parametrize("pipeline", [None, PLAIN])

LOOPS = {
    "for": """
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> (tensor<4xi32>) {
          %k = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
          scf.yield %k : tensor<4xi32>
        }
        """,
    "for, two": """
        %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e, %u = %e)
            -> (tensor<4xi32>, tensor<4xi32>) {
          %k = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
          %l = tensor.insert %x into %k[%c1] : tensor<4xi32>
          scf.yield %k, %l : tensor<4xi32>, tensor<4xi32>
        }
        """,
    "for, of a view": """
        %v = tensor.cast %e : tensor<4xi32> to tensor<?xi32>
        %q = scf.for %i = %c0 to %n step %c1 iter_args(%t = %v) -> (tensor<?xi32>) {
          %k = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
          %l = tensor.cast %k : tensor<4xi32> to tensor<?xi32>
          scf.yield %l : tensor<?xi32>
        }
        %r = tensor.cast %q : tensor<?xi32> to tensor<4xi32>
        """,
    "while": """
        %m, %r = scf.while (%i = %c0, %t = %e)
            : (index, tensor<4xi32>) -> (index, tensor<4xi32>) {
          %more = arith.cmpi ult, %i, %n : index
          scf.condition(%more) %i, %t : index, tensor<4xi32>
        } do {
        ^bb0(%i: index, %t: tensor<4xi32>):
          %j = arith.addi %i, %c1 : index
          %k = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
          scf.yield %j, %k : index, tensor<4xi32>
        }
        """,
    "nested": """
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e) -> (tensor<4xi32>) {
          %q = scf.for %j = %c0 to %n step %c1 iter_args(%u = %t) -> (tensor<4xi32>) {
            %k = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
            scf.yield %k : tensor<4xi32>
          }
          scf.yield %q : tensor<4xi32>
        }
        """,
    "while, after for": """
        %q, %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e, %u = %e)
            -> (tensor<4xi32>, tensor<4xi32>) {
          %k = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
          %l = tensor.insert %x into %k[%c1] : tensor<4xi32>
          scf.yield %k, %l : tensor<4xi32>, tensor<4xi32>
        }
        %r, %u = scf.while (%t = %q, %u = %s)
            : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
          %no = arith.cmpi ult, %n, %c1 : index
          scf.condition(%no) %t, %u : tensor<4xi32>, tensor<4xi32>
        } do {
        ^bb0(%t: tensor<4xi32>, %u: tensor<4xi32>):
          scf.yield %t, %u : tensor<4xi32>, tensor<4xi32>
        }
        """,
}


@each_pipeline
@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_loop_from_undefined_contents(loop: str, pipeline: str | None) -> None:
    """The tensor that the loop begins with is written later, for something else, so that
    the result of a loop that does not write it is a copy."""
    check(
        f"""
        func.func @main(%n: index, %x: i32) -> (tensor<4xi32>, tensor<2xi32>) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %e = tensor.empty() : tensor<4xi32>
          {loop}
          %p = tensor.extract_slice %e[1] [2] [1] : tensor<4xi32> to tensor<2xi32>
          %f = linalg.fill ins(%x : i32) outs(%p : tensor<2xi32>) -> tensor<2xi32>
          return %r, %f : tensor<4xi32>, tensor<2xi32>
        }}
        """,
        [2, 9],
        np.array([5, 6, 7, 8], "i4"),
        np.array([9, 9], "i4"),
        pipeline=pipeline,
    )


FUNCTIONS = {
    "constant": "%r = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>",
    "argument": "%r = tensor.cast %o : tensor<4xi32> to tensor<4xi32>",
    "new": "%r = tensor.from_elements %k5, %k6, %k7, %k8 : tensor<4xi32>",
    "through another": "%r = func.call @constant() : () -> tensor<4xi32>",
}


WRITES = {
    "of it": "%f = linalg.fill ins(%x : i32) outs(%r : tensor<4xi32>) -> tensor<4xi32>",
    "of the argument": """
        %f = linalg.fill ins(%x : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
        """,
    "of none": "%f = tensor.splat %x : tensor<4xi32>",
}


@each_pipeline
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
@pytest.mark.parametrize("other", FUNCTIONS.values(), ids=FUNCTIONS)
def test_function_that_returns_its_argument_or_something_else(
    other: str, write: str, pipeline: str | None
) -> None:
    """Nothing defines the contents of the argument, but those of the result."""
    check(
        f"""
        func.func private @constant() -> tensor<4xi32> {{
          %r = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
          return %r : tensor<4xi32>
        }}
        func.func private @f(%t: tensor<4xi32>, %o: tensor<4xi32>, %c: i1)
            -> tensor<4xi32> {{
          %k5 = arith.constant 5 : i32
          %k6 = arith.constant 6 : i32
          %k7 = arith.constant 7 : i32
          %k8 = arith.constant 8 : i32
          %1 = scf.if %c -> (tensor<4xi32>) {{
            scf.yield %t : tensor<4xi32>
          }} else {{
            {other}
            scf.yield %r : tensor<4xi32>
          }}
          return %1 : tensor<4xi32>
        }}
        func.func @main(%o: tensor<4xi32>, %c: i1, %x: i32)
            -> (tensor<4xi32>, tensor<4xi32>, i32) {{
          %c1 = arith.constant 1 : index
          %e = tensor.empty() : tensor<4xi32>
          %r = call @f(%e, %o, %c)
              : (tensor<4xi32>, tensor<4xi32>, i1) -> tensor<4xi32>
          %w = tensor.insert %x into %r[%c1] : tensor<4xi32>
          {write}
          %s = tensor.extract %r[%c1] : tensor<4xi32>
          return %w, %f, %s : tensor<4xi32>, tensor<4xi32>, i32
        }}
        """,
        [np.array([5, 6, 7, 8], "i4"), False, 9],
        np.array([5, 9, 7, 8], "i4"),
        np.array([9, 9, 9, 9], "i4"),
        np.int32(6),
        pipeline=pipeline,
    )


def test_contents_that_a_function_keeps_undefined_are_not_copied() -> None:
    """The result is the argument."""
    stats = check(
        """
        func.func private @f(%t: tensor<4xi32>) -> tensor<4xi32> {
          return %t : tensor<4xi32>
        }
        func.func @main(%x: i32) -> (tensor<4xi32>, tensor<4xi32>) {
          %e = tensor.empty() : tensor<4xi32>
          %r = call @f(%e) : (tensor<4xi32>) -> tensor<4xi32>
          %0 = linalg.fill ins(%x : i32) outs(%r : tensor<4xi32>) -> tensor<4xi32>
          %1 = linalg.fill ins(%x : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
          return %0, %1 : tensor<4xi32>, tensor<4xi32>
        }
        """,
        [9],
        np.full(4, 9, "i4"),
        np.full(4, 9, "i4"),
    )
    assert stats.copies == 0
