"""Buffer deallocation, executed: programs that mlir-opt 22 refuses or frees wrongly, and
their relatives. Results are right, nothing leaks, nothing is freed twice or used freed.

The comparison with mlir-opt's IR is in tests/oracle/test_deallocation.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from tests.execution.harness import call
from xdsl_bufferization import jit

PIPELINES = {
    "ownership": "buffer-deallocation-pipeline",
    "dynamic ownership": (
        "buffer-deallocation-pipeline{private-function-dynamic-ownership}"
    ),
    "as early as can be": "buffer-deallocation-pipeline,optimize-allocation-liveness",
    "static": "expand-realloc{emit-deallocs=false},buffer-deallocation,copy-removal",
}

HELPERS = """
func.func private @filled(%x: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return %m : memref<4xf32>
}
func.func private @add(%from: memref<4xf32>, %to: memref<4xf32>) {
  linalg.add ins(%from, %to : memref<4xf32>, memref<4xf32>) outs(%to : memref<4xf32>)
  return
}
"""
"""@filled gives a new buffer, @add adds one to another."""


@dataclass(frozen=True)
class Case:
    """A function @main(%out: memref<4xf32>, %c: i1, %n: index), and what it adds to all
    elements of %out."""

    body: str
    expected: Callable[[bool, int], float]
    before: str = ""
    static: bool = True
    """Whether the program is one for buffer-deallocation: it forwards no buffer that it
    writes afterwards."""


def loop_blocks(inside: str) -> str:
    return f"""
      %one = arith.constant 1.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %first = call @filled(%one) : (f32) -> memref<4xf32>
      cf.br ^head(%c0, %first : index, memref<4xf32>)
    ^head(%i: index, %m: memref<4xf32>):
      %more = arith.cmpi ult, %i, %n : index
      cf.cond_br %more, ^body, ^end
    ^body:
      %next = arith.addi %i, %c1 : index
      {inside}
    ^end:
      call @add(%m, %out) : (memref<4xf32>, memref<4xf32>) -> ()
      return
    """


CASES = {
    "result of scf.if in a later block": Case(
        """
          %one = arith.constant 1.0 : f32
          %two = arith.constant 2.0 : f32
          %r = scf.if %c -> (memref<4xf32>) {
            %a = func.call @filled(%one) : (f32) -> memref<4xf32>
            scf.yield %a : memref<4xf32>
          } else {
            %b = func.call @filled(%two) : (f32) -> memref<4xf32>
            scf.yield %b : memref<4xf32>
          }
          cf.br ^next
        ^next:
          call @add(%r, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 1 if c else 2,
    ),
    "result of scf.for in two later blocks": Case(
        """
          %one = arith.constant 1.0 : f32
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %start = call @filled(%one) : (f32) -> memref<4xf32>
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %start)
              -> (memref<4xf32>) {
            %new = func.call @filled(%one) : (f32) -> memref<4xf32>
            func.call @add(%m, %new) : (memref<4xf32>, memref<4xf32>) -> ()
            scf.yield %new : memref<4xf32>
          }
          cf.cond_br %c, ^a, ^b
        ^a:
          call @add(%r, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          cf.br ^b
        ^b:
          call @add(%r, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: (1 + n) * (2 if c else 1),
    ),
    "result of scf.while in a later block": Case(
        """
          %one = arith.constant 1.0 : f32
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %start = call @filled(%one) : (f32) -> memref<4xf32>
          %r:2 = scf.while (%i = %c0, %m = %start)
              : (index, memref<4xf32>) -> (index, memref<4xf32>) {
            %more = arith.cmpi ult, %i, %n : index
            scf.condition(%more) %i, %m : index, memref<4xf32>
          } do {
          ^bb0(%i: index, %m: memref<4xf32>):
            %next = arith.addi %i, %c1 : index
            %new = func.call @filled(%one) : (f32) -> memref<4xf32>
            func.call @add(%m, %new) : (memref<4xf32>, memref<4xf32>) -> ()
            scf.yield %next, %new : index, memref<4xf32>
          }
          cf.cond_br %c, ^a, ^b
        ^a:
          call @add(%r#1, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        ^b:
          return
        """,
        lambda c, n: 1 + n if c else 0,
    ),
    "result of scf.index_switch in a later block": Case(
        """
          %one = arith.constant 1.0 : f32
          %a = call @filled(%one) : (f32) -> memref<4xf32>
          %r = scf.index_switch %n -> memref<4xf32>
          case 0 {
            scf.yield %a : memref<4xf32>
          }
          default {
            %b = func.call @filled(%one) : (f32) -> memref<4xf32>
            func.call @add(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
            scf.yield %b : memref<4xf32>
          }
          cf.br ^next
        ^next:
          call @add(%r, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 1 if n == 0 else 2,
    ),
    "view with a byte shift, chosen at run time": Case(
        """
          %one = arith.constant 1.0 : f32
          %c16 = arith.constant 16 : index
          %base = memref.alloc() : memref<64xi8>
          %v = memref.view %base[%c16][] : memref<64xi8> to memref<4xf32>
          linalg.fill ins(%one : f32) outs(%v : memref<4xf32>)
          %other = call @filled(%one) : (f32) -> memref<4xf32>
          cf.cond_br %c, ^a, ^b
        ^a:
          call @add(%v, %other) : (memref<4xf32>, memref<4xf32>) -> ()
          cf.br ^b
        ^b:
          call @add(%v, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          call @add(%other, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 3 if c else 2,
    ),
    "view with a byte shift of one of two buffers": Case(
        """
          %one = arith.constant 1.0 : f32
          %c16 = arith.constant 16 : index
          %a = memref.alloc() : memref<64xi8>
          %b = memref.alloc() : memref<64xi8>
          %base = arith.select %c, %a, %b : memref<64xi8>
          %v = memref.view %base[%c16][] : memref<64xi8> to memref<4xf32>
          linalg.fill ins(%one : f32) outs(%v : memref<4xf32>)
          cf.br ^next
        ^next:
          call @add(%v, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 1,
    ),
    "view with a byte shift returned": Case(
        """
          %v = call @view(%n) : (index) -> memref<4xf32>
          call @add(%v, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 1,
        before="""
          func.func private @view(%n: index) -> memref<4xf32> {
            %one = arith.constant 1.0 : f32
            %c4 = arith.constant 4 : index
            %shift = arith.muli %n, %c4 : index
            %base = memref.alloc() : memref<64xi8>
            %v = memref.view %base[%shift][] : memref<64xi8> to memref<4xf32>
            linalg.fill ins(%one : f32) outs(%v : memref<4xf32>)
            return %v : memref<4xf32>
          }
        """,
    ),
    "buffer forwarded to a block that uses it": Case(
        """
          %one = arith.constant 1.0 : f32
          %m = call @filled(%one) : (f32) -> memref<4xf32>
          cf.br ^x(%m : memref<4xf32>)
        ^x(%a: memref<4xf32>):
          call @add(%a, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          call @add(%m, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 2,
    ),
    "buffer forwarded twice, and used": Case(
        """
          %one = arith.constant 1.0 : f32
          %m = call @filled(%one) : (f32) -> memref<4xf32>
          %k = call @filled(%one) : (f32) -> memref<4xf32>
          cf.cond_br %c, ^x(%m, %m : memref<4xf32>, memref<4xf32>),
                         ^x(%k, %m : memref<4xf32>, memref<4xf32>)
        ^x(%a: memref<4xf32>, %b: memref<4xf32>):
          call @add(%m, %a) : (memref<4xf32>, memref<4xf32>) -> ()
          call @add(%b, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          call @add(%k, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 3,
        static=False,
    ),
    "static realloc to less, and to more": Case(
        """
          %one = arith.constant 1.0 : f32
          %a = memref.alloc() : memref<8xf32>
          linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
          %b = memref.realloc %a : memref<8xf32> to memref<4xf32>
          call @add(%b, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          %d = call @filled(%one) : (f32) -> memref<4xf32>
          %e = memref.realloc %d : memref<4xf32> to memref<8xf32>
          %f = memref.subview %e[0] [4] [1]
              : memref<8xf32> to memref<4xf32, strided<[1]>>
          %g = memref.cast %f : memref<4xf32, strided<[1]>> to memref<4xf32>
          call @add(%g, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 2,
    ),
    "dynamic realloc": Case(
        """
          %one = arith.constant 1.0 : f32
          %c2 = arith.constant 2 : index
          %c4 = arith.constant 4 : index
          %size = arith.addi %n, %c4 : index
          %a = memref.alloc(%size) : memref<?xf32>
          linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
          %less = arith.select %c, %c4, %size : index
          %b = memref.realloc %a(%less) : memref<?xf32> to memref<?xf32>
          %more = arith.addi %size, %c2 : index
          %d = memref.realloc %b(%more) : memref<?xf32> to memref<?xf32>
          %f = memref.subview %d[0] [4] [1]
              : memref<?xf32> to memref<4xf32, strided<[1]>>
          %g = memref.cast %f : memref<4xf32, strided<[1]>> to memref<4xf32>
          call @add(%g, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 1,
    ),
    "buffer of the caller in a memref of memrefs": Case(
        """
          %one = arith.constant 1.0 : f32
          %m = call @filled(%one) : (f32) -> memref<4xf32>
          call @through_box(%m, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          call @add(%m, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 2,
        before="""
          func.func private @through_box(%m: memref<4xf32>, %out: memref<4xf32>) {
            %c0 = arith.constant 0 : index
            %box = memref.alloc() : memref<1xmemref<4xf32>>
            memref.store %m, %box[%c0] : memref<1xmemref<4xf32>>
            %same = memref.load %box[%c0] : memref<1xmemref<4xf32>>
            call @add(%same, %out) : (memref<4xf32>, memref<4xf32>) -> ()
            return
          }
        """,
    ),
    "loop between blocks that replaces its buffer": Case(
        loop_blocks(
            """
              %new = call @filled(%one) : (f32) -> memref<4xf32>
              call @add(%m, %new) : (memref<4xf32>, memref<4xf32>) -> ()
              cf.br ^head(%next, %new : index, memref<4xf32>)
            """
        ),
        lambda c, n: 1 + n,
    ),
    "loop between blocks that keeps its buffer, or not": Case(
        loop_blocks(
            """
              %new = call @filled(%one) : (f32) -> memref<4xf32>
              call @add(%m, %new) : (memref<4xf32>, memref<4xf32>) -> ()
              cf.cond_br %c, ^head(%next, %m : index, memref<4xf32>),
                             ^head(%next, %new : index, memref<4xf32>)
            """
        ),
        lambda c, n: 1 if c else 1 + n,
    ),
    "loop between blocks that keeps the first buffer alive": Case(
        loop_blocks(
            """
              %new = call @filled(%one) : (f32) -> memref<4xf32>
              call @add(%first, %new) : (memref<4xf32>, memref<4xf32>) -> ()
              cf.br ^head(%next, %new : index, memref<4xf32>)
            """
        ),
        lambda c, n: 1 if n == 0 else 2,
    ),
    "loop inside a loop between blocks": Case(
        loop_blocks(
            """
              %new = call @filled(%one) : (f32) -> memref<4xf32>
              cf.br ^inner(%c0, %new : index, memref<4xf32>)
            ^inner(%j: index, %k: memref<4xf32>):
              %again = call @filled(%one) : (f32) -> memref<4xf32>
              call @add(%k, %again) : (memref<4xf32>, memref<4xf32>) -> ()
              %j1 = arith.addi %j, %c1 : index
              %on = arith.cmpi ult, %j1, %n : index
              cf.cond_br %on, ^inner(%j1, %again : index, memref<4xf32>),
                              ^head(%next, %again : index, memref<4xf32>)
            """
        ),
        lambda c, n: 1 + n,
    ),
    "loop with two entries": Case(
        """
          %one = arith.constant 1.0 : f32
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %a = call @filled(%one) : (f32) -> memref<4xf32>
          cf.cond_br %c, ^x(%c0, %a : index, memref<4xf32>),
                         ^y(%c0, %a : index, memref<4xf32>)
        ^x(%i: index, %m: memref<4xf32>):
          %new = call @filled(%one) : (f32) -> memref<4xf32>
          call @add(%m, %new) : (memref<4xf32>, memref<4xf32>) -> ()
          cf.br ^y(%i, %new : index, memref<4xf32>)
        ^y(%j: index, %k: memref<4xf32>):
          %next = arith.addi %j, %c1 : index
          %more = arith.cmpi ult, %next, %n : index
          cf.cond_br %more, ^x(%next, %k : index, memref<4xf32>), ^end
        ^end:
          call @add(%k, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 1 + max(n - 1, 0) + c,
    ),
    "cf.switch": Case(
        """
          %one = arith.constant 1.0 : f32
          %i = arith.index_cast %n : index to i32
          %a = call @filled(%one) : (f32) -> memref<4xf32>
          %b = call @filled(%one) : (f32) -> memref<4xf32>
          call @add(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
          cf.switch %i : i32, [
            default: ^x(%out : memref<4xf32>),
            0: ^x(%a : memref<4xf32>),
            1: ^x(%b : memref<4xf32>),
            3: ^y
          ]
        ^x(%v: memref<4xf32>):
          %d = call @filled(%one) : (f32) -> memref<4xf32>
          call @add(%v, %d) : (memref<4xf32>, memref<4xf32>) -> ()
          call @add(%d, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        ^y:
          call @add(%b, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: {0: 2, 1: 3, 3: 2}.get(n, 101),
    ),
    "deallocs that are there": Case(
        """
          %one = arith.constant 1.0 : f32
          %a = call @filled(%one) : (f32) -> memref<4xf32>
          call @add(%a, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          memref.dealloc %a : memref<4xf32>
          %b = memref.alloc() : memref<4xf32>
          linalg.fill ins(%one : f32) outs(%b : memref<4xf32>)
          scf.if %c {
            func.call @add(%b, %out) : (memref<4xf32>, memref<4xf32>) -> ()
            memref.dealloc %b : memref<4xf32>
          }
          %d = call @filled(%one) : (f32) -> memref<4xf32>
          %e = call @filled(%one) : (f32) -> memref<4xf32>
          %x = arith.select %c, %d, %e : memref<4xf32>
          call @add(%e, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          memref.dealloc %x : memref<4xf32>
          return
        """,
        lambda c, n: 3 if c else 2,
    ),
    "dealloc in one branch only": Case(
        """
          %one = arith.constant 1.0 : f32
          %a = call @filled(%one) : (f32) -> memref<4xf32>
          cf.cond_br %c, ^x, ^y
        ^x:
          memref.dealloc %a : memref<4xf32>
          cf.br ^end
        ^y:
          call @add(%a, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          cf.br ^end
        ^end:
          return
        """,
        lambda c, n: 0 if c else 1,
    ),
    "recursion": Case(
        """
          %r = call @sum(%n) : (index) -> memref<4xf32>
          call @add(%r, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 1 + n,
        before="""
          func.func private @sum(%n: index) -> memref<4xf32> {
            %one = arith.constant 1.0 : f32
            %c0 = arith.constant 0 : index
            %c1 = arith.constant 1 : index
            %m = call @filled(%one) : (f32) -> memref<4xf32>
            %last = arith.cmpi eq, %n, %c0 : index
            cf.cond_br %last, ^end(%m : memref<4xf32>), ^more
          ^more:
            %less = arith.subi %n, %c1 : index
            %rest = call @sum(%less) : (index) -> memref<4xf32>
            call @add(%m, %rest) : (memref<4xf32>, memref<4xf32>) -> ()
            cf.br ^end(%rest : memref<4xf32>)
          ^end(%r: memref<4xf32>):
            return %r : memref<4xf32>
          }
        """,
    ),
    "argument or new buffer returned": Case(
        """
          %one = arith.constant 1.0 : f32
          %m = call @filled(%one) : (f32) -> memref<4xf32>
          %r = call @choose(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
          %s = call @choose(%r, %c) : (memref<4xf32>, i1) -> memref<4xf32>
          call @add(%r, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          call @add(%s, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 2 if c else 5,
        before="""
          func.func private @choose(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
            %one = arith.constant 1.0 : f32
            cf.cond_br %c, ^end(%m : memref<4xf32>), ^new
          ^new:
            %a = call @filled(%one) : (f32) -> memref<4xf32>
            call @add(%m, %a) : (memref<4xf32>, memref<4xf32>) -> ()
            cf.br ^end(%a : memref<4xf32>)
          ^end(%r: memref<4xf32>):
            return %r : memref<4xf32>
          }
        """,
    ),
    "swapped in a loop": Case(
        """
          %one = arith.constant 1.0 : f32
          %two = arith.constant 2.0 : f32
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %a = call @filled(%one) : (f32) -> memref<4xf32>
          %b = call @filled(%two) : (f32) -> memref<4xf32>
          %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
              -> (memref<4xf32>, memref<4xf32>) {
            scf.yield %y, %x : memref<4xf32>, memref<4xf32>
          }
          cf.br ^next
        ^next:
          call @add(%r#0, %out) : (memref<4xf32>, memref<4xf32>) -> ()
          return
        """,
        lambda c, n: 1 + n % 2,
    ),
}


@pytest.mark.parametrize(
    "name, pipeline",
    [
        (name, pipeline)
        for name, case in CASES.items()
        for pipeline in PIPELINES
        if case.static or pipeline != "static"
    ],
)
def test_execution(name: str, pipeline: str) -> None:
    case = CASES[name]
    program = (
        f"{HELPERS}{case.before}\n"
        f"func.func @main(%out: memref<4xf32>, %c: i1, %n: index) {{{case.body}}}\n"
    )
    module = jit.compile(
        program,
        f"{PIPELINES[pipeline]},lower-to-llvm-pipeline",
        count=True,
        opt_level=0,
    )
    for condition, count in ((True, 0), (False, 1), (True, 2), (False, 3), (True, 3)):
        out = np.full(4, 100, "f")
        call(module, "main", [out, condition, count])
        np.testing.assert_array_equal(out, 100 + case.expected(condition, count))
