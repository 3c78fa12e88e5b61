"""Programs whose loops update a state in place and keep the best one so far.

The state and the best one are one tensor after an iteration that improved, and two after
the next update. By hand, the state is copied once for each improvement, to where the best
one was, and never otherwise. An argument of @main that the loop starts with is copied
before its first update, and a state that starts as the best one as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.execution.harness import random
from tests.execution.programs.program import Example, program


def _walk(
    state: NDArray[np.float64], moves: NDArray[np.float64], *, before: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The last state, the best one and its sum. Move k replaces an element; the sum is
    compared after it, or before it."""
    state, best, score = state.copy(), state.copy(), -10.0
    for k, move in enumerate(moves):
        if not before:
            state[k % len(state)] = move
        if state.sum() > score:
            best, score = state.copy(), float(state.sum())
        if before:
            state[k % len(state)] = move
    return state, best, score


@program(
    """
    func.func @main(%a: tensor<?xf64>, %moves: tensor<?xf64>)
        -> (tensor<?xf64>, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %low = arith.constant -10.0 : f64
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %steps = tensor.dim %moves, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %f = linalg.copy ins(%a : tensor<?xf64>) outs(%e : tensor<?xf64>)
        -> tensor<?xf64>
      %e1 = tensor.empty(%n) : tensor<?xf64>
      %b = linalg.fill ins(%zero : f64) outs(%e1 : tensor<?xf64>) -> tensor<?xf64>
      %r:3 = scf.for %i = %c0 to %steps step %c1
          iter_args(%x = %f, %best = %b, %score = %low)
          -> (tensor<?xf64>, tensor<?xf64>, f64) {
        %k = arith.remui %i, %n : index
        %v = tensor.extract %moves[%i] : tensor<?xf64>
        %new = tensor.insert %v into %x[%k] : tensor<?xf64>
        %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
          %u = tensor.extract %new[%j] : tensor<?xf64>
          %s1 = arith.addf %s, %u : f64
          scf.yield %s1 : f64
        }
        %better = arith.cmpf ogt, %sum, %score : f64
        %nb:2 = scf.if %better -> (tensor<?xf64>, f64) {
          scf.yield %new, %sum : tensor<?xf64>, f64
        } else {
          scf.yield %best, %score : tensor<?xf64>, f64
        }
        scf.yield %new, %nb#0, %nb#1 : tensor<?xf64>, tensor<?xf64>, f64
      }
      return %r#1, %r#2 : tensor<?xf64>, f64
    }
    """,
    least_copies=2,
)
def best_state_after_updates() -> Example:
    a, moves = random(6, dtype="f8"), random(20, dtype="f8")
    _, best, score = _walk(a, moves)
    return [a, moves], [best, score]


@program(
    """
    func.func @main(%a: tensor<?xf64>, %moves: tensor<?xf64>)
        -> (tensor<?xf64>, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %low = arith.constant -10.0 : f64
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %steps = tensor.dim %moves, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %f = linalg.copy ins(%a : tensor<?xf64>) outs(%e : tensor<?xf64>)
        -> tensor<?xf64>
      %e1 = tensor.empty(%n) : tensor<?xf64>
      %b = linalg.fill ins(%zero : f64) outs(%e1 : tensor<?xf64>) -> tensor<?xf64>
      %r:3 = scf.for %i = %c0 to %steps step %c1
          iter_args(%x = %f, %best = %b, %score = %low)
          -> (tensor<?xf64>, tensor<?xf64>, f64) {
        %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
          %u = tensor.extract %x[%j] : tensor<?xf64>
          %s1 = arith.addf %s, %u : f64
          scf.yield %s1 : f64
        }
        %better = arith.cmpf ogt, %sum, %score : f64
        %nb = arith.select %better, %x, %best : tensor<?xf64>
        %ns = arith.select %better, %sum, %score : f64
        %k = arith.remui %i, %n : index
        %v = tensor.extract %moves[%i] : tensor<?xf64>
        %new = tensor.insert %v into %x[%k] : tensor<?xf64>
        scf.yield %new, %nb, %ns : tensor<?xf64>, tensor<?xf64>, f64
      }
      return %r#1, %r#2 : tensor<?xf64>, f64
    }
    """,
    least_copies=3,
)
def best_state_before_updates() -> Example:
    a, moves = random(6, dtype="f8"), random(20, dtype="f8")
    _, best, score = _walk(a, moves, before=True)
    return [a, moves], [best, score]


