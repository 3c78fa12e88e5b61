"""The pass func-bufferize."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType

from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.buffer_results_to_out_params import (
    results_to_out_params,
)
from xdsl_bufferization.transforms.utils.partial_bufferization import bufferize_dialects
from xdsl_bufferization.transforms.utils.tuple_flattening import flatten_tuples


@dataclass(frozen=True)
class FuncBufferizePass(ModulePass):
    """Bufferize functions, calls, returns, and branches between blocks.

        func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
          return %t : tensor<4xf32>
        }

    becomes

        func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
          return %m : memref<4xf32>
        }

    A buffer is copied before every write; `one-shot-bufferize` makes fewer copies and
    handles all dialects at once. Run `finalizing-bufferize` after the last such pass.

    It can also flatten tuples and turn results into arguments:

        func.func @f(%t: tuple<tensor<4xf32>, i1>) -> tuple<tensor<4xf32>, i1> {
          return %t : tuple<tensor<4xf32>, i1>
        }

    becomes, with `flatten-tuples` and `results-to-out-params`,

        func.func @f(%m: memref<4xf32>, %b: i1, %out: memref<4xf32>) -> i1 {
          memref.copy %m, %out : memref<4xf32> to memref<4xf32>
          return %b : i1
        }

    Options:
        flatten-tuples: functions, including public ones and declarations, take and
            return the innermost elements of tuples. Other users of a tuple get it from
            a builtin.unrealized_conversion_cast of its elements.
        results-to-out-params: results that were tensors become arguments that the
            caller allocates, also in public functions and declarations. Results that
            were memrefs stay. The caller must know the size of the buffer.
    """

    name = "func-bufferize"

    flatten_tuples: bool = False
    results_to_out_params: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.flatten_tuples:
            flatten_tuples(op)
        tensor_results = {
            func: [
                number
                for number, type_ in enumerate(func.function_type.outputs)
                if isinstance(type_, TensorType)
            ]
            for func in FunctionTable(op).functions
        }
        bufferize_dialects(op, ("func", "cf"), function_boundaries=True)
        if self.results_to_out_params:
            results_to_out_params(op, tensor_results)
