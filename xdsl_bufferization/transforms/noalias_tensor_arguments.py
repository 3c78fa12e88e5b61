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

    `one-shot-bufferize` decides what to do in place as if no two arguments shared memory:
    at a call inside of the program it copies a tensor that the callee writes if it passes
    it twice. So what a function writes through the buffer of a tensor argument, it
    accesses through no other. The attribute is what LLVM needs to know that; without it,
    loops over arguments test at run time whether these overlap, or stay scalar. A program
    from outside that calls such a function must not pass overlapping buffers either, but
    for those that are only read.

    Arguments that are memrefs already are left alone, as are functions without a body.
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
