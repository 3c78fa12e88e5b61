"""Programs that update a slice of a tensor from another one, which shares no element with
it. None of them needs a copy."""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func @main(%t: tensor<16xf64>, %i: index) -> (f64, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %zero = arith.constant 0.0 : f64
      %r:2 = scf.for %k = %c0 to %c5 step %c1 iter_args(%s = %t, %sum = %zero)
          -> (tensor<16xf64>, f64) {
        %a = tensor.extract_slice %s[0] [8] [1] : tensor<16xf64> to tensor<8xf64>
        %b = tensor.extract_slice %s[8] [8] [1] : tensor<16xf64> to tensor<8xf64>
        %c = linalg.add ins(%a, %b : tensor<8xf64>, tensor<8xf64>)
            outs(%b : tensor<8xf64>) -> tensor<8xf64>
        %u = tensor.insert_slice %c into %s[8] [8] [1]
            : tensor<8xf64> into tensor<16xf64>
        %d = linalg.negf ins(%c : tensor<8xf64>) outs(%a : tensor<8xf64>)
            -> tensor<8xf64>
        %v = tensor.insert_slice %d into %u[0] [8] [1]
            : tensor<8xf64> into tensor<16xf64>
        %x = tensor.extract %c[%i] : tensor<8xf64>
        %next = arith.addf %sum, %x : f64
        scf.yield %v, %next : tensor<16xf64>, f64
      }
      %y = tensor.extract %r#0[%i] : tensor<16xf64>
      return %r#1, %y : f64, f64
    }
    """,
    least_copies=0,
)
def halves_in_turn() -> Example:
    t = random(16, dtype="f8")
    a, b = t[:8].copy(), t[8:].copy()
    total = 0.0
    for _ in range(5):
        b = a + b
        a = -b
        total += b[3]
    return [t, 3], [total, a[3]]


@program(
    """
    #next = affine_map<(d0) -> (d0 + 1)>
    func.func @main(%t: tensor<?x6xi64>, %last: index, %j: index) -> (i64, i64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0 : i64
      %r:2 = scf.for %i = %c0 to %last step %c1 iter_args(%s = %t, %sum = %zero)
          -> (tensor<?x6xi64>, i64) {
        %n = affine.apply #next(%i)
        %a = tensor.extract_slice %s[%i, 0] [1, 6] [1, 1]
            : tensor<?x6xi64> to tensor<6xi64>
        %b = tensor.extract_slice %s[%n, 0] [1, 6] [1, 1]
            : tensor<?x6xi64> to tensor<6xi64>
        %c = linalg.add ins(%a, %b : tensor<6xi64>, tensor<6xi64>)
            outs(%b : tensor<6xi64>) -> tensor<6xi64>
        %x = tensor.extract %a[%j] : tensor<6xi64>
        %d = tensor.insert_slice %c into %s[%n, 0] [1, 6] [1, 1]
            : tensor<6xi64> into tensor<?x6xi64>
        %y = tensor.extract %c[%j] : tensor<6xi64>
        %p = arith.muli %x, %y : i64
        %next = arith.addi %sum, %p : i64
        scf.yield %d, %next : tensor<?x6xi64>, i64
      }
      %z = tensor.extract %r#0[%last, %j] : tensor<?x6xi64>
      return %r#1, %z : i64, i64
    }
    """,
    least_copies=0,
)
def each_row_adds_the_row_before() -> Example:
    t = random(7, 6, dtype="i8")
    sums = np.cumsum(t, axis=0)
    total = int((sums[:-1, 2] * sums[1:, 2]).sum())
    return [t, 6, 2], [total, int(sums[-1, 2])]


@program(
    """
    func.func @main(%t: tensor<?x?xf32>, %h: index, %i: index) -> (f32, f32) {
      %a = tensor.extract_slice %t[0, 0] [%h, %h] [1, 1]
          : tensor<?x?xf32> to tensor<?x?xf32>
      %b = tensor.extract_slice %t[0, %h] [%h, %h] [1, 1]
          : tensor<?x?xf32> to tensor<?x?xf32>
      %c = tensor.extract_slice %t[%h, %h] [%h, %h] [1, 1]
          : tensor<?x?xf32> to tensor<?x?xf32>
      %d = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
          outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
      %u = tensor.insert_slice %d into %t[%h, %h] [%h, %h] [1, 1]
          : tensor<?x?xf32> into tensor<?x?xf32>
      %e = linalg.add ins(%a, %d : tensor<?x?xf32>, tensor<?x?xf32>)
          outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
      %v = tensor.insert_slice %e into %u[0, %h] [%h, %h] [1, 1]
          : tensor<?x?xf32> into tensor<?x?xf32>
      %x = tensor.extract %a[%i, %i] : tensor<?x?xf32>
      %j = arith.addi %h, %i : index
      %y = tensor.extract %v[%i, %j] : tensor<?x?xf32>
      return %x, %y : f32, f32
    }
    """,
    least_copies=0,
)
def quarters_of_a_matrix() -> Example:
    t = random(6, 6)
    a, b, c = t[:3, :3], t[:3, 3:], t[3:, 3:]
    e = a + (c + a @ b)
    return [t, 3, 1], [a[1, 1], e[1, 1]]


@program(
    """
    func.func @main(%t: tensor<14xf64>, %i: index) -> (f64, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %t) -> (tensor<14xf64>) {
        %even = tensor.extract_slice %s[0] [7] [2] : tensor<14xf64> to tensor<7xf64>
        %odd = tensor.extract_slice %s[1] [7] [2] : tensor<14xf64> to tensor<7xf64>
        %o = linalg.sub ins(%odd, %even : tensor<7xf64>, tensor<7xf64>)
            outs(%odd : tensor<7xf64>) -> tensor<7xf64>
        %u = tensor.insert_slice %o into %s[1] [7] [2]
            : tensor<7xf64> into tensor<14xf64>
        %e = linalg.add ins(%even, %o : tensor<7xf64>, tensor<7xf64>)
            outs(%even : tensor<7xf64>) -> tensor<7xf64>
        %v = tensor.insert_slice %e into %u[0] [7] [2]
            : tensor<7xf64> into tensor<14xf64>
        scf.yield %v : tensor<14xf64>
      }
      %j = arith.addi %i, %c1 : index
      %x = tensor.extract %r[%i] : tensor<14xf64>
      %y = tensor.extract %r[%j] : tensor<14xf64>
      return %x, %y : f64, f64
    }
    """,
    least_copies=0,
)
def lifting_of_even_and_odd_elements() -> Example:
    t = random(14, dtype="f8")
    even, odd = t[0::2].copy(), t[1::2].copy()
    for _ in range(4):
        odd = odd - even
        even = even + odd
    return [t, 4], [even[2], odd[2]]


@program(
    """
    #block = affine_map<(d0) -> (d0 * 3)>
    func.func @main(%l: tensor<12x12xf64>, %b: tensor<12xf64>, %k: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %b) -> (tensor<12xf64>) {
        %first = arith.addi %i, %c1 : index
        %o = affine.apply #block(%i)
        %x = tensor.extract_slice %s[%o] [3] [1] : tensor<12xf64> to tensor<3xf64>
        %q = scf.for %j = %first to %c4 step %c1 iter_args(%p = %s)
            -> (tensor<12xf64>) {
          %n = affine.apply #block(%j)
          %m = tensor.extract_slice %l[%n, %o] [3, 3] [1, 1]
              : tensor<12x12xf64> to tensor<3x3xf64>
          %xi = tensor.extract_slice %p[%o] [3] [1] : tensor<12xf64> to tensor<3xf64>
          %y = tensor.extract_slice %p[%n] [3] [1] : tensor<12xf64> to tensor<3xf64>
          %z = linalg.matvec ins(%m, %xi : tensor<3x3xf64>, tensor<3xf64>)
              outs(%y : tensor<3xf64>) -> tensor<3xf64>
          %w = linalg.add ins(%z, %xi : tensor<3xf64>, tensor<3xf64>)
              outs(%z : tensor<3xf64>) -> tensor<3xf64>
          %v = tensor.insert_slice %w into %p[%n] [3] [1]
              : tensor<3xf64> into tensor<12xf64>
          scf.yield %v : tensor<12xf64>
        }
        scf.yield %q : tensor<12xf64>
      }
      %y = tensor.extract %r[%k] : tensor<12xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def blocks_below_a_block() -> Example:
    matrix, b = random(12, 12, dtype="f8"), random(12, dtype="f8", seed=1)
    x = b.copy()
    for i in range(0, 12, 3):
        for j in range(i + 3, 12, 3):
            x[j : j + 3] += matrix[j : j + 3, i : i + 3] @ x[i : i + 3] + x[i : i + 3]
    return [matrix, b, 10], [x[10]]


