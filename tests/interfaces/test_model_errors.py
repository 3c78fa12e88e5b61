"""A mistake in a model of a user's own names the op, the model and the method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Dialect, Operation, SSAValue, Use
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_result_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, MemoryWriteEffect, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import (
    DiagnosticException,
    PassFailedException,
    VerifyException,
)

import xdsl_bufferization
from xdsl_bufferization.analysis.one_shot.state import DefaultAnalysisState
from xdsl_bufferization.interfaces.aliasing import AliasingOperand, BufferRelation
from xdsl_bufferization.interfaces.analysis_state import AnalysisState
from xdsl_bufferization.interfaces.base_models import (
    BufferizableModel,
    DestinationStyleModel,
)
from xdsl_bufferization.interfaces.bufferization_options import BufferizationOptions
from xdsl_bufferization.interfaces.operands import operands_of
from xdsl_bufferization.interfaces.table import attach
from xdsl_bufferization.jit.lowering import read_pipeline
from xdsl_bufferization.models.base.views import ViewModel
from xdsl_bufferization.models.regions import BranchModel, LoopModel, YieldModel
from xdsl_bufferization.module_pass import ModulePass
from xdsl_bufferization.universe import new_context

UPDATE = """
func.func @f(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "own.update"(%t) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""


def make_op(model: Any) -> type[IRDLOperation]:
    @irdl_op_definition
    class UpdateOp(IRDLOperation):
        name = "own.update"
        value = operand_def()
        result = opt_result_def()
        traits = traits_def(model, MemoryWriteEffect())

    return UpdateOp


def bufferize(model: Any) -> None:
    context = new_context()
    context.load_dialect(Dialect("own", [make_op(model)]))
    module = xdsl_bufferization.parse(UPDATE, context=context)
    xdsl_bufferization.bufferize(
        module, context=context, bufferize_function_boundaries=True
    )


class Forgets(DestinationStyleModel):
    def bufferize(self, op: Any, rewriter: Any) -> None:
        rewriter.get_buffer(op.operands[0])


class GivesTooFew(DestinationStyleModel):
    def bufferize(self, op: Any, rewriter: Any) -> None:
        rewriter.replace(op, [])


class GivesAnOp(DestinationStyleModel):
    def bufferize(self, op: Any, rewriter: Any) -> None:
        rewriter.replace(op, [op])


class GivesNone(DestinationStyleModel):
    def bufferize(self, op: Any, rewriter: Any) -> None:
        rewriter.replace(op, [None])


class Raises(DestinationStyleModel):
    def bufferize(self, op: Any, rewriter: Any) -> None:
        _ = op.operands[3]


class AliasesNone(BufferizableModel):
    def aliasing_values(self, op: Any, operand: Any, state: Any) -> Any:
        return None


class AliasesOperands(BufferizableModel):
    def aliasing_values(self, op: Any, operand: Any, state: Any) -> Any:
        return [op.results[0]]


class RaisesInAnalysis(DestinationStyleModel):
    def bufferizes_to_memory_read(self, op: Any, operand: Any, state: Any) -> bool:
        raise KeyError("no such attribute")


class AllocatesUnknownLayout(BufferizableModel):
    def bufferize(self, op: Any, rewriter: Any) -> None:
        buffer_type = rewriter.get_buffer_type(op.results[0])
        sizes = rewriter.dynamic_sizes(rewriter.get_buffer(op.operands[0]))
        rewriter.replace(op, [rewriter.create_alloc(buffer_type, sizes)])


class AllocatesWithoutSizes(BufferizableModel):
    def bufferizes_to_allocation(self, op: Any, value: Any) -> bool:
        return True

    def bufferize(self, op: Any, rewriter: Any) -> None:
        buffer_type = rewriter.get_buffer_type(op.results[0])
        rewriter.replace(op, [rewriter.create_alloc(buffer_type, [])])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Forgets(), r"Forgets\.bufferize left the op .* rewriter\.replace"),
        (GivesTooFew(), r"rewriter\.replace got 0 values for 1 results"),
        (GivesAnOp(), r"rewriter\.replace got the op own.update .*op\.results\[0\]"),
        (GivesNone(), r"rewriter\.replace got None for result #0"),
        (Raises(), r"Raises\.bufferize raised IndexError"),
        (AliasesNone(), r"AliasesNone\.aliasing_values returned None; it must return"),
        (
            AliasesOperands(),
            r"AliasesOperands\.aliasing_values returned a sequence with an OpRes",
        ),
        (RaisesInAnalysis(), r"\.bufferizes_to_memory_read raised KeyError"),
        (AllocatesUnknownLayout(), r"create_alloc: .* strides or offset are not known"),
        (AllocatesWithoutSizes(), r"create_alloc: .* 1 dynamic dimensions, but 0 sizes"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_mistake_names_op_and_method(model: Any, message: str) -> None:
    with pytest.raises(PassFailedException, match=f"(?s)own\\.update: .*{message}"):
        bufferize(model)


@pytest.mark.parametrize(
    "name",
    ["bufferization-pipeline", "eliminate-empty-tensors", "verify-bufferization"],
)
def test_a_mistake_is_named_by_every_pass_that_analyses(name: str) -> None:
    context = new_context()
    context.load_dialect(Dialect("own", [make_op(RaisesInAnalysis())]))
    module = xdsl_bufferization.parse(UPDATE, context=context)
    (pass_,) = read_pipeline(name)
    with pytest.raises(PassFailedException, match=r"own\.update: RaisesInAnalysis\."):
        pass_.apply(context, module)


def test_a_class_in_place_of_a_model_in_the_traits() -> None:
    with pytest.raises(VerifyException, match=r"own\.update: .*write Forgets\(\)"):
        bufferize(Forgets)


def test_a_class_in_place_of_a_model_that_is_attached() -> None:
    with pytest.raises(TypeError, match=r"own\.update: .* is a class.*Forgets\(\)"):
        attach("own.update", Forgets)


def test_an_op_that_cannot_be_on_memrefs() -> None:
    @irdl_op_definition
    class StrictOp(IRDLOperation):
        name = "own.update"
        value = operand_def()
        result = result_def()
        traits = traits_def(DestinationStyleModel(), MemoryWriteEffect())

    context = new_context()
    context.load_dialect(Dialect("own", [StrictOp]))
    module = xdsl_bufferization.parse(UPDATE, context=context)
    with pytest.raises(PassFailedException, match=r"refuses: Expected 1 result, but"):
        xdsl_bufferization.bufferize(module, context=context)


@irdl_op_definition
class YieldOp(IRDLOperation):
    name = "own.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), YieldModel(), Pure())


@irdl_op_definition
class RepeatOp(IRDLOperation):
    name = "own.repeat"
    times = operand_def(IndexType)
    inits = var_operand_def()
    outs = var_result_def()
    body = region_def("single_block")
    traits = traits_def(LoopModel(first_init=1), RecursiveMemoryEffect())


@irdl_op_definition
class ChooseOp(IRDLOperation):
    name = "own.choose"
    which = operand_def(IndexType)
    outs = var_result_def()
    first = region_def("single_block")
    second = region_def("single_block")
    traits = traits_def(BranchModel(), RecursiveMemoryEffect())


def parse_regions(text: str) -> Callable[[], object]:
    context = new_context()
    context.load_dialect(Dialect("own", [YieldOp, RepeatOp, ChooseOp]))
    return lambda: xdsl_bufferization.parse(text, context=context)


@pytest.mark.parametrize(
    ("argument", "yielded", "result", "message"),
    [
        ("tensor<5xf32>", "%a) : (tensor<5xf32>", "tensor<4xf32>", "of the iter_args"),
        ("tensor<4xf32>", "%n) : (index", "tensor<4xf32>", "values that own.yield"),
        ("tensor<4xf32>", ") : (", "tensor<4xf32>", "1 inits .* but 0 values"),
        ("tensor<4xf32>", "%a) : (tensor<4xf32>", "tensor<5xf32>", "of the results"),
    ],
)
def test_types_around_a_loop_disagree(
    argument: str, yielded: str, result: str, message: str
) -> None:
    text = f"""
    func.func @f(%n: index, %t: tensor<4xf32>) {{
      %r = "own.repeat"(%n, %t) ({{
      ^bb0(%a: {argument}):
        "own.yield"({yielded}) -> ()
      }}) : (index, tensor<4xf32>) -> {result}
      return
    }}"""
    with pytest.raises(
        VerifyException, match=rf"(?s)own\.repeat: .*{message}.*LoopModel"
    ):
        parse_regions(text)()


@irdl_op_definition
class PlainRepeatOp(IRDLOperation):
    """A loop to which a model is attached from outside."""

    name = "plain.repeat"
    times = operand_def(IndexType)
    inits = var_operand_def()
    outs = var_result_def()
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())


