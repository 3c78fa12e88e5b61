"""Function results in memory that must not be written, such as a constant.

A caller copies such a result before writing it. Results that are arguments are
excluded: the caller knows from its operand whether that may be written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, OpResult, SSAValue, Use

from xdsl_bufferization.analysis.facts.functions import indirectly_called_type
from xdsl_bufferization.interfaces.operands import get

if TYPE_CHECKING:
    from xdsl_bufferization.analysis.facts.functions import FunctionTable
    from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState


ReturnedTensors: TypeAlias = Sequence[tuple[int, Sequence[SSAValue]]]
"""The tensor results of a function by number, each with the values it returns there."""


def find_read_only_results(
    func: FuncOp, returned: ReturnedTensors, state: DefaultAnalysisState
) -> set[int]:
    """Return the numbers of the read-only results of an analyzed function."""
    is_suspect: dict[object, bool] = {}

    def may_be_read_only(value: SSAValue) -> bool:
        key = state.alias_key(value)
        known = is_suspect.get(key)
        if known is None:
            known = is_suspect[key] = any(
                _is_read_only(alias, func, state) for alias in state.aliases_of(value)
            )
        return known

    return {
        number
        for number, values in returned
        if any(
            may_be_read_only(value)
            and any(
                _is_read_only(source, func, state)
                for source in _sources(value, state, state.is_in_place)
            )
            for value in values
        )
    }


def assume_read_only_results(
    functions: FunctionTable,
    returned: Mapping[FuncOp, ReturnedTensors],
    summarized: Set[FuncOp],
    state_of: Callable[[FuncOp], DefaultAnalysisState],
) -> None:
    """Find the results that may be read-only before any function is analyzed, for calls
    of functions without a summary.

    A value comes from the operands that it may alias and that its op does not write: a
    buffer that is written in place is writable. A call may return whatever the callee
    may return. Linear in the values that are visited, per returned value.

    Args:
        returned: by function, those without a body excluded.
        summarized: the functions whose calls are going to be understood by a summary.
        state_of: returns a state for a function, with the rules that it is going to be
            analyzed by, and without decisions.
    """
    callers: dict[tuple[FuncOp, int], list[tuple[FuncOp, int]]] = {}
    found: dict[tuple[FuncOp, int], None] = {}
    by_type = functions.callable_by_value() if functions.has_indirect_calls else {}

    def follow(state: DefaultAnalysisState, operand: Use) -> bool:
        # The summary of a callee may say that it does not write the operand.
        callee = functions.callee(operand.operation)
        return (callee is not None and callee in summarized) or state.is_in_place(operand)

    for func, results in returned.items():
        state = state_of(func)
        for number, values in results:
            result = (func, number)
            for value in values:
                for source in _sources(value, state, partial(follow, state)):
                    if _is_read_only(source, func, state):
                        found[result] = None
                    for callee in _callees(source, functions, by_type):
                        callers.setdefault(callee, []).append(result)
    callable_ = {func for group in by_type.values() for func in group}
    worklist = list(found)
    for result in worklist:
        func, number = result
        functions.read_only.setdefault(func, set()).add(number)
        if func in callable_:
            numbers = functions.read_only_by_type.setdefault(func.function_type, set())
            numbers.add(number)
        for caller in callers.get(result, ()):
            if caller not in found:
                found[caller] = None
                worklist.append(caller)


def _is_read_only(value: SSAValue, func: FuncOp, state: DefaultAnalysisState) -> bool:
    is_argument = value.owner is func.body.blocks.first
    return not is_argument and not state.is_writable(value)


def _sources(
    value: SSAValue, state: DefaultAnalysisState, follow: Callable[[Use], bool]
) -> Iterator[SSAValue]:
    """The values whose buffer `value` may have, itself included."""
    found = {value: None}
    worklist = [value]
    for current in worklist:
        yield current
        for alias in state.aliasing_operands(current):
            source = get(alias.operand)
            if source not in found and follow(alias.operand):
                found[source] = None
                worklist.append(source)


def _callees(
    value: SSAValue,
    functions: FunctionTable,
    by_type: Mapping[Attribute, Sequence[FuncOp]],
) -> list[tuple[FuncOp, int]]:
    """The results of functions that the result of a call may be."""
    if not isinstance(value, OpResult):
        return []
    if isinstance(value.op, CallOp):
        callee = functions.callee(value.op)
        return [] if callee is None else [(callee, value.index)]
    type_ = indirectly_called_type(value.op)
    if type_ is None:
        return []
    return [(callee, value.index) for callee in by_type.get(type_, ())]