@program(
    """
    func.func @main(%t: tensor<4x12xi32>, %n: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0 : i32
      %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %t, %sum = %zero)
          -> (tensor<4x12xi32>, i32) {
        %row = tensor.extract_slice %s[%i, 0] [1, 12] [1, 1]
            : tensor<4x12xi32> to tensor<12xi32>
        %a = tensor.extract_slice %row[0] [%n] [1] : tensor<12xi32> to tensor<?xi32>
        %b = tensor.extract_slice %row[%n] [%n] [1] : tensor<12xi32> to tensor<?xi32>
        %c = linalg.mul ins(%a, %b : tensor<?xi32>, tensor<?xi32>)
            outs(%b : tensor<?xi32>) -> tensor<?xi32>
        %u = tensor.insert_slice %c into %row[%n] [%n] [1]
            : tensor<?xi32> into tensor<12xi32>
        %d = linalg.add ins(%a, %c : tensor<?xi32>, tensor<?xi32>)
            outs(%a : tensor<?xi32>) -> tensor<?xi32>
        %v = tensor.insert_slice %d into %u[0] [%n] [1]
            : tensor<?xi32> into tensor<12xi32>
        %x = tensor.extract %d[%c1] : tensor<?xi32>
        %y = tensor.extract %c[%c1] : tensor<?xi32>
        %w = tensor.insert_slice %v into %s[%i, 0] [1, 12] [1, 1]
            : tensor<12xi32> into tensor<4x12xi32>
        %p = arith.addi %x, %y : i32
        %next = arith.addi %sum, %p : i32
        scf.yield %w, %next : tensor<4x12xi32>, i32
      }
      %z = tensor.extract %r#0[%c1, %c1] : tensor<4x12xi32>
      %end = arith.addi %r#1, %z : i32
      return %end : i32
    }
    """,
    least_copies=0,
)
def parts_of_rows() -> Example:
    t = random(4, 12, dtype="i4")
    c = t[:, :5] * t[:, 5:10]
    d = t[:, :5] + c
    return [t, 5], [int((d[:, 1] + c[:, 1]).sum() + d[1, 1])]


