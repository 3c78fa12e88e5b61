"""Ops whose only code is a base model pass the kit; with one wrong answer, they fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.ir import Dialect
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import PassFailedException, VerifyException

import xdsl_bufferization
from tests.testing.own_dialect import define, make_case
from xdsl_bufferization.base_models import (
    AllocationModel,
    CallModel,
    DestinationStyleModel,
    SingleDestinationModel,
    ViewModel,
)
from xdsl_bufferization.interfaces.aliasing import BufferRelation
from xdsl_bufferization.testing import OpCase, check_model
from xdsl_bufferization.universe import new_context

T = "tensor<4xf32>"
READ, WRITE = MemoryReadEffect(), MemoryWriteEffect()
CALLEES = """
func.func private @increase(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %i = arith.constant 2 : index
  %e = tensor.extract %t[%i] : tensor<4xf32>
  %f = arith.addf %e, %x : f32
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @ones(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %r = arith.constant dense<1.0> : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @twice(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%t, %t : tensor<4xf32>, tensor<4xf32>)
    outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
"""


def add(model: Any) -> OpCase:
    op = define("add", model, READ, WRITE)
    text = f'%r = "own.add"(%x, %y) : ({T}, {T}) -> {T}'
    return make_case(op, text, {"%x": T, "%y": T}, lambda x, y: x + y)


def iota(model: Any) -> OpCase:
    op = define("iota", model, WRITE)
    text = f'%r = "own.iota"() : () -> {T}'
    return make_case(op, text, {}, lambda: np.arange(4, dtype="f"))


def negate(model: Any) -> OpCase:
    op = define("negate", model, READ, WRITE)
    text = f'%r = "own.negate"(%x) : ({T}) -> {T}'
    return make_case(op, text, {"%x": T}, lambda x: -x)


def view(model: Any) -> OpCase:
    op = define("view", model, Pure())
    text = f'%r = "own.view"(%x) : ({T}) -> tensor<2xf32>'
    return make_case(op, text, {"%x": T}, lambda x: x[1:3])


def rename(model: Any) -> OpCase:
    op = define("rename", model, Pure())
    text = f'%r = "own.rename"(%x) : ({T}) -> {T}'
    return make_case(op, text, {"%x": T}, lambda x: x)


def call(callee: str, meaning: Callable[..., Any]) -> Callable[[Any], OpCase]:
    def case(model: Any) -> OpCase:
        op = define("call", model, READ, WRITE)
        text = f'%r = "own.call"(%t, %x) {{callee = @{callee}}} : ({T}, f32) -> {T}'
        arguments = {"%t": T, "%x": "f32"}
        return make_case(op, text, arguments, meaning, functions=CALLEES)

    return case


def increase(t: Any, x: float) -> Any:
    t[2] += x
    return t


RIGHT: dict[str, tuple[Callable[[Any], OpCase], Any]] = {
    "a destination-style op": (add, DestinationStyleModel()),
    "an op with one destination": (add, SingleDestinationModel(destination=1)),
    "an allocation": (iota, AllocationModel()),
    "an allocation that reads": (negate, AllocationModel()),
    "a view": (view, ViewModel()),
    "a cast": (rename, ViewModel(BufferRelation.EQUIVALENT)),
    "a call that updates its argument": (call("increase", increase), CallModel()),
    "a call that returns a constant": (
        call("ones", lambda t, x: np.ones(4, "f")),
        CallModel(),
    ),
    "a call that returns a new buffer": (call("twice", lambda t, x: t + t), CallModel()),
}


@pytest.mark.parametrize(("case", "model"), RIGHT.values(), ids=RIGHT)
def test_a_base_model_passes(case: Callable[[Any], OpCase], model: Any) -> None:
    assert check_model(case(model)) == []


class NewView(ViewModel):
    def bufferizes_to_allocation(self, op: Any, value: Any) -> bool:
        return True


class OldAllocation(AllocationModel):
    def bufferizes_to_allocation(self, op: Any, value: Any) -> bool:
        return False


class FirstDestination(DestinationStyleModel):
    def dps_inits(self, op: Any) -> Any:
        return super().dps_inits(op)[:0]


class ReadingCall(CallModel):
    def bufferizes_to_memory_write(self, op: Any, operand: Any, state: Any) -> bool:
        return False


class FreshCall(CallModel):
    def aliasing_values(self, op: Any, operand: Any, state: Any) -> Any:
        return ()

    def aliasing_operands(self, op: Any, value: Any, state: Any) -> Any:
        return ()


class BlindCall(CallModel):
    def bufferizes_to_memory_read(self, op: Any, operand: Any, state: Any) -> bool:
        return False


WRONG: dict[str, tuple[Callable[[Any], OpCase], Any, str]] = {
    "the destination is another": (
        add,
        SingleDestinationModel(destination=0),
        "bufferizes_to_memory_write",
    ),
    "a view is an allocation": (view, NewView(), "bufferizes_to_allocation"),
    "a view is a cast": (
        view,
        ViewModel(BufferRelation.EQUIVALENT),
        "aliasing_values",
    ),
    "an allocation is not declared": (iota, OldAllocation(), "bufferize"),
    "a destination is an input": (add, FirstDestination(), "bufferize"),
    "a call does not write": (
        call("increase", increase),
        ReadingCall(),
        "bufferizes_to_memory_write",
    ),
    "a call returns no argument": (
        call("increase", increase),
        FreshCall(),
        "aliasing_values",
    ),
    "a call does not read": (
        call("twice", lambda t, x: t + t),
        BlindCall(),
        "bufferizes_to_memory_read",
    ),
}


@pytest.mark.parametrize(("case", "model", "answer"), WRONG.values(), ids=WRONG)
def test_a_wrong_answer_is_found(
    case: Callable[[Any], OpCase], model: Any, answer: str
) -> None:
    found = check_model(case(model))
    assert any(answer in wrong.answer for wrong in found), found


def bufferize(text: str, *ops: type[IRDLOperation]) -> str:
    context = new_context()
    context.load_dialect(Dialect("own", list(ops)))
    module = xdsl_bufferization.parse(text, context=context)
    xdsl_bufferization.bufferize(
        module, context=context, bufferize_function_boundaries=True
    )
    return str(module)


def test_segments_of_operands_and_results_follow() -> None:
    @irdl_op_definition
    class SplitOp(IRDLOperation):
        name = "own.split"
        sources = var_operand_def()
        outs = var_operand_def()
        numbers = var_result_def()
        tensors = var_result_def()
        irdl_options = (
            AttrSizedOperandSegments(as_property=True),
            AttrSizedResultSegments(as_property=True),
        )
        traits = traits_def(AllocationModel(), READ, WRITE)

    text = bufferize(
        """
        func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
          %n, %r = "own.split"(%t) <{operandSegmentSizes = array<i32: 1, 0>,
            resultSegmentSizes = array<i32: 1, 1>}> : (tensor<4xf32>) ->
            (index, tensor<4xf32>)
          return %r : tensor<4xf32>
        }""",
        SplitOp,
    )
    assert "operandSegmentSizes = array<i32: 1, 1>" in text
    assert "resultSegmentSizes = array<i32: 1, 0>" in text


class SizedModel(AllocationModel):
    def dynamic_sizes(self, op: Any, result: Any, rewriter: Any) -> Any:
        return op.operands


def dynamic_op(model: Any) -> type[IRDLOperation]:
    return define("make", model, WRITE)


DYNAMIC = """
func.func @f(%n: index) -> tensor<?xf32> {
  %r = "own.make"(%n) : (index) -> tensor<?xf32>
  return %r : tensor<?xf32>
}"""


def test_a_model_says_the_dynamic_sizes() -> None:
    text = bufferize(DYNAMIC, dynamic_op(SizedModel()))
    assert "memref.alloc(%n)" in text
    assert '"own.make"(%n, %r)' in text


def test_dynamic_sizes_that_are_not_known_are_a_diagnostic() -> None:
    with pytest.raises(PassFailedException, match=r"AllocationModel\.dynamic_sizes"):
        bufferize(DYNAMIC, dynamic_op(AllocationModel()))


def test_a_class_that_refuses_memrefs_is_a_diagnostic() -> None:
    @irdl_op_definition
    class MakeOp(IRDLOperation):
        name = "own.make"
        size = operand_def()
        result = result_def()
        traits = traits_def(SizedModel(), WRITE)

    with pytest.raises(PassFailedException, match=r"SizedModel\.bufferize.*opt_result"):
        bufferize(DYNAMIC, MakeOp)


def test_a_call_without_a_callee_is_a_diagnostic() -> None:
    op = define("call", CallModel(), READ, WRITE)
    with pytest.raises(VerifyException, match=r"`callee`.*first_argument=1"):
        bufferize(
            """
            func.func @f(%t: tensor<4xf32>) {
              "own.call"(%t) : (tensor<4xf32>) -> ()
              return
            }""",
            op,
        )


def test_a_constant_that_a_call_returns_is_copied_before_it_is_written() -> None:
    op = define("call", CallModel(), READ, WRITE)
    text = bufferize(
        f"""
        {CALLEES}
        func.func @f(%t: {T}, %x: f32, %i: index) -> {T} {{
          %c = "own.call"(%t, %x) {{callee = @ones}} : ({T}, f32) -> {T}
          %r = tensor.insert %x into %c[%i] : {T}
          return %r : {T}
        }}""",
        op,
    )
    main = text.partition("@f(")[2]
    assert "memref.copy" in main
