"""The checker of bufferizations trusts the models of ops that it does not know."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Dialect, Operation, SSAValue, Use
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from tests.checkers.mutation import OPTIONS, mutants_of
from tests.oracle.tools import new_context
from xdsl_bufferization.base_models import AllocationModel, DestinationStyleModel
from xdsl_bufferization.checkers.contents.checker import check_contents
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.bufferization_rewriter import BufferizationRewriter
from xdsl_bufferization.transforms.utils.verified_bufferization import (
    verify_bufferization,
)


@dataclass(frozen=True)
class _Scan(DestinationStyleModel):
    """Replaces all of its destination."""

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return operand.index == 0


@irdl_op_definition
class ScanOp(IRDLOperation):
    name = "user.scan"

    source = operand_def()
    output = operand_def()
    result = opt_result_def()
    traits = traits_def(_Scan(), MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class SumOp(IRDLOperation):
    """Adds to its destination."""

    name = "user.sum"

    source = operand_def()
    output = operand_def()
    result = opt_result_def()
    traits = traits_def(DestinationStyleModel(), MemoryReadEffect(), MemoryWriteEffect())


@dataclass(frozen=True)
class _Reverse(AllocationModel):
    def dynamic_sizes(
        self, op: Operation, result: SSAValue, rewriter: BufferizationRewriter
    ) -> list[SSAValue]:
        return []


@irdl_op_definition
class ReverseOp(IRDLOperation):
    name = "user.reverse"

    source = operand_def()
    buffer = opt_operand_def()
    result = opt_result_def()
    traits = traits_def(_Reverse(), MemoryReadEffect(), MemoryWriteEffect())


def program(body: str) -> ModuleOp:
    context = new_context()
    context.load_dialect(Dialect("user", [ScanOp, SumOp, ReverseOp], []))
    return Parser(
        context,
        f"""
        func.func @main(%t: tensor<4xi32>, %u: tensor<4xi32>, %x: i32, %i: index)
            -> (tensor<4xi32>, i32) {{
          {body}
          return %0, %1 : tensor<4xi32>, i32
        }}
        """,
    ).parse_module()


BINARY = "(tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>"
UNARY = "(tensor<4xi32>) -> tensor<4xi32>"


@pytest.mark.parametrize(
    "body",
    [
        f"""%0 = "user.scan"(%t, %u) : {BINARY}
            %1 = tensor.extract %u[%i] : tensor<4xi32>""",
        f"""%0 = "user.reverse"(%t) : {UNARY}
            %1 = tensor.extract %t[%i] : tensor<4xi32>""",
        f"""%v = "user.reverse"(%t) : {UNARY}
            %w = tensor.insert %x into %v[%i] : tensor<4xi32>
            %0 = "user.scan"(%w, %v) : {BINARY}
            %1 = tensor.extract %t[%i] : tensor<4xi32>""",
        f"""%0 = "user.sum"(%t, %u) : {BINARY}
            %1 = tensor.extract %u[%i] : tensor<4xi32>""",
    ],
)
def test_what_models_say_is_not_accessed(body: str) -> None:
    module = program(body)
    assert verify_bufferization(module, OPTIONS) == []


@pytest.mark.parametrize(
    "body",
    [
        # Its destination is written, and then read.
        f"""%0 = "user.scan"(%t, %u) : {BINARY}
            %1 = tensor.extract %u[%i] : tensor<4xi32>""",
        # What it adds to is copied.
        f"""%0 = "user.sum"(%t, %u) : {BINARY}
            %1 = tensor.extract %u[%i] : tensor<4xi32>""",
        # Its source is overwritten before it is read.
        f"""%v = tensor.insert %x into %t[%i] : tensor<4xi32>
            %0 = "user.reverse"(%t) : {UNARY}
            %1 = tensor.extract %v[%i] : tensor<4xi32>""",
        f"""%v = tensor.insert %x into %t[%i] : tensor<4xi32>
            %0 = "user.scan"(%t, %u) : {BINARY}
            %1 = tensor.extract %v[%i] : tensor<4xi32>""",
    ],
)
def test_the_rest_is(body: str) -> None:
    mutants = list(mutants_of(program(body)))
    assert mutants
    for mutant in mutants:
        assert mutant.described is not None
        assert check_contents(mutant.module, mutant.described), mutant.what
