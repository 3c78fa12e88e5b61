"""Programs that xDSL's passes have built with their own op classes."""

from __future__ import annotations

from xdsl.dialects import bufferization as xdsl_bufferization_dialect, test
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe

from xdsl_bufferization.dialects import bufferization
from xdsl_bufferization.dialects.adoption import adopt_ops
from xdsl_bufferization.universe import new_context

PASSES = Universe.get_multiverse().all_passes


def test_an_op_of_xdsl_is_of_the_refined_class() -> None:
    ctx = new_context()
    module = Parser(
        ctx,
        """
        func.func @f() -> tensor<4xf32> {
          %0 = tensor.empty() : tensor<4xf32>
          return %0 : tensor<4xf32>
        }
        """,
    ).parse_module()
    PassPipeline.parse_spec(PASSES, "empty-tensor-to-alloc-tensor").apply(ctx, module)
    (op,) = (op for op in module.walk() if op.name == "bufferization.alloc_tensor")
    assert type(op) is xdsl_bufferization_dialect.AllocTensorOp

    adopt_ops(module)

    assert type(op) is bufferization.AllocTensorOp
    module.verify()


def test_other_ops_keep_their_class() -> None:
    op = test.TestOp()
    adopt_ops(op)
    assert type(op) is test.TestOp


def test_an_alloc_tensor_of_xdsl_is_hoisted_like_ours() -> None:
    """Every pass of the package adopts ops, not only One-Shot Bufferize."""
    ctx = new_context()
    module = Parser(
        ctx,
        """
        func.func @f(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
          %0 = tensor.empty() : tensor<4xf32>
          %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
          return %1 : tensor<4xf32>
        }
        """,
    ).parse_module()
    PassPipeline.parse_spec(
        PASSES, "empty-tensor-to-alloc-tensor,bufferization-bufferize"
    ).apply(ctx, module)
    assert "bufferization.alloc_tensor" not in {op.name for op in module.walk()}
