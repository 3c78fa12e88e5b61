"""plan-memory{arena=argument}: loops that allocate a buffer while they need earlier ones.

Each program doubles and reverses a tensor in each iteration, or does something alike, and
puts the result into an argument. With an arena, it must not allocate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.oracle.tools import parse
from xdsl_bufferization import jit
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.remarks.active import printing_remarks
from xdsl_bufferization.transforms.plan_memory import plan_memory
from xdsl_bufferization.transforms.utils.rotating_buffers import MOST_NAMES

REVERSE = """
    %e = tensor.empty() : tensor<6xf32>
    %new = linalg.generic {indexing_maps = [affine_map<(i) -> (5 - i)>,
        affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%y : tensor<6xf32>) outs(%e : tensor<6xf32>) {
    ^bb0(%a: f32, %out_element: f32):
      %twice = arith.addf %a, %a : f32
      linalg.yield %twice : f32
    } -> tensor<6xf32>
"""

FOR = f"""
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = INIT) -> (tensor<6xf32>) {{
    {REVERSE}
    scf.yield %new : tensor<6xf32>
  }}
"""

WHILE = f"""
  %r, %count = scf.while (%y = INIT, %i = %c0)
      : (tensor<6xf32>, index) -> (tensor<6xf32>, index) {{
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %y, %i : tensor<6xf32>, index
  }} do {{
  ^bb0(%y: tensor<6xf32>, %i: index):
    {REVERSE}
    %next = arith.addi %i, %c1 : index
    scf.yield %new, %next : tensor<6xf32>, index
  }}
"""

# Its first region computes the tensor: one iteration more.
DO_WHILE = f"""
  %last = arith.subi %n, %c1 : index
  %r, %count = scf.while (%y = INIT, %i = %c0)
      : (tensor<6xf32>, index) -> (tensor<6xf32>, index) {{
    {REVERSE}
    %go = arith.cmpi slt, %i, %last : index
    scf.condition(%go) %new, %i : tensor<6xf32>, index
  }} do {{
  ^bb0(%y: tensor<6xf32>, %i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %y, %next : tensor<6xf32>, index
  }}
"""

# A condition that needs memory of its own.
UNTIL = f"""
  %r, %count = scf.while (%y = INIT, %i = %c0)
      : (tensor<6xf32>, index) -> (tensor<6xf32>, index) {{
    %zero = arith.constant 0.0 : f32
    %s0 = tensor.empty() : tensor<f32>
    %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<f32>) -> tensor<f32>
    %s2 = linalg.reduce ins(%y : tensor<6xf32>) outs(%s1 : tensor<f32>) dimensions = [0]
      (%a: f32, %b: f32) {{
        %sum = arith.addf %a, %b : f32
        linalg.yield %sum : f32
      }}
    %s = tensor.extract %s2[] : tensor<f32>
    %is_number = arith.cmpf ord, %s, %s : f32
    %less = arith.cmpi slt, %i, %n : index
    %go = arith.andi %is_number, %less : i1
    scf.condition(%go) %y, %i : tensor<6xf32>, index
  }} do {{
  ^bb0(%y: tensor<6xf32>, %i: index):
    {REVERSE}
    %next = arith.addi %i, %c1 : index
    scf.yield %new, %next : tensor<6xf32>, index
  }}
"""

BLOCKS = f"""
  cf.br ^head(INIT, %c0 : tensor<6xf32>, index)
^head(%r: tensor<6xf32>, %i: index):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body(%r : tensor<6xf32>), ^exit
^body(%y: tensor<6xf32>):
  {REVERSE}
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%new, %next : tensor<6xf32>, index)
^exit:
"""

BRANCH = f"""
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = INIT) -> (tensor<6xf32>) {{
    %is_first = arith.cmpi eq, %i, %c0 : index
    %each = scf.if %is_first -> (tensor<6xf32>) {{
      {REVERSE}
      scf.yield %new : tensor<6xf32>
    }} else {{
      scf.yield %y : tensor<6xf32>
    }}
    scf.yield %each : tensor<6xf32>
  }}
"""

NESTED = f"""
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%outer = INIT) -> (tensor<6xf32>) {{
    %inner = scf.for %j = %c0 to %n step %c1 iter_args(%y = %outer) -> (tensor<6xf32>) {{
      {REVERSE}
      scf.yield %new : tensor<6xf32>
    }}
    scf.yield %inner : tensor<6xf32>
  }}
