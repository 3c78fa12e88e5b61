"""Attributes that show the results of the analysis, in mlir-opt's form."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xdsl_bufferization.analysis.facts.functions import (
    ACCESS,
    FunctionSummary,
    return_ops,
)
from xdsl_bufferization.analysis.one_shot.analysis import OneShotAnalysis
from xdsl_bufferization.analysis.one_shot.module_analysis import is_analyzed
from xdsl_bufferization.dialects.op_lists import list_functions, walk
from xdsl_bufferization.interfaces.operands import get, op_of, operands_of
from xdsl_bufferization.interfaces.types import TENSOR_TYPES

_IN_PLACE = "__inplace_operands_attr__"
_RESULT_ALIASES = "__opresult_alias_set_attr__"
_ARGUMENT_ALIASES = "__bbarg_alias_set_attr__"
_EQUIVALENT_ARGUMENTS = "__equivalent_func_args__"


def annotate(root: Operation, analysis: OneShotAnalysis) -> None:
    """Show the decisions, and what else the options ask for. Functions that they exclude
    from the analysis stay as they are."""
    ops = _analyzed_ops(root, analysis)
    annotate_decisions(ops, analysis)
    annotate_functions(analysis)
    if analysis.options.print_conflicts:
        annotate_conflicts(analysis)
    if analysis.options.dump_alias_sets:
        annotate_alias_sets(root, ops, analysis)


def _analyzed_ops(root: Operation, analysis: OneShotAnalysis) -> list[Operation]:
    excluded = {
        op
        for func in list_functions(root)
        if not is_analyzed(func, analysis.options)
        for op in walk(func)
    }
    return [op for op in walk(root) if op not in excluded]


def annotate_decisions(ops: Sequence[Operation], analysis: OneShotAnalysis) -> None:
    """Add `__inplace_operands_attr__` to those of the ops that have tensor operands:
    "true", "false", or "none" for an operand that is no tensor."""
    for op in ops:
        decisions = [
            "none"
            if not isinstance(get(operand).type, TENSOR_TYPES)
            else ("true" if analysis.is_in_place(operand) else "false")
            for operand in operands_of(op)
        ]
        if any(decision != "none" for decision in decisions):
            op.attributes[_IN_PLACE] = ArrayAttr(StringAttr(d) for d in decisions)


def annotate_functions(analysis: OneShotAnalysis) -> None:
    """Add `bufferization.access` to the tensor arguments of analysed functions, and
    `__equivalent_func_args__` to returns of what is the buffer of an argument: for each
    returned value the number of the argument, or -1."""
    for func, summary in analysis.functions.summaries.items():
        for index, type_ in enumerate(func.function_type.inputs.data):
            if isinstance(type_, TENSOR_TYPES):
                _set_argument_attribute(func, index, _access(index, summary))
        entry = func.body.blocks.first
        if entry is None:
            continue
        for op in return_ops(func):
            numbers = [_equivalent_argument(v, func, analysis) for v in op.operands]
            if any(number >= 0 for number in numbers):
                op.attributes[_EQUIVALENT_ARGUMENTS] = ArrayAttr(
                    IntegerAttr(number, i64) for number in numbers
                )


def annotate_conflicts(analysis: OneShotAnalysis) -> None:
    """Mark, for each operand out of place, why: `C_<n>[READ: operand]`,
    `C_<n>[CONFL-WRITE: operand]` and `C_<n>[DEF: value]` for a read that would see a
    wrong value, `W_<n>[NOT-WRITABLE: value]` for a buffer that must not be written."""
    wrong_reads = not_writable = 0
    for conflict, *_ in analysis.conflicts.values():
        for value in conflict.read_only:
            _mark(value, f"W_{not_writable}[NOT-WRITABLE: {{}}]")
            not_writable += 1
        read, write, definition = conflict.read, conflict.write, conflict.definition
        if read is None or write is None or definition is None:
            continue
        name = f"C_{wrong_reads}"
        wrong_reads += 1
        write.operation.attributes[f"{name}[CONFL-WRITE: {write.index}]"] = UnitAttr()
        read.operation.attributes[f"{name}[READ: {read.index}]"] = UnitAttr()
        _mark(definition, f"{name}[DEF: {{}}]")


def _mark(value: SSAValue, name: str) -> None:
    op = op_of(value)
    if op is None:
        return
    if isinstance(value, OpResult):
        which = f"result {value.index}"
    else:
        assert isinstance(value, BlockArgument)
        which = f"bbArg {value.index}"
    op.attributes[name.format(which)] = UnitAttr()


def _set_argument_attribute(func: FuncOp, index: int, value: str) -> None:
    attributes = (
        [DictionaryAttr({})] * len(func.function_type.inputs.data)
        if func.arg_attrs is None
        else list(func.arg_attrs.data)
    )
    attributes[index] = DictionaryAttr(
        {**attributes[index].data, ACCESS: StringAttr(value)}
    )
    func.properties["arg_attrs"] = ArrayAttr(attributes)


def _access(index: int, summary: FunctionSummary) -> str:
    if index in summary.read:
        return "read-write" if index in summary.written else "read"
    return "write" if index in summary.written else "none"


def _equivalent_argument(value: SSAValue, func: FuncOp, analysis: OneShotAnalysis) -> int:
    if isinstance(value.type, TENSOR_TYPES):
        for argument in func.args:
            if analysis.are_equivalent(value, argument):
                return argument.index
    return -1


def annotate_alias_sets(
    root: Operation, ops: Sequence[Operation], analysis: OneShotAnalysis
) -> None:
    """Add `__opresult_alias_set_attr__` and `__bbarg_alias_set_attr__` to those of
    the ops in `root`: for each tensor result, and each tensor argument of each block of
    each region, the names of the values that may share its buffer."""
    names = _value_names(root)

    def aliases(value: SSAValue) -> ArrayAttr[StringAttr]:
        return ArrayAttr(StringAttr(names[alias]) for alias in analysis.aliases_of(value))

    for op in ops:
        of_results = [aliases(r) for r in op.results if isinstance(r.type, TENSOR_TYPES)]
        if of_results:
            op.attributes[_RESULT_ALIASES] = ArrayAttr(of_results)
        of_regions = [
            ArrayAttr(
                ArrayAttr(
                    aliases(argument)
                    for argument in block.args
                    if isinstance(argument.type, TENSOR_TYPES)
                )
                for block in region.blocks
            )
            for region in op.regions
        ]
        if any(block.data for region in of_regions for block in region.data):
            op.attributes[_ARGUMENT_ALIASES] = ArrayAttr(of_regions)


def _value_names(root: Operation) -> dict[SSAValue, str]:
    """Names of the values under `root`, each once: the name in the source where it has
    one, otherwise a number."""
    names: dict[SSAValue, str] = {}
    taken: set[str] = set()
    unnamed = 0
    for op in walk(root):
        arguments = [a for r in op.regions for block in r.blocks for a in block.args]
        for value in (*op.results, *arguments):
            name = value.name_hint
            if name is None:
                name, unnamed = str(unnamed), unnamed + 1
            base, number = name, 0
            while name in taken:
                name, number = f"{base}_{number}", number + 1
            taken.add(name)
            names[value] = f"%{name}"
    return names
