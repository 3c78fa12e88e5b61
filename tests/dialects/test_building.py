"""Ops are built by their constructors, in any place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.builder import ImplicitBuilder
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType, f32
from xdsl.ir import Operation

from xdsl_bufferization.dialects import func, linalg, memref, tensor


def test_a_named_op_is_built_in_an_implicit_builder() -> None:
    """Its body stays its own."""
    type_ = TensorType(f32, [2])
    module = ModuleOp([])
    with ImplicitBuilder(module.body):
        empty = tensor.EmptyOp([], type_).tensor
        linalg.AddOp([empty, empty], [empty], [type_])
    assert [op.name for op in module.ops] == ["tensor.empty", "linalg.add"]
    module.verify()


BUFFER = memref.AllocOp([], [], MemRefType(f32, [4, 4]))
TENSOR = tensor.EmptyOp([], TensorType(f32, [4, 4]))
BUILT: list[tuple[type[Operation], Callable[[], Operation]]] = [
    (memref.AllocaOp, lambda: memref.AllocaOp.get(f32, shape=[4])),
    (memref.DeallocOp, lambda: memref.DeallocOp.get(BUFFER)),
    (memref.RankOp, lambda: memref.RankOp.from_memref(BUFFER)),
    (
        memref.SubviewOp,
        lambda: memref.SubviewOp.from_static_parameters(
            BUFFER, BUFFER.memref.type, [0, 0], [2, 2], [1, 1]
        ),
    ),
    (
        tensor.ExtractSliceOp,
        lambda: tensor.ExtractSliceOp.from_static_parameters(TENSOR, [0, 0], [2, 2]),
    ),
    (
        tensor.InsertSliceOp,
        lambda: tensor.InsertSliceOp.from_static_parameters(
            TENSOR, TENSOR, [0, 0], [4, 4]
        ),
    ),
    (func.FuncOp, lambda: func.FuncOp.external("f", [], [])),
]


@pytest.mark.parametrize("cls, build", BUILT, ids=[cls.name for cls, _ in BUILT])
def test_methods_of_xdsl_build_the_refined_op(
    cls: type[Operation], build: Callable[[], Operation]
) -> None:
    """Passes recognise ops by their class."""
    assert isinstance(build(), cls)
