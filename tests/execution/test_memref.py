"""The ops of memref, executed: what a view shows, what a copy moves."""

from __future__ import annotations

import gc
import re

import numpy as np
import pytest

from tests.execution.harness import check, random
from xdsl_bufferization import jit

LOWER = "lower-to-llvm-pipeline"
ANY = "memref<?x?xf32, strided<[?, ?], offset: ?>>"


def views() -> dict[str, np.ndarray]:
    t = random(6, 8)
    return {
        "contiguous": t,
        "transposed": t.T,
        "sliced": t[1:5:2, 7:1:-3],
        "a column": t[:, 2:3],
        "a row": t[3:4],
        "empty": t[:, 4:4],
        "broadcast": np.broadcast_to(t[0], (5, 8)),
    }


@pytest.mark.parametrize("name", views())
def test_copy_between_any_layouts(name: str) -> None:
    source = views()[name]
    for target in (
        np.zeros(source.shape, "f"),
        np.zeros(source.shape[::-1], "f").T,
        np.zeros((2 * source.shape[0], 3 * source.shape[1]), "f")[::2, ::3],
    ):
        check(
            f"""
            func.func @main(%a: {ANY}, %b: {ANY}) {{
              memref.copy %a, %b : {ANY} to {ANY}
              return
            }}
            """,
            [source, target],
            pipeline=LOWER,
        )
        np.testing.assert_array_equal(target, source)


def test_copy_into_a_row_and_a_column_of_known_type() -> None:
    u, v = random(4), np.zeros((4, 4), "f")
    expected = v.copy()
    expected[1] = u
    expected[:, 2] = u
    check(
        """
        func.func @main(%u: memref<4xf32>, %v: memref<4x4xf32>) {
          %row = memref.subview %v[1, 0] [1, 4] [1, 1]
              : memref<4x4xf32> to memref<4xf32, strided<[1], offset: 4>>
          memref.copy %u, %row : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
          %column = memref.subview %v[0, 2] [4, 1] [1, 1]
              : memref<4x4xf32> to memref<4xf32, strided<[4], offset: 2>>
          memref.copy %u, %column
              : memref<4xf32> to memref<4xf32, strided<[4], offset: 2>>
          return
        }
        """,
        [u, v],
        pipeline=LOWER,
    )
    np.testing.assert_array_equal(v, expected)


def test_copy_to_part_of_dynamic_size() -> None:
    """The part has the type a copy of everything would have."""
    u, v = random(2, 3), np.zeros((4, 5), "f")
    expected = v.copy()
    expected[1:3, 1:4] = u
    part = "memref<?x?xf32, strided<[?, 1], offset: ?>>"
    check(
        f"""
        func.func @main(%u: memref<?x?xf32>, %v: memref<?x?xf32>, %h: index, %w: index) {{
          %part = memref.subview %v[1, 1] [%h, %w] [1, 1] : memref<?x?xf32> to {part}
          memref.copy %u, %part : memref<?x?xf32> to {part}
          return
        }}
        """,
        [u, v, 2, 3],
        pipeline=LOWER,
    )
    np.testing.assert_array_equal(v, expected)


SUM = f"""
func.func private @sum(%x: {ANY}) -> f32 {{
  %zero = arith.constant 0.0 : f32
  %s = memref.alloca() : memref<f32>
  memref.store %zero, %s[] : memref<f32>
  linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                    affine_map<(i, j) -> ()>],
                  iterator_types = ["reduction", "reduction"]}}
      ins(%x : {ANY}) outs(%s : memref<f32>) {{
    ^bb0(%e: f32, %so_far: f32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f32
      %weighted = arith.mulf %e, %f : f32
      %0 = arith.addf %e, %so_far : f32
      %1 = arith.addf %0, %weighted : f32
      linalg.yield %1 : f32
  }}
  %r = memref.load %s[] : memref<f32>
  return %r : f32
}}
"""


def weighted(x: np.ndarray) -> float:
    return float((x * (1 + np.arange(x.shape[0]))[:, None]).sum())