"""

# Fibonacci numbers: the sum of the last two, reversed.
TWO_BEFORE = """
  %r, %before = scf.for %i = %c0 to %n step %c1 iter_args(%y = INIT, %z = INIT)
      -> (tensor<6xf32>, tensor<6xf32>) {
    %e = tensor.empty() : tensor<6xf32>
    %new = linalg.generic {indexing_maps = [affine_map<(i) -> (5 - i)>,
        affine_map<(i) -> (5 - i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]}
        ins(%y, %z : tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<6xf32>) {
    ^bb0(%a: f32, %b: f32, %out_element: f32):
      %sum = arith.addf %a, %b : f32
      linalg.yield %sum : f32
    } -> tensor<6xf32>
    scf.yield %new, %y : tensor<6xf32>, tensor<6xf32>
  }
"""


def repeated(times: Callable[[int], int]) -> Callable[[np.ndarray, int], np.ndarray]:
    def result(x: np.ndarray, n: int) -> np.ndarray:
        for _ in range(times(n)):
            x = 2 * x[::-1]
        return x

    return result


def fibonacci(x: np.ndarray, n: int) -> np.ndarray:
    last, before = x, x
    for _ in range(n):
        last, before = (last + before)[::-1], last
    return last


LOOPS = {
    "for": (FOR, repeated(lambda n: n)),
    "while": (WHILE, repeated(lambda n: n)),
    "do while": (DO_WHILE, repeated(lambda n: max(n, 1))),
    "until": (UNTIL, repeated(lambda n: n)),
    "blocks": (BLOCKS, repeated(lambda n: n)),
    "branch": (BRANCH, repeated(lambda n: min(n, 1))),
    "nested": (NESTED, repeated(lambda n: n * n)),
    "two before": (TWO_BEFORE, fibonacci),
}
INITS = {
    "argument": ("", "%x", lambda x: x),
    "new": (
        "%e0 = tensor.empty() : tensor<6xf32>\n"
        "%x0 = linalg.exp ins(%x : tensor<6xf32>) outs(%e0 : tensor<6xf32>)"
        " -> tensor<6xf32>",
        "%x0",
        np.exp,
    ),
}


def program_of(loop: str, before: str, init: str) -> str:
    return f"""
func.func @main(%x: tensor<6xf32> {{bufferization.writable = false}}, %n: index,
                %out: memref<6xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  {before}
  {loop.replace("INIT", init)}
  bufferization.materialize_in_destination %r in writable %out
    : (tensor<6xf32>, memref<6xf32>) -> ()
  return
}}
"""


PLAIN = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},"
    "buffer-deallocation-pipeline{static-ownership}"
)


@pytest.mark.parametrize(
    "pipeline",
    [
        "bufferization-pipeline{plan-memory arena=argument verify-result}",
        "bufferization-pipeline,plan-memory{arena=argument},verify-memory-plan",
        f"{PLAIN},plan-memory{{arena=argument}},verify-memory-plan",
    ],
)
@pytest.mark.parametrize("init", INITS)
@pytest.mark.parametrize("loop", LOOPS)
def test_no_loop_allocates_if_an_arena_is_given(
    loop: str, init: str, pipeline: str
) -> None:
    text, result = LOOPS[loop]
    before, value, start = INITS[init]
    module = jit.compile(
        program_of(text, before, value), f"{pipeline},lower-to-llvm-pipeline", count=True
    )
    arenas = [arena.allocate() for arena in module.main.arenas]
    for n in range(5):
        x = np.arange(1, 7, dtype=np.float32) / 4
        out = np.zeros(6, np.float32)
        for arena in arenas:
            arena.fill(0x5A)
        module.reset_stats()
        module.main(x, n, out, *arenas)
        np.testing.assert_allclose(out, result(start(x), n), rtol=1e-6)
        assert module.stats().allocations == 0


FREED = """
func.func @f(%x: memref<6xf32>, %own: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %no = arith.constant false
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x, %owned = INIT)
      -> (memref<6xf32>, i1) {
    %new = memref.alloc() : memref<6xf32>
    linalg.exp ins(%y : memref<6xf32>) outs(%new : memref<6xf32>)
    scf.if %owned {
      memref.dealloc %y : memref<6xf32>
    }
    scf.yield %new, YIELDED : memref<6xf32>, i1
  }
  memref.copy %r#0, %x : memref<6xf32> to memref<6xf32>
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<6xf32>
  }
  return
}
"""


@pytest.mark.parametrize(
    ("init", "yielded", "is_planned"),
    [
        ("%no", "%yes", True),
        # Then nothing is freed. It is no leak in an arena.
        ("%no", "%no", True),
        # It may free an argument.
        ("%own", "%yes", False),
        ("%yes", "%yes", False),
    ],
)
def test_only_what_frees_no_argument_is_left_out(
    init: str, yielded: str, is_planned: bool
) -> None:
    _, module = parse(FREED.replace("INIT", init).replace("YIELDED", yielded))
    plan_memory(module, arena="argument")
    left = [op for op in module.walk() if isinstance(op, memref.AllocOp)]
    assert (not left) == is_planned


CHOSEN = """
func.func @f(%x: memref<6xf32>, %n: index, %out: memref<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (memref<6xf32>) {
    %new = memref.alloc() : memref<6xf32>
    linalg.exp ins(%y : memref<6xf32>) outs(%new : memref<6xf32>)
    scf.yield %new : memref<6xf32>
  }
  %p = memref.extract_aligned_pointer_as_index %r : memref<6xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %x : memref<6xf32> -> index
  %c = arith.cmpi PREDICATE, %p, %q : index
  %s = scf.if %c -> (memref<6xf32>) {
    scf.yield %r : memref<6xf32>
  } else {
    %copy = memref.alloc() : memref<6xf32>
    memref.copy %r, %copy : memref<6xf32> to memref<6xf32>
    scf.yield %copy : memref<6xf32>
  }
  memref.copy %s, %out : memref<6xf32> to memref<6xf32>
  CONDITION
  scf.if %d {
    memref.dealloc %s : memref<6xf32>
  }
  return
}
"""


@pytest.mark.parametrize(
    ("predicate", "condition", "is_planned"),
    [
        ("ne", "%d = arith.cmpi eq, %p, %q : index", True),
        ("ne", "%d = arith.xori %c, %yes : i1", True),
        # Then what the loop returns is not the argument.
        ("ne", "%d = arith.cmpi ne, %p, %q : index", True),
        ("eq", "%d = arith.cmpi ne, %p, %q : index", True),
        ("eq", "%d = arith.xori %yes, %c : i1", True),
        ("eq", "%d = arith.cmpi eq, %p, %q : index", False),
        ("eq", "%d = arith.select %c, %yes, %c : i1", False),
    ],
)
def test_a_condition_and_its_opposite(
    predicate: str, condition: str, is_planned: bool
) -> None:
    """The copy is freed, or something else that may be the argument."""
    text = CHOSEN.replace("PREDICATE", predicate).replace("CONDITION", condition)
    _, module = parse(text)
    plan_memory(module, arena="argument")
    left = [op for op in module.walk() if isinstance(op, memref.AllocOp)]
    assert (not left) == is_planned


def shift_register(length: int) -> str:
    """Return a loop that keeps so many of the last buffers, and frees none."""
    numbers = range(length)
    types = ", ".join(["memref<6xf32>"] * length)
    inits = ", ".join(f"%y{i} = %x" for i in numbers)
    yielded = ", ".join(["%new", *(f"%y{i}" for i in numbers[:-1])])
    return f"""
