"""plan-memory: what it plans, what it computes, and what it refuses."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from tests.execution.harness import aligned_bytes, call, check, random
from xdsl_bufferization import jit, planner
from xdsl_bufferization.analysis.live_ranges import LiveRanges
from xdsl_bufferization.dialects import func, memref
from xdsl_bufferization.jit.signature import Buffer
from xdsl_bufferization.pipelines import BufferizationPipeline
from xdsl_bufferization.programs import program
from xdsl_bufferization.transforms import plan_memory as plan_memory_module
from xdsl_bufferization.transforms.plan_memory import (
    FunctionPlan,
    plan_memory,
    read_capacities,
)
from xdsl_bufferization.transforms.verify_memory_plan import verify_memory_plan
from xdsl_bufferization.universe import new_context

BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},"
    "buffer-deallocation-pipeline"
)
LAYERS = """
func.func @main(%x: tensor<64xf32>, %c: i1, %n: index) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.negf ins(%0 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %2 = linalg.exp ins(%1 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %3 = scf.if %c -> tensor<64xf32> {
    %4 = linalg.exp ins(%2 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %5 = linalg.add ins(%4, %1 : tensor<64xf32>, tensor<64xf32>)
      outs(%e : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %5 : tensor<64xf32>
  } else {
    scf.yield %2 : tensor<64xf32>
  }
  %6 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %3) -> (tensor<64xf32>) {
    %7 = linalg.negf ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %8 = linalg.add ins(%7, %2 : tensor<64xf32>, tensor<64xf32>)
      outs(%e : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %8 : tensor<64xf32>
  }
  %9 = linalg.add ins(%6, %6 : tensor<64xf32>, tensor<64xf32>)
    outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %9 : tensor<64xf32>
}
"""


def layers(x: np.ndarray, condition: bool, count: int) -> np.ndarray:
    negative = -np.exp(x)
    second = np.exp(negative)
    result = np.exp(second) + negative if condition else second
    for _ in range(count):
        result = second - result
    return result + result


def parse(text: str) -> ModuleOp:
    module = Parser(new_context(), text).parse_module()
    module.verify()
    return module


def planned(text: str, **options: object) -> list[FunctionPlan]:
    module = parse(text)
    plans = plan_memory(module, **options)  # pyright: ignore[reportArgumentType]
    module.verify()
    return plans


# Execution.


@pytest.mark.parametrize(
    "options", ["", "{arena=stack}", "{alignment=4}", "{search-steps=0}"]
)
@pytest.mark.parametrize(("condition", "count"), [(True, 3), (False, 2), (True, 0)])
def test_planned_code_computes_the_same(
    options: str, condition: bool, count: int
) -> None:
    x = random(64)
    pipeline = f"{BUFFERIZE},plan-memory{options},lower-to-llvm-pipeline"
    want = layers(x, condition, count)
    check(LAYERS, [x.copy(), condition, count], want, pipeline=pipeline)


@pytest.mark.parametrize("arena", ["allocate", "argument", "stack"])
@pytest.mark.parametrize("element", ["i96", "i128", "i200", "f80", "f128"])
def test_wide_elements_are_planned(element: str, arena: str) -> None:
    """Two buffers that are live together, and a third one that shares the first one's
    bytes."""
    is_float = element.startswith("f")
    to, back = ("extf", "truncf") if is_float else ("fptosi", "sitofp")
    add = "addf" if is_float else "addi"
    text = f"""
    func.func @main(%x: memref<5xf64>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %a = memref.alloc() : memref<5x{element}>
      %b = memref.alloc() : memref<5x{element}>
      scf.for %i = %c0 to %c5 step %c1 {{
        %0 = memref.load %x[%i] : memref<5xf64>
        %1 = arith.{to} %0 : f64 to {element}
        memref.store %1, %a[%i] : memref<5x{element}>
        %2 = arith.{add} %1, %1 : {element}
        memref.store %2, %b[%i] : memref<5x{element}>
      }}
      scf.for %i = %c0 to %c5 step %c1 {{
        %0 = memref.load %a[%i] : memref<5x{element}>
        %1 = memref.load %b[%i] : memref<5x{element}>
        %2 = arith.{add} %0, %1 : {element}
        memref.store %2, %b[%i] : memref<5x{element}>
      }}
      memref.dealloc %a : memref<5x{element}>
      %c = memref.alloc() : memref<5x{element}>
      memref.copy %b, %c : memref<5x{element}> to memref<5x{element}>
      memref.dealloc %b : memref<5x{element}>
      scf.for %i = %c0 to %c5 step %c1 {{
        %0 = memref.load %c[%i] : memref<5x{element}>
        %1 = arith.{back} %0 : {element} to f64
        memref.store %1, %x[%i] : memref<5xf64>
      }}
      memref.dealloc %c : memref<5x{element}>
      return
    }}
    """
    (plan,) = planned(text, arena=arena)
    bytes_ = 32 if element == "i200" else 16
    assert plan.height == plan.lower_bound == 2 * 5 * bytes_
    passes = f"plan-memory{{arena={arena}}},verify-memory-plan,lower-to-llvm-pipeline"
    x = np.array([-3.0, 0.0, 2.0, 5.0, 1e9])
    module = jit.compile(text, passes)
    arenas = [aligned_bytes(each.bytes, each.alignment) for each in module.main.arenas]
    expected = 3 * x
    module.main(x, *arenas)
    np.testing.assert_array_equal(x, expected)


VECTORS = """
func.func private @inner(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xvector<4xf32>>
  %b = memref.alloc() : memref<3xvector<4xf32>>
  %v = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
  memref.store %v, %a[%c0] : memref<1xvector<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %w = memref.load %a[%c0] : memref<1xvector<4xf32>>
    %two = arith.addf %w, %w : vector<4xf32>
    memref.store %two, %b[%i] : memref<3xvector<4xf32>>
  }
  %last = arith.subi %n, %c1 : index
  %d = memref.alloc() : memref<3xvector<4xf32>>
  memref.copy %b, %d : memref<3xvector<4xf32>> to memref<3xvector<4xf32>>
  %u = memref.load %d[%last] : memref<3xvector<4xf32>>
  vector.store %u, %x[%c0] : memref<4xf32>, vector<4xf32>
  memref.dealloc %a : memref<1xvector<4xf32>>
  memref.dealloc %b : memref<3xvector<4xf32>>
  memref.dealloc %d : memref<3xvector<4xf32>>
  return
}
func.func @main(%x: memref<4xf32>, %n: index) {
  call @inner(%x, %n) : (memref<4xf32>, index) -> ()
  return
}
"""


@pytest.mark.parametrize("alignment", [0, 1, 4, 16])
def test_an_arena_on_the_stack_states_its_alignment(alignment: int) -> None:
    """LLVM does not align bytes on the stack, and stores vectors at multiples of 16."""
    module = parse(VECTORS)
    plan_memory(module, alignment=alignment, arena="stack")
    (arena,) = (op for op in module.walk() if isinstance(op, memref.AllocaOp))
    assert arena.alignment is not None
    assert arena.alignment.value.data == max(alignment, 16)


def test_vectors_in_an_arena_on_the_stack() -> None:
    """The callee's vectors are in a part of the caller's arena."""
    x = np.arange(4, dtype="f4")
    check(VECTORS, [x, 2], pipeline="plan-memory{arena=stack},lower-to-llvm-pipeline")
    np.testing.assert_array_equal(x, np.arange(4) * 2)


def test_an_arena_that_moves_to_the_stack() -> None:
    """Bytes that are viewed as vectors keep the alignment that malloc gave them."""
    inner, _ = VECTORS.replace("private ", "").replace("<3x", "<2x").split("func.func @m")
    program = f"""{inner}
    func.func @main(%x: memref<4xf32>, %n: index) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {{
        func.call @inner(%x, %n) : (memref<4xf32>, index) -> ()
      }}
      return
    }}
    """
    x = np.arange(4, dtype="f4")
    passes = "plan-memory,promote-repeated-allocations{max-alloc-size-in-bytes=512}"
    have = check(program, [x, 2], pipeline=f"{passes},lower-to-llvm-pipeline")
    np.testing.assert_array_equal(x, np.arange(4) * 4)
    assert have.allocations == 0


def test_peak_and_allocations_fall() -> None:
    x = random(64)
    arguments = [x, True, 3]
    want = layers(x, True, 3)
    before = check(
        LAYERS, arguments, want, pipeline=f"{BUFFERIZE},lower-to-llvm-pipeline"
    )
    after = check(
        LAYERS,
        arguments,
        want,
        pipeline=f"{BUFFERIZE},plan-memory,lower-to-llvm-pipeline",
    )
    assert after.peak_bytes <= before.peak_bytes
    assert after.allocations < before.allocations


def test_an_arena_argument_leaves_no_allocation() -> None:
    program = """
    func.func private @inner(%x: memref<32xf32>) {
      %0 = memref.alloc() : memref<32xf32>
      linalg.exp ins(%x : memref<32xf32>) outs(%0 : memref<32xf32>)
      linalg.negf ins(%0 : memref<32xf32>) outs(%x : memref<32xf32>)
      memref.dealloc %0 : memref<32xf32>
      return
    }
    func.func @main(%x: memref<32xf32>) {
      %0 = memref.alloc() : memref<32xf32>
      linalg.exp ins(%x : memref<32xf32>) outs(%0 : memref<32xf32>)
      call @inner(%0) : (memref<32xf32>) -> ()
      linalg.negf ins(%0 : memref<32xf32>) outs(%x : memref<32xf32>)
      memref.dealloc %0 : memref<32xf32>
      return
    }
    """
    (inner, main) = planned(program, arena="argument")
    assert (inner.height, main.height) == (128, 256)
    pipeline = "plan-memory{arena=argument},lower-to-llvm-pipeline"
    module = jit.compile(program, pipeline, count=True)
    x = random(32)
    want = np.exp(np.exp(x))
    module.reset_stats()
    module["main"](x, aligned_bytes(main.height, 16))
    assert module.stats().allocations == 0
    np.testing.assert_allclose(x, want, rtol=1e-5)


def test_a_static_network_with_an_arena_argument_allocates_nothing() -> None:
    """Neither for what it computes nor, through parameters, for its results."""
    text = """
    func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x8xf32>
      %0 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)
        -> tensor<8x8xf32>
      %1 = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %2 = linalg.matmul ins(%0, %x : tensor<8x8xf32>, tensor<8x8xf32>)
        outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
      %3 = linalg.add ins(%2, %0 : tensor<8x8xf32>, tensor<8x8xf32>)
        outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      return %3 : tensor<8x8xf32>
    }
    """
    pipeline = (
        "bufferization-pipeline,"
        "buffer-results-to-out-params{hoist-static-allocs modify-public-functions},"
        "plan-memory{arena=argument},lower-to-llvm-pipeline"
    )
    module = jit.compile(text, pipeline, count=True)
    x = 0.1 * random(8, 8)
    result = np.empty_like(x)
    arena = module["main"].signature.parameters[-1]
    assert isinstance(arena, Buffer)
    module.reset_stats()
    module["main"](x, result, aligned_bytes(arena.shape[0] or 0, arena.alignment))
    assert module.stats().allocations == 0
    np.testing.assert_allclose(result, np.exp(x) @ x + np.exp(x), rtol=1e-4)


def test_the_jit_plans_what_a_pipeline_leaves() -> None:
    text = """
    func.func @main(%x: tensor<64xf32>) -> f32 {
      %c0 = arith.constant 0 : index
      %e = tensor.empty() : tensor<64xf32>
      %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>)
        -> tensor<64xf32>
      %1 = linalg.add ins(%0, %x : tensor<64xf32>, tensor<64xf32>)
        outs(%e : tensor<64xf32>) -> tensor<64xf32>
      %2 = linalg.sub ins(%1, %0 : tensor<64xf32>, tensor<64xf32>)
        outs(%e : tensor<64xf32>) -> tensor<64xf32>
      %y = tensor.extract %2[%c0] : tensor<64xf32>
      return %y : f32
    }
    """
    x = random(64)
    for pipeline in (None, f"{BUFFERIZE},lower-to-llvm-pipeline"):
        module = jit.compile(text, pipeline, count=True, plan_memory=True)
        module.reset_stats()
        np.testing.assert_allclose(module["main"](x), x[0], rtol=1e-5)
        assert module.stats().allocations == 1


@pytest.mark.parametrize(
    "pipeline",
    [
        BufferizationPipeline(arena="argument"),
        BufferizationPipeline(stack_limit=1),
        BufferizationPipeline(search_steps=5),
    ],
)
def test_options_of_a_plan_that_is_not_made_are_refused(
    pipeline: BufferizationPipeline,
) -> None:
    with pytest.raises(PassFailedException, match="add the option plan-memory"):
        pipeline.apply(new_context(), parse(LAYERS))


@pytest.mark.parametrize("given", [100, "100", (100,), ("100",)])
def test_a_capacity_from_python_need_not_be_a_list_of_texts(given: Any) -> None:
    assert read_capacities(given) == {"": 100}


def test_a_warning_as_an_error_is_a_diagnostic() -> None:
    plan = BufferizationPipeline(plan_memory=True, capacity=("7:5",))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(PassFailedException, match="no memory space '7'") as found:
            plan.apply(new_context(), parse(LAYERS))
    assert isinstance(found.value, UserWarning)


# What is planned.


def test_a_plan_that_needs_more_is_not_made() -> None:
    """The arena would be there while the other branch runs as well, where less is
    needed; one that the caller has to give is no allocation."""
    text = """
    func.func @f(%x: memref<8xf32>, %c: i1) {
      scf.if %c {
        %0 = memref.alloc() : memref<8xf32>
        memref.copy %x, %0 : memref<8xf32> to memref<8xf32>
        memref.copy %0, %x : memref<8xf32> to memref<8xf32>
        memref.dealloc %0 : memref<8xf32>
      } else {
        %0 = memref.alloc() : memref<16xf32>
        %1 = memref.subview %0[8] [8] [1]
          : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
        memref.copy %x, %1 : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
        memref.copy %1, %x : memref<8xf32, strided<[1], offset: 8>> to memref<8xf32>
        memref.dealloc %0 : memref<16xf32>
      }
      return
    }
    """
    assert planned(text) == []
    (plan,) = planned(text, arena="argument")
    assert (plan.height, plan.before, plan.buffers) == (64, 64, 2)


def test_a_branch_that_may_not_run_has_an_arena_of_its_own() -> None:
    """Its buffers need more than those around it, which all runs have."""
    inner, outer = planned("""
    func.func @f(%x: memref<8xf32>, %c: i1) {
      %0 = memref.alloc() : memref<8xf32>
      memref.copy %x, %0 : memref<8xf32> to memref<8xf32>
      %1 = memref.alloc() : memref<8xf32>
      memref.copy %0, %1 : memref<8xf32> to memref<8xf32>
      memref.copy %1, %x : memref<8xf32> to memref<8xf32>
      memref.dealloc %0 : memref<8xf32>
      memref.dealloc %1 : memref<8xf32>
      scf.if %c {
        %2 = memref.alloc() : memref<32xf32>
        linalg.exp ins(%2 : memref<32xf32>) outs(%2 : memref<32xf32>)
        %3 = memref.alloc() : memref<32xf32>
        linalg.exp ins(%3 : memref<32xf32>) outs(%3 : memref<32xf32>)
        memref.dealloc %2 : memref<32xf32>
        memref.dealloc %3 : memref<32xf32>
      }
      return
    }
    """)[::-1]
    assert (outer.height, outer.buffers) == (64, 2)
    assert (inner.height, inner.buffers) == (128, 2)


def test_blocks_and_branches() -> None:
    """In a loop of blocks, the buffer of the first block is live around the cycle; those
    that only one block has share memory."""
    (plan,) = planned("""
    func.func @f(%x: memref<4xi64>, %c: i1) {
      %0 = memref.alloc() : memref<4xi64>
      memref.copy %x, %0 : memref<4xi64> to memref<4xi64>
      cf.br ^one
    ^one:
      %1 = memref.alloc() : memref<4xi64>
      memref.copy %0, %1 : memref<4xi64> to memref<4xi64>
      memref.copy %1, %x : memref<4xi64> to memref<4xi64>
      memref.dealloc %1 : memref<4xi64>
      cf.br ^two
    ^two:
      %2 = memref.alloc() : memref<4xi64>
      memref.copy %x, %2 : memref<4xi64> to memref<4xi64>
      memref.copy %2, %x : memref<4xi64> to memref<4xi64>
      memref.dealloc %2 : memref<4xi64>
      cf.cond_br %c, ^one, ^end
    ^end:
      memref.dealloc %0 : memref<4xi64>
      return
    }
    """)
    assert (plan.height, plan.buffers) == (64, 3)


def test_what_is_freed_under_another_name_is_planned() -> None:
    """The dealloc frees one of two buffers; both are planned, or none."""
    text = """
    func.func @f(%x: memref<4xi64>, %c: i1, %y: memref<4xi64>) {
      %0 = memref.alloc() : memref<4xi64>
      %1 = memref.alloc() : memref<4xi64>
      memref.copy %x, %0 : memref<4xi64> to memref<4xi64>
      memref.copy %x, %1 : memref<4xi64> to memref<4xi64>
      %2 = arith.select %c, %0, OTHER : memref<4xi64>
      memref.copy %2, %x : memref<4xi64> to memref<4xi64>
      memref.dealloc %2 : memref<4xi64>
      return
    }
    """
    assert [p.buffers for p in planned(text.replace("OTHER", "%1"))] == [2]
    # %1 is never freed, so that nothing depends on it; but it has no other to share with.
    assert planned(text.replace("OTHER", "%y")) == []
    (plan,) = planned(text.replace("OTHER", "%y"), arena="argument")
    assert plan.buffers == 1


def test_a_recursive_function_allocates_its_arena() -> None:
    text = """
    func.func private @f(%x: memref<4xi64>, %c: i1) {
      %0 = memref.alloc() : memref<4xi64>
      memref.copy %x, %0 : memref<4xi64> to memref<4xi64>
      scf.if %c {
        %false = arith.constant false
        func.call @f(%0, %false) : (memref<4xi64>, i1) -> ()
      }
      memref.copy %0, %x : memref<4xi64> to memref<4xi64>
      memref.dealloc %0 : memref<4xi64>
      return
    }
    """
    module = parse(text)
    plan_memory(module)
    module.verify()
    function = next(op for op in module.ops if isinstance(op, func.FuncOp))
    assert len(function.body.blocks[0].args) == 2


@pytest.mark.parametrize("options", [{"capacity": {"": 32}}, {"arena": "argument"}])
def test_what_nothing_branches_to_takes_no_memory(options: dict[str, object]) -> None:
    text = """
    func.func @main(%x: memref<4xi64>) {
      %0 = memref.alloc() : memref<4xi64>
      memref.copy %x, %0 : memref<4xi64> to memref<4xi64>
      memref.copy %0, %x : memref<4xi64> to memref<4xi64>
      memref.dealloc %0 : memref<4xi64>
      return
    ^never:
      %1 = memref.alloc() : memref<400xi64>
      scf.execute_region {
        %2 = memref.alloc() : memref<100xi64>
        "test.op"(%1, %2) : (memref<400xi64>, memref<100xi64>) -> ()
        memref.dealloc %2 : memref<100xi64>
        scf.yield
      }
      memref.dealloc %1 : memref<400xi64>
      cf.br ^never
    }
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plans = planned(text, **options)
    assert [plan.height for plan in plans] in ([], [32])


