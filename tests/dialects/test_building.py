"""Ops are built by their constructors, in any place."""

from __future__ import annotations

from xdsl.builder import ImplicitBuilder
from xdsl.dialects.builtin import ModuleOp, TensorType, f32

from xdsl_bufferization.dialects import linalg, tensor


def test_a_named_op_is_built_in_an_implicit_builder() -> None:
    """Its body stays its own."""
    type_ = TensorType(f32, [2])
    module = ModuleOp([])
    with ImplicitBuilder(module.body):
        empty = tensor.EmptyOp([], type_).tensor
        linalg.AddOp([empty, empty], [empty], [type_])
    assert [op.name for op in module.ops] == ["tensor.empty", "linalg.add"]
    module.verify()