@program(
    """
    func.func @main(%a: tensor<?xf64>, %moves: tensor<?xf64>)
        -> (tensor<?xf64>, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %low = arith.constant -10.0 : f64
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %steps = tensor.dim %moves, %c0 : tensor<?xf64>
      %r:3 = scf.for %i = %c0 to %steps step %c1
          iter_args(%x = %a, %best = %a, %score = %low)
          -> (tensor<?xf64>, tensor<?xf64>, f64) {
        %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
          %u = tensor.extract %x[%j] : tensor<?xf64>
          %s1 = arith.addf %s, %u : f64
          scf.yield %s1 : f64
        }
        %better = arith.cmpf ogt, %sum, %score : f64
        %nb:2 = scf.if %better -> (tensor<?xf64>, f64) {
          scf.yield %x, %sum : tensor<?xf64>, f64
        } else {
          scf.yield %best, %score : tensor<?xf64>, f64
        }
        %k = arith.remui %i, %n : index
        %v = tensor.extract %moves[%i] : tensor<?xf64>
        %new = tensor.insert %v into %x[%k] : tensor<?xf64>
        scf.yield %new, %nb#0, %nb#1 : tensor<?xf64>, tensor<?xf64>, f64
      }
      return %r#1, %r#2 : tensor<?xf64>, f64
    }
    """,
    least_copies=3,
)
def best_state_from_an_argument() -> Example:
    a, moves = random(6, dtype="f8"), random(20, dtype="f8")
    _, best, score = _walk(a, moves, before=True)
    return [a, moves], [best, score]


@program(
    """
    func.func @main(%a: tensor<?xf64>, %moves: tensor<?xf64>)
        -> (tensor<?xf64>, tensor<?xf64>, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %low = arith.constant -10.0 : f64
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %steps = tensor.dim %moves, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %f = linalg.copy ins(%a : tensor<?xf64>) outs(%e : tensor<?xf64>)
        -> tensor<?xf64>
      %e1 = tensor.empty(%n) : tensor<?xf64>
      %b = linalg.fill ins(%zero : f64) outs(%e1 : tensor<?xf64>) -> tensor<?xf64>
      %r:3 = scf.for %i = %c0 to %steps step %c1
          iter_args(%x = %f, %best = %f, %score = %low)
          -> (tensor<?xf64>, tensor<?xf64>, f64) {
        %k = arith.remui %i, %n : index
        %v = tensor.extract %moves[%i] : tensor<?xf64>
        %new = tensor.insert %v into %x[%k] : tensor<?xf64>
        %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
          %u = tensor.extract %new[%j] : tensor<?xf64>
          %s1 = arith.addf %s, %u : f64
          scf.yield %s1 : f64
        }
        %better = arith.cmpf ogt, %sum, %score : f64
        %nb = arith.select %better, %new, %best : tensor<?xf64>
        %ns = arith.select %better, %sum, %score : f64
        scf.yield %new, %nb, %ns : tensor<?xf64>, tensor<?xf64>, f64
      }
      return %r#0, %r#1, %r#2 : tensor<?xf64>, tensor<?xf64>, f64
    }
    """,
    least_copies=3,
)
def last_and_best_state() -> Example:
    a, moves = random(6, dtype="f8"), random(20, dtype="f8")
    return [a, moves], list(_walk(a, moves))


