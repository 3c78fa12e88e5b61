"""Programs on buffers that mlir-opt 22 does not lower, or lowers wrongly, executed."""

from __future__ import annotations

import numpy as np
import pytest

from xdsl_bufferization import jit

LOWER = "lower-to-llvm-pipeline"


def test_generic_atomic_update() -> None:
    module = jit.compile(
        """
        func.func @main(%m: memref<4xf32>, %i: index, %x: f32) -> f32 {
          %old = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
          ^bb0(%a: f32):
            %b = arith.mulf %a, %x : f32
            %c = arith.subf %b, %x : f32
            memref.atomic_yield %c : f32
          }
          return %old : f32
        }
        """,
        LOWER,
    )
    m = np.array([1, 2, 3, 4], "f4")
    assert module.main(m, 2, 5.0) == 3
    np.testing.assert_array_equal(m, [1, 2, 10, 4])


def test_atomic_product() -> None:
    module = jit.compile(
        """
        func.func @main(%m: memref<2xi64>, %x: i64) -> i64 {
          %c1 = arith.constant 1 : index
          %old = memref.atomic_rmw muli %x, %m[%c1] : (i64, memref<2xi64>) -> i64
          return %old : i64
        }
        """,
        LOWER,
    )
    m = np.array([2, 7], "i8")
    assert module.main(m, -3) == 7
    np.testing.assert_array_equal(m, [2, -21])


def test_loop_in_alloca_scope() -> None:
    module = jit.compile(
        """
        func.func @main(%n: index) -> i64 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %one = arith.constant 1 : i64
          %r = memref.alloca_scope -> (i64) {
            %m = memref.alloca(%n) : memref<?xi64>
            memref.store %one, %m[%c0] : memref<?xi64>
            scf.for %i = %c1 to %n step %c1 {
              %p = arith.subi %i, %c1 : index
              %x = memref.load %m[%p] : memref<?xi64>
              %y = arith.addi %x, %x : i64
              memref.store %y, %m[%i] : memref<?xi64>
            }
            %l = arith.subi %n, %c1 : index
            %z = memref.load %m[%l] : memref<?xi64>
            memref.alloca_scope.return %z : i64
          }
          return %r : i64
        }
        """,
        LOWER,
    )
    assert module.main(11) == 1024


def test_stack_of_an_iteration_is_freed() -> None:
    """A million iterations take 400 kB each from the stack."""
    module = jit.compile(
        """
        func.func @main(%n: index, %size: index) -> i64 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %zero = arith.constant 0 : i64
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (i64) {
            %m = memref.alloca(%size) : memref<?xi64>
            %x = arith.index_cast %i : index to i64
            memref.store %x, %m[%c1] : memref<?xi64>
            %y = memref.load %m[%c1] : memref<?xi64>
            %s = arith.addi %a, %y : i64
            scf.yield %s : i64
          }
          return %r : i64
        }
        """,
        LOWER,
        opt_level=0,
    )
    assert module.main(1_000_000, 50_000) == 999_999 * 500_000


def test_negative_strides() -> None:
    """A view that runs backwards: products of its indices and strides wrap unsigned."""
    module = jit.compile(
        """
        func.func @main(%m: memref<6xi32>, %o: memref<6xi32>) {
          %v = memref.reinterpret_cast %m to offset: [5], sizes: [6], strides: [-1]
            : memref<6xi32> to memref<6xi32, strided<[-1], offset: 5>>
          memref.copy %v, %o : memref<6xi32, strided<[-1], offset: 5>> to memref<6xi32>
          return
        }
        """,
        LOWER,
    )
    m, o = np.arange(6, dtype="i4"), np.zeros(6, "i4")
    module.main(m, o)
    np.testing.assert_array_equal(o, m[::-1])


def test_greater_zero() -> None:
    """The greater of two zeros is the positive one."""
    module = jit.compile(
        """
        func.func @main(%a: f64, %b: f64) -> (f64, f64) {
          %x = arith.maximumf %a, %b : f64
          %y = arith.minimumf %a, %b : f64
          return %x, %y : f64, f64
        }
        """,
        LOWER,
    )
    for a, b in ((0.0, -0.0), (-0.0, 0.0)):
        x, y = module.main(a, b)
        assert not np.signbit(x)
        assert np.signbit(y)


def test_logarithm_and_exponential_near_zero() -> None:
    module = jit.compile(
        """
        func.func @main(%x: f64) -> (f64, f64) {
          %a = math.log1p %x : f64
          %b = math.expm1 %x : f64
          return %a, %b : f64, f64
        }
        """,
        LOWER,
    )
    for x in (1e-12, -1e-9, 1e-20, 0.5):
        np.testing.assert_allclose(module.main(x), (np.log1p(x), np.expm1(x)), rtol=1e-15)


