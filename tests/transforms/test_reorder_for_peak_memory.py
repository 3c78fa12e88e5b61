"""Reordered programs: the same results in less memory."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.ir import Block, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    traits_def,
)
from xdsl.rewriter import Rewriter
from xdsl.traits import NoTerminator, RecursiveMemoryEffect

from tests.oracle.tools import parse, run_passes
from xdsl_bufferization import jit
from xdsl_bufferization.dialects.effects import BufferEffects
from xdsl_bufferization.transforms.plan_memory import plan_memory
from xdsl_bufferization.transforms.reorder_for_peak_memory import reorder_for_peak_memory

PIPELINE = "bufferization-pipeline{plan-memory reorder-for-peak-memory verify-result}"


def heads(number: int, depth: int = 2) -> str:
    """A sum of independent chains of ops, written one layer after the other."""
    lines = ["func.func @main(%x: tensor<16x8xf64>) -> tensor<8xf64> {"]
    lines += [
        "%zero = arith.constant 0.0 : f64",
        "%e = tensor.empty() : tensor<16x8xf64>",
    ]
    lines += ["%f = tensor.empty() : tensor<8xf64>"]
    for head in range(number):
        lines.append(f"%c{head} = arith.constant {head + 1}.5 : f64")
        lines.append(
            f"%v{head}_0 = linalg.fill ins(%c{head} : f64) outs(%e : tensor<16x8xf64>) "
            "-> tensor<16x8xf64>"
        )
    for layer in range(depth):
        name = ("linalg.mul", "linalg.sub", "linalg.add")[layer % 3]
        lines += [
            f"%v{head}_{layer + 1} = {name} ins(%x, %v{head}_{layer} : tensor<16x8xf64>, "
            "tensor<16x8xf64>) outs(%e : tensor<16x8xf64>) -> tensor<16x8xf64>"
            for head in range(number)
        ]
    lines.append(
        "%sum_0 = linalg.fill ins(%zero : f64) outs(%f : tensor<8xf64>) -> tensor<8xf64>"
    )
    lines += [
        f"%sum_{head + 1} = linalg.reduce {{ arith.addf }} ins(%v{head}_{depth} : "
        f"tensor<16x8xf64>) outs(%sum_{head} : tensor<8xf64>) dimensions = [0]"
        for head in range(number)
    ]
    return "\n".join([*lines, f"return %sum_{number} : tensor<8xf64>", "}"])


def planned(text: str, *, reordered: bool) -> int:
    """Return the bytes that @main allocates at one time after planning."""
    context, module = parse(text)
    run_passes(context, module, "bufferization-pipeline")
    if reordered:
        reorder_for_peak_memory(module)
    (each,) = plan_memory(module)
    return each.after


@pytest.mark.parametrize("number", (5, 12))
@pytest.mark.parametrize("depth", (1, 3))
def test_chains_need_the_memory_of_one(number: int, depth: int):
    text = heads(number, depth)
    assert planned(text, reordered=False) >= number * 16 * 8 * 8
    assert planned(text, reordered=True) <= 3 * 16 * 8 * 8
    x = np.random.default_rng(1).random((16, 8))
    (expected,) = np.atleast_2d(jit.compile(text).main(x.copy()))
    result = jit.compile(text, f"{PIPELINE},lower-to-llvm-pipeline").main(x.copy())
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("arena", ("allocate", "argument", "stack"))
def test_chains_are_reordered_though_none_of_them_is_planned(arena: str):
    """Written layer by layer, they are all live when the result is allocated, which is
    returned: an arena would only come on top."""
    type_ = "tensor<256xf32>"
    names = [f"%s{number}" for number in range(12)]
    lines = [
        f"func.func @main(%x: {type_}) -> {type_} {{",
        f"%e = tensor.empty() : {type_}",
    ]
    for layer, kind in enumerate(("exp", "tanh")):
        for number in range(12):
            source = f"%v{number}_{layer - 1}" if layer else "%x"
            lines.append(
                f"%v{number}_{layer} = linalg.{kind} ins({source} : {type_}) "
                f"outs(%e : {type_}) -> {type_}"
            )
    total = "%v0_1"
    for number, name in enumerate(names[1:], 1):
        lines.append(
            f"{name} = linalg.add ins({total}, %v{number}_1 : {type_}, {type_}) "
            f"outs(%e : {type_}) -> {type_}"
        )
        total = name
    text = "\n".join([*lines, f"return {total} : {type_}", "}"])
    options = f"plan-memory arena={arena} reorder-for-peak-memory"
    pipeline = f"bufferization-pipeline{{{options}}},lower-to-llvm-pipeline"
    compiled = jit.compile(text, pipeline, count=True)
    x = np.random.default_rng(1).random(256, dtype=np.float32)
    arenas = [each.allocate() for each in compiled.main.arenas]
    result = compiled.main(x, *arenas)
    np.testing.assert_allclose(result, 12 * np.tanh(np.exp(x)), rtol=1e-5)
    given = sum(each.bytes for each in compiled.main.arenas)
    assert compiled.stats().peak_bytes + given <= 5 * 1024


def test_the_order_is_the_same_each_time():
    """One op uses eight buffers last: these are freed in the same order, wherever the
    objects of the program are in memory."""
    numbers = range(8)
    big, small = "memref<64xf32>", "memref<f32>"
    lines = [f"func.func @main(%x: {big}, %y: {small}, %c: i1) {{"]
    for number in numbers:
        lines.append(f"%a{number} = memref.alloc() : {big}")
        lines.append(f"linalg.exp ins(%x : {big}) outs(%a{number} : {big})")
    for number in numbers:
        lines.append(f"%p{number} = memref.alloc() : {small}")
        lines.append(
            f"linalg.reduce {{ arith.addf }} ins(%a{number} : {big}) "
            f"outs(%p{number} : {small}) dimensions = [0]"
        )
    lines.append("scf.if %c {")
    lines += [f"memref.copy %p{n}, %y : {small} to {small}" for n in numbers]
    lines.append("}")
    lines += [f"memref.dealloc %{b}{n} : {t}" for b, t in (("a", big), ("p", small))
              for n in numbers]  # fmt: skip
    text = "\n".join([*lines, "return", "}"])
    modules = [parse(text)[1] for _ in range(10)]
    before = str(modules[0])
    for module in modules:
        reorder_for_peak_memory(module)
    (found,) = {str(module) for module in modules}
    assert found != before


def test_the_order_of_a_function_that_cannot_be_better_is_kept():
    context, module = parse(heads(1))
    run_passes(context, module, "bufferization-pipeline")
    before = str(module)
    reorder_for_peak_memory(module)
    assert str(module) == before


def test_a_value_that_is_loaded_is_there_before_it_is_used():
    text = """
        func.func @main(%x: memref<4xf64>, %i: index) -> (memref<4xf64>, memref<f64>) {
          %big = memref.alloc() : memref<4096xf64>
          %out = memref.alloc() : memref<4xf64>
          %sum = memref.alloc() : memref<f64>
          %v = memref.load %x[%i] : memref<4xf64>
          %w = arith.mulf %v, %v : f64
          memref.store %w, %x[%i] : memref<4xf64>
          linalg.fill ins(%v : f64) outs(%big : memref<4096xf64>)
          linalg.fill ins(%w : f64) outs(%out : memref<4xf64>)
          %other = memref.alloc() : memref<4096xf64>
          linalg.fill ins(%w : f64) outs(%other : memref<4096xf64>)
          %zero = arith.constant 0.0 : f64
          linalg.fill ins(%zero : f64) outs(%sum : memref<f64>)
          linalg.reduce { arith.addf } ins(%big : memref<4096xf64>)
              outs(%sum : memref<f64>) dimensions = [0]
          linalg.reduce { arith.addf } ins(%other : memref<4096xf64>)
              outs(%sum : memref<f64>) dimensions = [0]
          memref.dealloc %big : memref<4096xf64>
          memref.dealloc %other : memref<4096xf64>
          return %out, %sum : memref<4xf64>, memref<f64>
        }"""
    pipeline = "reorder-for-peak-memory,plan-memory,lower-to-llvm-pipeline"
    compiled = jit.compile(text, pipeline, count=True)
    x = np.array([2.0, 3.0, 4.0, 5.0])
    out, total = compiled.main(x, 1)
    assert (out == 9.0).all() and total == 4096 * 12 and x[1] == 9.0
    assert compiled.stats().peak_bytes < 2 * 4096 * 8


def test_the_option_is_for_planned_memory():
    context, module = parse(heads(2))
    with pytest.raises(Exception, match="add the option plan-memory"):
        run_passes(context, module, "bufferization-pipeline{reorder-for-peak-memory}")


@irdl_op_definition
class _ClearAndRun(IRDLOperation):
    """An op of a plug-in that writes a buffer, and runs a region."""

    name = "plugin.clear_and_run"
    buffer = operand_def()
    body = region_def("single_block")
    traits = traits_def(
        BufferEffects(writes=(0,)), RecursiveMemoryEffect(), NoTerminator()
    )


def test_an_op_with_a_region_and_effects_of_its_own_keeps_its_place():
    _, module = parse("""
        func.func @main(%x: memref<64xf64>, %i: index) -> (f64, f64) {
          %a = memref.alloc() : memref<64xf64>
          %b = memref.alloc() : memref<64xf64>
          linalg.exp ins(%x : memref<64xf64>) outs(%a : memref<64xf64>)
          linalg.log ins(%x : memref<64xf64>) outs(%b : memref<64xf64>)
          func.call @marker(%x) : (memref<64xf64>) -> ()
          %p = memref.load %a[%i] : memref<64xf64>
          %q = memref.load %b[%i] : memref<64xf64>
          memref.dealloc %a : memref<64xf64>
          memref.dealloc %b : memref<64xf64>
          return %p, %q : f64, f64
        }
        func.func private @marker(%x: memref<64xf64>)""")
    (call,) = (op for op in module.walk() if isinstance(op, func.CallOp))
    clear = _ClearAndRun.build(operands=[call.operands[0]], regions=[Region(Block())])
    Rewriter.replace_op(call, clear)
    reorder_for_peak_memory(module)
    names = [op.name for op in clear.parent.ops] if clear.parent is not None else []
    at = names.index(clear.name)
    assert {"linalg.exp", "linalg.log"} <= set(names[:at])
