"""Function summaries: the effects of a call on the buffers of its operands.

Computed once per function, callees before callers. Mutually recursive functions get no
summary before they are analysed, so calls between them are treated conservatively: every
operand is read and written, and may alias every result.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization.analysis.facts.functions import (
    ACCESS,
    FunctionSummary,
    argument_attribute,
    return_ops,
    returned_tensors,
    tensor_indices,
)
from xdsl_bufferization.analysis.facts.reached_values import ReachedValues
from xdsl_bufferization.analysis.one_shot.read_only_results import find_read_only_results
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.interfaces.diagnostics import describe
from xdsl_bufferization.interfaces.operands import get


def summarize(func: FuncOp, state: DefaultAnalysisState) -> FunctionSummary:
    """The summary of an analysed, or external, function.

    Raises:
        PassFailedException: when a function with a body never returns, or an argument has
            a bufferization.access attribute that means nothing.
    """
    summary = FunctionSummary()
    arguments = tensor_indices(func.function_type.inputs.data)
    results = tensor_indices(func.function_type.outputs.data)
    entry = func.body.blocks.first
    for index in arguments:
        read = written = True
        access = argument_attribute(func, index, ACCESS)
        if access is not None:
            read, written = _access(func, access)
        elif entry is not None:
            read = state.is_value_read(entry.args[index])
            written = state.is_value_written(entry.args[index])
        if read:
            summary.read.add(index)
        if written:
            summary.written.add(index)
    if entry is None:
        summary.aliasing = {index: list(results) for index in arguments}
        summary.defined = set(results)
        return summary
    _summarize_results(summary, func, state, entry, arguments, results)
    summary.read_only = find_read_only_results(func, returned_tensors(func), state)
    return summary


def _summarize_results(
    summary: FunctionSummary,
    func: FuncOp,
    state: DefaultAnalysisState,
    entry: Block,
    arguments: Sequence[int],
    results: Sequence[int],
) -> None:
    returns = return_ops(func)
    if not returns:
        raise PassFailedException(
            f"func.func @{func.sym_name.data}: expected at least one func.return op. A "
            "function that never returns cannot be bufferized; remove it or let it "
            f"return.{describe(func)}"
        )
    defined = ReachedValues(
        lambda value: _is_defined(value, entry, state),
        lambda value: [get(a.operand) for a in state.aliasing_operands(value)],
        any,
    )
    arguments_of: dict[object, list[int]] = {}
    for index in arguments:
        arguments_of.setdefault(state.alias_key(entry.args[index]), []).append(index)
    results_of: dict[object, list[int]] = {}
    for number in results:
        values = [op.operands[number] for op in returns]
        if any(map(defined.of, values)):
            summary.defined.add(number)
        keys = dict.fromkeys(state.alias_key(value) for value in values)
        for key in keys:
            for index in arguments_of.get(key, ()):
                aliasing = summary.aliasing.setdefault(index, [])
                if number not in aliasing[-1:]:
                    aliasing.append(number)
                argument = entry.args[index]
                if all(state.are_equivalent(value, argument) for value in values):
                    summary.equivalent[number] = index
            for other in results_of.get(key, ()):
                summary.shared_results.append((other, number))
            # One of them stands for all that share the buffer: sharing is transitive.
            results_of[key] = [number]


def _is_defined(value: SSAValue, entry: Block, state: DefaultAnalysisState) -> bool:
    """Whether a function gives a value new contents itself."""
    return value.owner is not entry and state.value_bufferizes_to_memory_write(value)


def _access(func: FuncOp, access: Attribute) -> tuple[bool, bool]:
    kinds = {
        "none": (False, False),
        "read": (True, False),
        "write": (False, True),
        "read-write": (True, True),
    }
    known = kinds.get(access.data) if isinstance(access, StringAttr) else None
    if known is None:
        raise PassFailedException(
            f"func.func @{func.sym_name.data}: {ACCESS} must be one of "
            f"{', '.join(repr(kind) for kind in kinds)}, got {access}"
        )
    return known