VIEWS = {
    "memref.cast": (
        "%v = memref.cast %x : memref<4x6xf32> to memref<?x?xf32>",
        "memref<?x?xf32>",
        lambda t: t,
    ),
    "memref.subview": (
        "%v = memref.subview %x[1, 1] [2, 3] [1, 2] "
        ": memref<4x6xf32> to memref<2x3xf32, strided<[6, 2], offset: 7>>",
        "memref<2x3xf32, strided<[6, 2], offset: 7>>",
        lambda t: t[1:3, 1:6:2],
    ),
    "memref.reinterpret_cast": (
        "%v = memref.reinterpret_cast %x to offset: [5], sizes: [3, 2], strides: [2, 7] "
        ": memref<4x6xf32> to memref<3x2xf32, strided<[2, 7], offset: 5>>",
        "memref<3x2xf32, strided<[2, 7], offset: 5>>",
        lambda t: np.lib.stride_tricks.as_strided(t.reshape(-1)[5:], (3, 2), (8, 28)),
    ),
    "memref.transpose": (
        "%v = memref.transpose %x (i, j) -> (j, i) "
        ": memref<4x6xf32> to memref<6x4xf32, strided<[1, 6]>>",
        "memref<6x4xf32, strided<[1, 6]>>",
        lambda t: t.T,
    ),
    "memref.collapse_shape and expand_shape": (
        "%c = memref.collapse_shape %x [[0, 1]] : memref<4x6xf32> into memref<24xf32> "
        "%v = memref.expand_shape %c [[0, 1]] output_shape [8, 3] "
        ": memref<24xf32> into memref<8x3xf32>",
        "memref<8x3xf32>",
        lambda t: t.reshape(8, 3),
    ),
    "memref.reshape": (
        "%s = memref.alloca() : memref<2xindex> "
        "%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index "
        "%c2 = arith.constant 2 : index %c12 = arith.constant 12 : index "
        "memref.store %c12, %s[%c0] : memref<2xindex> "
        "memref.store %c2, %s[%c1] : memref<2xindex> "
        "%v = memref.reshape %x(%s) "
        ": (memref<4x6xf32>, memref<2xindex>) -> memref<?x?xf32>",
        "memref<?x?xf32>",
        lambda t: t.reshape(12, 2),
    ),
    "memref.extract_strided_metadata": (
        "%b, %o, %s:2, %t:2 = memref.extract_strided_metadata %x "
        ": memref<4x6xf32> -> memref<f32>, index, index, index, index, index "
        "%v = memref.reinterpret_cast %b to offset: [%o], sizes: [%s#1, %s#0], "
        "strides: [%t#1, %t#0] : memref<f32> to "
        "memref<?x?xf32, strided<[?, ?], offset: ?>>",
        ANY,
        lambda t: t.T,
    ),
    "memref.cast through an unranked one": (
        "%u = memref.cast %x : memref<4x6xf32> to memref<*xf32> "
        "%v = memref.cast %u : memref<*xf32> to memref<4x6xf32>",
        "memref<4x6xf32>",
        lambda t: t,
    ),
}


@pytest.mark.parametrize("name", VIEWS)
def test_view(name: str) -> None:
    view, type, expected = VIEWS[name]
    t = random(4, 6)
    cast = f"%w = memref.cast %v : {type} to {ANY}" if type != ANY else ""
    result = "%w" if cast else "%v"
    check(
        f"""
        {SUM}
        func.func @main(%x: memref<4x6xf32>) -> f32 {{
          {view}
          {cast}
          %r = call @sum({result}) : ({ANY}) -> f32
          return %r : f32
        }}
        """,
        [t],
        weighted(expected(t)),
        pipeline=LOWER,
    )


def test_view_of_bytes() -> None:
    bytes_ = np.zeros(64, "u1")
    check(
        """
        func.func @main(%b: memref<64xi8>, %at: index, %n: index, %x: f32) {
          %v = memref.view %b[%at][%n] : memref<64xi8> to memref<?x2xf32>
          linalg.fill ins(%x : f32) outs(%v : memref<?x2xf32>)
          return
        }
        """,
        [bytes_, 16, 3, 1.5],
        pipeline=LOWER,
    )
    expected = np.zeros(16, "f")
    expected[4:10] = 1.5
    np.testing.assert_array_equal(bytes_.view("f"), expected)


