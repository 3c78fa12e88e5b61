"""Loops that compute, element by element, from what the iteration before has put into
another slice of the same memory."""

from __future__ import annotations

import numpy as np
import pytest

from tests.checkers.mutation import mutants
from tests.execution.costs import PLAIN
from tests.execution.harness import check
from xdsl_bufferization.checkers.contents.checker import check_contents

GENERIC = """
    %y = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]
    } ins(%t : tensor<4xi32>) outs(%x : tensor<4xi32>) {
    ^bb0(%e: i32, %o: i32):
      %g = arith.addi %e, %one : i32
      linalg.yield %g : i32
    } -> tensor<4xi32>
    """
PARTS = {
    "slice": "%x = tensor.extract_slice %w[%i] [4] [1] : tensor<8xi32> to tensor<4xi32>",
    "slice in a function": """
        %x = func.call @part(%w, %i) : (tensor<8xi32>, index) -> tensor<4xi32>
        """,
    "slice in a branch": """
        %x = scf.if %c -> (tensor<4xi32>) {
          %s = tensor.extract_slice %w[%i] [4] [1] : tensor<8xi32> to tensor<4xi32>
          scf.yield %s : tensor<4xi32>
        } else {
          %s = tensor.extract_slice %w[0] [4] [1] : tensor<8xi32> to tensor<4xi32>
          scf.yield %s : tensor<4xi32>
        }
        """,
}
LOOPS = {
    "for": """
        %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<4xi32>) {
          STEP
          scf.yield %y : tensor<4xi32>
        }
        return %r : tensor<4xi32>
        """,
    "while": """
        %m, %r = scf.while (%i = %c0, %t = %a)
            : (index, tensor<4xi32>) -> (index, tensor<4xi32>) {
          %more = arith.cmpi ult, %i, %c4 : index
          scf.condition(%more) %i, %t : index, tensor<4xi32>
        } do {
        ^bb0(%i: index, %t: tensor<4xi32>):
          STEP
          %j = arith.addi %i, %c1 : index
          scf.yield %j, %y : index, tensor<4xi32>
        }
        return %r : tensor<4xi32>
        """,
    "blocks": """
        cf.br ^head(%c0, %a : index, tensor<4xi32>)
      ^head(%i: index, %t: tensor<4xi32>):
        %more = arith.cmpi ult, %i, %c4 : index
        cf.cond_br %more, ^body, ^end
      ^body:
        STEP
        %j = arith.addi %i, %c1 : index
        cf.br ^head(%j, %y : index, tensor<4xi32>)
      ^end:
        return %t : tensor<4xi32>
        """,
    "blocks, tested last": """
        cf.br ^head(%c0, %a : index, tensor<4xi32>)
      ^head(%i: index, %t: tensor<4xi32>):
        STEP
        %j = arith.addi %i, %c1 : index
        %more = arith.cmpi ult, %j, %c4 : index
        cf.cond_br %more, ^head(%j, %y : index, tensor<4xi32>), ^end
      ^end:
        return %y : tensor<4xi32>
        """,
    "blocks, two carried": """
        cf.br ^head(%c0, %a, %a : index, tensor<4xi32>, tensor<4xi32>)
      ^head(%i: index, %t: tensor<4xi32>, %u: tensor<4xi32>):
        STEP
        %j = arith.addi %i, %c1 : index
        %more = arith.cmpi ult, %j, %c4 : index
        cf.cond_br %more,
            ^head(%j, %y, %t : index, tensor<4xi32>, tensor<4xi32>), ^end
      ^end:
        return %y : tensor<4xi32>
        """,
}


def program(loop: str, part: str) -> str:
    return f"""
      func.func private @part(%w: tensor<8xi32>, %i: index) -> tensor<4xi32> {{
        %0 = tensor.extract_slice %w[%i] [4] [1] : tensor<8xi32> to tensor<4xi32>
        return %0 : tensor<4xi32>
      }}
      func.func @main(%a: tensor<4xi32>, %c: i1) -> tensor<4xi32> {{
        %one = arith.constant 1 : i32
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %w = tensor.empty() : tensor<8xi32>
        {loop.replace("STEP", part + GENERIC)}
      }}
      """


each_part = pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
each_loop = pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)


