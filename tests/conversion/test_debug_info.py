"""The debug info of `-t llvm{debug-info}`: LLVM finds lines of the source in it."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

import llvmlite.binding as _llvm  # pyright: ignore[reportMissingTypeStubs]
import pytest
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe
from xdsl.utils.arg_spec import parse_pipeline

from xdsl_bufferization.conversion.llvm_ir.target import LLVMTarget
from xdsl_bufferization.universe import new_context

llvm: Any = _llvm

PROGRAM = """\
func.func private @callee(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32 loc("model.py":12:3)
  return %0 : f32
}
func.func @caller(%x: f32) -> f32 {
  %0 = func.call @callee(%x) : (f32) -> f32
  %1 = arith.mulf %0, %x : f32
  return %1 : f32
}
"""


def emit(text: str, target: str = "llvm{debug-info}") -> str:
    context = new_context()
    module = Parser(new_context(), text, "dir/p.mlir").parse_module()
    passes = dict(Universe.get_multiverse().all_passes)
    PassPipeline.parse_spec(passes, "lower-to-llvm-pipeline").apply(context, module)
    (spec,) = parse_pipeline(target)
    output = StringIO()
    LLVMTarget.from_spec(spec).emit(context, module, output)
    return output.getvalue()


def places(text: str) -> dict[str, tuple[str, int, int]]:
    """The scope, line and column of the locations of instructions, by opcode."""
    locations = {
        number: (scope, int(line), int(column))
        for number, column, line, scope in re.findall(
            r"^!(\d+) = !DILocation\(column: (\d+), line: (\d+), scope: !(\d+)\)",
            text,
            re.MULTILINE,
        )
    }
    return {
        opcode: locations[number]
        for opcode, number in re.findall(r"= (\w+) .*!dbg !(\d+)", text)
    }


def scope(text: str, number: str) -> str:
    """The text of a scope and of its file."""
    (shown,) = re.findall(rf"^!{number} = (.*)$", text, re.MULTILINE)
    (file,) = re.findall(r"file: !(\d+)", shown)
    (its_file,) = re.findall(rf"^!{file} = (.*)$", text, re.MULTILINE)
    return f"{shown} {its_file}"


def test_instructions_have_the_lines_of_their_ops() -> None:
    text = emit(PROGRAM)
    found = places(text)
    assert found["call"][1:] == (6, 8)
    assert found["fmul"][1:] == (7, 8)
    caller = scope(text, found["fmul"][0])
    assert 'name: "caller"' in caller and "line: 5" in caller
    assert '!DIFile(directory: "dir", filename: "p.mlir")' in caller


def test_an_op_of_another_file_is_in_that_file() -> None:
    text = emit(PROGRAM)
    number, line, column = places(text)["fadd"]
    assert (line, column) == (12, 3)
    assert "DILexicalBlockFile" in scope(text, number)
    assert 'filename: "model.py"' in scope(text, number)


@pytest.mark.parametrize("file", ['"p.mlir":5:1', "unknown"])
def test_llvm_accepts_it(file: str) -> None:
    text = re.sub(r"(call @.*)", rf"\1 loc({file})", PROGRAM)
    module = llvm.parse_assembly(emit(text))
    module.verify()
    assert "!llvm.dbg.cu" in str(module)


def test_machine_code_has_a_table_of_lines() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    assembly = machine.emit_assembly(llvm.parse_assembly(emit(PROGRAM)))
    assert re.search(r"\.loc\s+\d+ 7 8", assembly)


def test_without_the_option_there_is_none() -> None:
    assert "dbg" not in emit(PROGRAM, "llvm")