def test_sizes_and_rank() -> None:
    check(
        """
        func.func @main(%x: memref<?x3x?xf32>, %u: memref<*xf32>, %i: index)
            -> (index, index, index, index) {
          %c2 = arith.constant 2 : index
          %a = memref.dim %x, %c2 : memref<?x3x?xf32>
          %b = memref.dim %x, %i : memref<?x3x?xf32>
          %c = memref.dim %u, %i : memref<*xf32>
          %r = memref.rank %u : memref<*xf32>
          return %a, %b, %c, %r : index, index, index, index
        }
        """,
        [random(2, 3, 5), random(7, 8), 1],
        5,
        3,
        8,
        2,
        pipeline=LOWER,
    )


def test_globals_keep_their_values_between_calls() -> None:
    module = jit.compile(
        """
        memref.global "private" @count : memref<i64> = dense<40>
        memref.global "private" constant @table : memref<2x2xf32>
            = dense<[[1.0, 2.0], [3.0, 4.0]]>
        func.func @next() -> i64 {
          %one = arith.constant 1 : i64
          %m = memref.get_global @count : memref<i64>
          %x = memref.load %m[] : memref<i64>
          %y = arith.addi %x, %one : i64
          memref.store %y, %m[] : memref<i64>
          return %y : i64
        }
        func.func @look_up(%i: index, %j: index) -> f32 {
          %m = memref.get_global @table : memref<2x2xf32>
          %x = memref.load %m[%i, %j] : memref<2x2xf32>
          return %x : f32
        }
        """,
        LOWER,
    )
    assert [module.next() for _ in range(3)] == [41, 42, 43]
    assert module.look_up(1, 0) == 3


def test_atomic_rmw() -> None:
    m = np.array([5, -1, 3], "i4")
    check(
        """
        func.func @main(%m: memref<3xi32>, %x: i32) -> (i32, i32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %a = memref.atomic_rmw addi %x, %m[%c0] : (i32, memref<3xi32>) -> i32
          %b = memref.atomic_rmw maxs %x, %m[%c1] : (i32, memref<3xi32>) -> i32
          return %a, %b : i32, i32
        }
        """,
        [m, 7],
        5,
        -1,
        pipeline=LOWER,
    )
    np.testing.assert_array_equal(m, [12, 7, 3])


def test_generic_atomic_rmw() -> None:
    m = np.array([5, 6], "f4")
    check(
        """
        func.func @main(%m: memref<2xf32>, %x: f32) -> f32 {
          %c1 = arith.constant 1 : index
          %0 = memref.generic_atomic_rmw %m[%c1] : memref<2xf32> {
            ^bb0(%old: f32):
              %new = arith.mulf %old, %x : f32
              memref.atomic_yield %new : f32
          }
          return %0 : f32
        }
        """,
        [m, 0.5],
        6.0,
        pipeline=LOWER,
    )
    np.testing.assert_array_equal(m, np.array([5, 3], "f4"))


@pytest.mark.parametrize("op", ["alloca", "alloc"])
@pytest.mark.parametrize("size", ["8", "?"])
def test_buffers_of_another_memory_space(op: str, size: str) -> None:
    """The stack of LLVM, and malloc, are in address space 0."""
    x, other = random(8, dtype="f8"), np.zeros(8)
    dynamic = "%c8" if size == "?" else ""
    there, here = f"memref<{size}xf64, 1>", f"memref<{size}xf64>"
    check(
        f"""
        func.func @main(%x: {here}, %y: {here}) {{
          %c8 = arith.constant 8 : index
          %a = memref.{op}({dynamic}) {{alignment = 32}} : {there}
          memref.copy %x, %a : {here} to {there}
          memref.copy %a, %y : {there} to {here}
          {f"memref.dealloc %a : {there}" if op == "alloc" else ""}
          return
        }}
        """,
        [x, other],
        pipeline=LOWER,
    )
    np.testing.assert_array_equal(other, x)


def test_alloca_in_a_loop_does_not_pile_up() -> None:
    module = jit.compile(
        """
        func.func @main(%n: index) -> f32 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %one = arith.constant 1.0 : f32
          %zero = arith.constant 0.0 : f32
          %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f32) {
            %b = memref.alloca_scope -> (f32) {
              %m = memref.alloca() : memref<10000xf32>
              memref.store %one, %m[%c0] : memref<10000xf32>
              %x = memref.load %m[%c0] : memref<10000xf32>
              %y = arith.addf %a, %x : f32
              memref.alloca_scope.return %y : f32
            }
            scf.yield %b : f32
          }
          return %s : f32
        }
        """,
        LOWER,
        opt_level=0,
    )
    assert module.main(10000) == 10000