def test_what_calls_a_recursive_function_takes_an_arena() -> None:
    """Only what may be called again while it runs allocates its arena itself."""
    text = """
    func.func private @count(%n: i64) {
      %c1 = arith.constant 1 : i64
      %c = arith.cmpi sgt, %n, %c1 : i64
      scf.if %c {
        %m = arith.subi %n, %c1 : i64
        func.call @count(%m) : (i64) -> ()
      }
      return
    }
    func.func private @layer(%x: memref<4xi64>, %n: i64) {
      %0 = memref.alloc() : memref<4xi64>
      memref.copy %x, %0 : memref<4xi64> to memref<4xi64>
      func.call @count(%n) : (i64) -> ()
      memref.copy %0, %x : memref<4xi64> to memref<4xi64>
      memref.dealloc %0 : memref<4xi64>
      return
    }
    func.func @main(%x: memref<4xi64>, %n: i64) {
      func.call @layer(%x, %n) : (memref<4xi64>, i64) -> ()
      func.call @layer(%x, %n) : (memref<4xi64>, i64) -> ()
      return
    }
    """
    module = parse(text)
    plans = plan_memory(module, arena="argument")
    module.verify()
    assert [(plan.function, plan.height) for plan in plans] == [
        ("layer", 32),
        ("main", 32),
    ]
    assert not [op for op in module.walk() if isinstance(op, memref.AllocOp)]
    assert verify_memory_plan(module) == []


