"""Analyses are used again for as long as the program is the same, and no longer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import FloatAttr, ModuleOp, StringAttr, f32
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from tests.oracle.tools import parse, run_passes
from xdsl_bufferization.analysis.one_shot import module_analysis
from xdsl_bufferization.dialects.op_lists import list_functions, walk
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.transforms.utils import copy_estimates, known_analyses
from xdsl_bufferization.transforms.utils.copy_estimates import estimate_copies
from xdsl_bufferization.transforms.utils.known_analyses import (
    forget_analyses,
    keep_analysis,
    take_analysis,
)
from xdsl_bufferization.transforms.utils.op_order import OpOrder
from xdsl_bufferization.transforms.utils.trial_changes import TrialChanges

PROGRAM = """
func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>, %i: index, %x: f32, %y: f32, %b: i1)
    -> (tensor<8xf32>, f32) {
  %one = arith.constant 1.0 : f32
  %0 = tensor.insert %x into %t[%i] : tensor<8xf32>
  %1 = tensor.extract %t[%i] : tensor<8xf32>
  %2 = scf.if %b -> tensor<8xf32> {
    %3 = tensor.insert %one into %0[%i] : tensor<8xf32>
    scf.yield %3 : tensor<8xf32>
  } else {
    scf.yield %0 : tensor<8xf32>
  }
  func.return %2, %1 : tensor<8xf32>, f32
}
"""


def _module() -> ModuleOp:
    return parse(PROGRAM)[1]


def _op(module: ModuleOp, name: str) -> Operation:
    return next(op for op in walk(module) if op.name == name)


def _replace_operand(module: ModuleOp) -> None:
    insert = _op(module, "tensor.insert")
    insert.operands[1] = list_functions(module)[0].args[1]


def _change_property(module: ModuleOp) -> None:
    _op(module, "arith.constant").properties["value"] = FloatAttr(2.0, f32)


def _change_attribute(module: ModuleOp) -> None:
    _op(module, "scf.if").attributes["note"] = StringAttr("new")


def _change_order(module: ModuleOp) -> None:
    extract = _op(module, "tensor.extract")
    extract.detach()
    Rewriter.insert_op(extract, InsertPoint.before(_op(module, "tensor.insert")))


def _move_out_of_the_branch(module: ModuleOp) -> None:
    branch = _op(module, "scf.if")
    insert = branch.regions[0].block.first_op
    assert insert is not None
    insert.detach()
    Rewriter.insert_op(insert, InsertPoint.before(branch))


def _exchange_regions(module: ModuleOp) -> None:
    branch = _op(module, "scf.if")
    first = branch.detach_region(0)
    branch.add_region(first)


def _add_argument(module: ModuleOp) -> None:
    block = list_functions(module)[0].body.block
    block.insert_arg(f32, 0)


CHANGES = (
    _replace_operand,
    _change_property,
    _change_attribute,
    _change_order,
    _move_out_of_the_branch,
    _exchange_regions,
    _add_argument,
)


@pytest.mark.parametrize("cheapest", [False, True])
def test_a_program_is_analysed_once(cheapest: bool) -> None:
    module = _module()
    first = estimate_copies(module, cheapest=cheapest)
    estimate_copies(module, cheapest=not cheapest)
    assert estimate_copies(module, cheapest=cheapest)[0] is first[0]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_changed_program_is_analysed_again(change: Callable[[ModuleOp], None]) -> None:
    module = _module()
    first = estimate_copies(module)
    change(module)
    assert estimate_copies(module)[0] is not first[0]


def test_a_program_that_is_restored_is_not_analysed_again() -> None:
    module = _module()
    first = estimate_copies(module)
    changes = TrialChanges(OpOrder(list_functions(module)[0]))
    use = next(iter(_op(module, "tensor.insert").results[0].uses))
    changes.replace(use, list_functions(module)[0].args[1])
    assert estimate_copies(module)[0] is not first[0]
    changes.undo()
    assert estimate_copies(module)[0] is first[0]


def test_a_new_model_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    module = _module()
    first = estimate_copies(module)
    before = known_analyses.count_attachments()
    monkeypatch.setattr(known_analyses, "count_attachments", lambda: before + 1)
    assert estimate_copies(module)[0] is not first[0]


def test_only_the_same_options_share_an_analysis() -> None:
    module = _module()
    analysis, costs = estimate_copies(module)
    options = BufferizationOptions(bufferize_function_boundaries=True)
    fingerprint = known_analyses.fingerprint_of(module)
    keep_analysis(module, options, fingerprint, analysis, costs)
    assert take_analysis(module, BufferizationOptions()) is None
    keep_analysis(module, options, fingerprint, analysis, costs)
    equal = BufferizationOptions(bufferize_function_boundaries=True)
    assert take_analysis(module, equal) is analysis
    assert take_analysis(module, equal) is None


def test_a_copy_of_a_program_has_no_analyses() -> None:
    module = _module()
    first = estimate_copies(module)
    assert estimate_copies(module.clone())[0] is not first[0]
    forget_analyses(module)
    assert estimate_copies(module)[0] is not first[0]


def test_bufferization_uses_the_analysis_of_the_passes_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    analysed: list[str] = []

    def analyze(root: Operation, options: BufferizationOptions) -> object:
        analysed.append(options.analysis_heuristic)
        return module_analysis.analyze(root, options)

    def refuse(root: Operation, options: BufferizationOptions) -> object:
        raise AssertionError("the program has been analysed before")

    monkeypatch.setattr(copy_estimates, "analyze", analyze)
    monkeypatch.setattr(
        "xdsl_bufferization.transforms.utils.tensor_copy_insertion.analyze", refuse
    )
    context, module = parse(PROGRAM_WITH_UPDATE)
    run_passes(context, module, "bufferization-pipeline")
    assert sorted(analysed) == ["bottom-up", "cheapest"]


PROGRAM_WITH_UPDATE = """
func.func @f(%t: tensor<8xf32>, %u: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.add ins(%0, %u : tensor<8xf32>, tensor<8xf32>)
      outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %1 : tensor<8xf32>
}
"""