@each_part
@each_loop
@pytest.mark.parametrize("pipeline", [None, PLAIN])
def test_slices_of_two_iterations_overlap(
    loop: str, part: str, pipeline: str | None
) -> None:
    check(
        program(loop, part),
        [np.array([10, 20, 30, 40], "i4"), True],
        np.array([14, 24, 34, 44], "i4"),
        pipeline=pipeline,
    )


@each_part
@each_loop
def test_without_a_copy_the_checker_rejects_it(loop: str, part: str) -> None:
    """No buffer can be left out in these programs."""
    tried = list(mutants(program(loop, part)))
    assert tried
    for mutant in tried:
        assert mutant.described is not None
        assert check_contents(mutant.module, mutant.described), mutant.what


@pytest.mark.parametrize("pipeline", [None, PLAIN])
def test_first_elements_of_one_tensor(pipeline: str | None) -> None:
    """However many they are, elements with equal indices are one."""
    check(
        """
        func.func @main(%u: tensor<?xi32>, %n: index) -> tensor<?xi32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %w = tensor.empty(%n) : tensor<?xi32>
          cf.br ^head(%c0, %u : index, tensor<?xi32>)
        ^head(%i: index, %t: tensor<?xi32>):
          %more = arith.cmpi ult, %i, %n : index
          cf.cond_br %more, ^body, ^end
        ^body:
          %size = tensor.dim %t, %c0 : tensor<?xi32>
          %x = tensor.extract_slice %w[0] [%size] [1] : tensor<?xi32> to tensor<?xi32>
          %y = linalg.generic {
            indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
            iterator_types = ["parallel"]
          } ins(%t : tensor<?xi32>) outs(%x : tensor<?xi32>) {
          ^bb0(%e: i32, %o: i32):
            %g = arith.addi %e, %e : i32
            linalg.yield %g : i32
          } -> tensor<?xi32>
          %j = arith.addi %i, %c1 : index
          cf.br ^head(%j, %y : index, tensor<?xi32>)
        ^end:
          return %t : tensor<?xi32>
        }
        """,
        [np.array([1, 2, 3], "i4"), 5],
        np.array([32, 64, 96], "i4"),
        pipeline=pipeline,
    )


RESULTS = {
    "of one block": """
        %f = tensor.splat %x : tensor<4xi32>
        return %f : tensor<4xi32>
        """,
    "of two blocks": """
        cf.cond_br %c, ^one, ^two
      ^one:
        %f = tensor.splat %x : tensor<4xi32>
        return %f : tensor<4xi32>
      ^two:
        %g = tensor.splat %x : tensor<4xi32>
        return %g : tensor<4xi32>
        """,
    "of recursion": """
        cf.cond_br %c, ^one, ^two
      ^one:
        %f = tensor.splat %x : tensor<4xi32>
        return %f : tensor<4xi32>
      ^two:
        %true = arith.constant true
        %g = func.call @new(%x, %true) : (i32, i1) -> tensor<4xi32>
        return %g : tensor<4xi32>
        """,
}


@pytest.mark.parametrize("body", RESULTS.values(), ids=RESULTS)
def test_new_memory_of_the_iteration_before(body: str) -> None:
    """What a function has allocated is apart from everything else."""
    stats = check(
        f"""
        func.func private @new(%x: i32, %c: i1) -> tensor<4xi32> {{
          {body}
        }}
        func.func @main(%a: tensor<4xi32>, %n: i32, %c: i1) -> tensor<4xi32> {{
          %zero = arith.constant 0 : i32
          %one = arith.constant 1 : i32
          %x = bufferization.alloc_tensor() copy(%a) : tensor<4xi32>
          cf.br ^head(%zero, %x : i32, tensor<4xi32>)
        ^head(%i: i32, %t: tensor<4xi32>):
          {GENERIC}
          %f = func.call @new(%i, %c) : (i32, i1) -> tensor<4xi32>
          %j = arith.addi %i, %one : i32
          %more = arith.cmpi ult, %j, %n : i32
          cf.cond_br %more, ^head(%j, %f : i32, tensor<4xi32>), ^end
        ^end:
          return %y : tensor<4xi32>
        }}
        """,
        [np.array([10, 20, 30, 40], "i4"), 3, False],
        np.full(4, 2, "i4"),
        pipeline=PLAIN,
    )
    assert stats.copies == 1