@pytest.mark.parametrize(
    ("use", "is_kept"),
    [
        ('"test.op"(%0) : (memref<4xi64>) -> ()', True),
        ("call @free(%0) : (memref<4xi64>) -> ()", True),
        ("call @pass_on(%0) : (memref<4xi64>) -> ()", True),
        ("call @free_later(%0, %n) : (memref<4xi64>, index) -> ()", True),
        ("call @pass_on_later(%0, %n) : (memref<4xi64>, index) -> ()", True),
        ("call @store(%0, %z) : (memref<4xi64>, memref<memref<4xi64>>) -> ()", True),
        ("call @fill(%0, %y) : (memref<4xi64>, memref<2xmemref<4xi64>>) -> ()", True),
        ("%p = call @pointer(%0) : (memref<4xi64>) -> i64", True),
        ("call @unknown(%0) : (memref<4xi64>) -> ()", True),
        ("call @indirect(%0) : (memref<4xi64>) -> ()", True),
        (
            "%g = func.constant @passed : (memref<4xi64>) -> ()\n"
            "func.call_indirect %g(%0) : (memref<4xi64>) -> ()",
            True,
        ),
        ("call @read(%0) : (memref<4xi64>) -> ()", False),
        ("%l = call @clone(%0) : (memref<4xi64>) -> memref<4xi64>", False),
        ("call @external(%0) : (memref<4xi64>) -> ()", False),
        ("memref.store %0, %z[] : memref<memref<4xi64>>", True),
        ("affine.store %0, %y[1] : memref<2xmemref<4xi64>>", True),
        ("%t = bufferization.to_tensor %0 : memref<4xi64> to tensor<4xi64>", True),
        (
            "%d = builtin.unrealized_conversion_cast %0 : memref<4xi64> to "
            "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>",
            True,
        ),
        ("%d = builtin.unrealized_conversion_cast %0 : memref<4xi64> to !llvm.ptr", True),
        (
            "memref.dma_start %0[%n], %x[%n], %n, %tag[%n] : memref<4xi64>, "
            "memref<4xi64>, memref<1xi32>",
            True,
        ),
        (
            "linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], "
            'iterator_types = ["parallel"]} outs(%y : memref<2xmemref<4xi64>>) {\n'
            "^bb0(%o: memref<4xi64>):\n linalg.yield %0 : memref<4xi64>\n}",
            True,
        ),
        ("%l = memref.load %0[%n] : memref<4xi64>", False),
    ],
)
def test_what_may_be_kept_is_not_planned(use: str, is_kept: bool) -> None:
    context = new_context()
    context.allow_unregistered = True
    module = Parser(
        context,
        f"""
        func.func private @free(%x: memref<4xi64>) {{
          memref.dealloc %x : memref<4xi64>
          return
        }}
        func.func private @pass_on(%x: memref<4xi64>) {{
          call @free(%x) : (memref<4xi64>) -> ()
          return
        }}
        func.func private @pass_on_later(%x: memref<4xi64>, %n: index) {{
          call @free_later(%x, %n) : (memref<4xi64>, index) -> ()
          return
        }}
        func.func private @free_later(%x: memref<4xi64>, %n: index) {{
          %c1 = arith.constant 1 : index
          %is_last = arith.cmpi eq, %n, %c1 : index
          scf.if %is_last {{
            memref.dealloc %x : memref<4xi64>
          }} else {{
            %m = arith.subi %n, %c1 : index
            func.call @free_later(%x, %m) : (memref<4xi64>, index) -> ()
          }}
          return
        }}
        func.func private @store(%x: memref<4xi64>, %z: memref<memref<4xi64>>) {{
          affine.store %x, %z[] : memref<memref<4xi64>>
          return
        }}
        func.func private @fill(%x: memref<4xi64>, %z: memref<2xmemref<4xi64>>) {{
          linalg.generic {{
            indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]
          }} outs(%z : memref<2xmemref<4xi64>>) {{
          ^bb0(%o: memref<4xi64>):
            linalg.yield %x : memref<4xi64>
          }}
          return
        }}
        func.func private @pointer(%x: memref<4xi64>) -> i64 {{
          %0 = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
          %1 = arith.index_cast %0 : index to i64
          return %1 : i64
        }}
        func.func private @unknown(%x: memref<4xi64>) {{
          "test.op"(%x) : (memref<4xi64>) -> ()
          return
        }}
        func.func private @passed(%x: memref<4xi64>) {{
          memref.dealloc %x : memref<4xi64>
          return
        }}
        func.func private @indirect(%x: memref<4xi64>) {{
          %g = func.constant @passed : (memref<4xi64>) -> ()
          func.call_indirect %g(%x) : (memref<4xi64>) -> ()
          return
        }}
        func.func private @read(%x: memref<4xi64>) {{
          %c0 = arith.constant 0 : index
          %0 = memref.subview %x[0] [2] [1] : memref<4xi64> to memref<2xi64>
          %1 = memref.load %0[%c0] : memref<2xi64>
          return
        }}
        func.func private @clone(%x: memref<4xi64>) -> memref<4xi64> {{
          %0 = bufferization.clone %x : memref<4xi64> to memref<4xi64>
          return %0 : memref<4xi64>
        }}
        func.func private @external(%x: memref<4xi64>)
        func.func @f(
          %z: memref<memref<4xi64>>, %y: memref<2xmemref<4xi64>>, %x: memref<4xi64>,
          %n: index, %tag: memref<1xi32>
        ) {{
          %0 = memref.alloc() : memref<4xi64>
          {use}
          memref.dealloc %0 : memref<4xi64>
          return
        }}
        """,
    ).parse_module()
    plans = plan_memory(module, arena="argument")
    assert [plan.function for plan in plans] == ([] if is_kept else ["f"])


