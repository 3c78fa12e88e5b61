"""What plan-memory and reuse-freed-buffers do where there is no arena: allocations take
over freed buffers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracle.tools import parse
from xdsl_bufferization import jit
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.transforms.plan_memory import plan_memory
from xdsl_bufferization.transforms.verify_deallocation import verify_deallocation

CHAIN = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e0 = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.add ins(%x, %0 : tensor<?xf32>, tensor<?xf32>)
    outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %m = tensor.dim %1, %c0 : tensor<?xf32>
  %e2 = tensor.empty(%m) : tensor<?xf32>
  %2 = linalg.mul ins(%x, %1 : tensor<?xf32>, tensor<?xf32>)
    outs(%e2 : tensor<?xf32>) -> tensor<?xf32>
  %e3 = tensor.empty(%m) : tensor<?xf32>
  %3 = linalg.sub ins(%2, %x : tensor<?xf32>, tensor<?xf32>)
    outs(%e3 : tensor<?xf32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
"""


def test_a_chain_of_dynamic_size_needs_two_buffers() -> None:
    x = np.linspace(0, 1, 5, dtype="f4")
    stats: list[jit.Stats] = []
    plain = (
        "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline,"
        "optimize-allocation-liveness"
    )
    reuse = f"{plain},reuse-freed-buffers"
    for passes in (plain, reuse, f"{plain},plan-memory", "bufferization-pipeline"):
        module = jit.compile(CHAIN, f"{passes},lower-to-llvm-pipeline", count=True)
        module.reset_stats()
        np.testing.assert_allclose(
            module["main"](x.copy()), (np.exp(x) + x) * x - x, rtol=1e-5
        )
        stats.append(module.stats())
    assert [counted.allocations for counted in stats] == [4, 2, 2, 2]
    assert len({counted.peak_bytes for counted in stats}) == 1


@pytest.mark.parametrize(
    ("between", "sizes", "type_", "left"),
    [
        ("", "%n", "memref<?xf32>", 1),
        ("memref.copy %x, %x : memref<?xf32> to memref<?xf32>", "%n", "memref<?xf32>", 1),
        # Another size, type or alignment.
        ("", "%m", "memref<?xf32>", 2),
        ("", "%n", "memref<?xi32>", 2),
        ("", "%n", "memref<?xf32, 1>", 2),
        # The peak would be higher.
        ("%2 = memref.alloc() : memref<9xf32>", "%n", "memref<?xf32>", 3),
        ("call @unknown() : () -> ()", "%n", "memref<?xf32>", 1),
        ("call @allocating(%n) : (index) -> ()", "%n", "memref<?xf32>", 3),
        (
            "scf.if %c { %2 = memref.alloc(%m) : memref<?xf32> }",
            "%n",
            "memref<?xf32>",
            3,
        ),
    ],
)
def test_what_is_reused(between: str, sizes: str, type_: str, left: int) -> None:
    _, module = parse(
        f"""
        func.func private @unknown()
        func.func @allocating(%n: index) {{
          CALLEE
          return
        }}
        func.func @f(%x: memref<?xf32>, %n: index, %m: index, %c: i1) {{
          %0 = memref.alloc(%n) : memref<?xf32>
          memref.copy %x, %0 : memref<?xf32> to memref<?xf32>
          memref.dealloc %0 : memref<?xf32>
          {between}
          %1 = memref.alloc({sizes}) : {type_}
          memref.copy %1, %1 : {type_} to {type_}
          memref.dealloc %1 : {type_}
          return
        }}
        """.replace(
            "CALLEE",
            "%0 = memref.alloc(%n) : memref<?xf32>" if "@allocating" in between else "",
        )
    )
    plan_memory(module)
    module.verify()
    ops = list(module.walk())
    allocs = [op for op in ops if isinstance(op, memref.AllocOp)]
    assert len(allocs) == left
    frees = [op for op in ops if isinstance(op, memref.DeallocOp)]
    assert len(frees) == (1 if left == 1 else 2)


def allocations_and_frees(body: str) -> tuple[int, int]:
    """Return how many are left of a function after plan-memory."""
    _, module = parse(
        f"""
        func.func @f(%x: memref<?xf32>, %n: index, %m: index, %c: i1) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          {body}
          return
        }}
        """
    )
    plan_memory(module)
    module.verify()
    assert not verify_deallocation(module).wrong
    ops = list(module.walk())
    return (
        sum(isinstance(op, memref.AllocOp) for op in ops),
        sum(isinstance(op, memref.DeallocOp) for op in ops),
    )


def buffer(name: str, size: str = "%n") -> str:
    """Return an allocation that is used and freed."""
    return f"""
    {name} = memref.alloc({size}) : memref<?xf32>
    memref.copy %x, {name} : memref<?xf32> to memref<?xf32>
    memref.dealloc {name} : memref<?xf32>
    """