@program(
    """
    func.func @main(%a: tensor<?xf64>, %moves: tensor<?xf64>)
        -> (tensor<?xf64>, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %low = arith.constant -10.0 : f64
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %steps = tensor.dim %moves, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %f = linalg.copy ins(%a : tensor<?xf64>) outs(%e : tensor<?xf64>)
        -> tensor<?xf64>
      %e1 = tensor.empty(%n) : tensor<?xf64>
      %b = linalg.fill ins(%zero : f64) outs(%e1 : tensor<?xf64>) -> tensor<?xf64>
      %r:4 = scf.while (%i = %c0, %x = %f, %best = %b, %score = %low)
          : (index, tensor<?xf64>, tensor<?xf64>, f64)
          -> (index, tensor<?xf64>, tensor<?xf64>, f64) {
        %go = arith.cmpi ult, %i, %steps : index
        scf.condition(%go) %i, %x, %best, %score
          : index, tensor<?xf64>, tensor<?xf64>, f64
      } do {
      ^bb0(%i: index, %x: tensor<?xf64>, %best: tensor<?xf64>, %score: f64):
        %k = arith.remui %i, %n : index
        %v = tensor.extract %moves[%i] : tensor<?xf64>
        %new = tensor.insert %v into %x[%k] : tensor<?xf64>
        %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
          %u = tensor.extract %new[%j] : tensor<?xf64>
          %s1 = arith.addf %s, %u : f64
          scf.yield %s1 : f64
        }
        %better = arith.cmpf ogt, %sum, %score : f64
        %nb:2 = scf.if %better -> (tensor<?xf64>, f64) {
          scf.yield %new, %sum : tensor<?xf64>, f64
        } else {
          scf.yield %best, %score : tensor<?xf64>, f64
        }
        %next = arith.addi %i, %c1 : index
        scf.yield %next, %new, %nb#0, %nb#1
          : index, tensor<?xf64>, tensor<?xf64>, f64
      }
      return %r#2, %r#3 : tensor<?xf64>, f64
    }
    """,
    least_copies=2,
)
def best_state_of_a_while_loop() -> Example:
    a, moves = random(6, dtype="f8"), random(20, dtype="f8")
    _, best, score = _walk(a, moves)
    return [a, moves], [best, score]


@program(
    """
    func.func @main(%a: tensor<?xf64>, %moves: tensor<?xf64>)
        -> (tensor<?xf64>, tensor<?xf64>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %low = arith.constant -10.0 : f64
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %steps = tensor.dim %moves, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %f = linalg.copy ins(%a : tensor<?xf64>) outs(%e : tensor<?xf64>)
        -> tensor<?xf64>
      %e1 = tensor.empty(%n) : tensor<?xf64>
      %b = linalg.fill ins(%zero : f64) outs(%e1 : tensor<?xf64>) -> tensor<?xf64>
      %high = arith.constant 10.0 : f64
      %r:5 = scf.for %i = %c0 to %steps step %c1
          iter_args(%x = %f, %best = %b, %score = %low, %worst = %b, %least = %high)
          -> (tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>, f64) {
        %k = arith.remui %i, %n : index
        %v = tensor.extract %moves[%i] : tensor<?xf64>
        %new = tensor.insert %v into %x[%k] : tensor<?xf64>
        %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
          %u = tensor.extract %new[%j] : tensor<?xf64>
          %s1 = arith.addf %s, %u : f64
          scf.yield %s1 : f64
        }
        %better = arith.cmpf ogt, %sum, %score : f64
        %nb = arith.select %better, %new, %best : tensor<?xf64>
        %ns = arith.select %better, %sum, %score : f64
        %worse = arith.cmpf olt, %sum, %least : f64
        %nw = arith.select %worse, %new, %worst : tensor<?xf64>
        %nl = arith.select %worse, %sum, %least : f64
        scf.yield %new, %nb, %ns, %nw, %nl
          : tensor<?xf64>, tensor<?xf64>, f64, tensor<?xf64>, f64
      }
      return %r#1, %r#3 : tensor<?xf64>, tensor<?xf64>
    }
    """,
    least_copies=6,
)
def best_and_worst_state() -> Example:
    a, moves = random(6, dtype="f8"), random(20, dtype="f8")
    _, best, _ = _walk(a, moves)
    _, worst, _ = _walk(-a, -moves)
    return [a, moves], [best, -worst]


