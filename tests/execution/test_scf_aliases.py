"""Programs with scf and cf that a naive bufferization gets wrong, run on numbers.

Each writes a buffer that is also seen under another name: through a result, another
iteration, another thread. mlir-opt 22 compiles most of them to something else than they
say (tests/oracle/models/scf/special/unsound.mlir).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.execution.costs import PLAIN
from tests.execution.harness import check, random

pytestmark = pytest.mark.long


@pytest.mark.parametrize("key", [0, 7])
def test_index_switch_chooses_a_tensor_that_is_still_needed(key: int) -> None:
    t, u = random(4, seed=1), random(4, seed=2)
    chosen = (t if key == 0 else u).copy()
    chosen[1] = 9
    check(
        """
        func.func @main(%k: index, %t: tensor<4xf32>, %u: tensor<4xf32>)
            -> (tensor<4xf32>, f32, f32) {
          %c1 = arith.constant 1 : index
          %f = arith.constant 9.0 : f32
          %r = scf.index_switch %k -> tensor<4xf32>
          case 0 {
            scf.yield %t : tensor<4xf32>
          }
          default {
            scf.yield %u : tensor<4xf32>
          }
          %w = tensor.insert %f into %r[%c1] : tensor<4xf32>
          %a = tensor.extract %t[%c1] : tensor<4xf32>
          %b = tensor.extract %u[%c1] : tensor<4xf32>
          return %w, %a, %b : tensor<4xf32>, f32, f32
        }
        """,
        [key, t, u],
        chosen,
        t[1],
        u[1],
    )


@pytest.mark.parametrize("condition", [False, True])
def test_execute_region_with_two_yields(condition: bool) -> None:
    t, u = random(4, seed=1), random(4, seed=2)
    chosen = (t if condition else u).copy()
    chosen[1] = 9
    check(
        """
        func.func @main(%c: i1, %t: tensor<4xf32>, %u: tensor<4xf32>)
            -> (tensor<4xf32>, f32, f32) {
          %c1 = arith.constant 1 : index
          %f = arith.constant 9.0 : f32
          %r = scf.execute_region -> tensor<4xf32> {
            cf.cond_br %c, ^one(%t : tensor<4xf32>), ^two
          ^one(%x: tensor<4xf32>):
            scf.yield %x : tensor<4xf32>
          ^two:
            scf.yield %u : tensor<4xf32>
          }
          %w = tensor.insert %f into %r[%c1] : tensor<4xf32>
          %a = tensor.extract %t[%c1] : tensor<4xf32>
          %b = tensor.extract %u[%c1] : tensor<4xf32>
          return %w, %a, %b : tensor<4xf32>, f32, f32
        }
        """,
        [condition, t, u],
        chosen,
        t[1],
        u[1],
    )


@pytest.mark.parametrize("count", [0, 1, 3])
def test_while_starts_over_with_a_tensor_from_outside(count: int) -> None:
    t, u = random(4, seed=1), random(4, seed=2)
    last = (t if count == 0 else u).copy()
    last[1] = 9
    check(
        """
        func.func @main(%t: tensor<4xf32>, %u: tensor<4xf32>, %n: index)
            -> (tensor<4xf32>, f32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %f = arith.constant 9.0 : f32
          %r:2 = scf.while (%a = %t, %j = %c0)
              : (tensor<4xf32>, index) -> (tensor<4xf32>, index) {
            %w = tensor.insert %f into %a[%c1] : tensor<4xf32>
            %c = arith.cmpi slt, %j, %n : index
            scf.condition(%c) %w, %j : tensor<4xf32>, index
          } do {
          ^bb0(%b: tensor<4xf32>, %k: index):
            %next = arith.addi %k, %c1 : index
            scf.yield %u, %next : tensor<4xf32>, index
          }
          %v = tensor.extract %u[%c1] : tensor<4xf32>
          return %r#0, %v : tensor<4xf32>, f32
        }
        """,
        [t, u, count],
        last,
        u[1],
    )


SETUP = """
        func.func @main(%t: tensor<4xf32>, %u: tensor<4xf32>, %n: index)
            -> (tensor<4xf32>, tensor<4xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %f = arith.constant 9.0 : f32
"""


@pytest.mark.parametrize("count", [0, 1, 3])
def test_while_yields_one_tensor_twice(count: int) -> None:
    t, u = random(4, seed=1), random(4, seed=2)
    a, b = t.copy(), u.copy()
    for number in range(count + 1):
        a[number] = 9
        if number < count:
            b = a.copy()
    check(
        SETUP
        + """
          %r:3 = scf.while (%a = %t, %b = %u, %j = %c0)
              : (tensor<4xf32>, tensor<4xf32>, index)
             -> (tensor<4xf32>, tensor<4xf32>, index) {
            %w = tensor.insert %f into %a[%j] : tensor<4xf32>
            %c = arith.cmpi slt, %j, %n : index
            scf.condition(%c) %w, %b, %j : tensor<4xf32>, tensor<4xf32>, index
          } do {
          ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>, %k: index):
            %next = arith.addi %k, %c1 : index
            scf.yield %x, %x, %next : tensor<4xf32>, tensor<4xf32>, index
          }
          return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
        }
        """,
        [t, u, count],
        a,
        b,
    )


@pytest.mark.parametrize("count", [0, 1, 3])
def test_for_yields_a_new_tensor_twice(count: int) -> None:
    t, u = random(4, seed=1), random(4, seed=2)
    a, b = t.copy(), u.copy()
    for number in range(count):
        a[number] = 9
        a, b = a + b, a + b
    check(
        SETUP
        + """
          %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u)
              -> (tensor<4xf32>, tensor<4xf32>) {
            %w = tensor.insert %f into %a[%i] : tensor<4xf32>
            %e = tensor.empty() : tensor<4xf32>
            %x = linalg.add ins(%w, %b : tensor<4xf32>, tensor<4xf32>)
                outs(%e : tensor<4xf32>) -> tensor<4xf32>
            scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
          }
          return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
        }
        """,
        [t, u, count],
        a,
        b,
    )


def test_unsigned_bounds_may_mean_no_iteration() -> None:
    t = random(4)
    check(
        """
        func.func @main(%t: tensor<4xf32>) -> (tensor<4xf32>, f32) {
          %lb = arith.constant -1 : index
          %ub = arith.constant 4 : index
          %c1 = arith.constant 1 : index
          %f = arith.constant 9.0 : f32
          %r = scf.for unsigned %i = %lb to %ub step %c1 iter_args(%a = %t)
              -> tensor<4xf32> {
            %w = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
            scf.yield %w : tensor<4xf32>
          }
          %v = tensor.extract %t[%c1] : tensor<4xf32>
          return %r, %v : tensor<4xf32>, f32
        }
        """,
        [t],
        t.copy(),
        t[1],
    )


def test_forall_reads_its_neighbour() -> None:
    t = random(9)
    check(
        """
        func.func @main(%t: tensor<9xf32>) -> tensor<9xf32> {
          %r = scf.forall (%j) in (8) shared_outs(%o = %t) -> (tensor<9xf32>) {
            %i = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
            %s = tensor.extract_slice %o[%j] [1] [1] : tensor<9xf32> to tensor<1xf32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %s into %o[%i] [1] [1]
                  : tensor<1xf32> into tensor<9xf32>
            }
          }
          return %r : tensor<9xf32>
        }
        """,
        [t],
        np.concatenate([t[:1], t[:8]]),
    )


def test_forall_inserts_part_of_what_it_writes() -> None:
    t = random(8)
    expected = t.copy()
    expected[::2] = 9
    check(
        """
        func.func @main(%t: tensor<8xf32>) -> tensor<8xf32> {
          %f = arith.constant 9.0 : f32
          %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
            %b = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
            %s = tensor.extract_slice %o[%b] [2] [1] : tensor<8xf32> to tensor<2xf32>
            %w = linalg.fill ins(%f : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
            %e = tensor.extract_slice %w[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %e into %o[%b] [1] [1]
                  : tensor<1xf32> into tensor<8xf32>
            }
          }
          return %r : tensor<8xf32>
        }
        """,
        [t],
        expected,
    )


def test_forall_inserts_nothing_of_what_it_writes() -> None:
    t = random(8)
    check(
        """
        func.func @main(%t: tensor<8xf32>, %m: memref<8xf32>) -> tensor<8xf32> {
          %f = arith.constant 9.0 : f32
          %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
            %w = tensor.insert %f into %o[%i] : tensor<8xf32>
            %e = tensor.extract %w[%i] : tensor<8xf32>
            memref.store %e, %m[%i] : memref<8xf32>
            scf.forall.in_parallel {
            }
          }
          return %r : tensor<8xf32>
        }
        """,
        [t, random(8)],
        t.copy(),
    )


def test_forall_inserts_a_slice_elsewhere() -> None:
    t, u = random(8), random(2)
    expected = t.copy()
    expected[4:6] = t[:2]
    expected[:2] = u
    check(
        """
        func.func @main(%t: tensor<8xf32>, %u: tensor<2xf32>) -> tensor<8xf32> {
          %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<8xf32>) {
            %s = tensor.extract_slice %o[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %u into %o[0] [2] [1]
                  : tensor<2xf32> into tensor<8xf32>
              tensor.parallel_insert_slice %s into %o[4] [2] [1]
                  : tensor<2xf32> into tensor<8xf32>
            }
          }
          return %r : tensor<8xf32>
        }
        """,
        [t, u],
        expected,
    )


def test_forall_works_in_place_on_own_slices() -> None:
    t = random(8)
    expected = t.copy()
    expected[::2] = t[1::2] + 9
    stats = check(
        """
        func.func @main(%t: tensor<8xf32>) -> f32 {
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %f = arith.constant 9.0 : f32
          %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
            %b = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
            %n = arith.addi %b, %c1 : index
            %v = tensor.extract %o[%n] : tensor<8xf32>
            %g = arith.addf %v, %f : f32
            %w = tensor.insert %g into %o[%b] : tensor<8xf32>
            %s = tensor.extract_slice %w[%b] [2] [1] : tensor<8xf32> to tensor<2xf32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %s into %o[%b] [2] [1]
                  : tensor<2xf32> into tensor<8xf32>
            }
          }
          %x = tensor.extract %r[%c2] : tensor<8xf32>
          return %x : f32
        }
        """,
        [t],
        expected[2],
    )
    np.testing.assert_array_equal(t, expected)
    assert stats.allocations == 0


@pytest.mark.parametrize("ends", [("%o", "%p"), ("%p", "%o")])
@pytest.mark.parametrize("first", ["%a", "%b", "%x", "%w"])
@pytest.mark.parametrize("second", ["%a", "%b", "%x", "%w"])
def test_insertions_into_two_outputs(
    first: str, second: str, ends: tuple[str, str]
) -> None:
    """An insertion must not read what one before it has replaced."""
    t, u, v = random(4, seed=1), random(4, seed=2), random(4, seed=3)
    values = {"%a": t, "%b": u, "%x": v, "%w": np.full(4, 9, np.float32)}
    inserted = {"%o": first, "%p": second}
    insertions = "\n".join(
        f"tensor.parallel_insert_slice {inserted[end]} into {end}[%i] [1] [1] "
        ": tensor<1xf32> into tensor<4xf32>"
        for end in ends
    )
    check(
        f"""
        func.func @main(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: tensor<4xf32>)
            -> (tensor<4xf32>, tensor<4xf32>) {{
          %f = arith.constant 9.0 : f32
          %r:2 = scf.forall (%i) in (4) shared_outs(%o = %t, %p = %u)
              -> (tensor<4xf32>, tensor<4xf32>) {{
            %a = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
            %b = tensor.extract_slice %p[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
            %x = tensor.extract_slice %v[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
            %w = linalg.fill ins(%f : f32) outs(%a : tensor<1xf32>) -> tensor<1xf32>
            scf.forall.in_parallel {{
              {insertions}
            }}
          }}
          return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
        }}
        """,
        [t.copy(), u.copy(), v.copy()],
        values[first],
        values[second],
    )


def test_parallel_iterations_have_their_own_tensor() -> None:
    m = random(8)
    expected = m * 2
    check(
        """
        func.func @main(%m: memref<8xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c8 = arith.constant 8 : index
          %e = tensor.empty() : tensor<2xf32>
          scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
            %g = memref.load %m[%i] : memref<8xf32>
            %w = linalg.fill ins(%g : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
            %v = tensor.extract %w[%c0] : tensor<2xf32>
            %x = tensor.extract %w[%c1] : tensor<2xf32>
            %y = arith.addf %v, %x : f32
            memref.store %y, %m[%i] : memref<8xf32>
            scf.reduce
          }
          return
        }
        """,
        [m],
    )
    np.testing.assert_array_equal(m, expected)


def test_block_argument_is_read_in_a_later_block() -> None:
    t = random(4)
    expected = t.copy()
    expected[1] = 9
    check(
        """
        func.func @main(%t: tensor<4xf32>) -> (tensor<4xf32>, f32) {
          %c1 = arith.constant 1 : index
          %f = arith.constant 9.0 : f32
          cf.br ^later
        ^later:
          %w = tensor.insert %f into %t[%c1] : tensor<4xf32>
          %v = tensor.extract %t[%c1] : tensor<4xf32>
          return %w, %v : tensor<4xf32>, f32
        }
        """,
        [t],
        expected,
        t[1],
    )


@pytest.mark.parametrize("count", [0, 1, 4, 5])
def test_blocks_that_exchange_their_arguments(count: int) -> None:
    t, u = random(8, seed=1), random(8, seed=2)
    a, b = t.copy(), u.copy()
    for number in range(count):
        a[number] = 9
        a, b = b, a
    check(
        """
        func.func @main(%t: tensor<8xf32>, %u: tensor<8xf32>, %n: index)
            -> (tensor<8xf32>, tensor<8xf32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %f = arith.constant 9.0 : f32
          cf.br ^head(%c0, %t, %u : index, tensor<8xf32>, tensor<8xf32>)
        ^head(%i: index, %a: tensor<8xf32>, %b: tensor<8xf32>):
          %c = arith.cmpi slt, %i, %n : index
          cf.cond_br %c, ^body, ^end
        ^body:
          %w = tensor.insert %f into %a[%i] : tensor<8xf32>
          %j = arith.addi %i, %c1 : index
          cf.br ^head(%j, %b, %w : index, tensor<8xf32>, tensor<8xf32>)
        ^end:
          return %a, %b : tensor<8xf32>, tensor<8xf32>
        }
        """,
        [t, u, count],
        a,
        b,
    )


@pytest.mark.parametrize("key", [0, 1, 2])
def test_switch_forwards_tensors(key: int) -> None:
    t, u = random(4, seed=1), random(4, seed=2)
    expected: Any = [t, u, u][key].copy()
    if key == 1:
        expected[1] = 9
    check(
        """
        func.func @main(%k: i32, %t: tensor<4xf32>, %u: tensor<4xf32>)
            -> (tensor<4xf32>, f32) {
          %c1 = arith.constant 1 : index
          %f = arith.constant 9.0 : f32
          cf.switch %k : i32, [
            default: ^end(%t : tensor<4xf32>),
            1: ^one(%u : tensor<4xf32>),
            2: ^end(%u : tensor<4xf32>)
          ]
        ^one(%a: tensor<4xf32>):
          %w = tensor.insert %f into %a[%c1] : tensor<4xf32>
          cf.br ^end(%w : tensor<4xf32>)
        ^end(%b: tensor<4xf32>):
          %v = tensor.extract %u[%c1] : tensor<4xf32>
          return %b, %v : tensor<4xf32>, f32
        }
        """,
        [key, t, u],
        expected,
        u[1],
    )


@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("is_early", [False, True])
def test_for_yields_twice_what_one_name_writes(count: int, is_early: bool) -> None:
    """Both names may be one buffer only if it is written after the last read."""
    t, u = random(4, seed=1), random(4, seed=2)
    a, b = t.copy(), u.copy()
    seen = np.float32(0)
    for i in range(count):
        written = a.copy()
        written[i] = 9
        seen = b[i] + written[i]
        x = a + b
        x[0] = seen
        a, b = x, x
    write = "%w = tensor.insert %f into %a[%i] : tensor<4xf32>"
    read = "%p = tensor.extract %b[%i] : tensor<4xf32>"
    add = """
      %x = linalg.map { arith.addf } ins(%a, %b : tensor<4xf32>, tensor<4xf32>)
        outs(%e : tensor<4xf32>)
    """
    order = [write, read, add] if is_early else [add, read, write]
    check(
        f"""
        func.func @main(%n: index, %t: tensor<4xf32>, %u: tensor<4xf32>)
            -> tensor<4xf32> {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %f = arith.constant 9.0 : f32
          %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u)
              -> (tensor<4xf32>, tensor<4xf32>) {{
            %e = tensor.empty() : tensor<4xf32>
            {" ".join(order)}
            %q = tensor.extract %w[%i] : tensor<4xf32>
            %s = arith.addf %p, %q : f32
            %z = tensor.insert %s into %x[%c0] : tensor<4xf32>
            scf.yield %z, %z : tensor<4xf32>, tensor<4xf32>
          }}
          return %r#1 : tensor<4xf32>
        }}
        """,
        [count, t, u],
        b,
    )


@pytest.mark.parametrize("is_best", [False, True])
@pytest.mark.parametrize("yielded", list(product(["%v", "%c", "%w"], repeat=3)))
def test_for_yields_to_several_names_of_which_one_is_written(
    yielded: tuple[str, ...], is_best: bool
) -> None:
    """%v is a copy from before the loop that may be carried only under names that are
    not written."""
    t = np.arange(4, dtype=np.int32)
    now = {"%a": t, "%b": t, "%c": t}
    for i in range(3):
        w = now["%b"].copy()
        w[0] += 10 + i
        new = {"%v": t, "%c": now["%c"], "%w": w}
        now = dict(zip(now, (new[name] for name in yielded), strict=True))
    types = ", ".join(3 * ["tensor<4xi32>"])
    check(
        f"""
        func.func @main(%t: tensor<4xi32>, %n: index) -> (i32, i32, i32) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %ten = arith.constant 10 : i32
          %v = bufferization.alloc_tensor() copy(%t) : tensor<4xi32>
          %r:3 = scf.for %i = %c0 to %n step %c1
              iter_args(%a = %t, %b = %t, %c = %t) -> ({types}) {{
            %k = arith.index_cast %i : index to i32
            %e = tensor.extract %b[%c0] : tensor<4xi32>
            %f = arith.addi %e, %k : i32
            %g = arith.addi %f, %ten : i32
            %w = tensor.insert %g into %b[%c0] : tensor<4xi32>
            scf.yield {", ".join(yielded)} : {types}
          }}
          %x = tensor.extract %r#0[%c0] : tensor<4xi32>
          %y = tensor.extract %r#1[%c0] : tensor<4xi32>
          %z = tensor.extract %r#2[%c0] : tensor<4xi32>
          return %x, %y, %z : i32, i32, i32
        }}
        """,
        [t, 3],
        *(int(value[0]) for value in now.values()),
        pipeline=None if is_best else PLAIN,
    )


@pytest.mark.parametrize(
    ("options", "ups"),
    [
        ("", "%c0 to %n"),
        ("", "%c0 to %c2"),
        ("read-only-loops", "%c0 to %n"),
        ("disjoint-slices", "%c0 to %c2"),
    ],
)
@pytest.mark.parametrize("yielded", ["%a, %a", "%b, %b", "%b, %a"])
@pytest.mark.parametrize("is_read_early", [False, True])
@pytest.mark.parametrize("other", ["%t", "%e"])
def test_for_yields_twice_what_is_written_under_a_third_name(
    other: str, is_read_early: bool, yielded: str, options: str, ups: str
) -> None:
    """The buffer of an init is overwritten when only one of the results is read later,
    or none: the other is that buffer too."""
    t = np.arange(4, dtype=np.int32)
    names = [name.strip() for name in yielded.split(",")]
    inits = {"%a": "%t", "%b": "%t"}
    if "%a" not in names:
        inits["%a"] = other
    if "%b" not in names:
        inits["%b"] = other
    check(
        f"""
        func.func @main(%u: tensor<4xi32>, %n: index) -> (i32, i32, i32) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %f = arith.constant 9 : i32
          %t = bufferization.alloc_tensor() copy(%u) : tensor<4xi32>
          %e = tensor.empty() : tensor<4xi32>
          %r:2 = scf.for %i = {ups} step %c1
              iter_args(%a = {inits["%a"]}, %b = {inits["%b"]})
              -> (tensor<4xi32>, tensor<4xi32>) {{
            scf.yield {yielded} : tensor<4xi32>, tensor<4xi32>
          }}
          %x = tensor.extract {"%r#1" if is_read_early else "%u"}[%c1] : tensor<4xi32>
          %w = linalg.fill ins(%f : i32) outs(%t : tensor<4xi32>) -> tensor<4xi32>
          %y = tensor.extract %r#0[%c1] : tensor<4xi32>
          %z = tensor.extract %w[%c1] : tensor<4xi32>
          return %x, %y, %z : i32, i32, i32
        }}
        """,
        [t, 3],
        1,
        1,
        9,
        pipeline=(
            "one-shot-bufferize{bufferize-function-boundaries "
            f"allow-return-allocs-from-loops {options}}},buffer-deallocation-pipeline,"
            "lower-to-llvm-pipeline"
        ),
    )


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("written", ["%r", "%s"])
@pytest.mark.parametrize("is_early", [False, True])
def test_for_yields_a_copied_slice(count: int, written: str, is_early: bool) -> None:
    """The result may be the copy only if neither is written before the other is read."""
    t, u = random(8, seed=1), random(4, seed=2)
    s = t[:4]
    r = s if count else u
    changed = (r if written == "%r" else s).copy()
    changed[1] = 9
    write = f"%w = tensor.insert %f into {written}[%c1] : tensor<4xf32>"
    reads = """
      %x = tensor.extract %r[%c1] : tensor<4xf32>
      %y = tensor.extract %s[%c1] : tensor<4xf32>
    """
    check(
        f"""
        func.func @main(%n: index, %t: tensor<8xf32>, %u: tensor<4xf32>)
            -> (tensor<8xf32>, f32, f32, f32, f32) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %f = arith.constant 9.0 : f32
          %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u) -> (tensor<4xf32>) {{
            scf.yield %s : tensor<4xf32>
          }}
          {write + reads if is_early else reads + write}
          %v = tensor.extract %w[%c1] : tensor<4xf32>
          %o = tensor.extract %w[%c0] : tensor<4xf32>
          return %t, %x, %y, %v, %o : tensor<8xf32>, f32, f32, f32, f32
        }}
        """,
        [count, t, u],
        t,
        r[1],
        s[1],
        changed[1],
        changed[0],
    )


@pytest.mark.parametrize("is_returned", [False, True])
def test_tensor_overwritten_in_a_later_block(is_returned: bool) -> None:
    """What is read after the write has no use, or has one."""
    t = random(4, seed=1)
    inserted = t.copy()
    inserted[1] = 8
    last = "arith.addf %g, %g : f32"
    if is_returned:
        last = "tensor.extract %2[%c0] : tensor<3xf32>"
    check(
        f"""
        func.func @main(%t: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {{
          %f = arith.constant 9.0 : f32
          %g = arith.constant 8.0 : f32
          cf.br ^end(%i : index)
        ^end(%j: index):
          %c2 = arith.constant 2 : index
          %0 = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
          %1 = tensor.insert %g into %t[%j] : tensor<4xf32>
          %2 = tensor.extract_slice %1[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
          %c0 = arith.constant 0 : index
          %3 = {last}
          return %0, %3 : tensor<4xf32>, f32
        }}
        """,
        [t, 1],
        np.full(4, 9, dtype=np.float32),
        inserted[1] if is_returned else np.float32(16),
    )


LOOPS_TO_A_CONSTANT = {
    "for": """
        %q, %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t)
            -> (tensor<4xi32>, tensor<4xi32>) {
          %k = arith.constant dense<[7, 7, 7, 8]> : tensor<4xi32>
          scf.yield %b, %k : tensor<4xi32>, tensor<4xi32>
        }
        """,
    "nested": """
        %q, %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t)
            -> (tensor<4xi32>, tensor<4xi32>) {
          %x, %y = scf.for %j = %c0 to %n step %c1 iter_args(%d = %b, %e = %t)
              -> (tensor<4xi32>, tensor<4xi32>) {
            %k = arith.constant dense<[7, 7, 7, 8]> : tensor<4xi32>
            scf.yield %e, %k : tensor<4xi32>, tensor<4xi32>
          }
          scf.yield %x, %y : tensor<4xi32>, tensor<4xi32>
        }
        """,
    "while": """
        %m, %q, %r = scf.while (%i = %c0, %a = %t, %b = %t)
            : (index, tensor<4xi32>, tensor<4xi32>)
            -> (index, tensor<4xi32>, tensor<4xi32>) {
          %more = arith.cmpi ult, %i, %n : index
          scf.condition(%more) %i, %a, %b : index, tensor<4xi32>, tensor<4xi32>
        } do {
        ^bb0(%i: index, %a: tensor<4xi32>, %b: tensor<4xi32>):
          %j = arith.addi %i, %c1 : index
          %k = arith.constant dense<[7, 7, 7, 8]> : tensor<4xi32>
          scf.yield %j, %b, %k : index, tensor<4xi32>, tensor<4xi32>
        }
        """,
}


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("result", ["%q", "%r"])
@pytest.mark.parametrize("loop", LOOPS_TO_A_CONSTANT.values(), ids=LOOPS_TO_A_CONSTANT)
@pytest.mark.parametrize("pipeline", [None, PLAIN])
def test_the_caller_writes_a_constant_that_a_loop_yields(
    pipeline: str | None, loop: str, result: str, count: int
) -> None:
    """Nothing in the function writes it, so that the loop need not copy it."""
    t, k = np.arange(4, dtype=np.int32), np.full(4, 7, np.int32)
    k[3] = 8
    is_t = count == 0 or (count == 1 and result == "%q")
    last = np.array(t if is_t else k)
    last[0] = 5
    check(
        f"""
        func.func private @last(%t: tensor<4xi32>, %n: index) -> tensor<4xi32> {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          {loop}
          return {result} : tensor<4xi32>
        }}
        func.func @main(%t: tensor<4xi32>, %n: index)
            -> (tensor<4xi32>, tensor<4xi32>) {{
          %c0 = arith.constant 0 : index
          %f = arith.constant 5 : i32
          %0 = func.call @last(%t, %n) : (tensor<4xi32>, index) -> tensor<4xi32>
          %1 = tensor.insert %f into %0[%c0] : tensor<4xi32>
          %2 = func.call @last(%t, %n) : (tensor<4xi32>, index) -> tensor<4xi32>
          return %1, %2 : tensor<4xi32>, tensor<4xi32>
        }}
        """,
        [t, count],
        last,
        t if is_t else k,
        pipeline=pipeline,
    )
