"""Dynamic programming, and sorting."""

from __future__ import annotations

import itertools

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func @main(%weights: tensor<?xindex>, %values: tensor<?xi64>, %room: index)
        -> (i64, tensor<?xi64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i64
      %n = tensor.dim %weights, %c0 : tensor<?xindex>
      %size = arith.addi %room, %c1 : index
      %e = tensor.empty(%size) : tensor<?xi64>
      %best0 = linalg.fill ins(%zero : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %best0) -> (tensor<?xi64>) {
        %w = tensor.extract %weights[%i] : tensor<?xindex>
        %v = tensor.extract %values[%i] : tensor<?xi64>
        %count = arith.subi %size, %w : index
        %s = scf.for %k = %c0 to %count step %c1 iter_args(%u = %t) -> (tensor<?xi64>) {
          %down = arith.subi %room, %k : index
          %from = arith.subi %down, %w : index
          %a = tensor.extract %u[%down] : tensor<?xi64>
          %b = tensor.extract %u[%from] : tensor<?xi64>
          %c = arith.addi %b, %v : i64
          %d = arith.maxsi %a, %c : i64
          %x = tensor.insert %d into %u[%down] : tensor<?xi64>
          scf.yield %x : tensor<?xi64>
        }
        scf.yield %s : tensor<?xi64>
      }
      %best = tensor.extract %r[%room] : tensor<?xi64>
      return %best, %r : i64, tensor<?xi64>
    }
    """,
    least_copies=0,
)
def knapsack() -> Example:
    weights, values = np.array([3, 4, 2, 5, 1]), np.array([30, 50, 15, 60, 9])
    table = np.zeros(11, "i8")
    for room in range(11):
        for chosen in itertools.product([0, 1], repeat=5):
            if np.dot(chosen, weights) <= room:
                table[room] = max(table[room], np.dot(chosen, values))
    return [weights, values, 10], [int(table[-1]), table]


@program(
    """
    func.func @main(%a: tensor<?xi8>, %b: tensor<?xi8>) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %m = tensor.dim %a, %c0 : tensor<?xi8>
      %n = tensor.dim %b, %c0 : tensor<?xi8>
      %n1 = arith.addi %n, %c1 : index
      %first = tensor.generate %n1 {
        ^bb0(%j: index):
          %x = arith.index_cast %j : index to i32
          tensor.yield %x : i32
      } : tensor<?xi32>
      %other = tensor.empty(%n1) : tensor<?xi32>
      %rows:2 = scf.for %i = %c0 to %m step %c1 iter_args(%old = %first, %free = %other)
          -> (tensor<?xi32>, tensor<?xi32>) {
        %i1 = arith.addi %i, %c1 : index
        %start = arith.index_cast %i1 : index to i32
        %new0 = tensor.insert %start into %free[%c0] : tensor<?xi32>
        %x = tensor.extract %a[%i] : tensor<?xi8>
        %new = scf.for %j = %c0 to %n step %c1 iter_args(%u = %new0) -> (tensor<?xi32>) {
          %y = tensor.extract %b[%j] : tensor<?xi8>
          %j1 = arith.addi %j, %c1 : index
          %differ = arith.cmpi ne, %x, %y : i8
          %cost = arith.select %differ, %one, %zero : i32
          %d = tensor.extract %old[%j] : tensor<?xi32>
          %p = tensor.extract %old[%j1] : tensor<?xi32>
          %q = tensor.extract %u[%j] : tensor<?xi32>
          %replaced = arith.addi %d, %cost : i32
          %least = arith.minsi %p, %q : i32
          %moved = arith.addi %least, %one : i32
          %z = arith.minsi %replaced, %moved : i32
          %v = tensor.insert %z into %u[%j1] : tensor<?xi32>
          scf.yield %v : tensor<?xi32>
        }
        scf.yield %new, %old : tensor<?xi32>, tensor<?xi32>
      }
      %r = tensor.extract %rows#0[%n] : tensor<?xi32>
      return %r : i32
    }
    """,
    least_copies=0,
)
def edit_distance_in_two_rows() -> Example:
    a, b = (np.frombuffer(word, "i1") for word in (b"bufferization", b"vectorisation"))
    table = np.add.outer(np.arange(len(a) + 1), np.arange(len(b) + 1))
    for i, j in itertools.product(range(len(a)), range(len(b))):
        table[i + 1, j + 1] = min(
            table[i, j] + (a[i] != b[j]), table[i, j + 1] + 1, table[i + 1, j] + 1
        )
    return [a, b], [int(table[-1, -1])]


@program(
    """
    #id = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (j)>
    #col = affine_map<(i, j) -> (i)>
    func.func @main(%d: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %d, %c0 : tensor<?x?xf32>
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%u = %d) -> (tensor<?x?xf32>) {
        %row = tensor.extract_slice %u[%k, 0] [1, %n] [1, 1]
          : tensor<?x?xf32> to tensor<?xf32>
        %col = tensor.extract_slice %u[0, %k] [%n, 1] [1, 1]
          : tensor<?x?xf32> to tensor<?xf32>
        %v = linalg.generic {indexing_maps = [#row, #col, #id],
                             iterator_types = ["parallel", "parallel"]}
            ins(%row, %col : tensor<?xf32>, tensor<?xf32>) outs(%u : tensor<?x?xf32>) {
          ^bb0(%a: f32, %b: f32, %old: f32):
            %c = arith.addf %a, %b : f32
            %new = arith.minimumf %c, %old : f32
            linalg.yield %new : f32
        } -> tensor<?x?xf32>
        scf.yield %v : tensor<?x?xf32>
      }
      return %r : tensor<?x?xf32>
    }
    """,
    # The argument, and a row and a column before each of 8 updates. With a second matrix
    # no more than the argument, but in more memory than the plain passes need.
    least_copies=17,
)
def shortest_paths() -> Example:
    d = (random(8, 8) + 1) * 10
    np.fill_diagonal(d, 0)
    r = d.copy()
    for k in range(8):
        r = np.minimum(r, r[:, k : k + 1] + r[k : k + 1])
    return [d.copy()], [r]


@program(
    """
    func.func @main(%t: tensor<?xi32>) -> (index, tensor<?xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %t, %c0 : tensor<?xi32>
      %e = tensor.empty(%n) : tensor<?xindex>
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%all = %c0, %u = %e)
          -> (index, tensor<?xindex>) {
        %x = tensor.extract %t[%i] : tensor<?xi32>
        %best = scf.for %j = %c0 to %i step %c1 iter_args(%so_far = %c1) -> (index) {
          %y = tensor.extract %t[%j] : tensor<?xi32>
          %l = tensor.extract %u[%j] : tensor<?xindex>
          %l1 = arith.addi %l, %c1 : index
          %fits = arith.cmpi slt, %y, %x : i32
          %longer = arith.maxui %l1, %so_far : index
          %next = arith.select %fits, %longer, %so_far : index
          scf.yield %next : index
        }
        %v = tensor.insert %best into %u[%i] : tensor<?xindex>
        %most = arith.maxui %all, %best : index
        scf.yield %most, %v : index, tensor<?xindex>
      }
      return %r#0, %r#1 : index, tensor<?xindex>
    }
    """,
    least_copies=0,
)
def longest_increasing_subsequence() -> Example:
    t = random(18, dtype="i4")
    lengths: list[int] = []
    for i, x in enumerate(t):
        before = [lengths[j] for j in range(i) if t[j] < x]
        lengths.append(1 + max(before, default=0))
    return [t], [max(lengths), np.array(lengths)]


@program(
    """
    func.func @main(%start: tensor<?xf64>, %move: tensor<?x?xf64>, %emit: tensor<?x?xf64>,
                    %seen: tensor<?xindex>) -> tensor<?xindex> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %least = arith.constant 0xFFF0000000000000 : f64
      %n = tensor.dim %start, %c0 : tensor<?xf64>
      %steps = tensor.dim %seen, %c0 : tensor<?xindex>
      %back0 = tensor.empty(%steps, %n) : tensor<?x?xindex>
      %first = tensor.extract %seen[%c0] : tensor<?xindex>
      %p0 = tensor.generate %n {
        ^bb0(%s: index):
          %a = tensor.extract %start[%s] : tensor<?xf64>
          %b = tensor.extract %emit[%s, %first] : tensor<?x?xf64>
          %c = arith.addf %a, %b : f64
          tensor.yield %c : f64
      } : tensor<?xf64>
      %r:2 = scf.for %t = %c1 to %steps step %c1 iter_args(%p = %p0, %back = %back0)
          -> (tensor<?xf64>, tensor<?x?xindex>) {
        %what = tensor.extract %seen[%t] : tensor<?xindex>
        %e = tensor.empty(%n) : tensor<?xf64>
        %q:2 = scf.for %s = %c0 to %n step %c1 iter_args(%new = %e, %b = %back)
            -> (tensor<?xf64>, tensor<?x?xindex>) {
          %best:2 = scf.for %from = %c0 to %n step %c1
              iter_args(%top = %least, %at = %c0) -> (f64, index) {
            %x = tensor.extract %p[%from] : tensor<?xf64>
            %y = tensor.extract %move[%from, %s] : tensor<?x?xf64>
            %z = arith.addf %x, %y : f64
            %more = arith.cmpf ogt, %z, %top : f64
            %top1 = arith.select %more, %z, %top : f64
            %at1 = arith.select %more, %from, %at : index
            scf.yield %top1, %at1 : f64, index
          }
          %o = tensor.extract %emit[%s, %what] : tensor<?x?xf64>
          %sum = arith.addf %best#0, %o : f64
          %new1 = tensor.insert %sum into %new[%s] : tensor<?xf64>
          %b1 = tensor.insert %best#1 into %b[%t, %s] : tensor<?x?xindex>
          scf.yield %new1, %b1 : tensor<?xf64>, tensor<?x?xindex>
        }
        scf.yield %q#0, %q#1 : tensor<?xf64>, tensor<?x?xindex>
      }
      %end:2 = scf.for %s = %c0 to %n step %c1 iter_args(%top = %least, %at = %c0)
          -> (f64, index) {
        %x = tensor.extract %r#0[%s] : tensor<?xf64>
        %more = arith.cmpf ogt, %x, %top : f64
        %top1 = arith.select %more, %x, %top : f64
        %at1 = arith.select %more, %s, %at : index
        scf.yield %top1, %at1 : f64, index
      }
      %path0 = tensor.empty(%steps) : tensor<?xindex>
      %last = arith.subi %steps, %c1 : index
      %path1 = tensor.insert %end#1 into %path0[%last] : tensor<?xindex>
      %w:2 = scf.for %k = %c0 to %last step %c1 iter_args(%path = %path1, %s = %end#1)
          -> (tensor<?xindex>, index) {
        %t = arith.subi %last, %k : index
        %before = tensor.extract %r#1[%t, %s] : tensor<?x?xindex>
        %t1 = arith.subi %t, %c1 : index
        %path2 = tensor.insert %before into %path[%t1] : tensor<?xindex>
        scf.yield %path2, %before : tensor<?xindex>, index
      }
      return %w#0 : tensor<?xindex>
    }
    """,
    least_copies=0,
)
def viterbi() -> Example:
    start, move, emit = (random(*s, dtype="f8") for s in [(3,), (3, 3), (3, 4)])
    seen = np.array([0, 3, 1, 1, 2, 0])

    def weight(path: tuple[int, ...]) -> float:
        steps = sum(move[a, b] for a, b in itertools.pairwise(path))
        return start[path[0]] + steps + sum(emit[path, seen])

    best = max(itertools.product(range(3), repeat=6), key=weight)
    return [start, move, emit, seen], [np.array(best)]


@program(
    """
    func.func @main(%sizes: tensor<?xi64>) -> i64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0 : i64
      %high = arith.constant 9223372036854775807 : i64
      %n1 = tensor.dim %sizes, %c0 : tensor<?xi64>
      %n = arith.subi %n1, %c1 : index
      %e = tensor.empty(%n, %n) : tensor<?x?xi64>
      %t0 = linalg.fill ins(%zero : i64) outs(%e : tensor<?x?xi64>) -> tensor<?x?xi64>
      %r = scf.for %d = %c1 to %n step %c1 iter_args(%t = %t0) -> (tensor<?x?xi64>) {
        %rows = arith.subi %n, %d : index
        %s = scf.for %i = %c0 to %rows step %c1 iter_args(%u = %t) -> (tensor<?x?xi64>) {
          %j = arith.addi %i, %d : index
          %j1 = arith.addi %j, %c1 : index
          %pi = tensor.extract %sizes[%i] : tensor<?xi64>
          %pj = tensor.extract %sizes[%j1] : tensor<?xi64>
          %best = scf.for %k = %i to %j step %c1 iter_args(%b = %high) -> (i64) {
            %k1 = arith.addi %k, %c1 : index
            %x = tensor.extract %u[%i, %k] : tensor<?x?xi64>
            %y = tensor.extract %u[%k1, %j] : tensor<?x?xi64>
            %pk = tensor.extract %sizes[%k1] : tensor<?xi64>
            %p = arith.muli %pi, %pk : i64
            %q = arith.muli %p, %pj : i64
            %xy = arith.addi %x, %y : i64
            %cost = arith.addi %xy, %q : i64
            %less = arith.minsi %b, %cost : i64
            scf.yield %less : i64
          }
          %v = tensor.insert %best into %u[%i, %j] : tensor<?x?xi64>
          scf.yield %v : tensor<?x?xi64>
        }
        scf.yield %s : tensor<?x?xi64>
      }
      %last = arith.subi %n, %c1 : index
      %z = tensor.extract %r[%c0, %last] : tensor<?x?xi64>
      return %z : i64
    }
    """,
    least_copies=0,
)
def order_of_matrix_products() -> Example:
    # The example of the textbooks.
    return [np.array([30, 35, 15, 5, 10, 20, 25])], [15125]


# Sorting


@program(
    """
    func.func @main(%t: tensor<?xf64>) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %t, %c0 : tensor<?xf64>
      %r = scf.for %i = %c1 to %n step %c1 iter_args(%u = %t) -> (tensor<?xf64>) {
        %key = tensor.extract %u[%i] : tensor<?xf64>
        %w:2 = scf.while (%v = %u, %j = %i) : (tensor<?xf64>, index)
            -> (tensor<?xf64>, index) {
          %inside = arith.cmpi ugt, %j, %c0 : index
          %go = scf.if %inside -> (i1) {
            %p = arith.subi %j, %c1 : index
            %x = tensor.extract %v[%p] : tensor<?xf64>
            %wrong = arith.cmpf ogt, %x, %key : f64
            scf.yield %wrong : i1
          } else {
            %no = arith.constant false
            scf.yield %no : i1
          }
          scf.condition(%go) %v, %j : tensor<?xf64>, index
        } do {
        ^bb0(%v: tensor<?xf64>, %j: index):
          %p = arith.subi %j, %c1 : index
          %x = tensor.extract %v[%p] : tensor<?xf64>
          %moved = tensor.insert %x into %v[%j] : tensor<?xf64>
          scf.yield %moved, %p : tensor<?xf64>, index
        }
        %placed = tensor.insert %key into %w#0[%w#1] : tensor<?xf64>
        scf.yield %placed : tensor<?xf64>
      }
      return %r : tensor<?xf64>
    }
    """,
    # The argument is updated and returned.
    least_copies=1,
)
def insertion_sort() -> Example:
    t = random(25, dtype="f8")
    return [t.copy()], [np.sort(t)]


@program(
    """
    func.func @main(%t: tensor<?xi32>) -> tensor<?xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %t, %c0 : tensor<?xi32>
      %e = tensor.empty(%n) : tensor<?xi32>
      %r:3 = scf.while (%from = %t, %to = %e, %width = %c1)
          : (tensor<?xi32>, tensor<?xi32>, index)
          -> (tensor<?xi32>, tensor<?xi32>, index) {
        %go = arith.cmpi ult, %width, %n : index
        scf.condition(%go) %from, %to, %width : tensor<?xi32>, tensor<?xi32>, index
      } do {
      ^bb0(%from: tensor<?xi32>, %to: tensor<?xi32>, %width: index):
        %twice = arith.addi %width, %width : index
        %merged = scf.for %low = %c0 to %n step %twice iter_args(%u = %to)
            -> (tensor<?xi32>) {
          %m = arith.addi %low, %width : index
          %mid = arith.minui %m, %n : index
          %h = arith.addi %low, %twice : index
          %high = arith.minui %h, %n : index
          %s:3 = scf.for %k = %low to %high step %c1
              iter_args(%v = %u, %i = %low, %j = %mid)
              -> (tensor<?xi32>, index, index) {
            %left = arith.cmpi ult, %i, %mid : index
            %right = arith.cmpi ult, %j, %high : index
            %both = arith.andi %left, %right : i1
            %take_left = scf.if %both -> (i1) {
              %x = tensor.extract %from[%i] : tensor<?xi32>
              %y = tensor.extract %from[%j] : tensor<?xi32>
              %c = arith.cmpi sle, %x, %y : i32
              scf.yield %c : i1
            } else {
              scf.yield %left : i1
            }
            %at = arith.select %take_left, %i, %j : index
            %z = tensor.extract %from[%at] : tensor<?xi32>
            %w = tensor.insert %z into %v[%k] : tensor<?xi32>
            %i1 = arith.addi %i, %c1 : index
            %j1 = arith.addi %j, %c1 : index
            %i2 = arith.select %take_left, %i1, %i : index
            %j2 = arith.select %take_left, %j, %j1 : index
            scf.yield %w, %i2, %j2 : tensor<?xi32>, index, index
          }
          scf.yield %s#0 : tensor<?xi32>
        }
        scf.yield %merged, %from, %twice : tensor<?xi32>, tensor<?xi32>, index
      }
      return %r#0 : tensor<?xi32>
    }
    """,
    # The argument is one of the two buffers, and the last of six passes writes it.
    least_copies=1,
)
def merge_sort_between_two_buffers() -> Example:
    t = random(37, dtype="i4")
    return [t.copy()], [np.sort(t)]


@program(
    """
    func.func @main(%t: tensor<?xi8>) -> (tensor<?xi8>, tensor<16xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %one = arith.constant 1 : i32
      %none = arith.constant dense<0> : tensor<16xi32>
      %n = tensor.dim %t, %c0 : tensor<?xi8>
      %counts = scf.for %i = %c0 to %n step %c1 iter_args(%u = %none)
          -> (tensor<16xi32>) {
        %x = tensor.extract %t[%i] : tensor<?xi8>
        %at = arith.index_castui %x : i8 to index
        %old = tensor.extract %u[%at] : tensor<16xi32>
        %new = arith.addi %old, %one : i32
        %v = tensor.insert %new into %u[%at] : tensor<16xi32>
        scf.yield %v : tensor<16xi32>
      }
      %r:2 = scf.for %value = %c0 to %c16 step %c1 iter_args(%u = %t, %place = %c0)
          -> (tensor<?xi8>, index) {
        %count = tensor.extract %counts[%value] : tensor<16xi32>
        %times = arith.index_castui %count : i32 to index
        %x = arith.index_cast %value : index to i8
        %part = tensor.extract_slice %u[%place] [%times] [1]
          : tensor<?xi8> to tensor<?xi8>
        %filled = linalg.fill ins(%x : i8) outs(%part : tensor<?xi8>) -> tensor<?xi8>
        %v = tensor.insert_slice %filled into %u[%place] [%times] [1]
          : tensor<?xi8> into tensor<?xi8>
        %next = arith.addi %place, %times : index
        scf.yield %v, %next : tensor<?xi8>, index
      }
      return %r#0, %counts : tensor<?xi8>, tensor<16xi32>
    }
    """,
    # The argument is updated and returned.
    least_copies=1,
)
def counting_sort() -> Example:
    t = (random(40, dtype="i1") & 15).astype("i1")
    return [t.copy()], [np.sort(t), np.bincount(t, minlength=16).astype("i4")]


@program(
    """
    func.func @main(%t: tensor<16xi32>) -> tensor<16xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c15 = arith.constant 15 : index
      %c16 = arith.constant 16 : index
      %r = scf.for %round = %c0 to %c16 step %c1 iter_args(%u = %t) -> (tensor<16xi32>) {
        %start = arith.remui %round, %c2 : index
        %s = scf.for %i = %start to %c15 step %c2 iter_args(%v = %u) -> (tensor<16xi32>) {
          %j = arith.addi %i, %c1 : index
          %a = tensor.extract %v[%i] : tensor<16xi32>
          %b = tensor.extract %v[%j] : tensor<16xi32>
          %low = arith.minsi %a, %b : i32
          %high = arith.maxsi %a, %b : i32
          %v1 = tensor.insert %low into %v[%i] : tensor<16xi32>
          %v2 = tensor.insert %high into %v1[%j] : tensor<16xi32>
          scf.yield %v2 : tensor<16xi32>
        }
        scf.yield %s : tensor<16xi32>
      }
      return %r : tensor<16xi32>
    }
    """,
    # The argument is updated and returned.
    least_copies=1,
)
def odd_even_transposition_sort() -> Example:
    t = random(16, dtype="i4")
    return [t.copy()], [np.sort(t)]
