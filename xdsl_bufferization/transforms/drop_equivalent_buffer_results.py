"""The pass drop-equivalent-buffer-results."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from xdsl_bufferization.analysis.deallocation.returned_memrefs import (
    ReturnedMemrefs,
    find_whole_arguments,
)
from xdsl_bufferization.analysis.facts.functions import FunctionTable, return_ops
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.interfaces.types import MEMREF_TYPES
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.programs import on_program
from xdsl_bufferization.remarks.active import active_log
from xdsl_bufferization.transforms.utils.function_signatures import (
    calls_of,
    drop_results,
    is_modifiable,
    keep_items,
)


@dataclass(frozen=True)
class DropEquivalentBufferResultsPass(ModulePass):
    """Remove function results that are buffers passed in by the caller.

    When a function updates a tensor argument in place, it returns the same memref that
    it takes:

        func.func private @f(%m: memref<4xf32>, %i: index, %x: f32) -> memref<4xf32> {
          memref.store %x, %m[%i] : memref<4xf32>
          return %m : memref<4xf32>
        }

    becomes

        func.func private @f(%m: memref<4xf32>, %i: index, %x: f32) {
          memref.store %x, %m[%i] : memref<4xf32>
          return
        }

    and callers use the memref that they pass, cast where the types differ. A result is
    dropped if it is the same argument, possibly cast, at every return. Functions that
    may have unknown callers, or are used as values, such as by func.constant, keep
    their type.

    With through-control-flow, a result is also dropped if it is the same argument
    through loops, branches and calls, or the same value as an earlier result at every
    return. A recursive function that updates its argument then returns nothing:

        func.func private @f(%m: memref<4xf32>, %c: i1, %d: i1) -> memref<4xf32> {
          %r = scf.if %c -> (memref<4xf32>) {
            %0 = func.call @f(%m, %d, %d)
                : (memref<4xf32>, i1, i1) -> memref<4xf32>
            scf.yield %0 : memref<4xf32>
          } else {
            scf.yield %m : memref<4xf32>
          }
          return %r : memref<4xf32>
        }

    becomes, with `through-control-flow`,

        func.func private @f(%m: memref<4xf32>, %c: i1, %d: i1) {
          %r = scf.if %c -> (memref<4xf32>) {
            func.call @f(%m, %d, %d) : (memref<4xf32>, i1, i1) -> ()
            scf.yield %m : memref<4xf32>
          } else {
            scf.yield %m : memref<4xf32>
          }
          return
        }

    Options:
        modify-public-functions: change public functions as well.
        through-control-flow: follow loops, branches and calls, and drop results that are
            the same value as an earlier one.
    """

    name = "drop-equivalent-buffer-results"

    modify_public_functions: bool = False
    through_control_flow: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        drop_equivalent_buffer_results(
            op, self.modify_public_functions, self.through_control_flow
        )


@dataclass(frozen=True)
class _Equivalents:
    """The results of a function to drop, and what callers use instead.

    Attributes:
        arguments: by result, the number of the operand of the call.
        results: by result, the number of an earlier one, which stays.
    """

    arguments: dict[int, int]
    results: dict[int, int]

    @property
    def dropped(self) -> dict[int, int]:
        return self.arguments | self.results


@on_program
def drop_equivalent_buffer_results(
    module: ModuleOp,
    modify_public_functions: bool = False,
    through_control_flow: bool = False,
) -> None:
    """Remove results that are arguments, from functions and their calls."""
    functions = FunctionTable(module)
    calls = calls_of(module, functions)
    returned = find_whole_arguments(functions) if through_control_flow else None
    for func in functions.functions:
        if not is_modifiable(func, functions, modify_public_functions):
            continue
        if returned is None:
            equivalents = _Equivalents(_equivalent_arguments(func), {})
        else:
            equivalents = _find_equivalents(func, returned)
        if equivalents.dropped:
            _drop(func, equivalents, calls.get(func, []))
    if (log := active_log()) is not None and through_control_flow:
        log.result_hints = hints_for_results(module)


def hints_for_results(
    module: ModuleOp, passes_before: str = ""
) -> dict[Operation, dict[int, str]]:
    """Return, for the functions with results that the pass removes with both options,
    the numbers of these results, with a hint to run it.

    Args:
        passes_before: what to run before it, each pass with a comma.
    """
    functions = FunctionTable(module)
    returned = find_whole_arguments(functions)
    ours = f", as bufferization-pipeline{{{_PUBLIC}}} does"
    pipeline = "" if passes_before else ours
    return {
        func: dict.fromkeys(
            _find_equivalents(func, returned).dropped,
            f"let callers of @{func.sym_name.data} use what they pass in place of the "
            f"result: run {passes_before}drop-equivalent-buffer-results{{{_PUBLIC} "
            f"through-control-flow}} before deallocations are inserted{pipeline}",
        )
        for func in functions.functions
        if is_modifiable(func, functions, modify_public_functions=True)
    }


_PUBLIC = "modify-public-functions"


def _find_equivalents(func: FuncOp, returned: ReturnedMemrefs) -> _Equivalents:
    """What every path through the function makes equal to an argument, or to another
    result. Types that no cast connects belong to paths that are never taken."""
    arguments: dict[int, int] = {}
    results: dict[int, int] = {}
    inputs = func.function_type.inputs.data
    seen: dict[tuple[SSAValue, ...], int] = {}
    returns = return_ops(func)
    for number, origin in enumerate(returned.of_function(func)):
        type_ = func.function_type.outputs.data[number]
        if not isinstance(type_, MEMREF_TYPES):
            continue
        if (
            len(origin.arguments) == 1
            and not (origin.is_new or origin.is_other)
            and memref.cast_compatible(inputs[origin.arguments[0]], type_)
        ):
            arguments[number] = origin.arguments[0]
            continue
        earlier = seen.setdefault(tuple(op.operands[number] for op in returns), number)
        if earlier != number:
            results[number] = earlier
    return _Equivalents(arguments, results)


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


def _drop(func: FuncOp, equivalents: _Equivalents, calls: list[CallOp]) -> None:
    dropped = equivalents.dropped
    outputs = func.function_type.outputs.data
    func.properties["function_type"] = FunctionType.from_lists(
        func.function_type.inputs.data, keep_items(outputs, dropped)
    )
    drop_results(func, dropped)
    for op in return_ops(func):
        op.operands = keep_items(op.operands, dropped)
    for call in visiting(calls):
        _replace_call(call, equivalents)


def _replace_call(call: CallOp, equivalents: _Equivalents) -> None:
    dropped = equivalents.dropped
    new_call = CallOp(
        call.callee,
        call.operands,
        keep_items([result.type for result in call.results], dropped),
    )
    new_call.attributes.update(call.attributes)
    Rewriter.insert_op(new_call, InsertPoint.before(call))
    kept = iter(new_call.results)
    replaced: list[SSAValue] = []
    for number, result in enumerate(call.results):
        if number not in dropped:
            value = next(kept)
        elif number in equivalents.results:
            value = replaced[equivalents.results[number]]
        elif result.first_use is not None:
            value = _cast(call.operands[equivalents.arguments[number]], result, call)
        else:
            value = result
        if value is not result:
            result.replace_all_uses_with(value)
        replaced.append(value)
    parent = call.parent
    assert parent is not None
    parent.erase_op(call)


def _cast(buffer: SSAValue, result: SSAValue, call: Operation) -> SSAValue:
    if buffer.type == result.type:
        return buffer
    cast = memref.CastOp.build(operands=[buffer], result_types=[result.type])
    Rewriter.insert_op(cast, InsertPoint.before(call))
    return cast.results[0]
