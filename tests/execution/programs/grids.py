"""Stencils on grids and images."""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    #id = affine_map<(i, j) -> (i, j)>
    func.func @main(%u0: tensor<?x?xf64>, %steps: index) -> tensor<?x?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %quarter = arith.constant 0.25 : f64
      %m = tensor.dim %u0, %c0 : tensor<?x?xf64>
      %n = tensor.dim %u0, %c1 : tensor<?x?xf64>
      %p = arith.subi %m, %c2 : index
      %q = arith.subi %n, %c2 : index
      %r = scf.for %s = %c0 to %steps step %c1 iter_args(%u = %u0) -> (tensor<?x?xf64>) {
        %north = tensor.extract_slice %u[0, 1] [%p, %q] [1, 1]
          : tensor<?x?xf64> to tensor<?x?xf64>
        %south = tensor.extract_slice %u[2, 1] [%p, %q] [1, 1]
          : tensor<?x?xf64> to tensor<?x?xf64>
        %west = tensor.extract_slice %u[1, 0] [%p, %q] [1, 1]
          : tensor<?x?xf64> to tensor<?x?xf64>
        %east = tensor.extract_slice %u[1, 2] [%p, %q] [1, 1]
          : tensor<?x?xf64> to tensor<?x?xf64>
        %e = tensor.empty(%p, %q) : tensor<?x?xf64>
        %inner = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id],
                                 iterator_types = ["parallel", "parallel"]}
            ins(%north, %south, %west, %east : tensor<?x?xf64>, tensor<?x?xf64>,
                tensor<?x?xf64>, tensor<?x?xf64>) outs(%e : tensor<?x?xf64>) {
          ^bb0(%a: f64, %b: f64, %c: f64, %d: f64, %out: f64):
            %ab = arith.addf %a, %b : f64
            %cd = arith.addf %c, %d : f64
            %sum = arith.addf %ab, %cd : f64
            %mean = arith.mulf %sum, %quarter : f64
            linalg.yield %mean : f64
        } -> tensor<?x?xf64>
        %v = tensor.insert_slice %inner into %u[1, 1] [%p, %q] [1, 1]
          : tensor<?x?xf64> into tensor<?x?xf64>
        scf.yield %v : tensor<?x?xf64>
      }
      return %r : tensor<?x?xf64>
    }
    """,
    # The argument once, and the edges into a second grid: two that take turns.
    least_copies=2,
)
def laplace_with_fixed_edges() -> Example:
    u = random(9, 7, dtype="f8")
    r = u.copy()
    for _ in range(5):
        old = r.copy()
        r[1:-1, 1:-1] = (
            old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]
        ) / 4
    return [u, 5], [r]


@program(
    """
    #id = affine_map<(i, j) -> (i, j)>
    func.func @main(%g: tensor<?x?xi1>, %steps: index) -> tensor<?x?xi1> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %zero = arith.constant 0 : i32
      %two = arith.constant 2 : i32
      %three = arith.constant 3 : i32
      %m = tensor.dim %g, %c0 : tensor<?x?xi1>
      %n = tensor.dim %g, %c1 : tensor<?x?xi1>
      %r = scf.for %s = %c0 to %steps step %c1 iter_args(%t = %g) -> (tensor<?x?xi1>) {
        %e = tensor.empty(%m, %n) : tensor<?x?xi1>
        %next = linalg.generic {indexing_maps = [#id, #id],
                                iterator_types = ["parallel", "parallel"]}
            ins(%t : tensor<?x?xi1>) outs(%e : tensor<?x?xi1>) {
          ^bb0(%alive: i1, %out: i1):
            %i = linalg.index 0 : index
            %j = linalg.index 1 : index
            %around = scf.for %a = %c0 to %c3 step %c1 iter_args(%s0 = %zero) -> (i32) {
              %row = scf.for %b = %c0 to %c3 step %c1 iter_args(%s1 = %s0) -> (i32) {
                %x0 = arith.addi %i, %a : index
                %x1 = arith.addi %x0, %m : index
                %x2 = arith.subi %x1, %c1 : index
                %x = arith.remui %x2, %m : index
                %y0 = arith.addi %j, %b : index
                %y1 = arith.addi %y0, %n : index
                %y2 = arith.subi %y1, %c1 : index
                %y = arith.remui %y2, %n : index
                %cell = tensor.extract %t[%x, %y] : tensor<?x?xi1>
                %bit = arith.extui %cell : i1 to i32
                %sum = arith.addi %s1, %bit : i32
                scf.yield %sum : i32
              }
              scf.yield %row : i32
            }
            %self = arith.extui %alive : i1 to i32
            %neighbours = arith.subi %around, %self : i32
            %is3 = arith.cmpi eq, %neighbours, %three : i32
            %is2 = arith.cmpi eq, %neighbours, %two : i32
            %stays = arith.andi %is2, %alive : i1
            %lives = arith.ori %is3, %stays : i1
            linalg.yield %lives : i1
        } -> tensor<?x?xi1>
        scf.yield %next : tensor<?x?xi1>
      }
      return %r : tensor<?x?xi1>
    }
    """,
    least_copies=0,
)
def game_of_life() -> Example:
    grid = random(8, 9) > 0
    r = grid.copy()
    for _ in range(4):
        turns = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
        count = sum(np.roll(r, turn, (0, 1)).astype(int) for turn in turns)
        r = (count == 3) | (r & (count == 2))
    return [grid, 4], [r]


@program(
    """
    func.func @main(%x: tensor<6x7x8xf32>) -> tensor<4x5x6xf32> {
      %zero = arith.constant 0.0 : f32
      %w = arith.constant dense<[[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]],
                                 [[0.0, 1.0, 0.0], [1.0, -6.0, 1.0], [0.0, 1.0, 0.0]],
                                 [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]]>
        : tensor<3x3x3xf32>
      %e = tensor.empty() : tensor<4x5x6xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5x6xf32>) -> tensor<4x5x6xf32>
      %y = linalg.conv_3d ins(%x, %w : tensor<6x7x8xf32>, tensor<3x3x3xf32>)
        outs(%z : tensor<4x5x6xf32>) -> tensor<4x5x6xf32>
      return %y : tensor<4x5x6xf32>
    }
    """,
    least_copies=0,
)
def seven_points_in_space() -> Example:
    x = random(6, 7, 8)
    c = x[1:-1, 1:-1, 1:-1]
    y = x[2:, 1:-1, 1:-1] + x[:-2, 1:-1, 1:-1] + x[1:-1, 2:, 1:-1] + x[1:-1, :-2, 1:-1]
    return [x], [y + x[1:-1, 1:-1, 2:] + x[1:-1, 1:-1, :-2] - 6 * c]


@program(
    """
    #id = affine_map<(i) -> (i)>
    func.func @main(%u0: tensor<?xf64>, %v0: tensor<?xf64>, %k: f64, %steps: index)
        -> (tensor<?xf64>, tensor<?xf64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %two = arith.constant 2.0 : f64
      %n = tensor.dim %u0, %c0 : tensor<?xf64>
      %p = arith.subi %n, %c2 : index
      %r:2 = scf.for %s = %c0 to %steps step %c1 iter_args(%now = %u0, %old = %v0)
          -> (tensor<?xf64>, tensor<?xf64>) {
        %part = tensor.extract_slice %old[1] [%p] [1] : tensor<?xf64> to tensor<?xf64>
        %left = tensor.extract_slice %now[0] [%p] [1] : tensor<?xf64> to tensor<?xf64>
        %mid = tensor.extract_slice %now[1] [%p] [1] : tensor<?xf64> to tensor<?xf64>
        %right = tensor.extract_slice %now[2] [%p] [1] : tensor<?xf64> to tensor<?xf64>
        %new = linalg.generic {indexing_maps = [#id, #id, #id, #id],
                               iterator_types = ["parallel"]}
            ins(%left, %mid, %right : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>)
            outs(%part : tensor<?xf64>) {
          ^bb0(%a: f64, %b: f64, %c: f64, %before: f64):
            %ac = arith.addf %a, %c : f64
            %b2 = arith.mulf %b, %two : f64
            %curve = arith.subf %ac, %b2 : f64
            %force = arith.mulf %curve, %k : f64
            %x = arith.subf %b2, %before : f64
            %y = arith.addf %x, %force : f64
            linalg.yield %y : f64
        } -> tensor<?xf64>
        %next = tensor.insert_slice %new into %old[1] [%p] [1]
          : tensor<?xf64> into tensor<?xf64>
        scf.yield %next, %now : tensor<?xf64>, tensor<?xf64>
      }
      return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
    }
    """,
    # Both arguments are updated and returned.
    least_copies=2,
)
def wave_that_swaps_its_states() -> Example:
    u = np.sin(np.linspace(0, np.pi, 15))
    now, old = u.copy(), u.copy()
    for _ in range(6):
        new = old.copy()
        curve = now[:-2] + now[2:] - 2 * now[1:-1]
        new[1:-1] = 2 * now[1:-1] - old[1:-1] + 0.3 * curve
        now, old = new, now
    return [u.copy(), u.copy(), 0.3, 6], [now, old]


@program(
    """
    #id = affine_map<(i, j) -> (i, j)>
    #win = affine_map<(i, j, k, l) -> (i + k, j + l)>
    #ker = affine_map<(i, j, k, l) -> (k, l)>
    #out = affine_map<(i, j, k, l) -> (i, j)>
    func.func private @filtered(%x: tensor<?x?xf32>, %w: tensor<3x3xf32>)
        -> tensor<?x?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0.0 : f32
      %m = tensor.dim %x, %c0 : tensor<?x?xf32>
      %n = tensor.dim %x, %c1 : tensor<?x?xf32>
      %p = arith.subi %m, %c2 : index
      %q = arith.subi %n, %c2 : index
      %e = tensor.empty(%p, %q) : tensor<?x?xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
      %y = linalg.generic {indexing_maps = [#win, #ker, #out], iterator_types =
          ["parallel", "parallel", "reduction", "reduction"]}
          ins(%x, %w : tensor<?x?xf32>, tensor<3x3xf32>) outs(%z : tensor<?x?xf32>) {
        ^bb0(%a: f32, %b: f32, %s: f32):
          %ab = arith.mulf %a, %b : f32
          %t = arith.addf %s, %ab : f32
          linalg.yield %t : f32
      } -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    }
    func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xi1> {
      %limit = arith.constant 2.0 : f32
      %h = arith.constant dense<[[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]]>
        : tensor<3x3xf32>
      %e = tensor.empty() : tensor<3x3xf32>
      %v = linalg.transpose ins(%h : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>)
        permutation = [1, 0]
      %gx = call @filtered(%x, %h) : (tensor<?x?xf32>, tensor<3x3xf32>)
        -> tensor<?x?xf32>
      %gy = call @filtered(%x, %v) : (tensor<?x?xf32>, tensor<3x3xf32>)
        -> tensor<?x?xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = tensor.dim %gx, %c0 : tensor<?x?xf32>
      %n = tensor.dim %gx, %c1 : tensor<?x?xf32>
      %o = tensor.empty(%m, %n) : tensor<?x?xi1>
      %edges = linalg.generic {indexing_maps = [#id, #id, #id],
                               iterator_types = ["parallel", "parallel"]}
          ins(%gx, %gy : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xi1>) {
        ^bb0(%a: f32, %b: f32, %out: i1):
          %aa = arith.mulf %a, %a : f32
          %bb = arith.mulf %b, %b : f32
          %s = arith.addf %aa, %bb : f32
          %root = math.sqrt %s : f32
          %edge = arith.cmpf ogt, %root, %limit : f32
          linalg.yield %edge : i1
      } -> tensor<?x?xi1>
      return %edges : tensor<?x?xi1>
    }
    """,
    least_copies=0,
)
def edges_of_an_image() -> Example:
    x = random(8, 10)
    h = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3))
    gx, gy = (np.einsum("ijkl,kl->ij", windows, w) for w in (h, h.T))
    return [x], [np.hypot(gx, gy) > 2]


@program(
    """
    func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %ninth = arith.constant 0.11111111 : f32
      %m = tensor.dim %x, %c0 : tensor<?x?xf32>
      %n = tensor.dim %x, %c1 : tensor<?x?xf32>
      %pad = tensor.pad %x low[1, 1] high[1, 1] {
        ^bb0(%i: index, %j: index):
          %one = arith.subi %i, %c1 : index
          %up = arith.maxsi %one, %c0 : index
          %m1 = arith.subi %m, %c1 : index
          %r = arith.minsi %up, %m1 : index
          %two = arith.subi %j, %c1 : index
          %left = arith.maxsi %two, %c0 : index
          %n1 = arith.subi %n, %c1 : index
          %s = arith.minsi %left, %n1 : index
          %edge = tensor.extract %x[%r, %s] : tensor<?x?xf32>
          tensor.yield %edge : f32
      } : tensor<?x?xf32> to tensor<?x?xf32>
      %w = tensor.splat %ninth : tensor<3x3xf32>
      %z = linalg.fill ins(%zero : f32) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
      %y = linalg.conv_2d ins(%pad, %w : tensor<?x?xf32>, tensor<3x3xf32>)
        outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    }
    """,
    # The image, into the larger one.
    least_copies=1,
)
def blur_with_repeated_edges() -> Example:
    x = random(7, 5)
    padded = np.pad(x, 1, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    return [x.copy()], [windows.mean((2, 3))]
