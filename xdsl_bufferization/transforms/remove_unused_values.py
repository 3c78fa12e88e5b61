"""The pass remove-unused-values."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.one_shot.dominance import check_dominance
from xdsl_bufferization.dialects.op_lists import list_functions, list_ops, walk
from xdsl_bufferization.interfaces.types import MEMREF_TYPES, TENSOR_TYPES
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.transforms.canonicalization_patterns.driver import (
    has_unused_values,
    remove_unused_values,
)
from xdsl_bufferization.transforms.canonicalization_patterns.worklist import (
    is_trivially_dead,
)
from xdsl_bufferization.transforms.utils.copy_estimates import estimate_copies


@dataclass(frozen=True)
class RemoveUnusedValuesPass(ModulePass):
    """Remove computations of unused values, in linear time. Run it before
    `one-shot-bufferize`.

    For One-Shot Bufferize, an op reads and writes its operands even if its result is
    unused, which can force a copy:

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

    The pass removes ops without side effects, new tensors (`bufferization.alloc_tensor`),
    results of ops with regions, iter_args, block arguments, and unreachable blocks. All
    other ops are left unchanged. A value that a loop computes from its value in the
    previous iteration counts as used.

    A function is left unchanged if some execution might copy more after the removal:
    One-Shot Analysis is greedy, and may then make other decisions (docs/copies.md
    explains the estimate).
    """

    name = "remove-unused-values"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        remove_unused_values_of(op)


@on_program
def remove_unused_values_of(module: ModuleOp) -> None:
    """Remove what nothing uses from the functions of `module`.

    Raises:
        PassFailedException: when a value is used where it is not defined.
    """
    check_dominance(module)
    for func in list_functions(module):
        _remove_unused_scalars(func)
    functions = [func for func in list_functions(module) if has_unused_values(func)]
    if not functions:
        return
    try:
        _, before = estimate_copies(module)
    except PassFailedException:
        before = None
    bodies = {func: func.body.clone() for func in functions} if before else {}
    ops = {func: list(walk(func)) for func in bodies}
    restored: list[FuncOp] = []
    for func in functions:
        remove_unused_values(func)
    if before is None:
        return
    while bodies:
        _, after = estimate_copies(module)
        after = after.of_copies(
            before,
            {func: dict(zip(walk(func), ops[func], strict=True)) for func in restored},
        )
        worse = [func for func in bodies if not after.is_never_worse(before, func)]
        if not worse and not after.is_never_worse(before):
            worse = list(bodies)
        for func in worse:
            func.detach_region(func.body)
            func.add_region(bodies.pop(func))
        restored += worse
        if not worse:
            return


def _remove_unused_scalars(function: FuncOp) -> None:
    """Remove unused ops that have nothing to do with tensors or buffers. That changes no
    decision about these, so the program need not be analysed."""
    for op in reversed(list_ops(function)):
        if (
            not op.regions
            and not any(
                isinstance(value.type, (*TENSOR_TYPES, *MEMREF_TYPES))
                for value in (*op.operands, *op.results)
            )
            and is_trivially_dead(op)
        ):
            Rewriter.erase_op(op)
