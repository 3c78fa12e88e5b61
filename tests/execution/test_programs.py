"""Whole programs: layers of networks, solvers, dynamic programming, sorting."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.harness import check, random


def test_bubble_sort_with_while() -> None:
    t = random(20, dtype="i4")
    stats = check(
        """
        func.func @main(%t: tensor<?xi32>) -> tensor<?xi32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %true = arith.constant true
          %false = arith.constant false
          %n = tensor.dim %t, %c0 : tensor<?xi32>
          %last = arith.subi %n, %c1 : index
          %0:2 = scf.while (%u = %t, %unsorted = %true)
              : (tensor<?xi32>, i1) -> (tensor<?xi32>, i1) {
            scf.condition(%unsorted) %u, %unsorted : tensor<?xi32>, i1
          } do {
          ^bb0(%u: tensor<?xi32>, %unsorted: i1):
            %1:2 = scf.for %i = %c0 to %last step %c1
                iter_args(%v = %u, %swapped = %false) -> (tensor<?xi32>, i1) {
              %j = arith.addi %i, %c1 : index
              %a = tensor.extract %v[%i] : tensor<?xi32>
              %b = tensor.extract %v[%j] : tensor<?xi32>
              %wrong = arith.cmpi sgt, %a, %b : i32
              %w = scf.if %wrong -> (tensor<?xi32>) {
                %v1 = tensor.insert %b into %v[%i] : tensor<?xi32>
                %v2 = tensor.insert %a into %v1[%j] : tensor<?xi32>
                scf.yield %v2 : tensor<?xi32>
              } else {
                scf.yield %v : tensor<?xi32>
              }
              %any = arith.ori %swapped, %wrong : i1
              scf.yield %w, %any : tensor<?xi32>, i1
            }
            scf.yield %1#0, %1#1 : tensor<?xi32>, i1
          }
          return %0#0 : tensor<?xi32>
        }
        """,
        [t.copy()],
        np.sort(t),
    )
    assert stats.copies <= 1


def test_longest_common_subsequence() -> None:
    a, b = "ACGTTAGCCA", "GATTACACCA"
    lengths = np.zeros((len(a) + 1, len(b) + 1), "i8")
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            lengths[i + 1, j + 1] = (
                lengths[i, j] + 1 if x == y else max(lengths[i, j + 1], lengths[i + 1, j])
            )
    check(
        """
        func.func @main(%a: tensor<?xi8>, %b: tensor<?xi8>)
            -> (index, tensor<?x?xindex>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %m = tensor.dim %a, %c0 : tensor<?xi8>
          %n = tensor.dim %b, %c0 : tensor<?xi8>
          %m1 = arith.addi %m, %c1 : index
          %n1 = arith.addi %n, %c1 : index
          %e = tensor.empty(%m1, %n1) : tensor<?x?xindex>
          %t0 = linalg.fill ins(%c0 : index) outs(%e : tensor<?x?xindex>)
              -> tensor<?x?xindex>
          %t = scf.for %i = %c0 to %m step %c1 iter_args(%u = %t0)
              -> (tensor<?x?xindex>) {
            %x = tensor.extract %a[%i] : tensor<?xi8>
            %i1 = arith.addi %i, %c1 : index
            %row = scf.for %j = %c0 to %n step %c1 iter_args(%v = %u)
                -> (tensor<?x?xindex>) {
              %y = tensor.extract %b[%j] : tensor<?xi8>
              %j1 = arith.addi %j, %c1 : index
              %same = arith.cmpi eq, %x, %y : i8
              %length = scf.if %same -> (index) {
                %d = tensor.extract %v[%i, %j] : tensor<?x?xindex>
                %d1 = arith.addi %d, %c1 : index
                scf.yield %d1 : index
              } else {
                %up = tensor.extract %v[%i, %j1] : tensor<?x?xindex>
                %left = tensor.extract %v[%i1, %j] : tensor<?x?xindex>
                %max = arith.maxui %up, %left : index
                scf.yield %max : index
              }
              %w = tensor.insert %length into %v[%i1, %j1] : tensor<?x?xindex>
              scf.yield %w : tensor<?x?xindex>
            }
            scf.yield %row : tensor<?x?xindex>
          }
          %length = tensor.extract %t[%m, %n] : tensor<?x?xindex>
          return %length, %t : index, tensor<?x?xindex>
        }
        """,
        [np.frombuffer(a.encode(), "i1"), np.frombuffer(b.encode(), "i1")],
        int(lengths[-1, -1]),
        lengths,
    )


def test_jacobi_until_it_converges() -> None:
    n = 12
    a = random(n, n, dtype="f8") + 2 * n * np.eye(n)
    b = random(n, dtype="f8", seed=1)
    check(
        """
        #ij = affine_map<(i, j) -> (i, j)>
        #i = affine_map<(i, j) -> (i)>
        #j = affine_map<(i, j) -> (j)>
        #id = affine_map<(i) -> (i)>
        #none = affine_map<(i) -> ()>
        func.func @main(%a: tensor<?x?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
          %c0 = arith.constant 0 : index
          %zero = arith.constant 0.0 : f64
          %huge = arith.constant 1.0e300 : f64
          %tolerance = arith.constant 1.0e-20 : f64
          %n = tensor.dim %b, %c0 : tensor<?xf64>
          %e = tensor.empty(%n) : tensor<?xf64>
          %x0 = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
          %r:2 = scf.while (%x = %x0, %error = %huge)
              : (tensor<?xf64>, f64) -> (tensor<?xf64>, f64) {
            %goes_on = arith.cmpf ogt, %error, %tolerance : f64
            scf.condition(%goes_on) %x, %error : tensor<?xf64>, f64
          } do {
          ^bb0(%x: tensor<?xf64>, %error: f64):
            %e1 = tensor.empty(%n) : tensor<?xf64>
            %rest = linalg.copy ins(%b : tensor<?xf64>) outs(%e1 : tensor<?xf64>)
                -> tensor<?xf64>
            %off = linalg.generic {indexing_maps = [#ij, #j, #i],
                                   iterator_types = ["parallel", "reduction"]}
                ins(%a, %x : tensor<?x?xf64>, tensor<?xf64>) outs(%rest : tensor<?xf64>) {
              ^bb0(%aij: f64, %xj: f64, %acc: f64):
                %i = linalg.index 0 : index
                %j = linalg.index 1 : index
                %diagonal = arith.cmpi eq, %i, %j : index
                %p = arith.mulf %aij, %xj : f64
                %q = arith.select %diagonal, %zero, %p : f64
                %s = arith.subf %acc, %q : f64
                linalg.yield %s : f64
            } -> tensor<?xf64>
            %new = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
                outs(%off : tensor<?xf64>) {
              ^bb0(%s: f64):
                %i = linalg.index 0 : index
                %d = tensor.extract %a[%i, %i] : tensor<?x?xf64>
                %y = arith.divf %s, %d : f64
                linalg.yield %y : f64
            } -> tensor<?xf64>
            %start = tensor.splat %zero : tensor<f64>
            %change = linalg.generic {indexing_maps = [#id, #id, #none],
                                      iterator_types = ["reduction"]}
                ins(%new, %x : tensor<?xf64>, tensor<?xf64>) outs(%start : tensor<f64>) {
              ^bb0(%p: f64, %q: f64, %acc: f64):
                %d = arith.subf %p, %q : f64
                %d2 = arith.mulf %d, %d : f64
                %s = arith.addf %d2, %acc : f64
                linalg.yield %s : f64
            } -> tensor<f64>
            %next = tensor.extract %change[] : tensor<f64>
            scf.yield %new, %next : tensor<?xf64>, f64
          }
          return %r#0 : tensor<?xf64>
        }
        """,
        [a, b],
        np.linalg.solve(a, b),
        rtol=1e-8,
    )


def test_layer_normalisation() -> None:
    x, gain, bias = random(4, 9), random(9, seed=1), random(9, seed=2)
    mean = x.mean(axis=1, keepdims=True)
    variance = x.var(axis=1, keepdims=True)
    check(
        """
        #ij = affine_map<(i, j) -> (i, j)>
        #i = affine_map<(i, j) -> (i)>
        #j = affine_map<(i, j) -> (j)>
        func.func @main(%x: tensor<4x9xf32>, %gain: tensor<9xf32>, %bias: tensor<9xf32>)
            -> tensor<4x9xf32> {
          %zero = arith.constant 0.0 : f32
          %n = arith.constant 9.0 : f32
          %epsilon = arith.constant 1.0e-5 : f32
          %e = tensor.empty() : tensor<4xf32>
          %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
          %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x9xf32>)
              outs(%z : tensor<4xf32>) dimensions = [1]
          %squares = linalg.generic {indexing_maps = [#ij, #i, #i],
                                     iterator_types = ["parallel", "reduction"]}
              ins(%x, %sum : tensor<4x9xf32>, tensor<4xf32>) outs(%z : tensor<4xf32>) {
            ^bb0(%v: f32, %s: f32, %acc: f32):
              %mean = arith.divf %s, %n : f32
              %d = arith.subf %v, %mean : f32
              %d2 = arith.mulf %d, %d : f32
              %r = arith.addf %acc, %d2 : f32
              linalg.yield %r : f32
          } -> tensor<4xf32>
          %o = tensor.empty() : tensor<4x9xf32>
          %0 = linalg.generic {indexing_maps = [#ij, #i, #i, #j, #j, #ij],
                               iterator_types = ["parallel", "parallel"]}
              ins(%x, %sum, %squares, %gain, %bias
                  : tensor<4x9xf32>, tensor<4xf32>, tensor<4xf32>, tensor<9xf32>,
                    tensor<9xf32>)
              outs(%o : tensor<4x9xf32>) {
            ^bb0(%v: f32, %s: f32, %q: f32, %g: f32, %b: f32, %out: f32):
              %mean = arith.divf %s, %n : f32
              %d = arith.subf %v, %mean : f32
              %variance = arith.divf %q, %n : f32
              %shifted = arith.addf %variance, %epsilon : f32
              %deviation = math.sqrt %shifted : f32
              %normal = arith.divf %d, %deviation : f32
              %scaled = arith.mulf %normal, %g : f32
              %r = arith.addf %scaled, %b : f32
              linalg.yield %r : f32
          } -> tensor<4x9xf32>
          return %0 : tensor<4x9xf32>
        }
        """,
        [x, gain, bias],
        ((x - mean) / np.sqrt(variance + 1e-5) * gain + bias).astype("f"),
        rtol=1e-4,
    )


def test_convolution_with_padding_and_pooling() -> None:
    image, kernels = random(1, 8, 8, 2), random(3, 3, 2, 4, seed=1)
    padded = np.pad(image, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    convolved = np.einsum("nhwcij,ijcf->nhwf", windows, kernels)
    pooled = convolved.reshape(1, 4, 2, 4, 2, 4).max(axis=(2, 4))
    check(
        """
        func.func @main(%image: tensor<1x8x8x2xf32>, %kernels: tensor<3x3x2x4xf32>)
            -> tensor<1x4x4x4xf32> {
          %zero = arith.constant 0.0 : f32
          %low = arith.constant -1.0e30 : f32
          %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
            ^bb0(%a: index, %b: index, %c: index, %d: index):
              tensor.yield %zero : f32
          } : tensor<1x8x8x2xf32> to tensor<1x10x10x2xf32>
          %e = tensor.empty() : tensor<1x8x8x4xf32>
          %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x4xf32>)
              -> tensor<1x8x8x4xf32>
          %convolved = linalg.conv_2d_nhwc_hwcf
              {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
              ins(%padded, %kernels : tensor<1x10x10x2xf32>, tensor<3x3x2x4xf32>)
              outs(%z : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
          %window = tensor.empty() : tensor<2x2xf32>
          %p = tensor.empty() : tensor<1x4x4x4xf32>
          %l = linalg.fill ins(%low : f32) outs(%p : tensor<1x4x4x4xf32>)
              -> tensor<1x4x4x4xf32>
          %pooled = linalg.pooling_nhwc_max
              {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
              ins(%convolved, %window : tensor<1x8x8x4xf32>, tensor<2x2xf32>)
              outs(%l : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
          return %pooled : tensor<1x4x4x4xf32>
        }
        """,
        [image, kernels],
        pooled,
        rtol=1e-4,
    )


def test_gauss_elimination_in_place() -> None:
    n = 6
    a = random(n, n, dtype="f8") + n * np.eye(n)
    u = a.copy()
    for k in range(n):
        for i in range(k + 1, n):
            u[i, k:] -= u[i, k] / u[k, k] * u[k, k:]
    stats = check(
        """
        #i = affine_map<(i) -> (i)>
        func.func @main(%a: tensor<?x?xf64>) -> tensor<?x?xf64> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n = tensor.dim %a, %c0 : tensor<?x?xf64>
          %0 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %a) -> (tensor<?x?xf64>) {
            %next = arith.addi %k, %c1 : index
            %width = arith.subi %n, %k : index
            %pivot = tensor.extract %u[%k, %k] : tensor<?x?xf64>
            %1 = scf.for %i = %next to %n step %c1 iter_args(%v = %u)
                -> (tensor<?x?xf64>) {
              %first = tensor.extract %v[%i, %k] : tensor<?x?xf64>
              %factor = arith.divf %first, %pivot : f64
              %above = tensor.extract_slice %v[%k, %k] [1, %width] [1, 1]
                  : tensor<?x?xf64> to tensor<?xf64>
              %row = tensor.extract_slice %v[%i, %k] [1, %width] [1, 1]
                  : tensor<?x?xf64> to tensor<?xf64>
              %reduced = linalg.generic {indexing_maps = [#i, #i],
                                         iterator_types = ["parallel"]}
                  ins(%above : tensor<?xf64>) outs(%row : tensor<?xf64>) {
                ^bb0(%p: f64, %q: f64):
                  %s = arith.mulf %p, %factor : f64
                  %d = arith.subf %q, %s : f64
                  linalg.yield %d : f64
              } -> tensor<?xf64>
              %w = tensor.insert_slice %reduced into %v[%i, %k] [1, %width] [1, 1]
                  : tensor<?xf64> into tensor<?x?xf64>
              scf.yield %w : tensor<?x?xf64>
            }
            scf.yield %1 : tensor<?x?xf64>
          }
          return %0 : tensor<?x?xf64>
        }
        """,
        [a],
        u,
        rtol=1e-10,
    )
    assert stats.allocations >= 1


@pytest.mark.parametrize("steps", [0, 1, 7])
def test_cellular_automaton_with_two_buffers(steps: int) -> None:
    rule = 110
    cells = (random(40) > 0).astype("i1")
    expected = cells.copy()
    for _ in range(steps):
        code = 4 * np.roll(expected, 1) + 2 * expected + np.roll(expected, -1)
        expected = ((rule >> code) & 1).astype("i1")
    check(
        """
        #id = affine_map<(i) -> (i)>
        func.func @main(%cells: tensor<40xi8>, %steps: index, %rule: i8)
            -> tensor<40xi8> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c39 = arith.constant 39 : index
          %c40 = arith.constant 40 : index
          %one = arith.constant 1 : i8
          %two = arith.constant 2 : i8
          %four = arith.constant 4 : i8
          %0 = scf.for %s = %c0 to %steps step %c1 iter_args(%t = %cells)
              -> (tensor<40xi8>) {
            %e = tensor.empty() : tensor<40xi8>
            %u = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
                outs(%e : tensor<40xi8>) {
              ^bb0(%out: i8):
                %i = linalg.index 0 : index
                %before = arith.addi %i, %c39 : index
                %after = arith.addi %i, %c1 : index
                %l = arith.remui %before, %c40 : index
                %r = arith.remui %after, %c40 : index
                %a = tensor.extract %t[%l] : tensor<40xi8>
                %b = tensor.extract %t[%i] : tensor<40xi8>
                %c = tensor.extract %t[%r] : tensor<40xi8>
                %a4 = arith.muli %a, %four : i8
                %b2 = arith.muli %b, %two : i8
                %ab = arith.addi %a4, %b2 : i8
                %abc = arith.addi %ab, %c : i8
                %shifted = arith.shrui %rule, %abc : i8
                %bit = arith.andi %shifted, %one : i8
                linalg.yield %bit : i8
            } -> tensor<40xi8>
            scf.yield %u : tensor<40xi8>
          }
          return %0 : tensor<40xi8>
        }
        """,
        [cells, steps, rule],
        expected,
    )


def test_recurrent_network_keeps_its_states() -> None:
    steps, inputs, hidden = 5, 3, 4
    x = random(steps, inputs)
    w, u = random(inputs, hidden, seed=1), random(hidden, hidden, seed=2)
    states, h = [], np.zeros((1, hidden), "f")
    for step in range(steps):
        h = np.tanh(x[step : step + 1] @ w + h @ u)
        states.append(h[0])
    check(
        """
        func.func @main(%x: tensor<?x3xf32>, %w: tensor<3x4xf32>, %u: tensor<4x4xf32>)
            -> (tensor<?x4xf32>, tensor<1x4xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %zero = arith.constant 0.0 : f32
          %steps = tensor.dim %x, %c0 : tensor<?x3xf32>
          %e = tensor.empty() : tensor<1x4xf32>
          %h0 = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
          %all0 = tensor.empty(%steps) : tensor<?x4xf32>
          %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%all = %all0, %h = %h0)
              -> (tensor<?x4xf32>, tensor<1x4xf32>) {
            %xt = tensor.extract_slice %x[%t, 0] [1, 3] [1, 1]
                : tensor<?x3xf32> to tensor<1x3xf32>
            %e1 = tensor.empty() : tensor<1x4xf32>
            %z = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x4xf32>)
                -> tensor<1x4xf32>
            %a = linalg.matmul ins(%xt, %w : tensor<1x3xf32>, tensor<3x4xf32>)
                outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
            %b = linalg.matmul ins(%h, %u : tensor<1x4xf32>, tensor<4x4xf32>)
                outs(%a : tensor<1x4xf32>) -> tensor<1x4xf32>
            %new = linalg.map ins(%b : tensor<1x4xf32>) outs(%h : tensor<1x4xf32>)
              (%in: f32, %out: f32) {
                %y = math.tanh %in : f32
                linalg.yield %y : f32
              }
            %next = tensor.insert_slice %new into %all[%t, 0] [1, 4] [1, 1]
                : tensor<1x4xf32> into tensor<?x4xf32>
            scf.yield %next, %new : tensor<?x4xf32>, tensor<1x4xf32>
          }
          return %r#0, %r#1 : tensor<?x4xf32>, tensor<1x4xf32>
        }
        """,
        [x, w, u],
        np.array(states),
        h,
        rtol=1e-4,
    )


def test_unstructured_control_flow() -> None:
    """The greatest common divisor of two numbers, over a tensor that blocks pass on."""
    check(
        """
        func.func @main(%t: tensor<2xi64>) -> i64 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %zero = arith.constant 0 : i64
          cf.br ^loop(%t : tensor<2xi64>)
        ^loop(%u: tensor<2xi64>):
          %a = tensor.extract %u[%c0] : tensor<2xi64>
          %b = tensor.extract %u[%c1] : tensor<2xi64>
          %done = arith.cmpi eq, %b, %zero : i64
          cf.cond_br %done, ^end, ^step
        ^step:
          %r = arith.remsi %a, %b : i64
          %v = tensor.insert %b into %u[%c0] : tensor<2xi64>
          %w = tensor.insert %r into %v[%c1] : tensor<2xi64>
          cf.br ^loop(%w : tensor<2xi64>)
        ^end:
          return %a : i64
        }
        """,
        [np.array([2 * 3 * 5 * 7 * 11, 3 * 7 * 13 * 17])],
        21,
        pipeline=(
            "one-shot-bufferize{bufferize-function-boundaries},lower-to-llvm-pipeline"
        ),
    )
