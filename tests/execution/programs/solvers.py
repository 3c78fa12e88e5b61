"""Linear algebra, differential equations, transforms."""

from __future__ import annotations

import numpy as np

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


@program(
    """
    func.func private @dot(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {
      %zero = arith.constant dense<0.0> : tensor<f64>
      %r = linalg.dot ins(%a, %b : tensor<?xf64>, tensor<?xf64>)
        outs(%zero : tensor<f64>) -> tensor<f64>
      %x = tensor.extract %r[] : tensor<f64>
      return %x : f64
    }
    func.func @main(%a: tensor<?x?xf64>, %b: tensor<?xf64>) -> (tensor<?xf64>, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %small = arith.constant 1.0e-20 : f64
      %n = tensor.dim %b, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %x0 = linalg.fill ins(%zero : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>
      %rr0 = call @dot(%b, %b) : (tensor<?xf64>, tensor<?xf64>) -> f64
      %s:5 = scf.while (%x = %x0, %r = %b, %p = %b, %rr = %rr0, %steps = %c0)
          : (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, index)
          -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, index) {
        %go = arith.cmpf ogt, %rr, %small : f64
        scf.condition(%go) %x, %r, %p, %rr, %steps
          : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, index
      } do {
      ^bb0(%x: tensor<?xf64>, %r: tensor<?xf64>, %p: tensor<?xf64>, %rr: f64,
           %steps: index):
        %e1 = tensor.empty(%n) : tensor<?xf64>
        %z1 = linalg.fill ins(%zero : f64) outs(%e1 : tensor<?xf64>) -> tensor<?xf64>
        %ap = linalg.matvec ins(%a, %p : tensor<?x?xf64>, tensor<?xf64>)
          outs(%z1 : tensor<?xf64>) -> tensor<?xf64>
        %pap = func.call @dot(%p, %ap) : (tensor<?xf64>, tensor<?xf64>) -> f64
        %alpha = arith.divf %rr, %pap : f64
        %x1 = linalg.map ins(%p : tensor<?xf64>) outs(%x : tensor<?xf64>)
          (%pi: f64, %xi: f64) {
            %y = math.fma %alpha, %pi, %xi : f64
            linalg.yield %y : f64
          }
        %r1 = linalg.map ins(%ap : tensor<?xf64>) outs(%r : tensor<?xf64>)
          (%ai: f64, %ri: f64) {
            %t = arith.mulf %alpha, %ai : f64
            %y = arith.subf %ri, %t : f64
            linalg.yield %y : f64
          }
        %rr1 = func.call @dot(%r1, %r1) : (tensor<?xf64>, tensor<?xf64>) -> f64
        %beta = arith.divf %rr1, %rr : f64
        %p1 = linalg.map ins(%r1 : tensor<?xf64>) outs(%p : tensor<?xf64>)
          (%ri: f64, %pi: f64) {
            %y = math.fma %beta, %pi, %ri : f64
            linalg.yield %y : f64
          }
        %next = arith.addi %steps, %c1 : index
        scf.yield %x1, %r1, %p1, %rr1, %next
          : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, index
      }
      return %s#0, %s#4 : tensor<?xf64>, index
    }
    """,
    # The argument is where two tensors start that are updated.
    least_copies=1,
)
def conjugate_gradients() -> Example:
    a = np.diag(np.arange(1.0, 7.0))
    a[0, 1] = a[1, 0] = 0.5
    b = random(6, dtype="f8")
    return [a, b], [np.linalg.solve(a, b), 6]