def test_elements_are_aligned() -> None:
    """LLVM accesses a vector at multiples of its size."""
    text = """
    func.func @f(%x: memref<4xi64>, %v: vector<16xf32>, %i: index) {
      %0 = memref.alloc() : memref<4xi8>
      %1 = memref.alloc() : memref<2xvector<16xf32>>
      %2 = memref.alloc() {alignment = 32 : i64} : memref<4xi8>
      memref.store %v, %1[%i] : memref<2xvector<16xf32>>
      memref.copy %0, %2 : memref<4xi8> to memref<4xi8>
      %w = memref.load %1[%i] : memref<2xvector<16xf32>>
      memref.copy %2, %0 : memref<4xi8> to memref<4xi8>
      return
    }
    """
    for alignment in (0, 8):
        module = parse(text)
        (plan,) = plan_memory(module, alignment=alignment, arena="argument")
        by_size = {(place.size, place.offset) for place in plan.placements}
        (vectors,) = (offset for size, offset in by_size if size == 128)
        assert vectors % 64 == 0
        function = next(op for op in module.ops if isinstance(op, func.FuncOp))
        assert str(function.attributes["arena_alignments"]) == "[64 : i64]"


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        *(("f64", 8), ("i24", 4), ("complex<f32>", 4), ("index", 8), ("i1", 2)),
        *(("i128", 16), ("i200", 16), ("f80", 16), ("complex<i128>", 16)),
        *(("f8E4M3FN", 2), ("f6E2M3FN", 2), ("vector<4xf80>", 64)),
        *(("vector<4x8xf32>", 32), ("vector<8xf8E5M2>", 8)),
    ],
)
def test_an_arena_is_aligned_as_its_elements_are(element: str, expected: int) -> None:
    """A small alignment is not one that LLVM does not expect of an element."""
    module = parse(f"""
    func.func @f(%x: memref<3xi8>, %y: memref<3x{element}>) {{
      %0 = memref.alloc() : memref<3xi8>
      %1 = memref.alloc() : memref<3x{element}>
      memref.copy %x, %0 : memref<3xi8> to memref<3xi8>
      memref.copy %y, %1 : memref<3x{element}> to memref<3x{element}>
      memref.copy %0, %x : memref<3xi8> to memref<3xi8>
      memref.copy %1, %y : memref<3x{element}> to memref<3x{element}>
      memref.dealloc %0 : memref<3xi8>
      memref.dealloc %1 : memref<3x{element}>
      return
    }}
    """)
    (plan,) = plan_memory(module, alignment=2, arena="argument")
    assert all(place.offset % expected == 0 for place in plan.placements[1:])
    function = next(op for op in module.ops if isinstance(op, func.FuncOp))
    assert str(function.attributes["arena_alignments"]) == f"[{expected} : i64]"


