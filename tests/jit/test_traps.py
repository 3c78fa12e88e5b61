"""What would end the process is an exception: division by zero, and too deep a stack."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from tests.jit.programs import lower
from xdsl_bufferization import jit

SIGNED = ("divsi", "remsi", "ceildivsi", "floordivsi")
UNSIGNED = ("divui", "remui", "ceildivui")
OF_INDEX = ("divs", "rems", "ceildivs", "floordivs", "divu", "remu", "ceildivu")


def divide(op: str, type: str) -> Any:
    signature = f"(%a: {type}, %b: {type}) -> {type}"
    shown = "" if op.startswith("index.") else f" : {type}"
    return lower(f"""
    func.func @f{signature} {{
      %0 = {op} %a, %b{shown}
      return %0 : {type}
    }}
    """).f


@pytest.mark.parametrize("op", SIGNED + UNSIGNED)
@pytest.mark.parametrize("bits", [1, 8, 32, 64])
def test_division_by_zero(op: str, bits: int) -> None:
    f = divide(f"arith.{op}", f"i{bits}")
    if op in UNSIGNED or bits > 1:
        f(1, 1)
    with pytest.raises(
        jit.CheckError, match=rf"(?s)arith.{op}.*by zero.*in @f.*required: 0 != 0"
    ):
        f(1, 0)


@pytest.mark.parametrize("op", SIGNED)
@pytest.mark.parametrize("bits", [8, 32, 64])
def test_quotient_of_the_least_number_and_minus_one(op: str, bits: int) -> None:
    f = divide(f"arith.{op}", f"i{bits}")
    least = -(2 ** (bits - 1))
    assert f(least + 1, -1) == (0 if op == "remsi" else -least - 1)
    with pytest.raises(jit.CheckError, match=f"too large.*\n.*\nrequired: {least} !="):
        f(least, -1)


@pytest.mark.parametrize("op", OF_INDEX)
def test_division_of_index(op: str) -> None:
    f = divide(f"index.{op}", "index")
    f(7, 2)
    with pytest.raises(jit.CheckError, match="division by zero"):
        f(7, 0)
    if op.endswith("s"):
        with pytest.raises(jit.CheckError, match="too large"):
            f(-(2**63), -1)


def test_named_division_of_linalg() -> None:
    f = jit.compile("""
    func.func @f(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
      %0 = linalg.div ins(%a, %b : tensor<?xi32>, tensor<?xi32>)
                      outs(%a : tensor<?xi32>) -> tensor<?xi32>
      return %0 : tensor<?xi32>
    }
    """).f
    numbers = np.array([7, -(2**31)], "i4")
    np.testing.assert_array_equal(
        f(numbers.copy(), np.array([2, 1], "i4")), [3, -(2**31)]
    )
    for divisors in ([1, 0], [1, -1]):
        with pytest.raises(jit.CheckError):
            f(numbers.copy(), np.array(divisors, "i4"))


@pytest.mark.parametrize("shape", [(4,), (2, 2)])
def test_division_of_vectors(shape: tuple[int, ...]) -> None:
    sizes = "x".join(map(str, shape))
    at = ", ".join("%c0" for _ in shape)
    memory, value = f"memref<{sizes}xi32>", f"vector<{sizes}xi32>"
    f = lower(f"""
    func.func @f(%a: {memory}, %b: {memory}) {{
      %c0 = arith.constant 0 : index
      %0 = vector.load %a[{at}] : {memory}, {value}
      %1 = vector.load %b[{at}] : {memory}, {value}
      %2 = arith.divsi %0, %1 : {value}
      vector.store %2, %a[{at}] : {memory}, {value}
      return
    }}
    """).f
    numbers = np.array([1, -(2**31), 3, 4], "i4").reshape(shape)
    for divisors in ([1, 1, 0, 1], [1, -1, 1, 1]):
        with pytest.raises(jit.CheckError, match=r"arith.divsi"):
            f(numbers, np.array(divisors, "i4").reshape(shape))
    f(numbers, np.array([1, 2, 3, -1], "i4").reshape(shape))
    np.testing.assert_array_equal(numbers.flat, [1, -(2**30), 1, -4])


def test_affine_division_by_a_symbol() -> None:
    f = jit.compile("""
    func.func @f(%a: index, %b: index) -> index {
      %0 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%a)[%b]
      return %0 : index
    }
    """).f
    assert f(7, 2) == 3
    with pytest.raises(jit.CheckError, match="division by zero"):
        f(7, 0)


@pytest.mark.parametrize(
    ("op", "divisor", "checks"),
    [("divsi", 3, 0), ("divsi", -1, 1), ("divsi", 0, 1), ("divui", -1, 0)],
)
def test_known_divisors_take_no_checks(op: str, divisor: int, checks: int) -> None:
    module = lower(
        f"""
        func.func @f(%a: i32) -> i32 {{
          %b = arith.constant {divisor} : i32
          %0 = arith.{op} %a, %b : i32
          return %0 : i32
        }}
        """,
        opt_level=0,
    )
    assert module.llvm_ir.count("call void @jit.fail") == checks


RECURSIVE = {
    "itself": ("func.call @f(%n)", "func.call @f(%n)"),
    "another": ("func.call @g(%n)", "func.call @f(%n)"),
    "value": ("func.call_indirect %c(%n)", "func.call_indirect %c(%n)"),
}


@pytest.mark.parametrize("name", RECURSIVE)
def test_endless_recursion(name: str) -> None:
    in_f, in_g = RECURSIVE[name]
    module = lower(f"""
    func.func @f(%n: i64) -> i64 {{
      %c = func.constant @g : (i64) -> i64
      %0 = {in_f} : (i64) -> i64
      %1 = arith.muli %0, %n : i64
      %2 = {in_f.replace("%n", "%1")} : (i64) -> i64
      return %2 : i64
    }}
    func.func @g(%n: i64) -> i64 {{
      %c = func.constant @f : (i64) -> i64
      %0 = {in_g} : (i64) -> i64
      %1 = arith.muli %0, %n : i64
      %2 = {in_g.replace("%n", "%1")} : (i64) -> i64
      return %2 : i64
    }}
    """)
    for _ in range(3):
        with pytest.raises(jit.CheckError, match="stack is exhausted"):
            module.f(7)


DEPTH = """
func.func @f(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %end = arith.cmpi sle, %n, %c0 : i64
  %r = scf.if %end -> i64 {
    scf.yield %c1 : i64
  } else {
    %m = arith.subi %n, %c1 : i64
    %0 = func.call @f(%m) : (i64) -> i64
    %1 = arith.xori %0, %n : i64
    %2 = arith.muli %1, %1 : i64
    scf.yield %2 : i64
  }
  return %r : i64
}
"""


def test_recursion_is_as_deep_as_the_stack_of_its_thread() -> None:
    f = lower(DEPTH).f
    f(10_000)
    outcomes: list[str] = []

    def work() -> None:
        f(100)
        try:
            f(10_000)
        except jit.CheckError as error:
            outcomes.append(str(error))

    old = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old)
    assert "stack is exhausted" in outcomes[0]


@pytest.mark.parametrize("opt_level", [0, 2])
def test_large_buffers_on_the_stack(opt_level: int) -> None:
    module = lower(
        """
        func.func @static(%i: index) -> f32 {
          %m = memref.alloca() : memref<1000000000xf32>
          %0 = memref.load %m[%i] : memref<1000000000xf32>
          return %0 : f32
        }
        func.func @dynamic(%n: index, %i: index) -> vector<4xf32> {
          %m = memref.alloca(%n) : memref<?xvector<4xf32>>
          %0 = memref.load %m[%i] : memref<?xvector<4xf32>>
          return %0 : vector<4xf32>
        }
        func.func @many(%n: index, %m: memref<?xf32>) -> index {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %u = memref.cast %m : memref<?xf32> to memref<*xf32>
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %u) -> memref<*xf32> {
            %s = memref.cast %k : memref<*xf32> to memref<?xf32>
            %next = memref.cast %s : memref<?xf32> to memref<*xf32>
            scf.yield %next : memref<*xf32>
          }
          %rank = memref.rank %r : memref<*xf32>
          return %rank : index
        }
        func.func @first(%n: index, %i: index) -> f32 {
          %0 = func.call @dynamic(%n, %i) : (index, index) -> vector<4xf32>
          %1 = vector.extract %0[0] : f32 from vector<4xf32>
          return %1 : f32
        }
        """,
        opt_level=opt_level,
    )
    array = np.ones(3, "f")
    assert module.many(100, array) == 1
    module.first(100, 99)
    failing: list[tuple[Any, ...]] = [(module.static, 3), (module.first, 10**7, 3)]
    if opt_level == 0:  # LLVM removes what nothing uses.
        failing.append((module.many, 10**7, array))
    for f, *arguments in failing:
        with pytest.raises(jit.CheckError, match="stack is exhausted"):
            f(*arguments)


_CLONE = """
  %c = bufferization.clone %u : memref<*xf32> to memref<*xf32>
  %k = memref.cast %c : memref<*xf32> to memref<?xf32>
  %x = memref.load %k[%c1] : memref<?xf32>
  memref.dealloc %c : memref<*xf32>
  %t = arith.addf %s, %x : f32