@program(
    """
    func.func @main(%a: tensor<6x6xf64>, %steps: index) -> (f64, tensor<6xf64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant dense<1.0> : tensor<6xf64>
      %zero = arith.constant dense<0.0> : tensor<6xf64>
      %none = arith.constant dense<0.0> : tensor<f64>
      %f0 = arith.constant 0.0 : f64
      %r:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%v = %one, %l = %f0)
          -> (tensor<6xf64>, f64) {
        %w = linalg.matvec ins(%a, %v : tensor<6x6xf64>, tensor<6xf64>)
          outs(%zero : tensor<6xf64>) -> tensor<6xf64>
        %d = linalg.dot ins(%w, %w : tensor<6xf64>, tensor<6xf64>)
          outs(%none : tensor<f64>) -> tensor<f64>
        %s = tensor.extract %d[] : tensor<f64>
        %norm = math.sqrt %s : f64
        %u = linalg.map ins(%w : tensor<6xf64>) outs(%w : tensor<6xf64>)
          (%x: f64, %out: f64) {
            %y = arith.divf %x, %norm : f64
            linalg.yield %y : f64
          }
        scf.yield %u, %norm : tensor<6xf64>, f64
      }
      return %r#1, %r#0 : f64, tensor<6xf64>
    }
    """,
    least_copies=0,
)
def power_iteration() -> Example:
    a = random(6, 6, dtype="f8") ** 2 + np.eye(6)
    v, norm = np.ones(6), 0.0
    for _ in range(15):
        v = a @ v
        norm = np.linalg.norm(v)
        v = v / norm
    return [a, 15], [float(norm), v]


@program(
    """
    func.func @main(%a: tensor<?x?xf64>) -> tensor<?x?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %n = tensor.dim %a, %c0 : tensor<?x?xf64>
      %r = scf.for %j = %c0 to %n step %c1 iter_args(%l = %a) -> (tensor<?x?xf64>) {
        %d0 = tensor.extract %l[%j, %j] : tensor<?x?xf64>
        %d = scf.for %k = %c0 to %j step %c1 iter_args(%s = %d0) -> (f64) {
          %x = tensor.extract %l[%j, %k] : tensor<?x?xf64>
          %xx = arith.mulf %x, %x : f64
          %t = arith.subf %s, %xx : f64
          scf.yield %t : f64
        }
        %root = math.sqrt %d : f64
        %l1 = tensor.insert %root into %l[%j, %j] : tensor<?x?xf64>
        %above = scf.for %k = %c0 to %j step %c1 iter_args(%u = %l1)
            -> (tensor<?x?xf64>) {
          %v = tensor.insert %zero into %u[%k, %j] : tensor<?x?xf64>
          scf.yield %v : tensor<?x?xf64>
        }
        %below = arith.addi %j, %c1 : index
        %l2 = scf.for %i = %below to %n step %c1 iter_args(%u = %above)
            -> (tensor<?x?xf64>) {
          %s0 = tensor.extract %u[%i, %j] : tensor<?x?xf64>
          %s = scf.for %k = %c0 to %j step %c1 iter_args(%t = %s0) -> (f64) {
            %x = tensor.extract %u[%i, %k] : tensor<?x?xf64>
            %y = tensor.extract %u[%j, %k] : tensor<?x?xf64>
            %xy = arith.mulf %x, %y : f64
            %next = arith.subf %t, %xy : f64
            scf.yield %next : f64
          }
          %q = arith.divf %s, %root : f64
          %v = tensor.insert %q into %u[%i, %j] : tensor<?x?xf64>
          scf.yield %v : tensor<?x?xf64>
        }
        scf.yield %l2 : tensor<?x?xf64>
      }
      return %r : tensor<?x?xf64>
    }
    """,
    # The argument is updated and returned.
    least_copies=1,
)
def cholesky() -> Example:
    a = random(7, 7, dtype="f8")
    a = a @ a.T + np.eye(7)
    return [a.copy()], [np.linalg.cholesky(a)]


