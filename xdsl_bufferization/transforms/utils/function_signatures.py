"""Code shared by passes that change the types of functions together with their
calls."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TypeVar

from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.dialects.func import CallOp, FuncOp

from xdsl_bufferization.analysis.facts.functions import FunctionTable
from xdsl_bufferization.dialects.op_lists import walk
from xdsl_bufferization.remarks.active import active_log

T = TypeVar("T")


def calls_of(module: ModuleOp, functions: FunctionTable) -> dict[FuncOp, list[CallOp]]:
    """The calls of each function, in the order of the program."""
    calls: dict[FuncOp, list[CallOp]] = {}
    for op in walk(module):
        if isinstance(op, CallOp) and (callee := functions.callee(op)) is not None:
            calls.setdefault(callee, []).append(op)
    return calls


def is_modifiable(
    func: FuncOp, functions: FunctionTable, modify_public_functions: bool
) -> bool:
    """Whether all that depends on the function's type is in the module, or may be changed
    regardless: the function is public, but no value."""
    if functions.has_known_calls(func):
        return True
    return (
        modify_public_functions
        and func.body.blocks.first is not None
        and func not in functions.used_as_values
    )


def keep_items(items: Sequence[T], dropped: Container[int]) -> list[T]:
    """The items whose number is not dropped."""
    return [item for number, item in enumerate(items) if number not in dropped]


def drop_results(func: FuncOp, dropped: Container[int]) -> None:
    """Remove the attributes of dropped results, and the hints on them."""
    if (
        (log := active_log()) is not None
        and log.result_hints
        and func in log.result_hints
    ):
        hints = log.result_hints[func]
        numbers = keep_items(range(max(hints, default=-1) + 1), dropped)
        log.result_hints[func] = {
            new: hints[old] for new, old in enumerate(numbers) if old in hints
        }
    if func.res_attrs is None:
        return
    kept = keep_items(func.res_attrs.data, dropped)
    if any(attributes.data for attributes in kept):
        func.properties["res_attrs"] = ArrayAttr(kept)
    else:
        del func.properties["res_attrs"]
