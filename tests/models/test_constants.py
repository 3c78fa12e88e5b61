"""Globals for constants: how many, and what it costs to find one."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from tests.oracle.tools import count_ops, parse, to_text, xdsl_opt
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)

FUNCTIONS = "one-shot-bufferize{bufferize-function-boundaries}"


def program(values: list[int]) -> str:
    lines = "\n".join(
        f"%c{i} = arith.constant dense<{value}> : tensor<2xi32>\n"
        f"%e{i} = tensor.extract %c{i}[%i] : tensor<2xi32>"
        for i, value in enumerate(values)
    )
    return f"func.func @f(%i: index) {{\n{lines}\nreturn\n}}"


def test_one_global_for_each_value() -> None:
    outcome = xdsl_opt(program([1, 2, 1, 3, 2, 1]), FUNCTIONS)
    assert count_ops(outcome.text)["memref.global"] == 3
    assert count_ops(outcome.text)["memref.get_global"] == 6
    for name in ("__constant_2xi32", "__constant_2xi32_0", "__constant_2xi32_1"):
        assert f"@{name} " in outcome.text


def test_a_second_run_finds_the_globals_of_the_first() -> None:
    first = xdsl_opt(program([1, 2]), FUNCTIONS).text
    extended = (
        first.rstrip().removesuffix("}") + program([2, 3]).replace("@f", "@g") + "}"
    )
    again = xdsl_opt(extended, FUNCTIONS)
    assert again.error is None
    assert count_ops(again.text)["memref.global"] == 3


def test_alignment_is_part_of_a_global() -> None:
    _, module = parse(program([1]))
    for alignment in (64, 16, 0):
        _, function = parse(program([1]).replace("@f", f"@f{alignment}"))
        (op,) = function.body.block.ops
        op.detach()
        module.body.block.add_op(op)
        options = BufferizationOptions(
            bufferize_function_boundaries=True, buffer_alignment=alignment
        )
        run_one_shot_bufferize(module, options)
    text = to_text(module)
    assert count_ops(text)["memref.global"] == 3
    assert "{alignment = 16 : i64}" in text


def test_constants_of_a_nested_module_stay_in_it() -> None:
    outcome = xdsl_opt(f"module {{\n{program([1])}\n}}\n{program([1])}", FUNCTIONS)
    _, outer = parse(outcome.text)
    (inner,) = (op for op in outer.body.block.ops if isinstance(op, ModuleOp))
    for module in (outer, inner):
        names = [op.name for op in module.body.block.ops]
        assert names.count("memref.global") == 1