@program(
    """
    func.func @main(%a: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %a, %c0 : tensor<?x?xf64>
      %rows = tensor.generate %n {
        ^bb0(%i: index):
          tensor.yield %i : index
      } : tensor<?xindex>
      %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %a, %order = %rows)
          -> (tensor<?x?xf64>, tensor<?xindex>) {
        %first = tensor.extract %u[%k, %k] : tensor<?x?xf64>
        %best0 = math.absf %first : f64
        %pivot:2 = scf.for %i = %k to %n step %c1 iter_args(%at = %k, %best = %best0)
            -> (index, f64) {
          %x = tensor.extract %u[%i, %k] : tensor<?x?xf64>
          %size = math.absf %x : f64
          %more = arith.cmpf ogt, %size, %best : f64
          %at1 = arith.select %more, %i, %at : index
          %best1 = arith.select %more, %size, %best : f64
          scf.yield %at1, %best1 : index, f64
        }
        %ra = tensor.extract_slice %u[%k, 0] [1, %n] [1, 1]
          : tensor<?x?xf64> to tensor<1x?xf64>
        %rb = tensor.extract_slice %u[%pivot#0, 0] [1, %n] [1, 1]
          : tensor<?x?xf64> to tensor<1x?xf64>
        %u1 = tensor.insert_slice %rb into %u[%k, 0] [1, %n] [1, 1]
          : tensor<1x?xf64> into tensor<?x?xf64>
        %u2 = tensor.insert_slice %ra into %u1[%pivot#0, 0] [1, %n] [1, 1]
          : tensor<1x?xf64> into tensor<?x?xf64>
        %oa = tensor.extract %order[%k] : tensor<?xindex>
        %ob = tensor.extract %order[%pivot#0] : tensor<?xindex>
        %order1 = tensor.insert %ob into %order[%k] : tensor<?xindex>
        %order2 = tensor.insert %oa into %order1[%pivot#0] : tensor<?xindex>
        %d = tensor.extract %u2[%k, %k] : tensor<?x?xf64>
        %next = arith.addi %k, %c1 : index
        %u3 = scf.for %i = %next to %n step %c1 iter_args(%v = %u2)
            -> (tensor<?x?xf64>) {
          %x = tensor.extract %v[%i, %k] : tensor<?x?xf64>
          %f = arith.divf %x, %d : f64
          %v1 = tensor.insert %f into %v[%i, %k] : tensor<?x?xf64>
          %v2 = scf.for %j = %next to %n step %c1 iter_args(%w = %v1)
              -> (tensor<?x?xf64>) {
            %y = tensor.extract %w[%k, %j] : tensor<?x?xf64>
            %z = tensor.extract %w[%i, %j] : tensor<?x?xf64>
            %fy = arith.mulf %f, %y : f64
            %new = arith.subf %z, %fy : f64
            %w1 = tensor.insert %new into %w[%i, %j] : tensor<?x?xf64>
            scf.yield %w1 : tensor<?x?xf64>
          }
          scf.yield %v2 : tensor<?x?xf64>
        }
        scf.yield %u3, %order2 : tensor<?x?xf64>, tensor<?xindex>
      }
      return %r#0, %r#1 : tensor<?x?xf64>, tensor<?xindex>
    }
    """,
    # The argument is updated and returned; two rows change places in three copies, six
    # times.
    least_copies=19,
)
def factorisation_with_pivots() -> Example:
    a = random(6, 6, dtype="f8", seed=3)
    u, order = a.copy(), np.arange(6)
    for k in range(6):
        p = k + np.abs(u[k:, k]).argmax()
        u[[k, p]], order[[k, p]] = u[[p, k]], order[[p, k]]
        u[k + 1 :, k] /= u[k, k]
        u[k + 1 :, k + 1 :] -= np.outer(u[k + 1 :, k], u[k, k + 1 :])
    return [a.copy()], [u, order]


