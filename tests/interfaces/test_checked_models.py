"""Whatever a model of a user's answers wrongly, the error names the op, the model and the
method; the models of this package answer as the interfaces declare."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
from xdsl.dialects.builtin import i64
from xdsl.dialects.test import TestOp
from xdsl.ir import Block, Operation, Region, SSAValue, Use
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator, MemoryWriteEffect, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import PassFailedException

from xdsl_bufferization import interfaces
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import DestinationStyleModel
from xdsl_bufferization.interfaces.bufferizable import BUFFERIZABLE
from xdsl_bufferization.interfaces.loop_like import LoopRange
from xdsl_bufferization.interfaces.memory_effects import EffectKind, MemoryEffectOnValue
from xdsl_bufferization.interfaces.operands import operands_of
from xdsl_bufferization.interfaces.region_branch import (
    REGION_BRANCH,
    RegionSuccessor,
    get_forwarded_values,
)
from xdsl_bufferization.interfaces.subset import SUBSET_INSERTION, Equivalence
from xdsl_bufferization.interfaces.table import InterfaceTable
from xdsl_bufferization.models.regions import YieldModel


def all_interfaces() -> list[type]:
    modules = [
        import_module(f"{interfaces.__name__}.{module.name}")
        for module in iter_modules(interfaces.__path__)
    ]
    tables = [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, InterfaceTable)
    ]
    return list({table.interface: None for table in tables})


METHODS = [
    (interface, name)
    for interface in all_interfaces()
    for name, method in vars(interface).items()
    if not name.startswith("_")
    and callable(method)
    and method.__annotations__["return"] != "None"
]


def returning(interface: type, answer: Any) -> Any:
    """A model whose methods all return the same."""
    names = [name for name in vars(interface) if not name.startswith("_")]

    def method(self: Any, *arguments: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    return type("OwnModel", (), dict.fromkeys(names, method))()


def test_there_are_methods_of_all_interfaces() -> None:
    assert len(METHODS) > 40


@pytest.mark.parametrize("answer", [object(), KeyError("x")], ids=["type", "exception"])
@pytest.mark.parametrize(("interface", "name"), METHODS, ids=lambda each: str(each))
def test_a_wrong_answer_names_op_and_method(
    interface: type, name: str, answer: Any
) -> None:
    model: Any = InterfaceTable(interface).checked(returning(interface, answer))
    did = (
        "returned an? object; it must return" if answer.__class__ is object else "raised"
    )
    with pytest.raises(PassFailedException, match=rf"test\.op: OwnModel\.{name} {did}"):
        getattr(model, name)(TestOp(), *([None] * 4))


OTHER_TYPES: list[tuple[str, str, Any, str]] = [
    ("subset", "SubsetInsertionOpInterface.source_operand", None, "returned None"),
    ("view_like", "ViewLikeOpInterface.may_move_pointer", 1, "returned 1"),
    ("call", "CallOpInterface.get_arg_operands", [1], "returned a sequence with 1"),
    ("call", "CallOpInterface.get_arg_operands", iter(()), "returned a tuple_iterator"),
    (
        "memory_effects",
        "MemoryEffectOpInterface.get_allocations_and_frees",
        [MemoryEffectOnValue(EffectKind.FREE, 3)],  # pyright: ignore[reportArgumentType]
        "a MemoryEffectOnValue of 3; it must return a sequence",
    ),
    (
        "region_branch",
        "RegionBranchOpInterface.get_successor_regions",
        [RegionSuccessor(None, None)],  # pyright: ignore[reportArgumentType]
        "a RegionSuccessor of None",
    ),
    (
        "loop_like",
        "CountedLoopOpInterface.get_ranges",
        [LoopRange("0", 4, 1)],  # pyright: ignore[reportArgumentType]
        "a LoopRange of '0'",
    ),
    (
        "buffer_view_flow",
        "BufferViewFlowOpInterface.get_dependencies",
        [(1, 2, 3)],
        "a tuple of 3",
    ),
    ("reify", "ReifyRankedShapedTypeOpInterface.reify_result_size", "?", "an int or a"),
]


@pytest.mark.parametrize(("module", "method", "answer", "message"), OTHER_TYPES)
def test_the_parts_of_an_answer(
    module: str, method: str, answer: Any, message: str
) -> None:
    class_name, _, name = method.partition(".")
    interface = getattr(import_module(f"{interfaces.__name__}.{module}"), class_name)
    model: Any = InterfaceTable(interface).checked(returning(interface, answer))
    with pytest.raises(PassFailedException, match=rf"OwnModel\.{name} .*{message}"):
        getattr(model, name)(TestOp(), None, None, None)


class _PutModel(DestinationStyleModel):
    """Writes operand 0 into operand 1; uses are built from numbers."""

    label = "put"

    def source_operand(self, op: Operation) -> Use:
        return Use(op, 0)

    def destination_operand(self, op: Operation) -> Use:
        return Use(op, 1)

    def is_equivalent_subset(
        self, op: Operation, candidate: SSAValue, equivalence: Equivalence
    ) -> bool:
        return False

    def values_needed_to_build_subset_extraction(self, op: Operation) -> list[SSAValue]:
        return []

    def build_subset_extraction(self, op: Operation, point: InsertPoint) -> None:
        return None

    def copied_besides(self, op: Operation, state: AnalysisState) -> list[Use]:
        return [Use(op, 1)]


@irdl_op_definition
class PutOp(IRDLOperation):
    name = "own.put"
    source = operand_def()
    destination = operand_def()
    result = result_def()
    traits = traits_def(_PutModel(), MemoryWriteEffect())


def test_uses_that_a_model_builds_become_those_of_the_op() -> None:
    first, second = TestOp(result_types=[i64]), TestOp(result_types=[i64])
    op = PutOp.build(operands=[first.results[0], second.results[0]], result_types=[i64])
    insertion = SUBSET_INSERTION.lookup(op)
    model: Any = BUFFERIZABLE.lookup(op)
    assert insertion is not None
    assert insertion.source_operand(op) is operands_of(op)[0]
    assert insertion.destination_operand(op) is operands_of(op)[1]
    assert model.copied_besides(op, None)[0] is operands_of(op)[1]


def test_a_checked_model_has_the_class_and_the_attributes_of_the_model() -> None:
    value = TestOp(result_types=[i64]).results[0]
    op = PutOp.build(operands=[value, value], result_types=[i64])
    model = BUFFERIZABLE.lookup(op)
    assert isinstance(model, _PutModel)
    assert model.label == "put"


@irdl_op_definition
class LastOp(IRDLOperation):
    name = "own.last"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), YieldModel(), Pure())


class _ControlFlow:
    """One region, which runs once, gets `sent` values of the op for its argument, and
    returns to it."""

    def __init__(self, sent: int):
        self.sent = sent

    def get_successor_regions(
        self, op: Operation, point: Region | None
    ) -> list[RegionSuccessor]:
        if point is None:
            return [RegionSuccessor(op.regions[0], op.regions[0].blocks[0].args)]
        return [RegionSuccessor(None, op.results)]

    def get_entry_successor_operands(
        self, op: Operation, successor: Region | None
    ) -> list[SSAValue]:
        return list(op.operands[: self.sent])

    def append_forwarded_operands(self, *_: object) -> None: ...

    def erase_forwarded_operands(self, *_: object) -> None: ...


@pytest.mark.parametrize(
    ("sent", "yielded", "message"),
    [
        (0, 1, r"own\.once: _ControlFlow\.get_entry_successor_operands gives 0 values"),
        (1, 0, r"own\.last: YieldModel\.get_returned_operand_range gives range\(0, 0\) "),
    ],
)
def test_an_edge_with_other_numbers_of_values(
    sent: int, yielded: int, message: str
) -> None:
    @irdl_op_definition
    class OnceOp(IRDLOperation):
        name = "own.once"
        value = operand_def()
        result = result_def()
        body = region_def("single_block")
        traits = traits_def(_ControlFlow(sent), RecursiveMemoryEffect())

    value = TestOp(result_types=[i64]).results[0]
    block = Block(arg_types=[i64])
    block.add_op(LastOp.build(operands=[list(block.args[:yielded])]))
    op = OnceOp.build(operands=[value], result_types=[i64], regions=[Region(block)])
    model = REGION_BRANCH.lookup(op)
    assert model is not None
    with pytest.raises(PassFailedException, match=message):
        for point in (None, op.body):
            get_forwarded_values(model, op, point)


CHECK_OWN_MODELS = """
from tests.remarks.programs import PIPELINES, explained
from xdsl_bufferization.interfaces import checked_models
checked_models.is_of_this_package = lambda model: False
checked_models.refuse = lambda op, model, method, problem: RuntimeError(method, problem)
print(sum(1 for passes in PIPELINES for _ in explained(passes)))
"""


def test_the_models_of_this_package_answer_as_declared() -> None:
    """Models are attached once, so a process of its own is needed to check these too."""
    done = subprocess.run(
        [sys.executable, "-c", CHECK_OWN_MODELS],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50