"""
_FOR = f"""
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {{
    CAST
    {_CLONE}
    scf.yield %t : f32
  }}
"""
_WHILE = f"""
  %last, %r = scf.while (%i = %c0, %s = %zero) : (index, f32) -> (index, f32) {{
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %s : index, f32
  }} do {{
  ^bb0(%i: index, %s: f32):
    CAST
    {_CLONE}
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %t : index, f32
  }}
"""
_BRANCHES = f"""
  cf.br ^head(%c0, %zero : index, f32)
^head(%i: index, %s: f32):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit(%s : f32)
^body:
  CAST
  {_CLONE}
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %t : index, f32)
^exit(%r: f32):
"""


_TO_UNRANKED = "%u = memref.cast %m : memref<?xf32> to memref<*xf32>"


@pytest.mark.parametrize("opt_level", [0, 2])
@pytest.mark.parametrize(
    ("loop", "argument"),
    [
        (_FOR.replace("CAST", _TO_UNRANKED), "%m: memref<?xf32>"),
        (_FOR.replace("CAST", ""), "%u: memref<*xf32>"),
        (_WHILE.replace("CAST", _TO_UNRANKED), "%m: memref<?xf32>"),
        (_WHILE.replace("CAST", ""), "%u: memref<*xf32>"),
        (_BRANCHES.replace("CAST", _TO_UNRANKED), "%m: memref<?xf32>"),
    ],
)
def test_descriptors_of_a_loop_do_not_add_up(
    loop: str, argument: str, opt_level: int
) -> None:
    """Neither does the shape that a clone of an unranked memref puts on the stack."""
    module = jit.compile(
        f"""
        func.func @f({argument}, %n: index) -> f32 {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %zero = arith.constant 0.0 : f32
          {loop}
          return %r : f32
        }}
        """,
        "lower-to-llvm-pipeline",
        opt_level=opt_level,
    )
    array = np.array([1, 2, 3], "f")
    assert module.f(array, 1_000_000) == 2_000_000


@pytest.mark.parametrize("opt_level", [0, 2])
def test_a_loop_may_carry_unranked_memrefs(opt_level: int) -> None:
    """Two that are exchanged: each has a descriptor of its own."""
    module = jit.compile(
        """
        func.func @f(%m: memref<*xf32>, %v: memref<2xf32>, %n: index)
            -> (index, index, f32) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %w = memref.cast %v : memref<2xf32> to memref<*xf32>
          %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m, %b = %w)
              -> (memref<*xf32>, memref<*xf32>) {
            %c = bufferization.clone %b : memref<*xf32> to memref<*xf32>
            memref.copy %c, %b : memref<*xf32> to memref<*xf32>
            memref.dealloc %c : memref<*xf32>
            scf.yield %b, %a : memref<*xf32>, memref<*xf32>
          }
          %first = memref.rank %r#0 : memref<*xf32>
          %second = memref.rank %r#1 : memref<*xf32>
          %x = memref.load %v[%c1] : memref<2xf32>
          return %first, %second, %x : index, index, f32
        }
        """,
        "lower-to-llvm-pipeline",
        opt_level=opt_level,
    )
    plane, line = np.ones((2, 3), "f"), np.array([1, 2], "f")
    assert module.f(plane, line, 100) == (2, 1, 2)
    assert module.f(plane, line, 101) == (1, 2, 2)


def test_saved_code_has_no_limit_of_the_stack(tmp_path: Any) -> None:
    lower(DEPTH).save(tmp_path / "f.ll")
    assert "@jit.stack_limit" not in (tmp_path / "f.ll").read_text()