@program(
    """
    func.func private @slope(%y: tensor<2xf64>) -> tensor<2xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = tensor.extract %y[%c0] : tensor<2xf64>
      %b = tensor.extract %y[%c1] : tensor<2xf64>
      %m = arith.negf %a : f64
      %r = tensor.from_elements %b, %m : tensor<2xf64>
      return %r : tensor<2xf64>
    }
    func.func private @moved(%y: tensor<2xf64>, %d: tensor<2xf64>, %h: f64)
        -> tensor<2xf64> {
      %e = tensor.empty() : tensor<2xf64>
      %r = linalg.map ins(%y, %d : tensor<2xf64>, tensor<2xf64>) outs(%e : tensor<2xf64>)
        (%yi: f64, %di: f64, %out: f64) {
          %z = math.fma %di, %h, %yi : f64
          linalg.yield %z : f64
        }
      return %r : tensor<2xf64>
    }
    func.func @main(%y0: tensor<2xf64>, %h: f64, %steps: index) -> tensor<2xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %two = arith.constant 2.0 : f64
      %three = arith.constant 3.0 : f64
      %six = arith.constant 6.0 : f64
      %h2 = arith.divf %h, %two : f64
      %h3 = arith.divf %h, %three : f64
      %h6 = arith.divf %h, %six : f64
      %r = scf.for %i = %c0 to %steps step %c1 iter_args(%y = %y0) -> (tensor<2xf64>) {
        %k1 = func.call @slope(%y) : (tensor<2xf64>) -> tensor<2xf64>
        %y1 = func.call @moved(%y, %k1, %h2) : (tensor<2xf64>, tensor<2xf64>, f64)
          -> tensor<2xf64>
        %k2 = func.call @slope(%y1) : (tensor<2xf64>) -> tensor<2xf64>
        %y2 = func.call @moved(%y, %k2, %h2) : (tensor<2xf64>, tensor<2xf64>, f64)
          -> tensor<2xf64>
        %k3 = func.call @slope(%y2) : (tensor<2xf64>) -> tensor<2xf64>
        %y3 = func.call @moved(%y, %k3, %h) : (tensor<2xf64>, tensor<2xf64>, f64)
          -> tensor<2xf64>
        %k4 = func.call @slope(%y3) : (tensor<2xf64>) -> tensor<2xf64>
        %s1 = func.call @moved(%y, %k1, %h6) : (tensor<2xf64>, tensor<2xf64>, f64)
          -> tensor<2xf64>
        %s2 = func.call @moved(%s1, %k2, %h3) : (tensor<2xf64>, tensor<2xf64>, f64)
          -> tensor<2xf64>
        %s3 = func.call @moved(%s2, %k3, %h3) : (tensor<2xf64>, tensor<2xf64>, f64)
          -> tensor<2xf64>
        %s4 = func.call @moved(%s3, %k4, %h6) : (tensor<2xf64>, tensor<2xf64>, f64)
          -> tensor<2xf64>
        scf.yield %s4 : tensor<2xf64>
      }
      return %r : tensor<2xf64>
    }
    """,
    least_copies=0,
)
def runge_kutta() -> Example:
    # An oscillator: after the time 10 it is where the cosine is.
    return [np.array([1.0, 0.0]), 0.01, 1000], [np.array([np.cos(10), -np.sin(10)])]


@program(
    """
    func.func @main(%low: tensor<?xf64>, %mid: tensor<?xf64>, %up: tensor<?xf64>,
                    %b: tensor<?xf64>) -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %b, %c0 : tensor<?xf64>
      %r:2 = scf.for %i = %c1 to %n step %c1 iter_args(%m = %mid, %x = %b)
          -> (tensor<?xf64>, tensor<?xf64>) {
        %p = arith.subi %i, %c1 : index
        %li = tensor.extract %low[%p] : tensor<?xf64>
        %mp = tensor.extract %m[%p] : tensor<?xf64>
        %w = arith.divf %li, %mp : f64
        %u = tensor.extract %up[%p] : tensor<?xf64>
        %mi = tensor.extract %m[%i] : tensor<?xf64>
        %wu = arith.mulf %w, %u : f64
        %m1 = arith.subf %mi, %wu : f64
        %xp = tensor.extract %x[%p] : tensor<?xf64>
        %xi = tensor.extract %x[%i] : tensor<?xf64>
        %wx = arith.mulf %w, %xp : f64
        %x1 = arith.subf %xi, %wx : f64
        %m2 = tensor.insert %m1 into %m[%i] : tensor<?xf64>
        %x2 = tensor.insert %x1 into %x[%i] : tensor<?xf64>
        scf.yield %m2, %x2 : tensor<?xf64>, tensor<?xf64>
      }
      %last = arith.subi %n, %c1 : index
      %xl = tensor.extract %r#1[%last] : tensor<?xf64>
      %ml = tensor.extract %r#0[%last] : tensor<?xf64>
      %q = arith.divf %xl, %ml : f64
      %y0 = tensor.insert %q into %r#1[%last] : tensor<?xf64>
      %y = scf.for %s = %c0 to %last step %c1 iter_args(%x = %y0) -> (tensor<?xf64>) {
        %after = arith.subi %last, %s : index
        %i = arith.subi %after, %c1 : index
        %xa = tensor.extract %x[%after] : tensor<?xf64>
        %xi = tensor.extract %x[%i] : tensor<?xf64>
        %u = tensor.extract %up[%i] : tensor<?xf64>
        %m = tensor.extract %r#0[%i] : tensor<?xf64>
        %ux = arith.mulf %u, %xa : f64
        %t = arith.subf %xi, %ux : f64
        %z = arith.divf %t, %m : f64
        %x1 = tensor.insert %z into %x[%i] : tensor<?xf64>
        scf.yield %x1 : tensor<?xf64>
      }
      return %y : tensor<?xf64>
    }
    """,
    # The argument is updated and returned.
    least_copies=1,
)
def tridiagonal_system() -> Example:
    low, up = random(8, dtype="f8")[:7].copy(), random(7, dtype="f8")
    mid, b = random(8, dtype="f8", seed=2) + 4, random(8, dtype="f8", seed=3)
    a = np.diag(mid) + np.diag(low, -1) + np.diag(up, 1)
    return [low, mid.copy(), up, b.copy()], [np.linalg.solve(a, b)]


