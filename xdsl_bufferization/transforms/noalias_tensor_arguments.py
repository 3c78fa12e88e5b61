"""The pass noalias-tensor-arguments."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
    TensorType,
    UnitAttr,
    UnrankedTensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.module_pass import ModulePass

NOALIAS = "llvm.noalias"


@dataclass(frozen=True)
class NoaliasTensorArgumentsPass(ModulePass):
    """Mark the tensor arguments of functions with `llvm.noalias`, before bufferization.

        func.func @f(%a: tensor<4xf32>, %b: memref<4xf32>) {
          return
        }

    becomes

        func.func @f(%a: tensor<4xf32> {llvm.noalias}, %b: memref<4xf32>) {
          return
        }

    `one-shot-bufferize` assumes that no two arguments share memory: a call in the
    program that passes the same tensor twice copies it if the callee writes it. A
    function thus accesses memory that it writes through the buffer of a tensor argument
    through no other pointer. The attribute tells this to LLVM; without it, loops over
    arguments test at run time whether these overlap, or are not vectorized. External
    callers of such a function must not pass overlapping buffers either, except for
    buffers that are only read.

    Arguments that already are memrefs, and functions without a body, are left
    unchanged.
    """

    name = "noalias-tensor-arguments"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        noalias_tensor_arguments(op)


def noalias_tensor_arguments(root: Operation) -> None:
    """Mark the tensor arguments of every func.func under `root` that has a body."""
    for op in walk(root):
        if isinstance(op, FuncOp) and op.body.blocks:
            _mark(op)


def _mark(function: FuncOp) -> None:
    inputs = function.function_type.inputs.data
    tensors = [isinstance(type_, TensorType | UnrankedTensorType) for type_ in inputs]
    if not any(tensors):
        return
    given = function.arg_attrs or [DictionaryAttr({})] * len(inputs)
    function.arg_attrs = ArrayAttr(
        DictionaryAttr({**attributes.data, NOALIAS: UnitAttr()}) if tensor else attributes
        for tensor, attributes in zip(tensors, given, strict=True)
    )