def test_realloc() -> None:
    for size in (2, 10):
        check(
            """
            func.func @main(%n: index, %x: f32) -> memref<?xf32> {
              %c1 = arith.constant 1 : index
              %m = memref.alloc() : memref<4xf32>
              linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
              %d = memref.cast %m : memref<4xf32> to memref<?xf32>
              %r = memref.realloc %d(%n) : memref<?xf32> to memref<?xf32>
              %s = memref.subview %r[0] [2] [1] : memref<?xf32> to memref<2xf32>
              %two = memref.alloc(%n) : memref<?xf32>
              linalg.fill ins(%x : f32) outs(%two : memref<?xf32>)
              %t = memref.subview %two[0] [2] [1] : memref<?xf32> to memref<2xf32>
              memref.copy %s, %t : memref<2xf32> to memref<2xf32>
              memref.dealloc %r : memref<?xf32>
              return %two : memref<?xf32>
            }
            """,
            [size, 1.5],
            np.full(size, 1.5, "f"),
            pipeline=f"expand-realloc,{LOWER}",
        )


def test_unranked_result() -> None:
    module = jit.compile(
        """
        func.func @main(%n: index) -> memref<*xi32> {
          %x = arith.constant 3 : i32
          %m = memref.alloc(%n) : memref<?x2xi32>
          linalg.fill ins(%x : i32) outs(%m : memref<?x2xi32>)
          %u = memref.cast %m : memref<?x2xi32> to memref<*xi32>
          return %u : memref<*xi32>
        }
        """,
        LOWER,
        count=True,
    )
    result = module.main(4)
    np.testing.assert_array_equal(result, np.full((4, 2), 3, "i4"))
    assert module.stats().leaked_bytes == 0
    del result
    gc.collect()
    assert module.stats().live_bytes == 0


@pytest.mark.parametrize(
    "type",
    [
        "memref<4x?xf32, strided<[8, 1]>>",
        "memref<?x?xf32, strided<[8, 1], offset: 2>>",
        "memref<?x?xf32, strided<[?, 2], offset: ?>>",
        "memref<?x3xf32, strided<[1, ?]>>",
        "memref<?x?xf32, strided<[1, 5]>>",
        "memref<4x3xf32, strided<[?, ?], offset: 1>>",
    ],
)
def test_clone_keeps_layout(type: str) -> None:
    """What the type says of strides and offset holds for the clone, too."""
    static = re.findall(r"\d+|\?", type.partition("strided")[2])
    row, column, offset = ([9 if n == "?" else int(n) for n in static] + [0])[:3]
    memory = random(100)
    for rows in (4, 0) if type.startswith("memref<?") else (4,):
        source = np.lib.stride_tricks.as_strided(
            memory[offset:], (rows, 3), (4 * row, 4 * column)
        )
        check(
            f"""
            func.func @main(%m: {type}) -> {type} {{
              %c = bufferization.clone %m : {type} to {type}
              return %c : {type}
            }}
            """,
            [source],
            source.copy(),
            pipeline=LOWER,
        )


@pytest.mark.parametrize("rank", range(5))
@pytest.mark.parametrize("layout", ["dense", "strided"])
def test_clone_of_an_unranked_buffer(rank: int, layout: str) -> None:
    shape = (2, 3, 1, 4)[:rank]
    source = random(*shape) if rank else np.array(2.5, "f")
    type = f"memref<{''.join(f'{size}x' for size in shape)}f32>"
    if layout == "strided":
        wide = random(*(2 * size + 1 for size in shape)) if rank else source
        source = wide[tuple(slice(1, None, 2) for _ in shape)].T
        strides = ", ".join("?" * rank)
        type = f"memref<{'?x' * rank}f32, strided<[{strides}], offset: ?>>"
    check(
        f"""
        func.func @main(%m: {type}) -> memref<*xf32> {{
          %u = memref.cast %m : {type} to memref<*xf32>
          %c = bufferization.clone %u : memref<*xf32> to memref<*xf32>
          return %c : memref<*xf32>
        }}
        """,
        [np.asarray(source)],
        np.array(source),
        pipeline=LOWER,
    )