def test_a_function_with_an_arena_gets_another() -> None:
    """Its attributes state all of them, in the order of the arguments."""
    module = parse("""
    func.func @f(%x: memref<4xi64>, %arena: memref<24xi8>)
        attributes {arena_bytes = [24 : i64], arena_alignments = [16 : i64]} {
      %0 = memref.alloc() : memref<4xi64>
      memref.copy %x, %0 : memref<4xi64> to memref<4xi64>
      memref.copy %0, %x : memref<4xi64> to memref<4xi64>
      memref.dealloc %0 : memref<4xi64>
      return
    }
    """)
    again = next(op for op in module.ops if isinstance(op, func.FuncOp))
    plan_memory(module, arena="argument")
    assert str(again.attributes["arena_bytes"]) == "[24 : i64, 32 : i64]"
    assert str(again.attributes["arena_alignments"]) == "[16 : i64, 16 : i64]"


@pytest.mark.parametrize(
    "type_", ["memref<4611686018427387904xf64>", "memref<9223372036854775807xi8>"]
)
def test_more_bytes_than_there_are_addresses(type_: str) -> None:
    """Such buffers stay as they are: no arena could have both."""
    text = f"""
    func.func @f(%x: {type_}) {{
      %0 = memref.alloc() : {type_}
      %1 = memref.alloc() : {type_}
      memref.copy %x, %0 : {type_} to {type_}
      memref.copy %x, %1 : {type_} to {type_}
      memref.copy %0, %x : {type_} to {type_}
      memref.dealloc %0 : {type_}
      memref.dealloc %1 : {type_}
      return
    }}
    """
    for arena in ("allocate", "argument"):
        assert planned(text, arena=arena) == []


@pytest.mark.parametrize(
    ("free", "loop"),
    [
        (
            "scf.if %last { memref.dealloc %big : memref<64xf32> }",
            "cf.cond_br %last, ^end, ^loop",
        ),
        (
            "cf.cond_br %last, ^free, ^go_on\n ^free:\n"
            "memref.dealloc %big : memref<64xf32>\n cf.br ^end\n ^go_on:\n",
            "cf.br ^loop",
        ),
    ],
)
def test_what_only_the_last_iteration_frees_is_there_before(free: str, loop: str) -> None:
    """The arena of the loop comes on top of %big, unlike the three bytes there, which
    are fewer with what aligns them."""
    text = f"""
    func.func @f(%x: memref<8xf32>, %last: i1, %v: i8) {{
      %c0 = arith.constant 0 : index
      %big = memref.alloc() : memref<64xf32>
      cf.br ^loop
    ^loop:
      %t = memref.load %big[%c0] : memref<64xf32>
      memref.store %t, %x[%c0] : memref<8xf32>
      {free}
      %0 = memref.alloc() : memref<1xi8>
      %1 = memref.alloc() : memref<1xi8>
      %2 = memref.alloc() : memref<1xi8>
      memref.store %v, %0[%c0] : memref<1xi8>
      memref.copy %0, %1 : memref<1xi8> to memref<1xi8>
      memref.copy %0, %2 : memref<1xi8> to memref<1xi8>
      memref.copy %1, %2 : memref<1xi8> to memref<1xi8>
      memref.dealloc %0 : memref<1xi8>
      memref.dealloc %1 : memref<1xi8>
      memref.dealloc %2 : memref<1xi8>
      {loop}
    ^end:
      return
    }}
    """
    assert not any(plan.buffers >= 3 for plan in planned(text))


# Live ranges.


def test_a_buffer_of_one_branch_is_dead_in_the_other() -> None:
    module = parse("""
    func.func @f(%x: memref<4xi64>, %c: i1) {
      %0 = memref.alloc() : memref<4xi64>
      memref.copy %x, %0 : memref<4xi64> to memref<4xi64>
      scf.if %c {
        memref.copy %x, %x : memref<4xi64> to memref<4xi64>
      } else {
        memref.copy %0, %x : memref<4xi64> to memref<4xi64>
      }
      return
    }
    """)
    function = next(op for op in module.ops if isinstance(op, func.FuncOp))
    with program(module):
        ranges = LiveRanges(function)
        (alloc,) = (op for op in function.walk() if isinstance(op, memref.AllocOp))
        live = ranges.of(alloc.memref)
    unused, used = (
        op
        for op in function.walk()
        if op.name == "memref.copy" and op.parent_op() is not function
    )
    positions = ranges.positions.enter

    def is_live(position: int) -> bool:
        return any(a <= position < b for a, b in live.intervals)

    assert len(live.intervals) == 2
    assert not is_live(positions[alloc])  # nothing is in it yet
    assert not is_live(positions[unused])
    assert is_live(positions[used])
    assert not (live.escapes or live.has_earlier or live.frees)


# Errors.


def test_a_capacity_that_is_too_small_names_the_buffers_at_the_peak() -> None:
    text = """
    func.func @f(%x: memref<16xf32>) {
      %big = memref.alloc() : memref<16xf32>
      %small = memref.alloc() : memref<4xf32>
      %cst = arith.constant 1.0 : f32
      linalg.exp ins(%x : memref<16xf32>) outs(%big : memref<16xf32>)
      linalg.fill ins(%cst : f32) outs(%small : memref<4xf32>)
      linalg.exp ins(%big : memref<16xf32>) outs(%x : memref<16xf32>)
      linalg.exp ins(%small : memref<4xf32>) outs(%small : memref<4xf32>)
      return
    }
    """
    assert planned(text, capacity={"": 80})
    with pytest.raises(PassFailedException) as error:
        planned(text, capacity={"": 79})
    message = str(error.value)
    assert "@f needs 80 bytes, but its capacity is 79" in message
    assert message.index("64 bytes") < message.index("16 bytes")
    assert "memref.alloc() : memref<16xf32>" in message