func.func @main(%x: memref<6xf32>, %n: index, %out: memref<6xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s:{length} = scf.for %i = %c0 to %n step %c1 iter_args({inits}) -> ({types}) {{
    %new = memref.alloc() : memref<6xf32>
    linalg.add ins(%y{length - 1}, %y0 : memref<6xf32>, memref<6xf32>)
      outs(%new : memref<6xf32>)
    scf.yield {yielded} : {types}
  }}
  linalg.add ins(%s#0, %s#{length - 1} : memref<6xf32>, memref<6xf32>)
    outs(%out : memref<6xf32>)
  return
}}
"""


@pytest.mark.parametrize("length", [1, 4, MOST_NAMES])
def test_many_earlier_buffers(length: int) -> None:
    pipeline = "plan-memory{arena=argument},verify-memory-plan,lower-to-llvm-pipeline"
    module = jit.compile(shift_register(length), pipeline, count=True)
    arenas = [arena.allocate() for arena in module.main.arenas]
    for n in range(3 * length):
        x = np.arange(1, 7, dtype=np.float32) / 4
        kept = [x] * length
        for _ in range(n):
            kept = [kept[-1] + kept[0], *kept[:-1]]
        out = np.zeros(6, np.float32)
        module.reset_stats()
        module.main(x, n, out, *arenas)
        np.testing.assert_allclose(out, kept[0] + kept[-1], rtol=1e-6)
        assert module.stats().allocations == 0


def test_more_earlier_buffers_than_are_compared(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, module = parse(shift_register(MOST_NAMES + 1))
    with printing_remarks(module, "plan-memory", True):
        plan_memory(module, arena="argument")
    assert any(isinstance(op, memref.AllocOp) for op in module.walk())
    reason = f"more than {MOST_NAMES} values may be what earlier iterations allocated"
    assert reason in capsys.readouterr().err


def test_a_condition_of_many_parts_is_left_whole() -> None:
    """Forty alternatives after each other have 2^40 cases."""
    lines = [f"%c{i} = arith.ori %a{i}, %b{i} : i1" for i in range(40)]
    lines += [f"%d{i} = arith.andi %c{i}, %d{i - 1} : i1" for i in range(1, 40)]
    flags = "".join(f", %a{i}: i1, %b{i}: i1" for i in range(40))
    _, module = parse(f"""
func.func @f(%x: memref<6xf32>, %d0: i1{flags}) {{
  %0 = memref.alloc() : memref<6xf32>
  memref.copy %x, %0 : memref<6xf32> to memref<6xf32>
  %1 = arith.select %d0, %x, %0 : memref<6xf32>
  {chr(10).join(lines)}
  scf.if %d39 {{
    memref.dealloc %1 : memref<6xf32>
  }}
  return
}}
""")
    plan_memory(module, arena="argument")
    assert any(isinstance(op, memref.AllocOp) for op in module.walk())
