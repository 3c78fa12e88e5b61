"""The pass drop-equivalent-buffer-results."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.facts.functions import FunctionTable, return_ops
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.bufferizable import MEMREF_TYPES
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.function_signatures import (
    calls_of,
    drop_results,
    is_modifiable,
    keep_items,
)


@dataclass(frozen=True)
class DropEquivalentBufferResultsPass(ModulePass):
    """Remove function results that are a buffer the caller has passed in.

    Bufferization in place makes a function return the very memref it was given:

        func.func private @f(%m: memref<4xf32>) -> memref<4xf32> {
          ...
          return %m : memref<4xf32>
        }

    becomes

        func.func private @f(%m: memref<4xf32>) {
          ...
          return
        }

    and callers use what they pass, cast where the types differ. A result counts when it
    is the same argument, possibly cast, at every return. Functions that may be called
    from elsewhere, or are used as values, such as by func.constant, keep their type.

    Options:
        modify-public-functions: change public functions as well.
    """

    name = "drop-equivalent-buffer-results"

    modify_public_functions: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        drop_equivalent_buffer_results(op, self.modify_public_functions)


def drop_equivalent_buffer_results(
    module: ModuleOp, modify_public_functions: bool = False
) -> None:
    """Remove results that are arguments, from functions and their calls."""
    functions = FunctionTable(module)
    calls = calls_of(module, functions)
    for func in functions.functions:
        if is_modifiable(func, functions, modify_public_functions):
            dropped = _equivalent_arguments(func)
            if dropped:
                _drop(func, dropped, calls.get(func, []))


def _equivalent_arguments(func: FuncOp) -> dict[int, int]:
    """For each result that is an argument at every return, the number of the argument."""
    returns = return_ops(func)
    found: dict[int, int] = {}
    for number, type_ in enumerate(func.function_type.outputs.data):
        if not isinstance(type_, MEMREF_TYPES):
            continue
        sources = {_without_casts(op.operands[number]) for op in returns}
        if len(sources) != 1:
            continue
        source = sources.pop()
        if isinstance(source, BlockArgument) and source.block is func.body.blocks.first:
            found[number] = source.index
    return found


def _without_casts(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, memref.CastOp):
        value = value.owner.operands[0]
    return value


def _drop(func: FuncOp, dropped: dict[int, int], calls: list[CallOp]) -> None:
    outputs = func.function_type.outputs.data
    func.properties["function_type"] = FunctionType.from_lists(
        func.function_type.inputs.data, keep_items(outputs, dropped)
    )
    drop_results(func, dropped)
    for op in return_ops(func):
        op.operands = keep_items(op.operands, dropped)
    for call in visiting(calls):
        _replace_call(call, dropped)


def _replace_call(call: CallOp, dropped: dict[int, int]) -> None:
    new_call = CallOp(
        call.callee,
        call.operands,
        keep_items([result.type for result in call.results], dropped),
    )
    new_call.attributes.update(call.attributes)
    Rewriter.insert_op(new_call, InsertPoint.before(call))
    kept = iter(new_call.results)
    for number, result in enumerate(call.results):
        if number not in dropped:
            result.replace_all_uses_with(next(kept))
        elif result.first_use is not None:
            result.replace_all_uses_with(
                _cast(call.operands[dropped[number]], result, call)
            )
    parent = call.parent
    assert parent is not None
    parent.erase_op(call)


def _cast(buffer: SSAValue, result: SSAValue, call: Operation) -> SSAValue:
    if buffer.type == result.type:
        return buffer
    cast = memref.CastOp.build(operands=[buffer], result_types=[result.type])
    Rewriter.insert_op(cast, InsertPoint.before(call))
    return cast.results[0]