@pytest.mark.parametrize(
    ("body", "left"),
    [
        # Branches: one buffer, freed in both.
        (f"scf.if %c {{ {buffer('%1')} }} else {{ {buffer('%2')} }}", (1, 2)),
        (f"scf.if %c {{ {buffer('%1')} }}", (1, 1)),
        (f"scf.if %c {{ {buffer('%1')} {buffer('%2', '%m')} }}", (2, 3)),
        (f"scf.if %c {{ scf.if %c {{ {buffer('%1')} }} }}", (1, 2)),
        ("scf.if %c { " + buffer("%1", "%m") + " }", (2, 2)),
        ("scf.if %c { " + buffer("%1", "%m") + buffer("%2") + " }", (3, 3)),
        # Loops: it is freed after them.
        (f"scf.for %i = %c0 to %m step %c1 {{ {buffer('%1')} }}", (1, 1)),
        (f"scf.for %i = %c0 to %m step %c1 {{ {buffer('%1')} }} {buffer('%2')}", (1, 1)),
        (f"scf.for %i = %c0 to %m step %c1 {{ {buffer('%1', '%i')} }}", (2, 2)),
        (
            f"scf.for %i = %c0 to %m step %c1 {{ {buffer('%1')} {buffer('%2', '%m')} }}",
            (3, 3),
        ),
        # Parallel iterations have a buffer each.
        (f"scf.parallel (%i) = (%c0) to (%m) step (%c1) {{ {buffer('%1')} }}", (2, 2)),
    ],
)
def test_what_is_reused_in_regions(body: str, left: tuple[int, int]) -> None:
    assert allocations_and_frees(buffer("%0") + body) == left


BRANCHES = """
func.func @main(%x: memref<?xf32>, %c: i1, %n: index) {
  %0 = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%0 : memref<?xf32>)
  memref.copy %0, %x : memref<?xf32> to memref<?xf32>
  memref.dealloc %0 : memref<?xf32>
  %r = scf.if %c -> memref<?xf32> {
    %1 = memref.alloc(%n) : memref<?xf32>
    linalg.negf ins(%x : memref<?xf32>) outs(%1 : memref<?xf32>)
    scf.yield %1 : memref<?xf32>
  } else {
    %m = arith.addi %n, %n : index
    %2 = memref.alloc(%m) : memref<?xf32>
    %3 = memref.subview %2[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
    linalg.abs ins(%x : memref<?xf32>) outs(%3 : memref<?xf32, strided<[1]>>)
    scf.yield %2 : memref<?xf32>
  }
  %4 = memref.subview %r[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  memref.copy %4, %x : memref<?xf32, strided<[1]>> to memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  return
}
"""


def test_a_buffer_that_a_branch_yields() -> None:
    """It outlives the branch; the other branch frees the first one and makes its own."""
    x = np.linspace(0, 1, 5, dtype="f4")
    stats: list[list[jit.Stats]] = []
    for plan in (False, True):
        module = jit.compile(
            BRANCHES, "plan-memory," * plan + "lower-to-llvm-pipeline", count=True
        )
        stats.append([])
        for condition in (True, False):
            module.reset_stats()
            result = x.copy()
            module["main"](result, condition, 5)
            np.testing.assert_allclose(
                result, -np.exp(x) if condition else np.exp(x), rtol=1e-5
            )
            stats[-1].append(module.stats())
    for before, after, made in zip(*stats, (1, 2), strict=True):
        assert (before.allocations, after.allocations) == (2, made)
        assert (after.frees, after.invalid_frees) == (made, 0)
        assert after.peak_bytes <= before.peak_bytes


LOOP = """
func.func @main(%x: i32, %n: index) -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<48xi32>
  memref.store %x, %a[%c0] : memref<48xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<48xi32>) {{
    {before}
    %new = memref.alloc() : memref<48xi32>
    %y = memref.load %old[%c0] : memref<48xi32>
    memref.store %y, %new[%c0] : memref<48xi32>
    memref.dealloc %old : memref<48xi32>
    {after}
    scf.yield %new : memref<48xi32>
  }}
  %z = memref.load %r[%c0] : memref<48xi32>
  memref.dealloc %r : memref<48xi32>
  return %z : i32
}}
"""


def _temporary(size: int) -> str:
    return f"""
    %t = memref.alloc() : memref<{size}xi32>
    memref.store %x, %t[%c0] : memref<{size}xi32>
    memref.dealloc %t : memref<{size}xi32>
    """


@pytest.mark.parametrize(
    ("before", "after", "allocations"),
    [
        ("", "", 2),
        # The buffer is not kept beside the temporary one, nor is this allocated earlier.
        (_temporary(400), "", 7),
        (_temporary(40), "", 7),
        ("", _temporary(40), 7),
        # It becomes the new buffer.
        ("", _temporary(48), 2),
    ],
)
def test_the_peak_of_a_loop_stays_the_same(
    before: str, after: str, allocations: int
) -> None:
    text = LOOP.format(before=before, after=after)
    stats: list[jit.Stats] = []
    for passes in ("", "hoist-loop-allocations,", "reuse-freed-buffers,", "both"):
        if passes == "both":
            passes = "hoist-loop-allocations,reuse-freed-buffers,"
        module = jit.compile(text, f"{passes}lower-to-llvm-pipeline", count=True)
        module.reset_stats()
        assert module["main"](7, 3) == 7
        stats.append(module.stats())
    assert all(counted.peak_bytes <= stats[0].peak_bytes for counted in stats)
    assert all(counted.leaked_bytes == 0 for counted in stats)
    assert stats[-1].allocations == allocations