@pytest.mark.parametrize(
    "array", [random(3, 2), random(3, 4).T[::2], np.zeros((2, 0, 3))]
)
def test_clone_of_a_buffer_of_unknown_rank(array: np.ndarray) -> None:
    array = array.astype("f")
    check(
        """
        func.func @main(%u: memref<*xf32>) -> memref<*xf32> {
          %c = bufferization.clone %u : memref<*xf32> to memref<*xf32>
          return %c : memref<*xf32>
        }
        """,
        [array],
        array.copy(),
        pipeline=LOWER,
    )


@pytest.mark.parametrize(
    ("element", "number", "is_same"),
    [
        ("i1", "true", "arith.cmpi eq"),
        ("i4", "5 : i4", "arith.cmpi eq"),
        ("i16", "-3 : i16", "arith.cmpi eq"),
        ("i64", "-3 : i64", "arith.cmpi eq"),
        ("index", "7 : index", "arith.cmpi eq"),
        ("f16", "1.5 : f16", "arith.cmpf oeq"),
        ("bf16", "1.5 : bf16", "arith.cmpf oeq"),
        ("f64", "1.5 : f64", "arith.cmpf oeq"),
        ("complex<f32>", "[1.5 : f32, 2.5 : f32] : complex<f32>", "complex.eq"),
    ],
)
def test_clone_of_an_unranked_buffer_of_elements(
    element: str, number: str, is_same: str
) -> None:
    constant = "complex.constant" if "complex" in element else "arith.constant"
    comma = ", " if "arith" in is_same else " "
    name, _, predicate = is_same.partition(" ")
    check(
        f"""
        func.func @main(%i: index) -> i1 {{
          %x = {constant} {number}
          %m = memref.alloc() : memref<2x3x{element}>
          memref.store %x, %m[%i, %i] : memref<2x3x{element}>
          %u = memref.cast %m : memref<2x3x{element}> to memref<*x{element}>
          %c = bufferization.clone %u : memref<*x{element}> to memref<*x{element}>
          memref.dealloc %u : memref<*x{element}>
          %k = memref.cast %c : memref<*x{element}> to memref<?x?x{element}>
          %y = memref.load %k[%i, %i] : memref<?x?x{element}>
          memref.dealloc %c : memref<*x{element}>
          %same = {name} {predicate}{comma if predicate else ""}%x, %y : {element}
          return %same : i1
        }}
        """,
        [1],
        True,
        pipeline=LOWER,
    )


@pytest.mark.parametrize("shape", [(), (24,), (4, 6), (2, 3, 4), (2, 1, 3, 4)])
@pytest.mark.parametrize("element", ["index", "i32", "i64"])
@pytest.mark.parametrize(
    ("source", "type"), [("m", "memref<?xf32>"), ("u", "memref<*xf32>")]
)
def test_reshape_to_an_unranked_buffer(
    shape: tuple[int, ...], element: str, source: str, type: str
) -> None:
    """The rank is the length of the shape, which its type has or not."""
    t = random(24) if shape else random(1)
    for length in ("?", len(shape)):
        sizes = f"memref<{length}x{element}>"
        check(
            f"""
            func.func @main(%m: memref<?xf32>, %s: {sizes}) -> memref<*xf32> {{
              %u = memref.cast %m : memref<?xf32> to memref<*xf32>
              %r = memref.reshape %{source}(%s)
                : ({type}, {sizes}) -> memref<*xf32>
              %c = bufferization.clone %r : memref<*xf32> to memref<*xf32>
              return %c : memref<*xf32>
            }}
            """,
            [t, np.array(shape, "i4" if element == "i32" else "i8")],
            t.reshape(shape),
            pipeline=LOWER,
        )


def test_reshape_of_an_unranked_slice() -> None:
    """Its offset counts."""
    t = random(10)
    check(
        """
        func.func @main(%m: memref<10xf32>, %s: memref<2xindex>) -> memref<?x?xf32> {
          %v = memref.subview %m[4] [6] [1]
            : memref<10xf32> to memref<6xf32, strided<[1], offset: 4>>
          %u = memref.cast %v : memref<6xf32, strided<[1], offset: 4>> to memref<*xf32>
          %r = memref.reshape %u(%s)
            : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
          %c = bufferization.clone %r : memref<?x?xf32> to memref<?x?xf32>
          return %c : memref<?x?xf32>
        }
        """,
        [t, np.array([2, 3])],
        t[4:].reshape(2, 3),
        pipeline=LOWER,
    )