HELD = """
func.func @f(%x: memref<16xf32>) -> memref<24xf32> {
  %big = memref.alloc() : memref<64xf32>
  linalg.fill ins(%cst : f32) outs(%big : memref<64xf32>)
  memref.dealloc %big : memref<64xf32>
  %small = memref.alloc() : memref<4xf32>
  linalg.fill ins(%cst : f32) outs(%small : memref<4xf32>)
  %result = memref.alloc() : memref<24xf32>
  linalg.fill ins(%cst : f32) outs(%result : memref<24xf32>)
  linalg.fill ins(%cst : f32) outs(%small : memref<4xf32>)
  memref.dealloc %small : memref<4xf32>
  return %result : memref<24xf32>
}
""".replace("{\n", "{\n  %cst = arith.constant 1.0 : f32\n", 1)


def test_a_capacity_gives_no_buffer_a_name_that_it_does_not_have() -> None:
    """The numbers of the source are not known; each op printed alone would be %0."""
    with pytest.raises(PassFailedException, match=r"\n    memref.alloc\(\)"):
        planned(HELD.replace("%big", "%8"), capacity={"": 1})
    with pytest.raises(PassFailedException, match=r"\n    %big = memref\.alloc"):
        planned(HELD, capacity={"": 1})


def test_a_capacity_names_an_arena_that_is_held_where_its_buffers_are_not_live() -> None:
    with pytest.raises(PassFailedException) as error:
        planned(HELD, arena="argument", capacity={"": 300})
    message = str(error.value)
    assert "@f needs 352 bytes, but its capacity is 300" in message
    assert "At the peak, 112 bytes are live" in message
    _, held = message.split(
        "An arena of 256 bytes, which the caller passes, counts as long as the function "
        "runs. Most of it is used where these buffers are live:"
    )
    assert "memref<64xf32>" in held and "memref<4xf32>" not in held


RESULT = """
func.func @f(%x: memref<16xf32>) -> memref<16xf32> {
  %0 = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%0 : memref<16xf32>)
  %1 = memref.alloc() : memref<16xf32>
  linalg.exp ins(%0 : memref<16xf32>) outs(%1 : memref<16xf32>)
  %2 = memref.alloc() : memref<16xf32>
  linalg.exp ins(%1 : memref<16xf32>) outs(%2 : memref<16xf32>)
  memref.dealloc %0 : memref<16xf32>
  memref.dealloc %1 : memref<16xf32>
  return %2 : memref<16xf32>
}
"""
CARRIED = """
func.func @f(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%0 : memref<16xf32>)
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (memref<16xf32>) {
    %2 = memref.alloc() : memref<16xf32>
    linalg.exp ins(%a : memref<16xf32>) outs(%2 : memref<16xf32>)
    memref.dealloc %a : memref<16xf32>
    scf.yield %2 : memref<16xf32>
  }
  linalg.exp ins(%1 : memref<16xf32>) outs(%x : memref<16xf32>)
  memref.dealloc %1 : memref<16xf32>
  return
}
"""
SPACES = """
func.func @f(%x: memref<16xf32>) -> (memref<16xf32>, memref<16xf32, 1>) {
  %0 = memref.alloc() : memref<16xf32>
  %1 = memref.alloc() : memref<16xf32, 1>
  linalg.exp ins(%x : memref<16xf32>) outs(%0 : memref<16xf32>)
  linalg.exp ins(%x : memref<16xf32>) outs(%1 : memref<16xf32, 1>)
  return %0, %1 : memref<16xf32>, memref<16xf32, 1>
}
"""

NAMED = SPACES.replace(", 1>", ', "scratchpad">')


def test_a_capacity_of_a_memory_space_that_is_not_there_is_warned_of() -> None:
    with pytest.warns(UserWarning, match="there is no memory space 'scratchpad'"):
        planned(SPACES, capacity={"scratchpad": 1})


@pytest.mark.parametrize(
    "body",
    [
        "func.call @h(%x) : (memref<8xf32, 1>) -> ()",
        """%r = memref.alloc() : memref<4xf32, 1>
           %s = memref.realloc %r : memref<4xf32, 1> to memref<8xf32, 1>
           memref.dealloc %s : memref<8xf32, 1>""",
    ],
    ids=["call", "realloc"],
)
@pytest.mark.parametrize(
    ("capacity", "is_warned_of"), [({"": 1}, False), ({"1": 999}, True)]
)
def test_ops_that_allocate_in_another_memory_space_do_not_count(
    body: str, capacity: dict[str, int], is_warned_of: bool
) -> None:
    text = f"""
        func.func private @h(%x: memref<8xf32, 1>) {{
          %n = arith.constant 8 : index
          %a = memref.alloc(%n) : memref<?xf32, 1>
          memref.copy %x, %a : memref<8xf32, 1> to memref<?xf32, 1>
          memref.dealloc %a : memref<?xf32, 1>
          return
        }}
        func.func @f(%x: memref<8xf32, 1>, %y: memref<8xf32>) {{
          {body}
          return
        }}
        """
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        planned(text, capacity=capacity, alignment=64)
    assert any("is not known" in str(each.message) for each in given) is is_warned_of