@program(
    """
    #col = affine_map<(i) -> (i)>
    func.func @main(%a: tensor<8x4xf64>) -> (tensor<8x4xf64>, tensor<4x4xf64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %none = arith.constant dense<0.0> : tensor<f64>
      %r0 = arith.constant dense<0.0> : tensor<4x4xf64>
      %s:2 = scf.for %j = %c0 to %c4 step %c1 iter_args(%q = %a, %r = %r0)
          -> (tensor<8x4xf64>, tensor<4x4xf64>) {
        %t:2 = scf.for %k = %c0 to %j step %c1 iter_args(%q1 = %q, %r1 = %r)
            -> (tensor<8x4xf64>, tensor<4x4xf64>) {
          %qk = tensor.extract_slice %q1[0, %k] [8, 1] [1, 1]
            : tensor<8x4xf64> to tensor<8xf64>
          %qj = tensor.extract_slice %q1[0, %j] [8, 1] [1, 1]
            : tensor<8x4xf64> to tensor<8xf64>
          %d = linalg.dot ins(%qk, %qj : tensor<8xf64>, tensor<8xf64>)
            outs(%none : tensor<f64>) -> tensor<f64>
          %x = tensor.extract %d[] : tensor<f64>
          %new = linalg.map ins(%qk : tensor<8xf64>) outs(%qj : tensor<8xf64>)
            (%b: f64, %c: f64) {
              %xb = arith.mulf %x, %b : f64
              %y = arith.subf %c, %xb : f64
              linalg.yield %y : f64
            }
          %q2 = tensor.insert_slice %new into %q1[0, %j] [8, 1] [1, 1]
            : tensor<8xf64> into tensor<8x4xf64>
          %r2 = tensor.insert %x into %r1[%k, %j] : tensor<4x4xf64>
          scf.yield %q2, %r2 : tensor<8x4xf64>, tensor<4x4xf64>
        }
        %qj = tensor.extract_slice %t#0[0, %j] [8, 1] [1, 1]
          : tensor<8x4xf64> to tensor<8xf64>
        %d = linalg.dot ins(%qj, %qj : tensor<8xf64>, tensor<8xf64>)
          outs(%none : tensor<f64>) -> tensor<f64>
        %dd = tensor.extract %d[] : tensor<f64>
        %norm = math.sqrt %dd : f64
        %unit = linalg.generic {indexing_maps = [#col], iterator_types = ["parallel"]}
            outs(%qj : tensor<8xf64>) {
          ^bb0(%c: f64):
            %y = arith.divf %c, %norm : f64
            linalg.yield %y : f64
        } -> tensor<8xf64>
        %q3 = tensor.insert_slice %unit into %t#0[0, %j] [8, 1] [1, 1]
          : tensor<8xf64> into tensor<8x4xf64>
        %r3 = tensor.insert %norm into %t#1[%j, %j] : tensor<4x4xf64>
        scf.yield %q3, %r3 : tensor<8x4xf64>, tensor<4x4xf64>
      }
      return %s#0, %s#1 : tensor<8x4xf64>, tensor<4x4xf64>
    }
    """,
    # The argument is updated and returned.
    least_copies=1,
)
def orthogonalisation() -> Example:
    a = random(8, 4, dtype="f8")
    q, r = np.linalg.qr(a)
    signs = np.sign(np.diag(r))
    return [a.copy()], [q * signs, r * signs[:, None]]


