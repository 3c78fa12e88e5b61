"""Programs that once went wrong when they were run, found at random and made small."""

from __future__ import annotations

import numpy as np
from xdsl.ir import OpResult

from tests.execution.harness import check
from tests.oracle.tools import parse, run_passes
from tests.random_programs.checks import PIPELINES
from tests.random_programs.memory_plans import check_plan
from tests.random_programs.program import Program


def test_rank_reducing_slice_whose_dynamic_size_is_a_constant() -> None:
    """convert-to-llvm took the constant for a static size, which the type is not."""
    whole = np.zeros((2, 3, 2), "i4")
    expected = whole.copy()
    expected[1, 0:2, 0:2] = 7
    check(
        """
        func.func @main(%t: tensor<2x?x?xi32>, %s: tensor<2x?xi32>, %i: index)
            -> tensor<2x?x?xi32> {
          %c2 = arith.constant 2 : index
          %1 = tensor.insert_slice %s into %t[1, %i, 0] [1, 2, %c2] [1, 1, 1]
              : tensor<2x?xi32> into tensor<2x?x?xi32>
          return %1 : tensor<2x?x?xi32>
        }
        """,
        [whole, np.full((2, 2), 7, "i4"), 0],
        expected,
    )


def test_loop_that_hands_on_a_constant_and_writes_it() -> None:
    """The constant that one iteration yields was overwritten by the next one; other users
    of the constant, in this call or the next, then saw that."""
    expected = np.array([1, 2, 3], "i4")
    written = expected.copy()
    written[0] = 9
    check(
        """
        func.func @main(%t: tensor<3xi32>, %x: i32) -> (tensor<3xi32>, tensor<3xi32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %1:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t, %b = %t)
              -> (tensor<3xi32>, tensor<3xi32>) {
            %2 = tensor.insert %x into %a[%c0] : tensor<3xi32>
            %3 = bufferization.alloc_tensor() copy(%2) : tensor<3xi32>
            %4 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
            scf.yield %4, %3 : tensor<3xi32>, tensor<3xi32>
          }
          return %1#0, %1#1 : tensor<3xi32>, tensor<3xi32>
        }
        """,
        [np.zeros(3, "i4"), 9],
        expected,
        written,
    )


def test_loop_that_updates_another_tile_each_time() -> None:
    """The next iteration reads the rest of the tensor whose tile was overwritten."""
    check(
        """
        func.func @main(%t: tensor<4xi32>, %x: i32) -> i32 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %zero = arith.constant 0 : i32
          %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> i32 {
            %1 = tensor.extract_slice %t[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
            %2 = linalg.fill ins(%x : i32) outs(%1 : tensor<1xi32>) -> tensor<1xi32>
            %3 = tensor.insert_slice %2 into %t[%i] [1] [1]
                : tensor<1xi32> into tensor<4xi32>
            %4 = tensor.extract %3[%c0] : tensor<4xi32>
            %5 = arith.addi %s, %4 : i32
            scf.yield %5 : i32
          }
          return %sum : i32
        }
        """,
        [np.arange(4, dtype="i4"), 100],
        100,
    )


def test_constant_that_a_private_function_returns() -> None:
    """With dynamic ownership it was returned itself, and overwritten by the caller."""
    check(
        """
        func.func private @make() -> tensor<3xi32> {
          %0 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
          return %0 : tensor<3xi32>
        }
        func.func @main(%x: i32, %i: index) -> (tensor<3xi32>, tensor<3xi32>) {
          %0 = call @make() : () -> tensor<3xi32>
          %1 = tensor.insert %x into %0[%i] : tensor<3xi32>
          %2 = call @make() : () -> tensor<3xi32>
          return %1, %2 : tensor<3xi32>, tensor<3xi32>
        }
        """,
        [9, 0],
        np.array([9, 2, 3], "i4"),
        np.array([1, 2, 3], "i4"),
        pipeline=PIPELINES["identity layouts"],
    )


