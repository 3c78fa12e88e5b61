"""Messages show ops and values as the program writes them, never as Python objects."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.transforms.convert_bufferization_to_memref import (
    ConvertBufferizationToMemrefPass,
)
from xdsl_bufferization.universe import new_context

PACKAGE = Path(str(files("xdsl_bufferization")))
IR_CLASS = re.compile(
    r"(\w+\.)?(Operation|\w+Op|SSAValue|OpResult|BlockArgument|Block|Region|Use)(\[.*\])?"
)
"""An annotation of something whose text in an f-string is that of a Python object."""


def ir_objects_in_texts(source: str) -> Iterator[str]:
    """The lines of code that put an op, a value, a block or a region into an f-string, as
    far as annotations and the conventional name of an op tell."""
    tree = ast.parse(source)
    functions = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    for scope in (tree, *functions):
        names = {"op"}
        for node in ast.walk(scope):
            match node:
                case ast.arg(arg=name, annotation=ast.expr() as annotation):
                    pass
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                    pass
                case _:
                    continue
            if scope is not tree and IR_CLASS.fullmatch(
                ast.unparse(annotation).strip("'\"").removesuffix(" | None")
            ):
                names.add(name)
        for node in ast.walk(scope):
            if isinstance(node, ast.FormattedValue):
                text = ast.unparse(node.value)
                is_value = re.search(r"\.(operands|results)(\[[^]]*\])?$", text)
                if text in names or is_value:
                    yield f"line {node.lineno}: {{{text}}}"


@pytest.mark.parametrize(
    "code",
    [
        'def f(op: Operation): raise E(f"in {op}")',
        'for op in ops: print(f"{op!r}")',
        'def f(value: SSAValue): return f"It is {value}."',
        'def f(call: func.CallOp): return f"It is {call}."',
        'def f(x): return f"It is {x.results[0]}."',
    ],
)
def test_python_objects_in_texts_are_found(code: str) -> None:
    assert list(ir_objects_in_texts(code))


def test_names_and_types_of_ops_are_no_python_objects() -> None:
    code = (
        "def f(op: Operation, value: Attribute): "
        'return f"{op.name} {op.results[0].type} {describe(op)} {value}"'
    )
    assert not list(ir_objects_in_texts(code))


def test_no_message_of_the_package_shows_python_objects() -> None:
    assert not {
        f"{path.relative_to(PACKAGE)}, {found}"
        for path in PACKAGE.rglob("*.py")
        for found in ir_objects_in_texts(path.read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>",
            "bufferization.to_buffer: tensors are left for",
        ),
        (
            "%0 = bufferization.clone %m : memref<4x4xf32> to "
            "memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>",
            "bufferization.clone: convert-bufferization-to-memref cannot allocate",
        ),
    ],
)
def test_what_is_not_lowered_to_memref(body: str, message: str) -> None:
    program = (
        f"func.func @f(%t: tensor<4xf32>, %m: memref<4x4xf32>) {{\n  {body}\n  return\n}}"
    )
    context = new_context()
    module = Parser(context, program, "model.mlir").parse_module()
    with pytest.raises(PassFailedException) as error:
        ConvertBufferizationToMemrefPass().apply(context, module)
    text = str(error.value)
    assert text.startswith(f"model.mlir:2:8: error: {message}")
    assert "  at model.mlir:2:8 in @f:\n    %0 = bufferization." in text
