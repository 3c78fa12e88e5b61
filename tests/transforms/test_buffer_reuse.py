"""What plan-memory does where there is no arena: allocations take over freed buffers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracle.tools import parse
from xdsl_bufferization import jit
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.transforms.plan_memory import plan_memory

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
    for plan in (False, True):
        module = jit.compile(
            CHAIN,
            "bufferization-pipeline" + ",plan-memory" * plan + ",lower-to-llvm-pipeline",
            count=True,
        )
        module.reset_stats()
        np.testing.assert_allclose(
            module["main"](x.copy()), (np.exp(x) + x) * x - x, rtol=1e-5
        )
        stats.append(module.stats())
    before, after = stats
    assert (before.allocations, after.allocations) == (4, 2)
    assert after.peak_bytes == before.peak_bytes


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