@program(
    """
    func.func @main(%a: tensor<?xf64>, %moves: tensor<?xf64>)
        -> (tensor<?xf64>, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %low = arith.constant -10.0 : f64
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %steps = tensor.dim %moves, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %f = linalg.copy ins(%a : tensor<?xf64>) outs(%e : tensor<?xf64>)
        -> tensor<?xf64>
      %e1 = tensor.empty(%n) : tensor<?xf64>
      %b = linalg.fill ins(%zero : f64) outs(%e1 : tensor<?xf64>) -> tensor<?xf64>
      %c2 = arith.constant 2 : index
      %r:3 = scf.for %t = %c0 to %c2 step %c1
          iter_args(%x0 = %f, %best0 = %b, %score0 = %low)
          -> (tensor<?xf64>, tensor<?xf64>, f64) {
        %q:3 = scf.for %i = %c0 to %steps step %c1
            iter_args(%x = %x0, %best = %best0, %score = %score0)
            -> (tensor<?xf64>, tensor<?xf64>, f64) {
          %k = arith.remui %i, %n : index
          %v = tensor.extract %moves[%i] : tensor<?xf64>
          %new = tensor.insert %v into %x[%k] : tensor<?xf64>
          %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
            %u = tensor.extract %new[%j] : tensor<?xf64>
            %s1 = arith.addf %s, %u : f64
            scf.yield %s1 : f64
          }
          %better = arith.cmpf ogt, %sum, %score : f64
          %nb:2 = scf.if %better -> (tensor<?xf64>, f64) {
            scf.yield %new, %sum : tensor<?xf64>, f64
          } else {
            scf.yield %best, %score : tensor<?xf64>, f64
          }
          scf.yield %new, %nb#0, %nb#1 : tensor<?xf64>, tensor<?xf64>, f64
        }
        scf.yield %q#0, %q#1, %q#2 : tensor<?xf64>, tensor<?xf64>, f64
      }
      return %r#1, %r#2 : tensor<?xf64>, f64
    }
    """,
    least_copies=2,
)
def best_state_of_two_runs() -> Example:
    a, moves = random(6, dtype="f8"), random(20, dtype="f8")
    _, best, score = _walk(a, np.concatenate([moves, moves]))
    return [a, moves], [best, score]


@program(
    """
    func.func @main(%a: tensor<?xf64>, %moves: tensor<?xf64>)
        -> (tensor<?xf64>, f64) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f64
      %low = arith.constant -10.0 : f64
      %n = tensor.dim %a, %c0 : tensor<?xf64>
      %steps = tensor.dim %moves, %c0 : tensor<?xf64>
      %e = tensor.empty(%n) : tensor<?xf64>
      %f = linalg.copy ins(%a : tensor<?xf64>) outs(%e : tensor<?xf64>)
        -> tensor<?xf64>
      %e1 = tensor.empty(%n) : tensor<?xf64>
      %b = linalg.fill ins(%zero : f64) outs(%e1 : tensor<?xf64>) -> tensor<?xf64>
      cf.br ^loop(%c0, %f, %b, %low : index, tensor<?xf64>, tensor<?xf64>, f64)
    ^loop(%i: index, %x: tensor<?xf64>, %best: tensor<?xf64>, %score: f64):
      %go = arith.cmpi ult, %i, %steps : index
      cf.cond_br %go, ^move, ^end
    ^move:
      %k = arith.remui %i, %n : index
      %v = tensor.extract %moves[%i] : tensor<?xf64>
      %new = tensor.insert %v into %x[%k] : tensor<?xf64>
      %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (f64) {
        %u = tensor.extract %new[%j] : tensor<?xf64>
        %s1 = arith.addf %s, %u : f64
        scf.yield %s1 : f64
      }
      %next = arith.addi %i, %c1 : index
      %better = arith.cmpf ogt, %sum, %score : f64
      cf.cond_br %better,
        ^loop(%next, %new, %new, %sum : index, tensor<?xf64>, tensor<?xf64>, f64),
        ^loop(%next, %new, %best, %score : index, tensor<?xf64>, tensor<?xf64>, f64)
    ^end:
      return %best, %score : tensor<?xf64>, f64
    }
    """,
    least_copies=2,
)
def best_state_of_blocks() -> Example:
    a, moves = random(6, dtype="f8"), random(20, dtype="f8")
    _, best, score = _walk(a, moves)
    return [a, moves], [best, score]
