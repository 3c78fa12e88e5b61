"""The pass remove-unused-values."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.dialects.op_lists import list_functions
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.canonicalization_patterns.driver import (
    remove_unused_values,
)


@dataclass(frozen=True)
class RemoveUnusedValuesPass(ModulePass):
    """Remove what computes values that nothing uses, in linear time. Run it before
    `one-shot-bufferize`.

    One-Shot Bufferize takes every op for a reader or writer, also if nobody uses its
    result, and copies for it:

        func.func @f(%t: tensor<8xf32>, %x: f32, %i: index, %j: index) -> f32 {
          %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
          %1 = tensor.extract_slice %0[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
          %2 = tensor.extract %t[%j] : tensor<8xf32>
          return %2 : f32
        }

    becomes

        func.func @f(%t: tensor<8xf32>, %x: f32, %i: index, %j: index) -> f32 {
          %2 = tensor.extract %t[%j] : tensor<8xf32>
          return %2 : f32
        }

    Removed are ops without effects, results of ops with regions, values that loops carry,
    arguments of blocks, and blocks that are not reachable. All other ops stay as they
    are. A value that is computed from one iteration of a loop to the next counts as used.
    """

    name = "remove-unused-values"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_unused_values_of(op)


@on_program
def remove_unused_values_of(module: ModuleOp) -> None:
    """Remove what nothing uses from all functions of `module`."""
    for function in list_functions(module):
        remove_unused_values(function)
