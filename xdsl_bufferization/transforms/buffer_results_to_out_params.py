"""The pass buffer-results-to-out-params."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    MemRefType,
    ModuleOp,
    StridedLayoutAttr,
    UnitAttr,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.deallocation.buffer_origin import BufferOrigins
from xdsl_bufferization.analysis.deallocation.temporary_memory import TemporaryMemory
from xdsl_bufferization.analysis.facts.block_graph import reaches_itself
from xdsl_bufferization.analysis.facts.computations import find_computation
from xdsl_bufferization.analysis.facts.functions import FunctionTable, return_ops
from xdsl_bufferization.dialects import memref
from xdsl_bufferization.dialects.op_lists import list_ops, walk
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.types import MEMREF_TYPES
from xdsl_bufferization.locations import visiting
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.transforms.utils.arenas import ARENA_BYTES
from xdsl_bufferization.transforms.utils.function_signatures import (
    calls_of,
    drop_results,
    is_modifiable,
    keep_items,
)

_RESULT_ATTRIBUTE = "bufferize.result"


@dataclass(frozen=True)
class BufferResultsToOutParamsPass(ModulePass):
    """Turn memref results of functions into arguments that the caller allocates.

        func.func private @f(%x: f32, %i: index) -> memref<4xf32> {
          %0 = memref.alloc() : memref<4xf32>
          memref.store %x, %0[%i] : memref<4xf32>
          return %0 : memref<4xf32>
        }

    becomes

        func.func private @f(%x: f32, %i: index, %out: memref<4xf32>) {
          %0 = memref.alloc() : memref<4xf32>
          memref.store %x, %0[%i] : memref<4xf32>
          memref.copy %0, %out : memref<4xf32> to memref<4xf32>
          return
        }

    A caller must know the size of the buffer: a result of dynamic shape is an error,
    unless its allocation is hoisted. The caller allocates a buffer with the identity
    layout, so a result whose layout this buffer cannot be cast to is an error too.
    Public functions, functions without a body, functions that are used as values, such
    as by func.constant, and unranked results are left unchanged.

    Options:
        add-result-attr: mark the new arguments with the attribute `bufferize.result`.
        hoist-static-allocs: if the function allocates the result itself and its shape
            is static, compute it in the argument instead of copying it there.
        hoist-dynamic-allocs: the same for dynamic shapes whose sizes are arguments.
        modify-public-functions: change public functions as well.
        only-hoisted: change only results whose allocation is hoisted, callees before
            callers. An allocation is not hoisted past ops that may allocate temporary
            memory, as this might raise the peak of memory in use. It is hoisted also if
            the function returns it through loops and branches, and if its sizes are
            computed from arguments and their dimensions. (An option of this package.)
        only-static: change results of static shape only, and those with a layout that no
            dense buffer can be cast to only in functions that the module does not call:
            they are copied to a dense argument. Nothing is an error. Allocations are
            hoisted also if the function returns them through loops and branches. (An
            option of this package.)
    """

    name = "buffer-results-to-out-params"

    add_result_attr: bool = False
    hoist_static_allocs: bool = False
    hoist_dynamic_allocs: bool = False
    modify_public_functions: bool = False
    only_hoisted: bool = False
    only_static: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        buffer_results_to_out_params(op, self)


@dataclass
class _OutParam:
    """A result that becomes an argument.

    Attributes:
        result: its number among the results.
        type_: its type.
        hoisted: the allocation that the function made for it, if the argument takes its
            place.
        sizes: its dynamic sizes in the function, when hoisted.
        computed: the ops of the function that compute the sizes from arguments only, in
            order.
        alignment: the alignment that callers allocate it with.
    """

    result: int
    type_: MemRefType[Attribute]
    hoisted: memref.AllocOp | None = None
    sizes: Sequence[SSAValue] = ()
    computed: Sequence[Operation] = ()
    alignment: Attribute | None = None


def buffer_results_to_out_params(
    module: ModuleOp, options: BufferResultsToOutParamsPass
) -> None:
    """Turn memref results into arguments, in functions and their calls.

    Raises:
        PassFailedException: when a caller cannot know the size of a result, or cannot
            allocate a buffer of its layout.
    """
    functions = FunctionTable(module)
    calls = calls_of(module, functions)
    if options.only_hoisted or options.only_static:
        _change_callees_first(functions, calls, options)
        return
    _change(
        {
            func: _plan(func, options)
            for func in functions.functions
            if is_modifiable(func, functions, options.modify_public_functions)
        },
        calls,
        options.add_result_attr,
    )


def _change_callees_first(
    functions: FunctionTable,
    calls: Mapping[FuncOp, Sequence[CallOp]],
    options: BufferResultsToOutParamsPass,
) -> None:
    """Turn results into arguments in one function after the other: what a caller
    allocates for a result may be its own result. In a recursion, only results whose
    allocations can move to the callers, as the others would be copied at each level."""
    memory = TemporaryMemory(functions)
    ordered, recursive = functions.find_recursive()
    for func in ordered:
        if not is_modifiable(func, functions, options.modify_public_functions):
            continue
        is_called = bool(calls.get(func))
        plan = _plan(func, options, is_called)
        if options.only_hoisted:
            plan = [
                param
                for param in plan
                if param.hoisted is not None and _may_move(param.hoisted, func, memory)
            ]
        elif is_called and func in recursive:
            plan = [param for param in plan if param.hoisted is not None]
        _change({func: plan}, calls, options.add_result_attr)
        if options.only_hoisted:
            memory.update(func)


def _may_move(allocation: memref.AllocOp, func: FuncOp, memory: TemporaryMemory) -> bool:
    """Whether an allocation of the entry block may as well be made before the function is
    called: nothing before it allocates memory that is freed by then."""
    entry = func.body.blocks.first
    assert entry is not None
    earlier: list[Operation] = []
    for op in entry.ops:
        if op is allocation:
            break
        earlier.append(op)
    inside = [inner for op in earlier for inner in walk(op)]
    return memory.find_users(inside).isdisjoint(earlier)


def results_to_out_params(
    module: ModuleOp, results: Mapping[FuncOp, Collection[int]]
) -> None:
    """Turn chosen results of functions, which are memrefs, into arguments; of functions
    without a body too, whatever defines them following suit.

    Args:
        results: the numbers of the results, by function.

    Raises:
        PassFailedException: when a caller cannot know the size of a result, or a function
            is used as a value.
    """
    functions = FunctionTable(module)
    plans = {
        func: [param for param in _plan(func) if param.result in numbers]
        for func, numbers in results.items()
    }
    for func, plan in plans.items():
        if plan and func in functions.used_as_values:
            raise PassFailedException(
                f"{func.name}: cannot create out params for a function that is used as a "
                "value, since whoever calls it is not known. Let it return no tensor."
                f"{describe(func)}"
            )
    _change(plans, calls_of(module, functions))


def _change(
    plans: Mapping[FuncOp, list[_OutParam]],
    calls: Mapping[FuncOp, Sequence[CallOp]],
    add_attribute: bool = False,
) -> None:
    plans = {func: plan for func, plan in plans.items() if plan}
    for func, plan in plans.items():
        for call in calls.get(func, ()):
            _check_call(call, plan)
    for func, plan in plans.items():
        _change_function(func, plan, add_attribute)
        for call in visiting(calls.get(func, ())):
            _change_call(call, plan)


def _plan(
    func: FuncOp,
    options: BufferResultsToOutParamsPass | None = None,
    is_called: bool = True,
) -> list[_OutParam]:
    options = BufferResultsToOutParamsPass() if options is None else options
    returns = return_ops(func)
    returned = _ReturnedBuffers(
        func, returns, through_control_flow=options.only_hoisted or options.only_static
    )
    plan: list[_OutParam] = []
    hoisted: set[Operation] = set()
    for number, type_ in enumerate(func.function_type.outputs.data):
        if not isinstance(type_, MemRefType):
            continue
        memref_type = cast("MemRefType[Attribute]", type_)
        is_static = DYNAMIC_INDEX not in memref_type.get_shape()
        if options.only_static:
            if not is_static:
                continue
            if not _has_dense_layout(memref_type):
                memref_type = _allocated_type(memref_type)
                if is_called or not _has_dense_layout(memref_type):
                    continue
        elif not options.only_hoisted:
            _check_layout(func, number, memref_type)
        param = _OutParam(number, memref_type)
        if options.hoist_static_allocs if is_static else options.hoist_dynamic_allocs:
            alloc = returned.get_allocation(number)
            computed = None
            if alloc is not None and alloc.results[0].type == type_:
                computed = _find_size_ops(
                    alloc, func, only_arguments=not options.only_hoisted
                )
            if alloc is not None and computed is not None and alloc not in hoisted:
                param.hoisted = alloc
                param.sizes, param.computed = alloc.operands, computed
                keeps_alignment = options.only_hoisted or options.only_static
                param.alignment = alloc.alignment if keeps_alignment else None
                hoisted.add(alloc)
        plan.append(param)
    return plan


def _check_layout(func: FuncOp, number: int, type_: MemRefType[Attribute]) -> None:
    if not _has_dense_layout(type_):
        raise PassFailedException(
            f"{func.name}: cannot create out param for result {number} of "
            f"@{func.sym_name.data} with unsupported layout: a caller allocates dense "
            f"buffers, which do not become {type_}. Return a copy with the identity "
            f"layout.{describe(func)}"
        )


def _has_dense_layout(type_: MemRefType[Attribute]) -> bool:
    """Whether the buffer that a caller allocates can be cast to this type."""
    allocated = _allocated_type(type_)
    has_symbols = isinstance(allocated.layout, AffineMapAttr) and (
        allocated.layout.data.num_symbols > 0
    )
    return not has_symbols and memref.cast_compatible(allocated, type_)


def _allocated_type(type_: MemRefType[Attribute]) -> MemRefType[Attribute]:
    """The type that a caller allocates for a result."""
    if isinstance(type_.layout, StridedLayoutAttr):
        return MemRefType(
            type_.element_type, type_.shape, memory_space=type_.memory_space
        )
    return type_


class _ReturnedBuffers:
    """The allocations that a function returns.

    Args:
        through_control_flow: whether to look for them beyond loops and branches.
    """

    def __init__(
        self, func: FuncOp, returns: Sequence[ReturnOp], through_control_flow: bool
    ):
        self._func = func
        self._returns = returns
        self._through_control_flow = through_control_flow

    @cached_property
    def _origins(self) -> BufferOrigins:
        return BufferOrigins(self._func, list_ops(self._func), whole=True)

    def get_allocation(self, number: int) -> memref.AllocOp | None:
        """The allocation that is the result at every return, and no other result of one,
        if it is made at most once."""
        values = {op.operands[number] for op in self._returns}
        if self._through_control_flow:
            values = {root for value in values for root in self._get_roots(value)}
        if len(values) != 1:
            return None
        (value,) = values
        owner = value.owner
        if not isinstance(owner, memref.AllocOp) or owner.parent is None:
            return None
        if self._through_control_flow and (
            # One in a loop may be needed after the next iteration has allocated its own.
            owner.parent is not self._func.body.blocks.first
            or any(
                value in self._get_roots(other)
                for op in self._returns
                for other in keep_items(op.operands, {number})
                if isinstance(other.type, MEMREF_TYPES)
            )
        ):
            return None
        return None if reaches_itself(owner.parent) else owner

    def _get_roots(self, value: SSAValue) -> Sequence[SSAValue]:
        return self._origins.get_terminals(value)


def _find_size_ops(
    alloc: memref.AllocOp, func: FuncOp, only_arguments: bool
) -> list[Operation] | None:
    """The ops that compute the dynamic sizes from arguments of the function, in order,
    which a caller may as well execute; None if there are others.

    Args:
        only_arguments: whether sizes must be arguments themselves.
    """
    entry = func.body.blocks.first

    def is_argument(value: SSAValue) -> bool:
        return isinstance(value, BlockArgument) and value.block is entry

    if only_arguments:
        return [] if all(map(is_argument, alloc.operands)) else None
    return find_computation(alloc.operands, is_argument)


def _check_call(call: CallOp, plan: list[_OutParam]) -> None:
    for param in plan:
        if param.hoisted is None and DYNAMIC_INDEX in param.type_.get_shape():
            raise PassFailedException(
                f"{call.name}: cannot create out param for dynamically shaped result "
                f"{param.result} of @{call.callee.string_value()}: the caller does not "
                "know its size. Return a static shape, or let the function allocate the "
                "result with sizes that are its arguments and use "
                f"hoist-dynamic-allocs.{describe(call)}"
            )


def _change_function(func: FuncOp, plan: list[_OutParam], add_attribute: bool) -> None:
    if ARENA_BYTES in func.attributes:
        raise PassFailedException(
            f"{func.name}: cannot create out params for @{func.sym_name.data}, whose "
            "last arguments are arenas. Run this pass before plan-memory, or set the "
            f"option results-to-out-params of bufferization-pipeline.{describe(func)}"
        )
    entry = func.body.blocks.first
    inputs = func.function_type.inputs.data
    dropped = {param.result for param in plan}
    func.properties["function_type"] = FunctionType.from_lists(
        [*inputs, *(param.type_ for param in plan)],
        keep_items(func.function_type.outputs.data, dropped),
    )
    _move_attributes(func, len(inputs), plan, add_attribute)
    drop_results(func, dropped)
    if entry is None:
        return
    returns = return_ops(func)
    for param in plan:
        argument = entry.insert_arg(param.type_, len(entry.args))
        if param.hoisted is None:
            for op in visiting(returns):
                copy = memref.CopyOp.build(operands=[op.operands[param.result], argument])
                Rewriter.insert_op(copy, InsertPoint.before(op))
    for op in returns:
        op.operands = keep_items(op.operands, dropped)
    for argument, param in zip(entry.args[len(inputs) :], plan, strict=True):
        if param.hoisted is not None:
            param.hoisted.results[0].replace_all_uses_with(argument)
            block = param.hoisted.parent
            assert isinstance(block, Block)
            block.erase_op(param.hoisted)


def _move_attributes(
    func: FuncOp, input_count: int, plan: Sequence[_OutParam], add_attribute: bool
) -> None:
    """Let the new arguments have the attributes of the results that they replace."""
    if not add_attribute and func.arg_attrs is None and func.res_attrs is None:
        return
    empty: DictionaryAttr = DictionaryAttr({})
    mark = {_RESULT_ATTRIBUTE: UnitAttr()} if add_attribute else {}
    old = [empty] * input_count if func.arg_attrs is None else func.arg_attrs.data
    new = [
        empty if func.res_attrs is None else func.res_attrs.data[param.result]
        for param in plan
    ]
    func.properties["arg_attrs"] = ArrayAttr(
        [*old, *(DictionaryAttr({**of.data, **mark}) for of in new)]
    )


def _change_call(call: CallOp, plan: list[_OutParam]) -> None:
    dropped = {param.result for param in plan}
    buffers = {param.result: _allocate(call, param) for param in plan}
    new_call = CallOp(
        call.callee,
        [*call.operands, *buffers.values()],
        keep_items([result.type for result in call.results], dropped),
    )
    new_call.attributes.update(call.attributes)
    Rewriter.insert_op(new_call, InsertPoint.before(call))
    kept = iter(new_call.results)
    for number, result in enumerate(call.results):
        result.replace_all_uses_with(buffers[number] if number in dropped else next(kept))
    parent = call.parent
    assert parent is not None
    parent.erase_op(call)


def _compute_sizes(call: CallOp, param: _OutParam) -> list[SSAValue]:
    """Compute the dynamic sizes of a result, before a call."""
    known: dict[SSAValue, SSAValue] = {}
    for value in (*param.sizes, *(v for op in param.computed for v in op.operands)):
        if isinstance(value, BlockArgument):
            known[value] = call.operands[value.index]
    for op in param.computed:
        Rewriter.insert_op(op.clone(known), InsertPoint.before(call))
    return [known[size] for size in param.sizes]


def _allocate(call: CallOp, param: _OutParam) -> SSAValue:
    """A buffer for a result, under the type that the function returned."""
    type_ = _allocated_type(param.type_)
    alloc = memref.AllocOp.build(
        operands=[_compute_sizes(call, param), []],
        result_types=[type_],
        properties={"alignment": param.alignment},
    )
    Rewriter.insert_op(alloc, InsertPoint.before(call))
    if type_ == param.type_:
        return alloc.results[0]
    cast_op = memref.CastOp.build(operands=[alloc.results[0]], result_types=[param.type_])
    Rewriter.insert_op(cast_op, InsertPoint.before(call))
    return cast_op.results[0]