@pytest.mark.parametrize("first_init", [0, 2])
def test_an_attached_model_of_a_loop_does_not_fit(first_init: int) -> None:
    attach(PlainRepeatOp, LoopModel(first_init=first_init))
    context = new_context()
    context.load_dialect(Dialect("own", [YieldOp]))
    context.load_dialect(Dialect("plain", [PlainRepeatOp]))
    text = """
    func.func @f(%n: index, %t: tensor<4xf32>) -> tensor<4xf32> {
      %r = "plain.repeat"(%n, %t) ({
      ^bb0(%a: tensor<4xf32>):
        "own.yield"(%a) : (tensor<4xf32>) -> ()
      }) : (index, tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }"""
    module = xdsl_bufferization.parse(text, context=context)
    with pytest.raises(
        PassFailedException, match=r"plain\.repeat: there are \d inits .* but 1 iter_args"
    ):
        xdsl_bufferization.bufferize(module, context=context)


def test_types_around_a_branch_disagree() -> None:
    text = """
    func.func @f(%n: index, %t: tensor<4xf32>) {
      %r = "own.choose"(%n) ({
        "own.yield"(%t) : (tensor<4xf32>) -> ()
      }, {
        "own.yield"(%n) : (index) -> ()
      }) : (index) -> tensor<4xf32>
      return
    }"""
    with pytest.raises(VerifyException, match=r"own\.choose: region #1 yields \(index\)"):
        parse_regions(text)()


