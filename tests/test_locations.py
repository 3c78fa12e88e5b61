"""Where ops come from: recorded by the parser, kept by every pass."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    StringAttr,
    UnknownLoc,
)
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.transforms import get_all_passes
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import DiagnosticException, ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from xdsl_bufferization.locations import built_for, visiting
from xdsl_bufferization.universe import BUFFERIZATION_UNIVERSE, new_context


def parse(text: str, name: str = "model.mlir") -> ModuleOp:
    context = new_context()
    context.allow_unregistered = True
    return Parser(context, text, name).parse_module()


def places(module: ModuleOp) -> list[str]:
    """Line and column of each op in the module, or ? where its location is not known."""
    found: list[str] = []
    for op in module.walk():
        location = op.location
        if op is module:
            continue
        if isinstance(location, FileLineColLoc):
            assert location.filename.data == "model.mlir"
            found.append(f"{location.line.data}:{location.column.data}")
        else:
            assert isinstance(location, UnknownLoc)
            found.append("?")
    return found


# ---------------------------------------------------------------------------------------
# Parsing


def test_an_op_is_where_its_name_is() -> None:
    module = parse('"test.op"() : () -> ()\n\n  %0 = "test.op"() : () -> i32')
    assert places(module) == ["1:1", "3:8"]


@pytest.mark.parametrize(
    ("results", "place"),
    [
        ("%0:2 = ", "1:8"),
        ("%a, %b = ", "1:10"),
        ("%a,\n  %b-1.x$y\n = ", "3:4"),
        ("%0:2 // = of what\n = // here:\n\n ", "4:2"),
    ],
)
def test_results_may_take_several_lines(results: str, place: str) -> None:
    assert places(parse(f'{results}"test.op"() : () -> (i32, i32)')) == [place]


def test_an_op_is_where_its_name_is_after_its_regions() -> None:
    module = parse('"test.op"() ({\n  "test.op"() : () -> ()\n}) : () -> ()')
    assert places(module) == ["1:1", "2:3"]


def test_what_the_syntax_implies_is_where_the_op_is() -> None:
    module = parse(
        "func.func @f(%n: index) {\n"
        "  scf.for %i = %n to %n step %n {\n"
        '    "test.op"() : () -> ()\n'
        "  }\n"
        "  return\n"
        "}"
    )
    assert [op.name for op in module.walk()][-2:] == ["scf.yield", "func.return"]
    assert places(module) == ["1:1", "2:3", "3:5", "2:3", "5:3"]


def test_an_explicit_location_is_kept() -> None:
    module = parse(
        '"test.op"() : () -> () loc("model.mlir":7:8)\n'
        '"test.op"() : () -> () loc(unknown)'
    )
    assert places(module) == ["7:8", "?"]


def test_two_ops_at_one_place_have_equal_locations() -> None:
    first, second = (parse('"test.op"() : () -> ()').body.block.first_op for _ in "12")
    assert first is not None and second is not None
    assert first.location == second.location
    assert hash(first.location) == hash(second.location)
    assert isinstance(first.location, FileLineColLoc)
    assert first.location.line.data == 1


def test_an_error_in_the_text_leaves_no_location_behind() -> None:
    with pytest.raises(ParseError):
        parse('"test.op"() ({ "test.op"() ')
    assert isinstance(AnyOp().location, UnknownLoc)


def test_lines_are_those_of_the_file_when_it_is_split(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "split.mlir"
    file.write_text("func.func @f() { return }\n// -----\nfunc.func @g() { return }\n")
    xDSLOptMain(
        args=[
            *(str(file), "--split-input-file", "--print-debuginfo"),
            *("-p", "one-shot-bufferize"),
        ]
    ).run()
    printed = capsys.readouterr().out
    assert f'loc("{file}":1:1)' in printed
    assert f'loc("{file}":3:1)' in printed


# ---------------------------------------------------------------------------------------
# Building


def test_ops_carry_the_location_of_the_op_that_is_visited() -> None:
    module = parse('"test.op"() : () -> ()\n"test.op"() : () -> ()')
    first, second = module.body.block.ops
    built: list[Operation] = []
    for op in visiting((first, second)):
        built.append(AnyOp())
        if op is first:
            with built_for(second):
                built.append(AnyOp())
            built.append(AnyOp())
    assert [op.location for op in built] == [
        place.location for place in (first, second, first, second)
    ]
    assert isinstance(AnyOp().location, UnknownLoc)


def test_a_loop_that_is_left_early_leaves_no_location_behind() -> None:
    module = parse('"test.op"() : () -> ()')
    for _ in visiting(module.body.block.ops):
        break
    assert isinstance(AnyOp().location, UnknownLoc)


# ---------------------------------------------------------------------------------------
# Passes

PASSES = {
    **BUFFERIZATION_UNIVERSE.all_passes,
    "canonicalize": get_all_passes()["canonicalize"],
}
BUFFERIZE = (
    "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}"
)
EVERY = 60
"""Only every sixtieth program of tests/oracle: there are many passes."""


def run(pipeline: str, program: ModuleOp) -> ModuleOp | None:
    """A copy of the program after the passes, or None if one of them refuses it."""
    context = new_context()
    context.allow_unregistered = True
    program = program.clone()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for spec in parse_pipeline(pipeline):
                PASSES[spec.name]().from_spec(spec).apply(context, program)
    except DiagnosticException:
        return None
    return program


def oracle_programs() -> Iterator[str]:
    for file in sorted((Path(__file__).parent / "oracle").rglob("*.mlir")):
        yield from file.read_text().split("// -----")


@cache
def programs() -> list[ModuleOp]:
    """Programs of tests/oracle on tensors, on buffers, and with deallocations."""
    found: list[ModuleOp] = []
    for text in list(oracle_programs())[::EVERY]:
        try:
            module = parse(text)
            module.verify()
        except (ParseError, DiagnosticException):
            continue
        found.append(module)
        if (bufferized := run(BUFFERIZE, module)) is not None:
            found.append(bufferized)
            if freed := run("buffer-deallocation-pipeline", bufferized):
                found.append(freed)
    assert len(found) > 20
    return found


def ops_of_unknown_location(module: ModuleOp) -> set[str]:
    return {
        op.name
        for op in module.walk()
        if isinstance(op.location, UnknownLoc) and not isinstance(op, ModuleOp)
    }


@pytest.mark.parametrize("name", sorted(PASSES.keys() - {"transform-interpreter"}))
def test_every_op_that_a_pass_builds_has_the_location_of_one_before(name: str) -> None:
    for program in programs():
        before = {op.location for op in program.walk()}
        assert not ops_of_unknown_location(program)
        after = run(name, program)
        if after is not None:
            assert not ops_of_unknown_location(after)
            assert {op.location for op in after.walk()} <= before
    assert isinstance(AnyOp().location, UnknownLoc)


def test_an_insertion_that_is_bufferized_keeps_its_location() -> None:
    program = parse(
        "func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {\n"
        '  %0 = tensor.insert %x into %t[%i] : tensor<4xf32> loc("model.py":10:3)\n'
        "  return %0 : tensor<4xf32>\n"
        "}"
    )
    after = run("one-shot-bufferize", program)
    assert after is not None
    insertion = FileLineColLoc(StringAttr("model.py"), IntAttr(10), IntAttr(3))
    assert [op.name for op in after.walk() if op.location == insertion] == [
        "bufferization.to_buffer",
        "memref.alloc",
        "memref.copy",
        "memref.store",
        "bufferization.to_tensor",
    ]


def script(body: str) -> str:
    """Return a script of the transform dialect that applies to `%root`."""
    return (
        "module attributes {transform.with_named_sequence} {\n"
        "  transform.named_sequence @__transform_main(\n"
        "      %root: !transform.any_op {transform.readonly}) {\n"
        f"{body}"
        "    transform.yield\n"
        "  }\n"
        "}\n"
    )


def test_scripts_of_the_transform_dialect_keep_locations() -> None:
    program = parse(
        "func.func @f(%n: index) -> tensor<4xf32> {\n"
        "  %0 = tensor.generate {\n"
        "  ^bb0(%i: index):\n"
        "    %x = arith.constant 1.0 : f32\n"
        "    tensor.yield %x : f32\n"
        "  } : tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>\n"
        "}\n"
        + script(
            '%op = transform.structured.match ops{["tensor.generate"]} in %root\n'
            "  : (!transform.any_op) -> !transform.any_op\n"
            "%new = transform.structured.rewrite_in_destination_passing_style %op\n"
            "  : (!transform.any_op) -> !transform.any_op\n"
        )
    )
    after = run("transform-interpreter", program)
    assert after is not None
    assert not ops_of_unknown_location(after)
    (generic,) = (op for op in after.walk() if op.name == "linalg.generic")
    assert isinstance(generic.location, FileLineColLoc)
    assert generic.location.line.data == 2


def test_a_script_keeps_the_location_of_an_op_that_becomes_another() -> None:
    program = parse(
        "func.func @f() -> tensor<4xf32> {\n"
        "  %0 = tensor.empty() : tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>\n"
        "}\n"
        + script(
            '%op = transform.structured.match ops{["tensor.empty"]} in %root\n'
            '  : (!transform.any_op) -> !transform.op<"tensor.empty">\n'
            "%new = transform.bufferization.empty_tensor_to_alloc_tensor %op\n"
            '  : (!transform.op<"tensor.empty">)\n'
            '  -> !transform.op<"bufferization.alloc_tensor">\n'
        )
    )
    after = run("transform-interpreter", program)
    assert after is not None
    assert not ops_of_unknown_location(after)