def test_iterations_of_a_loop_left_on_tensors_share_no_buffer_that_they_write() -> None:
    """A filter left scf.forall on tensors, and an op in it updated in place a slice that
    all iterations wrote: one of them could read what another one wrote."""
    context, module = parse(
        """
        func.func @main(%a: tensor<4x4xi32>, %b: tensor<4xi32>)
            -> (tensor<4x4xi32>, tensor<4xi32>) {
          %c0 = arith.constant 0 : index
          %c3 = arith.constant 3 : index
          %c4 = arith.constant 4 : index
          %zero = arith.constant 0 : i32
          %slice = tensor.extract_slice %a[%c3, 0] [1, 4] [1, 1]
            : tensor<4x4xi32> to tensor<4xi32>
          cf.br ^loop(%b : tensor<4xi32>)
        ^loop(%c: tensor<4xi32>):
          %is_done = arith.cmpi eq, %c3, %c3 : index
          cf.cond_br %is_done, ^done(%slice : tensor<4xi32>), ^again
        ^again:
          cf.br ^loop(%slice : tensor<4xi32>)
        ^done(%d: tensor<4xi32>):
          %r = scf.forall (%i) in (%c4) shared_outs(%out = %a) -> (tensor<4x4xi32>) {
            %v = vector.transfer_read %d[%c0], %zero {in_bounds = [true]}
              : tensor<4xi32>, vector<4xi32>
            %w = vector.transfer_write %v, %slice[%c0] {in_bounds = [true]}
              : vector<4xi32>, tensor<4xi32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %w into %out[%i, 0] [1, 4] [1, 1]
                : tensor<4xi32> into tensor<4x4xi32>
            }
          }
          return %r, %d : tensor<4x4xi32>, tensor<4xi32>
        }
        """
    )
    filtered = "dialect-filter=bufferization,tensor,linalg,func,vector"
    run_passes(context, module, f"one-shot-bufferize{{{filtered} verify-result}}")
    (loop,) = (op for op in module.walk() if op.name == "scf.forall")
    (write,) = (op for op in loop.walk() if op.name == "vector.transfer_write")
    written = write.operands[1]
    while isinstance(written, OpResult) and written.op.name == "memref.subview":
        written = written.op.operands[0]
    assert isinstance(written, OpResult) and written.op.name == "memref.alloc"
    assert loop.is_ancestor(written.op)


def test_threads_that_insert_what_was_there_while_others_read_it() -> None:
    """Each thread copied a slice to a buffer of its own and back, which changes nothing;
    but other threads could read the slice at the same time."""
    context, module = parse(
        """
        #id = affine_map<(d0, d1) -> (d0, d1)>
        func.func @main(%t: tensor<4x?xi32>, %n: index)
            -> (tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>) {
          cf.br ^bb1(%t : tensor<4x?xi32>)
        ^bb1(%a: tensor<4x?xi32>):
          cf.br ^bb2(%n, %t : index, tensor<4x?xi32>)
        ^bb2(%i: index, %b: tensor<4x?xi32>):
          %is_left = arith.cmpi ult, %i, %n : index
          cf.cond_br %is_left, ^bb3, ^bb4
        ^bb3:
          %r = scf.forall (%j) in (%n) shared_outs(%o = %a) -> (tensor<4x?xi32>) {
            %s = tensor.extract_slice %o[%j, 0] [1, 4] [1, 1]
              : tensor<4x?xi32> to tensor<4xi32>
            scf.if %is_left {
            } else {
              %g = linalg.generic {
                indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]
              } ins(%a, %t : tensor<4x?xi32>, tensor<4x?xi32>)
                outs(%o : tensor<4x?xi32>) {
              ^bb0(%x: i32, %y: i32, %z: i32):
                linalg.yield %x : i32
              } -> tensor<4x?xi32>
            }
            %l:4 = scf.for %k = %j to %n step %n
                iter_args(%c = %o, %d = %b, %e = %b, %f = %o)
                -> (tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>) {
              scf.yield %f, %o, %f, %f
                : tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>
            }
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %s into %o[%j, 0] [1, 4] [1, 1]
                : tensor<4xi32> into tensor<4x?xi32>
            }
          }
          cf.br ^bb2(%n, %r : index, tensor<4x?xi32>)
        ^bb4:
          return %t, %b, %a : tensor<4x?xi32>, tensor<4x?xi32>, tensor<4x?xi32>
        }
        """
    )
    options = "bufferize-function-boundaries allow-return-allocs-from-loops verify-result"
    run_passes(context, module, f"one-shot-bufferize{{{options}}}")


