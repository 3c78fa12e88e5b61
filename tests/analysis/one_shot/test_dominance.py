"""Which uses of values before their definition are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.transforms.remove_unused_values import remove_unused_values_of
from xdsl_bufferization.transforms.utils.one_shot_bufferization import (
    run_one_shot_bufferize,
)
from xdsl_bufferization.universe import new_context

HEAD = "func.func @f(%t: tensor<4xf32>, %i: index, %c: i1) -> f32 {"


def bufferize(module: ModuleOp) -> None:
    run_one_shot_bufferize(
        module, BufferizationOptions(bufferize_function_boundaries=True)
    )


def copy_before_write(module: ModuleOp) -> None:
    run_one_shot_bufferize(module, BufferizationOptions(copy_before_write=True))


def parse(text: str) -> ModuleOp:
    context = new_context()
    context.allow_unregistered = True
    return Parser(context, text).parse_module()


@pytest.mark.parametrize("run", [bufferize, copy_before_write, remove_unused_values_of])
@pytest.mark.parametrize(
    "op, body",
    [
        (
            "arith.addf",
            "%y = arith.addf %x, %x : f32 %x = tensor.extract %t[%i] : tensor<4xf32> "
            "return %y : f32",
        ),
        (
            "func.return",
            "cf.cond_br %c, ^a, ^b ^a: %x = arith.constant 1.0 : f32 cf.br ^b "
            "^b: return %x : f32",
        ),
        (
            "func.return",
            "return %x : f32 ^dead: %x = arith.constant 1.0 : f32 return %x : f32",
        ),
        (
            "scf.yield",
            "%y = scf.if %c -> f32 { scf.yield %x : f32 } else { scf.yield %x : f32 } "
            "%x = arith.constant 1.0 : f32 return %y : f32",
        ),
        (
            "scf.yield",
            "%y = scf.if %c -> f32 { scf.yield %y : f32 } else { scf.yield %y : f32 } "
            "return %y : f32",
        ),
        (
            "my.use",
            '"my.op"() ({ "my.use"(%x) : (f32) -> () }) : () -> () '
            "%x = arith.constant 1.0 : f32 return %x : f32",
        ),
        (
            "arith.addf",
            "cf.br ^a ^a: %y = arith.addf %x, %x : f32 "
            "%x = arith.constant 1.0 : f32 return %y : f32",
        ),
    ],
    ids=["later", "branch", "dead", "inside", "own region", "around graph", "block"],
)
def test_a_number_used_before_its_definition(
    op: str, body: str, run: Callable[[ModuleOp], None]
) -> None:
    with pytest.raises(PassFailedException) as error:
        run(parse(HEAD + body + "}"))
    message = str(error.value)
    assert f"{op}: the definition of operand 0 does not dominate this use" in message
    assert "in @f:" in message


@pytest.mark.parametrize(
    "program",
    [
        '%y = "my.op"(%x) : (f32) -> f32 %x = arith.constant 1.0 : f32',
        "func.func @f(%a: f32) { "
        '"my.graph"() ({ %y = arith.addf %x, %a : f32 %x = arith.negf %a : f32 }) '
        ": () -> () return }",
        "func.func @f(%a: f32) -> f32 { return %a : f32 "
        "^dead: %y = arith.addf %x, %a : f32 %x = arith.negf %a : f32 return %y : f32 }",
        "func.func @f(%a: f32, %c: i1) -> f32 { return %a : f32 "
        "^dead: scf.if %c { %y = arith.addf %x, %a : f32 } return %a : f32 "
        "^other: %x = arith.negf %a : f32 return %x : f32 }",
        "func.func @f(%a: f32, %c: i1) -> f32 { %x = arith.negf %a : f32 "
        "cf.cond_br %c, ^one, ^two(%x : f32) "
        "^one: scf.if %c { %y = arith.addf %x, %a : f32 } cf.br ^two(%a : f32) "
        "^two(%b: f32): %z = arith.addf %b, %x : f32 return %z : f32 }",
    ],
    ids=["module", "unregistered op", "unreachable", "inside unreachable", "dominated"],
)
def test_what_mlir_accepts(program: str) -> None:
    module = parse(program)
    bufferize(module)
    module.verify()
    copy_before_write(module)


def test_values_from_around_the_root() -> None:
    module = parse(
        "func.func @f(%a: f32, %c: i1) { %x = arith.negf %a : f32 "
        "scf.if %c { %y = arith.addf %x, %a : f32 } return }"
    )
    (branch,) = (op for op in module.walk() if op.name == "scf.if")
    run_one_shot_bufferize(branch)