def test_attribute_that_an_overridden_method_uses() -> None:
    class _Model(BufferizableModel):
        writes = True

        def bufferizes_to_memory_write(
            self, op: Operation, operand: Use, state: AnalysisState
        ) -> bool:
            return super().bufferizes_to_memory_write(op, operand, state)

    assert _Model.writes


def test_attribute_that_a_base_model_does_not_use() -> None:
    with pytest.raises(TypeError, match="override bufferizes_to_memory_write instead"):

        class _Model(DestinationStyleModel):  # pyright: ignore[reportUnusedClass]
            writes = False


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ("(index) -> tensor<?xf32>", "ViewModel is for an op that makes a tensor"),
        ("(tensor<?xf32>) -> index", "ViewModel is for an op that makes a tensor"),
    ],
)
def test_a_view_of_something_else(types: str, expected: str) -> None:
    context = new_context()
    context.load_dialect(Dialect("own", [make_op(ViewModel())]))
    argument = types[1 : types.index(")")]
    text = f"""
    func.func @f(%t: {argument}) {{
      %0 = "own.update"(%t) : {types}
      return
    }}"""
    with pytest.raises(DiagnosticException, match=expected):
        xdsl_bufferization.parse(text, context=context)


def test_a_destination_without_a_result() -> None:
    context = new_context()
    context.load_dialect(Dialect("own", [make_op(DestinationStyleModel())]))
    text = """
    func.func @f(%t: tensor<?xf32>) {
      "own.update"(%t) : (tensor<?xf32>) -> ()
      return
    }"""
    with pytest.raises(DiagnosticException, match="there are 1 of these, but 0 results"):
        xdsl_bufferization.parse(text, context=context)


def test_a_destination_that_is_a_memref() -> None:
    context = new_context()
    context.load_dialect(Dialect("own", [make_op(DestinationStyleModel())]))
    text = """
    func.func @f(%t: memref<?xf32>) {
      "own.update"(%t) : (memref<?xf32>) -> ()
      return
    }"""
    module = xdsl_bufferization.parse(text, context=context)
    before = str(module)
    xdsl_bufferization.bufferize(module, context=context)
    assert str(module) == before


@dataclass(frozen=True)
class _FailingPass(ModulePass):
    name = "failing"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise KeyError("what is missing")