def test_thread_that_inserts_its_old_slice_through_another_result_of_a_loop() -> None:
    """The loop hands the slice on as a result that is not tied to it. The first insertion
    overwrote it before the second one inserted it again."""
    rows = np.arange(12, dtype="i4").reshape(3, 4)
    check(
        """
        func.func @main(%row: tensor<4xi32>, %t: tensor<3x4xi32>) -> tensor<3x4xi32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c3 = arith.constant 3 : index
          %1 = scf.forall (%i) in (%c3) shared_outs(%o = %t) -> (tensor<3x4xi32>) {
            %2 = tensor.extract_slice %o[%i, 0] [1, 4] [1, 1]
                : tensor<3x4xi32> to tensor<4xi32>
            %3:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %row, %b = %2)
                -> (tensor<4xi32>, tensor<4xi32>) {
              scf.yield %b, %b : tensor<4xi32>, tensor<4xi32>
            }
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %row into %o[%i, 0] [1, 4] [1, 1]
                  : tensor<4xi32> into tensor<3x4xi32>
              tensor.parallel_insert_slice %3#0 into %o[%i, 0] [1, 4] [1, 1]
                  : tensor<4xi32> into tensor<3x4xi32>
            }
          }
          return %1 : tensor<3x4xi32>
        }
        """,
        [np.full(4, 100, "i4"), rows],
        rows,
    )


def test_output_that_a_thread_hands_through_a_branch_to_a_loop_that_writes_it() -> None:
    """The threads insert nothing; what they write is theirs alone."""
    whole = np.arange(6, dtype="i4").reshape(3, 2)
    check(
        """
        func.func @main(%t: tensor<3x2xi32>, %c: i1, %x: i32)
            -> (tensor<3x2xi32>, tensor<3xi32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %e = tensor.empty() : tensor<3xi32>
          %r:2 = scf.forall (%i) in (3) shared_outs(%o = %t, %p = %e)
              -> (tensor<3x2xi32>, tensor<3xi32>) {
            %1 = scf.if %c -> (tensor<3x2xi32>) {
              scf.yield %o : tensor<3x2xi32>
            } else {
              scf.yield %o : tensor<3x2xi32>
            }
            %2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%a = %1)
                -> (tensor<3x2xi32>) {
              %3 = tensor.extract %a[%i, %j] : tensor<3x2xi32>
              %4 = arith.addi %3, %x : i32
              %5 = tensor.insert %4 into %a[%c0, %c0] : tensor<3x2xi32>
              scf.yield %5 : tensor<3x2xi32>
            }
            %6 = tensor.extract %2[%c0, %c0] : tensor<3x2xi32>
            %7 = tensor.from_elements %6 : tensor<1xi32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %7 into %p[%i] [1] [1]
                : tensor<1xi32> into tensor<3xi32>
            }
          }
          return %r#0, %r#1 : tensor<3x2xi32>, tensor<3xi32>
        }
        """,
        [whole, True, 5],
        whole.copy(),
        whole[:, 1] + np.array([5, 5, 5], "i4"),
    )


