"""Errors say where they are, in one line, without a traceback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Block, Region
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from xdsl_bufferization.error_positions import WrongTextError, explaining_files
from xdsl_bufferization.guest import take_over
from xdsl_bufferization.transforms.one_shot_bufferize import OneShotBufferizePass
from xdsl_bufferization.universe import new_context

UNKNOWN_OP = """
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "foo.bar"(%t) : (tensor<4xf32>) -> tensor<4xf32> LOC
  return %0 : tensor<4xf32>
}
"""
WRONG_OP = """
func.func @outer() { return }
func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %0 = "tensor.insert"(%x, %t) : (f32, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def parse(text: str) -> ModuleOp:
    context = new_context()
    context.allow_unregistered = True
    return Parser(context, text, "model.mlir").parse_module()


def error_of_bufferization(module: ModuleOp) -> str:
    with pytest.raises(DiagnosticException) as error:
        OneShotBufferizePass().apply(new_context(), module)
    return str(error.value)


@pytest.mark.parametrize(
    ("location", "position"),
    [
        ("", "model.mlir:3:8"),
        ('loc("net.py":10:3)', "net.py:10:3"),
        ('loc("layer"("net.py":10:3))', "net.py:10:3"),
        ('loc(callsite("lib.py":5:6 at "net.py":10:3))', "lib.py:5:6"),
        ('loc(fused[unknown, "a.py":1:2, "b.py":3:4])', "a.py:1:2"),
    ],
)
def test_an_error_begins_with_the_position(location: str, position: str) -> None:
    message = error_of_bufferization(parse(UNKNOWN_OP.replace("LOC", location)))
    assert message.startswith(f"{position}: error: foo.bar: op was not bufferized")
    assert f"\n  at {position} in @f:\n    %0 = " in message


def test_an_error_without_position_begins_with_the_op() -> None:
    message = error_of_bufferization(parse(UNKNOWN_OP.replace("LOC", "loc(unknown)")))
    assert message.startswith("foo.bar: op was not bufferized")
    assert "\n  at in @f:\n" in message


def test_an_error_about_an_op_that_was_built_begins_with_the_op() -> None:
    op = AnyOp(result_types=[TensorType(f32, [4])])
    module = ModuleOp([func.FuncOp("f", ([], []), Region(Block([op, func.ReturnOp()])))])
    assert error_of_bufferization(module).startswith("test.op: op was not bufferized")


def test_an_error_of_verification_names_function_and_line() -> None:
    take_over()
    with pytest.raises(VerifyException) as error:
        parse(WRONG_OP).verify()
    assert str(error.value).startswith(
        "model.mlir:4:8: error: 'tensor.insert' in @f does not verify: "
    )
    assert "tensor.insert" in error.value.__notes__[0]


FAULTS = {
    "no terminator": (
        "func.func @f() {\n  %c = arith.constant 1 : index\n}",
        "PROGRAM:2:8: error: 'arith.constant' in @f does not verify: Operation "
        "arith.constant terminates block in single-block region but is not a terminator",
    ),
    "no terminator of a block": (
        "func.func @f() {\n  cf.br ^a\n^a:\n  %c = arith.constant 1 : index\n}",
        "PROGRAM:4:8: error: 'arith.constant' in @f does not verify: Operation "
        "arith.constant terminates block in multi-block region but is not a terminator",
    ),
    "empty block": (
        "func.func @f(%c: i1) {\n  %0 = scf.while (%i = %c) : (i1) -> i1 {\n"
        "  } do {\n  ^a(%b: i1):\n    scf.yield %b : i1\n  }\n  return\n}",
        "PROGRAM:2:8: error: 'scf.while' in @f does not verify: Operation scf.while "
        "contains empty block in single-block region that expects at least a terminator",
    ),
    "branch in the middle": (
        "func.func @f() {\n  cf.br ^a\n  %c = arith.constant 1 : index\n  return\n"
        "^a:\n  return\n}",
        "PROGRAM:2:3: error: 'cf.br' in @f does not verify: Operation cf.br with block "
        "successors must terminate its parent block",
    ),
    "not isolated": (
        "func.func @f() -> index {\n  return %c : index\n}\n"
        "func.func @g() {\n  %c = arith.constant 1 : index\n  return\n}",
        "PROGRAM:2:3: error: 'func.return' in @f does not verify: operand 0 is defined "
        "outside of 'func.func', which is isolated from above; pass the value as an",
    ),
    "operand count": (
        'func.func @f() {\n  %c = "arith.addi"() : () -> index\n  return\n}',
        "PROGRAM:2:8: error: 'arith.addi' in @f does not verify: ",
    ),
    "result count": (
        'func.func @f(%c: index) {\n  "arith.addi"(%c, %c) : (index, index) -> ()\n'
        "  return\n}",
        "PROGRAM:2:3: error: 'arith.addi' in @f does not verify: ",
    ),
    "trait": (
        "func.func @f(%c: i1) {\n  scf.if %c {\n    func.return\n  }\n  return\n}",
        "PROGRAM:3:5: error: 'func.return' in @f does not verify: ",
    ),
}
"""Programs that do not verify, and how the messages begin."""


@pytest.mark.parametrize("fault", FAULTS)
def test_every_error_of_xdsls_verifier_says_where(fault: str) -> None:
    program, message = FAULTS[fault]
    take_over()
    with pytest.raises(VerifyException) as error:
        parse(program).verify()
    assert str(error.value).startswith(message.replace("PROGRAM", "model.mlir"))
    assert str(error.value).count("does not verify") == 1


def test_entry_points_say_where_programs_do_not_verify(tmp_path: Path) -> None:
    """In a process of their own: another use of the package would hide that they do not
    prepare for messages."""
    program, message = FAULTS["no terminator"]
    path = tmp_path / "nt.mlir"
    path.write_text(program)
    for name, code in (
        (
            str(path),
            "from xdsl_bufferization import jit; from pathlib import Path; "
            f"jit.compile(Path({str(path)!r}))",
        ),
        ("<text>", f"import xdsl_bufferization; xdsl_bufferization.parse({program!r})"),
        (
            str(path),
            "from xdsl_bufferization.report.explanation import explain; "
            "from pathlib import Path; "
            f"explain(Path({str(path)!r}))",
        ),
        (
            str(path),
            f"from xdsl_bufferization.report.__main__ import main; main([{str(path)!r}])",
        ),
        (
            str(path),
            "from xdsl.xdsl_opt_main import xDSLOptMain; xDSLOptMain(args=["
            f"{str(path)!r}, '-p', 'bufferization-pipeline']).run()",
        ),
    ):
        result = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert message.replace("PROGRAM", name) in result.stderr, code


def xdsl_opt(*arguments: str, program: str) -> tuple[int, str]:
    result = subprocess.run(
        [sys.executable, "-m", "xdsl.tools.xdsl_opt", *arguments],
        input=program,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout == ""
    return result.returncode, result.stderr


@pytest.mark.parametrize(
    ("passes", "program", "message"),
    [
        ("one-shot-bufferize", WRONG_OP, "stdin:4:8: error: 'tensor.insert' in @f "),
        ("one-shot-bufferize", "func.func @f( {", "stdin:1:15"),
        (
            "one-shot-bufferize{buffer-alignment=3}",
            "",
            "one-shot-bufferize: buffer-",
        ),
        ("one-shot-bufferize{", "", "Error parsing pass pipeline"),
    ],
)
def test_xdsl_opt_shows_the_message_alone(
    passes: str, program: str, message: str
) -> None:
    code, errors = xdsl_opt("-p", passes, program=program)
    assert code == 1
    assert errors.startswith(message)


def test_commands_of_xdsl_alone_show_what_they_showed() -> None:
    code, errors = xdsl_opt(program=WRONG_OP)
    assert code == 1
    assert errors.startswith("Traceback")
    assert "stdin:4:8" not in errors


def test_faults_keep_their_traceback() -> None:
    broken = (
        "from xdsl.tools.xdsl_opt import main\n"
        "from xdsl_bufferization.transforms import one_shot_bufferize\n"
        "one_shot_bufferize.OneShotBufferizePass.apply = lambda *_: 1 / 0\n"
        "main()\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", broken, "-p", "one-shot-bufferize"],
        input="func.func @f() { return }",
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr.startswith("Traceback")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.mlir", None, "there is no file 'PATH'; check its path"),
        ("", None, "'PATH' is a folder; name a file in it"),
        ("program", b"", "'PATH' does not end in .mlir; rename it, or pass it as"),
        ("latin.mlir", b"// \n// \xe4\n", "'PATH' is not text in UTF-8 (line 2 has the"),
        ("code.mlir", b"ML\xefR\x06", "'PATH' is bytecode; print it as text: mlir-opt"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    name: str, content: bytes | None, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    code, errors = xdsl_opt(str(path), "-p", "one-shot-bufferize", program="")
    assert code == 1
    assert errors.startswith("error: " + message.replace("PATH", str(path)))
    assert errors.count("\n") == 1
    _, errors = xdsl_opt(str(path), program="")
    assert errors.startswith("Traceback"), "xDSL alone shows what it showed"


def test_a_file_without_permission_is_named() -> None:
    take_over()
    with (
        pytest.raises(WrongTextError, match=r"^error: 'a.mlir' may not be read; check"),
        explaining_files("a.mlir"),
    ):
        raise PermissionError(13, "Permission denied", "a.mlir")


def test_an_output_file_in_no_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none" / "out.mlir"
    code, errors = xdsl_opt(
        *("-p", "one-shot-bufferize", "-o", str(path)),
        program="func.func @f() { return }",
    )
    assert (code, errors) == (1, f"error: there is no folder for '{path}'; create it\n")


@pytest.mark.parametrize("program", ["", "// nothing\n"])
def test_a_program_without_ops_is_an_empty_module(program: str) -> None:
    take_over()
    assert not parse(program).body.block.ops


def test_a_value_that_is_not_defined_is_pointed_at() -> None:
    code, errors = xdsl_opt(
        *("-p", "one-shot-bufferize"),
        program='func.func @f() {\n  %0 = "test.op"(%u1, %u) : (f32, f32) -> f32\n'
        "  return\n}\n",
    )
    assert code == 1
    assert errors.startswith("stdin:2:18\n")
    assert "values used but not defined: [%u1, %u]" in errors


def test_a_symbol_that_is_defined_again_is_pointed_at() -> None:
    take_over()
    with pytest.raises(VerifyException) as error:
        parse("func.func @f() { return }\nfunc.func @f() { return }").verify()
    assert str(error.value) == (
        "model.mlir:2:1: error: 'builtin.module' does not verify: "
        'Redefinition of symbol "f", which model.mlir:1:1 defines as well'
    )


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        (
            "one-shot-bufferise",
            "'one-shot-bufferise' is no pass. Did you mean one-shot-b",
        ),
        ("one-shot-bufferize{verify-result},nonsense", "'nonsense' is no pass. xdsl-opt"),
    ],
)
def test_a_misspelt_pass_is_a_sentence(pipeline: str, message: str) -> None:
    code, errors = xdsl_opt("-p", pipeline, program="")
    assert code == 1
    assert errors.startswith(message)
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    "name",
    [
        "convert-linalg-to-loops",
        "convert-scf-to-cf",
        "lower-affine",
        "one-shot-bufferize",
    ],
)
def test_a_misspelt_option_is_a_sentence(name: str) -> None:
    """Also of a pass that has the name of one of xDSL."""
    code, errors = xdsl_opt("-p", f"{name}{{wrong}}", program="")
    assert code == 1
    assert errors.startswith(f"{name}: there is no option wrong.")
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("-p", "canonicalize{foo}"),
            "canonicalize: there is no option foo. The options of this pass are: none.",
        ),
        (
            ("-p", "cse,memref-stream-interleave{pipeline-depth=x}"),
            "memref-stream-interleave: pipeline-depth is 'x'; it must be an integer",
        ),
        (
            ("-p", "convert-memref-to-ptr{lower-func=1}"),
            "convert-memref-to-ptr: lower-func: Incompatible types: ",
        ),
        (
            ("-p", "apply-individual-rewrite{operation-name=a pattern-name=b}"),
            "apply-individual-rewrite: the option matched-operation-index must be given",
        ),
        (("-t", "mlir{foo}"), "mlir: there is no option foo. The options of this target"),
        (("-t", "llvm{foo}"), "llvm: there is no option foo. The options of this target"),
        (
            ("-t", "bufferization-remarks{format=x}"),
            "bufferization-remarks: format is 'x'; it must be yaml or json",
        ),
    ],
)
def test_a_wrong_option_of_any_pass_or_target_is_a_sentence(
    arguments: Sequence[str], message: str
) -> None:
    code, errors = xdsl_opt(*arguments, program="builtin.module {}")
    assert code == 1
    assert errors.startswith(message)
    assert "Traceback" not in errors


def test_pipelines_of_xdsl_end_as_without_this_package() -> None:
    _, errors = xdsl_opt("-p", "cse,nonsense", program="")
    assert "ValueError: Unrecognized passes: ['nonsense']" in errors
