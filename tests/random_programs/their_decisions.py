"""Are the decisions of mlir-opt's analysis right?

mlir-opt prints them with `test-analysis-only`, as an attribute of each op. They are wrong
if

- the program, bufferized here with these decisions instead of ours, or after mlir-opt has
  inserted the copies that it makes for them and for what loops yield, is wrong for the
  checker of contents: it goes wrong with some arguments, or in some order of threads,
  even if the execution with other arguments shows nothing;
- a tensor that cf.switch forwards is to be copied: mlir-opt decides so, but copies
  nothing;
- threads of a parallel loop write one buffer, even if nobody reads that: it is a race.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from tests.checkers.stages import OPTIONS
from tests.oracle.tools import mlir_flags, mlir_opt, parse
from xdsl_bufferization.analysis.one_shot.module_analysis import analyze
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.checkers.contents.marks import Marks
from xdsl_bufferization.interfaces.operands import get, operands_of
from xdsl_bufferization.interfaces.types import is_tensor
from xdsl_bufferization.models import announce_models
from xdsl_bufferization.transforms.utils.bufferize import bufferize_op
from xdsl_bufferization.transforms.utils.tensor_copy_insertion import resolve_conflicts

UNSOUND = "decisions that are not sound"
SWITCH = "what cf.switch forwards is not copied"
RACE = "threads write one buffer"
_IN_PLACE = "__inplace_operands_attr__"
_Decisions = Mapping[Operation, Sequence[str]]


def wrong_decisions(texts: Sequence[str], bufferization: str) -> list[str]:
    """Return of each program why mlir-opt's decisions are wrong; nothing if they are
    right, or cannot be judged.

    Args:
        bufferization: the pass with its options.
    """
    announce_models()
    flags = mlir_flags(bufferization.replace("}", " test-analysis-only}"))
    with_copies = mlir_flags(
        bufferization.replace("one-shot-bufferize", "test-tensor-copy-insertion")
    )
    return [
        (
            _why_wrong(outcome.text)
            or (UNSOUND if copied.accepted and _is_wrong_with(copied.text) else "")
        )
        if outcome.accepted
        else ""
        for outcome, copied in zip(
            mlir_opt(texts, *flags), mlir_opt(texts, *with_copies), strict=True
        )
    ]


def _why_wrong(text: str) -> str:
    module, decisions = _parse(text)
    if any(op.name == "cf.switch" and "false" in of for op, of in decisions.items()):
        return SWITCH
    if _is_race(module, decisions):
        return RACE
    return UNSOUND if _is_wrong(module, decisions) else ""


def _parse(text: str) -> tuple[ModuleOp, _Decisions]:
    """Return a program, and the decisions on the operands of each op."""
    _, module = parse(text, allow_unregistered=True)
    return module, {
        op: [decision.data for decision in found if isinstance(decision, StringAttr)]
        for op in module.walk()
        if isinstance(found := op.attributes.pop(_IN_PLACE, None), ArrayAttr)
    }


def _is_race(module: ModuleOp, decisions: _Decisions) -> bool:
    """Return whether something is in place that is not here because threads write it."""
    options = replace(OPTIONS, print_conflicts=True, test_analysis_only=True)
    conflicts = analyze(module, options).conflicts
    return any(
        decisions[use.operation][use.index] == "true"
        and found[0].read is None
        and not found[0].read_only
        for use, found in conflicts.items()
        if found and use.operation in decisions
    )


def _is_wrong(module: ModuleOp, decisions: _Decisions) -> bool:
    """Bufferize a program with decisions, and return whether it is wrong."""
    marks = Marks(module)
    options = replace(OPTIONS, listeners=[marks])
    try:
        analysis = analyze(module, options)
        for op, of_operands in decisions.items():
            for use in operands_of(op):
                if is_tensor(get(use).type):
                    info = analysis._infos[use]  # pyright: ignore[reportPrivateUsage]
                    info.in_place = of_operands[use.index] == "true"
        resolve_conflicts(module, analysis)
        bufferize_op(module, options)
    except PassFailedException:
        return False
    return bool(check_contents(module, marks.described))


def _is_wrong_with(copies: str) -> bool:
    """Bufferize a program that contains its copies, and return whether it is wrong."""
    module = _parse(copies)[0]
    marks = Marks(module)
    try:
        bufferize_op(module, replace(OPTIONS, listeners=[marks]))
    except PassFailedException:
        return False
    return bool(check_contents(module, marks.described))