@program(
    """
    func.func @main(%x: tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = complex.constant [0.0, 0.0] : complex<f64>
      %turn = arith.constant -6.283185307179586 : f64
      %n = tensor.dim %x, %c0 : tensor<?xcomplex<f64>>
      %ni = arith.index_cast %n : index to i64
      %nf = arith.sitofp %ni : i64 to f64
      %unit = arith.divf %turn, %nf : f64
      %r = tensor.generate %n {
        ^bb0(%k: index):
          %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero)
              -> (complex<f64>) {
            %jk = arith.muli %j, %k : index
            %m = arith.remui %jk, %n : index
            %mi = arith.index_cast %m : index to i64
            %mf = arith.sitofp %mi : i64 to f64
            %angle = arith.mulf %mf, %unit : f64
            %re = math.cos %angle : f64
            %im = math.sin %angle : f64
            %w = complex.create %re, %im : complex<f64>
            %v = tensor.extract %x[%j] : tensor<?xcomplex<f64>>
            %p = complex.mul %v, %w : complex<f64>
            %t = complex.add %s, %p : complex<f64>
            scf.yield %t : complex<f64>
          }
          tensor.yield %sum : complex<f64>
      } : tensor<?xcomplex<f64>>
      return %r : tensor<?xcomplex<f64>>
    }
    """,
    least_copies=0,
)
def fourier_transform() -> Example:
    x = random(12, dtype="f8") + 1j * random(12, dtype="f8", seed=1)
    return [x], [np.fft.fft(x)]


@program(
    """
    func.func @main(%x: tensor<?xf64>, %y: tensor<?xf64>, %at: tensor<?xf64>)
        -> tensor<?xf64> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %x, %c0 : tensor<?xf64>
      %last = arith.subi %n, %c1 : index
      %r = linalg.map ins(%at : tensor<?xf64>) outs(%at : tensor<?xf64>)
        (%p: f64, %out: f64) {
          %end = arith.subi %last, %c1 : index
          %b:2 = scf.while (%low = %c0, %high = %end) : (index, index)
              -> (index, index) {
            %go = arith.cmpi ult, %low, %high : index
            scf.condition(%go) %low, %high : index, index
          } do {
          ^bb0(%low: index, %high: index):
            %sum = arith.addi %low, %high : index
            %sum1 = arith.addi %sum, %c1 : index
            %mid = arith.shrui %sum1, %c1 : index
            %xm = tensor.extract %x[%mid] : tensor<?xf64>
            %left = arith.cmpf olt, %p, %xm : f64
            %before = arith.subi %mid, %c1 : index
            %low1 = arith.select %left, %low, %mid : index
            %high1 = arith.select %left, %before, %high : index
            scf.yield %low1, %high1 : index, index
          }
          %i = arith.addi %b#0, %c1 : index
          %xa = tensor.extract %x[%b#0] : tensor<?xf64>
          %xb = tensor.extract %x[%i] : tensor<?xf64>
          %ya = tensor.extract %y[%b#0] : tensor<?xf64>
          %yb = tensor.extract %y[%i] : tensor<?xf64>
          %dx = arith.subf %xb, %xa : f64
          %dp = arith.subf %p, %xa : f64
          %t = arith.divf %dp, %dx : f64
          %dy = arith.subf %yb, %ya : f64
          %z = math.fma %t, %dy, %ya : f64
          linalg.yield %z : f64
        }
      return %r : tensor<?xf64>
    }
    """,
    least_copies=0,
)
def interpolation() -> Example:
    x, y = np.sort(random(9, dtype="f8")), random(9, dtype="f8", seed=1)
    at = np.linspace(x[0], x[-1] - 1e-9, 7)
    return [x, y, at.copy()], [np.interp(at, x, y)]
