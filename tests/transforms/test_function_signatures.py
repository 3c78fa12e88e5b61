"""Options of func-bufferize that change the types of functions: what they refuse, and the
ops by which a compiler packs and unpacks tuples of its own."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.transforms.utils.tuple_flattening import TupleOps, flatten_tuples
from xdsl_bufferization.universe import new_context

PASSES = Universe.get_multiverse().all_passes

USED_AS_VALUE = """
func.func private @f(%t: {0}) -> {0} {{
  return %t : {0}
}}
func.func @main() -> (({0}) -> {0}) {{
  %0 = func.constant @f : ({0}) -> {0}
  return %0 : ({0}) -> {0}
}}
"""


def parse(text: str) -> ModuleOp:
    return Parser(new_context(), text).parse_module()


def test_a_function_used_as_a_value_keeps_its_tuples() -> None:
    module = parse(USED_AS_VALUE.format("tuple<i1, f32>"))
    with pytest.raises(PassFailedException, match="used as a value"):
        flatten_tuples(module)


def test_a_function_used_as_a_value_keeps_its_results() -> None:
    module = parse(USED_AS_VALUE.format("tensor<4xf32>"))
    pipeline = PassPipeline.parse_spec(PASSES, "func-bufferize{results-to-out-params}")
    with pytest.raises(PassFailedException, match="used as a value"):
        pipeline.apply(new_context(), module)


def test_a_result_of_dynamic_size_is_no_out_param() -> None:
    module = parse(
        """
        func.func @callee(%t: tensor<?xf32>) -> tensor<?xf32> {
          return %t : tensor<?xf32>
        }
        func.func @caller(%t: tensor<?xf32>) -> tensor<?xf32> {
          %0 = call @callee(%t) : (tensor<?xf32>) -> tensor<?xf32>
          return %0 : tensor<?xf32>
        }
        """
    )
    pipeline = PassPipeline.parse_spec(PASSES, "func-bufferize{results-to-out-params}")
    with pytest.raises(PassFailedException, match="dynamically shaped result"):
        pipeline.apply(new_context(), module)


def test_ops_of_a_compiler_pack_and_unpack() -> None:
    def make(values: Sequence[SSAValue], types: Sequence[Attribute]) -> list[Operation]:
        return [test.TestOp(values, types)]

    def get(values: Sequence[SSAValue], types: Sequence[Attribute]) -> list[Operation]:
        return [test.TestOp(values, [type_]) for type_ in types]

    module = parse(
        """
        func.func @f(%t: tuple<i1, f32>) -> tuple<i1, f32> {
          %0 = "test.use"(%t) : (tuple<i1, f32>) -> tuple<i1, f32>
          return %0 : tuple<i1, f32>
        }
        """.replace("test.use", "test.pureop")
    )
    flatten_tuples(module, TupleOps(pack=make, unpack=get))
    module.verify()
    (func,) = module.ops
    names = [op.name for op in func.regions[0].block.ops]
    assert names == ["test.op", "test.pureop", "test.op", "test.op", "func.return"]