def test_index_switch_does_not_truncate() -> None:
    module = jit.compile(
        """
        func.func @main(%i: index) -> i32 {
          %a = arith.constant 1 : i32
          %b = arith.constant 2 : i32
          %r = scf.index_switch %i -> i32
          case 0 {
            scf.yield %a : i32
          }
          default {
            scf.yield %b : i32
          }
          return %r : i32
        }
        """,
        LOWER,
    )
    assert [module.main(i) for i in (0, 1, 2**32)] == [1, 2, 2]


def test_functions_as_values() -> None:
    module = jit.compile(
        """
        func.func private @twice(%x: i32) -> i32 {
          %y = arith.addi %x, %x : i32
          return %y : i32
        }
        func.func private @apply(%f: (i32) -> i32, %x: i32) -> i32 {
          %r = call_indirect %f(%x) : (i32) -> i32
          return %r : i32
        }
        func.func @main(%x: i32) -> i32 {
          %f = constant @twice : (i32) -> i32
          %r = call @apply(%f, %x) : ((i32) -> i32, i32) -> i32
          return %r : i32
        }
        """,
        LOWER,
    )
    assert module.main(21) == 42


def test_vector_loads_of_several_rows() -> None:
    module = jit.compile(
        """
        func.func @main(%m: memref<4x6xf32>, %o: memref<2x3xf32>, %i: index) {
          %c0 = arith.constant 0 : index
          %v = vector.load %m[%i, %i] : memref<4x6xf32>, vector<2x3xf32>
          %w = arith.addf %v, %v : vector<2x3xf32>
          vector.store %w, %o[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
          return
        }
        """,
        LOWER,
    )
    m, o = np.arange(24, dtype="f4").reshape(4, 6), np.zeros((2, 3), "f4")
    module.main(m, o, 1)
    np.testing.assert_array_equal(o, 2 * m[1:3, 1:4])


def test_copy_of_unranked_buffers() -> None:
    module = jit.compile(
        """
        func.func private @copy(%a: memref<*xi16>, %b: memref<*xi16>) {
          memref.copy %a, %b : memref<*xi16> to memref<*xi16>
          return
        }
        func.func @main(%a: memref<3x4xi16>, %b: memref<2x3xi16>, %s: memref<i16>) {
          %v = memref.subview %a[0, 1] [3, 2] [1, 2]
            : memref<3x4xi16> to memref<3x2xi16, strided<[4, 2], offset: 1>>
          %t = memref.transpose %v (i, j) -> (j, i)
            : memref<3x2xi16, strided<[4, 2], offset: 1>>
            to memref<2x3xi16, strided<[2, 4], offset: 1>>
          %u = memref.cast %t
            : memref<2x3xi16, strided<[2, 4], offset: 1>> to memref<*xi16>
          %w = memref.cast %b : memref<2x3xi16> to memref<*xi16>
          call @copy(%u, %w) : (memref<*xi16>, memref<*xi16>) -> ()
          %e = memref.subview %b[1, 1] [1, 1] [1, 1]
            : memref<2x3xi16> to memref<i16, strided<[], offset: 4>>
          %x = memref.cast %e : memref<i16, strided<[], offset: 4>> to memref<*xi16>
          %y = memref.cast %s : memref<i16> to memref<*xi16>
          call @copy(%x, %y) : (memref<*xi16>, memref<*xi16>) -> ()
          return
        }
        """,
        LOWER,
    )
    a = np.arange(12, dtype="i2").reshape(3, 4)
    b, s = np.zeros((2, 3), "i2"), np.zeros((), "i2")
    module.main(a, b, s)
    np.testing.assert_array_equal(b, a[:, 1::2].T)
    assert s == b[1, 1]