def test_a_program_that_is_not_valid_is_told_where_a_pass_fails_on_it() -> None:
    """Nothing verifies what the passes of others build."""
    context = new_context()
    module = xdsl_bufferization.parse(
        """
        func.func @f(%n: index) -> memref<?xf32> {
          %0 = memref.alloc(%n) : memref<?xf32>
          return %0 : memref<?xf32>
        }""",
        context=context,
    )
    with pytest.raises(KeyError):
        _FailingPass().apply(context, module)
    alloc = next(op for op in module.walk() if op.name == "memref.alloc")
    alloc.operands = []
    with pytest.raises(PassFailedException, match=r"KeyError.*program is not valid"):
        _FailingPass().apply(context, module)
    read_pipeline("canonicalize")[0].apply(context, module)


TWO_DESTINATIONS = """
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %r:2 = "own.minmax"(%x, %e, %e)
    : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}"""


@dataclass(frozen=True)
class MinMaxModel(DestinationStyleModel):
    """`inits` is what `dps_inits` returns for an op."""

    inits: Callable[[Operation], Any] = operands_of

    def dps_inits(self, op: Operation) -> Any:
        return self.inits(op)

    def bufferizes_to_memory_read(
        self, op: Operation, operand: Use, state: AnalysisState
    ) -> bool:
        return operand.index == 0


def bufferize_min_max(inits: Callable[[Operation], Any]) -> str:
    @irdl_op_definition
    class MinMaxOp(IRDLOperation):
        name = "own.minmax"
        values = var_operand_def()
        outs = var_result_def()
        traits = traits_def(MinMaxModel(inits), MemoryWriteEffect())

    context = new_context()
    context.load_dialect(Dialect("own", [MinMaxOp]))
    module = xdsl_bufferization.parse(TWO_DESTINATIONS, context=context)
    xdsl_bufferization.bufferize(
        module, context=context, bufferize_function_boundaries=True
    )
    return str(module)


def test_destinations_that_are_built_from_a_number() -> None:
    text = bufferize_min_max(lambda op: [Use(op, i) for i in (1, 2)])
    assert text.count("memref.alloc") == 2
    assert text == bufferize_min_max(lambda op: operands_of(op)[1:])


def _raise(op: Operation) -> Any:
    raise KeyError("no such attribute")


WRONG_DESTINATIONS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda op: op.operands[1:], "a sequence with an OpResult"),
    (lambda op: [1, 2], "a sequence with 1"),
    (lambda op: None, "None; it must return a sequence, of which each item is a Use"),
    (lambda op: 1, "1; it must return a sequence"),
    (lambda op: [Use(op, 3)], r"a sequence with operand #3 of own\.minmax, which has 3"),
    (lambda op: [Use(op, -1)], r"a sequence with operand #-1 of own\.minmax"),
    (
        lambda op: [Use(op.parent_op(), 0)],
        r"a sequence with an operand of func\.func, another op",
    ),
    (_raise, "raised KeyError"),
]


@pytest.mark.parametrize(("inits", "message"), WRONG_DESTINATIONS)
def test_destinations_that_are_no_operands(
    inits: Callable[[Operation], Any], message: str
) -> None:
    with pytest.raises(
        DiagnosticException,
        match=rf"(?s)own\.minmax: MinMaxModel\.dps_inits (returned )?{message}",
    ):
        bufferize_min_max(inits)


@dataclass(frozen=True)
class _AliasesBuiltUse(DestinationStyleModel):
    """`index` is the number of the operand that the result is said to alias."""

    index: int = 0

    def aliasing_operands(
        self, op: Operation, value: SSAValue, state: AnalysisState
    ) -> list[AliasingOperand]:
        return [AliasingOperand(Use(op, self.index), BufferRelation.EQUIVALENT)]


def test_an_alias_that_is_built_from_a_number_is_the_operand_of_the_op() -> None:
    context = new_context()
    context.load_dialect(Dialect("own", [make_op(_AliasesBuiltUse())]))
    module = xdsl_bufferization.parse(UPDATE, context=context)
    op = next(op for op in module.walk() if op.name == "own.update")
    state = DefaultAnalysisState(BufferizationOptions())
    (alias,) = state.aliasing_operands(op.results[0])
    assert alias.operand is operands_of(op)[0]


def test_an_alias_that_is_no_operand() -> None:
    with pytest.raises(
        PassFailedException,
        match=r"aliasing_operands returned .* operand #1 of own\.update, which has 1",
    ):
        bufferize(_AliasesBuiltUse(1))