def test_plan_where_a_result_of_a_call_is_freed_with_an_allocation() -> None:
    """The free of what the call returned, which may be its argument, was taken for one of
    that allocation only; an arena beside it was then compared with what is needed after
    it, and raised the peak."""
    program = Program(
        """
        func.func @helper_0(%a1: tensor<4x?xi32>, %a2: i32, %a3: i1) ->
              (tensor<4xi32>, tensor<2xi32>) {
          %c4 = arith.constant 0 : index
          cf.br ^bb1(%c4, %a1 : index, tensor<4x?xi32>)
        ^bb1(%i9: index, %v10: tensor<4x?xi32>):
          %b11 = arith.cmpi ult, %i9, %c4 : index
          cf.cond_br %b11, ^bb2, ^bb3
        ^bb2:
          %c12 = arith.constant 1 : index
          cf.br ^bb1(%c12, %v10 : index, tensor<4x?xi32>)
        ^bb3:
          %v14 = tensor.empty() : tensor<4xi32>
          %v17 = tensor.splat %a2 : tensor<2xi32>
          func.return %v14, %v17 : tensor<4xi32>, tensor<2xi32>
        }
        func.func @main(%a43: tensor<?xi32>, %a44: tensor<2xi32>
              {bufferization.writable = false}, %a45: index, %a46: i32, %a47: i1)
              -> (tensor<2xi32>, i32) {
          %v48 = bufferization.alloc_tensor() copy(%a44) : tensor<2xi32>
          %v49 = tensor.pad %a44 low[1] high[0] {
          ^bb0(%i50: index):
            tensor.yield %a46 : i32
          } : tensor<2xi32> to tensor<3xi32>
          %v51 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
              affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types
              = ["parallel"]} ins(%a43, %a44 : tensor<?xi32>, tensor<2xi32>)
              outs(%a44 : tensor<2xi32>) {
          ^bb0(%e52: i32, %e53: i32, %e54: i32):
            linalg.yield %e54 : i32
          } -> tensor<2xi32>
          %v58 = tensor.insert %a46 into %v48[%a45] : tensor<2xi32>
          %v59 = bufferization.alloc_tensor() copy(%a44) : tensor<2xi32>
          %v60 = linalg.fill ins(%a46 : i32) outs(%v49 : tensor<3xi32>) ->
              tensor<3xi32>
          %s84 = arith.constant 6 : i32
          %b85 = arith.cmpi slt, %a46, %s84 : i32
          %v86, %v87 = scf.if %b85 -> (tensor<2xi32>, tensor<2xi32>) {
            %c88 = arith.constant 2 : index
            %v89 = bufferization.alloc_tensor(%c88) : tensor<4x?xi32>
            %v91 = linalg.fill ins(%s84 : i32) outs(%v89 : tensor<4x?xi32>) ->
              tensor<4x?xi32>
            %f92 = func.constant @helper_0 : (tensor<4x?xi32>, i32, i1) ->
              (tensor<4xi32>, tensor<2xi32>)
            %v93, %v94 = func.call_indirect %f92(%v91, %s84, %b85) :
              (tensor<4x?xi32>, i32, i1) -> (tensor<4xi32>, tensor<2xi32>)
            %v97 = tensor.extract_slice %v49[%a45] [%c88] [1] : tensor<3xi32> to
              tensor<?xi32>
            %v98 = linalg.fill ins(%s84 : i32) outs(%v97 : tensor<?xi32>) ->
              tensor<?xi32>
            scf.yield %a44, %a44 : tensor<2xi32>, tensor<2xi32>
          } else {
            scf.yield %v59, %v51 : tensor<2xi32>, tensor<2xi32>
          }
          %v108 = tensor.insert_slice %v60 into %v60[%a45] [3] [1] :
              tensor<3xi32> into tensor<3xi32>
          %v109 = tensor.insert_slice %v48 into %v108[0] [2] [1] : tensor<2xi32>
              into tensor<3xi32>
          %v117 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
              affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v108
              : tensor<3xi32>) outs(%v108 : tensor<3xi32>) {
          ^bb0(%e118: i32, %e119: i32):
            linalg.yield %e118 : i32
          } -> tensor<3xi32>
          func.return %v59, %s84 : tensor<2xi32>, i32
        }
        """,
        [(2,), (2,), 0, -4, False],
    )
    assert not check_plan(program, seed=1)