@pytest.mark.parametrize(
    ("text", "space", "needed"),
    [(RESULT, "", 192), (SPACES, "", 64), (SPACES, "1", 64), (NAMED, "scratchpad", 64)],
)
@pytest.mark.parametrize("arena", ["allocate", "argument"])
def test_a_capacity_is_for_buffers_outside_of_arenas_too(
    text: str, space: str, needed: int, arena: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        planned(text, arena=arena, capacity={space: needed})
    with pytest.raises(PassFailedException) as error:
        planned(text, arena=arena, capacity={space: needed - 1})
    message = str(error.value)
    assert f"@f needs {needed} bytes" in message
    assert f"capacity is {needed - 1}" in message
    assert "memref.alloc()" in message


def test_a_capacity_warns_of_what_a_loop_may_need() -> None:
    """Whatever the loop needs, the first iteration needs two buffers."""
    module = jit.compile(CARRIED, "lower-to-llvm-pipeline", count=True)
    module["f"](random(16), 3)
    assert module.stats().peak_bytes == 128
    with pytest.warns(
        UserWarning, match="@f may need 192 bytes, but its capacity is 128"
    ):
        planned(CARRIED, capacity={"": 128})
    planned(CARRIED, capacity={"": 192})
    # It is not surely freed.
    text = CARRIED.replace(
        "    memref.dealloc %a",
        "    %c = arith.cmpi eq, %i, %n : index\n    scf.if %c {\n    memref.dealloc %a",
    ).replace("    scf.yield %2", "    }\n    scf.yield %2")
    with pytest.warns(UserWarning, match="@f may need more than its capacity") as found:
        planned(text, capacity={"": 1 << 30})
    assert "Free each of them in its iteration" in str(found[0].message)


LOOP_IN_CALLEE = """
func.func private @g(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  LOOP {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    memref.dealloc %a : memref<64xf32>
  }
  return
}
func.func @f(%x: memref<64xf32>, %n: index) {
  %0 = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
  call @g(%0, %n) : (memref<64xf32>, index) -> ()
  memref.dealloc %0 : memref<64xf32>
  return
}
"""


def test_a_capacity_counts_what_a_callee_allocates() -> None:
    """One buffer at a time, although in each iteration."""
    text = LOOP_IN_CALLEE.replace("LOOP", "scf.for %i = %c0 to %n step %c1")
    planned(text, capacity={"": 512})
    with pytest.raises(PassFailedException) as error:
        planned(text, capacity={"": 511})
    assert "@f needs 512 bytes, but its capacity is 511" in str(error.value)


def test_a_capacity_warns_of_parallel_iterations_in_a_callee() -> None:
    text = LOOP_IN_CALLEE.replace("LOOP", "scf.forall (%i) in (%n)")
    with pytest.warns(UserWarning) as found:
        planned(text, capacity={"": 1 << 30})
    ours, theirs = (str(each.message) for each in found)
    assert "@g may need more than its capacity" in ours
    assert ours.endswith("\n    iterations around it may run at the same time")
    assert "@f may need more than its capacity, whatever that is" in theirs
    assert "\n    @g allocates a number of bytes that is not known" in theirs


def test_a_capacity_counts_what_a_callee_returns_until_the_caller_returns() -> None:
    text = """
    func.func private @g(%x: memref<64xf32>) -> memref<64xf32> {
      %0 = memref.alloc() : memref<64xf32>
      linalg.exp ins(%x : memref<64xf32>) outs(%0 : memref<64xf32>)
      return %0 : memref<64xf32>
    }
    func.func @f(%x: memref<64xf32>) {
      %0 = call @g(%x) : (memref<64xf32>) -> memref<64xf32>
      %1 = call @g(%0) : (memref<64xf32>) -> memref<64xf32>
      memref.copy %1, %x : memref<64xf32> to memref<64xf32>
      memref.dealloc %0 : memref<64xf32>
      memref.dealloc %1 : memref<64xf32>
      return
    }
    """
    planned(text, capacity={"": 512})
    with pytest.warns(UserWarning, match="@f may need 512 bytes"):
        planned(text, capacity={"": 511})


def test_a_capacity_counts_gaps_of_a_layout() -> None:
    text = """
    func.func @f(%x: memref<4x4xf32>) {
      %0 = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
      memref.copy %x, %0 : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1]>>
      memref.copy %0, %x : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
      memref.dealloc %0 : memref<4x4xf32, strided<[8, 1]>>
      return
    }
    """
    planned(text, capacity={"": 112})
    with pytest.raises(PassFailedException, match="@f needs 112 bytes"):
        planned(text, capacity={"": 111})


@pytest.mark.parametrize(
    "body",
    [
        """
        %0 = memref.alloc(%n) : memref<?xf32>
        memref.dealloc %0 : memref<?xf32>
        """,
        """
        %0 = call @make(%n) : (index) -> memref<?xf32>
        memref.dealloc %0 : memref<?xf32>
        """,
        """
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        scf.for %i = %c0 to %n step %c1 {
          %0 = memref.alloc() : memref<4xf32>
          memref.store %0, %kept[%i] : memref<?xmemref<4xf32>>
        }
        """,
    ],
)
def test_a_capacity_warns_of_what_is_not_known(body: str) -> None:
    text = f"""
    func.func private @make(%n: index) -> memref<?xf32> {{
      %0 = memref.alloc(%n) : memref<?xf32>
      return %0 : memref<?xf32>
    }}
    func.func @f(%n: index, %kept: memref<?xmemref<4xf32>>) {{
      {body}
      return
    }}"""
    with pytest.warns(UserWarning) as found:
        planned(text, capacity={"": 1000})
    assert any("@f may need more than its capacity" in str(w.message) for w in found)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        planned(text)


@pytest.mark.parametrize(
    ("texts", "space"),
    [
        (["100", "200"], "the default memory space"),
        (["1:5", '"1":6'], "memory space 1"),
        (["1:5", "7", "1:5"], "memory space 1"),
    ],
)
def test_a_memory_space_has_one_capacity(texts: list[str], space: str) -> None:
    with pytest.raises(PassFailedException, match=f"capacity is given twice for {space}"):
        read_capacities(texts)


def test_capacities() -> None:
    assert read_capacities(["12", "1:5", "2 : i64:6"]) == {"": 12, "1": 5, "2 : i64": 6}
    with pytest.raises(PassFailedException, match="'many', but must be a number"):
        read_capacities(["many"])


def test_what_is_selected_is_live_from_the_selection_on() -> None:
    """The selected buffer is used after the last use of the two under their names."""
    program = """
    func.func @main(%x: memref<8xf32>, %c: i1) {
      %0 = memref.alloc() : memref<8xf32>
      %1 = memref.alloc() : memref<8xf32>
      linalg.exp ins(%x : memref<8xf32>) outs(%0 : memref<8xf32>)
      linalg.negf ins(%x : memref<8xf32>) outs(%1 : memref<8xf32>)
      %2 = arith.select %c, %0, %1 : memref<8xf32>
      %3 = memref.alloc() : memref<8xf32>
      linalg.exp ins(%x : memref<8xf32>) outs(%3 : memref<8xf32>)
      linalg.add ins(%2, %3 : memref<8xf32>, memref<8xf32>) outs(%x : memref<8xf32>)
      memref.dealloc %0 : memref<8xf32>
      memref.dealloc %1 : memref<8xf32>
      memref.dealloc %3 : memref<8xf32>
      return
    }
    """
    (plan,) = planned(program)
    assert plan.height == 96


def test_few_arenas_are_tried_for_a_long_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every buffer is freed as soon as the next one is there, and the last one is
    returned: any arena would need more. That is found without trying all of them."""
    lines = ["linalg.exp ins(%x : memref<8xf32>) outs(%0 : memref<8xf32>)"]
    for i in range(1, 150):
        lines += [
            f"%{i} = memref.alloc() : memref<8xf32>",
            f"linalg.exp ins(%{i - 1} : memref<8xf32>) outs(%{i} : memref<8xf32>)",
            f"memref.dealloc %{i - 1} : memref<8xf32>",
        ]
    body = "\n".join(["%0 = memref.alloc() : memref<8xf32>", *lines])
    text = (
        f"func.func @f(%x: memref<8xf32>) -> memref<8xf32> {{\n{body}\n"
        "return %149 : memref<8xf32>\n}"
    )
    tried: list[int] = []

    def count(buffers: Sequence[planner.Buffer], steps: int) -> planner.Plan:
        tried.append(len(buffers))
        return planner.plan(buffers, steps)

    monkeypatch.setattr(plan_memory_module, "plan", count)
    assert planned(text) == []
    assert len(tried) <= 25


def test_no_arena_is_planned_where_even_the_least_is_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Loops in loops, each of which may not run, with a buffer at every level. An arena
    that is held from outside of a loop would need more than a run that does not enter
    it."""
    depth = 30
    lines: list[str] = []
    for i in range(depth):
        lines += [
            f"%{i} = memref.alloc() : memref<8xf32>",
            f"linalg.exp ins(%x : memref<8xf32>) outs(%{i} : memref<8xf32>)",
            f"scf.for %i{i} = %c0 to %n step %c1 {{",
        ]
    for i in reversed(range(depth)):
        lines += [
            "}",
            f"linalg.exp ins(%{i} : memref<8xf32>) outs(%x : memref<8xf32>)",
            f"memref.dealloc %{i} : memref<8xf32>",
        ]
    body = "\n".join(lines)
    text = f"""
    func.func @f(%x: memref<8xf32>, %n: index) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      {body}
      return
    }}
    """
    tried: list[int] = []

    def count(buffers: Sequence[planner.Buffer], steps: int) -> planner.Plan:
        tried.append(len(buffers))
        return planner.plan(buffers, steps)

    monkeypatch.setattr(plan_memory_module, "plan", count)
    assert planned(text) == []
    assert sum(tried) <= depth


def test_what_is_freed_where_it_is_not_returned_counts_up_to_the_end() -> None:
    """One of %p and %q is returned, and beside %t there is no room for an arena that
    lives as long as %a."""
    program = """
        func.func @main(%c: i1, %v: i8, %i: index, %n: index) -> (memref<64xi8>, i8) {
          %a = memref.alloc() : memref<64xi8>
          linalg.fill ins(%v : i8) outs(%a : memref<64xi8>)
          %b = memref.alloc() : memref<64xi8>
          memref.copy %a, %b : memref<64xi8> to memref<64xi8>
          %p = memref.alloc() : memref<64xi8>
          memref.copy %b, %p : memref<64xi8> to memref<64xi8>
          %q = memref.alloc() : memref<64xi8>
          memref.copy %b, %q : memref<64xi8> to memref<64xi8>
          memref.dealloc %b : memref<64xi8>
          %r = arith.select %c, %p, %q : memref<64xi8>
          %0 = memref.extract_aligned_pointer_as_index %r : memref<64xi8> -> index
          %1 = memref.extract_aligned_pointer_as_index %p : memref<64xi8> -> index
          %2 = arith.cmpi ne, %0, %1 : index
          scf.if %2 {
            memref.dealloc %p : memref<64xi8>
          }
          %3 = memref.extract_aligned_pointer_as_index %q : memref<64xi8> -> index
          %4 = arith.cmpi ne, %0, %3 : index
          scf.if %4 {
            memref.dealloc %q : memref<64xi8>
          }
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %t = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%v) -> i8 {
            %u = memref.alloc() : memref<128xi8>
            linalg.fill ins(%v : i8) outs(%u : memref<128xi8>)
            %w = memref.load %u[%i] : memref<128xi8>
            %x = memref.load %a[%i] : memref<64xi8>
            %s = arith.addi %w, %x : i8
            memref.dealloc %u : memref<128xi8>
            scf.reduce(%s : i8) {
            ^bb0(%y: i8, %z: i8):
              %sum = arith.addi %y, %z : i8
              scf.reduce.return %sum : i8
            }
          }
          memref.dealloc %a : memref<64xi8>
          return %r, %t : memref<64xi8>, i8
        }
        """
    lower = "lower-to-llvm-pipeline"
    peaks: list[int] = []
    for pipeline in (lower, f"plan-memory,{lower}"):
        compiled = jit.compile(program, pipeline, count=True, opt_level=0)
        peaks.append(call(compiled, "main", (True, 3, 0, 1)).stats.peak_bytes)
    assert peaks[1] <= peaks[0]


def test_what_a_loop_frees_one_iteration_later_counts_twice() -> None:
    """Beside one of the loop's buffers, there would be room for an arena of %a and %b
    that lives as long as %a."""
    program = """
        func.func @main(%v: i8, %i: index, %n: index) -> (memref<8xi8>, memref<8xi8>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %no = arith.constant false
          %yes = arith.constant true
          %kept = memref.alloc() {alignment = 64 : i64} : memref<8xi8>
          linalg.fill ins(%v : i8) outs(%kept : memref<8xi8>)
          %a = memref.alloc() {alignment = 64 : i64} : memref<8xi8>
          memref.copy %kept, %a : memref<8xi8> to memref<8xi8>
          %first = memref.alloc() {alignment = 64 : i64} : memref<8xi8>
          %b = memref.alloc() {alignment = 64 : i64} : memref<8xi8>
          memref.copy %kept, %b : memref<8xi8> to memref<8xi8>
          memref.dealloc %b : memref<8xi8>
          %r, %own = scf.for %k = %c0 to %n step %c1
              iter_args(%old = %first, %free = %no) -> (memref<8xi8>, i1) {
            %new = memref.alloc() : memref<8xi8>
            memref.copy %a, %new : memref<8xi8> to memref<8xi8>
            %base, %o, %s, %t = memref.extract_strided_metadata %old
                : memref<8xi8> -> memref<i8>, index, index, index
            scf.if %free {
              memref.dealloc %base : memref<i8>
            }
            scf.yield %new, %yes : memref<8xi8>, i1
          }
          memref.dealloc %a : memref<8xi8>
          %0 = memref.extract_aligned_pointer_as_index %first : memref<8xi8> -> index
          %1 = memref.extract_aligned_pointer_as_index %r : memref<8xi8> -> index
          %2 = arith.cmpi ne, %0, %1 : index
          scf.if %2 {
            memref.dealloc %first : memref<8xi8>
          }
          return %kept, %r : memref<8xi8>, memref<8xi8>
        }
        """
    lower = "lower-to-llvm-pipeline"
    peaks: list[int] = []
    for pipeline in (lower, f"plan-memory,{lower}"):
        compiled = jit.compile(program, pipeline, count=True, opt_level=0)
        peaks.append(call(compiled, "main", (1, 3, 4)).stats.peak_bytes)
    assert peaks[1] <= peaks[0]


@pytest.mark.parametrize("cast", ["", "%p = arith.index_cast %p0 : index to i64"])
def test_buffers_whose_addresses_are_compared_have_addresses_of_their_own(
    cast: str,
) -> None:
    """Even if the contents of one are no longer needed when the other one is filled."""
    type_ = "i64" if cast else "index"
    other = "%q = arith.index_cast %q0 : index to i64" if cast else ""
    first, second = ("%p", "%q") if cast else ("%p0", "%q0")
    text = f"""
    func.func @main(%x: memref<16xf32>) -> i1 {{
      %a = memref.alloc() : memref<16xf32>
      %p0 = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
      {cast}
      memref.copy %x, %a : memref<16xf32> to memref<16xf32>
      memref.copy %a, %x : memref<16xf32> to memref<16xf32>
      %b = memref.alloc() : memref<16xf32>
      memref.copy %x, %b : memref<16xf32> to memref<16xf32>
      %q0 = memref.extract_aligned_pointer_as_index %b : memref<16xf32> -> index
      {other}
      %e = arith.cmpi eq, {first}, {second} : {type_}
      memref.copy %b, %x : memref<16xf32> to memref<16xf32>
      %c = memref.alloc() : memref<16xf32>
      memref.copy %x, %c : memref<16xf32> to memref<16xf32>
      memref.copy %c, %x : memref<16xf32> to memref<16xf32>
      memref.dealloc %c : memref<16xf32>
      memref.dealloc %b : memref<16xf32>
      memref.dealloc %a : memref<16xf32>
      return %e : i1
    }}
    """
    compiled = jit.compile(text, "plan-memory,lower-to-llvm-pipeline")
    assert not compiled["main"](np.ones(16, "f4"))