def test_vector_scan() -> None:
    module = jit.compile(
        """
        func.func @main(%m: memref<3x4xi64>, %start: memref<4xi64>,
                        %sums: memref<3x4xi64>, %products: memref<3x4xi64>,
                        %last: memref<2x4xi64>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %v = vector.load %m[%c0, %c0] : memref<3x4xi64>, vector<3x4xi64>
          %s = vector.load %start[%c0] : memref<4xi64>, vector<4xi64>
          %a:2 = vector.scan <add>, %v, %s {inclusive = false, reduction_dim = 0 : i64}
            : vector<3x4xi64>, vector<4xi64>
          %b:2 = vector.scan <mul>, %v, %s {inclusive = true, reduction_dim = 0 : i64}
            : vector<3x4xi64>, vector<4xi64>
          vector.store %a#0, %sums[%c0, %c0] : memref<3x4xi64>, vector<3x4xi64>
          vector.store %b#0, %products[%c0, %c0] : memref<3x4xi64>, vector<3x4xi64>
          vector.store %a#1, %last[%c0, %c0] : memref<2x4xi64>, vector<4xi64>
          vector.store %b#1, %last[%c1, %c0] : memref<2x4xi64>, vector<4xi64>
          return
        }
        """,
        LOWER,
    )
    m, start = np.arange(1, 13).reshape(3, 4), np.array([10, 20, 30, 40])
    sums, products, last = np.zeros((3, 4), int), np.zeros((3, 4), int), np.zeros((2, 4))
    last = last.astype(int)
    module.main(m, start, sums, products, last)
    np.testing.assert_array_equal(sums, [start, start + m[0], start + m[0] + m[1]])
    np.testing.assert_array_equal(products, np.cumprod(m, 0))
    np.testing.assert_array_equal(last, [sums[2], products[2]])


def test_complex_functions() -> None:
    module = jit.compile(
        """
        func.func @main(%z: complex<f64>, %w: complex<f64>)
            -> (f64, f64, complex<f64>, complex<f64>, complex<f64>) {
          %0 = complex.abs %z : complex<f64>
          %1 = complex.angle %z : complex<f64>
          %2 = complex.conj %z : complex<f64>
          %3 = complex.div %z, %w : complex<f64>
          %4 = complex.exp %z : complex<f64>
          return %0, %1, %2, %3, %4 : f64, f64, complex<f64>, complex<f64>, complex<f64>
        }
        """
    )
    z, w = 1.5 - 2.25j, -0.5 + 3j
    expected = [abs(z), np.angle(z), z.conjugate(), z / w, np.exp(z)]
    np.testing.assert_allclose(module.main(z, w), expected)


def test_sine_and_cosine_at_once_and_clamping() -> None:
    module = jit.compile(
        """
        func.func @main(%x: f64, %low: f64, %high: f64) -> (f64, f64, f64) {
          %s, %c = math.sincos %x : f64
          %d = math.clampf %x to [%low, %high] : f64
          return %s, %c, %d : f64, f64, f64
        }
        """
    )
    for x in (-3.0, 0.25, 7.0):
        expected = [np.sin(x), np.cos(x), min(max(x, -1), 2)]
        np.testing.assert_allclose(module.main(x, -1.0, 2.0), expected)


def test_unreachable_block_and_cast_between_equal_types() -> None:
    module = jit.compile(
        """
        func.func @main(%x: i64, %c: i1) -> i64 {
          cf.cond_br %c, ^good, ^never
        ^good:
          %0 = builtin.unrealized_conversion_cast %x : i64 to index
          %1 = builtin.unrealized_conversion_cast %0 : index to i64
          return %1 : i64
        ^never:
          ub.unreachable
        }
        """,
        "lower-to-llvm-pipeline",
    )
    assert module.main(-5, True) == -5


def test_classes_of_floats() -> None:
    module = jit.compile(
        """
        func.func @main(%x: f32) -> (i1, i1, i1, i1) {
          %a = math.isfinite %x : f32
          %b = math.isinf %x : f32
          %c = math.isnan %x : f32
          %d = math.isnormal %x : f32
          return %a, %b, %c, %d : i1, i1, i1, i1
        }
        """
    )
    assert module.main(1.5) == (True, False, False, True)
    assert module.main(0.0) == (True, False, False, False)
    assert module.main(1e-42) == (True, False, False, False)
    assert module.main(-np.inf) == (False, True, False, False)
    assert module.main(np.nan) == (False, False, True, False)


@pytest.mark.parametrize("alignment", [32, 4096])
@pytest.mark.parametrize("width", [32, 64])
def test_alignment(alignment: int, width: int) -> None:
    module = jit.compile(
        f"""
        func.func @main() -> i64 {{
          %m = memref.alloc() {{alignment = {alignment} : i64}} : memref<5xi8>
          %p = memref.extract_aligned_pointer_as_index %m : memref<5xi8> -> index
          memref.dealloc %m : memref<5xi8>
          %r = arith.index_cast %p : index to i64
          return %r : i64
        }}
        """,
        f"lower-to-llvm-pipeline{{index-bitwidth={width}}}",
    )
    address = module.main()
    assert address != 0
    assert address % alignment == 0
