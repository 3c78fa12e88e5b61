"""Programs that mlir-opt 22 bufferizes wrongly: run, they give what they say.

The comparison with mlir-opt's output is in tests/oracle/models/rewrite.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.harness import check
from xdsl_bufferization import jit

T = np.arange(32, dtype=np.float32).reshape(4, 8)
ROW = np.full(8, 9.0, dtype=np.float32)


def test_vector_of_lower_rank_leaves_the_other_rows() -> None:
    expected = T.copy()
    expected[0] = ROW
    check(
        """
        func.func @main(%t: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
          %c0 = arith.constant 0 : index
          %v = arith.constant dense<9.0> : vector<8xf32>
          %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true]}
            : vector<8xf32>, tensor<4x8xf32>
          return %0, %t : tensor<4x8xf32>, tensor<4x8xf32>
        }
        """,
        [T],
        expected,
        T,
    )


def test_loaded_global_keeps_its_contents_when_stored_to() -> None:
    module = jit.compile(
        """
        ml_program.global private mutable @g(dense<1.0> : tensor<8xf32>) : tensor<8xf32>

        func.func @exchange(%t: tensor<8xf32>) -> tensor<8xf32> {
          %0 = ml_program.global_load @g : tensor<8xf32>
          ml_program.global_store @g = %t : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """
    )
    first = module["exchange"](ROW)
    second = module["exchange"](T[0])
    np.testing.assert_array_equal(first, np.ones(8, dtype=np.float32))
    np.testing.assert_array_equal(second, ROW)


def test_store_to_a_global_reads_the_tensor() -> None:
    module = jit.compile(
        """
        ml_program.global private mutable @g(dense<1.0> : tensor<8xf32>) : tensor<8xf32>

        func.func @set(%t: tensor<8xf32>, %i: index, %f: f32) -> f32 {
          %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
          %1 = tensor.extract %0[%i] : tensor<8xf32>
          ml_program.global_store @g = %t : tensor<8xf32>
          return %1 : f32
        }

        func.func @set_constant() {
          %t = arith.constant dense<3.0> : tensor<8xf32>
          ml_program.global_store @g = %t : tensor<8xf32>
          return
        }

        func.func @get() -> tensor<8xf32> {
          %0 = ml_program.global_load @g : tensor<8xf32>
          return %0 : tensor<8xf32>
        }
        """
    )
    assert module["set"](ROW.copy(), 3, 5.0) == 5.0
    np.testing.assert_array_equal(module["get"](), ROW)
    module["set_constant"]()
    np.testing.assert_array_equal(module["get"](), np.full(8, 3.0, dtype=np.float32))


def test_constant_is_not_a_variable_of_equal_contents() -> None:
    check(
        """
        memref.global "private" @g : memref<2xf32> = dense<[1.0, 2.0]>
          {alignment = 64 : i64}

        func.func @main(%i: index, %f: f32) -> f32 {
          %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
          %m = memref.get_global @g : memref<2xf32>
          memref.store %f, %m[%i] : memref<2xf32>
          %0 = tensor.extract %t[%i] : tensor<2xf32>
          return %0 : f32
        }
        """,
        [1, 9.0],
        2.0,
    )


def test_diagonal_leaves_the_rest_of_the_output() -> None:
    old = np.arange(16, dtype=np.float32).reshape(4, 4)
    expected = old.copy()
    np.fill_diagonal(expected, 9.0)
    check(
        """
        func.func @main(%a: tensor<4xf32>, %o: tensor<4x4xf32>)
            -> (tensor<4x4xf32>, tensor<4x4xf32>) {
          %0 = linalg.generic {
            indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>],
            iterator_types = ["parallel"]
          } ins(%a : tensor<4xf32>) outs(%o : tensor<4x4xf32>) {
          ^bb0(%x: f32, %y: f32):
            linalg.yield %x : f32
          } -> tensor<4x4xf32>
          return %0, %o : tensor<4x4xf32>, tensor<4x4xf32>
        }
        """,
        [ROW[:4], old],
        expected,
        old,
    )


def test_elements_are_computed_independently() -> None:
    check(
        """
        func.func @main(%t: tensor<3xf32>, %f: f32) -> tensor<3xf32> {
          %c0 = arith.constant 0 : index
          %0 = tensor.generate {
          ^bb0(%i: index):
            %x = tensor.insert %f into %t[%i] : tensor<3xf32>
            %e = tensor.extract %x[%c0] : tensor<3xf32>
            tensor.yield %e : f32
          } : tensor<3xf32>
          return %0 : tensor<3xf32>
        }
        """,
        [np.array([1, 2, 3], dtype=np.float32), 9.0],
        np.array([9, 1, 1], dtype=np.float32),
    )


V = np.arange(8, dtype=np.float32)
WRITTEN = np.array([9, 1, 2, 3, 4, 5, 6, 7], dtype=np.float32)


def run_on_vector(
    results: str, body: str, *expected: object, more: str = "", checkers: bool = True
) -> None:
    """Call @main with a tensor %t; the numbers 0, 1 and 9.0 have names."""
    check(
        f"""
        {more}
        func.func @main(%t: tensor<8xf32>) -> ({results}) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %nine = arith.constant 9.0 : f32
          {body}
        }}
        """,
        [V.copy()],
        *expected,
        checkers=checkers,
    )


@pytest.mark.parametrize("through", ["%a, %b", "%b, %a"])
def test_two_results_that_are_one_buffer(through: str) -> None:
    """Also when a function in between hands them on."""
    run_on_vector(
        "f32, f32",
        """
        %r:2 = func.call @outer(%nine) : (f32) -> (tensor<8xf32>, tensor<8xf32>)
        %two = arith.constant 2.0 : f32
        %w = tensor.insert %two into %r#0[%c0] : tensor<8xf32>
        %old = tensor.extract %r#1[%c0] : tensor<8xf32>
        %new = tensor.extract %w[%c0] : tensor<8xf32>
        return %old, %new : f32, f32
        """,
        9.0,
        2.0,
        more=f"""
        func.func private @inner(%x: f32) -> (tensor<8xf32>, tensor<8xf32>) {{
          %t = tensor.splat %x : tensor<8xf32>
          return %t, %t : tensor<8xf32>, tensor<8xf32>
        }}
        func.func private @outer(%x: f32) -> (tensor<8xf32>, tensor<8xf32>) {{
          %a, %b = func.call @inner(%x) : (f32) -> (tensor<8xf32>, tensor<8xf32>)
          return {through} : tensor<8xf32>, tensor<8xf32>
        }}
        """,
    )


def test_results_of_which_one_is_part_of_the_other() -> None:
    run_on_vector(
        "f32, f32",
        """
        %a, %b = func.call @parts(%nine) : (f32) -> (tensor<8xf32>, tensor<4xf32>)
        %two = arith.constant 2.0 : f32
        %w = tensor.insert %two into %a[%c0] : tensor<8xf32>
        %old = tensor.extract %b[%c0] : tensor<4xf32>
        %new = tensor.extract %w[%c0] : tensor<8xf32>
        return %old, %new : f32, f32
        """,
        9.0,
        2.0,
        more="""
        func.func private @parts(%x: f32) -> (tensor<8xf32>, tensor<4xf32>) {
          %t = tensor.splat %x : tensor<8xf32>
          %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
          return %t, %s : tensor<8xf32>, tensor<4xf32>
        }
        """,
    )


@pytest.mark.parametrize("layout", ["strided<[?], offset: ?>", "strided<[1], offset: 0>"])
def test_buffer_that_is_read_after_the_tensor_is_updated(layout: str) -> None:
    run_on_vector(
        "f32, tensor<8xf32>",
        f"""
        %m = bufferization.to_buffer %t read_only
          : tensor<8xf32> to memref<8xf32, {layout}>
        %w = tensor.insert %nine into %t[%c0] : tensor<8xf32>
        %old = memref.load %m[%c0] : memref<8xf32, {layout}>
        return %old, %w : f32, tensor<8xf32>
        """,
        0.0,
        WRITTEN,
    )


@pytest.mark.parametrize("branch", ["true", "false"])
def test_elements_are_read_at_another_place_than_they_are_written(branch: str) -> None:
    """One way back from what is written leads to what is read, the other to its
    neighbours."""
    expected = 2 * V[:4] if branch == "true" else V[:4] + V[1:5]
    run_on_vector(
        "tensor<4xf32>",
        f"""
        %c = arith.constant {branch}
        %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
        %b = tensor.extract_slice %t[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
        %v = scf.if %c -> tensor<4xf32> {{
          scf.yield %a : tensor<4xf32>
        }} else {{
          scf.yield %b : tensor<4xf32>
        }}
        %r = linalg.map {{ arith.addf }}
          ins(%a, %v : tensor<4xf32>, tensor<4xf32>) outs(%v : tensor<4xf32>)
        return %r : tensor<4xf32>
        """,
        expected,
    )


def test_memref_of_a_tensor_read_in_two_branches() -> None:
    run_on_vector(
        "f32, f32",
        """
        %seven = arith.constant 7.0 : f32
        %z = tensor.insert %seven into %t[%c0] : tensor<8xf32>
        %m = bufferization.to_buffer %z read_only
          : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
        %first = tensor.extract %z[%c1] : tensor<8xf32>
        %is_other = arith.cmpf one, %first, %nine : f32
        %r:2 = scf.if %is_other -> (f32, f32) {
          %w = tensor.insert %nine into %z[%c0] : tensor<8xf32>
          %old = memref.load %m[%c0] : memref<8xf32, strided<[?], offset: ?>>
          %new = tensor.extract %w[%c0] : tensor<8xf32>
          scf.yield %old, %new : f32, f32
        } else {
          %x = memref.load %m[%c1] : memref<8xf32, strided<[?], offset: ?>>
          scf.yield %x, %nine : f32, f32
        }
        return %r#0, %r#1 : f32, f32
        """,
        7.0,
        9.0,
    )


def test_loop_that_yields_what_was_copied_before_it() -> None:
    """Each iteration reads the tensor as it was before the loop."""
    run_on_vector(
        "f32, tensor<8xf32>",
        """
        %c3 = arith.constant 3 : index
        %zero = arith.constant 0.0 : f32
        %v = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
        %w = tensor.insert %nine into %t[%c0] : tensor<8xf32>
        %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %v, %s = %zero)
            -> (tensor<?xf32>, f32) {
          %x = tensor.extract %a[%c1] : tensor<?xf32>
          %y = arith.addf %x, %nine : f32
          %u = tensor.insert %y into %a[%c1] : tensor<?xf32>
          %z = tensor.extract %u[%c1] : tensor<?xf32>
          %sum = arith.addf %s, %z : f32
          scf.yield %v, %sum : tensor<?xf32>, f32
        }
        return %r#1, %w : f32, tensor<8xf32>
        """,
        30.0,
        WRITTEN,
    )


@pytest.mark.parametrize("taken", [True, False])
def test_tensor_is_read_behind_the_branch_that_writes_it(taken: bool) -> None:
    run_on_vector(
        "f32, f32",
        f"""
        %taken = arith.constant {str(taken).lower()}
        cf.cond_br %taken, ^write, ^end(%nine : f32)
      ^write:
        %w = tensor.insert %nine into %t[%c0] : tensor<8xf32>
        %new = tensor.extract %w[%c0] : tensor<8xf32>
        cf.br ^end(%new : f32)
      ^end(%x: f32):
        %old = tensor.extract %t[%c0] : tensor<8xf32>
        return %x, %old : f32, f32
        """,
        9.0,
        0.0,
    )


def test_global_that_a_callee_stores_to() -> None:
    run_on_vector(
        "f32",
        """
        %a = ml_program.global_load @g : tensor<8xf32>
        func.call @set(%t) : (tensor<8xf32>) -> ()
        %x = tensor.extract %a[%c1] : tensor<8xf32>
        return %x : f32
        """,
        7.0,
        more="""
        ml_program.global private mutable @g(dense<7.0> : tensor<8xf32>) : tensor<8xf32>
        func.func private @set(%t: tensor<8xf32>) {
          ml_program.global_store @g = %t : tensor<8xf32>
          return
        }
        """,
    )


def test_global_that_is_loaded_and_stored_in_a_loop() -> None:
    """Each iteration loads what the one before stored."""
    run_on_vector(
        "f32",
        """
        %c3 = arith.constant 3 : index
        %zero = arith.constant 0.0 : f32
        %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> f32 {
          %a = ml_program.global_load @g : tensor<8xf32>
          %x = tensor.extract %a[%c0] : tensor<8xf32>
          %y = arith.addf %x, %nine : f32
          %w = tensor.insert %y into %a[%c0] : tensor<8xf32>
          ml_program.global_store @g = %w : tensor<8xf32>
          %old = tensor.extract %a[%c0] : tensor<8xf32>
          %sum = arith.addf %s, %old : f32
          scf.yield %sum : f32
        }
        return %r : f32
        """,
        27.0,
        more="ml_program.global private mutable @g(dense<0.0> : tensor<8xf32>)"
        " : tensor<8xf32>",
    )


# What mlir-opt 22 refuses.


def test_constant_global_is_not_written() -> None:
    run_on_vector(
        "f32, f32",
        """
        %a = ml_program.global_load_const @g : tensor<8xf32>
        %w = tensor.insert %nine into %a[%c0] : tensor<8xf32>
        %b = ml_program.global_load_const @g : tensor<8xf32>
        %old = tensor.extract %b[%c0] : tensor<8xf32>
        %new = tensor.extract %w[%c0] : tensor<8xf32>
        return %old, %new : f32, f32
        """,
        7.0,
        9.0,
        more="ml_program.global private @g(dense<7.0> : tensor<8xf32>) : tensor<8xf32>",
    )


def test_call_of_an_unknown_function_may_write() -> None:
    run_on_vector(
        "tensor<8xf32>, f32",
        """
        %write = func.constant @write : (tensor<8xf32>, f32) -> tensor<8xf32>
        %w = func.call_indirect %write(%t, %nine)
          : (tensor<8xf32>, f32) -> tensor<8xf32>
        %old = tensor.extract %t[%c0] : tensor<8xf32>
        return %w, %old : tensor<8xf32>, f32
        """,
        WRITTEN,
        0.0,
        more="""
        func.func private @write(%a: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
          %c0 = arith.constant 0 : index
          %w = tensor.insert %x into %a[%c0] : tensor<8xf32>
          return %w : tensor<8xf32>
        }
        """,
    )


def test_caller_knows_the_shape_of_a_result_that_was_cast() -> None:
    run_on_vector(
        "tensor<8xf32>",
        """
        %c8 = arith.constant 8 : index
        %one = arith.constant 1.0 : f32
        %a = func.call @make(%one, %c8) : (f32, index) -> tensor<8xf32>
        %w = tensor.insert %nine into %a[%c0] : tensor<8xf32>
        return %w : tensor<8xf32>
        """,
        np.array([9, *[1] * 7], dtype=np.float32),
        more="""
        func.func private @make(%x: f32, %n: index) -> tensor<8xf32> {
          %t = tensor.splat %x[%n] : tensor<?xf32>
          %c = tensor.cast %t : tensor<?xf32> to tensor<8xf32>
          return %c : tensor<8xf32>
        }
        """,
    )


def test_region_with_blocks_reads_what_it_wrote_a_copy_of() -> None:
    run_on_vector(
        "f32, f32",
        """
        %r:2 = scf.execute_region -> (f32, f32) {
          %w = tensor.insert %nine into %t[%c0] : tensor<8xf32>
          %new = tensor.extract %w[%c0] : tensor<8xf32>
          cf.br ^end
        ^end:
          %old = tensor.extract %t[%c0] : tensor<8xf32>
          scf.yield %new, %old : f32, f32
        }
        return %r#0, %r#1 : f32, f32
        """,
        9.0,
        0.0,
    )


@pytest.mark.parametrize(
    "call",
    [
        "func.call @made(%x) : (i1) -> tensor<2xi32>",
        "func.call_indirect %f(%x) : (i1) -> tensor<2xi32>",
    ],
)
@pytest.mark.parametrize(
    "made",
    [
        """
        return %c : tensor<2xi32>
        """,
        """
        %r = scf.if %x -> tensor<2xi32> {
          scf.yield %c : tensor<2xi32>
        } else {
          %true = arith.constant true
          %s = func.call @made(%true) : (i1) -> tensor<2xi32>
          scf.yield %s : tensor<2xi32>
        }
        return %r : tensor<2xi32>
        """,
        """
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %c) -> tensor<2xi32> {
          scf.yield %a : tensor<2xi32>
        }
        return %r : tensor<2xi32>
        """,
        """
        %s = func.call @same(%c) : (tensor<2xi32>) -> tensor<2xi32>
        return %s : tensor<2xi32>
        """,
    ],
    ids=["constant", "recursion", "loop", "call of a call"],
)
@pytest.mark.parametrize("options", ["", " no-analysis-func-filter=made"])
def test_returned_constant_is_not_overwritten(made: str, call: str, options: str) -> None:
    module = jit.compile(
        f"""
        func.func private @same(%t: tensor<2xi32>) -> tensor<2xi32> {{
          return %t : tensor<2xi32>
        }}
        func.func private @made(%x: i1) -> tensor<2xi32> {{
          %c = arith.constant dense<[7, -2]> : tensor<2xi32>
          {made}
        }}
        func.func @main(%x: i1) -> (i32, i32) {{
          %c0 = arith.constant 0 : index
          %five = arith.constant 5 : i32
          %f = func.constant @made : (i1) -> tensor<2xi32>
          %t = {call}
          %u = tensor.insert %five into %t[%c0] : tensor<2xi32>
          %v = {call}
          %new = tensor.extract %u[%c0] : tensor<2xi32>
          %old = tensor.extract %v[%c0] : tensor<2xi32>
          return %new, %old : i32, i32
        }}
        """,
        "one-shot-bufferize{bufferize-function-boundaries verify-result"
        f"{options}}},lower-to-llvm-pipeline",
    )
    assert module["main"](False) == (5, 7)


_TWO_STATES = """
    func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = tensor.empty() : tensor<8xf32>
      %r:4 = scf.for %i = %c0 to %n step %c1
          iter_args(%x = %a, %y = %b, %u = %e, %v = %e)
          -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
        %p = linalg.add ins(%x, %y : tensor<8xf32>, tensor<8xf32>)
            outs(%u : tensor<8xf32>) -> tensor<8xf32>
        %q = linalg.sub ins(%x, %y : tensor<8xf32>, tensor<8xf32>)
            outs(%v : tensor<8xf32>) -> tensor<8xf32>
        scf.yield %p, %q, %x, %y
            : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
      }
      return %r#0 : tensor<8xf32>
    }
