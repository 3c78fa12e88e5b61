"""Function results in memory that must not be written, such as a constant.

A caller copies such a result before writing it. Results that are arguments are
excluded: the caller knows from its operand whether that may be written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, Use

from xdsl_bufferization.analysis.facts.forwarded_values import forwarded_targets
from xdsl_bufferization.analysis.facts.functions import indirectly_called_type
from xdsl_bufferization.analysis.facts.strongly_connected import reachable
from xdsl_bufferization.interfaces.operands import get, op_of, operands_of
from xdsl_bufferization.interfaces.types import TENSOR_TYPES

if TYPE_CHECKING:
    from xdsl_bufferization.analysis.facts.functions import FunctionTable
    from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState


ReturnedTensors: TypeAlias = Sequence[tuple[int, Sequence[SSAValue]]]
"""The tensor results of a function by number, each with the values it returns there."""

_Result: TypeAlias = tuple[FuncOp, int]
_Name: TypeAlias = SSAValue | _Result
_Names: TypeAlias = dict[_Name, list[_Name]]
"""By value, or result of a function, what else its buffer may become."""


def find_read_only_results(
    func: FuncOp, returned: ReturnedTensors, state: DefaultAnalysisState
) -> set[int]:
    """Return the numbers of the read-only results of an analyzed function."""
    found = set[int]()
    # Which values loops copy takes long to find out, and few results may be read-only.
    for are_decided in (False, True):
        sources = _Sources(state, state.is_in_place, are_decided=are_decided)
        found = _find_by_sources(func, returned, state, sources)
        if not found:
            break
    return found


def _find_by_sources(
    func: FuncOp,
    returned: ReturnedTensors,
    state: DefaultAnalysisState,
    sources: _Sources,
) -> set[int]:
    """The results that a read-only value may give its buffer. Linear in the values."""
    names: _Names = {}
    for number, values in returned:
        for value in values:
            names.setdefault(value, []).append((func, number))
    read_only: list[_Name] = [
        value for value in sources.collect(names) if _is_read_only(value, func, state)
    ]
    found = reachable(read_only, lambda name: names.get(name, ()))
    return {name[1] for name in found if not isinstance(name, SSAValue)}


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
    may return. Linear in the values that are visited.

    Args:
        returned: by function, those without a body excluded.
        summarized: the functions whose calls are going to be understood by a summary.
        state_of: returns a state for a function, with the rules that it is going to be
            analyzed by, and without decisions.
    """
    names: _Names = {}
    read_only: list[_Name] = []
    by_type = functions.callable_by_value() if functions.has_indirect_calls else {}

    def follow(state: DefaultAnalysisState, operand: Use) -> bool:
        # The summary of a callee may say that it does not write the operand.
        callee = functions.callee(operand.operation)
        return (callee is not None and callee in summarized) or state.is_in_place(operand)

    for func, results in returned.items():
        state = state_of(func)
        inside: _Names = {}
        for number, values in results:
            for value in values:
                inside.setdefault(value, []).append((func, number))
        sources = _Sources(state, partial(follow, state), are_decided=False)
        for value in sources.collect(inside):
            if _is_read_only(value, func, state):
                read_only.append(value)
            for callee in _callees(value, functions, by_type):
                names.setdefault(callee, []).append(value)
        names |= inside
    callable_ = {func for group in by_type.values() for func in group}
    for name in reachable(read_only, lambda name: names.get(name, ())):
        if not isinstance(name, SSAValue):
            func, number = name
            functions.read_only.setdefault(func, set()).add(number)
            if func in callable_:
                by_this_type = functions.read_only_by_type
                by_this_type.setdefault(func.function_type, set()).add(number)


def _is_read_only(value: SSAValue, func: FuncOp, state: DefaultAnalysisState) -> bool:
    is_argument = value.owner is func.body.blocks.first
    return not is_argument and not state.is_writable(value)


class _Sources:
    """The values whose buffer a value may have. What a loop yields may be the buffer of
    its result, although it is no alias of that.

    Args:
        follow: whether the buffer of an operand may be that of a result.
        are_decided: whether the state knows which values the ends of regions copy.
    """

    def __init__(
        self,
        state: DefaultAnalysisState,
        follow: Callable[[Use], bool],
        *,
        are_decided: bool,
    ) -> None:
        self._state = state
        self._follow = follow
        self._are_decided = are_decided
        self._forwarded_in: dict[Operation, Mapping[SSAValue, Sequence[SSAValue]]] = {}

    def of(self, value: SSAValue) -> Iterator[SSAValue]:
        """The operands, and what loops forward, of which one may give the buffer."""
        for alias in self._state.aliasing_operands(value):
            if self._follow(alias.operand):
                yield get(alias.operand)
        op = op_of(value)
        if op is not None and op.regions and not isinstance(op, FuncOp):
            known = self._forwarded_in.get(op)
            if known is None:
                known = self._forwarded_in[op] = self._forwarded(op)
            yield from known.get(value, ())

    def collect(self, names: _Names) -> Sequence[SSAValue]:
        """Return the values that are named, and all whose buffer they may have in the
        end, after adding to the names of each the values that may have its buffer."""
        worklist = [value for value in names if isinstance(value, SSAValue)]
        for value in worklist:
            for source in self.of(value):
                if source not in names:
                    worklist.append(source)
                names.setdefault(source, []).append(value)
        return worklist

    def _forwarded(self, op: Operation) -> Mapping[SSAValue, Sequence[SSAValue]]:
        """What an op and its regions forward without a copy, by where it goes."""
        state = self._state
        model = state.model(op)
        if model is None:
            return {}
        copied = set(model.copied_besides(op, state)) if self._are_decided else set[Use]()
        found: dict[SSAValue, list[SSAValue]] = {}
        ends = (block.last_op for region in op.regions for block in region.blocks)
        for end in (op, *ends):
            for operand in () if end is None else operands_of(end):
                if (
                    isinstance(get(operand).type, TENSOR_TYPES)
                    and operand not in copied
                    and self._follow(operand)
                ):
                    for target in forwarded_targets(operand) or ():
                        found.setdefault(target, []).append(get(operand))
        return found


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
