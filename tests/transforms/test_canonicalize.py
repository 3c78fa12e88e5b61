"""canonicalize, where a test in text would be too long."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.parser import Parser
from xdsl.transforms.canonicalize import CanonicalizePass

from xdsl_bufferization.dialects import tensor
from xdsl_bufferization.universe import new_context


def _canonicalized(program: str) -> func.FuncOp:
    context = new_context()
    module = Parser(context, program).parse_module()
    CanonicalizePass().apply(context, module)
    module.verify()
    function = module.ops.first
    assert isinstance(function, func.FuncOp)
    return function


def test_sizes_are_those_of_the_first_tensor_of_a_chain_of_updates() -> None:
    updates = "".join(
        f"%t{i + 1} = tensor.insert %x into %t{i}[%i] : tensor<?xf32>\n"
        f"%d{i} = tensor.dim %t{i + 1}, %i : tensor<?xf32>\n"
        f"func.call @use(%d{i}) : (index) -> ()\n"
        for i in range(100)
    )
    function = _canonicalized(
        "func.func @f(%x: f32, %i: index, %t0: tensor<?xf32>) -> tensor<?xf32> {\n"
        f"{updates} return %t100 : tensor<?xf32> }}\n"
        "func.func private @use(index)"
    )
    dims = [op for op in function.body.block.ops if isinstance(op, tensor.DimOp)]
    assert len(dims) == 100
    assert {dim.operands[0] for dim in dims} == {function.args[2]}