"""
_TWO_SUMS = """
    func.func private @sum(%p: tensor<8xf32>, %q: tensor<8xf32>, %a: tensor<8xf32>,
                           %b: tensor<8xf32>) -> tensor<8xf32> {
      %0 = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>)
          outs(%p : tensor<8xf32>) -> tensor<8xf32>
      %1 = linalg.sub ins(%a, %b : tensor<8xf32>, tensor<8xf32>)
          outs(%q : tensor<8xf32>) -> tensor<8xf32>
      %e = tensor.empty() : tensor<8xf32>
      %2 = linalg.mul ins(%0, %1 : tensor<8xf32>, tensor<8xf32>)
          outs(%e : tensor<8xf32>) -> tensor<8xf32>
      return %2 : tensor<8xf32>
    }
    func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      MADE
      %r = call @sum(%t, %t, %a, %b)
          : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      return %r : tensor<8xf32>
    }
"""
_PIPELINES = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
    "verify-result},buffer-deallocation-pipeline,lower-to-llvm-pipeline",
    "bufferization-pipeline{verify-result},lower-to-llvm-pipeline",
)


@pytest.mark.parametrize("pipeline", _PIPELINES, ids=["plain", "best"])
def test_loop_that_starts_twice_with_a_tensor_without_contents(pipeline: str) -> None:
    module = jit.compile(_TWO_STATES, pipeline)
    for steps in range(4):
        x, y = T[0], ROW
        for _ in range(steps):
            x, y = x + y, x - y
        np.testing.assert_array_equal(module["main"](T[0], ROW, steps), x)


@pytest.mark.parametrize("pipeline", _PIPELINES, ids=["plain", "best"])
@pytest.mark.parametrize(
    "made",
    [
        "%t = tensor.cast %e : tensor<8xf32> to tensor<8xf32>",
        "%t = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>)"
        " -> tensor<8xf32>",
    ],
    ids=["undefined", "defined"],
)
def test_callee_that_only_writes_two_arguments(made: str, pipeline: str) -> None:
    module = jit.compile(_TWO_SUMS.replace("MADE", made), pipeline)
    expected = (T[0] + ROW) * (T[0] - ROW)
    np.testing.assert_array_equal(module["main"](T[0], ROW), expected)
