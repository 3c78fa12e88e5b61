"""Summaries of functions that call each other, or themselves.

Such a function is analysed before the summaries of all its callees are known. A summary
is therefore assumed for each function, the functions are analysed under this
assumption, and the findings are compared with it. If they do not exceed the assumption,
it holds for every call that returns, by induction on the depth of the recursion.
Otherwise, the findings are added to the assumption, and the functions are analysed
again.

The first assumption is optimistic: a result is the single argument that it may be on
the paths without recursion, no argument is written, and no result is read-only.

    func.func private @f(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
      %r = scf.if %more -> (tensor<4xf32>) {
        ...
        %0 = func.call @f(%t, %m)
        scf.yield %0 : tensor<4xf32>
      } else {
        scf.yield %t : tensor<4xf32>       // so %0 and %r are assumed to be %t
      }
      return %r : tensor<4xf32>
    }

Without analyze-recursion, only the read-only results are found in this way: those that
remain constants once the functions are analysed. A constant that comes to the same end
as a tensor that is written is copied, so that the caller of the call need not copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.functions import (
    FunctionSummary,
    FunctionTable,
    returned_tensors,
)
from xdsl_bufferization.analysis.facts.strongly_connected import strongly_connected
from xdsl_bufferization.analysis.one_shot.function_summaries import summarize
from xdsl_bufferization.analysis.one_shot.read_only_results import (
    find_read_only_results,
)
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.operands import get
from xdsl_bufferization.interfaces.types import TENSOR_TYPES

_MOST_ASSUMPTIONS = 8
"""After so many, calls in the recursion are assumed to do anything."""


def components(
    functions: FunctionTable, circular: Sequence[FuncOp], options: BufferizationOptions
) -> Iterator[tuple[Sequence[FuncOp], bool]]:
    """The functions that call each other, together, each group after those it calls; and
    whether calls in the group may do anything.

    Args:
        circular: the functions that are on a cycle of calls, or call into one.
    """
    if not options.analyze_recursion:
        yield from (((func,), True) for func in circular)
        return
    among = set(circular)
    callees: dict[FuncOp, dict[FuncOp, None]] = {
        func: {
            callee: None
            for op in walk(func)
            if (callee := functions.callee(op)) is not None and callee in among
        }
        for func in circular
    }
    position = {func: number for number, func in enumerate(circular)}
    for group in strongly_connected(circular, callees.__getitem__):
        group.sort(key=position.__getitem__)
        yield group, len(group) > 1 or group[0] in callees[group[0]]


def assume_summaries(
    functions: FunctionTable,
    group: Sequence[FuncOp],
    options: BufferizationOptions,
    analyze_all: Callable[[Sequence[FuncOp]], DefaultAnalysisState],
) -> None:
    """Note in the table what holds for functions that call each other, if the options ask
    for it and it is found.

    Args:
        analyze_all: analyzes functions by themselves. Its decisions must depend on the
            functions and the table only.
    """
    if not options.analyze_recursion or options.analysis_heuristic == "fuzzer":
        return
    state = DefaultAnalysisState(options, functions)
    assumed = {func: _guess(func, functions, state) for func in group}
    for _ in range(_MOST_ASSUMPTIONS):
        functions.summaries.update(assumed)
        try:
            analysis = analyze_all(group)
        except PassFailedException:
            break
        found = {func: summarize(func, analysis) for func in group}
        weaker = {func: _join(assumed[func], found[func]) for func in group}
        if weaker == assumed:
            return
        assumed = weaker
    for func in group:
        del functions.summaries[func]


def assume_writable_results(
    functions: FunctionTable,
    group: Sequence[FuncOp],
    options: BufferizationOptions,
    analyze_all: Callable[[Sequence[FuncOp]], DefaultAnalysisState],
) -> None:
    """Take the note from the table that results of functions without summaries may be
    read-only, where they turn out not to be.

    Args:
        analyze_all: as for `assume_summaries`.
    """
    noted = {
        func: functions.read_only[func] for func in group if func in functions.read_only
    }
    if not noted or options.analysis_heuristic == "fuzzer":
        return
    returned = {func: returned_tensors(func) for func in noted}
    functions.read_only.update((func, set()) for func in noted)
    for _ in range(_MOST_ASSUMPTIONS):
        try:
            analysis = analyze_all(group)
        except PassFailedException:
            break
        more = {
            func: find_read_only_results(func, returned[func], analysis)
            - functions.read_only[func]
            for func in noted
        }
        if not any(more.values()):
            return
        for func, numbers in more.items():
            functions.read_only[func] |= numbers
    functions.read_only.update(noted)


def _guess(
    func: FuncOp, functions: FunctionTable, state: DefaultAnalysisState
) -> FunctionSummary:
    inputs = func.function_type.inputs.data
    guess = FunctionSummary(
        read={n for n, type_ in enumerate(inputs) if isinstance(type_, TENSOR_TYPES)}
    )
    for number, values in returned_tensors(func):
        arguments = _find_arguments(values, func, functions, state)
        if len(arguments) == 1:
            (argument,) = arguments
            guess.aliasing.setdefault(argument, []).append(number)
            guess.equivalent[number] = argument
    return guess


def _find_arguments(
    values: Sequence[SSAValue],
    func: FuncOp,
    functions: FunctionTable,
    state: DefaultAnalysisState,
) -> set[int]:
    """The arguments that values may be if everything is in place, calls in the recursion
    apart."""
    found = dict.fromkeys(values)
    worklist = list(found)
    arguments: set[int] = set()
    for value in worklist:
        if isinstance(value, BlockArgument) and value.owner is func.body.blocks.first:
            arguments.add(value.index)
            continue
        if isinstance(value, OpResult) and _is_recursive_call(value.op, functions):
            continue
        for alias in state.aliasing_operands(value):
            source = get(alias.operand)
            if source not in found:
                found[source] = None
                worklist.append(source)
    return arguments


def _is_recursive_call(op: Operation, functions: FunctionTable) -> bool:
    callee = functions.callee(op)
    return callee is not None and callee not in functions.summaries


def _join(first: FunctionSummary, second: FunctionSummary) -> FunctionSummary:
    """What holds if one of two summaries does."""
    aliasing = {
        argument: sorted(
            {*first.aliasing.get(argument, ()), *second.aliasing.get(argument, ())}
        )
        for argument in sorted({*first.aliasing, *second.aliasing})
    }
    return FunctionSummary(
        first.read | second.read,
        first.written | second.written,
        aliasing,
        {
            result: argument
            for result, argument in first.equivalent.items()
            if second.equivalent.get(result) == argument
        },
        sorted({*first.shared_results, *second.shared_results}),
        first.read_only | second.read_only,
        first.defined | second.defined,
    )