@program(
    """
    #id = affine_map<(i) -> (i)>
    func.func @main(%a: tensor<5x6xf64>, %c: f64, %s: f64) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%q = %a) -> (tensor<5x6xf64>) {
        %j = arith.addi %i, %c1 : index
        %u = tensor.extract_slice %q[%i, 0] [1, 6] [1, 1]
            : tensor<5x6xf64> to tensor<6xf64>
        %v = tensor.extract_slice %q[%j, 0] [1, 6] [1, 1]
            : tensor<5x6xf64> to tensor<6xf64>
        %uv:2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
            outs(%u, %v : tensor<6xf64>, tensor<6xf64>) {
          ^bb0(%x: f64, %y: f64):
            %cx = arith.mulf %c, %x : f64
            %sy = arith.mulf %s, %y : f64
            %sx = arith.mulf %s, %x : f64
            %cy = arith.mulf %c, %y : f64
            %p = arith.addf %cx, %sy : f64
            %m = arith.subf %cy, %sx : f64
            linalg.yield %p, %m : f64, f64
        } -> (tensor<6xf64>, tensor<6xf64>)
        %q1 = tensor.insert_slice %uv#0 into %q[%i, 0] [1, 6] [1, 1]
            : tensor<6xf64> into tensor<5x6xf64>
        %q2 = tensor.insert_slice %uv#1 into %q1[%j, 0] [1, 6] [1, 1]
            : tensor<6xf64> into tensor<5x6xf64>
        scf.yield %q2 : tensor<5x6xf64>
      }
      %y = tensor.extract %r[%c4, %c1] : tensor<5x6xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def rotations_of_two_rows() -> Example:
    a = random(5, 6, dtype="f8")
    r, c, s = a.copy(), 0.6, 0.8
    for i in range(4):
        r[i], r[i + 1] = c * r[i] + s * r[i + 1], c * r[i + 1] - s * r[i]
    return [a, c, s], [r[4, 1]]


def _taken_before_inserted(number: int) -> str:
    """Slices of a tensor, the even ones inserted again from the last to the first."""
    whole = f"tensor<{3 * number}xf32>"
    order = [*range(1, number, 2), *reversed(range(0, number, 2))]
    at = {i: f"[{3 * i}] [3] [1]" for i in range(number)}
    lines = [
        f"%s{i} = tensor.extract_slice %t{at[i]} : {whole} to tensor<3xf32>"
        for i in range(number)
    ]
    lines += [
        f"%x{i} = linalg.exp ins(%s{i} : tensor<3xf32>) outs(%s{i} : tensor<3xf32>)"
        f" -> tensor<3xf32>"
        for i in range(number)
    ]
    before = "%t"
    for i in order:
        lines.append(
            f"%u{i} = tensor.insert_slice %x{i} into {before}{at[i]}"
            f" : tensor<3xf32> into {whole}"
        )
        before = f"%u{i}"
    lines.append(f"%y = tensor.extract {before}[%k] : {whole}")
    body = "\n".join(lines)
    return (
        f"func.func @main(%t: {whole}, %k: index) -> f32 {{\n{body}\nreturn %y : f32 }}"
    )


@program(_taken_before_inserted(40), least_copies=0)
def slices_inserted_in_any_order() -> Example:
    t = random(120)
    return [t, 77], [np.exp(t)[77]]


@program(
    """
    func.func @main(%a: tensor<5x8xf64>, %i: index, %j: index) -> f64 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %r = scf.for %k = %c0 to %c5 step %c1 iter_args(%x = %a) -> (tensor<5x8xf64>) {
        %p = tensor.extract %x[%k, %k] : tensor<5x8xf64>
        %s = scf.for %m = %c0 to %c5 step %c1 iter_args(%y = %x) -> (tensor<5x8xf64>) {
          %f = tensor.extract %y[%m, %k] : tensor<5x8xf64>
          %q = arith.divf %f, %p : f64
          %is_pivot = arith.cmpi eq, %m, %k : index
          %by = scf.if %is_pivot -> (f64) {
            %zero = arith.constant 0.0 : f64
            scf.yield %zero : f64
          } else {
            scf.yield %q : f64
          }
          %pivot = tensor.extract_slice %y[%k, 0] [1, 8] [1, 1]
              : tensor<5x8xf64> to tensor<8xf64>
          %row = tensor.extract_slice %y[%m, 0] [1, 8] [1, 1]
              : tensor<5x8xf64> to tensor<8xf64>
          %new = linalg.map ins(%pivot : tensor<8xf64>) outs(%row : tensor<8xf64>)
            (%in: f64, %old: f64) {
              %t = arith.mulf %in, %by : f64
              %d = arith.subf %old, %t : f64
              linalg.yield %d : f64
            }
          %z = tensor.insert_slice %new into %y[%m, 0] [1, 8] [1, 1]
              : tensor<8xf64> into tensor<5x8xf64>
          scf.yield %z : tensor<5x8xf64>
        }
        scf.yield %s : tensor<5x8xf64>
      }
      %y = tensor.extract %r[%i, %j] : tensor<5x8xf64>
      return %y : f64
    }
    """,
    least_copies=0,
)
def rows_minus_another_or_the_same_row() -> Example:
    a = random(5, 8, dtype="f8") + 4 * np.eye(5, 8)
    x = a.copy()
    for k in range(5):
        for m in range(5):
            if m != k:
                x[m] -= x[k] * (x[m, k] / x[k, k])
    return [a, 3, 6], [x[3, 6]]
